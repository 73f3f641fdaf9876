//! A pair laid open: its two texts and how they are looked at. Shared by Compare and Label, so nothing here gives a score
//! away that was not asked for.

mod open_pair;
mod reading;

use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub use self::open_pair::{Form, OpenPair, Origin, WantedPair};
pub use self::reading::{CompareWords, ReadPair, ShowsPair, read, words};
use crate::action::Action;
use crate::pair_ids::PairIds;
use crate::theme::Theme;
use crate::widgets::diff_view::{DiffView, Texts};
use crate::widgets::glyphs::draw_text;
use dejaview_labels::DocumentOrder;
use dejaview_text::diff::RefinedChange;

/// How an action is asked for: its key, or its name.
pub type Ways<'a> = &'a dyn Fn(Action) -> String;

/// Something to tell the person about what a key did, or why it did nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// Lines are not cut, so there is nothing to the left or right.
    NotCut,
    /// Both sides move together.
    Together,
    /// There is no change further on, or none before.
    NoChange(bool),
    /// There is no shared run further on, or none before.
    NoRun(bool),
    /// No equal lines are folded on the screen.
    NoFold,
    /// Nothing was searched for.
    NotSought,
    /// The words of a change take too long.
    TooLong,
    /// Nothing is switched off outside of Why.
    WhyFirst,
    /// What is under the cursor of Why is no shared run.
    NotARun,
    /// There is no further zoom.
    Zoomed,
}

impl Note {
    /// In words.
    pub fn text(self, way: Ways<'_>) -> String {
        let side = |further: bool, what: &str| match further {
            true => format!("no further {what}"),
            false => format!("no {what} before this one"),
        };
        match self {
            Self::NotCut => {
                let (left, right) = (way(Action::Left), way(Action::Right));
                format!("{} cuts long lines; then {left} and {right} move along them", way(Action::Wrap))
            }
            Self::Together => format!("one pane, both sides together: {} parts them", way(Action::Unlock)),
            Self::NoChange(further) => side(further, "change"),
            Self::NoRun(further) => side(further, "shared run"),
            Self::NoFold => "no equal lines are folded here".to_owned(),
            Self::NotSought => format!("nothing was searched for: {} does", way(Action::Search)),
            Self::TooLong => "the words of this change take too long to compare".to_owned(),
            Self::WhyFirst => format!("{} opens Why; x there switches a shared run off", way(Action::Why)),
            Self::NotARun => {
                "only shared runs can be switched off: they stand below content and boilerplate".to_owned()
            }
            Self::Zoomed => {
                format!("that is all: {} gives more room, {} less", way(Action::ZoomIn), way(Action::ZoomOut))
            }
        }
    }
}

/// Places of source and target.
pub type Places = [Vec<Range<usize>>; 2];

/// A pair laid open.
#[derive(Debug, Default)]
pub struct Pane {
    pub ids: PairIds,
    /// Its texts once a worker has fetched them, or why it could not.
    pub open: Option<Result<Box<OpenPair>, String>>,
    /// How they are looked at.
    pub view: DiffView,
    /// Whether the target stands first.
    pub swapped: bool,
    /// What is shown of them.
    pub form: Form,
    /// Something to tell the person, for the one line below.
    pub said: Option<Note>,
    /// Whether a pair will come that is not known yet.
    pub awaited: bool,
    /// Where to go once the canonical text is there.
    jump: Option<(Places, Rect)>,
}

impl Pane {
    /// Waits for a pair, the source first.
    pub fn show(&mut self, ids: PairIds, form: Form) -> WantedPair {
        self.show_in(ids, DocumentOrder::SourceFirst, form)
    }

    /// Waits for a pair, with one or the other document first.
    pub fn show_in(&mut self, ids: PairIds, order: DocumentOrder, form: Form) -> WantedPair {
        self.form = form;
        self.expect(ids, Origin::Study(form), order == DocumentOrder::TargetFirst)
    }

    /// Waits for a pair of the calibration deck.
    pub fn show_gold(&mut self, ids: PairIds, at: usize) -> WantedPair {
        self.expect(ids, Origin::Deck(at), at % 2 == 1)
    }

    fn expect(&mut self, ids: PairIds, from: Origin, swapped: bool) -> WantedPair {
        self.close();
        self.swapped = swapped;
        self.ids = ids.clone();
        WantedPair { ids, from, swapped }
    }

    /// Shows nothing.
    pub fn close(&mut self) {
        self.open = None;
        self.awaited = false;
        self.said = None;
        self.jump = None;
        self.ids = PairIds::default();
    }

