//! All similarities of a pair at once.

use serde::Serialize;

use super::counts::{Counts, InMemory};
use super::{Common, Profile};
use crate::Side;

/// Every similarity of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scores {
    /// Jaccard of the sets of words.
    pub jaccard_1: f64,
    /// Jaccard of the sets of word 2-grams.
    pub jaccard_2: f64,
    /// Jaccard of the sets of word 3-grams.
    pub jaccard_3: f64,
    /// Jaccard of the sets of word 5-grams.
    pub jaccard_5: f64,
    /// Jaccard of the sets of word 8-grams.
    pub jaccard_8: f64,
    /// Share of the source's words that are in the target.
    pub containment_source: f64,
    /// Share of the target's words that are in the source.
    pub containment_target: f64,
    /// Cosine of the vectors of word counts.
    pub cosine: f64,
    /// Cosine of the sets of words.
    pub cosine_binary: f64,
    /// Dice of the sets of word 8-grams.
    pub dice_8: f64,
    /// Dice of the sets of 8-grams of the words between white space, case kept.
    pub s3: f64,
    /// Words of the shorter by words of the longer.
    pub length_ratio: f64,
}

impl Scores {
    pub fn new(source: &Profile, target: &Profile, common: &Common) -> Self {
        let counts = InMemory { source, target, common };
        Self {
            jaccard_1: counts.jaccard(0),
            jaccard_2: counts.jaccard(1),
            jaccard_3: counts.jaccard(2),
            jaccard_5: counts.jaccard(3),
            jaccard_8: counts.jaccard(4),
            containment_source: counts.containment(Side::Source),
            containment_target: counts.containment(Side::Target),
            cosine: counts.cosine(),
            cosine_binary: counts.cosine_binary(),
            dice_8: counts.dice_8(),
            s3: counts.s3(),
            length_ratio: counts.length_ratio(),
        }
    }

    /// The Jaccard at one of [`LENGTHS`](super::LENGTHS); `None` at any other n.
    pub fn jaccard(&self, n: usize) -> Option<f64> {
        match n {
            1 => Some(self.jaccard_1),
            2 => Some(self.jaccard_2),
            3 => Some(self.jaccard_3),
            5 => Some(self.jaccard_5),
            8 => Some(self.jaccard_8),
            _ => None,
        }
    }
}
