//! Why the index could not be used, by the operation that failed.

use std::path::PathBuf;

use tantivy::TantivyError;

#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The folder or its files could not be read or created.
    #[error("{}: the index cannot be opened", path.display())]
    Open { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    /// Another process (or another writer of this one) is writing.
    #[error("{}: the index is being written by another run", path.display())]
    Busy { path: PathBuf },
    /// A document could not be added; the writer cannot be used any more.
    #[error("{id}: the text cannot be added to the index")]
    Add { id: String, source: Box<TantivyError> },
    /// What was added could not be made permanent.
    #[error("the index cannot be committed")]
    Commit(#[source] Box<TantivyError>),
    /// A document, a term or the results of a query could not be read.
    #[error("the index cannot be read")]
    Read(#[source] Box<TantivyError>),
}

impl IndexError {
    pub(super) fn open(path: &std::path::Path, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Open { path: path.to_owned(), source: Box::new(source) }
    }

    pub(super) fn read(source: impl Into<TantivyError>) -> Self {
        Self::Read(Box::new(source.into()))
    }

    pub(super) fn commit(source: TantivyError) -> Self {
        Self::Commit(Box::new(source))
    }
}
