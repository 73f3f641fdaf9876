//! Settling what annotators decided differently: written into a journal of its own, as durably as labels.

use std::time::Duration;

use ratatui::layout::Rect;
use serde_json::json;

use super::App;
use crate::action::{Action, ScreenId};
use crate::book::Book;
use crate::jobs::{Effect, Kept};
use crate::screens::compare::PairIds;
use crate::screens::review::case::said;
use crate::screens::review::{Bench, standing};
use dejaview_labels::{Case, EventKind, Label as Decision};

impl App {
    pub(super) fn on_review(&mut self, action: Action, at: Duration, area: Rect) -> Vec<Effect> {
        if self.review.chain.is_open() && (Action::LABELS.contains(&action) || action == Action::Why) {
            self.hide();
            self.review.chain.close();
            if action != Action::Why {
                self.message = Some("not recorded: these are the two documents that it is about".to_owned());
            }
            return Vec::new();
        }
        if action == Action::Why {
            let effects = self.review.update(action, area);
            if effects.is_none() {
                let open = self.review.opened().is_some();
                let none = if open { "this case is no contradiction" } else { "Enter opens a case" };
                self.message = Some(format!("{none}: only a contradiction has a way of documents"));
            }
            self.hide();
            return effects.unwrap_or_default();
        }
        match action {
            Action::NearDuplicate => self.settle(Decision::NearDuplicate, at),
            Action::Not => self.settle(Decision::Not, at),
            Action::Unsure => self.settle(Decision::Unsure, at),
            Action::Undo => self.unsettle(true),
            Action::Redo => self.unsettle(false),
            _ => {
                let open = self.review.opened().map(|case| case.target.clone());
                let place = self.review.cursor.at;
                let effects = self.review.update(action, area).unwrap_or_default();
                if matches!(action, Action::NextPair | Action::PreviousPair) && self.review.cursor.at == place {
                    self.message = Some("no further case in the list".to_owned());
                }
                if self.review.opened().map(|case| case.target.clone()) != open {
                    self.hide();
                }
                effects
            }
        }
    }

    /// News from the journal of adjudications. What is on disk changes what the samples say, so that is asked for again.
    pub(super) fn adjudication(&mut self, kept: Kept) -> Vec<Effect> {
        match kept {
            Kept::Saved(seq) => {
                self.bench.saved(seq);
                if self.screen == ScreenId::Review {
                    return vec![self.review.ask()];
                }
            }
            Kept::NotSaved(why) => self.bench.trouble = Some(why),
            Kept::Reread(reading) => {
                let next = reading.events.iter().map(|event| event.seq).max().unwrap_or(0) + 1;
                self.bench.reread(reading.decisions, next);
            }
        }
        Vec::new()
    }

    /// Settles the open case and goes on to the next that is not.
    fn settle(&mut self, label: Decision, at: Duration) -> Vec<Effect> {
        let Some(case) = self.review.opened().cloned() else {
            let [near, not, unsure] = Action::LABELS.map(|action| self.way_to(action));
            self.message = Some(format!("Enter opens a case; then {near}, {not} or {unsure} settles it"));
            return Vec::new();
        };
        let Some(Ok(open)) = &self.review.pane.open else { return Vec::new() };
        if let Some(why) = &self.bench.read_only {
            self.message = Some(format!("not recorded: {why}"));
            return Vec::new();
        }
        let mut event = self.adjudicated(&case, label);
        event.circumstances.source_digest = Some(open.source.digest.clone());
        event.circumstances.target_digest = Some(open.target.digest.clone());
        event.circumstances.dwell_ms = self.shown.map(|shown| at.saturating_sub(shown).as_millis() as u64);
        // What is settled so already is not settled again: taking that back would change nothing.
        let holds = standing(&case, &Bench::of(&self.bench));
        let own = self.bench.decisions.label(&case.source, &case.target, None);
        let again = own == Some(label) && holds.label() == Some(label);
        let mut effects = Vec::new();
        if !again {
            effects.push(Effect::Adjudicate(Box::new(self.bench.record(event))));
        }
        let undo = self.way_to(Action::Undo);
        self.message = Some(format!("settled as “{}”; {} · {undo} takes it back", label.name(), said(&case)));
        self.hide();
        match self.review.next_open(&Bench::of(&self.bench)) {
            Some(next) => effects.extend(next),
            None => drop(self.review.close()),
        }
        effects
    }

    /// The event of an adjudication, with what it decides between.
    fn adjudicated(&self, case: &Case, label: Decision) -> dejaview_labels::Event {
        let mut event =
            dejaview_labels::Event::new(EventKind::Label(label), &case.source, &case.target, &(self.clock)());
        event.sample.clone_from(&case.sample);
        event.circumstances.order = Some(self.review.order());
        event.circumstances.peeked = Some(false);
        let own = Bench::of(&self.bench).adjudicator;
        let others: Vec<String> = case.settlements.iter().map(|one| one.who.clone()).filter(|who| who != own).collect();
        event.circumstances.overrides = Some(others).filter(|others| !others.is_empty());
        let decides: Vec<serde_json::Value> = case
            .opinions
            .iter()
            .map(|o| json!({"annotator": o.annotator, "seq": o.seq, "label": o.label.map(Decision::name)}))
            .collect();
        event.extra.insert("decides".to_owned(), decides.into());
        event
    }

    /// Undo or redo among adjudications.
    fn unsettle(&mut self, undo: bool) -> Vec<Effect> {
        let (decisions, time) = (&self.bench.decisions, (self.clock)());
        let event = if undo { decisions.undo(None, &time) } else { decisions.redo(None, &time) };
        let edit = if undo { decisions.undoable(None) } else { decisions.redoable(None) };
        let (Some(event), Some(what)) = (event, edit.map(Book::describe)) else {
            self.message = Some(if undo { "nothing to undo here" } else { "nothing to redo here" }.to_owned());
            return Vec::new();
        };
        if let Some(why) = &self.bench.read_only {
            self.message = Some(format!("not recorded: {why}"));
            return Vec::new();
        }
        let ids = PairIds { source: event.source.clone(), target: event.target.clone() };
        let mut effects = vec![Effect::Adjudicate(Box::new(self.bench.record(event)))];
        let done = if undo { "took back" } else { "settled again:" };
        self.message = Some(format!("{done} {what} on this case"));
        self.hide();
        effects.extend(self.review.go(&ids));
        effects
    }
}