    /// Takes the texts.
    pub fn opened(&mut self, result: Result<Box<OpenPair>, String>) {
        if let Ok(open) = &result {
            self.view = self.view.fresh(&open.texts);
        }
        self.open = Some(result);
        if let Some((places, area)) = self.jump.take() {
            self.jump(places, area);
        }
    }

    /// Scrolls and the like.
    pub fn update(&mut self, action: Action, area: Rect) -> bool {
        let Some(Ok(open)) = &self.open else { return false };
        let (top, lines) = (self.view.top(), self.view.lines());
        let done = self.view.update(action, &open.texts, area);
        let moved = self.view.top() != top;
        self.said = match action {
            Action::Left | Action::Right if !done => Some(Note::NotCut),
            Action::NextPane if !done => Some(Note::Together),
            Action::NextChange | Action::PreviousChange if !moved => Some(Note::NoChange(action == Action::NextChange)),
            Action::NextRun | Action::PreviousRun if !moved => Some(Note::NoRun(action == Action::NextRun)),
            Action::Open if self.view.lines() == lines => Some(Note::NoFold),
            Action::NextHit | Action::PreviousHit if !self.view.seeks() => Some(Note::NotSought),
            _ => None,
        };
        done
    }

    /// Digests of source and target, once they are there.
    pub fn digests(&self) -> Option<[String; 2]> {
        let Some(Ok(open)) = &self.open else { return None };
        Some([open.source.digest.clone(), open.target.digest.clone()])
    }

    /// The change at the top, where only its lines are compared.
    pub fn coarse_change(&self) -> Option<(Arc<Texts>, usize)> {
        let Some(Ok(open)) = &self.open else { return None };
        Some((open.texts.clone(), self.view.coarse(&open.texts)?))
    }

    /// Takes the words of a change.
    pub fn refined(&mut self, change: usize, hunk: Option<RefinedChange>) {
        let Some(Ok(open)) = self.open.as_mut() else { return };
        match hunk {
            Some(hunk) => {
                Arc::make_mut(&mut open.texts).refine(change, hunk);
                self.view.reshow(&open.texts);
            }
            None => self.said = Some(Note::TooLong),
        }
    }

    /// Looks for words.
    pub fn search(&mut self, query: &str, area: Rect) {
        if let Some(Ok(open)) = &self.open {
            self.view.search(query, &open.texts, area);
        }
    }

    /// Goes to places of the canonical texts; asks for these first where something else is shown.
    pub fn jump(&mut self, places: Places, area: Rect) -> Option<WantedPair> {
        if self.form != Form::Text {
            let wanted = self.show(self.ids.clone(), Form::Text);
            self.jump = Some((places, area));
            return Some(wanted);
        }
        if let Some(Ok(open)) = &self.open {
            self.view.jump(places, &open.texts, area);
        }
        None
    }

    /// Draws the texts, or what is in the way.
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

    /// Which change one is at, and how the texts are looked at; how much is equal only where that gives no score away.
    pub fn status(&self, blind: bool, way: Ways<'_>) -> String {
        let Some(Ok(open)) = &self.open else { return String::new() };
        let (at, all) = self.view.place(&open.texts);
        let diff = &open.texts.diff;
        let mut parts = vec![if all == 0 { "no change".to_owned() } else { format!("change {at}/{all}") }];
        parts.extend(self.view.said(way));
        if !blind {
            let (a, b) = ((100.0 * diff.equal_source).floor(), (100.0 * diff.equal_target).floor());
            parts.push(format!("{a:.0} % of A and {b:.0} % of B equal"));
        }
        parts.push(diff.precision.to_string());
        parts.extend(self.view.coarse(&open.texts).map(|_| format!("{} compares the words here", way(Action::Open))));
        parts.extend(open.note.clone());
        parts.join(" · ")
    }

    /// Draws a line about each document, in the order in which their texts stand.
    pub fn draw_documents(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        if self.ids.source.is_empty() {
            return;
        }
        let first = usize::from(self.view.is_swapped());
        for (line, side) in [first, 1 - first].into_iter().enumerate() {
            // A is the text that came first, be it the source or, on Label, the target.
            let (mark, is_source) = (["A", "B"][side], (side == 0) != self.swapped);
            let id = if is_source { &self.ids.source } else { &self.ids.target };
            let more = match &self.open {
                Some(Ok(open)) => {
                    let document = if is_source { &open.source } else { &open.target };
                    let place = if document.segment.is_empty() {
                        String::new()
                    } else {
                        format!("segment {} · ", document.segment)
                    };
                    format!("{place}{} B {} · {}", document.bytes, document.charset, document.url)
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
