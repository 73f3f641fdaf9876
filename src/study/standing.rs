//! How a pair stands among the others of its source document: is it the top one, and of how many?

use std::sync::OnceLock;

use super::pair_table::PairTable;

/// The bit that marks the top pair of a source document; the others count its candidates.
const TOP: u32 = 1 << 31;

/// For each configuration, and for all together behind them, the standing of every row; made when first asked for.
#[derive(Debug, Default)]
pub(super) struct Standings {
    of: Vec<OnceLock<Vec<u32>>>,
}

impl Standings {
    /// Of so many configurations.
    pub(super) fn new(configurations: usize) -> Self {
        Self { of: (0..=configurations).map(|_| OnceLock::new()).collect() }
    }
}

impl PairTable {
    /// Candidates of a row's source document, by one configuration or by any.
    pub fn candidates(&self, row: usize, c: Option<usize>) -> u32 {
        self.standing(row, c) & !TOP
    }

    /// Whether a row is the pair of its source document with the highest Jaccard, of those that this configuration found,
    /// or any; the first by target id when several are.
    pub fn is_top(&self, row: usize, c: Option<usize>) -> bool {
        self.standing(row, c) & TOP != 0
    }

    fn standing(&self, row: usize, c: Option<usize>) -> u32 {
        let place = c.unwrap_or(self.configurations().len());
        let made = self.standings().of.get(place).map(|cell| cell.get_or_init(|| self.standings_of(c)));
        made.and_then(|rows| rows.get(row)).copied().unwrap_or_default()
    }

    fn standings_of(&self, c: Option<usize>) -> Vec<u32> {
        let mut standings = vec![0; self.len()];
        for kind in self.kinds() {
            let mut top: Option<(Option<f64>, &str)> = None;
            let mut count = 0;
            // By the first target of each, so that of equal ones the first counts.
            for bundle in kind.bundles.iter().filter(|bundle| c.is_none_or(|c| self.bundle_found_by(bundle, c))) {
                count += bundle.pairs;
                // Unknown is less than any number.
                let jaccard = bundle.jaccard(self.n());
                if top.is_none_or(|(highest, _)| jaccard > highest) {
                    top = Some((jaccard, bundle.like.target));
                }
            }
            let all: u64 = kind.bundles.iter().map(|bundle| bundle.pairs).sum();
            let starts: Vec<usize> = kind.sources.iter().map(|source| self.start_of(&kind, source)).collect();
            let first = kind.sources.first().and_then(|source| self.find(source.id, top?.1));
            let place = first.zip(starts.first()).map(|(row, start)| row - start);
            for start in starts {
                standings[start..start + all as usize].fill(count as u32);
                if let Some(place) = place {
                    standings[start + place] |= TOP;
                }
            }
        }
        standings
    }
}
