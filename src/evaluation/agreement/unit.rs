//! The pairs whose labels are compared.

use dejaview_labels::Label;

/// A pair, and what it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit<'a> {
    pub source: &'a str,
    pub target: &'a str,
    pub stratum: &'a str,
    /// Pairs of the population that it stands for.
    pub weight: f64,
    /// Whether no configuration found it.
    pub audit: bool,
    /// Whether it is of a stratum in which true pairs are hardly to be expected.
    pub far: bool,
}

pub(super) fn rating(label: Label) -> Option<usize> {
    Label::ALL.iter().position(|other| *other == label)
}
