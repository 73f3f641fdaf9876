//! Two texts with their differences: side by side or stacked, in one place by turns, or each scrolled alone; wrapped or
//! cut; equal runs folded, shown or left out.
//!
//! Drawing and scrolling lay out only what is near the screen, whatever the length of the texts. Of very long lines the
//! places where they are wrapped are remembered.

mod draw;
mod layout;
mod minimap;
mod navigation;
mod scrolling;
mod search;
mod texts;

use std::collections::HashSet;
use std::ops::Range;

use ratatui::layout::Rect;

pub use self::minimap::LEGEND;
use self::scrolling::Wraps;
use self::search::Search;
pub use self::texts::Texts;
use crate::action::Action;
use dejaview_text::diff::{RowKind, Shown, folded};

/// The fewest equal lines shown around a change.
const CONTEXT: usize = 2;
/// Columns that a cut line moves at once.
const SHIFT: usize = 8;

/// Byte ranges in source and target.
pub type Spans = [Vec<Range<usize>>; 2];

/// How equal lines are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Equal {
    #[default]
    Folded,
    Shown,
    Hidden,
}

/// The sides while each scrolls separately.
#[derive(Debug, Clone, Copy)]
struct Unlocked {
    /// The side that scrolls now: 0 is the source.
    moving: usize,
    /// First item shown of each, and how many of its lines are above the screen.
    tops: [(usize, usize); 2],
}

/// How the two texts are looked at, and where.
#[derive(Debug, Clone, Default)]
pub struct DiffView {
    items: Vec<Shown>,
    /// First item shown, and how many of its lines are above the screen.
    top: (usize, usize),
    /// Set while the sides scroll separately; `top` is then that of the side that scrolls.
    unlocked: Option<Unlocked>,
    /// Equal lines shown around a change: more than [`CONTEXT`] where the screen has room for them.
    context: usize,
    /// The columns and lines that `context` was chosen for.
    fitted: Option<(u16, u16)>,
    /// First rows of the equal stretches that a person unfolded.
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
    /// The search result gone to last, and what was at the top then: a scroll makes it outdated.
    current_result: Option<(usize, (usize, usize))>,
    /// What an explanation points at.
    marks: Spans,
    wraps: Wraps,
}

impl DiffView {
    /// A view of other texts with the settings of this one.
    pub fn for_texts(&self, texts: &Texts) -> Self {
        let mut view = Self {
            top: (0, 0),
            context: CONTEXT,
            fitted: None,
            blink: None,
            unlocked: None,
            open: HashSet::new(),
            items: Vec::new(),
            shift: 0,
            current_result: None,
            marks: Default::default(),
            wraps: Wraps::default(),
            search: Search::new(&self.search.query, texts),
            ..self.clone()
        };
        view.rebuild(texts);
        view
    }

    /// Lists the items again; the row at the top stays.
    pub fn rebuild(&mut self, texts: &Texts) {
        let row = self.row();
        let rows = 0..texts.diff.rows.len();
        self.items = match self.equal {
            _ if texts.diff.changes.is_empty() => rows.map(Shown::Row).collect(),
            Equal::Folded => folded(&texts.diff, self.context, &self.open),
            Equal::Shown => rows.map(Shown::Row).collect(),
            Equal::Hidden => rows.filter(|&row| texts.diff.rows[row].kind != RowKind::Equal).map(Shown::Row).collect(),
        };
        self.unlocked = None;
        self.put_at_top(row.unwrap_or(0));
    }

    /// Chooses how many equal lines are shown around a change, so that nothing is folded without need. The row at the top
    /// stays.
    fn fit(&mut self, texts: &Texts, area: Rect) {
        if self.is_fitted(area) {
            return;
        }
        self.fitted = Some((area.width, area.height));
        let context = self.roomiest_context(texts, area);
        if context != self.context {
            self.context = context;
            self.rebuild(texts);
        }
    }

    /// Sides that scroll separately keep their tops, so nothing is folded differently meanwhile.
    fn is_fitted(&self, area: Rect) -> bool {
        self.fitted == Some((area.width, area.height)) || self.unlocked.is_some()
    }

    /// The most equal lines around changes with which everything is on one screen, else the fewest.
    fn roomiest_context(&self, texts: &Texts, area: Rect) -> usize {
        let fits = |context: usize| {
            let mut room = usize::from(area.height);
            folded(&texts.diff, context, &HashSet::new()).iter().all(|item| {
                let lines = match item {
                    Shown::Row(row) => self.row_lines(texts, area, *row).len().max(1),
                    Shown::Fold { .. } => 1,
                };
                let fits = lines <= room;
                room = room.saturating_sub(lines);
                fits
            })
        };
        if texts.diff.rows.len() <= usize::from(area.height) && fits(usize::MAX) {
            return usize::MAX;
        }
        (CONTEXT..usize::from(area.height)).take_while(|&context| fits(context)).last().unwrap_or(CONTEXT)
    }

