//! Two texts with their differences: side by side or stacked, in one place by turns, or each scrolled alone; wrapped or
//! cut; equal runs folded, shown or left out.
//!
//! Drawing and scrolling lay out only what is near the screen, whatever the length of the texts. Of very long lines the
//! places where they are wrapped are remembered.

mod draw;
mod layout;
mod minimap;
mod search;
mod texts;

use std::collections::HashSet;
use std::ops::Range;

use ratatui::layout::Rect;

use self::layout::{Mode, Wraps};
use self::search::Search;
pub use self::texts::Texts;
use crate::text::diff::{RowKind, Shown, folded};
use crate::tui::action::Action;

/// Equal lines shown around a change.
const CONTEXT: usize = 2;
/// Bytes above which a line is long: where it is wrapped is remembered, and every hit in it is a place to stop at.
const LONG: usize = 4096;
/// Columns that a cut line moves at once.
const SHIFT: usize = 8;

/// What becomes of equal lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Equal {
    /// Long runs of them are folded.
    #[default]
    Folded,
    /// All are shown.
    Shown,
    /// None is.
    LeftOut,
}

/// Sides that are scrolled each alone.
#[derive(Debug, Clone, Copy)]
struct Apart {
    /// The side that moves: 0 is the source.
    moves: usize,
    /// First thing shown of each, and how many of its lines are above the screen.
    tops: [(usize, usize); 2],
}

/// How the two texts are looked at, and where.
#[derive(Debug, Clone, Default)]
pub struct DiffView {
    shown: Vec<Shown>,
    /// First thing shown, and how many of its lines are above the screen.
    top: (usize, usize),
    /// Set while the sides are scrolled apart; `top` is then that of the one that moves.
    apart: Option<Apart>,
    open: HashSet<usize>,
    equal: Equal,
    /// Side by side (false) or stacked (true) when a person chose; by width and script otherwise.
    stacked: Option<bool>,
    /// Whether long lines are cut at the edge.
    cut: bool,
    /// Columns to the left of the screen while lines are cut.
    shift: usize,
    /// Whether the target stands on the left.
    swapped: bool,
    /// The side that is shown alone, in the place of both.
    blink: Option<usize>,
    search: Search,
    /// The place one stopped at last, and what was at the top then.
    stopped: Option<(usize, (usize, usize))>,
    /// Places of both texts that an explanation points at.
    marks: [Vec<Range<usize>>; 2],
    wraps: Wraps,
}

impl DiffView {
    /// A view of other texts, as this one was set.
    pub fn fresh(&self, texts: &Texts) -> Self {
        let mut view = Self {
            top: (0, 0),
            apart: None,
            open: HashSet::new(),
            shown: Vec::new(),
            shift: 0,
            stopped: None,
            marks: Default::default(),
            wraps: Wraps::default(),
            search: Search::new(&self.search.query, texts),
            ..self.clone()
        };
        view.reshow(texts);
        view
    }

    /// Makes the list of what is shown anew; the row at the top stays.
    pub fn reshow(&mut self, texts: &Texts) {
        let row = self.row();
        let rows = 0..texts.diff.rows.len();
        self.shown = match self.equal {
            _ if texts.diff.changes.is_empty() => rows.map(Shown::Row).collect(),
            Equal::Folded => folded(&texts.diff, CONTEXT, &self.open),
            Equal::Shown => rows.map(Shown::Row).collect(),
            Equal::LeftOut => rows.filter(|&row| texts.diff.rows[row].kind != RowKind::Equal).map(Shown::Row).collect(),
        };
        self.apart = None;
        self.place_row(row.unwrap_or(0));
    }

    /// The diff row at the top of the screen.
    fn row(&self) -> Option<usize> {
        match self.shown.get(self.top.0)? {
            Shown::Row(row) | Shown::Fold { first: row, .. } => Some(*row),
        }
    }

    /// The number in the list of what shows a row.
    fn item_of(&self, row: usize) -> usize {
        let at = self.shown.partition_point(|shown| match shown {
            Shown::Row(r) => *r < row,
            Shown::Fold { first, rows } => first + rows <= row,
        });
        at.min(self.shown.len().saturating_sub(1))
    }

    fn place_row(&mut self, row: usize) {
        self.top = (self.item_of(row), 0);
        self.sync();
    }

    /// The side that moves alone is where the top is.
    fn sync(&mut self) {
        if let Some(apart) = &mut self.apart {
            apart.tops[apart.moves] = self.top;
        }
    }

