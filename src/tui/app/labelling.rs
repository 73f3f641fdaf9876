//! What keys on Label do: decide, note, flag, take back.

use std::time::Duration;

use ratatui::layout::Rect;

use super::{App, Overlay, Question};
use crate::labels::{self, Label as Decision, What};
use crate::tui::action::Action;
use crate::tui::book::Book;
use crate::tui::jobs::Effect;
use crate::tui::widgets::prompt::Prompt;

impl App {
    pub(super) fn on_label(&mut self, action: Action, at: Duration, area: Rect) -> Vec<Effect> {
        match action {
            Action::NearDuplicate => self.decide(Decision::NearDuplicate, at),
            Action::Not => self.decide(Decision::Not, at),
            Action::Unsure => self.decide(Decision::Unsure, at),
            Action::Undo => self.take_back(true),
            Action::Redo => self.take_back(false),
            Action::Note if self.label.finished => Vec::new(),
            Action::Note => {
                self.noted = self.label.ids();
                if let Some((_, text)) = self.draft.take().filter(|(ids, _)| *ids == self.noted) {
                    return self.over(Overlay::Ask(Question::Note, Prompt::with(&text)));
                }
                let note = self.label.ids().and_then(|ids| {
                    self.book.decisions.standing(&ids.source, &ids.target, self.sample_name()).note.map(str::to_owned)
                });
                self.over(Overlay::Ask(Question::Note, Prompt::with(&note.unwrap_or_default())))
            }
            Action::Flag => {
                let flagged = self
                    .label
                    .ids()
                    .is_some_and(|ids| self.book.decisions.standing(&ids.source, &ids.target, self.sample_name()).flag);
                self.record(What::Flag(!flagged))
            }
            Action::NextPair | Action::PreviousPair => {
                self.hide();
                self.label.advance(&self.book.decisions, action == Action::NextPair, false)
            }
            _ => {
                self.label.update(action, area);
                Vec::new()
            }
        }
    }

    fn sample_name(&self) -> Option<&str> {
        self.label.sample().map(|sample| sample.name.as_str())
    }

    /// A label on the pair at hand; then the next one.
    fn decide(&mut self, label: Decision, at: Duration) -> Vec<Effect> {
        if self.label.finished {
            return Vec::new();
        }
        let dwell = self.shown.map(|shown| at.saturating_sub(shown).as_millis() as u64);
        let mut effects = self.record_with(What::Label(label), dwell);
        if !effects.is_empty() {
            self.hide();
            effects.extend(self.label.advance(&self.book.decisions, true, false));
        }
        effects
    }

    pub(super) fn record(&mut self, what: What) -> Vec<Effect> {
        self.record_with(what, None)
    }

    fn record_with(&mut self, what: What, dwell: Option<u64>) -> Vec<Effect> {
        let (Some(ids), Some(sample)) = (self.label.ids(), self.sample_name()) else { return Vec::new() };
        if self.label.finished || !matches!(self.label.pane.open, Some(Ok(_))) {
            return Vec::new();
        }
        if let Some(why) = &self.book.read_only {
            self.message = Some(format!("not recorded: {why}"));
            return Vec::new();
        }
        let mut event = labels::Event::new(what, &ids.source, &ids.target, &(self.clock)()).in_sample(sample);
        event.circumstances.dwell_ms = dwell;
        if let Some(Ok(open)) = &self.label.pane.open {
            event.circumstances.source_digest = Some(open.source.digest.clone());
            event.circumstances.target_digest = Some(open.target.digest.clone());
        }
        vec![Effect::Journal(Box::new(self.book.record(event)))]
    }

    /// Undo or redo: goes to the pair it concerns.
    fn take_back(&mut self, undo: bool) -> Vec<Effect> {
        let sample = self.sample_name().map(str::to_owned);
        let decisions = &self.book.decisions;
        let time = (self.clock)();
        let (event, edit) = if undo {
            (decisions.undo(sample.as_deref(), &time), decisions.undoable(sample.as_deref()))
        } else {
            (decisions.redo(sample.as_deref(), &time), decisions.redoable(sample.as_deref()))
        };
        let (Some(event), Some(edit)) = (event, edit) else {
            self.message = Some(if undo { "nothing to undo" } else { "nothing to redo" }.to_owned());
            return Vec::new();
        };
        if let Some(why) = &self.book.read_only {
            self.message = Some(format!("not recorded: {why}"));
            return Vec::new();
        }
        let what = Book::describe(edit);
        let mut effects = vec![Effect::Journal(Box::new(self.book.record(event.clone())))];
        self.message = Some(if undo {
            format!("took back {what} on this pair · C-r makes it again · unsure is i")
        } else {
            format!("{what} on this pair again")
        });
        if let Some(at) = self.label.place_of(&event.source, &event.target) {
            self.hide();
            effects.extend(self.label.go(at));
        }
        effects
    }
}
