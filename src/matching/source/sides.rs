//! Which documents stand on both sides, and which pairs count then?
//!
//! A collection may be searched for its own documents, whole or in part. Then no document is its own pair, and two
//! documents that both stand on both sides are one pair and not two: the one whose source comes first by id.
//!
//! The same id with the same raw bytes is the same document, in the same file or in a copy of it. An id alone is no proof,
//! since URLs and titles serve as ids and live on while their pages change.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::OnceLock;

use super::SourceDocument;
use crate::reading::{Unlisted, Visitor, visit};
use crate::{DocumentNumber, MatchingError};
use dejaview_base::hash;
use dejaview_base::progress::Progress;
use dejaview_corpus::{Document, Input, SkipReason};

/// What makes a document of the target one of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Join {
    /// Its id and its raw bytes.
    #[default]
    ByContent,
    /// Its id: the study says that a collection is joined with itself.
    Itself,
    /// Nothing: the study says that the two sides are different collections.
    Apart,
}

impl Join {
    /// Number of the source document that a target document is; `documents` are in the order of their ids.
    pub fn same_source(
        self,
        documents: &[SourceDocument],
        id: &str,
        digest: impl FnOnce() -> u128,
    ) -> Option<DocumentNumber> {
        if self == Self::Apart {
            return None;
        }
        let number = documents.binary_search_by(|document| (*document.id).cmp(id)).ok()?;
        let same = self == Self::Itself || documents[number].digest == digest();
        same.then_some(DocumentNumber::at(number))
    }
}

/// Which documents two sides share, when both are in memory.
#[derive(Debug, Default)]
pub struct SharedDocuments {
    /// For each document of the first side, whether it is also in the second.
    pub in_target: Vec<bool>,
    /// For each document of the second side, its number in the first, if it is there.
    pub same_sources: Vec<Option<DocumentNumber>>,
}

impl SharedDocuments {
    /// Compares the documents of two sides, each sorted by id.
    pub fn new(join: Join, source: &[SourceDocument], target: &[SourceDocument]) -> Self {
        let same_sources: Vec<Option<DocumentNumber>> =
            target.iter().map(|t| join.same_source(source, &t.id, || t.digest)).collect();
        let mut in_target = vec![false; source.len()];
        same_sources.iter().flatten().for_each(|same_source| in_target[same_source.index()] = true);
        Self { in_target, same_sources }
    }
}

/// Whether a pair counts: `stands` says whether its source stands on both sides, `same_source` which source document its target
/// is. By numbers that go by id, or by the ids themselves.
pub fn pair_counts<T: Ord>(source: T, stands: bool, same_source: Option<T>) -> bool {
    same_source.is_none_or(|same_source| source != same_source && (source < same_source || !stands))
}

/// The files of both sides, and what is known of documents that stand on both.
#[derive(Debug, Default)]
pub struct Sides {
    join: Join,
    source: Vec<Input>,
    target: Vec<Input>,
    /// For each source document whether it stands in the target.
    in_target: OnceLock<Vec<bool>>,
}

impl Sides {
    /// Takes the files of the source and those of all segments.
    pub fn new(join: Join, source: &[Input], target: Vec<Input>) -> Self {
        Self { join, source: source.to_vec(), target, in_target: OnceLock::new() }
    }

    /// Number of the source document that a target document is.
    pub(crate) fn same_source(&self, documents: &[SourceDocument], document: &Document<'_>) -> Option<DocumentNumber> {
        self.join.same_source(documents, document.id, || hash::digest_bits(document.body))
    }

    /// For each source document whether it stands in the target, given those that `inputs`, some of its files, were `seen` to hold.
    /// Other files are read for it, but for those that stand on both sides, whose documents all do.
    pub(crate) fn in_target(
        &self,
        documents: &[SourceDocument],
        inputs: &[Input],
        seen: &[DocumentNumber],
        threads: usize,
        progress: &Progress,
    ) -> Result<Vec<bool>, MatchingError> {
        if self.target.len() <= inputs.len() {
            let mut in_target = vec![false; documents.len()];
            seen.iter().for_each(|number| in_target[number.index()] = true);
            return Ok(in_target);
        }
        if let Some(in_target) = self.in_target.get() {
            return Ok(in_target.clone());
        }
        let mut in_target = self.by_files(documents);
        if in_target.contains(&false) {
            let files = files(&self.source);
            let left: Vec<Input> = self.target.iter().filter(|input| !files.contains(&full(input))).cloned().collect();
            let reader = || Reader { sides: self, documents, seen: Vec::new() };
            for reader in visit(&left, threads, progress, &Unlisted, reader)?.visitors {
                reader.seen.into_iter().for_each(|number| in_target[number.index()] = true);
            }
            if progress.cancelled() {
                return Err(MatchingError::Cancelled);
            }
        }
        Ok(self.in_target.get_or_init(|| in_target).clone())
    }

    /// The documents whose file stands on both sides.
    fn by_files(&self, documents: &[SourceDocument]) -> Vec<bool> {
        let target = files(&self.target);
        let shared: Vec<bool> = self.source.iter().map(|input| target.contains(&full(input))).collect();
        documents.iter().map(|document| shared.get(document.file).copied().unwrap_or_default()).collect()
    }

    /// Whether a file stands on both sides.
    pub fn share_files(source: &[Input], mut target: impl Iterator<Item = Input>) -> bool {
        let files = files(source);
        target.any(|input| files.contains(&full(&input)))
    }
}

fn files(inputs: &[Input]) -> HashSet<PathBuf> {
    inputs.iter().map(full).collect()
}

/// The file itself, whatever way the study takes to it.
fn full(input: &Input) -> PathBuf {
    input.path.canonicalize().unwrap_or_else(|_| input.path.clone())
}

struct Reader<'a> {
    sides: &'a Sides,
    documents: &'a [SourceDocument],
    seen: Vec<DocumentNumber>,
}

impl Visitor for Reader<'_> {
    fn document(&mut self, _: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        self.seen.extend(self.sides.same_source(self.documents, document));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_of_a_collection_with_itself_counts_once() {
        let all = |stands: bool| {
            let pairs = (0..4u32).flat_map(|source| (0..4u32).map(move |target| (source, target)));
            pairs.filter(|&(source, target)| pair_counts(source, stands, Some(target))).count()
        };
        assert_eq!(all(true), 6, "4 · 3 / 2");
        assert_eq!(all(false), 12, "of sources that stand on one side alone all but themselves");
        assert!(pair_counts(3, true, None) && pair_counts(3, false, None), "a target that is no source");
    }
}
