//! What differs between two texts, for people who look at them side by side.
//!
//! Two levels: Myers on lines, then inside each change lines are paired by the words they share (`align`) and Myers
//! runs on the `words` of each pair. The clock bounds all of it: changes that are reached after the deadline, and all
//! changes when more than a megabyte of text differs, stay at the level of lines, [`Precision`] says so, and
//! [`refine_change`] makes up for it one change at a time.
//!
//! Callers may rely on: the lines of each side are the whole text, in order; equal rows are equal to the byte; what is
//! left of two paired lines without their changed ranges is equal to the byte; changed ranges hold whole words and end
//! at character boundaries; the same two texts give the same pairs whichever is the source. A missing last line break
//! is no difference.

mod align;
mod compare;
mod fold;
mod refine;
mod runs;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;
use std::ops::Range;

pub use compare::diff;
pub use fold::{Shown, folded};
pub use refine::{RefinedChange, refine_change};
pub(crate) use runs::{Run, shared_runs};
pub(crate) use words::words;

/// Two texts, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Diff {
    /// All lines of both texts.
    pub rows: Vec<Row>,
    /// First row of each change: a maximal run of rows that are not equal.
    pub changes: Vec<usize>,
    /// Whether words were compared in all changes.
    pub precision: Precision,
    /// Share of the source's words shown as equal, punctuation aside; 1 when it has none.
    pub equal_source: f64,
    /// The same of the target's.
    pub equal_target: f64,
    /// For each change, whether its words are still to be compared.
    line_level: Vec<bool>,
    /// Words of the source, of the target, and equal ones.
    words: (usize, usize, usize),
}

/// One row of a diff: the lines that are shown side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The source's line, if it has one here.
    pub source: Option<Line>,
    pub target: Option<Line>,
    pub kind: RowKind,
}

/// How the two lines of a row relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKind {
    /// The same text on both sides.
    Equal,
    /// Forms of one line, or one line in the place of another, however unlike.
    Changed,
    /// A line that only the source has.
    OnlySource,
    /// A line that only the target has.
    OnlyTarget,
}

/// One line of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u32,
    /// Its bytes in the text, without the line break.
    pub span: Range<usize>,
    /// The bytes in the text that differ, ascending, none empty. Of a line without counterpart: all.
    pub changed: Vec<Range<usize>>,
}

/// How finely the changes were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// Words in all of them.
    Words,
    /// In some or all of them only lines.
    LinesOnly { reason: Reason },
}

/// Why words were not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Too much text differs: so many bytes, both sides together.
    Size(usize),
    Time,
}

impl Diff {
    /// The rows of change number `change`; none when there is no such change.
    pub fn rows_of(&self, change: usize) -> Range<usize> {
        let Some(&first) = self.changes.get(change) else { return 0..0 };
        let len = self.rows[first..].iter().take_while(|row| row.kind != RowKind::Equal).count();
        first..first + len
    }

    /// Whether the words of change number `change` are still to be compared.
    pub fn is_line_level(&self, change: usize) -> bool {
        self.line_level.get(change).is_some_and(|&coarse| coarse)
    }

    /// Finds the changes among `rows`, which are at the level of lines or not.
    fn note_changes(&mut self, rows: Range<usize>, line_level: bool) {
        let mut equal = true;
        for (at, row) in rows.clone().zip(&self.rows[rows]) {
            if equal && row.kind != RowKind::Equal {
                self.changes.push(at);
                self.line_level.push(line_level);
            }
            equal = row.kind == RowKind::Equal;
        }
    }

    /// Computes the shares again after [`Diff::words`] changed.
    fn update_shares(&mut self) {
        let share = |all: usize| if all == 0 { 1.0 } else { self.words.2 as f64 / all as f64 };
        (self.equal_source, self.equal_target) = (share(self.words.0), share(self.words.1));
    }

    /// Swaps source and target. Among lines without counterpart those of the source stay first.
    fn swap(&mut self) {
        for row in &mut self.rows {
            std::mem::swap(&mut row.source, &mut row.target);
            row.kind = match row.kind {
                RowKind::OnlySource => RowKind::OnlyTarget,
                RowKind::OnlyTarget => RowKind::OnlySource,
                both => both,
            };
        }
        let lone = |row: &Row| row.kind >= RowKind::OnlySource;
        for run in self.rows.chunk_by_mut(|a, b| lone(a) && lone(b)) {
            run.sort_by_key(|row| row.kind);
        }
        self.words = (self.words.1, self.words.0, self.words.2);
        self.update_shares();
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words => f.write_str("word by word"),
            Self::LinesOnly { reason: Reason::Size(bytes) } => {
                write!(f, "lines only: {:.1} MB differ", *bytes as f64 / 1e6)
            }
            Self::LinesOnly { reason: Reason::Time } => f.write_str("some changes by lines only: out of time"),
        }
    }
}
