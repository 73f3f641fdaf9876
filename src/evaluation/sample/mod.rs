//! Samples: pairs drawn with known probability, in a fixed random order, to be labelled.
//!
//! Labels refer to samples, so they are kept like labels: `samples/<name>.jsonl`, one line with the design, then one line
//! for each pair in its order.

mod draw;
mod file;

pub use draw::{draw_simple, rank};
pub use file::Written;

use serde::{Deserialize, Serialize};

/// How pairs were chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Design {
    /// Simple random, without replacement: every set of `size` pairs is equally probable.
    Simple,
    /// A design of another version; its weights hold all the same.
    Other(String),
}

impl From<String> for Design {
    fn from(name: String) -> Self {
        if name == "simple" { Self::Simple } else { Self::Other(name) }
    }
}

impl From<Design> for String {
    fn from(design: Design) -> Self {
        match design {
            Design::Simple => "simple".to_owned(),
            Design::Other(name) => name,
        }
    }
}

/// A pair of a sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampledPair {
    /// Id of the source document.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    /// The part of the population it was drawn from; `all` when that is not divided.
    pub stratum: String,
    /// Pairs of the population that it stands for: 1 / `probability`.
    pub weight: f64,
    /// Probability with which it came into the sample.
    pub probability: f64,
}

/// A sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Its name, and that of its file.
    pub name: String,
    /// How pairs were chosen.
    pub design: Design,
    /// Seed of the choice.
    pub seed: u64,
    /// The configuration whose pairs it was drawn from.
    pub configuration: String,
    /// Pairs asked for.
    pub size: u64,
    /// Pairs there were to choose from.
    pub population: u64,
    /// The pairs, in the order in which they are labelled.
    pub pairs: Vec<SampledPair>,
}

impl Sample {
    /// The same sample under a name, of the pairs of a configuration.
    pub fn named(mut self, name: &str, configuration: &str) -> Self {
        (self.name, self.configuration) = (name.to_owned(), configuration.to_owned());
        self
    }

    /// Whether it is `shorter` with more pairs behind: then labels of the one count for the other.
    pub fn extends(&self, shorter: &Self) -> bool {
        let pair = |pair: &SampledPair| (pair.source.clone(), pair.target.clone());
        self.name == shorter.name
            && self.design == shorter.design
            && self.seed == shorter.seed
            && self.configuration == shorter.configuration
            && self.population == shorter.population
            && self.pairs.len() >= shorter.pairs.len()
            && self.pairs.iter().zip(&shorter.pairs).all(|(a, b)| pair(a) == pair(b))
    }
}
