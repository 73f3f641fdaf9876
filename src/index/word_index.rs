//! The index of words, opened to be asked.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{DocAddress, IndexReader, ReloadPolicy, Searcher, TantivyError};

use super::error::IndexError;
use super::layout::{self, Fields};
use super::seal::{Digests, Seal};
use super::words::WordTokenizer;

/// An index whose files agree with their seal.
pub(super) struct WordIndex {
    reader: IndexReader,
    pub(super) fields: Fields,
}

impl fmt::Debug for WordIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WordIndex").finish_non_exhaustive()
    }
}

impl WordIndex {
    /// Opens the index of the texts with these digests. Reads all its files once, to see that they are what was written.
    pub(super) fn open(folder: &Path, parts: &Digests) -> Result<Self, IndexError> {
        if Seal::read(folder)?.parts != *parts {
            let why = "their index is of other texts (a run makes it at its end)";
            return Err(IndexError::unsearchable(folder, why));
        }
        let open = || -> Result<Self, TantivyError> {
            let directory = Sealed(MmapDirectory::open(folder)?);
            let (index, fields) = open_or_create(directory)?;
            let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
            Ok(Self { reader, fields })
        };
        open().map_err(|why| IndexError::unsearchable(folder, why))
    }

    pub(super) fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    /// The key of a document that was found.
    pub(super) fn key(&self, searcher: &Searcher, address: DocAddress) -> Result<String, IndexError> {
        let segment = searcher.segment_reader(address.segment_ord);
        let mut key = String::new();
        if let Some(column) = segment.fast_fields().str("key").map_err(IndexError::read)?
            && let Some(ord) = column.term_ords(address.doc_id).next()
        {
            column.ord_to_str(ord, &mut key).map_err(IndexError::read)?;
        }
        Ok(key)
    }
}

/// The index in a directory, with our words.
pub(super) fn open_or_create(
    directory: impl Into<Box<dyn Directory>>,
) -> Result<(tantivy::Index, Fields), TantivyError> {
    let (fields, schema) = Fields::with_schema();
    let tokenizers = TokenizerManager::default();
    tokenizers.register(layout::WORDS, WordTokenizer::default());
    let builder = tantivy::Index::builder().schema(schema).settings(layout::settings()).tokenizers(tokenizers);
    Ok((builder.open_or_create(directory)?, fields))
}

/// The folder of an index that nobody changes any more. It is read without locks, for which tantivy would write files: who
/// may only read a study can search it, too.
#[derive(Debug, Clone)]
struct Sealed(MmapDirectory);

impl Directory for Sealed {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.0.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.0.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.0.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.0.sync_directory()
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(watch_callback)
    }
}
