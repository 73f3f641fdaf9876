//! Adds documents to the index, from several threads, in bounded memory.
//!
//! Documents wait in tantivy's queue for its own threads to index them. A [`Budget`] bounds the bytes that wait, so that a
//! slow disk slows the run down instead of filling the memory. Nothing is visible before [`Writer::commit`].

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use tantivy::directory::error::LockError;
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy, UserOperation};
use tantivy::{IndexReader, IndexWriter, TantivyError, Term};

use super::budget::{Budget, lock};
use super::document::KeptDocument;
use super::error::IndexError;
use super::layout::Fields;
use super::queued::QueuedDocument;
use super::reader::{Index, find_document};
use super::side::KeptSide;
use dejaview_base::hash;

/// Memory of one indexing thread before it writes what it has as one of tantivy's segments. With 32 MB the merges that
/// follow cost 60 % more processor time; from 64 MB on no difference was seen (290 MB of text, one thread, 2026-11-15).
pub const HEAP: usize = 200 << 20;
/// Bytes of text that may wait to be indexed; a single longer text may wait alone.
const WAITING: usize = 64 << 20;
/// Number of tantivy's segments of similar size that are merged into one.
const MERGED: usize = 8;

/// The one writer of an index. Dropping it without a commit leaves the index as it was at the last commit.
pub struct Writer {
    writer: IndexWriter<QueuedDocument>,
    reader: IndexReader,
    fields: Fields,
    budget: Arc<Budget>,
    /// Hashes of the keys added since the last commit. The lock also makes tantivy receive operations in the order in which it
    /// numbers them; otherwise a replaced document could survive.
    added: Mutex<HashSet<u64>>,
}

impl Index {
    /// The index's one writer, with `threads` threads (at least one) that index in the background.
    pub fn writer(&self, threads: usize) -> Result<Writer, IndexError> {
        let options = IndexWriterOptions::builder()
            .num_worker_threads(threads.max(1))
            .memory_budget_per_thread(HEAP)
            .num_merge_threads(1)
            .build();
        let writer = self.inner.writer_with_options(options).map_err(|error| match error {
            TantivyError::LockFailure(LockError::LockBusy, _) => IndexError::Busy { path: self.path.clone() },
            error => IndexError::open(&self.path, error),
        })?;
        let mut policy = LogMergePolicy::default();
        policy.set_min_num_segments(MERGED);
        writer.set_merge_policy(Box::new(policy));
        let budget = Arc::new(Budget::new(WAITING));
        Ok(Writer { writer, reader: self.reader.clone(), fields: self.fields, budget, added: Mutex::default() })
    }
}

impl Writer {
    /// Adds a document; one with the same side and id that is there already is replaced. Waits when the indexing
    /// threads are behind.
    pub fn add(&self, document: &KeptDocument<'_>) -> Result<(), IndexError> {
        let queued = QueuedDocument::new(document, self.fields, &self.budget);
        let term = Term::from_field_text(self.fields.key, queued.key());
        let hash = hash::token(queued.key().as_bytes());
        let committed = find_document(&self.reader.searcher(), &term)?.is_some();
        let mut added = lock(&self.added);
        let replaces = !added.insert(hash) || committed;
        let done = if replaces {
            self.writer.run([UserOperation::Delete(term), UserOperation::Add(queued)])
        } else {
            self.writer.add_document(queued)
        };
        done.map(drop).map_err(|source| IndexError::Add { id: document.id.to_owned(), source: Box::new(source) })
    }

    /// Removes everything of a segment (for the source, `segment` is empty) that was added before; done before a segment is
    /// run again. Takes effect with the next commit.
    pub fn remove_segment(&self, side: KeptSide, segment: &str) {
        let _order = lock(&self.added);
        self.writer.delete_term(self.fields.segment(side, segment));
    }

    /// Makes everything so far permanent, and visible to the [`Index`] of this writer.
    pub fn commit(&mut self) -> Result<(), IndexError> {
        self.writer.commit().map_err(IndexError::commit)?;
        self.reader.reload().map_err(IndexError::commit)?;
        lock(&self.added).clear();
        Ok(())
    }

    /// Ends writing after waiting for running merges. What was not committed is lost.
    pub fn finish(self) -> Result<(), IndexError> {
        let Self { writer, reader, .. } = self;
        writer.wait_merging_threads().map_err(IndexError::commit)?;
        reader.reload().map_err(IndexError::commit)
    }
}