    /// The diff row at the top of the screen.
    fn row(&self) -> Option<usize> {
        match self.items.get(self.top.0)? {
            Shown::Row(row) | Shown::Fold { first: row, .. } => Some(*row),
        }
    }

    /// The number of the item that shows a row.
    fn item_of(&self, row: usize) -> usize {
        let at = self.items.partition_point(|shown| match shown {
            Shown::Row(r) => *r < row,
            Shown::Fold { first, rows } => first + rows <= row,
        });
        at.min(self.items.len().saturating_sub(1))
    }

    fn put_at_top(&mut self, row: usize) {
        self.top = (self.item_of(row), 0);
        self.remember_top();
    }

    /// Keeps the top of the side that scrolls separately.
    fn remember_top(&mut self) {
        if let Some(unlocked) = &mut self.unlocked {
            unlocked.tops[unlocked.moving] = self.top;
        }
    }

    /// What is at the top of the screen, and how many of its lines are above it.
    pub fn top(&self) -> (usize, usize) {
        self.top
    }

    pub fn item_count(&self) -> usize {
        self.items.len()
    }

    pub fn is_searching(&self) -> bool {
        !self.search.query.is_empty()
    }

    /// The row of the comparison at the top of the screen.
    pub fn top_row(&self) -> usize {
        self.row().unwrap_or(0)
    }

    /// Puts a row at the top of the screen, or the fold that it is in.
    pub fn to_row(&mut self, row: usize, texts: &Texts) {
        if row < texts.diff.rows.len() {
            self.put_at_top(row);
        }
    }

    /// Whether the second text stands on the left, or above the first.
    pub fn is_swapped(&self) -> bool {
        self.swapped
    }

    /// Whether the end of the texts is on the screen.
    pub fn reaches_end(&self, texts: &Texts, area: Rect) -> bool {
        let mut room = usize::from(area.height) + self.top.1;
        for item in self.top.0..self.items.len() {
            let height = self.height(texts, area, item);
            if height > room {
                return false;
            }
            room -= height;
        }
        true
    }

