//! What a pass over a segment found.

use crate::groups::Groups;
use crate::pairs::{FoundPair, PairFilter, Target};
use crate::source::Source;
use crate::{DocumentNumber, GroupNumber};
use dejaview_base::timing::Timings;

/// What a pass found.
#[derive(Debug, Default)]
pub struct Segment {
    /// Documents that may have a pair, by id.
    pub targets: Vec<Target>,
    /// Groups of them with the same text, by their first members.
    pub groups: Groups,
    /// Pairs of a group of the source and a group of the target, ascending.
    pub found: Vec<FoundPair<GroupNumber>>,
    /// For each configuration its pairs, as (number in `found`, distance), ascending.
    pub hits: Vec<Vec<(u32, u16)>>,
    /// Pairs of documents that were named, ascending.
    pub named: Vec<FoundPair<DocumentNumber>>,
    /// For each configuration those that were named for it, as (number in `named`, distance), ascending.
    pub named_hits: Vec<Vec<(u32, u16)>>,
    /// Documents that were named with themselves, which is no pair.
    pub itself: Vec<Box<str>>,
    /// Digest of each input file.
    pub digests: Vec<u128>,
    /// Hashes of the ids of the documents that count here, ascending: an id is one document, and one that another segment has,
    /// too, counts there.
    pub ids: Vec<u64>,
    /// Those left out because a document of another segment has their id.
    pub elsewhere: u64,
    /// Targets that are documents of the source, but for records that do not count because another segment has their id.
    pub both: Vec<DocumentNumber>,
    /// For each source document whether it stands in the target; empty when none was met here.
    pub in_target: Vec<bool>,
    /// Which document pairs count.
    pub filter: PairFilter,
    /// Where the time went, over all threads.
    pub timings: Timings,
}

impl Segment {
    /// Documents that count here.
    pub fn documents(&self) -> u64 {
        self.ids.len() as u64
    }

    /// Document pairs that a configuration found.
    pub fn pairs(&self, source: &Source, c: usize) -> u64 {
        let pairs = |pair: &FoundPair<GroupNumber>| {
            self.filter.pairs(source.groups.members(pair.source), self.groups.members(pair.target))
        };
        self.hits[c].iter().map(|(i, _)| pairs(&self.found[*i as usize])).sum()
    }

    /// For each of the targets whether it has a pair, or had one but for documents that stand on both sides.
    pub(super) fn paired(&self) -> Vec<bool> {
        let mut paired = vec![false; self.targets.len()];
        let named = self.named.iter().map(|pair| pair.target);
        self.groups.iter().flatten().copied().chain(named).for_each(|target| paired[target.index()] = true);
        paired
    }

    /// Shows each pair of groups with the numbers of each two documents that it stands for.
    pub fn each_pair(
        &self,
        source: &Source,
        mut visit: impl FnMut(DocumentNumber, DocumentNumber, &FoundPair<GroupNumber>),
    ) {
        for pair in &self.found {
            for &one in source.groups.members(pair.source) {
                let others = self.groups.members(pair.target).iter().filter(|other| self.filter.counts(one, **other));
                others.for_each(|other| visit(one, *other, pair));
            }
        }
    }
}
