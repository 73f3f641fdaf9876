//! Settling what annotators decided differently: written into a journal of its own, as durably as labels.

use std::time::Duration;

use ratatui::layout::Rect;
use serde_json::json;

use super::App;
use crate::action::{Action, ScreenId};
use crate::book::Book;
use crate::contract::{Effect, Request};
use crate::kept::Kept;
use crate::pair_ids::PairIds;
use crate::screens::review::case::said;
use crate::screens::review::{Bench, ReadCases, Review, standing};
use dejaview_labels::{Case, EventKind, Label as Decision};

impl App {
    pub(super) fn on_review(&mut self, action: Action, at: Duration, area: Rect) -> Vec<Request> {
        if self.screens.get_mut::<Review>().chain.is_open()
            && (Action::LABELS.contains(&action) || action == Action::Why)
        {
            self.shared.hide();
            self.screens.get_mut::<Review>().chain.close();
            if action != Action::Why {
                self.shared.message = Some("not recorded: these are the two documents that it is about".to_owned());
            }
            return Vec::new();
        }
        if action == Action::Why {
            let effects = self.screens.get_mut::<Review>().update(action, area);
            if effects.is_none() {
                let open = self.screens.get_mut::<Review>().opened().is_some();
                let none = if open { "this case is no contradiction" } else { "Enter opens a case" };
                self.shared.message = Some(format!("{none}: only a contradiction has a way of documents"));
            }
            self.shared.hide();
            return effects.unwrap_or_default();
        }
        match action {
            Action::NearDuplicate => self.settle(Decision::NearDuplicate, at),
            Action::Not => self.settle(Decision::Not, at),
            Action::Unsure => self.settle(Decision::Unsure, at),
            Action::Undo => self.unsettle(true),
            Action::Redo => self.unsettle(false),
            _ => {
                let open = self.screens.get_mut::<Review>().opened().map(|case| case.target.clone());
                let place = self.screens.get_mut::<Review>().cursor.at;
                let effects = self.screens.get_mut::<Review>().update(action, area).unwrap_or_default();
                if matches!(action, Action::NextPair | Action::PreviousPair)
                    && self.screens.get_mut::<Review>().cursor.at == place
                {
                    self.shared.message = Some("no further case in the list".to_owned());
                }
                if self.screens.get_mut::<Review>().opened().map(|case| case.target.clone()) != open {
                    self.shared.hide();
                }
                effects
            }
        }
    }

    /// News from the journal of adjudications. What is on disk changes what the samples say, so that is asked for again.
    pub(super) fn adjudication(&mut self, kept: Kept) -> Vec<Request> {
        let saved = matches!(kept, Kept::Saved(_));
        self.shared.bench.kept(kept);
        let read = saved && self.shared.screen == ScreenId::Review;
        if read { vec![Request::job(ReadCases)] } else { Vec::new() }
    }

    /// Settles the open case and goes on to the next that is not.
    fn settle(&mut self, label: Decision, at: Duration) -> Vec<Request> {
        let Some(case) = self.screens.get_mut::<Review>().opened().cloned() else {
            let [near, not, unsure] = Action::LABELS.map(|action| self.shared.way_to(action));
            self.shared.message = Some(format!("Enter opens a case; then {near}, {not} or {unsure} settles it"));
            return Vec::new();
        };
        let Some(Ok(open)) = &self.screens.get::<Review>().pane.open else { return Vec::new() };
        if let Some(why) = &self.shared.bench.read_only {
            self.shared.message = Some(format!("not recorded: {why}"));
            return Vec::new();
        }
        let mut event = self.adjudicated(&case, label);
        event.circumstances.source_digest = Some(open.source.digest.clone());
        event.circumstances.target_digest = Some(open.target.digest.clone());
        event.circumstances.dwell_ms = self.shared.dwell(at);
        // What is settled so already is not settled again: taking that back would change nothing.
        let holds = standing(&case, &Bench::of(&self.shared.bench));
        let own = self.shared.bench.decisions.label(&case.source, &case.target, None);
        let again = own == Some(label) && holds.label() == Some(label);
        let mut effects = Vec::new();
        if !again {
            effects.push(Effect::Adjudicate(Box::new(self.shared.bench.record(event))).into());
        }
        let undo = self.shared.way_to(Action::Undo);
        self.shared.message = Some(format!("settled as “{}”; {} · {undo} takes it back", label.name(), said(&case)));
        self.shared.hide();
        match self.screens.get_mut::<Review>().next_open(&Bench::of(&self.shared.bench)) {
            Some(next) => effects.extend(next),
            None => drop(self.screens.get_mut::<Review>().close()),
        }
        effects
    }

    /// The event of an adjudication, with what it decides between.
    fn adjudicated(&self, case: &Case, label: Decision) -> dejaview_labels::Event {
        let mut event =
            dejaview_labels::Event::new(EventKind::Label(label), &case.source, &case.target, &self.shared.now());
        event.sample.clone_from(&case.sample);
        event.circumstances.order = Some(self.screens.get::<Review>().order());
        event.circumstances.peeked = Some(false);
        let own = Bench::of(&self.shared.bench).adjudicator;
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
    fn unsettle(&mut self, undo: bool) -> Vec<Request> {
        let (decisions, time) = (&self.shared.bench.decisions, self.shared.now());
        let event = if undo { decisions.undo(None, &time) } else { decisions.redo(None, &time) };
        let edit = if undo { decisions.undoable(None) } else { decisions.redoable(None) };
        let (Some(event), Some(what)) = (event, edit.map(Book::describe)) else {
            self.shared.message = Some(if undo { "nothing to undo here" } else { "nothing to redo here" }.to_owned());
            return Vec::new();
        };
        if let Some(why) = &self.shared.bench.read_only {
            self.shared.message = Some(format!("not recorded: {why}"));
            return Vec::new();
        }
        let ids = PairIds { source: event.source.clone(), target: event.target.clone() };
        let mut effects = vec![Effect::Adjudicate(Box::new(self.shared.bench.record(event))).into()];
        let done = if undo { "took back" } else { "settled again:" };
        self.shared.message = Some(format!("{done} {what} on this case"));
        self.shared.hide();
        effects.extend(self.screens.get_mut::<Review>().go(&ids));
        effects
    }
}
