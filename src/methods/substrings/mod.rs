//! Fingerprints of character substrings, after Manber's sif and Heintze's Koala: documents match when enough of the
//! fingerprints kept of each are the same.
//!
//! Every substring of `length` bytes of the preprocessed text ([`super::content_text`]) gets a Karp–Rabin fingerprint, a
//! polynomial modulo the prime 2^61 − 1, finalised so that all its bits count. Of those divisible by `modulus` (Manber)
//! the `keep` smallest (Heintze) are the sketch: at most that many words, ascending. Two documents match when the share
//! of common ones in the larger sketch is at least `agree`. The share of common substrings is what both papers measure;
//! for documents of about one size a sample of fixed size estimates it, and a short one inside a long one is not found.
//!
//! The smallest common fingerprint of two sketches that have a of s in common is among the first s − a + 1 of each:
//! these are the keys, and no match is lost.
//!
//! Ours: substrings of the preprocessed text, modulus 1 (Manber takes 256, which leaves a web page a handful), 64 kept
//! (Heintze stores 100) and half of them common; a document with fewer than 8 fingerprints has no sketch. Cost: about 25
//! operations a byte of the content words, and sorting twice as many fingerprints as are kept; a text of many
//! repetitions is gone through again. Sources: U. Manber, Finding similar files in a large file system, USENIX 1994; N. Heintze, Scalable
//! document fingerprinting, USENIX Electronic Commerce 1996.

use super::algorithm::{self, Algorithm, Collection};
use super::content_text::content_text;
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;
use dejaview_base::hash::fmix64;
use dejaview_base::similarity::common;
use fingerprints::{LEAST, Substrings};

mod explain;
mod fingerprints;
#[cfg(test)]
mod tests;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    length: usize,
    modulus: usize,
    keep: usize,
    agree: f64,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "substrings";
    const ABOUT: &'static str = "the smallest fingerprints of all 50-byte substrings; half of them common is a match (Manber 1994, Heintze 1996)";
    const DISTANCE: &'static str = "fingerprints of the larger sketch that are not common";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            length: declaration.whole(
                "length",
                50,
                8..=1000,
                "bytes of a substring; a changed word spoils this many fingerprints, so raising it finds fewer pairs",
            ),
            modulus: declaration.whole(
                "modulus",
                1,
                1..=65_536,
                "only fingerprints divisible by it are used; raising it thins them out and leaves out short documents",
            ),
            keep: declaration.whole(
                "keep",
                64,
                LEAST..=1024,
                "most fingerprints kept of a document, the smallest; raising it measures finer and takes more memory",
            ),
            agree: declaration.fraction(
                "agree",
                0.5,
                0.05..=1.0,
                "share of the larger sketch that must be common; raising it finds fewer and truer pairs",
            ),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(Substrings::new(self.length, self.modulus as u64, self.keep, self.agree)))
    }
}

impl Method for Substrings {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let kept = self.kept(&content_text(document));
        let enough = kept.len() >= LEAST;
        if enough {
            out.extend(kept);
        }
        enough
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        let first = &sketch[..sketch.len() + 1 - self.needed(sketch.len())];
        // The smallest fingerprints all begin with zeros.
        out.extend(first.iter().map(|&fingerprint| fmix64(fingerprint)));
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let (larger, common) = (a.len().max(b.len()), common(a, b));
        (common >= self.needed(larger)).then_some(Evidence { distance: (larger - common) as u16 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        explain::reasons(self, source, target)
    }
}
