//! Two texts with their differences: side by side or stacked, in one place by turns, or each scrolled alone; wrapped or
//! cut; equal runs folded, shown or left out.
//!
//! Drawing and scrolling lay out only what is near the screen, whatever the length of the texts. Of very long lines the
//! places where they are wrapped are remembered.

mod draw;
mod finding;
mod layout;
mod minimap;
mod places;
mod search;
mod texts;

use std::collections::HashSet;
use std::ops::Range;

use ratatui::layout::Rect;

use self::places::Wraps;
use self::search::Search;
pub use self::texts::Texts;
use crate::action::Action;
use dejaview_text::diff::{RowKind, Shown, folded};

/// Equal lines shown around a change.
const CONTEXT: usize = 2;
/// Columns that a cut line moves at once.
const SHIFT: usize = 8;

/// What becomes of equal lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Equal {
    /// Long runs of them are folded.
    #[default]
    Folded,
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

    /// What is at the top of the screen, and how many of its lines are above it.
    pub fn top(&self) -> (usize, usize) {
        self.top
    }

    /// How many rows and folds are shown.
    pub fn lines(&self) -> usize {
        self.shown.len()
    }

    /// Whether something was searched for.
    pub fn seeks(&self) -> bool {
        !self.search.query.is_empty()
    }

    /// The row of the comparison at the top of the screen.
    pub fn top_row(&self) -> usize {
        self.row().unwrap_or(0)
    }

    /// Puts a row at the top of the screen, or the fold that it is in.
    pub fn to_row(&mut self, row: usize, texts: &Texts) {
        if row < texts.diff.rows.len() {
            self.place_row(row);
        }
    }

    /// Whether the second text stands on the left, or above the first.
    pub fn is_swapped(&self) -> bool {
        self.swapped
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
                self.top = self.bottom(texts, area);
                self.sync();
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
    pub fn said(&self, way: &dyn Fn(Action) -> String) -> Vec<String> {
        let name = |side: usize| if side == 0 { "A" } else { "B" };
        let mut said = Vec::new();
        said.extend(self.blink.map(|side| {
            let (other, both) = (way(Action::Blink), way(Action::View));
            format!("{} alone: {other} shows {} in its place, {both} both", name(side), name(1 - side))
        }));
        said.extend(self.apart.map(|apart| {
            let (other, both) = (way(Action::NextPane), way(Action::Unlock));
            format!("{} moves alone: {other} the other, {both} both", name(apart.moves))
        }));
        said.extend(self.swapped.then(|| "swapped: B first (+), then A (-)".to_owned()));
        said.extend((self.equal == Equal::LeftOut).then(|| "only differences".to_owned()));
        said.extend(self.search.said(self.hit_at_hand()));
        said
    }

    /// The hit that one stopped at, else the first from the top of the screen on.
    fn hit_at_hand(&self) -> usize {
        match self.stopped.filter(|(_, top)| *top == self.top) {
            Some((stop, _)) => stop,
            None => self.search.near(self.row().unwrap_or(0), true, true),
        }
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

    /// Moves by lines of the screen; lays each thing that is passed out once. The end stays at the foot of the screen,
    /// unless one is beyond that already, or moves one side alone along the other.
    fn scroll(&mut self, texts: &Texts, area: Rect, lines: isize) {
        let to = self.scrolled(self.top, lines, texts, area);
        let free = lines <= 0 || self.apart.is_some();
        self.top = if free { to } else { self.top.max(to.min(self.bottom(texts, area))) };
        self.sync();
    }

    /// The top of the screen that has the end at its foot.
    fn bottom(&self, texts: &Texts, area: Rect) -> (usize, usize) {
        let last = self.shown.len().saturating_sub(1);
        let end = (last, self.height_here(texts, area, last).saturating_sub(1));
        self.scrolled(end, 1 - isize::try_from(area.height).unwrap_or(0).max(1), texts, area)
    }

    fn scrolled(&self, from: (usize, usize), lines: isize, texts: &Texts, area: Rect) -> (usize, usize) {
        places::scrolled(from, lines, self.shown.len(), |item| self.height_here(texts, area, item))
    }

    /// The lines of the screen that a thing takes on the side that moves.
    fn height_here(&self, texts: &Texts, area: Rect, item: usize) -> usize {
        match self.apart {
            Some(apart) => self.height_alone(texts, area, item, apart.moves),
            None => self.height(texts, area, item),
        }
    }
}

#[cfg(test)]
mod tests;
