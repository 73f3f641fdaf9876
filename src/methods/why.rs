//! What carries a match, and what would make one.

use std::ops::Range;

/// A part of both texts that may carry a match: what a method names, most telling first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub claim: String,
    /// Where it stands in the source.
    pub source: Vec<Range<usize>>,
    /// Where it stands in the target.
    pub target: Vec<Range<usize>>,
}