    /// The row of the comparison at the top of the screen.
    pub fn top_row(&self) -> usize {
        self.row().unwrap_or(0)
    }

    /// Puts a row at the top of the screen.
    pub fn to_row(&mut self, row: usize, texts: &Texts) {
        if row < texts.diff.rows.len() {
            self.reveal(row, texts);
        }
    }

    /// Whether the end of the texts is on the screen.
    pub fn reaches_end(&self, texts: &Texts, area: Rect) -> bool {
        let mut room = usize::from(area.height) + self.top.1;
        for item in self.top.0..self.shown.len() {
            let height = self.height(texts, area, item);
            if height > room {
                return false;
            }
            room -= height;
        }
        true
    }

    /// Does what an action asks; false when it is none of this view's.
    pub fn update(&mut self, action: Action, texts: &Texts, area: Rect) -> bool {
        let page = isize::try_from(area.height).unwrap_or(0).max(1);
        match action {
            Action::Up => self.scroll(texts, area, -1),
            Action::Down => self.scroll(texts, area, 1),
            Action::HalfUp => self.scroll(texts, area, -page / 2),
            Action::HalfDown => self.scroll(texts, area, page / 2),
            Action::PageUp => self.scroll(texts, area, -page),
            Action::PageDown => self.scroll(texts, area, page),
            Action::Top => self.top = (0, 0),
            Action::Bottom => {
                let last = self.shown.len().saturating_sub(1);
                self.top = (last, self.height(texts, area, last) - 1);
                self.scroll(texts, area, 1 - page);
            }
            Action::NextChange => self.change(texts, true),
            Action::PreviousChange => self.change(texts, false),
            Action::NextRun => self.run(texts, true),
            Action::PreviousRun => self.run(texts, false),
            Action::NextHit => self.hit(texts, area, true),
            Action::PreviousHit => self.hit(texts, area, false),
            Action::SearchHere => self.search_here(texts, area),
            Action::Open => self.unfold(texts, area),
            _ => return self.set(action, texts, area),
        }
        self.settle(texts, area);
        true
    }

    /// Changes how the texts are looked at; false when the action is none of this view's.
    fn set(&mut self, action: Action, texts: &Texts, area: Rect) -> bool {
        match action {
            Action::View => {
                let stacked = self.is_stacked(texts, area);
                if self.blink.take().is_none() {
                    self.stacked = Some(!stacked);
                }
            }
            Action::Wrap => (self.cut, self.shift) = (!self.cut, 0),
            Action::Left if self.cut => self.shift = self.shift.saturating_sub(SHIFT),
            Action::Right if self.cut => self.shift += SHIFT,
            Action::Swap => self.swapped = !self.swapped,
            Action::Blink => {
                let first = usize::from(self.swapped);
                self.apart = None;
                self.blink = Some(self.blink.map_or(first, |side| 1 - side));
            }
            Action::Unlock => self.unlock(),
            Action::NextPane if self.apart.is_some() => self.other_side(),
            Action::Fold => {
                self.equal = match self.equal {
                    Equal::Folded => Equal::Shown,
                    Equal::Shown => Equal::LeftOut,
                    Equal::LeftOut => Equal::Folded,
                };
                self.open.clear();
                self.reshow(texts);
            }
            _ => return false,
        }
        self.settle(texts, area);
        true
    }

    /// Keeps the top inside what is shown.
    fn settle(&mut self, texts: &Texts, area: Rect) {
        self.top.1 = self.top.1.min(self.height(texts, area, self.top.0).saturating_sub(1));
        self.sync();
    }

    /// Parts the sides, or puts them together where the one that moved is.
    fn unlock(&mut self) {
        self.blink = None;
        self.apart = match self.apart {
            Some(_) => None,
            None => Some(Apart { moves: usize::from(self.swapped), tops: [self.top; 2] }),
        };
    }

    fn other_side(&mut self) {
        if let Some(apart) = &mut self.apart {
            apart.moves = 1 - apart.moves;
            self.top = apart.tops[apart.moves];
        }
    }

    /// Looks for words from the top of the screen on.
    pub fn search(&mut self, query: &str, texts: &Texts, area: Rect) {
        self.search = Search::new(query, texts);
        let first = self.search.near(self.row().unwrap_or(0), true, true);
        self.stop_at(first, texts, area);
    }