    /// Does what an action asks; false when it is not for this view.
    pub fn update(&mut self, action: Action, texts: &Texts, area: Rect) -> bool {
        if action != Action::Blink {
            self.blink = None;
        }
        self.fit(texts, area);
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
                self.remember_top();
            }
            Action::NextChange => self.go_to_change(texts, true),
            Action::PreviousChange => self.go_to_change(texts, false),
            Action::NextRun => self.go_to_run(texts, true),
            Action::PreviousRun => self.go_to_run(texts, false),
            Action::NextResult => self.step_result(texts, area, true),
            Action::PreviousResult => self.step_result(texts, area, false),
            Action::SearchHere => self.search_here(texts, area),
            Action::Open => self.unfold(texts, area),
            _ => return self.set_view(action, texts, area),
        }
        self.clamp_top(texts, area);
        true
    }

    /// Changes a setting; false when the action is not for this view.
    fn set_view(&mut self, action: Action, texts: &Texts, area: Rect) -> bool {
        match action {
            Action::View => {
                self.stacked = Some(!self.is_stacked(texts, area));
                self.fitted = None;
            }
            Action::Wrap => (self.cut, self.shift, self.fitted) = (!self.cut, 0, None),
            Action::Left if self.cut => self.shift = self.shift.saturating_sub(SHIFT),
            Action::Right if self.cut => self.shift += SHIFT,
            Action::Swap => self.swapped = !self.swapped,
            Action::Blink => {
                let first = usize::from(self.swapped);
                self.unlocked = None;
                self.blink = Some(self.blink.map_or(first, |side| 1 - side));
            }
            Action::Unlock => self.unlock(),
            Action::NextPane if self.unlocked.is_some() => self.other_side(),
            Action::Fold => {
                self.equal = match self.equal {
                    Equal::Folded => Equal::Shown,
                    Equal::Shown => Equal::Hidden,
                    Equal::Hidden => Equal::Folded,
                };
                self.open.clear();
                self.rebuild(texts);
            }
            _ => return false,
        }
        self.fit(texts, area);
        self.clamp_top(texts, area);
        true
    }

    /// Shows both sides again.
    pub fn stop_blinking(&mut self) {
        self.blink = None;
    }

    /// Keeps the top inside what is shown.
    fn clamp_top(&mut self, texts: &Texts, area: Rect) {
        self.top.1 = self.top.1.min(self.height(texts, area, self.top.0).saturating_sub(1));
        self.remember_top();
    }

    /// Separates the sides, or locks them together at the top of the one that scrolled.
    fn unlock(&mut self) {
        self.blink = None;
        self.unlocked = match self.unlocked {
            Some(_) => None,
            None => Some(Unlocked { moving: usize::from(self.swapped), tops: [self.top; 2] }),
        };
    }

    fn other_side(&mut self) {
        if let Some(unlocked) = &mut self.unlocked {
            unlocked.moving = 1 - unlocked.moving;
            self.top = unlocked.tops[unlocked.moving];
        }
    }

    /// Number of the change at or after the top of the screen, counted from 1, and of all.
    pub fn change_position(&self, texts: &Texts) -> (usize, usize) {
        let changes = &texts.diff.changes;
        let here = self.row().unwrap_or(0);
        ((changes.partition_point(|&row| row < here) + 1).min(changes.len()), changes.len())
    }

    /// The change at the top of the screen or behind it whose words are still to be compared.
    pub fn unrefined_change(&self, texts: &Texts) -> Option<usize> {
        texts.change_at(self.row().unwrap_or(0)).filter(|&change| texts.diff.is_line_level(change))
    }

    /// Settings that are not the default, and what a search found.
    pub fn notes(&self, way: &dyn Fn(Action) -> String) -> Vec<String> {
        let name = |side: usize| if side == 0 { "A" } else { "B" };
        let mut notes = Vec::new();
        notes.extend(self.blink.map(|side| {
            format!("{} alone · {} shows {}, any other key both", name(side), way(Action::Blink), name(1 - side))
        }));
        notes.extend(self.unlocked.map(|unlocked| {
            let (other, both) = (way(Action::NextPane), way(Action::Unlock));
            format!("{} scrolls alone · {other} the other, {both} both", name(unlocked.moving))
        }));
        notes.extend(self.swapped.then(|| "swapped: B first".to_owned()));
        notes.extend((self.equal == Equal::Hidden).then(|| "only differences".to_owned()));
        notes.extend(self.search.summary(self.nearest_result()));
        notes
    }

    /// The search result gone to last, else the first from the top of the screen on.
    fn nearest_result(&self) -> usize {
        match self.current_result.filter(|(_, top)| *top == self.top) {
            Some((result, _)) => result,
            None => self.search.nearest(self.row().unwrap_or(0), true, true),
        }
    }

    /// Opens the first fold on the screen.
    fn unfold(&mut self, texts: &Texts, area: Rect) {
        let visible = self.items.iter().skip(self.top.0).take(usize::from(area.height));
        let fold = visible.into_iter().find_map(|shown| match shown {
            Shown::Fold { first, .. } => Some(*first),
            Shown::Row(_) => None,
        });
        if let Some(first) = fold {
            self.open.insert(texts.equal_from(first));
            self.rebuild(texts);
        }
    }

    /// Moves by lines of the screen and lays out each item that is passed once. The end of the texts stays at the bottom of
    /// the screen, unless it is above that already or one side scrolls separately.
    fn scroll(&mut self, texts: &Texts, area: Rect, lines: isize) {
        let to = self.scrolled(self.top, lines, texts, area);
        let free = lines <= 0 || self.unlocked.is_some();
        self.top = if free { to } else { self.top.max(to.min(self.bottom(texts, area))) };
        self.remember_top();
    }

    /// The top of the screen that has the end at its foot.
    fn bottom(&self, texts: &Texts, area: Rect) -> (usize, usize) {
        let last = self.items.len().saturating_sub(1);
        let end = (last, self.scrolled_height(texts, area, last).saturating_sub(1));
        self.scrolled(end, 1 - isize::try_from(area.height).unwrap_or(0).max(1), texts, area)
    }

    fn scrolled(&self, from: (usize, usize), lines: isize, texts: &Texts, area: Rect) -> (usize, usize) {
        scrolling::scrolled(from, lines, self.items.len(), |item| self.scrolled_height(texts, area, item))
    }

    /// The lines of the screen that an item takes on the side that scrolls.
    fn scrolled_height(&self, texts: &Texts, area: Rect, item: usize) -> usize {
        match self.unlocked {
            Some(unlocked) => self.height_on_side(texts, area, item, unlocked.moving),
            None => self.height(texts, area, item),
        }
    }
}

#[cfg(test)]
mod tests;
