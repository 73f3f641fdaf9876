//! The support words, and which of them a document uses often.

use super::choose::{Rule, Support};
use super::frequency::{is_over, tf_max};
use crate::prepared::Prepared;
use dejaview_base::hash::{S, fmix64};

/// A configuration of descriptive words.
#[derive(Debug)]
pub(super) struct DescrWords {
    pub(super) supports: Supports,
    pub(super) rule: Rule,
}

/// The support words, looked up by hash.
#[derive(Debug)]
pub(super) struct Supports {
    pub(super) count: usize,
    /// Hash of the word at the place that it asks for, or behind it; free where the threshold is 0.
    pub(super) hashes: Vec<u64>,
    /// In hundredths.
    pub(super) thresholds: Vec<u8>,
}

impl Supports {
    pub(super) fn new(supports: &[Support]) -> Self {
        let places = (2 * supports.len()).next_power_of_two();
        let mut table = Self { count: supports.len(), hashes: vec![0; places], thresholds: vec![0; places] };
        for support in supports {
            let at = table.place(support.hash);
            (table.hashes[at], table.thresholds[at]) = (support.hash, support.threshold);
        }
        table
    }

    /// Where the word stands, or the free place where it would.
    #[inline]
    pub(super) fn place(&self, hash: u64) -> usize {
        let mask = self.hashes.len() - 1;
        let mut at = hash as usize & mask;
        while self.thresholds[at] != 0 && self.hashes[at] != hash {
            at = (at + 1) & mask;
        }
        at
    }

    /// The threshold of a support word in hundredths; 0 for any other word.
    #[inline]
    pub(super) fn threshold(&self, hash: u64) -> u8 {
        self.thresholds[self.place(hash)]
    }
}

impl DescrWords {
    /// Hash of the set of support words over their thresholds; none when there are too few.
    pub(super) fn signature(&self, document: &Prepared<'_>) -> Option<u64> {
        if self.supports.count == 0 {
            return None;
        }
        let terms = document.terms();
        let most = tf_max(terms);
        let (mut sum, mut count) = (0u64, 0u64);
        for term in terms.iter().filter(|term| term.content) {
            let threshold = self.supports.threshold(term.hash);
            if threshold != 0 && is_over(term.tf, most, threshold) {
                sum = sum.wrapping_add(fmix64(term.hash));
                count += 1;
            }
        }
        (count >= self.rule.least_set as u64).then(|| fmix64(sum.wrapping_add(count.wrapping_mul(S))))
    }
}
