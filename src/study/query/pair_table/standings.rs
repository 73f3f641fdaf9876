//! The standing of every row, kept once it was asked for.

use std::sync::OnceLock;

/// For each configuration, and for all together behind them, the standing of every row; made when first asked for.
#[derive(Debug, Default)]
pub(crate) struct Standings {
    pub(crate) of: Vec<OnceLock<Vec<u32>>>,
}

impl Standings {
    /// Of so many configurations.
    pub(crate) fn new(configurations: usize) -> Self {
        Self { of: (0..=configurations).map(|_| OnceLock::new()).collect() }
    }
}
