//! One Rabin fingerprint of the whole text (Rabin 1981; Broder 1993): equal texts have equal fingerprints, always, and
//! different ones hardly ever: with a random divisor the probability that any two of |S| texts of n bits collide is at most
//! C(|S|, 2)·n/m, m the number of divisors to choose from.
//!
//! The text is its words in case folding, joined by one blank, so that markup and spacing do not count. Sketch: one word.
//! Documents with fewer than 2 words have no sketch.

use super::algorithm::{self, Algorithm, Collection};
use super::explanation::Explanation;
use super::family::Family;
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;

pub static ALGORITHM: Algorithm = Algorithm::of::<Fingerprint>();

impl algorithm::Parameters for Fingerprint {
    const NAME: &'static str = "fingerprint";
    const ABOUT: &'static str = "one Rabin fingerprint of all words: exact duplicates, none missed (Rabin 1981)";
    const DISTANCE: &'static str = "always 0: fingerprints are equal or not";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        let divisors = [("rabin", Family::Rabin), ("prime", Family::Prime)];
        let about = "the divisor: an irreducible polynomial over two elements, or a prime number";
        Self { family: declaration.choice("hash", Family::Rabin, &divisors, about) }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(self))
    }
}

/// A configuration of the method.
#[derive(Debug)]
pub struct Fingerprint {
    family: Family,
}

impl Method for Fingerprint {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let words = document.tokens().len();
        if words < 2 {
            return false;
        }
        self.family.shingles(document, words, out);
        true
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        (a == b).then_some(Evidence { distance: 0 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let [a, b] = [source, target].map(|document| document.tokens().hashes());
        if a.len().min(b.len()) < 2 {
            let claim = "a document has fewer than 2 words".to_owned();
            return Reasons { claim, ..Reasons::default() };
        }
        let Some(first) = (0..a.len().max(b.len())).find(|&i| a.get(i) != b.get(i)) else {
            let claim = format!("the same {} words", a.len());
            return Reasons { claim, value: Some(0.0), parts: self.bound(source, target), ..Reasons::default() };
        };
        let word = |document: &Prepared<'_>| match document.tokens().len() > first {
            true => format!("“{}”", &document.text()[document.tokens().span(first)]),
            false => "the end".to_owned(),
        };
        let claim = format!("word {} is {} in the source, {} in the target", first + 1, word(source), word(target));
        let decisive = if b.len() > first { vec![target.tokens().span(first)] } else { Vec::new() };
        Reasons { claim, value: Some(1.0), decisive, parts: self.bound(source, target), ..Reasons::default() }
    }
}

impl Fingerprint {
    /// How often two different texts as long as these would be taken for the same.
    fn bound(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<Explanation> {
        let bits = 8 * source.text().len().max(target.text().len()) as u64;
        let claim = |bound: f64| {
            format!(
                "two different texts of this length ({bits} bits) have the same fingerprint with a probability of at most \
                 {bound:.1e}, over the draw of the divisor"
            )
        };
        self.family.false_positives(2, bits).map(|bound| Explanation::new(claim(bound), bound)).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, verdict};
    use proptest::prelude::*;

    #[test]
    fn spacing_and_case_do_not_count() {
        for hash in ["rabin", "prime"] {
            let method = fitted(&ALGORITHM, &[("hash", Value::Word(hash.into()))], &[]);
            assert!(verdict(&*method, "The same  words, here", "the same words here!").is_some());
            assert_eq!(verdict(&*method, "the same words here", "the same words there"), None);
            assert_eq!(sketch(&*method, "one"), None);
        }
    }

    #[test]
    fn the_bound_of_false_positives_is_printed() {
        let method = fitted(&ALGORITHM, &[("hash", Value::Word("prime".into()))], &[]);
        let parts = crate::testing::reasons(&*method, "the same words here", "the same words there").parts;
        // 20 letters, 160 bits; 160 of 2.7·10^16 primes at most divide the difference.
        assert!(parts[0].claim.contains("160 bits") && parts[0].claim.contains("5.8e-15"), "{}", parts[0].claim);
    }

    proptest! {
        #[test]
        fn equal_words_and_only_they_match(a in proptest::collection::vec("[ab]{1,2}", 2..6), b in proptest::collection::vec("[ab]{1,2}", 2..6)) {
            for hash in ["rabin", "prime"] {
                let method = fitted(&ALGORITHM, &[("hash", Value::Word(hash.into()))], &[]);
                prop_assert_eq!(verdict(&*method, &a.join(" "), &b.join(" ")).is_some(), a == b);
            }
        }
    }
}
