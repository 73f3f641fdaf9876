//! Why a file could not be read at all.

use std::io;
use std::path::{Path, PathBuf};

use dejaview_base::lines::NoText;

/// A file that cannot be read at all. Faults inside a file are [`crate::SkippedRecord`]s instead.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The file is missing, or may not be read.
    #[error("{path}: cannot be opened: {source}", path = .path.display())]
    Open { path: PathBuf, source: io::Error },
    /// The first bytes could be opened but not read, or not decompressed.
    #[error("{path}: cannot be read: {source}", path = .path.display())]
    Read { path: PathBuf, source: io::Error },
    /// The disk, or the system, failed in the middle of a file. A file that is cut short or damaged is no such error: what
    /// is wrong with it stays wrong, and is counted.
    #[error(
        "{path}: reading failed at byte {at}: {source}; nothing that rests on this file was recorded. Check the disk, then run \
         the command again",
        path = .path.display()
    )]
    ReadFailed {
        path: PathBuf,
        /// Bytes of the file that had been read.
        at: u64,
        source: io::Error,
    },
    /// A known kind of file that dejaview does not read.
    #[error("{path}: this is {kind}; {advice}", path = .path.display())]
    Unsupported { path: PathBuf, kind: &'static str, advice: &'static str },
    /// A list that is held as a whole and is larger than any of its kind.
    #[error(
        "{path}: it is larger than {} MiB when unpacked, the most that is read of such a file; see whether this is the right \
         file, and cut it into several",
        .most >> 20,
        path = .path.display()
    )]
    TooLarge {
        path: PathBuf,
        /// Most bytes that it may have.
        most: usize,
    },
    /// A list of judgments, topics or URLs that contains none.
    #[error("{path}: no {what} found", path = .path.display())]
    Nothing { path: PathBuf, what: &'static str },
    /// A list of URLs that could be read in several ways.
    #[error("{path}: line {line}: {reason}", path = .path.display())]
    Ambiguous {
        path: PathBuf,
        /// The first line of the kind, from 1.
        line: u32,
        /// What is not clear, and what would make it so.
        reason: String,
    },
    /// A list of which no line could be understood.
    #[error("{path}: no {what} found; line {line}: {reason}", path = .path.display())]
    NoLine {
        path: PathBuf,
        /// What was looked for, in the singular.
        what: &'static str,
        /// The first line, from 1.
        line: u32,
        reason: String,
    },
}

impl CorpusError {
    /// A list in which no `what` can be found, since it is no text in lines.
    pub(crate) fn no_text(path: &Path, what: &'static str, why: NoText) -> Self {
        Self::NoLine { path: path.to_owned(), what, line: why.line, reason: why.fault.to_string() }
    }
}
