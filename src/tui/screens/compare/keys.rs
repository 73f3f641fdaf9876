//! What keys do on Compare.

use ratatui::layout::Rect;

use super::why::Outcome;
use super::{Compare, MAX_ZOOM, about};
use crate::action::Action;
use crate::contract::{Here, Request, Screen};
use crate::data::StudyData;
use crate::labelling;
use crate::pane::{Form, Notice, compare_words, read};
use crate::widgets::cursor::moved;
use dejaview_labels::{Circumstances, EventKind, Label};

impl Compare {
    /// None when the action is not for this screen.
    pub(super) fn update(&mut self, action: Action, data: &StudyData, area: Rect) -> Option<Vec<Request>> {
        self.pane.notice = None;
        let empty = self.pane.ids.source.is_empty();
        match action {
            Action::Why | Action::Rendered | Action::About if empty => {}
            Action::Why if self.why.is_some() => self.close_why(),
            Action::Why => {
                (self.in_why, self.about) = (true, None);
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
            Action::ZoomIn => self.zoom_to(self.zoom + 1),
            Action::ZoomOut => self.zoom_to(self.zoom.saturating_sub(1)),
            Action::NextPane if self.why.is_some() => self.in_why = !self.in_why,
            Action::WhatIf if !self.in_why() => {
                self.pane.notice = Some(Notice::WhyFirst);
            }
            _ => return self.update_focused(action, data, area),
        }
        Some(Vec::new())
    }

    fn zoom_to(&mut self, to: u8) {
        let max = if self.why.is_some() { MAX_ZOOM } else { MAX_ZOOM - 1 };
        if to == self.zoom || to > max {
            self.pane.notice = Some(Notice::ZoomEnd);
        }
        self.zoom = to.min(max);
    }

    /// Gives the action to the pane that has the keys.
    fn update_focused(&mut self, action: Action, data: &StudyData, area: Rect) -> Option<Vec<Request>> {
        let areas = self.areas(area, data);
        if self.in_why()
            && let Some(why) = &mut self.why
        {
            let page = usize::from(areas.why.height.saturating_sub(1));
            if action == Action::WhatIf && why.row_at_cursor().is_some_and(|row| row.runs.is_empty()) {
                self.pane.notice = Some(Notice::NotARun);
                return Some(Vec::new());
            }
            if let Some(Outcome { ask, jump }) = why.update(action, page) {
                let mut requests: Vec<Request> = ask.map(|ask| self.request(ask)).into_iter().collect();
                let wanted = jump.and_then(|spans| self.pane.jump(spans, areas.texts));
                requests.extend(wanted.into_iter().flat_map(read::<Self>));
                return Some(requests);
            }
        }
        if let (Some(top), Some(Ok(open))) = (self.about, &self.pane.open) {
            let last = about::lines(open, data).len().saturating_sub(1);
            if let Some(to) = moved(action, top, usize::from(areas.texts.height), last) {
                self.about = Some(to);
                return Some(Vec::new());
            }
        }
        if action == Action::Open
            && let Some(request) = compare_words::<Self>(&self.pane)
        {
            return Some(vec![request]);
        }
        self.pane.update(action, areas.texts).then(Vec::new)
    }

    pub(super) fn decide(&self, label: Label, here: &mut Here<'_>) -> Vec<Request> {
        let Some(subject) = self.subject() else { return Vec::new() };
        let again = labelling::changes_nothing(&subject, &EventKind::Label(label), here.shared);
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
        let more = if again { " already: nothing new is written" } else { "" };
        here.shared.message = Some(format!("“{}”{more} · {undo} takes it back · {next} goes on", label.name()));
        requests
    }

    /// Undoes or redoes, and goes to the pair it concerns.
    pub(super) fn take_back(&mut self, undo: bool, here: &mut Here<'_>) -> Vec<Request> {
        let Some(taken) = labelling::undo_or_redo(undo, None, here.shared) else { return Vec::new() };
        let mut requests = taken.requests;
        if taken.ids != self.pane.ids {
            requests.extend(self.open(taken.ids));
        }
        requests
    }
}
