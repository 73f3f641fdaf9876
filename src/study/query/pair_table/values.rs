//! Numbers of many rows at a time.
//!
//! What a number is made of lies in columns far apart, in as many files as there are configurations and segments: who looks at one row
//! after the other waits for memory at each. Of some rows together, first all documents are read and then all numbers, so that many
//! reads are under way at once.

use super::PairTable;
use super::row::TableRow;
use dejaview_matching::DocumentNumber;
use dejaview_matching::pairs::RowCounts;

/// Rows that are looked at together. What is noted of them fits into the nearest memory.
pub(in crate::query) const TOGETHER: usize = 512;

/// Where a row is, and which documents it is of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Located {
    pub(super) file: u32,
    row: u32,
    source: DocumentNumber,
    pub(super) target: DocumentNumber,
}

impl PairTable {
    pub(super) fn located(&self, rows: &[u32]) -> Vec<Located> {
        if self.folded.is_some() {
            let located = rows.iter().map(|row| {
                let (TableRow { file, row, .. }, source, target) = self.locate(*row as usize);
                Located { file, row, source, target }
            });
            return located.collect();
        }
        // Where no document has the text of another, each is a group by itself.
        let located = rows.iter().map(|row| {
            let TableRow { file, row, .. } = self.rows[*row as usize];
            let (source, target) = self.files[file as usize].file.row(row as usize);
            let [source, target] = [source, target].map(|group| DocumentNumber::at(group.index()));
            Located { file, row, source, target }
        });
        located.collect()
    }

    /// Appends what `value` makes of the counts of each row.
    pub(in crate::query) fn each_counts<T>(&self, rows: &[u32], value: impl Fn(RowCounts<'_>) -> T, out: &mut Vec<T>) {
        let counts = |at: &Located| self.files[at.file as usize].file.counts_of(at.row as usize, at.source, at.target);
        out.extend(self.located(rows).iter().map(|at| value(counts(at))));
    }
}
