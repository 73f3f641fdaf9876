//! Why the index could not be used, by the operation that failed.

use std::io;
use std::path::{Path, PathBuf};

use tantivy::TantivyError;

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// A file of texts is missing, or is not what was written.
    #[error("{}: the kept texts cannot be read: {why}; `dejaview run` makes them again", path.display())]
    DamagedTexts { path: PathBuf, why: String },
    /// The text of one document is not what was written.
    #[error("the text of {id} is damaged: its checksum in {} is wrong; `dejaview run` makes it again", path.display())]
    DamagedText { id: String, path: PathBuf },
    /// The words of the texts are not indexed, or their index is not what was written.
    #[error("{}: the kept texts cannot be searched: {why}; `dejaview run` makes their index again", path.display())]
    Unsearchable { path: PathBuf, why: String },
    /// A file of texts could not be written.
    #[error("writing {}: {why}", path.display())]
    Write {
        path: PathBuf,
        #[source]
        why: io::Error,
    },
    /// The index of words could not be written.
    #[error("{}: the words of the kept texts cannot be indexed", path.display())]
    WriteWords { path: PathBuf, source: Box<TantivyError> },
    /// A term or the results of a query could not be read.
    #[error("the index of words cannot be read")]
    Read(#[source] Box<TantivyError>),
}

impl IndexError {
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        |why| Self::Write { path: path.to_owned(), why }
    }

    pub(super) fn write_words(path: &Path) -> impl Fn(TantivyError) -> Self {
        |source| Self::WriteWords { path: path.to_owned(), source: Box::new(source) }
    }

    pub(super) fn read(source: impl Into<TantivyError>) -> Self {
        Self::Read(Box::new(source.into()))
    }

    pub(super) fn damaged(path: &Path, why: impl ToString) -> Self {
        Self::DamagedTexts { path: path.to_owned(), why: why.to_string() }
    }

    /// What is wrong with a file of texts, without its path and what to do.
    pub(super) fn damage(self) -> String {
        match self {
            Self::DamagedTexts { why, .. } => why,
            Self::DamagedText { id, .. } => format!("the checksum of the text of {id} is wrong"),
            other => other.to_string(),
        }
    }

    pub(super) fn unsearchable(path: &Path, why: impl ToString) -> Self {
        Self::Unsearchable { path: path.to_owned(), why: why.to_string() }
    }
}
