//! How pairs spread over similarities and over source documents (Figures 5.4 and 5.5, candidates per document).

use super::{Candidate, by_source};
use dejaview_base::random::quantile;

/// Lower ends of the ten bins of a Jaccard; 1 is in the last.
pub const TENTHS: [f64; 10] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The bin of a value: that of the last edge that is not above it.
pub fn bin(edges: &[f64], value: f64) -> usize {
    edges.partition_point(|edge| *edge <= value).saturating_sub(1)
}

/// How many pairs of a configuration fall into each bin of their Jaccard.
pub fn all_pairs(candidates: &[Candidate], c: usize, edges: &[f64]) -> Vec<u64> {
    let found = candidates.iter().filter(|candidate| candidate.found_by(c));
    histogram(found.filter_map(|one| Some((one.jaccard?, one.pairs()))), edges)
}

/// The same of the best pair of each source document.
pub fn best_pairs(candidates: &[Candidate], c: usize, edges: &[f64]) -> Vec<u64> {
    let best = |(documents, group): (u64, &'_ [Candidate])| {
        let found = group.iter().filter(|candidate| candidate.found_by(c));
        Some((found.filter_map(|candidate| candidate.jaccard).max_by(f64::total_cmp)?, documents))
    };
    histogram(by_source(candidates).filter_map(best), edges)
}

/// Counts values by bin; each value comes with the number of times it occurs.
fn histogram(values: impl Iterator<Item = (f64, u64)>, edges: &[f64]) -> Vec<u64> {
    let mut counts = vec![0; edges.len()];
    for (value, times) in values {
        if let Some(count) = counts.get_mut(bin(edges, value)) {
            *count += times;
        }
    }
    counts
}

/// Candidates per source document, over the documents that have one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spread {
    /// Candidates of each source document that has some, ascending.
    pub sorted: Vec<u64>,
    /// The kind of the source document with most, the first of equals.
    pub most: Option<u32>,
}

/// The candidates of a configuration per source document.
pub fn spread(candidates: &[Candidate], c: usize) -> Spread {
    let mut most: Option<(u64, u32)> = None;
    let mut sorted = Vec::new();
    for (documents, group) in by_source(candidates) {
        let count = group.iter().filter(|candidate| candidate.found_by(c)).map(|candidate| candidate.each).sum();
        if count > 0 {
            sorted.extend((0..documents).map(|_| count));
            if most.is_none_or(|(highest, _)| count > highest) {
                most = Some((count, group[0].source));
            }
        }
    }
    sorted.sort_unstable();
    Spread { sorted, most: most.map(|(_, source)| source) }
}

impl Spread {
    /// Adds other source documents, which come behind these.
    pub(super) fn append(&mut self, later: Self) {
        if self.most.is_none() || later.max() > self.max() {
            self.most = later.most.or(self.most);
        }
        self.sorted.extend(later.sorted);
        // Two ascending runs are merged in one go.
        self.sorted.sort();
    }

    /// Source documents with a candidate.
    pub fn documents(&self) -> u64 {
        self.sorted.len() as u64
    }

    /// All candidates; a pair of two of the documents is one of each.
    pub fn pairs(&self) -> u64 {
        self.sorted.iter().sum()
    }

    /// Candidates of a document, on average; 0 when there are none.
    pub fn mean(&self) -> f64 {
        self.pairs() as f64 / (self.sorted.len().max(1)) as f64
    }

    /// The number of candidates that this share of the documents does not exceed, interpolated (definition 7 of Hyndman
    /// and Fan); 0 when there are none.
    pub fn quantile(&self, share: f64) -> f64 {
        let sorted: Vec<f64> = self.sorted.iter().map(|&n| n as f64).collect();
        quantile(&sorted, share).unwrap_or_default()
    }

    /// Most candidates of one document.
    pub fn max(&self) -> u64 {
        self.sorted.last().copied().unwrap_or_default()
    }

    /// Candidates of each document that has at least `least` and fewer than `below`.
    pub fn between(&self, least: u64, below: u64) -> &[u64] {
        let upto = |n: u64| self.sorted.partition_point(|&count| count < n);
        &self.sorted[upto(least)..upto(below)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::candidate;
    use super::*;

    #[test]
    fn bins_hold_what_a_comparison_with_their_edges_says() {
        for (value, expected) in [(0.0, 0), (0.1, 1), (0.3, 3), (0.299_999, 2), (0.7, 7), (0.9, 9), (1.0, 9)] {
            assert_eq!(bin(&TENTHS, value), expected, "{value}");
        }
    }

    #[test]
    fn histograms_by_hand() {
        let pairs = [
            candidate(0, 0, &[0], 95),
            candidate(0, 1, &[0], 50),
            candidate(1, 0, &[0], 50),
            candidate(1, 0, &[1], 100),
        ];
        assert_eq!(all_pairs(&pairs, 0, &TENTHS), [0, 0, 0, 0, 0, 2, 0, 0, 0, 1]);
        assert_eq!(best_pairs(&pairs, 0, &TENTHS), [0, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
        assert_eq!(best_pairs(&pairs, 1, &TENTHS), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        let unknown: Vec<Candidate> = pairs.iter().map(|pair| Candidate { jaccard: None, ..*pair }).collect();
        assert_eq!(all_pairs(&unknown, 0, &TENTHS), [0; 10], "without texts there is no Jaccard");
        assert_eq!(best_pairs(&unknown, 0, &TENTHS), [0; 10]);
    }

    #[test]
    fn candidates_per_document_by_hand() {
        let mut pairs = vec![candidate(0, 0, &[0], 50), candidate(1, 0, &[1], 50)];
        pairs.extend((0..6).map(|_| candidate(2, 0, &[0], 50)));
        pairs.extend((0..2).map(|_| candidate(3, 0, &[0], 50)));
        let spread = spread(&pairs, 0);
        assert_eq!((spread.documents(), spread.pairs(), spread.max(), spread.most), (3, 9, 6, Some(2)));
        assert_eq!((spread.mean(), spread.quantile(0.5), spread.quantile(0.75)), (3.0, 2.0, 4.0));
        assert_eq!([spread.between(1, 2).len(), spread.between(2, 7).len(), spread.between(7, 10).len()], [1, 2, 0]);
        let alike = [Candidate { documents: 2, each: 5, ..candidate(0, 0, &[0], 50) }, candidate(1, 0, &[0], 50)];
        assert_eq!(super::spread(&alike, 0), Spread { sorted: vec![1, 5, 5], most: Some(0) });
        let bins = [all_pairs(&alike, 0, &[0.0]), best_pairs(&alike, 0, &[0.0])];
        assert_eq!(bins, [[11], [3]], "pairs, and documents");
        let none = super::spread(&[], 0);
        assert_eq!((none.mean(), none.max(), none.quantile(0.95), none.most), (0.0, 0, 0.0, None));
    }
}
