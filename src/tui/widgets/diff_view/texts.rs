//! Two texts, what differs, and where in them something is.

use std::ops::Range;

use super::super::glyphs::right_to_left;
use dejaview_text::diff::{Diff, Line, RefinedChange, Row, RowKind};

/// Two texts and what differs.
#[derive(Debug, Clone)]
pub struct Texts {
    pub source: String,
    pub target: String,
    pub diff: Diff,
    pub right_to_left: bool,
    /// For each side: for each row, and after the last, how many rows above it differ on that side.
    changed: [Vec<u32>; 2],
}

impl Texts {
    pub fn new(source: String, target: String, diff: Diff) -> Self {
        let right_to_left = right_to_left(&source) || right_to_left(&target);
        let changed = changed_before(&diff);
        Self { source, target, diff, right_to_left, changed }
    }

    /// The text of a side: 0 is the source.
    pub(super) fn text(&self, side: usize) -> &str {
        if side == 0 { &self.source } else { &self.target }
    }

    pub(super) fn line(&self, row: usize, side: usize) -> Option<&Line> {
        self.diff.rows.get(row).and_then(|row| line_of(row, side))
    }

    pub(super) fn line_text(&self, line: &Line, side: usize) -> &str {
        self.text(side).get(line.span.clone()).unwrap_or_default()
    }

    /// Whether one of these rows differs on a side.
    pub(super) fn differs(&self, rows: &Range<usize>, side: usize) -> bool {
        let at = |row: usize| self.changed[side].get(row).copied().unwrap_or(0);
        at(rows.end) > at(rows.start)
    }

    /// The first row of the equal stretch that a row belongs to.
    pub(super) fn equal_from(&self, row: usize) -> usize {
        let above = self.diff.changes.partition_point(|&first| first <= row);
        above.checked_sub(1).map_or(0, |change| self.diff.rows_of(change).end)
    }

    /// The row that holds a byte of a side.
    pub(super) fn row_of(&self, side: usize, byte: usize) -> Option<usize> {
        let mut last = None;
        // Lines of a side ascend, but rows may lack one: the search asks the next row that has one.
        let (mut low, mut high) = (0, self.diff.rows.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match (middle..high).find_map(|row| self.line(row, side).map(|line| (row, line))) {
                Some((row, line)) if line.span.start <= byte => {
                    last = Some(row);
                    low = row + 1;
                }
                _ => high = middle,
            }
        }
        last
    }

    /// The number of the change at a row, or else of the first below it.
    pub(super) fn change_at(&self, row: usize) -> Option<usize> {
        let changes = &self.diff.changes;
        let after = changes.partition_point(|&first| first <= row);
        let here = after.checked_sub(1).filter(|&change| self.diff.rows_of(change).contains(&row));
        here.or_else(|| (after < changes.len()).then_some(after))
    }

    /// Puts the compared words of a change in its place.
    pub fn refine(&mut self, change: usize, hunk: RefinedChange) {
        self.diff.refine(change, hunk);
        self.changed = changed_before(&self.diff);
    }
}

fn line_of(row: &Row, side: usize) -> Option<&Line> {
    if side == 0 { row.source.as_ref() } else { row.target.as_ref() }
}

fn changed_before(diff: &Diff) -> [Vec<u32>; 2] {
    [RowKind::OnlySource, RowKind::OnlyTarget].map(|alone| {
        let mut sum = 0;
        let counted = |row: &Row| {
            sum += u32::from(row.kind == RowKind::Changed || row.kind == alone);
            sum
        };
        std::iter::once(0).chain(diff.rows.iter().map(counted)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_text::diff::diff;
    use proptest::prelude::*;
    use std::time::{Duration, Instant};

    pub fn texts(source: &str, target: &str) -> Texts {
        let diff = diff(source, target, Instant::now() + Duration::from_secs(60));
        Texts::new(source.to_owned(), target.to_owned(), diff)
    }

    proptest! {
        #[test]
        fn every_byte_is_found_in_its_row(a in "[ab\n]{0,40}", b in "[ab\n]{0,40}") {
            let texts = texts(&a, &b);
            for side in [0, 1] {
                for (row, line) in (0..texts.diff.rows.len()).filter_map(|row| Some((row, texts.line(row, side)?))) {
                    for byte in line.span.clone() {
                        prop_assert_eq!(texts.row_of(side, byte), Some(row));
                    }
                }
            }
            for row in 0..texts.diff.rows.len() {
                let kind = texts.diff.rows[row].kind;
                for (side, alone) in [RowKind::OnlySource, RowKind::OnlyTarget].into_iter().enumerate() {
                    prop_assert_eq!(texts.differs(&(row..row + 1), side), kind == RowKind::Changed || kind == alone);
                }
                if kind == RowKind::Equal {
                    let from = texts.equal_from(row);
                    prop_assert!(texts.diff.rows[from..=row].iter().all(|row| row.kind == RowKind::Equal));
                    prop_assert!(from == 0 || texts.diff.rows[from - 1].kind != RowKind::Equal);
                }
                let at = texts.change_at(row).map(|change| texts.diff.rows_of(change));
                prop_assert!(at.is_none_or(|rows| rows.contains(&row) || rows.start > row));
            }
        }
    }
}
