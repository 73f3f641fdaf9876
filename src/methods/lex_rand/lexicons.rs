//! The random parts of a lexicon, and the signatures of a document by each of them.

use crate::lexicon::{Lexicon, Selection, SetHash};
use crate::prepared::{Prepared, Term};
use dejaview_base::hash::widen;

/// Number of lexicons that one hash decides on.
pub(super) const LEXICONS_PER_HASH: usize = 4;

/// The lowest of the 16 bits of a hash that each of these lexicons has.
pub(super) const LOWEST_BITS: u64 = 0x0001_0001_0001_0001;

/// The highest of these bits, which is free because a draw has 15 bits.
pub(super) const HIGHEST_BITS: u64 = LOWEST_BITS << 15;

/// A configuration of the randomised lexicon.
#[derive(Debug)]
pub(super) struct LexRand {
    pub(super) lexicon: Lexicon,
    /// K.
    pub(super) lexicons: usize,
    pub(super) drop: f64,
    /// `drop` in units of 2⁻¹⁵.
    pub(super) cut: u64,
    pub(super) salt: u64,
}

impl LexRand {
    /// Which of the lexicons `4j + 1` to `4j + 4` keep a word of L, the first as the lowest bit.
    #[inline]
    pub(super) fn keeping_lexicons(&self, word: u64, j: usize) -> usize {
        let draws = widen(word ^ self.salt, j as u64 + 1) & (HIGHEST_BITS - LOWEST_BITS);
        // The highest bit of each 16 is set from the cut on; the multiplication then brings the four together.
        let reached = (draws + (HIGHEST_BITS - self.cut * LOWEST_BITS)) & HIGHEST_BITS;
        ((reached >> 15).wrapping_mul(0x0001_0002_0004_0008) >> 48) as usize
    }

    /// Whether lexicon `k` keeps a word of L; lexicon 0 is L itself.
    pub(super) fn keeps(&self, k: usize, word: u64) -> bool {
        k.checked_sub(1)
            .is_none_or(|k| self.keeping_lexicons(word, k / LEXICONS_PER_HASH) >> (k % LEXICONS_PER_HASH) & 1 == 1)
    }

    /// The words of L, hashed as a set under each lexicon.
    pub(super) fn sets(&self, within: &[&Term]) -> Vec<SetHash> {
        let mut sets = vec![SetHash::default(); self.lexicons + 1];
        sets[0].extend(within.iter().map(|term| term.hash));
        for (j, four) in sets[1..].chunks_mut(LEXICONS_PER_HASH).enumerate() {
            // Words that the same of the four keep are summed first: one addition a word, whatever is left out.
            let mut alike = [SetHash::default(); 1 << LEXICONS_PER_HASH];
            for term in within {
                alike[self.keeping_lexicons(term.hash, j)].add(term.hash);
            }
            for (i, set) in four.iter_mut().enumerate() {
                let kept = (0..).zip(&alike).filter(|(who, _): &(usize, _)| who >> i & 1 == 1);
                kept.for_each(|(_, words)| set.join(words));
            }
        }
        sets
    }

    /// The signatures as set hashes; 0 where there are too few words.
    pub(super) fn set_hashes(&self, document: &Prepared<'_>, selection: &Selection<'_>) -> Vec<u64> {
        let (mut sets, needed) = (self.sets(&selection.within), selection.needed as u64);
        if sets.iter().any(|set| set.words < needed) {
            let rarer = self.lexicon.rarer(document);
            for set in &mut sets {
                let missing = needed.saturating_sub(set.words) as usize;
                set.extend(rarer.iter().take(missing).map(|term| term.hash));
            }
        }
        sets.into_iter().map(|set| if set.words < needed { 0 } else { set.finish() }).collect()
    }

    /// The signatures by the hash of the configuration, from the words of each part.
    pub(super) fn digests(&self, document: &Prepared<'_>, selection: &Selection<'_>) -> Vec<u64> {
        let rarer = self.lexicon.rarer(document);
        let chosen = |k| selection.chosen(&rarer, |word| self.keeps(k, word));
        let part = |k| chosen(k).map_or(0, |words| self.lexicon.signature(document, &words));
        (0..=self.lexicons).map(part).collect()
    }
}
