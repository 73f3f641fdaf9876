//! A1: the six words that a document uses most are its signature; documents with the same six match.
//!
//! Only content words count. A local method: nothing but the document itself is asked. Cost, source, ties and the
//! shortest document with a sketch: `top_words`. Published on half a million pages: recall 0.60, precision 0.94.

use super::method::{self, Method};
use super::parameters::{MethodError, Parameter, Values};
use super::statistics::{Frequency, Statistics};
use super::top_words::{self, TopWords, Weight, Whole};

/// TF as offered to the user.
#[derive(Debug)]
pub struct Entry;

impl method::Entry for Entry {
    fn name(&self) -> &'static str {
        "tf"
    }

    fn about(&self) -> &'static str {
        "the 6 most frequent content words are the signature (A1 of Zelenkov and Segalovich 2007)"
    }

    fn parameters(&self) -> &'static [Parameter] {
        top_words::PARAMETERS
    }

    fn distance(&self) -> &'static str {
        top_words::DISTANCE
    }

    fn fit(&self, values: &Values, _: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(TopWords::new(values, None, Tf)))
    }
}

/// How often a word occurs.
#[derive(Debug)]
struct Tf;

impl Weight for Tf {
    #[inline]
    fn of(&self, tf: u32, _: Frequency, _: &Whole) -> f64 {
        f64::from(tf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::top_words::naive;

    #[test]
    fn equals_the_definition() {
        naive::check(&Entry, |facts| facts.tf);
    }
}
