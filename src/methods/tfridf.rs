//! A3: the six words of highest residual idf are a document's signature; documents with the same six match.
//!
//! The weight is (0.5+0.5·tf/tf_max)·RIDF with RIDF = −ln(df/N) + ln(1−exp(−cf/N)): by how much fewer documents a word
//! is found in than if it were scattered by chance (Church and Gale 1995). Words spread evenly weigh less than nothing.
//! `tf_max` is taken over content words. Cost, source, ties, unknown words and the shortest document with a sketch:
//! `top_words`. Published on half a million pages: recall 0.59, precision 0.95.

use super::algorithm::{self, Algorithm, Collection};
use super::method::Method;
use super::parameters::{Declaration, MethodError};
use super::statistics::Frequency;
use super::top_words::{self, DocumentFacts, TopWords, Weight};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters(top_words::Parameters);

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "tfridf";
    const ABOUT: &'static str =
        "the 6 content words of highest residual idf are the signature (A3 of Zelenkov and Segalovich 2007)";
    const DISTANCE: &'static str = top_words::DISTANCE;
    const FITTED: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self(top_words::Parameters::declare(declaration))
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let statistics = collection.statistics;
        let weight = TfRidf { documents: statistics.documents() as f64 };
        Ok(Box::new(TopWords::new(self.0, Some(statistics), weight)))
    }
}

/// Residual idf, weighed by how often the word occurs.
#[derive(Debug)]
struct TfRidf {
    documents: f64,
}

impl Weight for TfRidf {
    #[inline]
    fn weight(&self, tf: u32, frequency: Frequency, facts: &DocumentFacts) -> f64 {
        let [df, cf] = [frequency.documents, frequency.times].map(f64::from);
        // 1 − exp(−x) without the loss of digits where x is small.
        let expected = -(-cf / self.documents).exp_m1();
        // −ln(df/N) + ln(expected), as one logarithm.
        facts.lifted(tf) * (expected * self.documents / df).ln()
    }

    #[inline]
    fn at_most(&self, tf: u32, frequency: Frequency, facts: &DocumentFacts) -> f64 {
        // 1 − exp(−x) ≤ x and ln y ≤ y − 1: RIDF ≤ ln(cf/df) ≤ cf/df − 1.
        facts.lifted(tf) * (f64::from(frequency.times) / f64::from(frequency.documents) - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::top_words::naive;

    #[test]
    fn equals_the_definition() {
        naive::check(&ALGORITHM, |facts| {
            let naive::Facts { tf, tf_max, df, cf, n, .. } = facts;
            (0.5 + 0.5 * tf / tf_max) * (-(df / n).ln() + (1.0 - (-cf / n).exp()).ln())
        });
    }

    #[test]
    fn weights_by_hand() {
        let weight = TfRidf { documents: 100.0 };
        let facts = DocumentFacts { length: 50, most: 4 };
        let of = |tf, documents, times| weight.weight(tf, Frequency { documents, times }, &facts);
        // 30 times in 3 documents: −ln 0.03 + ln(1 − e^−0.3) = 3.506558 − 1.350226.
        let gathered = -(0.03f64.ln()) + (1.0 - (-0.3f64).exp()).ln();
        assert!((gathered - 2.156_332_284_5).abs() < 1e-9, "{gathered}");
        assert!((of(4, 3, 30) - gathered).abs() < 1e-9);
        assert!((of(1, 3, 30) - 0.625 * gathered).abs() < 1e-9);
        // Once in each document: worse than chance.
        let scattered = (1.0 - (-1.0f64).exp()).ln();
        assert!((of(2, 100, 100) - 0.75 * scattered).abs() < 1e-9 && scattered < 0.0);
    }

    #[test]
    fn a_word_in_one_place_is_worth_about_nothing_however_large_the_collection() {
        let weight = TfRidf { documents: 1e9 };
        let facts = DocumentFacts { length: 1, most: 1 };
        let one = weight.weight(1, Frequency { documents: 1, times: 1 }, &facts);
        assert!((one + 0.5e-9).abs() < 1e-14, "{one}: −1/2N");
        assert!(weight.weight(1, Frequency { documents: u32::MAX, times: u32::MAX }, &facts).is_finite());
    }
}
