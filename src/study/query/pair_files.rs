//! The files of pairs that a run wrote, open.

use dejaview_matching::pairs::PairsFile;

/// Which pairs are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct PairFilter<'a> {
    /// Only those that this configuration found.
    pub configuration: Option<&'a str>,
    /// Only those of this segment.
    pub segment: Option<&'a str>,
}

/// The pairs of one configuration and segment.
#[derive(Debug)]
pub struct OpenPairs {
    /// Name of the configuration.
    pub configuration: String,
    /// Name of the segment.
    pub segment: String,
    pub file: PairsFile,
}

/// The first and the last pairs of one file.
#[derive(Debug)]
pub struct OpenEnds {
    pub open: OpenPairs,
    /// How many of them are the first; those behind them are the last.
    pub first: usize,
    /// Rows of the whole file.
    pub rows: u64,
}
