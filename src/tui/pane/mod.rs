//! The two texts of a pair and how they are viewed. Compare, Label and Review share it, so nothing here reveals a score
//! that was not asked for.

mod open_pair;
mod reading;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub use self::open_pair::{Form, OpenPair, Origin, WantedPair};
pub use self::reading::{CompareWords, ReadPair, ShowsPair, compare_words, read};
use crate::action::Action;
use crate::pair_ids::PairIds;
use crate::theme::Theme;
use crate::widgets::diff_view::{DiffView, Spans, Texts};
use crate::widgets::glyphs::draw_text;
use dejaview_labels::DocumentOrder;
use dejaview_text::diff::RefinedChange;

/// How an action is asked for: its key, or its name.
pub type Ways<'a> = &'a dyn Fn(Action) -> String;

/// Why a key did nothing, or not what one expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// Long lines are wrapped, so there is nothing to the left or right.
    Wrapped,
    /// Both sides scroll together, so Tab has no other side to go to.
    Locked,
    /// There is no next change (true), or no previous one.
    NoChange(bool),
    /// There is no next shared run (true), or no previous one.
    NoRun(bool),
    /// No equal lines are folded on the screen.
    NoFold,
    NotSearched,
    /// The words of a change take too long to compare.
    TooLong,
    /// Runs are switched off in Why, which is not open.
    WhyFirst,
    NotARun,
    /// The zoom is at its end.
    ZoomEnd,
}

impl Notice {
    pub fn text(self, way: Ways<'_>) -> String {
        let end = |next: bool, what: &str| match next {
            true => format!("no further {what}"),
            false => format!("no {what} before this one"),
        };
        match self {
            Self::Wrapped => {
                let (left, right) = (way(Action::Left), way(Action::Right));
                format!("{} cuts long lines; then {left} and {right} move along them", way(Action::Wrap))
            }
            Self::Locked => format!("one pane, both sides together: {} parts them", way(Action::Unlock)),
            Self::NoChange(next) => end(next, "change"),
            Self::NoRun(next) => end(next, "shared run"),
            Self::NoFold => "no equal lines are folded here".to_owned(),
            Self::NotSearched => format!("nothing was searched for: {} does", way(Action::Search)),
            Self::TooLong => "the words of this change take too long to compare".to_owned(),
            Self::WhyFirst => format!("{} opens Why; x there switches a shared run off", way(Action::Why)),
            Self::NotARun => {
                "only shared runs can be switched off: they stand below content and boilerplate".to_owned()
            }
            Self::ZoomEnd => {
                format!("that is all: {} gives more room, {} less", way(Action::ZoomIn), way(Action::ZoomOut))
            }
        }
    }
}

/// The texts of a pair.
#[derive(Debug, Default)]
pub struct PairPane {
    pub ids: PairIds,
    /// The texts once a worker has read them, or why it could not.
    pub open: Option<Result<Box<OpenPair>, String>>,
    pub view: DiffView,
    /// Whether the target is shown first.
    pub swapped: bool,
    pub form: Form,
    /// For the line of messages.
    pub notice: Option<Notice>,
    /// Whether the pair to show is still being looked for.
    pub awaited: bool,
    /// What to show once the canonical text is there.
    pending_jump: Option<(Spans, Rect)>,
}

impl PairPane {
    /// Waits for a pair with the source first.
    pub fn show(&mut self, ids: PairIds, form: Form) -> WantedPair {
        self.show_in(ids, DocumentOrder::SourceFirst, form)
    }

    pub fn show_in(&mut self, ids: PairIds, order: DocumentOrder, form: Form) -> WantedPair {
        self.form = form;
        self.wait_for(ids, Origin::Study(form), order == DocumentOrder::TargetFirst)
    }

    /// Waits for a pair of the calibration deck.
    pub fn show_calibration(&mut self, ids: PairIds, at: usize) -> WantedPair {
        self.wait_for(ids, Origin::Deck(at), at % 2 == 1)
    }

    fn wait_for(&mut self, ids: PairIds, from: Origin, swapped: bool) -> WantedPair {
        self.close();
        self.swapped = swapped;
        self.ids = ids.clone();
        WantedPair { ids, from, swapped }
    }

    pub fn close(&mut self) {
        self.open = None;
        self.awaited = false;
        self.notice = None;
        self.pending_jump = None;
        self.ids = PairIds::default();
    }

    pub fn opened(&mut self, result: Result<Box<OpenPair>, String>) {
        if let Ok(open) = &result {
            self.view = self.view.for_texts(&open.texts);
        }
        self.open = Some(result);
        if let Some((spans, area)) = self.pending_jump.take() {
            self.jump(spans, area);
        }
    }

