//! How many candidates the source document of a pair has, and whether the pair has the highest Jaccard of them.
//!
//! Where both documents of a pair are of the source, the pair is a candidate of each: it is the top one if it is that of
//! either, and the larger of the two counts holds.

use super::{DocumentBundle, PairTable};

/// The bit that marks the top pair of a document; the other bits count its candidates.
const TOP: u32 = 1 << 31;

impl PairTable {
    /// How many candidates the source document of a row has, found by one configuration or by any.
    pub fn candidates(&self, row: usize, c: Option<usize>) -> u32 {
        self.rank(row, c) & !TOP
    }

    /// Whether a row has the highest Jaccard of its document's pairs that this configuration, or any, found; of equal ones
    /// the first by the other id.
    pub fn is_top(&self, row: usize, c: Option<usize>) -> bool {
        self.rank(row, c) & TOP != 0
    }

    fn rank(&self, row: usize, c: Option<usize>) -> u32 {
        let cell = self.candidate_ranks.get(c.unwrap_or(self.configurations.len()));
        let ranks = cell.map(|cell| cell.get_or_init(|| self.ranks_by(c)));
        ranks.and_then(|ranks| ranks.get(row)).copied().unwrap_or_default()
    }

    fn ranks_by(&self, c: Option<usize>) -> Vec<u32> {
        let mut ranks: Vec<u32> = vec![0; self.len()];
        let found = |bundle: &DocumentBundle<'_>| c.is_none_or(|c| self.is_finder(bundle.finders, c));
        for documents in self.documents(|_| None) {
            let count = documents.bundles.iter().filter(|bundle| found(bundle)).map(|bundle| bundle.pairs).sum::<u64>();
            let (count, top) = (count as u32, documents.top(found));
            for &id in &documents.ids {
                let turned = self.turned(id).iter().map(|row| *row as usize);
                for row in self.rows_of_source(id).chain(turned) {
                    let rank = &mut ranks[row];
                    *rank = (*rank & TOP) | count.max(*rank & !TOP);
                }
                let row = top.and_then(|top| match top.turned {
                    true => self.find(top.other, id),
                    false => self.find(id, top.other),
                });
                row.into_iter().for_each(|row| ranks[row] |= TOP);
            }
        }
        ranks
    }
}
