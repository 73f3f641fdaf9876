//! The two texts of a pair and how they are viewed. Compare, Label and Review share it, so nothing here reveals a score
//! that was not asked for.

mod header;
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
use crate::widgets::diff_view::{DiffView, LEGEND, Spans, Texts};
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::draw_text;
use crate::widgets::size::Size;
use dejaview_labels::DocumentOrder;
use dejaview_text::diff::RefinedChange;

/// Texts with less in common than this are told to be so instead of by how much.
const LITTLE_IN_COMMON: f64 = 0.1;

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
}

impl Notice {
    pub fn text(self, way: Ways<'_>) -> String {
        match self {
            Self::Wrapped => {
                format!("Lines are wrapped. Press {} to cut them and scroll sideways", way(Action::Wrap))
            }
            Self::Locked => format!("Both sides scroll together. Press {} to separate them", way(Action::Unlock)),
            Self::NoChange(next) => format!("This is the {} change", if next { "last" } else { "first" }),
            Self::NoRun(next) => format!("This is the {} shared run", if next { "last" } else { "first" }),
            Self::NoFold => "No equal lines are folded on this screen".to_owned(),
            Self::NotSearched => format!("Nothing was searched for. Press {} to search", way(Action::Search)),
            Self::TooLong => "The words of this change take too long to compare".to_owned(),
            Self::WhyFirst => {
                format!("Shared runs are switched off in Why. Press {} to open it, then x on a run", way(Action::Why))
            }
            Self::NotARun => "Only shared runs can be switched off. Choose one under content or boilerplate".to_owned(),
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
    /// The row to begin at once the texts are there.
    pub begin_at: Option<usize>,
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

    /// Waits for the texts of the pair as the study has them now, to go on where one is in them; none where no pair of the
    /// study is open.
    pub fn show_again(&mut self) -> Option<WantedPair> {
        let ids = Some(self.ids.clone()).filter(|ids| *ids != PairIds::default())?;
        let row = self.row();
        let wanted = self.wait_for(ids, Origin::Study(self.form), self.swapped);
        self.begin_at = row;
        Some(wanted)
    }

    /// The row at the top, or the one to begin at.
    pub fn row(&self) -> Option<usize> {
        if matches!(self.open, Some(Ok(_))) { Some(self.view.top_row()) } else { self.begin_at }
    }

    pub fn close(&mut self) {
        self.open = None;
        self.awaited = false;
        self.notice = None;
        self.pending_jump = None;
        self.begin_at = None;
        self.ids = PairIds::default();
    }

    /// Whether no pair is shown nor asked for.
    pub fn is_empty(&self) -> bool {
        self.open.is_none() && !self.awaited && self.ids == PairIds::default()
    }

    pub fn opened(&mut self, result: Result<Box<OpenPair>, String>) {
        if let Ok(open) = &result {
            self.view = self.view.for_texts(&open.texts);
            if let Some(row) = self.begin_at.take() {
                self.view.to_row(row, &open.texts);
            }
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
            Action::NextResult | Action::PreviousResult if !self.view.is_searching() => Some(Notice::NotSearched),
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
            Some(Err(why)) => (why.as_str(), theme.error),
            None if self.ids.source.is_empty() && !self.awaited => {
                ("No pair is open. Press 3 and choose one", theme.muted)
            }
            None => ("Reading…", theme.muted),
        };
        draw_text(buffer, place, area.width.saturating_sub(2), text, style);
    }

    /// The frame around the texts: how much of them is equal unless that must stay hidden, the change at the top of the
    /// screen, settings of the view that are not the default, and how finely the texts were compared.
    pub fn frame(&self, title: &str, blind: bool, way: Ways<'_>) -> Frame {
        let mut frame = Frame::new(title);
        let Some(Ok(open)) = &self.open else { return frame };
        let (at, all) = self.view.change_position(&open.texts);
        let diff = &open.texts.diff;
        frame.right = if all == 0 { "no changes".to_owned() } else { format!("change {at}/{all}") };
        let mut qualifiers = self.view.notes(way);
        if !blind && diff.equal_source.max(diff.equal_target) < LITTLE_IN_COMMON {
            qualifiers.push("little in common".to_owned());
        } else if !blind {
            let (a, b) = ((100.0 * diff.equal_source).floor(), (100.0 * diff.equal_target).floor());
            qualifiers.push(format!("{a:.0}% of A and {b:.0}% of B equal"));
        }
        if self.view.unrefined_change(&open.texts).is_some() {
            qualifiers.push(format!("{} compares the words here", way(Action::Open)));
        }
        frame.qualifier = qualifiers.join(" · ");
        frame.position = open.note.iter().cloned().chain([diff.precision.to_string()]).collect::<Vec<_>>().join(" · ");
        frame.legend = if all == 0 { String::new() } else { LEGEND.to_owned() };
        frame
    }

    /// Draws the texts inside their frame, with the changes on its right border.
    pub fn draw_framed(&self, buffer: &mut Buffer, area: Rect, frame: &Frame, size: Size, theme: &Theme) {
        frame.draw(buffer, area, size, theme);
        self.draw(buffer, Self::texts_inside(area, size), theme);
    }

    /// Where the texts of a framed pane are: the last column is the right border, which maps the changes.
    pub fn texts_inside(area: Rect, size: Size) -> Rect {
        let inside = Frame::inside(area, size);
        Rect { width: area.right().saturating_sub(inside.x), ..inside }
    }
}
