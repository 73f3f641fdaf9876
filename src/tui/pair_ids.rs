//! A pair by its ids.

/// Ids of a source and a target document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PairIds {
    /// Source id.
    pub source: String,
    /// Target id.
    pub target: String,
}

impl PairIds {
    /// Of two ids.
    pub fn new(source: &str, target: &str) -> Self {
        Self { source: source.to_owned(), target: target.to_owned() }
    }
}
