//! What keys do that write: decide, note, flag, take back. On Label for the pair of the sample, on Compare for the pair
//! that is open, outside any sample.

use std::time::Duration;

use ratatui::layout::Rect;

use super::{App, Overlay, Question};
use crate::labels::{self, Label as Decision, Standing, What};
use crate::tui::action::{Action, ScreenId};
use crate::tui::book::Book;
use crate::tui::jobs::Effect;
use crate::tui::screens::compare::PairIds;
use crate::tui::widgets::prompt::Prompt;

impl App {
    pub(super) fn on_label(&mut self, action: Action, at: Duration, area: Rect) -> Vec<Effect> {
        if let Some(effects) = self.labelled(action, at) {
            return effects;
        }
        if matches!(action, Action::NextPair | Action::PreviousPair) {
            self.hide();
            return self.label.advance(&self.book.decisions, action == Action::NextPair, false);
        }
        self.label.update(action, area);
        Vec::new()
    }

    /// Does what writes; none when the action does not.
    pub(super) fn labelled(&mut self, action: Action, at: Duration) -> Option<Vec<Effect>> {
        Some(match action {
            Action::NearDuplicate => self.decide(Decision::NearDuplicate, at),
            Action::Not => self.decide(Decision::Not, at),
            Action::Unsure => self.decide(Decision::Unsure, at),
            Action::Undo => self.take_back(true),
            Action::Redo => self.take_back(false),
            Action::Note => self.open_note(),
            Action::Flag => {
                let flagged = self.standing().is_some_and(|standing| standing.flag);
                self.record(What::Flag(!flagged), None)
            }
            _ => return None,
        })
    }

    /// Ids of the pair that is on the screen and open to decisions.
    pub(super) fn looked_at(&self) -> Option<PairIds> {
        match self.screen {
            ScreenId::Label if !self.label.finished => self.label.ids(),
            ScreenId::Compare if !self.compare.pane.ids.source.is_empty() => Some(self.compare.pane.ids.clone()),
            _ => None,
        }
    }

    /// The sample that decisions on this screen belong to.
    fn sample_name(&self) -> Option<String> {
        let sample = self.label.sample().filter(|_| self.screen == ScreenId::Label);
        sample.map(|sample| sample.name.clone())
    }

    /// What holds for the pair on the screen.
    fn standing(&self) -> Option<Standing<'_>> {
        let ids = self.looked_at()?;
        Some(self.book.decisions.standing(&ids.source, &ids.target, self.sample_name().as_deref()))
    }

    fn open_note(&mut self) -> Vec<Effect> {
        let Some(note) = self.note_at_hand() else { return Vec::new() };
        self.over(Overlay::Ask(Question::Note, Prompt::with(&note)))
    }

    /// What a note on the pair on the screen begins with: the draft that was given up, else the note that holds.
    pub(super) fn note_at_hand(&mut self) -> Option<String> {
        let ids = self.looked_at()?;
        let draft = self.draft.take().filter(|(of, _)| of.as_ref() == Some(&ids)).map(|(_, text)| text);
        let note = self.standing().and_then(|standing| standing.note.map(str::to_owned));
        self.noted = Some(ids);
        Some(draft.or(note).unwrap_or_default())
    }

    /// A label on the pair on the screen; on Label then the next pair.
    fn decide(&mut self, label: Decision, at: Duration) -> Vec<Effect> {
        let dwell = self.shown.map(|shown| at.saturating_sub(shown).as_millis() as u64);
        let mut effects = self.record(What::Label(label), dwell);
        if effects.is_empty() {
            return effects;
        }
        if self.screen == ScreenId::Label {
            self.hide();
            effects.extend(self.label.advance(&self.book.decisions, true, false));
        } else {
            self.message = Some(format!("{} · u takes it back · J goes on", label.name()));
        }
        effects
    }

    pub(super) fn record(&mut self, what: What, dwell: Option<u64>) -> Vec<Effect> {
        let Some(ids) = self.looked_at() else { return Vec::new() };
        let digests = match self.pane().and_then(|pane| pane.open.as_ref()) {
            Some(Ok(open)) => (open.source.digest.clone(), open.target.digest.clone()),
            _ => return Vec::new(),
        };
        if let Some(why) = &self.book.read_only {
            self.message = Some(format!("not recorded: {why}"));
            return Vec::new();
        }
        let mut event = labels::Event::new(what, &ids.source, &ids.target, &(self.clock)());
        event.sample = self.sample_name();
        event.circumstances.dwell_ms = dwell;
        (event.circumstances.source_digest, event.circumstances.target_digest) = (Some(digests.0), Some(digests.1));
        vec![Effect::Journal(Box::new(self.book.record(event)))]
    }

    /// Undo or redo: goes to the pair it concerns.
    fn take_back(&mut self, undo: bool) -> Vec<Effect> {
        let sample = self.sample_name();
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
        self.hide();
        let ids = PairIds { source: event.source, target: event.target };
        effects.extend(match self.screen {
            ScreenId::Label => {
                self.label.place_of(&ids.source, &ids.target).map(|at| self.label.go(at)).unwrap_or_default()
            }
            _ if ids == self.compare.pane.ids => Vec::new(),
            _ => self.compare.show(ids),
        });
        effects
    }
}
