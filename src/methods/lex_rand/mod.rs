//! I-Match with a randomised lexicon (Kołcz, Chowdhury and Alspector, KDD 2004; A7 of the Yandex comparison): besides
//! the signature under the lexicon L one under each of K lexicons that leave out some of its words. Documents match
//! when one of the K + 1 agrees: words that differ are no harm to a lexicon that leaves them all out.
//!
//! *Lexicons.* The paper draws bootstrap samples of L that keep each word at most once, says that they share about 67 %
//! of L, and reckons with p = 0.33 left out. Here a word is left out of lexicon k with the chance `drop`, decided by a
//! hash of the word, k and `seed` **(ours)**: no table is stored, and lexicon k is the same whatever K is. To a
//! resolution of 2⁻¹⁵: bits 16i to 16i + 14 of widen(t ^ fmix64(seed + S), j + 1), where t is the token's hash and
//! k − 1 = 4j + i, must be at least `drop`·2¹⁵ ([`dejaview_base::hash`]).
//!
//! *Parts.* Each is an I-Match signature of its own: under `minimum` words, or the `share`, it is filled up from the
//! secondary lexicon, which is never thinned since the paper makes copies of L alone; where that does not suffice it is
//! rejected: stored as 0, which agrees with nothing. Part 0 has the most words, so a document without it has no sketch.
//! For the words of a part, and its hash, see `lexicon`. Parts agree only at the same place.
//!
//! Cost: about 25 instructions for each different word of L and each four lexicons, and some hundred for a document.
//! Sketch: K + 1 words.

mod explain;
mod lexicons;
#[cfg(test)]
mod paper;
#[cfg(test)]
mod tests;

use super::algorithm::{self, Algorithm, Collection, Values};
use super::lexicon::{self, FEWEST, Hash, Lexicon};
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::{Prepared, Term};
use super::statistics::Statistics;
use dejaview_base::hash::{S, fmix64, widen};
use lexicons::LexRand;

/// Most further lexicons: all parts have their bit in 128.
const MOST: usize = 100;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    lexicon: lexicon::Parameters,
    lexicons: usize,
    drop: f64,
    seed: usize,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "lex-rand";
    const ABOUT: &'static str =
        "I-Match under a lexicon and random parts of it; one equal signature is enough (Kołcz et al. 2004)";
    const DISTANCE: &'static str = "signatures that differ, of 1 + `lexicons`";
    const FITTED: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            lexicon: lexicon::Parameters::declare(declaration),
            lexicons: declaration.whole("lexicons", 10, 0..=MOST, "further lexicons, each with some words left out; more of them find more pairs, and cost as much each"),
            drop: declaration.fraction("drop", 0.33, 0.01..=0.99, "share of the words that a further lexicon leaves out; raising it lets documents match that differ in more words, and on fewer"),
            seed: declaration.whole("seed", 1, 0..=u32::MAX as usize, "which words are left out; another number draws other lexicons of the same kind"),
        }
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(LexRand {
            lexicon: Lexicon::new(&self.lexicon, collection.statistics),
            lexicons: self.lexicons,
            drop: self.drop,
            cut: (self.drop * f64::from(1 << 15)).round() as u64,
            salt: fmix64((self.seed as u64).wrapping_add(S)),
        }))
    }
}

/// The first lexicon under which two sketches have the same signature; 0 is the lexicon that the others are parts of. With
/// so many further lexicons the documents match, and with fewer they do not.
pub fn first_equal(a: &[u64], b: &[u64]) -> Option<usize> {
    a.iter().zip(b).position(|(x, y)| x == y && *x != 0)
}

/// The words of a document that are in the lexicon of these values: those that change its first signature when they go.
pub fn lexicon_words<'d>(values: &Values, statistics: &Statistics, document: &'d Prepared<'_>) -> Vec<&'d Term> {
    Lexicon::new(&values.read::<Parameters>().lexicon, statistics).selection(document).within
}

impl Method for LexRand {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let selection = self.lexicon.selection(document);
        if selection.unique < FEWEST {
            return false;
        }
        let parts = match self.lexicon.hash() {
            Hash::Fast => self.set_hashes(document, &selection),
            Hash::Sha1 => self.digests(document, &selection),
        };
        let whole = parts[0] != 0;
        if whole {
            out.extend(parts);
        }
        whole
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend((0..).zip(sketch).filter(|(_, part)| **part != 0).map(|(k, part)| widen(*part, k)));
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let agreed = first_equal(a, b).is_some();
        let distance = a.iter().zip(b).filter(|(x, y)| x != y).count() as u16;
        agreed.then_some(Evidence { distance })
    }

    /// A lexicon that has too little of the document gives no signature, which agrees with none.
    fn print(&self, sketch: &[u64]) -> String {
        let part = |part: &u64| if *part == 0 { "-".to_owned() } else { format!("{part:016x}") };
        sketch.iter().map(part).collect::<Vec<_>>().join(",")
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        explain::reasons(self, source, target)
    }
}
