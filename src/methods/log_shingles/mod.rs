//! A sample of the shingles that grows with the logarithm of the page: pages with the same sample match (A8 of Zelenkov
//! and Segalovich, RCDL 2007: recall 0.39, precision 0.97).
//!
//! The shingles are all runs of `shingle` content words, the end of the page wrapping to its start, so there are as many as words.
//! For i = 0, 1, 2, … the smallest fingerprint divisible by 2^i is taken, up to the first i with none; the sketch is one
//! word, the n-gram hash of that sequence. A fingerprint often serves several powers: about log2(words) / 2 shingles
//! carry the signature, wherever they are, so a short page in a large template can match by the template alone. Cost:
//! one pass over the n-grams, about five operations each.
//!
//! Ours: the paper says only "divisible by powers of 2". A fingerprint of zero is divisible by 2^0 to 2^63. A page with
//! fewer words than a shingle has no sketch.

mod explain;
mod sample;
#[cfg(test)]
mod tests;

use super::algorithm::{self, Algorithm, Collection};
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::{LONGEST, Prepared};
use super::words::WordsSeen;
use dejaview_base::hash::Roll;
use sample::LogShingles;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    shingle: usize,
    words: WordsSeen,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "log-shingles";
    const ABOUT: &'static str = "the smallest shingles divisible by 1, 2, 4, 8, … as one signature; equal ones match (Zelenkov and Segalovich 2007, A8)";
    const DISTANCE: &'static str = "always 0: signatures are equal or not";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: declaration.whole(
                "shingle",
                5,
                1..=LONGEST,
                "words of a shingle; longer ones find fewer and truer pairs",
            ),
            words: WordsSeen::declare(declaration, WordsSeen::Content),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(self.words.restrict(LogShingles { shingle: self.shingle }))
    }
}

impl Method for LogShingles {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let sequence = self.sequence(document);
        let signature = Roll::new(&sequence, sequence.len()).next();
        out.extend(signature);
        signature.is_some()
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        (a == b).then_some(Evidence { distance: 0 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        explain::reasons(self, source, target)
    }
}
