//! The exact similarities of two documents: Jaccard at five lengths, containment, cosine, Dice, S3, length ratio.
//!
//! What is kept of a document is its sequence of token hashes (8 bytes a word, twice: our words, and the words between
//! white space that S3 wants). A document that meets another becomes sorted sets of hashes ([`Sets`]), built once however
//! many it meets; two such sets are compared by one branchless merge. All numbers are counts; ratios are computed when
//! they are shown.

mod counts;
mod of_documents;
mod scores;
mod sequences;
mod sets;
mod sorter;
#[cfg(test)]
mod tests;

pub use counts::{Counts, place_of};
pub use scores::Scores;
pub use sequences::Sequences;
pub use sets::Sets;
pub use sorter::{Sorter, sort_hashes};

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