    /// Does what an action asks of the texts; false when it is not for them.
    pub fn update(&mut self, action: Action, area: Rect) -> bool {
        let Some(Ok(open)) = &self.open else { return false };
        let (top, items) = (self.view.top(), self.view.item_count());
        let done = self.view.update(action, &open.texts, area);
        let moved = self.view.top() != top;
        self.notice = match action {
            Action::Left | Action::Right if !done => Some(Notice::Wrapped),
            Action::NextPane if !done => Some(Notice::Locked),
            Action::NextChange | Action::PreviousChange if !moved => {
                Some(Notice::NoChange(action == Action::NextChange))
            }
            Action::NextRun | Action::PreviousRun if !moved => Some(Notice::NoRun(action == Action::NextRun)),
            Action::Open if self.view.item_count() == items => Some(Notice::NoFold),
            Action::NextHit | Action::PreviousHit if !self.view.is_searching() => Some(Notice::NotSearched),
            _ => None,
        };
        done
    }

    /// Digests of source and target, once they are there.
    pub fn digests(&self) -> Option<[String; 2]> {
        let Some(Ok(open)) = &self.open else { return None };
        Some([open.source.digest.clone(), open.target.digest.clone()])
    }

    /// The change at the top of the screen, if only its lines are compared so far.
    pub fn unrefined_change(&self) -> Option<(Arc<Texts>, usize)> {
        let Some(Ok(open)) = &self.open else { return None };
        Some((open.texts.clone(), self.view.unrefined_change(&open.texts)?))
    }

    /// Takes the compared words of a change; none when that took too long.
    pub fn refined(&mut self, change: usize, refined: Option<RefinedChange>) {
        let Some(Ok(open)) = self.open.as_mut() else { return };
        match refined {
            Some(refined) => {
                Arc::make_mut(&mut open.texts).refine(change, refined);
                self.view.rebuild(&open.texts);
            }
            None => self.notice = Some(Notice::TooLong),
        }
    }

    pub fn search(&mut self, query: &str, area: Rect) {
        if let Some(Ok(open)) = &self.open {
            self.view.search(query, &open.texts, area);
        }
    }

    /// Shows spans of the canonical texts; asks for these first where another form is shown.
    pub fn jump(&mut self, spans: Spans, area: Rect) -> Option<WantedPair> {
        if self.form != Form::Text {
            let wanted = self.show(self.ids.clone(), Form::Text);
            self.pending_jump = Some((spans, area));
            return Some(wanted);
        }
        if let Some(Ok(open)) = &self.open {
            self.view.jump(spans, &open.texts, area);
        }
        None
    }

    /// Draws the texts, or why there are none.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let place = (area.x + 1, area.y);
        let (text, style) = match &self.open {
            Some(Ok(open)) => return self.view.draw(buffer, area, &open.texts, theme),
            _ if area.height == 0 => return,
            Some(Err(why)) => (why.as_str(), theme.warning),
            None if self.ids.source.is_empty() && !self.awaited => {
                ("No pair yet: choose one on screen 3 (Pairs) and press Enter.", theme.text)
            }
            None => ("reading…", theme.dim),
        };
        draw_text(buffer, place, area.width.saturating_sub(2), text, style);
    }

    /// The change at the top of the screen and the settings of the view; how much is equal unless that must stay hidden.
    pub fn status(&self, blind: bool, way: Ways<'_>) -> String {
        let Some(Ok(open)) = &self.open else { return String::new() };
        let (at, all) = self.view.change_position(&open.texts);
        let diff = &open.texts.diff;
        let mut parts = vec![if all == 0 { "no change".to_owned() } else { format!("change {at}/{all}") }];
        parts.extend(self.view.notes(way));
        if !blind {
            let (a, b) = ((100.0 * diff.equal_source).floor(), (100.0 * diff.equal_target).floor());
            parts.push(format!("{a:.0} % of A and {b:.0} % of B equal"));
        }
        parts.push(diff.precision.to_string());
        parts.extend(
            self.view.unrefined_change(&open.texts).map(|_| format!("{} compares the words here", way(Action::Open))),
        );
        parts.extend(open.note.clone());
        parts.join(" · ")
    }

    /// Draws a line about each document, in the order of their texts.
    pub fn draw_documents(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        if self.ids.source.is_empty() {
            return;
        }
        let first = usize::from(self.view.is_swapped());
        for (line, side) in [first, 1 - first].into_iter().enumerate() {
            // A is the text shown first: the source or, on Label and Review, sometimes the target.
            let (mark, is_source) = (["A", "B"][side], (side == 0) != self.swapped);
            let id = if is_source { &self.ids.source } else { &self.ids.target };
            let more = match &self.open {
                Some(Ok(open)) => {
                    let document = if is_source { &open.source } else { &open.target };
                    let segment = if document.segment.is_empty() {
                        String::new()
                    } else {
                        format!("segment {} · ", document.segment)
                    };
                    format!("{segment}{} B {} · {}", document.bytes, document.charset, document.url)
                }
                _ => String::new(),
            };
            let y = area.y + line as u16;
            if line >= usize::from(area.height) {
                return;
            }
            let used = draw_text(buffer, (area.x, y), area.width, &format!("{mark} {id}"), theme.title);
            let x = area.x + used + 2;
            draw_text(buffer, (x.min(area.x + area.width), y), area.width.saturating_sub(used + 2), &more, theme.dim);
        }
    }
}
