//! The words of one change, compared on demand.

use std::ops::Range;
use std::time::Instant;

use super::align::{Aligner, Side};
use super::compare::{Compared, in_order};
use super::words::Numbers;
use super::{Diff, Line, Precision, Row, RowKind};

/// One change with its words compared.
#[derive(Debug, Clone, PartialEq)]
pub struct RefinedChange {
    /// The rows that replace those of the change.
    pub rows: Vec<Row>,
    /// How many words turned out to be equal.
    equal: usize,
}

/// Compares the words of change number `change` of a diff, given its texts. `None` when they are compared already, or
/// when the deadline passed before the end.
pub fn refine_change(
    diff: &Diff,
    source: &str,
    target: &str,
    change: usize,
    deadline: Instant,
) -> Option<RefinedChange> {
    if !diff.is_line_level(change) {
        return None;
    }
    let rows = &diff.rows[diff.rows_of(change)];
    let (mut first, mut second) = (Lines::new(rows, |r| r.source.as_ref()), Lines::new(rows, |r| r.target.as_ref()));
    let (mut a, mut b) = (source, target);
    if !in_order(source, target) {
        ((first, second), (a, b)) = ((second, first), (target, source));
    }
    let (a, b) = (Side { text: a, lines: &first.spans }, Side { text: b, lines: &second.spans });
    let mut compared = Compared::new(Aligner { a, b, deadline, numbers: Numbers::default() });
    if !compared.change(0..first.spans.len(), 0..second.spans.len(), true) {
        return None;
    }
    let mut refined = compared.diff;
    for row in &mut refined.rows {
        row.source.iter_mut().for_each(|line| line.number += first.before);
        row.target.iter_mut().for_each(|line| line.number += second.before);
    }
    if !in_order(source, target) {
        refined.swap();
    }
    Some(RefinedChange { rows: refined.rows, equal: refined.words.2 })
}

impl Diff {
    /// Puts a refined change in the place of the coarse one. Rows behind it move: returns by how many. Nothing happens when the
    /// words of the change are compared already.
    pub fn refine(&mut self, change: usize, refined: RefinedChange) -> isize {
        if !self.is_line_level(change) {
            return 0;
        }
        let place = self.rows_of(change);
        let moved = refined.rows.len() as isize - place.len() as isize;
        let behind = self.changes.split_off(change).into_iter().skip(1);
        let coarse = self.line_level.split_off(change).into_iter().skip(1);
        let end = place.start + refined.rows.len();
        self.rows.splice(place.clone(), refined.rows);
        self.note_changes(place.start..end, false);
        self.changes.extend(behind.map(|row| row.saturating_add_signed(moved)));
        self.line_level.extend(coarse);
        if !self.line_level.contains(&true) {
            self.precision = Precision::Words;
        }
        self.words.2 += refined.equal;
        self.update_shares();
        moved
    }
}

/// The lines of one side of a change.
struct Lines {
    spans: Vec<Range<usize>>,
    /// How many lines the text has before them.
    before: u32,
}

impl Lines {
    fn new(rows: &[Row], side: impl Fn(&Row) -> Option<&Line>) -> Self {
        debug_assert!(rows.iter().all(|row| row.kind != RowKind::Equal));
        let before = rows.iter().find_map(&side).map_or(0, |line| line.number - 1);
        Self { spans: rows.iter().filter_map(side).map(|line| line.span.clone()).collect(), before }
    }
}
