//! What can go wrong before a document is seen.

use std::io;
use std::path::PathBuf;

/// A file that cannot be read at all. Faults inside a file are [`crate::Skip`]s instead.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The file is not there or may not be read.
    #[error("{path}: cannot be opened: {source}", path = .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The first bytes could be opened but not read, or not decompressed.
    #[error("{path}: cannot be read: {source}", path = .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system or the decompressor said.
        source: io::Error,
    },
    /// A known kind of file that dejaview does not read.
    #[error("{path}: this is {kind}; {advice}", path = .path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
        /// What the user can do.
        advice: &'static str,
    },
    /// A list of judgments, topics or URLs in which nothing could be understood.
    #[error("{path}: no {what} found", path = .path.display())]
    Nothing {
        /// The file.
        path: PathBuf,
        /// What was looked for.
        what: &'static str,
    },
    /// A list of URLs that could be read in several ways.
    #[error("{path}: line {line}: {reason}", path = .path.display())]
    Ambiguous {
        /// The file.
        path: PathBuf,
        /// The first line of the kind, from 1.
        line: u32,
        /// What is not clear, and what would make it so.
        reason: String,
    },
    /// A list none of whose lines could be understood.
    #[error("{path}: no {what} found; line {line}: {reason}", path = .path.display())]
    NoLine {
        /// The file.
        path: PathBuf,
        /// What was looked for, one of it.
        what: &'static str,
        /// The first line, from 1.
        line: u32,
        /// What is wrong with it.
        reason: String,
    },
}
