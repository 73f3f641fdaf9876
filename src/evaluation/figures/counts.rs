//! Pairs and source documents by segment and configuration (Figures 5.1 to 5.3).

use super::{Candidate, by_source};

/// Counts by configuration, then by segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    pub pairs: Vec<Vec<u64>>,
    /// Source documents with a pair in the segment.
    pub found: Vec<Vec<u64>>,
    /// Source documents with a pair in this segment or one before it.
    pub accumulated: Vec<Vec<u64>>,
    /// Source documents that have pairs in exactly 1, 2, 3, … segments.
    pub recurring: Vec<Vec<u64>>,
}

/// Counts the pairs of so many segments and configurations.
pub fn count(candidates: &[Candidate], segments: usize, configurations: usize) -> Counts {
    let zeros = || vec![vec![0; segments]; configurations];
    let mut counts = Counts { pairs: zeros(), found: zeros(), accumulated: zeros(), recurring: zeros() };
    let mut seen = vec![0u64; segments];
    for (documents, group) in by_source(candidates) {
        seen.fill(0);
        for candidate in group.iter().filter(|candidate| (candidate.segment as usize) < segments) {
            let segment = candidate.segment as usize;
            seen[segment] |= candidate.found;
            for (c, pairs) in counts.pairs.iter_mut().enumerate() {
                pairs[segment] += u64::from(candidate.found_by(c)) * candidate.pairs();
            }
        }
        for c in 0..configurations {
            counts.add_documents(c, documents, &seen);
        }
    }
    for accumulated in &mut counts.accumulated {
        for segment in 1..segments {
            accumulated[segment] += accumulated[segment - 1];
        }
    }
    counts
}

impl Counts {
    /// How many segments are counted.
    pub fn segments(&self) -> usize {
        self.pairs.first().map_or(0, Vec::len)
    }

    /// Adds the counts of other source documents.
    pub(super) fn add(&mut self, more: &Self) {
        let Self { pairs, found, accumulated, recurring } = self;
        let others = [&more.pairs, &more.found, &more.accumulated, &more.recurring];
        for (counts, more) in [pairs, found, accumulated, recurring].into_iter().zip(others) {
            let places = counts.iter_mut().flatten().zip(more.iter().flatten());
            places.for_each(|(count, more)| *count += more);
        }
    }

    /// Documents whose pairs in each segment were found by these; their first segment is counted as accumulated.
    fn add_documents(&mut self, c: usize, documents: u64, seen: &[u64]) {
        let mut times = 0;
        for (segment, found) in seen.iter().enumerate() {
            if found >> c.min(63) & 1 == 1 {
                self.found[c][segment] += documents;
                self.accumulated[c][segment] += u64::from(times == 0) * documents;
                times += 1;
            }
        }
        if times > 0 {
            self.recurring[c][times - 1] += documents;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::candidate;
    use super::*;

    #[test]
    fn counted_by_hand() {
        let pairs = [
            candidate(0, 0, &[0, 1], 95),
            candidate(0, 2, &[0], 50),
            candidate(1, 0, &[0], 50),
            candidate(1, 0, &[0], 40),
            candidate(2, 1, &[1], 90),
        ];
        let counts = count(&pairs, 3, 2);
        assert_eq!(counts.pairs, [[3, 0, 1], [1, 1, 0]]);
        assert_eq!(counts.found, [[2, 0, 1], [1, 1, 0]]);
        assert_eq!(counts.accumulated, [[2, 2, 2], [1, 2, 2]]);
        assert_eq!(counts.recurring, [[1, 1, 0], [2, 0, 0]]);
        assert!(count(&[], 0, 1).pairs[0].is_empty());
    }

    #[test]
    fn documents_that_are_alike_count_each() {
        let some = Candidate { documents: 3, each: 4, ..candidate(0, 1, &[0], 95) };
        let counts = count(&[some, candidate(1, 0, &[0], 95)], 2, 1);
        assert_eq!((&counts.pairs[0][..], &counts.found[0][..]), (&[1, 12][..], &[1, 3][..]));
        assert_eq!((&counts.accumulated[0][..], &counts.recurring[0][..]), (&[1, 4][..], &[4, 0][..]));
    }
}
