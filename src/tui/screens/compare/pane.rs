//! A pair laid open: its two texts and how they are looked at. Shared by Compare and Label, so nothing here gives a score
//! away that was not asked for.

use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::jobs::{Effect, Form, OpenPair};
use crate::theme::Theme;
use crate::widgets::diff_view::DiffView;
use crate::widgets::glyphs::draw_text;
use dejaview_labels::DocumentOrder;
use dejaview_text::diff::RefinedChange;

/// A pair by its ids.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PairIds {
    /// Source id.
    pub source: String,
    /// Target id.
    pub target: String,
}

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
    /// Which pair.
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
    pub(super) awaited: bool,
    generation: u64,
    /// Where to go once the canonical text is there.
    jump: Option<(Places, Rect)>,
}

impl Pane {
    /// Asks for a pair.
    pub fn show(&mut self, ids: PairIds, form: Form) -> Effect {
        self.show_in(ids, DocumentOrder::SourceFirst, form)
    }

    /// Asks for a pair, with one or the other document first.
    pub fn show_in(&mut self, ids: PairIds, order: DocumentOrder, form: Form) -> Effect {
        let (source, target) = (ids.source.clone(), ids.target.clone());
        self.swapped = order == DocumentOrder::TargetFirst;
        self.form = form;
        let generation = self.expect(ids);
        Effect::Pair { generation, source, target, form, swapped: self.swapped }
    }

    /// Waits for a pair, whoever brings it; the number that its answer must bear.
    pub fn expect(&mut self, ids: PairIds) -> u64 {
        self.generation += 1;
        self.open = None;
        self.awaited = false;
        self.said = None;
        self.jump = None;
        self.ids = ids;
        self.generation
    }

    /// A pane whose wishes are numbered from here on, so that no answer to another pane's wish is taken for its own.
    pub fn numbered_from(generation: u64) -> Self {
        Self { generation, ..Self::default() }
    }

    /// Whether an answer is to the newest wish.
    pub fn awaits(&self, generation: u64) -> bool {
        generation == self.generation && self.open.is_none()
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

    /// The wish to compare the words of the change at the top, where only its lines are.
    pub fn words(&self) -> Option<Effect> {
        let Some(Ok(open)) = &self.open else { return None };
        let change = self.view.coarse(&open.texts)?;
        Some(Effect::Words { generation: self.generation, texts: open.texts.clone(), change })
    }

    /// Takes the words of a change, unless they are of another pair.
    pub fn refined(&mut self, generation: u64, change: usize, hunk: Option<RefinedChange>) {
        let Some(Ok(open)) = self.open.as_mut().filter(|_| generation == self.generation) else { return };
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
    pub(super) fn jump(&mut self, places: Places, area: Rect) -> Option<Effect> {
        if self.form != Form::Text {
            let effect = self.show(self.ids.clone(), Form::Text);
            self.jump = Some((places, area));
            return Some(effect);
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
