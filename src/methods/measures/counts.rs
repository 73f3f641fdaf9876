//! The similarities of a pair, each from no more numbers than it is made of.

use super::{Common, LENGTHS, Profile};
use crate::Side;
use dejaview_base::similarity::{cosine, dice, jaccard, length_ratio, ratio};

/// Place of words and of 8-grams among [`LENGTHS`].
const WORDS: usize = 0;
const EIGHT: usize = 4;

/// The place of a length among [`LENGTHS`]; none where it is no length that is counted.
#[inline]
pub fn place_of(n: usize) -> Option<usize> {
    LENGTHS.iter().position(|length| *length == n)
}

/// Where the counts of a pair are read from: memory, or the columns of a file, of which only those are looked at that a
/// similarity wants. Lengths are places among [`LENGTHS`].
pub trait Counts {
    /// Words of a document, repeated ones included.
    fn words(&self, side: Side) -> u32;

    /// Distinct n-grams of a document.
    fn size(&self, side: Side, length: usize) -> u32;

    /// Distinct 8-grams of its words between white space, case kept.
    fn spaced(&self, side: Side) -> u32;

    /// Σ tf² over its words.
    fn norm(&self, side: Side) -> u64;

    /// Distinct n-grams in both.
    fn common(&self, length: usize) -> u32;

    /// Distinct 8-grams of the words between white space in both.
    fn common_spaced(&self) -> u32;

    /// Σ tf·tf over the words in both.
    fn dot(&self) -> u64;

    #[inline]
    fn jaccard(&self, length: usize) -> f64 {
        jaccard(self.common(length), self.size(Side::Source, length), self.size(Side::Target, length))
    }

    /// Share of the words of one document that are in the other.
    #[inline]
    fn containment(&self, side: Side) -> f64 {
        ratio(u64::from(self.common(WORDS)), u64::from(self.size(side, WORDS)))
    }

    /// Cosine of the vectors of word counts.
    #[inline]
    fn cosine(&self) -> f64 {
        cosine(self.dot() as f64, self.norm(Side::Source) as f64, self.norm(Side::Target) as f64)
    }

    /// Cosine of the sets of words.
    #[inline]
    fn cosine_binary(&self) -> f64 {
        let size = |side| f64::from(self.size(side, WORDS));
        cosine(f64::from(self.common(WORDS)), size(Side::Source), size(Side::Target))
    }

    /// Dice of the sets of word 8-grams.
    #[inline]
    fn dice_8(&self) -> f64 {
        let size = |side| u64::from(self.size(side, EIGHT));
        dice(u64::from(self.common(EIGHT)), size(Side::Source), size(Side::Target))
    }

    /// Dice of the sets of 8-grams of the words between white space, case kept.
    #[inline]
    fn s3(&self) -> f64 {
        let size = |side| u64::from(self.spaced(side));
        dice(u64::from(self.common_spaced()), size(Side::Source), size(Side::Target))
    }

    /// Words of the shorter by words of the longer.
    #[inline]
    fn length_ratio(&self) -> f64 {
        length_ratio(self.words(Side::Source), self.words(Side::Target))
    }
}

/// Two profiles and what they have in common.
pub(super) struct InMemory<'a> {
    pub source: &'a Profile,
    pub target: &'a Profile,
    pub common: &'a Common,
}

impl InMemory<'_> {
    #[inline]
    fn of(&self, side: Side) -> &Profile {
        match side {
            Side::Source => self.source,
            Side::Target => self.target,
        }
    }
}

impl Counts for InMemory<'_> {
    #[inline]
    fn words(&self, side: Side) -> u32 {
        self.of(side).words
    }

    #[inline]
    fn size(&self, side: Side, length: usize) -> u32 {
        self.of(side).sizes[length]
    }

    #[inline]
    fn spaced(&self, side: Side) -> u32 {
        self.of(side).spaced
    }

    #[inline]
    fn norm(&self, side: Side) -> u64 {
        self.of(side).norm
    }

    #[inline]
    fn common(&self, length: usize) -> u32 {
        self.common.grams[length]
    }

    #[inline]
    fn common_spaced(&self) -> u32 {
        self.common.spaced
    }

    #[inline]
    fn dot(&self) -> u64 {
        self.common.dot
    }
}
