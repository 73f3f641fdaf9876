//! The shingles of a page that are its sample.

use std::ops::Range;

use crate::prepared::Prepared;
use dejaview_base::hash::Roll;

/// A configuration of the method.
#[derive(Debug)]
pub(super) struct LogShingles {
    pub(super) shingle: usize,
}

impl LogShingles {
    /// Fingerprints of the shingles that begin near the end and go on at the start.
    pub(super) fn wrapped(&self, document: &Prepared<'_>) -> Vec<u64> {
        let (tokens, n) = (document.tokens().hashes(), self.shingle);
        if tokens.len() < n {
            return Vec::new();
        }
        let seam = [&tokens[tokens.len() + 1 - n..], &tokens[..n - 1]].concat();
        Roll::new(&seam, n).collect()
    }

    /// The smallest fingerprints divisible by 2^0, 2^1, 2^2, …; empty when there is no shingle.
    pub(super) fn sequence(&self, document: &Prepared<'_>) -> Vec<u64> {
        let grams = document.grams(self.shingle);
        if grams.is_empty() {
            return Vec::new();
        }
        // The smallest with exactly z zeros at the end. The initial value is odd: it can stand for none, and be a
        // fingerprint, only at z = 0, which the sequence has anyway.
        let mut least = [u64::MAX; 64];
        for part in [grams, &self.wrapped(document)] {
            for &fingerprint in part {
                let zeros = (fingerprint.trailing_zeros() as usize).min(63);
                least[zeros] = least[zeros].min(fingerprint);
            }
        }
        let length = least.iter().rposition(|&f| f != u64::MAX).map_or(1, |last| last + 1);
        for i in (1..length).rev() {
            least[i - 1] = least[i - 1].min(least[i]);
        }
        least[..length].to_vec()
    }

    /// Numbers of the words at which a shingle begins.
    pub(super) fn starts(&self, document: &Prepared<'_>, fingerprint: u64) -> Vec<usize> {
        let all = self.fingerprints(document).into_iter().enumerate();
        all.filter(|(_, other)| *other == fingerprint).map(|(i, _)| i).collect()
    }

    /// All shingles, by the word at which they begin.
    pub(super) fn fingerprints(&self, document: &Prepared<'_>) -> Vec<u64> {
        [document.grams(self.shingle), &self.wrapped(document)].concat()
    }

    /// The slices of the text that the shingle beginning at word `i` covers: two when it wraps.
    pub(super) fn spans(&self, document: &Prepared<'_>, i: usize) -> Vec<Range<usize>> {
        let tokens = document.tokens();
        let (length, end) = (tokens.len(), i + self.shingle);
        if end <= length {
            return vec![document.gram_span(i, self.shingle)];
        }
        vec![document.gram_span(i, length - i), document.gram_span(0, end - length)]
    }
}
