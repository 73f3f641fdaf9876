//! Opening an index, and reading one document by its name.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tantivy::directory::error::{LockError, OpenReadError};
use tantivy::directory::{Directory, INDEX_WRITER_LOCK, MmapDirectory};
use tantivy::query::{BooleanQuery, Occur, Query, TermSetQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::tokenizer::TokenizerManager;
use tantivy::{
    DocAddress, DocSet, IndexReader, ReloadPolicy, Searcher, TERMINATED, TantivyDocument, TantivyError, Term,
};

use super::document::Stored;
use super::error::IndexError;
use super::layout::{self, Fields};
use super::side::KeptSide;
use super::words::Words;
use dejaview_base::both::BothSides;

/// Unpacked blocks of text kept for the next reader, for each of tantivy's segments. A block holds at least one whole
/// text, which may be large.
const CACHED_BLOCKS: usize = 8;

/// The kept texts of a study. Cheap to clone and to share between threads; sees what was committed when it was opened, refreshed,
/// or committed through its own writer.
#[derive(Clone)]
pub struct Index {
    pub(super) inner: tantivy::Index,
    pub(super) reader: IndexReader,
    pub(super) fields: Fields,
    pub(super) path: PathBuf,
    /// Documents that are kept a second time, for the other side.
    again: Vec<Term>,
    remade: bool,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Index {
    /// Opens the index in `dir`, or makes it there. One of another version or layout, or one that cannot be read, is
    /// made anew and empty, since it can always be filled again by a run: [`Index::remade`] says so.
    pub fn open(dir: &Path) -> Result<Self, IndexError> {
        let path = dir.to_owned();
        fs::create_dir_all(dir).map_err(|error| IndexError::open(dir, error))?;
        let present = dir.join("meta.json").exists();
        let opened = match parts(dir) {
            Err(error) if present && outdated(&error) => None,
            opened => Some(opened.map_err(|error| IndexError::open(dir, error))?),
        };
        let remade = opened.is_none();
        let (inner, reader, fields) = match opened {
            Some(parts) => parts,
            None => remake(dir)?,
        };
        Ok(Self { inner, reader, fields, path, again: Vec::new(), remade })
    }

    /// The same index, which lists and finds a document that stands on both sides once where both are asked for.
    pub fn once(mut self, both: &BothSides) -> Result<Self, IndexError> {
        for id in both.iter() {
            if self.holds(KeptSide::Source, id)? && self.holds(KeptSide::Target, id)? {
                self.again.push(self.fields.document(KeptSide::Target, id));
            }
        }
        Ok(self)
    }

    /// A query without what is kept a second time, where both sides are asked for.
    pub(super) fn each_once(&self, query: Box<dyn Query>, side: Option<KeptSide>) -> Box<dyn Query> {
        if side.is_some() || self.again.is_empty() {
            return query;
        }
        let again: Box<dyn Query> = Box::new(TermSetQuery::new(self.again.iter().cloned()));
        Box::new(BooleanQuery::new(vec![(Occur::Must, query), (Occur::MustNot, again)]))
    }

    /// Whether opening threw an unreadable or outdated index away.
    pub fn remade(&self) -> bool {
        self.remade
    }

    /// Sees what another process has committed since.
    pub fn refresh(&self) -> Result<(), IndexError> {
        self.reader.reload().map_err(IndexError::read)
    }

    /// Number of documents kept.
    pub fn documents(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// The document of this name.
    pub fn document(&self, side: KeptSide, id: &str) -> Result<Option<Stored>, IndexError> {
        let searcher = self.reader.searcher();
        match find(&searcher, &self.fields.document(side, id))? {
            Some(address) => self.stored(&searcher, address).map(Some),
            None => Ok(None),
        }
    }

    /// Whether there is a document of this name; its text is not read.
    pub fn holds(&self, side: KeptSide, id: &str) -> Result<bool, IndexError> {
        Ok(find(&self.reader.searcher(), &self.fields.document(side, id))?.is_some())
    }

    pub(super) fn stored(&self, searcher: &Searcher, address: DocAddress) -> Result<Stored, IndexError> {
        let document: TantivyDocument = searcher.doc(address).map_err(IndexError::read)?;
        Ok(Stored::from_tantivy(&self.fields, &document))
    }
}

/// Where the one document with this term is.
pub(super) fn find(searcher: &Searcher, term: &Term) -> Result<Option<DocAddress>, IndexError> {
    for (ordinal, segment) in searcher.segment_readers().iter().enumerate() {
        let inverted = segment.inverted_index(term.field()).map_err(IndexError::read)?;
        let postings = inverted.read_postings(term, IndexRecordOption::Basic).map_err(IndexError::read)?;
        let Some(mut postings) = postings else { continue };
        while postings.doc() != TERMINATED {
            if !segment.is_deleted(postings.doc()) {
                return Ok(Some(DocAddress::new(ordinal as u32, postings.doc())));
            }
            postings.advance();
        }
    }
    Ok(None)
}

type Parts = (tantivy::Index, IndexReader, Fields);

fn parts(dir: &Path) -> Result<Parts, TantivyError> {
    let (fields, schema) = Fields::with_schema();
    let tokenizers = TokenizerManager::default();
    tokenizers.register(layout::WORDS, Words::default());
    let index = tantivy::Index::builder()
        .schema(schema)
        .settings(layout::settings())
        .tokenizers(tokenizers)
        .open_or_create(MmapDirectory::open(dir)?)?;
    let reader = index
        .reader_builder()
        .reload_policy(ReloadPolicy::Manual)
        .doc_store_cache_num_blocks(CACHED_BLOCKS)
        .try_into()?;
    Ok((index, reader, fields))
}

/// Whether the index itself is the trouble, and not the way to it.
fn outdated(error: &TantivyError) -> bool {
    matches!(
        error,
        TantivyError::SchemaError(_)
            | TantivyError::DataCorruption(_)
            | TantivyError::IncompatibleIndex(_)
            | TantivyError::MissingPlugin(_)
            | TantivyError::InternalError(_)
            | TantivyError::OpenReadError(OpenReadError::IncompatibleIndex(_) | OpenReadError::FileDoesNotExist(_))
    )
}

/// Removes the files of an index, while no writer has it, and makes an empty one.
fn remake(dir: &Path) -> Result<Parts, IndexError> {
    let failed = |error: TantivyError| match error {
        TantivyError::LockFailure(LockError::LockBusy, _) => IndexError::Busy { path: dir.to_owned() },
        error => IndexError::open(dir, error),
    };
    let directory = MmapDirectory::open(dir).map_err(|error| failed(error.into()))?;
    let _lock = directory.acquire_lock(&INDEX_WRITER_LOCK).map_err(|error| failed(error.into()))?;
    clear(dir).map_err(|error| IndexError::open(dir, error))?;
    parts(dir).map_err(failed)
}

/// Removes tantivy's files by their names, and nothing else that may lie in the folder.
fn clear(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let segment = stem.len() == 32 && stem.bytes().all(|byte| byte.is_ascii_hexdigit());
        if segment || name == "meta.json" || name == ".managed.json" {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}
