//! Why the index could not be used, by the operation that failed.

use std::io;
use std::path::{Path, PathBuf};

use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};

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
    WriteWords {
        path: PathBuf,
        #[source]
        why: io::Error,
    },
    /// A term or the results of a query could not be read.
    #[error("the index of words cannot be read")]
    Read(#[source] io::Error),
}

impl IndexError {
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        |why| Self::Write { path: path.to_owned(), why }
    }

    pub(super) fn write_words(path: &Path) -> impl Fn(TantivyError) -> Self {
        |error| Self::WriteWords { path: path.to_owned(), why: refusal(&error) }
    }

    pub(super) fn read(error: impl Into<TantivyError>) -> Self {
        Self::Read(refusal(&error.into()))
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

/// What the system said, where the library has it; the library's own words otherwise.
fn refusal(error: &TantivyError) -> io::Error {
    match error {
        TantivyError::IoError(why)
        | TantivyError::OpenDirectoryError(
            OpenDirectoryError::IoError { io_error: why, .. } | OpenDirectoryError::FailedToCreateTempDir(why),
        )
        | TantivyError::OpenReadError(OpenReadError::IoError { io_error: why, .. })
        | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error: why, .. })
        | TantivyError::LockFailure(LockError::IoError(why), _) => match why.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(why.kind(), why.to_string()),
        },
        TantivyError::OpenDirectoryError(other) => io::Error::other(other.to_string()),
        TantivyError::OpenReadError(other) => io::Error::other(other.to_string()),
        TantivyError::OpenWriteError(other) => io::Error::other(other.to_string()),
        TantivyError::ErrorInThread(said) => io::Error::other(format!(
            "one of its threads could not go on, as where the disk is full or too many files are open (`ulimit -n`): {said}"
        )),
        other => io::Error::other(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_said_is_told_in_its_words() {
        let many = |code| OpenWriteError::wrap_io_error(io::Error::from_raw_os_error(code), PathBuf::from("x.idx"));
        let why = refusal(&many(24).into());
        assert_eq!((why.raw_os_error(), why.to_string()), (Some(24), "Too many open files (os error 24)".to_owned()));
        assert_eq!(refusal(&many(28).into()).kind(), io::ErrorKind::StorageFull);
        let busy = TantivyError::LockFailure(LockError::wrap_io_error(io::Error::other("no locks here")), None);
        assert_eq!(refusal(&busy).to_string(), "no locks here");
        let there = OpenWriteError::FileAlreadyExists("x.idx".into());
        assert_eq!(refusal(&there.clone().into()).to_string(), there.to_string());
    }
}
