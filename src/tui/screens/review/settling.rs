//! Settling cases: written into a journal of its own, as durably as labels.

use serde_json::json;

use super::case::opinions;
use super::{Adjudicator, Review, standing};
use crate::action::Action;
use crate::book::Book;
use crate::contract::{Effect, Here, Request};
use crate::labelling::{self, label_given_by};
use crate::pair_ids::PairIds;
use crate::shared::Shared;
use dejaview_labels::{Case, Event, EventKind, Label as Decision};

impl Review {
    pub(super) fn on_key(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let (area, size) = (here.area(), here.shared.class());
        if self.chain.is_open() && action == Action::Why {
            here.shared.hide();
            self.chain.close();
            return Vec::new();
        }
        if let Some(label) = label_given_by(action) {
            return self.settle(label, here);
        }
        match action {
            Action::Undo => self.unsettle(true, here.shared),
            Action::Redo => self.unsettle(false, here.shared),
            Action::Why => {
                here.shared.hide();
                let requests = self.update(action, area, size);
                requests.unwrap_or_else(|| match self.opened() {
                    Some(_) => here.say("This case is not a contradiction"),
                    None => here.say("Press Enter to open a contradiction first"),
                })
            }
            _ => {
                let open = self.opened().map(|case| case.target.clone());
                let at = self.cursor.at;
                let requests = self.update(action, area, size).unwrap_or_default();
                if let Some(notice) = self.pane.notice.take() {
                    here.say(notice.text(&|action| here.shared.way_to(action)));
                }
                if matches!(action, Action::NextPair | Action::PreviousPair) && self.cursor.at == at {
                    let end = if action == Action::NextPair { "last" } else { "first" };
                    here.say(format!("This is the {end} case"));
                }
                if self.opened().map(|case| case.target.clone()) != open {
                    here.shared.hide();
                }
                requests
            }
        }
    }

    /// Settles the open case and opens the next that is not settled.
    fn settle(&mut self, label: Decision, here: &mut Here<'_>) -> Vec<Request> {
        let Some(case) = self.opened().cloned() else {
            let [near, not, unsure] = Action::LABELS.map(|action| here.shared.way_to(action));
            return here.say(format!("Press Enter to open a case, then {near}, {not} or {unsure} to settle it"));
        };
        let Some([source, target]) = self.pane.digests() else { return Vec::new() };
        let (at, shared) = (here.at, &mut *here.shared);
        if let Some(why) = &shared.adjudications.read_only {
            shared.message = Some(format!("Not saved: {why}"));
            return Vec::new();
        }
        let mut event = self.adjudication(&case, label, shared);
        (event.circumstances.source_digest, event.circumstances.target_digest) = (Some(source), Some(target));
        event.circumstances.dwell_ms = shared.dwell(at);
        // The same decision is not written again, since undoing that would change nothing.
        let holds = standing(&case, &Adjudicator::new(&shared.adjudications));
        let own = shared.adjudications.decisions().label(&case.source, &case.target, None);
        let again = own == Some(label) && holds.label() == Some(label);
        let mut requests = Vec::new();
        if !again {
            requests.push(Effect::Adjudicate(shared.adjudications.record(event)).into());
        }
        let undo = shared.way_to(Action::Undo);
        shared.message = Some(format!("Settled: {} ({})  {undo} undo", label.name(), opinions(&case)));
        shared.hide();
        match self.open_next_unsettled(&Adjudicator::new(&shared.adjudications)) {
            Some(next) => requests.extend(next),
            None => drop(self.close()),
        }
        requests
    }

    /// The event to write, with the opinions it decides between.
    fn adjudication(&self, case: &Case, label: Decision, shared: &Shared) -> Event {
        let mut event = Event::new(EventKind::Label(label), &case.source, &case.target, &shared.now());
        event.sample.clone_from(&case.sample);
        event.circumstances.order = Some(self.order());
        event.circumstances.peeked = Some(false);
        let own = Adjudicator::new(&shared.adjudications).name;
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

    /// Undoes or redoes a settlement.
    fn unsettle(&mut self, undo: bool, shared: &mut Shared) -> Vec<Request> {
        let (decisions, time) = (shared.adjudications.decisions(), shared.now());
        let event = if undo { decisions.undo(None, &time) } else { decisions.redo(None, &time) };
        let edit = if undo { decisions.undoable(None) } else { decisions.redoable(None) };
        let (Some(event), Some(what)) = (event, edit.map(Book::describe)) else {
            shared.message = Some(if undo { "Nothing to undo" } else { "Nothing to redo" }.to_owned());
            return Vec::new();
        };
        if let Some(why) = &shared.adjudications.read_only {
            shared.message = Some(format!("Not saved: {why}"));
            return Vec::new();
        }
        let ids = PairIds { source: event.source.clone(), target: event.target.clone() };
        let mut requests = vec![Effect::Adjudicate(shared.adjudications.record(event)).into()];
        shared.message = Some(match undo {
            true => {
                let (of, redo) = (labelling::of_pair(&ids, shared), shared.way_to(Action::Redo));
                format!("Undone: {what}{of}. Press {redo} to redo")
            }
            false => format!("Redone: {what}"),
        });
        shared.hide();
        requests.extend(self.open_pair(&ids));
        requests
    }
}
