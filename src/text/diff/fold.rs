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

/// The rows to show: changes with `context` equal rows around them, and the rest folded, except the folds whose first
/// row is in `open`. A fold hides at least two rows. Costs what is shown, not what is hidden.
pub fn folded(diff: &Diff, context: usize, open: &HashSet<usize>) -> Vec<Shown> {
    let mut shown = Vec::new();
    let mut done = 0;
    for change in 0..=diff.changes.len() {
        let rows = if change == diff.changes.len() { diff.rows.len()..diff.rows.len() } else { diff.rows_of(change) };
        debug_assert!(diff.rows[done..rows.start].iter().all(|row| row.kind == RowKind::Equal));
        let head = if change == 0 { 0 } else { context };
        let tail = if change == diff.changes.len() { 0 } else { context };
        let first = done.saturating_add(head);
        let hidden = rows.start.saturating_sub(tail).saturating_sub(first);
        if hidden >= 2 && !open.contains(&first) {
            shown.extend((done..first).map(Shown::Row));
            shown.push(Shown::Fold { first, rows: hidden });
            done = first + hidden;
        }
        shown.extend((done..rows.end).map(Shown::Row));
        done = rows.end;
    }
    shown
}
