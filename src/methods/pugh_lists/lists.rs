//! The lists that a vocabulary is split into, and their fingerprints.

use crate::prepared::{Prepared, Term};
use dejaview_base::hash::{self, fmix64};

/// Most lists that a study may ask for.
pub(super) const MOST: usize = 64;

/// A configuration of Pugh's lists.
#[derive(Debug)]
pub(super) struct PughLists {
    pub(super) lists: usize,
    pub(super) minimum: usize,
}

impl PughLists {
    /// The list that a word falls into.
    pub(super) fn list_of(&self, term: &Term) -> usize {
        (fmix64(term.hash ^ hash::S) % self.lists as u64) as usize
    }

    /// One fingerprint a list; 0 where there are too few words.
    pub(super) fn fingerprints(&self, document: &Prepared<'_>) -> [u64; MOST] {
        let (mut sums, mut counts) = ([0u64; MOST], [0usize; MOST]);
        for term in document.terms().iter().filter(|term| term.content) {
            let list = self.list_of(term);
            sums[list] = sums[list].wrapping_add(fmix64(term.hash ^ hash::M));
            counts[list] += 1;
        }
        std::array::from_fn(|i| if counts[i] < self.minimum { 0 } else { fmix64(sums[i]).max(1) })
    }
}

/// Whether two fingerprints of one list agree; those that are not there do not.
pub(super) fn agree(a: u64, b: u64) -> bool {
    a == b && a != 0
}

/// The probability that at least one of the lists is left as it is when so many words are changed, each in a list of its
/// own chance.
pub(super) fn survival(lists: usize, changed: usize) -> f64 {
    // Probabilities of how many lists have been hit so far.
    let mut hit = vec![0.0; lists + 1];
    hit[0] = 1.0;
    for _ in 0..changed {
        for k in (1..=lists).rev() {
            hit[k] = (hit[k] * k as f64 + hit[k - 1] * (lists - k + 1) as f64) / lists as f64;
        }
        hit[0] = 0.0;
    }
    hit[..lists].iter().sum()
}
