//! A pair as the groups see it.

/// A pair of documents, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    pub a: u32,
    pub b: u32,
    /// How alike they are; higher is more.
    pub score: f64,
}
