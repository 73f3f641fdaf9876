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
        let found = |row: usize| c.is_none_or(|c| self.found_by(row, c));
        let mut standings = vec![0; self.len()];
        let mut start = 0;
        while start < self.len() {
            let source = self.pair(start).source;
            let end = (start + 1..self.len()).find(|&row| self.pair(row).source != source).unwrap_or(self.len());
            let mut top: Option<(Option<f64>, usize)> = None;
            let mut count = 0u32;
            for row in (start..end).filter(|&row| found(row)) {
                count += 1;
                // Unknown is less than any number.
                let jaccard = self.compared(row).then(|| self.jaccard(row));
                if top.is_none_or(|(highest, _)| jaccard > highest) {
                    top = Some((jaccard, row));
                }
            }
            standings[start..end].fill(count);
            if let Some((_, row)) = top {
                standings[row] |= TOP;
            }
            start = end;
        }
        standings
    }
}
