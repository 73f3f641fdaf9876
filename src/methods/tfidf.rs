//! A2: the six words of highest weight by Okapi BM25 are a document's signature; documents with the same six match.
//!
//! The weight is tf/(2·(0.25+0.75·dl/dl_avg)+tf) · ln((N−df+0.5)/(df+0.5)), BM25 with k = 2 and b = 0.75. It is negative
//! for words in more than half of the documents, and these rank last. Lengths are counted in content words. Cost,
//! source, ties, unknown words and the shortest document with a sketch: `top_words`. Published on half a
//! million pages: recall 0.54, precision 0.96.

use super::algorithm::{self, Algorithm, Collection};
use super::method::Method;
use super::parameters::{Declaration, MethodError};
use super::statistics::{Frequency, Statistics};
use super::top_words::{self, DocumentFacts, TopWords, Weight};
use super::weights::{bm25, okapi_idf, saturation};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters(top_words::Parameters);

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "tfidf";
    const ABOUT: &'static str =
        "the 6 content words of highest BM25 weight are the signature (A2 of Zelenkov and Segalovich 2007)";
    const DISTANCE: &'static str = top_words::DISTANCE;
    const FITTED: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self(top_words::Parameters::declare(declaration))
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let statistics = collection.statistics;
        Ok(Box::new(TopWords::new(self.0, Some(statistics), TfIdf::new(statistics))))
    }
}

/// BM25 with k = 2 and b = 0.75.
#[derive(Debug)]
struct TfIdf {
    documents: u64,
    average_length: f64,
    /// That of a word in one document.
    highest_idf: f64,
}

impl TfIdf {
    fn new(statistics: &Statistics) -> Self {
        let documents = statistics.documents();
        Self { documents, average_length: statistics.average_length(), highest_idf: okapi_idf(documents, 1) }
    }
}

impl Weight for TfIdf {
    #[inline]
    fn weight(&self, tf: u32, frequency: Frequency, facts: &DocumentFacts) -> f64 {
        bm25(tf, facts.length, self.average_length, self.documents, frequency.documents)
    }

    #[inline]
    fn at_most(&self, tf: u32, _: Frequency, facts: &DocumentFacts) -> f64 {
        saturation(tf, facts.length, self.average_length) * self.highest_idf
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::statistics;
    use crate::top_words::naive;

    #[test]
    fn equals_the_definition() {
        naive::check(&ALGORITHM, |facts| {
            let naive::Facts { tf, dl, dl_avg, df, n, .. } = facts;
            let rarity = f64::ln((n - df + 0.5) / (df + 0.5));
            tf / (2.0 * (0.25 + 0.75 * dl / dl_avg) + tf) * rarity
        });
    }

    #[test]
    fn weights_by_hand() {
        // 4 documents with 2, 2, 3 and 1 content words: the mean length is 2.
        let collection = statistics(&["tide mill", "the tide gate", "tide harbour basin", "harbour"]);
        let weight = TfIdf::new(&collection);
        let facts = DocumentFacts { length: 5, most: 2 };
        let of = |tf, documents| weight.weight(tf, Frequency { documents, times: 9 }, &facts);
        // 2·(0.25 + 0.75·5/2) = 4.25.
        let tide = 2.0 / 6.25 * (1.5f64 / 3.5).ln();
        assert!((of(2, 3) - tide).abs() < 1e-9 && (tide + 0.271_135_315_4).abs() < 1e-9, "{tide}");
        let harbour = 1.0 / 5.25 * 1.0f64.ln();
        assert!((of(1, 2) - harbour).abs() < 1e-9 && harbour == 0.0);
        let mill = 1.0 / 5.25 * (3.5f64 / 1.5).ln();
        assert!((of(1, 1) - mill).abs() < 1e-9 && (mill - 0.161_390_068_7).abs() < 1e-9, "{mill}");
    }

    #[test]
    fn weights_are_finite_at_the_edges() {
        for pages in [&["harbour"][..], &["the of"], &["the of", "harbour"]] {
            let weight = TfIdf::new(&statistics(pages));
            let facts = DocumentFacts { length: 1, most: 1 };
            assert!(weight.weight(1, Frequency { documents: 1, times: 1 }, &facts).is_finite(), "{pages:?}");
        }
    }
}
