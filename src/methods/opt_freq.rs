//! A10: the six words nearest to an optimal rarity are a document's signature; documents with the same six match.
//!
//! The weight is (0.5+0.5·tf/tf_max)·IDFopt. With IDF = −ln(df/N) and 11.5 as the optimum, ten documents of a million,
//! IDFopt is √(IDF/11.5) for more common words and 11.5/IDF for rarer ones. `tf_max` is taken over content words. In a
//! collection of fewer than 99,000 documents no word is rarer than the optimum. Cost, source, ties, unknown words and
//! the shortest document with a sketch: `top_words`. Published on half a million pages: recall 0.59, precision
//! 0.94. The weight is by M. Maslov.

use super::algorithm::{self, Algorithm, Collection};
use super::method::Method;
use super::parameters::{Declaration, MethodError};
use super::statistics::Frequency;
use super::top_words::{self, DocumentFacts, TopWords, Weight};

/// The idf of the best words.
const OPTIMUM: f64 = 11.5;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters(top_words::Parameters);

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "opt-freq";
    const ABOUT: &'static str =
        "the 6 content words nearest to an optimal rarity are the signature (A10 of Zelenkov and Segalovich 2007)";
    const DISTANCE: &'static str = top_words::DISTANCE;
    const FITTED: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self(top_words::Parameters::declare(declaration))
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let statistics = collection.statistics;
        let weight = OptFreq::new(statistics.documents() as f64);
        Ok(Box::new(TopWords::new(self.0, Some(statistics), weight)))
    }
}

/// Nearness to the optimal idf, weighed by how often the word occurs.
#[derive(Debug)]
struct OptFreq {
    documents: f64,
    /// The most that nearness can be: rarer than in one document no word is.
    nearest: f64,
}

impl OptFreq {
    fn new(documents: f64) -> Self {
        let rarest = idf(documents, 1.0);
        Self { documents, nearest: if rarest < OPTIMUM { nearness(rarest) } else { 1.0 } }
    }
}

fn idf(documents: f64, df: f64) -> f64 {
    (documents / df).ln().max(0.0)
}

/// 1 at the optimum, less on both sides.
fn nearness(idf: f64) -> f64 {
    if idf < OPTIMUM { (idf / OPTIMUM).sqrt() } else { OPTIMUM / idf }
}

impl Weight for OptFreq {
    #[inline]
    fn weight(&self, tf: u32, frequency: Frequency, facts: &DocumentFacts) -> f64 {
        facts.lifted(tf) * nearness(idf(self.documents, f64::from(frequency.documents)))
    }

    #[inline]
    fn at_most(&self, tf: u32, _: Frequency, facts: &DocumentFacts) -> f64 {
        facts.lifted(tf) * self.nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::top_words::naive;

    #[test]
    fn equals_the_definition() {
        naive::check(&ALGORITHM, |facts| {
            let idf = -(facts.df / facts.n).ln();
            let nearness = if idf < 11.5 { (idf / 11.5).sqrt() } else { 11.5 / idf };
            (0.5 + 0.5 * facts.tf / facts.tf_max) * nearness
        });
    }

    #[test]
    fn weights_by_hand() {
        let weight = OptFreq::new(1_000_000.0);
        let facts = DocumentFacts { length: 50, most: 4 };
        let of = |tf, documents| weight.weight(tf, Frequency { documents, times: documents }, &facts);
        // Ten of a million: idf 11.512925, just above the optimum.
        assert!((of(4, 10) - 11.5 / 11.512_925_464_970_229).abs() < 1e-9);
        // A hundredth of all: idf 4.605170, under it.
        assert!((of(1, 10_000) - 0.625 * (4.605_170_185_988_092f64 / 11.5).sqrt()).abs() < 1e-9);
        // One of a million: idf 13.815511, lowered.
        assert!((of(2, 1) - 0.75 * 11.5 / 13.815_510_557_964_274).abs() < 1e-9);
        assert_eq!(of(4, 1_000_000), 0.0, "in every document");
        assert_eq!(OptFreq::new(1_000_000.0).nearest, 1.0);
        assert!((OptFreq::new(100.0).nearest - (4.605_170_185_988_092f64 / 11.5).sqrt()).abs() < 1e-9);
    }
}
