//! What a search for the cause of a miss tries out.

use std::ops::Range;

/// One place of the target that would read as in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// The target's bytes that give way; none where something is added.
    pub target: Range<usize>,
    /// The source's bytes that take their place; none where something is left out.
    pub source: Range<usize>,
}
