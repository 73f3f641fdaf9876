//! What can go wrong while drawing and keeping samples.

use std::io;
use std::path::PathBuf;

/// Something that was not done, and why.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    #[error("{doing} {path}: {why}", path = .path.display())]
    File {
        doing: &'static str,
        path: PathBuf,
        #[source]
        why: io::Error,
    },
    /// A name that cannot be that of a file.
    #[error(
        "the sample's name {name:?} must be made of letters, digits, + - _ and . and not begin with a dot (it names a file)"
    )]
    Name { name: String },
    /// A name that no command could be given.
    #[error(
        "the sample's name {name:?} begins with -, so commands would take it for an option; give another one with --name"
    )]
    LikeAnOption { name: String },
    /// A name that is another one where file systems ignore case.
    #[error(
        "the sample's name {name} differs from that of sample {other} in case alone, and some file systems have one file for \
         both; give another one with --name"
    )]
    SameButForCase { name: String, other: String },
    /// Another process has changed a sample that was to be replaced.
    #[error("{path} was changed by another process meanwhile, so nothing was written; try again", path = .path.display())]
    Changed { path: PathBuf },
    /// Another sample has this name; labels may refer to it.
    #[error(
        "{path} is another sample ({there}), and labels may rest on it, so it is not written over; choose another name with \
         --name, or make that one longer with --extend",
        path = .path.display()
    )]
    Exists {
        path: PathBuf,
        /// How that one was drawn, in words.
        there: String,
    },
    /// A file of a sample is not what it should be.
    #[error("{path}, line {line}: {why}; restore the file from a copy, from git for one", path = .path.display())]
    Damaged {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        why: String,
    },
}
