//! The pair on a screen that can be labelled.

use super::pair_ids::PairIds;

/// A pair that can be labelled, and what its labels belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    pub ids: PairIds,
    /// The sample that asks about it; none outside of samples.
    pub sample: Option<String>,
    /// Whether it came before, to see whether the answer stays the same.
    pub repeat: bool,
    /// Digests of source and target, once their texts are on the screen.
    pub digests: Option<[String; 2]>,
}
