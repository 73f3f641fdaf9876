//! The votes of a document on the bits of its fingerprint.

use crate::bits::BitCounts;
use crate::family::Family;
use crate::layout::Layout;
use crate::prepared::Prepared;
use dejaview_base::hash::widen;

/// A configuration of SimHash.
#[derive(Debug)]
pub(super) struct SimHash {
    /// Ascending.
    pub(super) lengths: Vec<usize>,
    pub(super) layout: Layout,
    pub(super) hash: Family,
}

impl SimHash {
    /// Hashes of the n-grams of one length, in order.
    pub(super) fn grams(&self, document: &Prepared<'_>, n: usize) -> Vec<u64> {
        let mut grams = Vec::new();
        self.hash.shingles(document, n, &mut grams);
        grams
    }

    /// Votes on word `j` of the sketch.
    pub(super) fn votes(&self, document: &Prepared<'_>, j: u64) -> BitCounts {
        let mut votes = BitCounts::default();
        for &n in &self.lengths {
            if self.hash == Family::Fast && j == 0 {
                votes.add(document.counts(n));
            } else {
                let grams: Vec<u64> = self.grams(document, n).iter().map(|&g| widen(g, j)).collect();
                votes.add(&BitCounts::count_bits(&grams));
            }
        }
        votes
    }

    /// The bits of word `j` that belong to the sketch.
    pub(super) fn mask(&self, j: usize) -> u64 {
        let left = self.layout.bits() - 64 * j;
        if left >= 64 { !0 } else { !0 >> (64 - left) }
    }

    pub(super) fn has_sketch(&self, document: &Prepared<'_>) -> bool {
        self.lengths.first().is_some_and(|&shortest| document.tokens().len() >= shortest)
    }
}
