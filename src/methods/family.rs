//! The hash functions for shingles that a configuration may choose from.
//!
//! A w-shingle is a run of w words; a document is the *set* of its shingles (Broder, On the resemblance and containment
//! of documents, 1997). `fast` rolls over the token hashes and costs least; the two kinds of Rabin fingerprint repeat
//! the set-up of the papers. All of them are well mixed in every bit.

use super::prepared::Prepared;
use super::rabin::{self, Fingerprint, Polynomial, Prime};

/// A family of shingle hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// The published n-gram hash of [`dejaview_base::hash`].
    Fast,
    /// Rabin fingerprints by the polynomial x^64 + x^4 + x^3 + x + 1.
    Rabin,
    /// Karp–Rabin fingerprints by the prime of seed 0.
    Prime,
}

impl Family {
    pub const ALL: [Self; 3] = [Self::Fast, Self::Rabin, Self::Prime];

    /// As `study.toml` writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Rabin => "rabin",
            Self::Prime => "prime",
        }
    }

    /// Upper bound of the probability that any two of so many different runs of at most `bits` bits have the same hash, over
    /// the draw of the divisor; none where there is no divisor.
    pub fn false_positives(self, things: u64, bits: u64) -> Option<f64> {
        match self {
            Self::Fast => None,
            Self::Rabin => Some(rabin::false_positives(things, bits, Polynomial::CHOICES)),
            Self::Prime => Some(rabin::false_positives(things, bits, Prime::CHOICES)),
        }
    }

    /// Appends the hash of each run of `w` words, at most 32, in order: one for each position, repeated ones included.
    pub fn shingles(&self, document: &Prepared<'_>, w: usize, out: &mut Vec<u64>) {
        match self {
            Self::Fast => out.extend_from_slice(document.grams(w)),
            Self::Rabin => Polynomial::standard().shingles(document, w, out),
            Self::Prime => Prime::standard().shingles(document, w, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use dejaview_text::Tokens;

    fn shingles(family: Family, text: &str, w: usize) -> Vec<u64> {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let mut out = Vec::new();
        family.shingles(&Prepared::new(text, &tokens), w, &mut out);
        out
    }

    fn distinct(family: Family, text: &str, w: usize) -> usize {
        shingles(family, text, w).into_iter().collect::<BTreeSet<_>>().len()
    }

    #[test]
    fn shingle_sets_of_the_papers() {
        for family in Family::ALL {
            assert_eq!(distinct(family, "a rose is a rose is a rose", 4), 3, "{family:?}");
            let spam = "spam spam spam lovely spam wonderful spam lovely spam";
            assert_eq!(distinct(family, spam, 2), 5, "{family:?}");
            assert_eq!(shingles(family, spam, 2).len(), 8, "{family:?}");
        }
    }

    #[test]
    fn words_decide_and_nothing_between_them() {
        for family in Family::ALL {
            let plain = shingles(family, "the same page stands again", 3);
            assert_eq!(shingles(family, "The  SAME, page\n-- stands again!", 3), plain, "{family:?}");
            assert_ne!(shingles(family, "the samep age stands again", 3), plain, "{family:?}");
            assert!(shingles(family, "two words", 3).is_empty(), "{family:?}");
            assert_eq!(shingles(family, "three words here", 3).len(), 1, "{family:?}");
        }
    }

    /// Each bit is set in half of the hashes; 4.5 standard errors are allowed to each of 64 bits.
    #[test]
    fn every_bit_is_mixed() {
        let text: String = (0..4000).map(|i| format!("w{i} ")).collect();
        for family in Family::ALL {
            let hashes = shingles(family, &text, 1);
            let counts = crate::bits::BitCounts::count_bits(&hashes);
            for bit in 0..64 {
                let far = counts.margin(bit).abs() as f64 / (hashes.len() as f64).sqrt();
                assert!(far < 4.5, "{family:?}, bit {bit}: {far} standard errors");
            }
        }
    }
}
