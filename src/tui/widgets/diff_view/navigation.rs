//! Jumps in the texts: to search results, changes, runs of equal lines, evidence.

use ratatui::layout::Rect;

use super::search::Search;
use super::{CONTEXT, DiffView, Equal, Spans, Texts, Unlocked};
use dejaview_text::diff::Shown;

impl DiffView {
    /// Searches for words and shows the first result from the top of the screen on.
    pub fn search(&mut self, query: &str, texts: &Texts, area: Rect) {
        self.fit(texts, area);
        self.search = Search::new(query, texts);
        let first = self.search.nearest(self.row().unwrap_or(0), true, true);
        self.show_result(first, texts, area);
    }

    /// Searches for the first changed word at the top of the screen.
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

    pub(super) fn step_result(&mut self, texts: &Texts, area: Rect, forward: bool) {
        let same = self.current_result.filter(|(_, top)| *top == self.top);
        let next = match same {
            Some((result, _)) => self.search.step(result, forward),
            None => self.search.nearest(self.row().unwrap_or(0), forward, false),
        };
        self.show_result(next, texts, area);
    }

    pub(super) fn show_result(&mut self, number: usize, texts: &Texts, area: Rect) {
        let Some(result) = self.search.get(number) else { return };
        self.reveal(result.row, texts);
        self.top.1 = self.piece_of(texts, area, result.row, result.side, result.byte);
        self.remember_top();
        self.current_result = Some((number, self.top));
    }

    pub(super) fn go_to_change(&mut self, texts: &Texts, forward: bool) {
        let here = self.row().unwrap_or(0) + CONTEXT.min(1);
        let changes = &texts.diff.changes;
        let found = if forward {
            changes.iter().find(|&&row| row > here)
        } else {
            changes.iter().rev().find(|&&row| row + 1 < here)
        };
        if let Some(&row) = found {
            let top = if self.equal == Equal::Hidden { row } else { row.saturating_sub(1) };
            self.put_at_top(top);
        }
    }

    /// To the beginning of the next or the previous run of equal lines.
    pub(super) fn go_to_run(&mut self, texts: &Texts, forward: bool) {
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
            self.put_at_top(row);
        }
    }

    /// Puts a row at the top, out of its fold if it is in one.
    pub(super) fn reveal(&mut self, row: usize, texts: &Texts) {
        let fold = match self.items.get(self.item_of(row)) {
            Some(Shown::Fold { first, rows }) if (*first..first + rows).contains(&row) => Some(*first),
            _ => None,
        };
        let hidden = self.equal == Equal::Hidden && self.items.get(self.item_of(row)) != Some(&Shown::Row(row));
        if let Some(first) = fold {
            self.open.insert(texts.equal_from(first));
            self.rebuild(texts);
        } else if hidden {
            self.equal = Equal::Shown;
            self.rebuild(texts);
        }
        self.put_at_top(row);
    }

    /// Shows the first span of each text and highlights all. Where the two are in different rows, the sides separate.
    pub fn jump(&mut self, spans: Spans, texts: &Texts, area: Rect) {
        self.fit(texts, area);
        let first = |side: usize| {
            let byte = spans[side].first()?.start;
            Some((texts.row_of(side, byte)?, side, byte))
        };
        let firsts: Vec<(usize, usize, usize)> = [0, 1].into_iter().filter_map(first).collect();
        for &(row, ..) in &firsts {
            self.reveal(row, texts);
        }
        let separate = matches!(firsts[..], [a, b] if a.0 != b.0);
        self.unlocked = separate.then_some(Unlocked { moving: 0, tops: [self.top; 2] });
        self.blink = None;
        // Source last, so that it is the side that scrolls next.
        for &(row, side, byte) in firsts.iter().rev() {
            let start = texts.line(row, side).map_or(0, |line| line.span.start);
            let part = self.piece_of(texts, area, row, side, byte.saturating_sub(start));
            self.unlocked.iter_mut().for_each(|unlocked| unlocked.moving = side);
            self.top = (self.item_of(row), part);
            self.scroll(texts, area, -(isize::try_from(area.height).unwrap_or(0) / 3));
        }
        self.mark(spans);
    }

    /// Highlights what an explanation points at, in place of what was highlighted.
    pub fn mark(&mut self, spans: Spans) {
        self.marks = spans;
        self.marks.iter_mut().for_each(|spans| spans.sort_by_key(|span| (span.start, span.end)));
    }

    /// What to say when a search found nothing.
    pub fn search_failure(&self) -> Option<String> {
        self.search.found_nothing().then(|| self.search.summary(0)).flatten()
    }
}
