//! Settling cases: written into a journal of its own, as durably as labels.

use serde_json::json;

use super::case::opinions;
use super::checking::{CheckCase, PairNow, Settling};
use super::{Adjudicator, Part, ReadCases, Review, ids, standing};
use crate::action::Action;
use crate::book::Book;
use crate::contract::{Effect, Here, Job, NO_RESULT, Request, Screens, Stop};
use crate::jobs::Backend;
use crate::labelling::{self, label_given_by};
use crate::logbook::LogLine;
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

    /// Settles the open case, once it is known that the journals still say what is shown.
    fn settle(&mut self, label: Decision, here: &mut Here<'_>) -> Vec<Request> {
        let Some(case) = self.opened().cloned() else {
            let [near, not, unsure] = Action::LABELS.map(|action| here.shared.way_to(action));
            return here.say(format!("Press Enter to open a case, then {near}, {not} or {unsure} to settle it"));
        };
        let Some([source, target]) = self.pane.digests() else { return Vec::new() };
        if let Some(why) = &here.shared.adjudications.read_only {
            let why = format!("Not saved: {why}");
            return here.say(why);
        }
        let mut event = Event::new(EventKind::Label(label), &case.source, &case.target, &here.shared.now());
        event.sample.clone_from(&case.sample);
        event.circumstances.order = Some(self.order());
        event.circumstances.peeked = Some(false);
        (event.circumstances.source_digest, event.circumstances.target_digest) = (Some(source), Some(target));
        event.circumstances.dwell_ms = here.shared.dwell(here.at);
        let check = CheckCase { ids: ids(&case) };
        self.settling = Some(Settling { case, label, event });
        vec![Request::job(check)]
    }

    /// Writes what was decided if the case is still what was shown, and opens the next that is not settled; else says what
    /// has changed.
    pub(super) fn settle_checked(&mut self, now: Result<PairNow, String>, shared: &mut Shared) -> Vec<Request> {
        let Some(Settling { case: shown, label, event }) = self.settling.take() else { return Vec::new() };
        let own = Adjudicator::new(&shared.adjudications).name;
        let case = match now.map(|now| now.unchanged(&shown, own)) {
            Ok(Ok(case)) => case,
            Ok(Err(changed)) => {
                shared.message = Some(format!("Not settled, the case is no longer as it was shown: {changed}"));
                shared.hide();
                self.part = Part::List;
                return vec![Request::job(ReadCases)];
            }
            Err(why) => {
                shared.message = Some(format!("Not settled, what holds for the case could not be read: {why}"));
                return Vec::new();
            }
        };
        let mut requests = write(&case, label, event, shared);
        let undo = shared.way_to(Action::Undo);
        shared.message = Some(format!("Settled: {} ({})  {undo} undo", label.name(), opinions(&case)));
        if self.opened().is_some_and(|opened| ids(opened) == ids(&case)) {
            shared.hide();
            match self.open_next_unsettled(&Adjudicator::new(&shared.adjudications)) {
                Some(next) => requests.extend(next),
                None => drop(self.close()),
            }
        }
        requests
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

/// Writes a decision with the opinions it decides between. The same decision is not written again, since undoing that would
/// change nothing.
fn write(case: &Case, label: Decision, mut event: Event, shared: &mut Shared) -> Vec<Request> {
    let adjudicator = Adjudicator::new(&shared.adjudications);
    let own = adjudicator.decisions.label(&case.source, &case.target, None);
    if own == Some(label) && standing(case, &adjudicator).label() == Some(label) {
        return Vec::new();
    }
    let others = case.settlements.iter().map(|one| one.who.clone()).filter(|who| who != adjudicator.name);
    event.circumstances.overrides = Some(others.collect::<Vec<_>>()).filter(|others| !others.is_empty());
    let decides: Vec<serde_json::Value> = case
        .opinions
        .iter()
        .map(|o| json!({"annotator": o.annotator, "seq": o.seq, "label": o.label.map(Decision::name)}))
        .collect();
    event.extra.insert("decides".to_owned(), decides.into());
    vec![Effect::Adjudicate(shared.adjudications.record(event)).into()]
}

impl Job for CheckCase {
    type Output = Result<Box<PairNow>, String>;
    const NAME: &'static str = "look what holds for the case";
    const LISTED: bool = false;

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(PairNow::read(backend, &self.ids).map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        output.as_ref().err().map(|why| LogLine::Failed(why.clone()))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Review>().settle_checked(output.map(|now| *now), shared)
    }

    fn lost(screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Review>().settle_checked(Err(NO_RESULT.to_owned()), shared)
    }
}
