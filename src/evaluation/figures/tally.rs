//! Everything that the figures count, added up block by block: no pair is kept.

use super::Candidate;
use super::counts::{Counts, count};
use super::differences::{Difference, differences};
use super::spread::{Spread, TENTHS, all_pairs, best_pairs, spread};

/// What the figures count, by configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// From this Jaccard on a pair is a near-duplicate.
    alike: f64,
    /// Different pairs.
    pub pool: u64,
    /// Those that a configuration found and of which no Jaccard is known.
    pub unknown: u64,
    /// By all segments.
    pub counts: Counts,
    /// By the first segments alone, those that were read.
    pub read: Counts,
    pub spreads: Vec<Spread>,
    /// Pairs by tenths of their Jaccard.
    pub jaccard: Vec<Vec<u64>>,
    /// Documents by tenths of the Jaccard of their best pair.
    pub best: Vec<Vec<u64>>,
    /// Documents whose best pair is no near-duplicate, and whose best pair is one.
    pub quality: Vec<Vec<u64>>,
    pub differences: Vec<Vec<Difference>>,
}

impl Tally {
    /// Of so many segments, of which the first `read` were read.
    pub fn new(segments: usize, read: usize, configurations: usize, alike: f64) -> Self {
        Self {
            alike,
            pool: 0,
            unknown: 0,
            counts: count(&[], segments, configurations),
            read: count(&[], read, configurations),
            spreads: vec![Spread::default(); configurations],
            jaccard: vec![vec![0; TENTHS.len()]; configurations],
            best: vec![vec![0; TENTHS.len()]; configurations],
            quality: vec![vec![0; 2]; configurations],
            differences: differences(&[], configurations, alike),
        }
    }

    /// Adds the pairs of some kinds of source documents, whole kinds alone.
    pub fn add(&mut self, candidates: &[Candidate]) {
        let configurations = self.spreads.len();
        self.pool += candidates.iter().map(Candidate::pairs).sum::<u64>();
        let unknown = candidates.iter().filter(|candidate| candidate.found != 0 && candidate.jaccard.is_none());
        self.unknown += unknown.map(Candidate::pairs).sum::<u64>();
        for counts in [&mut self.counts, &mut self.read] {
            let more = count(candidates, counts.segments(), configurations);
            counts.add(&more);
        }
        for c in 0..configurations {
            self.spreads[c].append(spread(candidates, c));
            add(&mut self.jaccard[c], &all_pairs(candidates, c, &TENTHS));
            add(&mut self.best[c], &best_pairs(candidates, c, &TENTHS));
            add(&mut self.quality[c], &best_pairs(candidates, c, &[0.0, self.alike]));
        }
        for (row, more) in self.differences.iter_mut().zip(differences(candidates, configurations, self.alike)) {
            row.iter_mut().zip(more).for_each(|(difference, more)| difference.add(more));
        }
    }
}

/// Adds counts place by place.
fn add(counts: &mut [u64], more: &[u64]) {
    counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::candidate;
    use super::*;

    proptest! {
        /// Kinds of documents by blocks add up to all at once.
        #[test]
        fn blocks_add_up(
            drawn in proptest::collection::vec((0u32..12, 0u32..3, 0u64..8, 0u32..=100, any::<bool>(), 1u64..4), 0..60),
            cuts in proptest::collection::vec(0u32..12, 0..4),
        ) {
            let mut all: Vec<Candidate> = drawn
                .into_iter()
                .map(|(source, segment, found, hundredths, is_known, each)| {
                    let one = candidate(source, segment, &[], hundredths);
                    let jaccard = one.jaccard.filter(|_| is_known);
                    Candidate { found, jaccard, each, documents: 1 + u64::from(source % 3), ..one }
                })
                .collect();
            all.sort_by_key(|candidate| candidate.source);
            let mut whole = Tally::new(3, 2, 3, 0.9);
            whole.add(&all);
            let mut blocks = Tally::new(3, 2, 3, 0.9);
            for block in all.chunk_by(|a, b| a.source == b.source || !cuts.contains(&b.source)) {
                blocks.add(block);
            }
            prop_assert_eq!(whole, blocks);
        }
    }
}
