//! The exact similarities of two documents: Jaccard at five lengths, containment, cosine, Dice, S3, length ratio.
//!
//! What is kept of a document is its sequence of token hashes (8 bytes a word, twice: our words, and the words between
//! white space that S3 wants). A document that meets another becomes sorted sets of hashes ([`Sets`]), built once however
//! many it meets; two such sets are compared by one branchless merge. All numbers are counts; ratios are computed when
//! they are shown.

mod of_documents;
mod sequences;
mod sets;
mod sorter;
#[cfg(test)]
mod tests;

pub use sequences::Sequences;
pub use sets::Sets;
pub use sorter::{Sorter, sort_hashes};

use serde::Serialize;

use dejaview_base::similarity::{cosine, dice, jaccard, length_ratio, ratio};

/// The n of every Jaccard that is kept.
pub const LENGTHS: [usize; 5] = [1, 2, 3, 5, 8];

/// Sizes of a document's sets: all that a score needs beside the intersection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Profile {
    /// Words, repeated ones included.
    pub words: u32,
    /// Distinct n-grams at each of [`LENGTHS`].
    pub sizes: [u32; LENGTHS.len()],
    /// Distinct 8-grams of the words between white space, case kept.
    pub spaced: u32,
    /// Σ tf² over the words.
    pub norm: u64,
}

impl Profile {
    /// What a document has in common with one of the same text: everything.
    pub fn with_the_same_text(&self) -> Common {
        Common { grams: self.sizes, spaced: self.spaced, dot: self.norm }
    }
}

/// What two documents have in common, as counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Common {
    /// Distinct n-grams in both at each of [`LENGTHS`].
    pub grams: [u32; LENGTHS.len()],
    /// Distinct 8-grams of the words between white space in both.
    pub spaced: u32,
    /// Σ tf·tf over the words in both.
    pub dot: u64,
}

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
        let at = |i: usize| jaccard(common.grams[i], source.sizes[i], target.sizes[i]);
        let twice = |common: u32, a: u32, b: u32| dice(common.into(), a.into(), b.into());
        let words = u64::from(common.grams[0]);
        Self {
            jaccard_1: at(0),
            jaccard_2: at(1),
            jaccard_3: at(2),
            jaccard_5: at(3),
            jaccard_8: at(4),
            containment_source: ratio(words, u64::from(source.sizes[0])),
            containment_target: ratio(words, u64::from(target.sizes[0])),
            cosine: cosine(common.dot as f64, source.norm as f64, target.norm as f64),
            cosine_binary: cosine(words as f64, f64::from(source.sizes[0]), f64::from(target.sizes[0])),
            dice_8: twice(common.grams[4], source.sizes[4], target.sizes[4]),
            s3: twice(common.spaced, source.spaced, target.spaced),
            length_ratio: length_ratio(source.words, target.words),
        }
    }

    /// The Jaccard at one of [`LENGTHS`]; `None` at any other n.
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
