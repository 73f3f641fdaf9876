//! Indexes the words of the kept texts, in bounded memory, with one commit.
//!
//! The index is made from the files of texts, so it can always be made again. Texts wait in tantivy's queue for its own
//! threads; a [`Budget`] bounds their bytes.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use tantivy::IndexWriter;
use tantivy::TantivyError;
use tantivy::directory::MmapDirectory;
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};

use super::budget::Budget;
use super::error::IndexError;
use super::folder::words_folder;
use super::queued::QueuedDocument;
use super::seal::{Digests, Seal};
use super::side::KeptSide;
use super::texts_file::TextsFile;
use super::word_index::open_or_create;
use dejaview_base::hash;

/// Memory of one indexing thread before it writes what it has as one of tantivy's segments. With 32 MB the merges that
/// follow cost 60 % more processor time; from 64 MB on no difference was seen (290 MB of text, one thread, 2026-11-15).
pub const HEAP: usize = 200 << 20;
/// Bytes of text that may wait to be indexed; a single longer text may wait alone.
const WAITING: usize = 64 << 20;
/// Number of tantivy's segments of similar size that are merged into one.
const MERGED: usize = 8;

/// Makes the index of words in the folder one of the texts of these parts. What is indexed already stays, unless some of it is
/// no longer there; an index that is damaged is made again. Nobody else may do so at the same time. Stops when `cancelled`
/// says so; the index is then unfinished, and made again by the next call.
pub fn index_words<S: AsRef<str>>(
    folder: &Path,
    parts: &[S],
    threads: usize,
    cancelled: &dyn Fn() -> bool,
) -> Result<(), IndexError> {
    let words = words_folder(folder);
    let digest = |part: &S| Ok((part.as_ref().to_owned(), TextsFile::open(folder, part.as_ref())?.digest()));
    let parts = parts.iter().map(digest).collect::<Result<Digests, IndexError>>()?;
    let indexed = Seal::read(&words).map(|seal| seal.parts).unwrap_or_default();
    if indexed == parts {
        return Ok(());
    }
    let goes_on = !indexed.is_empty() && indexed.iter().all(|(part, digest)| parts.get(part) == Some(digest));
    clear(&words, goes_on).map_err(IndexError::write(&words))?;
    let mut sources = HashSet::new();
    let (done, left): (Vec<&String>, Vec<&String>) =
        parts.keys().partition(|part| goes_on && indexed.contains_key(*part));
    for part in done {
        TextsFile::open(folder, part)?.for_each_kept(|side, id| {
            if side == KeptSide::Source {
                sources.insert(hash::digest_bits(id.as_bytes()));
            }
        })?;
    }
    if add_parts(folder, &left, sources, threads, cancelled)? {
        Seal::write(&words, parts).map_err(IndexError::write(&words))?;
    }
    Ok(())
}

/// Makes the folder ready to be written to: without a seal, and empty unless the index goes on.
fn clear(folder: &Path, goes_on: bool) -> io::Result<()> {
    let gone = |done: io::Result<()>| match done {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
        _ => Ok(()),
    };
    gone(fs::remove_file(Seal::path(folder)))?;
    if !goes_on {
        gone(fs::remove_dir_all(folder))?;
    }
    fs::create_dir_all(folder)
}

/// Adds the texts of some parts and commits them; returns false when it was cancelled. A document of the source may be in
/// several parts; `sources` has the digests of the ids of those that are indexed.
fn add_parts(
    folder: &Path,
    parts: &[&String],
    mut sources: HashSet<u128>,
    threads: usize,
    cancelled: &dyn Fn() -> bool,
) -> Result<bool, IndexError> {
    let words = words_folder(folder);
    let failed = IndexError::write_words(&words);
    let open = || -> Result<_, TantivyError> {
        let (index, fields) = open_or_create(MmapDirectory::open(&words)?)?;
        let options = IndexWriterOptions::builder()
            .num_worker_threads(threads.max(1))
            .memory_budget_per_thread(HEAP)
            .num_merge_threads(1)
            .build();
        let writer: IndexWriter<QueuedDocument> = index.writer_with_options(options)?;
        let mut policy = LogMergePolicy::default();
        policy.set_min_num_segments(MERGED);
        writer.set_merge_policy(Box::new(policy));
        Ok((writer, fields))
    };
    let (mut writer, fields) = open().map_err(&failed)?;
    let budget = Arc::new(Budget::new(WAITING));
    for part in parts {
        TextsFile::open(folder, part)?.for_each_text(
            |side, id| side == KeptSide::Target || sources.insert(hash::digest_bits(id.as_bytes())),
            |document| {
                writer.add_document(QueuedDocument::new(document, fields, &budget)).map_err(&failed)?;
                Ok(!cancelled())
            },
        )?;
    }
    if cancelled() {
        return Ok(false);
    }
    writer.commit().map_err(&failed)?;
    writer.wait_merging_threads().map_err(&failed)?;
    Ok(true)
}
