//! A change of the target that the search tries.

use std::ops::Range;

/// One place of the target that would read as in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Bytes of the target that are replaced; empty where something is added.
    pub target: Range<usize>,
    /// Bytes of the source that replace them; empty where something is removed.
    pub source: Range<usize>,
}
