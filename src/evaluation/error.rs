//! What can go wrong while drawing and keeping samples.

use std::io;
use std::path::PathBuf;

/// Something that was not done, and why.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    #[error("{doing} {path}: {why}", path = .path.display())]
    File { doing: &'static str, path: PathBuf, why: io::Error },
    /// A name that cannot be that of a file.
    #[error("the sample's name {name:?} must be made of letters, digits, + - _ and . (it names a file)")]
    Name { name: String },
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
    #[error("{path}: line {line}: {why}", path = .path.display())]
    Damaged {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        why: String,
    },
}
