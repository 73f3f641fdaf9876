//! What one configuration finds and another misses (the study's set differences).

use serde::Serialize;

use super::{Candidate, by_source};

/// What the first of two configurations finds and the second does not, of pairs that are alike enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Difference {
    /// Pairs that only the first found.
    pub pairs: u64,
    /// Source documents with a pair of the first and none of the second.
    pub documents: u64,
}

impl Difference {
    /// Adds what other source documents have.
    pub(super) fn add(&mut self, more: Self) {
        self.pairs += more.pairs;
        self.documents += more.documents;
    }
}

/// For every configuration (row) against every other (column): what the first finds alone, among the pairs with a Jaccard of
/// `least` or more.
pub fn differences(candidates: &[Candidate], configurations: usize, least: f64) -> Vec<Vec<Difference>> {
    let mut table = vec![vec![Difference::default(); configurations]; configurations];
    for (documents, group) in by_source(candidates) {
        let alike = group.iter().filter(|candidate| candidate.jaccard.is_some_and(|jaccard| jaccard >= least));
        let mut found = 0u64;
        for candidate in alike {
            found |= candidate.found;
            only(candidate.found, &mut table, |difference| difference.pairs += candidate.pairs());
        }
        only(found, &mut table, |difference| difference.documents += documents);
    }
    table
}

/// Does something for every row that is in the set and every column that is not.
fn only(found: u64, table: &mut [Vec<Difference>], mut add: impl FnMut(&mut Difference)) {
    let has = |c: usize| found >> c.min(63) & 1 == 1;
    for (row, differences) in table.iter_mut().enumerate().filter(|(row, _)| has(*row)) {
        for (column, difference) in differences.iter_mut().enumerate() {
            if column != row && !has(column) {
                add(difference);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::candidate;
    use super::*;

    #[test]
    fn differences_by_hand() {
        let pairs = [
            candidate(0, 0, &[0], 95),
            candidate(0, 0, &[1], 92),
            candidate(0, 0, &[0], 89),
            candidate(1, 0, &[0], 100),
            candidate(2, 0, &[0, 1], 100),
        ];
        let table = differences(&pairs, 2, 0.9);
        assert_eq!(table[0][1], Difference { pairs: 2, documents: 1 });
        assert_eq!(table[1][0], Difference { pairs: 1, documents: 0 });
        assert_eq!(table[0][0], Difference::default());
    }
}