    /// Looks for the first word of the change that one is at.
    fn search_here(&mut self, texts: &Texts, area: Rect) {
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

    fn hit(&mut self, texts: &Texts, area: Rect, forward: bool) {
        let same = self.stopped.filter(|(_, top)| *top == self.top);
        let next = match same {
            Some((stop, _)) => self.search.step(stop, forward),
            None => self.search.near(self.row().unwrap_or(0), forward, false),
        };
        self.stop_at(next, texts, area);
    }

    fn stop_at(&mut self, number: usize, texts: &Texts, area: Rect) {
        let Some(stop) = self.search.stop(number) else { return };
        self.reveal(stop.row, texts);
        self.top.1 = self.piece_of(texts, area, stop.row, stop.side, stop.byte);
        self.sync();
        self.stopped = Some((number, self.top));
    }

    fn change(&mut self, texts: &Texts, forward: bool) {
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
    fn run(&mut self, texts: &Texts, forward: bool) {
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

    /// Number of the change at or after the top of the screen, counted from 1, and of all.
    pub fn place(&self, texts: &Texts) -> (usize, usize) {
        let changes = &texts.diff.changes;
        let here = self.row().unwrap_or(0);
        ((changes.partition_point(|&row| row < here) + 1).min(changes.len()), changes.len())
    }

    /// The change at the top of the screen or behind it whose words are still to be compared.
    pub fn coarse(&self, texts: &Texts) -> Option<usize> {
        texts.change_at(self.row().unwrap_or(0)).filter(|&change| texts.diff.is_line_level(change))
    }

    /// How the texts are looked at where that is not as usual, and what was found.
    pub fn said(&self) -> Vec<String> {
        let name = |side: usize| if side == 0 { "A" } else { "B" };
        let mut said = Vec::new();
        said.extend(self.blink.map(|side| format!("{} alone: z shows {} in its place", name(side), name(1 - side))));
        said.extend(self.apart.map(|apart| format!("{} moves alone: Tab the other, = both", name(apart.moves))));
        said.extend((self.equal == Equal::LeftOut).then(|| "only differences".to_owned()));
        let stop = match self.stopped.filter(|(_, top)| *top == self.top) {
            Some((stop, _)) => stop,
            None => self.search.near(self.row().unwrap_or(0), true, true),
        };
        said.extend(self.search.said(stop));
        said
    }

    /// Puts a row at the top, out of its fold if it is in one.
    fn reveal(&mut self, row: usize, texts: &Texts) {
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

    /// Opens the first fold on the screen.
    fn unfold(&mut self, texts: &Texts, area: Rect) {
        let visible = self.shown.iter().skip(self.top.0).take(usize::from(area.height));
        let fold = visible.into_iter().find_map(|shown| match shown {
            Shown::Fold { first, .. } => Some(*first),
            Shown::Row(_) => None,
        });
        if let Some(first) = fold {
            self.open.insert(first);
            self.reshow(texts);
        }
    }

    /// Moves by lines of the screen; lays each thing that is passed out once.
    fn scroll(&mut self, texts: &Texts, area: Rect, lines: isize) {
        let height = |item: usize| match self.apart {
            Some(apart) => self.height_alone(texts, area, item, apart.moves),
            None => self.height(texts, area, item),
        };
        self.top = layout::scrolled(self.top, lines, self.shown.len(), height);
        self.sync();
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::text::diff::{diff, words_of_hunk};
    use crate::tui::theme::{Palette, Theme};

    const ACTIONS: [Action; 22] = [
        Action::Up,
        Action::Down,
        Action::HalfUp,
        Action::PageDown,
        Action::PageUp,
        Action::Top,
        Action::Bottom,
        Action::NextChange,
        Action::PreviousChange,
        Action::NextRun,
        Action::PreviousRun,
        Action::NextHit,
        Action::PreviousHit,
        Action::SearchHere,
        Action::Open,
        Action::View,
        Action::Wrap,
        Action::Right,
        Action::Swap,
        Action::Blink,
        Action::Unlock,
        Action::Fold,
    ];

    fn texts(source: &str, target: &str) -> Texts {
        let made = diff(source, target, Instant::now() + Duration::from_secs(60));
        Texts::new(source.to_owned(), target.to_owned(), made)
    }

    fn page(words: &[usize]) -> String {
        let pieces = ["one ", "two\n", "\n", "漢字 ", "a\tb ", "\u{202e}x", "e\u{301}", "👩‍👧 ", "مرحبا "];
        words.iter().map(|&word| pieces[word % pieces.len()]).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Whatever one does at whatever size, something is drawn and nothing is drawn outside.
        #[test]
        fn any_way_of_looking_at_any_texts(
            a in prop::collection::vec(0usize..9, 0..60),
            b in prop::collection::vec(0usize..9, 0..60),
            steps in prop::collection::vec((0usize..ACTIONS.len() + 2, 0u16..120, 0u16..12), 1..40),
        ) {
            let texts = texts(&page(&a), &page(&b));
            let theme = Theme::new(Palette::Mono);
            let mut view = DiffView::default().fresh(&texts);
            for (action, width, height) in steps {
                let area = Rect::new(2, 1, width, height);
                match ACTIONS.get(action) {
                    Some(action) => drop(view.update(*action, &texts, area)),
                    None if action == ACTIONS.len() => view.search("o", &texts, area),
                    None => {
                        let spans = |text: &str| (0..text.len().min(3)).map(|at| at..at + 1).collect();
                        view.jump([spans(&texts.source), spans(&texts.target)], &texts, area);
                    }
                }
                let mut buffer = Buffer::empty(Rect::new(0, 0, 130, 20));
                view.draw(&mut buffer, area, &texts, &theme);
                let touched = |x: u16, y: u16| buffer[(x, y)].symbol() != " ";
                let outside = (0..20).flat_map(|y| (0..130).map(move |x| (x, y)));
                let mut outside = outside.filter(|&(x, y)| !area.contains((x, y).into()));
                prop_assert!(!outside.any(|(x, y)| touched(x, y)));
                view.said();
            }
        }
    }

    #[test]
    fn words_come_on_demand_where_only_lines_were_compared() {
        let (source, target) = ("same\nthe red house by the sea\nend", "same\nthe old house by the sea\nend");
        let coarse = diff(source, target, Instant::now());
        let mut texts = Texts::new(source.to_owned(), target.to_owned(), coarse);
        let mut view = DiffView::default().fresh(&texts);
        let change = view.coarse(&texts).expect("its words are still to be compared");
        let deadline = Instant::now() + Duration::from_secs(60);
        let hunk = words_of_hunk(&texts.diff, source, target, change, deadline).expect("there is time");
        texts.refine(change, hunk);
        view.reshow(&texts);
        assert_eq!(view.coarse(&texts), None);
        let line = texts.line(1, 0).expect("a line");
        assert_eq!(line.changed.iter().map(|span| &source[span.clone()]).collect::<Vec<_>>(), ["red"]);
    }

    #[test]
    fn a_jump_parts_the_sides_where_text_has_moved() {
        let lines = |moved: usize| {
            let mut lines: Vec<String> = (0..40).map(|i| format!("line number {i} of the page")).collect();
            let line = lines.remove(30);
            lines.insert(moved, line);
            lines.join("\n")
        };
        let (source, target) = (lines(2), lines(35));
        let texts = texts(&source, &target);
        let mut view = DiffView::default().fresh(&texts);
        let area = Rect::new(0, 0, 120, 10);
        let span = |first: usize, length: usize| std::iter::once(first..first + length).collect::<Vec<_>>();
        let place = |text: &str| span(text.find("line number 30 ").expect("it is there"), 14);
        view.jump([place(&source), place(&target)], &texts, area);
        let mut buffer = Buffer::empty(area);
        view.draw(&mut buffer, area, &texts, &Theme::new(Palette::Mono));
        let row = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
        let shown: Vec<String> = buffer.content().chunks(120).map(row).collect();
        let half = |n: usize| shown.iter().any(|line| line.split('│').nth(n).is_some_and(|l| l.contains("number 30")));
        assert!(half(0) && half(1), "{shown:#?}");
        assert!(view.said().iter().any(|said| said.contains("moves alone")));
        // Text that stands in one row of both puts the sides together again.
        view.jump([span(0, 4), span(0, 4)], &texts, area);
        assert!(!view.said().iter().any(|said| said.contains("moves alone")));
    }

    #[test]
    fn a_very_long_line_is_laid_out_once() {
        let long = "word ".repeat(20_000);
        let texts = texts(&long, &long);
        let mut view = DiffView::default().fresh(&texts);
        let area = Rect::new(0, 0, 80, 24);
        view.search("word", &texts, area);
        for _ in 0..3 {
            view.update(Action::NextHit, &texts, area);
        }
        view.update(Action::Bottom, &texts, area);
        assert!(view.top.1 > 1_000 && view.reaches_end(&texts, area));
    }
}
