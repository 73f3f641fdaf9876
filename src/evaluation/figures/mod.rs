//! How many pairs and documents does each configuration find where, and how alike are they?
//!
//! The counts behind the study's Figures 5.1 to 5.5: pairs and source documents per segment, accumulated over segments and
//! carried on to segments that nobody has read, the distribution of similarity, candidates per source document, and what
//! one configuration finds that another misses. One pass over the pairs for each question; no pair is kept.

mod counts;
mod differences;
mod extrapolation;
mod mixture;
#[cfg(test)]
mod simulation;
mod spread;

pub use counts::{Counts, count};
pub use differences::{Difference, differences};
pub use extrapolation::{COVERAGE, Forecast, linear, saturating};
pub use spread::{Spread, TENTHS, all_pairs, best_pairs, bin, spread};

/// A pair as the figures count it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Number of its source document; pairs of one source stand together.
    pub source: u32,
    /// Number of its target's segment.
    pub segment: u32,
    /// Bit c: configuration c found it.
    pub found: u64,
    /// Headline Jaccard; none where no texts were compared.
    pub jaccard: Option<f64>,
}

impl Candidate {
    /// Whether configuration `c` found it.
    pub fn found_by(&self, c: usize) -> bool {
        self.found >> c.min(63) & 1 == 1
    }
}

/// The pairs of one source document after another.
fn by_source(candidates: &[Candidate]) -> impl Iterator<Item = &[Candidate]> {
    candidates.chunk_by(|a, b| a.source == b.source)
}

#[cfg(test)]
pub(crate) mod testing {
    use super::Candidate;

    /// Source, segment, configurations that found it, Jaccard in hundredths.
    pub fn candidate(source: u32, segment: u32, found: &[usize], hundredths: u32) -> Candidate {
        let found = found.iter().fold(0, |bits, c| bits | 1 << c);
        Candidate { source, segment, found, jaccard: Some(f64::from(hundredths) / 100.0) }
    }
}
