//! Fingerprints of character substrings, after Manber's sif and Heintze's Koala: documents match when enough of the
//! fingerprints kept of each are the same.
//!
//! Every substring of `length` bytes of the preprocessed text ([`super::content_text`]) gets a Karp–Rabin fingerprint, a
//! polynomial modulo the prime 2^61 − 1, finalised so that all its bits count. Of those divisible by `modulus` (Manber)
//! the `keep` smallest (Heintze) are the sketch: at most that many words, ascending. Two documents match when the share
//! of common ones in the larger sketch is at least `agree`. The share of common substrings is what both papers measure;
//! for documents of about one size a sample of fixed size estimates it, and a short one inside a long one is not found.
//!
//! The smallest common fingerprint of two sketches that have a of s in common stands among the first s − a + 1 of each:
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
use dejaview_base::hash::{self, fmix64};
use dejaview_base::similarity::common;

mod explain;
#[cfg(test)]
mod tests;

/// Modulus of the polynomial, a prime.
const PRIME: u64 = (1 << 61) - 1;
/// What each byte is multiplied by when the next comes; fixed, so that sketches can be recomputed.
const BASE: u64 = hash::M % PRIME;
/// Fingerprints that a document must have.
const LEAST: usize = 8;

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

/// A configuration of substring fingerprints.
#[derive(Debug)]
pub struct Substrings {
    length: usize,
    modulus: u64,
    keep: usize,
    agree: f64,
    /// For each byte what is added when it leaves the window.
    leaving: [u64; 256],
}

impl Substrings {
    fn new(length: usize, modulus: u64, keep: usize, agree: f64) -> Self {
        let power = (0..length).fold(1, |power, _| times(power, BASE));
        let leaving = std::array::from_fn(|byte| (PRIME - times(byte as u64, power)) % PRIME);
        Self { length, modulus, keep, agree, leaving }
    }

    /// Calls `take` with the place and the fingerprint of every substring.
    #[inline]
    fn roll(&self, text: &[u8], mut take: impl FnMut(usize, u64)) {
        if text.len() < self.length {
            return;
        }
        let mut rest = text[..self.length].iter().fold(0, |rest, &byte| step(rest, u64::from(byte)));
        take(0, fmix64(rest));
        for (i, (&old, &new)) in text.iter().zip(&text[self.length..]).enumerate() {
            rest = step(rest, u64::from(new) + self.leaving[old as usize]);
            take(i + 1, fmix64(rest));
        }
    }

    /// The fingerprints kept of a preprocessed text, ascending.
    fn kept(&self, text: &[u8]) -> Vec<u64> {
        let substrings = (text.len() + 1).saturating_sub(self.length).max(1) as u64;
        // Fingerprints are spread evenly: unless substrings repeat, about twice as many as are wanted lie up to here.
        let limit = (u64::MAX / substrings).saturating_mul(2 * self.keep as u64 * self.modulus);
        let mut kept = self.up_to(limit, text);
        if kept.len() < self.keep && limit < u64::MAX {
            kept = self.up_to(u64::MAX, text);
        }
        kept.truncate(self.keep);
        kept
    }

    /// The different fingerprints up to a limit that the modulus admits, ascending.
    fn up_to(&self, limit: u64, text: &[u8]) -> Vec<u64> {
        let mut found = Vec::with_capacity(4 * self.keep);
        self.roll(text, |_, fingerprint| {
            if fingerprint <= limit && fingerprint.is_multiple_of(self.modulus) {
                found.push(fingerprint);
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// How many must be common when the larger sketch has so many. Never falls as it grows, which the keys rely on.
    fn needed(&self, size: usize) -> usize {
        // A share such as 0.1 of 30 must not become 4 by rounding.
        ((self.agree * size as f64 - 1e-9).ceil() as usize).max(1)
    }
}

/// The product modulo the prime.
fn times(a: u64, b: u64) -> u64 {
    reduced(u128::from(a) * u128::from(b))
}

/// One more byte at the end: `rest` times the base, and `add`.
#[inline]
fn step(rest: u64, add: u64) -> u64 {
    reduced(u128::from(rest) * u128::from(BASE) + u128::from(add))
}

/// A number below 2^123 modulo the prime: 2^61 is 1, so the high bits are added to the low ones.
#[inline]
fn reduced(number: u128) -> u64 {
    let sum = (number as u64 & PRIME) + (number >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
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
