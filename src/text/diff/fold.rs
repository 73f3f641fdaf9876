//! Which rows are shown when long equal stretches are folded away.

use std::collections::HashSet;

use super::{Diff, RowKind};

/// One line of a folded diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// A row by its number.
    Row(usize),
    /// Equal rows behind one line.
    Fold { first: usize, rows: usize },
}

/// A shorter fold would hide little and cost a line itself.
const SHORTEST: usize = 4;

/// The rows to show: changes with `context` equal rows around them, and the rest folded, except the equal stretches whose
/// first row is in `open`. The first row of all is always shown: it holds the titles. Costs what is shown, not what is
/// hidden.
pub fn folded(diff: &Diff, context: usize, open: &HashSet<usize>) -> Vec<Shown> {
    let mut shown = Vec::new();
    let mut done = 0;
    for change in 0..=diff.changes.len() {
        let rows = if change == diff.changes.len() { diff.rows.len()..diff.rows.len() } else { diff.rows_of(change) };
        debug_assert!(diff.rows[done..rows.start].iter().all(|row| row.kind == RowKind::Equal));
        let head = if change == 0 { 1 } else { context };
        let tail = if change == diff.changes.len() { 0 } else { context };
        let first = done.saturating_add(head);
        let hidden = rows.start.saturating_sub(tail).saturating_sub(first);
        if hidden >= SHORTEST && !open.contains(&done) {
            shown.extend((done..first).map(Shown::Row));
            shown.push(Shown::Fold { first, rows: hidden });
            done = first + hidden;
        }
        shown.extend((done..rows.end).map(Shown::Row));
        done = rows.end;
    }
    shown
}
