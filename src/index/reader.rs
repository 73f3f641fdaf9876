//! How an index is opened, and a document read by its side and id.

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

use super::document::StoredDocument;
use super::error::IndexError;
use super::layout::{self, Fields};
use super::side::KeptSide;
use super::words::WordTokenizer;
use dejaview_base::both::BothSides;

/// Unpacked blocks of text that are cached for each of tantivy's segments. It is small because a block contains at least
/// one whole text, which may be large.
const CACHED_BLOCKS: usize = 8;

/// The kept texts of a study. It is cheap to clone and to share between threads. It sees what was committed when it was opened or refreshed, and
/// what its own writer commits.
#[derive(Clone)]
pub struct Index {
    pub(super) inner: tantivy::Index,
    pub(super) reader: IndexReader,
    pub(super) fields: Fields,
    pub(super) path: PathBuf,
    /// Documents of the target that are also kept for the source.
    second_copies: Vec<Term>,
    remade: bool,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Index {
    /// Opens the index in `dir`, or creates it. An index of another version or layout, or one that cannot be read, is replaced
    /// by an empty one, since a run can always fill it again; [`Index::was_remade`] tells.
    pub fn open(dir: &Path) -> Result<Self, IndexError> {
        let path = dir.to_owned();
        fs::create_dir_all(dir).map_err(|error| IndexError::open(dir, error))?;
        let present = dir.join("meta.json").exists();
        let opened = match open_parts(dir) {
            Err(error) if present && is_outdated(&error) => None,
            opened => Some(opened.map_err(|error| IndexError::open(dir, error))?),
        };
        let remade = opened.is_none();
        let (inner, reader, fields) = match opened {
            Some(parts) => parts,
            None => remake(dir)?,
        };
        Ok(Self { inner, reader, fields, path, second_copies: Vec::new(), remade })
    }

    /// The same index, but documents that are on both sides are listed and found once where both sides are asked for.
    pub fn with_shared_documents_once(mut self, both: &BothSides) -> Result<Self, IndexError> {
        for id in both.iter() {
            if self.contains(KeptSide::Source, id)? && self.contains(KeptSide::Target, id)? {
                self.second_copies.push(self.fields.document(KeptSide::Target, id));
            }
        }
        Ok(self)
    }

    /// Excludes second copies from a query where both sides are asked for.
    pub(super) fn without_second_copies(&self, query: Box<dyn Query>, side: Option<KeptSide>) -> Box<dyn Query> {
        if side.is_some() || self.second_copies.is_empty() {
            return query;
        }
        let copies: Box<dyn Query> = Box::new(TermSetQuery::new(self.second_copies.iter().cloned()));
        Box::new(BooleanQuery::new(vec![(Occur::Must, query), (Occur::MustNot, copies)]))
    }

    /// Whether opening replaced an unreadable or outdated index.
    pub fn was_remade(&self) -> bool {
        self.remade
    }

    /// Makes visible what another process has committed since.
    pub fn refresh(&self) -> Result<(), IndexError> {
        self.reader.reload().map_err(IndexError::read)
    }

    pub fn documents(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    pub fn document(&self, side: KeptSide, id: &str) -> Result<Option<StoredDocument>, IndexError> {
        let searcher = self.reader.searcher();
        match find_document(&searcher, &self.fields.document(side, id))? {
            Some(address) => self.stored(&searcher, address).map(Some),
            None => Ok(None),
        }
    }

    /// Whether there is such a document; its text is not read.
    pub fn contains(&self, side: KeptSide, id: &str) -> Result<bool, IndexError> {
        Ok(find_document(&self.reader.searcher(), &self.fields.document(side, id))?.is_some())
    }

    pub(super) fn stored(&self, searcher: &Searcher, address: DocAddress) -> Result<StoredDocument, IndexError> {
        let document: TantivyDocument = searcher.doc(address).map_err(IndexError::read)?;
        Ok(StoredDocument::from_tantivy(&self.fields, &document))
    }
}

/// The address of the one document with this term.
pub(super) fn find_document(searcher: &Searcher, term: &Term) -> Result<Option<DocAddress>, IndexError> {
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

/// What an open index consists of.
type Parts = (tantivy::Index, IndexReader, Fields);

fn open_parts(dir: &Path) -> Result<Parts, TantivyError> {
    let (fields, schema) = Fields::with_schema();
    let tokenizers = TokenizerManager::default();
    tokenizers.register(layout::WORDS, WordTokenizer::default());
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

/// Whether an error is about the index itself, so that replacing it helps, and not about access to it.
fn is_outdated(error: &TantivyError) -> bool {
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

/// Replaces an index by an empty one, while no writer uses it.
fn remake(dir: &Path) -> Result<Parts, IndexError> {
    let failed = |error: TantivyError| match error {
        TantivyError::LockFailure(LockError::LockBusy, _) => IndexError::Busy { path: dir.to_owned() },
        error => IndexError::open(dir, error),
    };
    let directory = MmapDirectory::open(dir).map_err(|error| failed(error.into()))?;
    let _lock = directory.acquire_lock(&INDEX_WRITER_LOCK).map_err(|error| failed(error.into()))?;
    remove_index_files(dir).map_err(|error| IndexError::open(dir, error))?;
    open_parts(dir).map_err(failed)
}

/// Removes tantivy's files by their names, and nothing else in the folder.
fn remove_index_files(dir: &Path) -> io::Result<()> {
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
