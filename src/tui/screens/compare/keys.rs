//! What keys do on Compare.

use ratatui::layout::Rect;

use super::why::{Outcome, Why};
use super::{Compare, PANES, WHY};
use crate::action::Action;
use crate::contract::{Here, Request, Screen};
use crate::data::StudyData;
use crate::labelling::{self, Among};
use crate::pane::{Form, Notice, PairPane, compare_words, read};
use crate::widgets::cursor::moved;
use crate::widgets::size::Size;
use dejaview_labels::{Circumstances, EventKind, Label};

impl Compare {
    /// None when the action is not for this screen.
    pub(super) fn update(&mut self, action: Action, data: &StudyData, screen: (Rect, Size)) -> Option<Vec<Request>> {
        self.pane.notice = None;
        let empty = self.pane.ids.source.is_empty();
        match action {
            Action::Why | Action::Rendered | Action::About if empty => {}
            Action::Why if self.why.is_some() => self.close_why(),
            Action::Why => {
                (self.focus.at, self.about) = (WHY, None);
                return Some(self.ask_why(None));
            }
            Action::Rendered => {
                let form = match self.pane.form {
                    Form::Text => Form::Rendered,
                    Form::Rendered => Form::Raw,
                    Form::Raw => Form::Text,
                };
                return Some(read::<Self>(self.pane.show(self.pane.ids.clone(), form)));
            }
            Action::About => self.about = if self.about.is_some() { None } else { Some(0) },
            Action::NextPane | Action::PreviousPane if self.why.is_some() => drop(self.focus.act(action, PANES)),
            Action::ZoomIn | Action::ZoomOut => drop(self.focus.act(action, PANES)),
            Action::WhatIf if !self.in_why() => {
                self.pane.notice = Some(Notice::WhyFirst);
            }
            _ => return self.update_focused(action, data, screen),
        }
        Some(Vec::new())
    }

    /// Gives the action to the pane that has the keys.
    fn update_focused(&mut self, action: Action, data: &StudyData, screen: (Rect, Size)) -> Option<Vec<Request>> {
        let (area, size) = screen;
        let areas = self.areas(area, size);
        let texts = PairPane::texts_inside(areas.texts, size);
        if self.in_why()
            && let Some(why) = &mut self.why
        {
            let page = why.page(areas.why, size);
            if action == Action::WhatIf && why.row_at_cursor().is_some_and(|row| row.runs.is_empty()) {
                self.pane.notice = Some(Notice::NotARun);
                return Some(Vec::new());
            }
            if let Some(Outcome { ask, jump }) = why.update(action, page) {
                let mut requests: Vec<Request> = ask.map(|ask| self.request(ask)).into_iter().collect();
                match jump {
                    Some(spans) => {
                        let wanted = self.pane.jump(spans, texts);
                        requests.extend(wanted.into_iter().flat_map(read::<Self>));
                    }
                    None => self.highlight_evidence(),
                }
                return Some(requests);
            }
        }
        if let (Some(top), Some(Ok(open))) = (self.about, &self.pane.open) {
            let last = self.about_lines(open, data).len().saturating_sub(1);
            if let Some(to) = moved(action, top, usize::from(texts.height), last) {
                self.about = Some(to);
                return Some(Vec::new());
            }
        }
        if action == Action::Open
            && let Some(request) = compare_words::<Self>(&self.pane)
        {
            return Some(vec![request]);
        }
        self.pane.update(action, texts).then(Vec::new)
    }

    /// Marks what the row under the cursor of Why points at in both texts.
    fn highlight_evidence(&mut self) {
        let row = self.why.as_ref().and_then(Why::row_at_cursor);
        let spans = row.filter(|_| self.pane.form == Form::Text).map(|row| row.spans.clone());
        self.pane.view.mark(spans.unwrap_or_default());
    }

    pub(super) fn decide(&self, label: Label, here: &mut Here<'_>) -> Vec<Request> {
        let Some(subject) = self.subject() else { return here.say("No pair is shown") };
        let again = labelling::changes_nothing(&subject, &EventKind::Label(label), here.shared);
        let before = labelling::decision(&subject, here.shared).label().filter(|_| !again);
        let mut requests = Vec::new();
        if !again {
            let circumstances = Circumstances {
                dwell_ms: here.shared.dwell(here.at),
                shown: here.shared.shown.as_ref().map(|(_, time)| time.clone()),
                // All scores are shown here.
                peeked: Some(true),
                ..Circumstances::default()
            };
            requests = labelling::record(&subject, EventKind::Label(label), circumstances, here.shared);
            if requests.is_empty() {
                return requests;
            }
        }
        let (undo, next) = (here.shared.way_to(Action::Undo), here.shared.way_to(Action::NextPair));
        let saved = if again { "Already" } else { "Saved:" };
        let before = before.map(|label| format!(" (was {})", label.name())).unwrap_or_default();
        here.shared.message = Some(format!("{saved} {}{before}  {undo} undo  {next} next pair", label.name()));
        requests
    }

    /// Undoes or redoes the last edit of the pair.
    pub(super) fn take_back(&self, undo: bool, here: &mut Here<'_>) -> Vec<Request> {
        let Some(subject) = self.subject() else { return here.say("No pair is shown") };
        let taken = labelling::undo_or_redo(undo, Among::Pair(&subject.ids), here.shared);
        taken.map(|taken| taken.requests).unwrap_or_default()
    }
}
