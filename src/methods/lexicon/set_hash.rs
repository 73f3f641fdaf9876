//! A hash of a set of words, whatever their order.

use dejaview_base::hash::{S, fmix64};

/// Hash of a set of words, whatever their order: the sum of their hashes, each finalised, and their number.
///
/// Two different sets A and B agree only where the hashes of A∖B and of B∖A have the same sum. These are spread over 64
/// bits like random numbers, so the chance is 2⁻⁶⁴ for a pair of sets: that of any 64-bit hash of the sorted words, such
/// as the first 64 bits of SHA-1, without sorting and without the words. Unlike SHA-1 it does not withstand someone who
/// *looks for* two sets of one sum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SetHash {
    /// Sum of the finalised hashes.
    sum: u64,
    pub words: u64,
}

impl SetHash {
    /// Adds a word that is not in the set.
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.sum = self.sum.wrapping_add(fmix64(word));
        self.words += 1;
    }

    /// Adds a set that has no word in common with this one.
    pub fn join(&mut self, other: &Self) {
        self.sum = self.sum.wrapping_add(other.sum);
        self.words += other.words;
    }

    /// The hash, spread over 64 bits; never 0.
    pub fn finish(self) -> u64 {
        fmix64(self.sum.wrapping_add(self.words.wrapping_mul(S))).max(1)
    }
}

impl Extend<u64> for SetHash {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, words: I) {
        words.into_iter().for_each(|word| self.add(word));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn sets_hash_whatever_their_order() {
        let of = |words: &[u64]| {
            let mut set = SetHash::default();
            set.extend(words.iter().copied());
            set.finish()
        };
        assert_eq!(of(&[1, 2, 3]), of(&[3, 1, 2]));
        let different: BTreeSet<u64> =
            [&[][..], &[0], &[1], &[1, 2], &[1, 2, 3], &[1, 3], &[3]].into_iter().map(of).collect();
        assert_eq!(different.len(), 7);
        assert!(!different.contains(&0));
    }
}
