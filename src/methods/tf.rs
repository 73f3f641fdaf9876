//! A1: the six words that a document uses most are its signature; documents with the same six match.
//!
//! Only content words count. A local method: nothing but the document itself is asked. Cost, source, ties and the
//! shortest document with a sketch: `top_words`. Published on half a million pages: recall 0.60, precision 0.94.

use super::algorithm::{self, Algorithm, Collection};
use super::method::Method;
use super::parameters::{Declaration, MethodError};
use super::statistics::Frequency;
use super::top_words::{self, DocumentFacts, TopWords, Weight};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters(top_words::Parameters);

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "tf";
    const ABOUT: &'static str =
        "the 6 most frequent content words are the signature (A1 of Zelenkov and Segalovich 2007)";
    const DISTANCE: &'static str = top_words::DISTANCE;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self(top_words::Parameters::declare(declaration))
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(TopWords::new(self.0, None, Tf)))
    }
}

/// How often a word occurs.
#[derive(Debug)]
struct Tf;

impl Weight for Tf {
    #[inline]
    fn weight(&self, tf: u32, _: Frequency, _: &DocumentFacts) -> f64 {
        f64::from(tf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::top_words::naive;

    #[test]
    fn equals_the_definition() {
        naive::check(&ALGORITHM, |facts| facts.tf);
    }
}
