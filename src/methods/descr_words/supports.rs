//! The support words, and which of them a document uses often.

use hashbrown::HashTable;

use super::choose::{SupportRule, SupportWord};
use super::frequency::{is_over, tf_max};
use crate::prepared::Prepared;
use dejaview_base::hash::{S, fmix64};

/// A configuration of descriptive words.
#[derive(Debug)]
pub(super) struct DescrWords {
    pub(super) supports: Supports,
    pub(super) rule: SupportRule,
}

/// The support words, looked up by hash.
#[derive(Debug)]
pub(super) struct Supports {
    words: HashTable<SupportWord>,
}

impl Supports {
    pub(super) fn new(supports: &[SupportWord]) -> Self {
        let mut words = HashTable::with_capacity(supports.len());
        for support in supports {
            words.insert_unique(support.hash, *support, |support| support.hash);
        }
        Self { words }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The threshold of a support word in hundredths; 0 for any other word.
    #[inline]
    pub(super) fn threshold(&self, hash: u64) -> u8 {
        self.words.find(hash, |support| support.hash == hash).map_or(0, |support| support.threshold)
    }
}

impl DescrWords {
    /// Hash of the set of support words over their thresholds; none when there are too few.
    pub(super) fn signature(&self, document: &Prepared<'_>) -> Option<u64> {
        if self.supports.is_empty() {
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
