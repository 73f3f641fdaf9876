//! How frequent a word is in a document, against the most frequent one.

use crate::prepared::Term;

/// How often the most frequent content word occurs; 0 without one.
pub(super) fn tf_max(terms: &[Term]) -> u32 {
    terms.iter().filter(|term| term.content).map(|term| term.tf).max().unwrap_or(0)
}

/// Whether a word that occurs `tf` times is over a threshold in hundredths.
#[inline]
pub(super) fn is_over(tf: u32, most: u32, threshold: u8) -> bool {
    100 * u64::from(tf) > u64::from(threshold) * u64::from(most)
}
