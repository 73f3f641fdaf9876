//! The rank of a pair among the pairs of its source document.
//!
//! Where its target is a document of the source, too, it is the top one if it is that of either of them, and of as many as
//! the one of them has that has more.

use crate::query::pair_table::{PairTable, Share};

/// The bit that marks the top pair of a document; the others count its candidates.
const TOP: u32 = 1 << 31;

impl PairTable {
    /// Candidates of a row's source document, by one configuration or by any; of the one of its documents that has more
    /// where both are of the source.
    pub fn candidates(&self, row: usize, c: Option<usize>) -> u32 {
        self.standing(row, c) & !TOP
    }

    /// Whether a row is the pair of its source document, or of its target where that is one, with the highest Jaccard, of
    /// those that this configuration found, or any; the first by the other id when several are.
    pub fn is_top(&self, row: usize, c: Option<usize>) -> bool {
        self.standing(row, c) & TOP != 0
    }

    fn standing(&self, row: usize, c: Option<usize>) -> u32 {
        let place = c.unwrap_or(self.configurations().len());
        let made = self.standings().of.get(place).map(|cell| cell.get_or_init(|| self.standings_of(c)));
        made.and_then(|rows| rows.get(row)).copied().unwrap_or_default()
    }

    fn standings_of(&self, c: Option<usize>) -> Vec<u32> {
        let mut standings: Vec<u32> = vec![0; self.len()];
        let found = |share: &Share<'_>| c.is_none_or(|c| self.is_finder(share.finders, c));
        for documents in self.documents(|_| None) {
            let count = documents.shares.iter().filter(|share| found(share)).map(|share| share.pairs).sum::<u64>();
            let (count, top) = (count as u32, documents.top(found));
            for &id in &documents.ids {
                let turned = self.turned(id).iter().map(|row| *row as usize);
                for row in self.rows_of_source(id).chain(turned) {
                    let standing = &mut standings[row];
                    *standing = (*standing & TOP) | count.max(*standing & !TOP);
                }
                let row = top.and_then(|top| match top.turned {
                    true => self.find(top.other, id),
                    false => self.find(id, top.other),
                });
                row.into_iter().for_each(|row| standings[row] |= TOP);
            }
        }
        standings
    }
}
