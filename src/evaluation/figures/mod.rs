//! How many pairs and documents does each configuration find where, and how alike are they?
//!
//! The counts behind the study's Figures 5.1 to 5.5: pairs and source documents per segment, accumulated over segments and
//! carried on to segments that nobody has read, the distribution of similarity, candidates per source document, and what
//! one configuration finds that another misses. Pairs are counted block by block ([`Tally`]), one step for all that are
//! alike; no pair is kept.

mod counts;
mod differences;
mod extrapolation;
mod mixture;
#[cfg(test)]
mod simulation;
mod spread;
mod tally;

pub use counts::Counts;
pub use differences::Difference;
pub use extrapolation::{COVERAGE, Forecast, linear, saturating};
pub use spread::{Spread, TENTHS, bin};
pub use tally::Tally;

/// Pairs that the figures count alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Number of the kind of source documents that each have them; those of one kind stand together.
    pub source: u32,
    /// Documents of the kind.
    pub documents: u64,
    /// How many each of them has.
    pub each: u64,
    /// Whether they are pairs of other documents, of which these are the targets: a collection is searched for its own.
    pub turned: bool,
    /// Number of their targets' segment.
    pub segment: u32,
    /// Bit c: configuration c found them.
    pub found: u64,
    /// Headline Jaccard; none where no texts were compared.
    pub jaccard: Option<f64>,
}

impl Candidate {
    /// All pairs that it stands for; none where they count for their sources.
    pub fn pairs(&self) -> u64 {
        if self.turned { 0 } else { self.documents * self.each }
    }

    /// Whether configuration `c` found them.
    pub fn found_by(&self, c: usize) -> bool {
        self.found >> c.min(63) & 1 == 1
    }
}

/// The pairs of one kind of source documents after another, each with the number of its documents.
fn by_source(candidates: &[Candidate]) -> impl Iterator<Item = (u64, &[Candidate])> {
    candidates.chunk_by(|a, b| a.source == b.source).map(|of| (of[0].documents, of))
}

#[cfg(test)]
pub(crate) mod testing {
    use super::Candidate;

    /// Source, segment, configurations that found it, Jaccard in hundredths.
    pub fn candidate(source: u32, segment: u32, found: &[usize], hundredths: u32) -> Candidate {
        let found = found.iter().fold(0, |bits, c| bits | 1 << c);
        let jaccard = Some(f64::from(hundredths) / 100.0);
        Candidate { source, documents: 1, each: 1, turned: false, segment, found, jaccard }
    }
}
