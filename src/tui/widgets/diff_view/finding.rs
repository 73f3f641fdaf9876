//! To places in the texts: words searched for, changes, runs of equal lines, evidence.

use std::ops::Range;

use ratatui::layout::Rect;

use super::search::Search;
use super::{Apart, CONTEXT, DiffView, Equal, Texts};
use dejaview_text::diff::Shown;

impl DiffView {
    /// Looks for words from the top of the screen on.
    pub fn search(&mut self, query: &str, texts: &Texts, area: Rect) {
        self.search = Search::new(query, texts);
        let first = self.search.near(self.row().unwrap_or(0), true, true);
        self.stop_at(first, texts, area);
    }

    /// Looks for the first word of the change that one is at.
    pub(super) fn search_here(&mut self, texts: &Texts, area: Rect) {
        let rows = texts.change_at(self.row().unwrap_or(0)).map(|change| texts.diff.rows_of(change));
        let words = rows.into_iter().flatten().flat_map(|row| [0, 1].map(|side| (row, side)));
        let word = words.into_iter().find_map(|(row, side)| {
            let line = texts.line(row, side)?;
            let changed = line.changed.iter().filter_map(|span| texts.text(side).get(span.clone()));
            changed.flat_map(|text| text.split(|c: char| !c.is_alphanumeric())).find(|word| !word.is_empty())
        });
        if let Some(word) = word.map(str::to_owned) {
            self.search(&word, texts, area);
        }
    }

    pub(super) fn hit(&mut self, texts: &Texts, area: Rect, forward: bool) {
        let same = self.stopped.filter(|(_, top)| *top == self.top);
        let next = match same {
            Some((stop, _)) => self.search.step(stop, forward),
            None => self.search.near(self.row().unwrap_or(0), forward, false),
        };
        self.stop_at(next, texts, area);
    }

    pub(super) fn stop_at(&mut self, number: usize, texts: &Texts, area: Rect) {
        let Some(stop) = self.search.stop(number) else { return };
        self.reveal(stop.row, texts);
        self.top.1 = self.piece_of(texts, area, stop.row, stop.side, stop.byte);
        self.sync();
        self.stopped = Some((number, self.top));
    }

    pub(super) fn change(&mut self, texts: &Texts, forward: bool) {
        let here = self.row().unwrap_or(0) + CONTEXT.min(1);
        let changes = &texts.diff.changes;
        let found = if forward {
            changes.iter().find(|&&row| row > here)
        } else {
            changes.iter().rev().find(|&&row| row + 1 < here)
        };
        if let Some(&row) = found {
            let before = if self.equal == Equal::LeftOut { row } else { row.saturating_sub(1) };
            self.place_row(before);
        }
    }

    /// To the beginning of the next or of the last run of equal lines.
    pub(super) fn run(&mut self, texts: &Texts, forward: bool) {
        let here = self.row().unwrap_or(0);
        let diff = &texts.diff;
        let begins = |change: usize| diff.rows_of(change).end;
        let equal_first = diff.changes.first().is_some_and(|&first| first > 0);
        let (mut low, mut high) = (0, diff.changes.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let passed = if forward { begins(middle) <= here } else { begins(middle) < here };
            if passed { low = middle + 1 } else { high = middle }
        }
        let found = match forward {
            true => (low < diff.changes.len()).then(|| begins(low)),
            false => low.checked_sub(1).map(begins).or(equal_first.then_some(0)),
        };
        if let Some(row) = found.filter(|&row| row < diff.rows.len()) {
            self.place_row(row);
        }
    }

    /// Puts a row at the top, out of its fold if it is in one.
    pub(super) fn reveal(&mut self, row: usize, texts: &Texts) {
        let hidden = match self.shown.get(self.item_of(row)) {
            Some(Shown::Fold { first, rows }) if (*first..first + rows).contains(&row) => Some(*first),
            _ => None,
        };
        let left_out = self.equal == Equal::LeftOut && self.shown.get(self.item_of(row)) != Some(&Shown::Row(row));
        if let Some(first) = hidden {
            self.open.insert(first);
            self.reshow(texts);
        } else if left_out {
            self.equal = Equal::Shown;
            self.reshow(texts);
        }
        self.place_row(row);
    }

    /// Goes to a place of each text and marks all that are given. Where the two stand in different rows the sides part.
    pub fn jump(&mut self, spans: [Vec<Range<usize>>; 2], texts: &Texts, area: Rect) {
        let first = |side: usize| {
            let byte = spans[side].first()?.start;
            Some((texts.row_of(side, byte)?, side, byte))
        };
        let places: Vec<(usize, usize, usize)> = [0, 1].into_iter().filter_map(first).collect();
        for &(row, ..) in &places {
            self.reveal(row, texts);
        }
        let parted = matches!(places[..], [a, b] if a.0 != b.0);
        self.apart = parted.then_some(Apart { moves: 0, tops: [self.top; 2] });
        self.blink = self.blink.filter(|_| !parted);
        // From the second to the first, so that the first is the one that moves on.
        for &(row, side, byte) in places.iter().rev() {
            let start = texts.line(row, side).map_or(0, |line| line.span.start);
            let part = self.piece_of(texts, area, row, side, byte.saturating_sub(start));
            self.apart.iter_mut().for_each(|apart| apart.moves = side);
            self.top = (self.item_of(row), part);
            self.scroll(texts, area, -(isize::try_from(area.height).unwrap_or(0) / 3));
        }
        self.marks = spans;
        self.marks.iter_mut().for_each(|spans| spans.sort_by_key(|span| (span.start, span.end)));
    }

    /// Forgets the marks.
    pub fn unmark(&mut self) {
        self.marks = Default::default();
    }
}
