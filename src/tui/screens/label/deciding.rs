//! What keys do on Label: decide, note, flag, undo, look at the scores; and on the calibration deck.

use super::Label;
use super::chosen::{Choice, Chosen};
use super::new_sample::NewSample;
use crate::action::Action;
use crate::contract::{Here, Request, Screen, Show};
use crate::data::StudyData;
use crate::labelling::{self, Among, label_given_by};
use crate::overlays::choose::Choose;
use crate::pair_ids::PairIds;
use crate::pane::compare_words;
use crate::shared::Shared;
use dejaview_labels::{Circumstances, EventKind, Label as Decision};
use dejaview_report::numbers::plural;

impl Label {
    /// Keys while a pair of the sample is on the screen, or the end card.
    pub(super) fn act_on_sample(&mut self, action: Action, data: &StudyData, here: &mut Here<'_>) -> Vec<Request> {
        if let Some(label) = label_given_by(action) {
            return self.decide(label, here);
        }
        match action {
            Action::Undo => self.undo_or_redo(true, here.shared),
            Action::Redo => self.undo_or_redo(false, here.shared),
            Action::Note => labelling::type_note(self.subject().as_ref(), here.shared),
            Action::Flag => self.subject().map(|pair| labelling::flag(&pair, here.shared)).unwrap_or_default(),
            Action::Class => self.choose(Choice::Class, data, here),
            Action::Reason => self.choose(Choice::Reason, data, here),
            Action::Peek => self.peek(data, here),
            Action::Why => self.why_here(data, here),
            Action::NextPane => self.open_list(here),
            Action::PreviousPane => {
                self.scroll(Action::NextPane, here.shared);
                Vec::new()
            }
            Action::NewSample => NewSample::open(data, here.shared),
            Action::NextPair | Action::PreviousPair => self.pass_over(action == Action::NextPair, here),
            _ => {
                if let Some(request) = compare_words::<Self>(&self.pane).filter(|_| action == Action::Open) {
                    return vec![request];
                }
                self.scroll(action, here.shared);
                let way = &|action| here.shared.way_to(action);
                here.shared.message = self.pane.notice.take().map(|note| note.text(way));
                Vec::new()
            }
        }
    }

    /// Keys while the calibration deck is open.
    pub(super) fn act_on_deck(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(deck) = &mut self.deck else { return Vec::new() };
        if let Some(label) = label_given_by(action) {
            deck.answer(label);
            return Vec::new();
        }
        if matches!(action, Action::Open | Action::NextPair) {
            if deck.through() {
                here.shared.hide();
                return self.close_deck();
            }
            if deck.go_on() {
                here.shared.hide();
                return self.show_calibration();
            }
            return Vec::new();
        }
        self.scroll(action, here.shared);
        Vec::new()
    }

    /// Goes on without a decision, and says how many are left.
    fn pass_over(&mut self, forward: bool, here: &mut Here<'_>) -> Vec<Request> {
        here.shared.hide();
        let left = self.progress(&here.shared.book).left;
        let requests = self.step(here.shared.book.decisions(), forward);
        if left > 0 {
            here.say(format!("{} left undecided", plural(left as u64, "pair")));
        }
        requests
    }

    /// Decides the pair and shows the next undecided one.
    fn decide(&mut self, label: Decision, here: &mut Here<'_>) -> Vec<Request> {
        let undo = here.shared.way_to(Action::Undo);
        if self.finished {
            let back = here.shared.way_to(Action::Back);
            return here.say(format!("All pairs are decided. {undo} takes back the last one, {back} leaves"));
        }
        let Some(subject) = self.subject() else { return Vec::new() };
        let what = EventKind::Label(label);
        let before = labelling::decision(&subject, here.shared).label();
        // To look at a pair again and decide it as before is a decision, too.
        let nothing_new =
            !self.again && self.chosen == Chosen::default() && labelling::changes_nothing(&subject, &what, here.shared);
        let mut requests = Vec::new();
        if !nothing_new {
            let circumstances = self.circumstances(&subject.ids, here);
            requests = labelling::record(&subject, what, circumstances, here.shared);
            if requests.is_empty() {
                return requests;
            }
        }
        self.last = Some(subject.ids);
        here.shared.hide();
        let said = match before.filter(|_| self.again) {
            Some(before) if before == label => format!("Still {}", label.name()),
            Some(before) => format!("Was {}, now {}  {undo} undo", before.name(), label.name()),
            None => format!("Decided: {}  {undo} undo", label.name()),
        };
        here.say(said);
        let decisions = here.shared.book.decisions();
        requests.extend(if self.again { self.go_to_undecided(decisions) } else { self.step(decisions, true) });
        requests
    }

    /// How a label came about.
    fn circumstances(&self, ids: &PairIds, here: &Here<'_>) -> Circumstances {
        let shared = &*here.shared;
        let blind = shared.data.as_ref().is_none_or(|data| data.recipe.labels.blind);
        let peeked = self.peeking || shared.book.decisions().peeked(&ids.source, &ids.target);
        Circumstances {
            dwell_ms: shared.dwell(here.at),
            shown: shared.shown.as_ref().map(|(_, time)| time.clone()),
            peeked: Some(!blind || peeked || shared.glimpsed.contains(ids)),
            scrolled_to_end: Some(self.seen_end),
            order: Some(self.order()),
            probability: self.question().map(|(_, pair)| pair.probability),
            // Who decides a pair again on purpose corrects it, whichever time it came.
            repeat: self.question().and_then(|(question, _)| (question.repeat && !self.again).then_some(true)),
            class: self.chosen.class.clone(),
            reason: self.chosen.reason.clone(),
            ..Circumstances::default()
        }
    }

    /// Undo or redo: goes to the pair it concerns.
    fn undo_or_redo(&mut self, undo: bool, shared: &mut Shared) -> Vec<Request> {
        let sample = self.sample().map(|sample| sample.name.clone());
        let among = Among::Sample(sample.as_deref());
        let Some(taken) = labelling::undo_or_redo(undo, among, shared) else { return Vec::new() };
        let mut requests = taken.requests;
        if let Some(at) = self.place_of(&taken.ids, taken.repeat) {
            requests.extend(self.go(at));
        }
        requests
    }

    /// Shows what to choose from.
    fn choose(&self, choice: Choice, data: &StudyData, here: &mut Here<'_>) -> Vec<Request> {
        let options = choice.options(&data.recipe);
        if options.is_empty() {
            return here.say(choice.nothing());
        }
        if self.subject().is_some() { vec![Request::open(Choose::new(choice.name(), options))] } else { Vec::new() }
    }

    /// Shows the scores of an undecided pair, and writes down that it did. Where they are shown anyway there is nothing to
    /// write.
    fn peek(&mut self, data: &StudyData, here: &mut Here<'_>) -> Vec<Request> {
        let Some(subject) = self.subject() else { return here.say("No pair is shown. Nothing is recorded") };
        if self.reveals(here.shared.book.decisions(), data) {
            return here.say("The scores are shown already. Nothing is recorded");
        }
        let requests = labelling::record(&subject, EventKind::Peek, Circumstances::default(), here.shared);
        if !requests.is_empty() {
            self.peeking = true;
            let why = here.shared.way_to(Action::Why);
            here.say(format!("Scores shown before the decision: recorded. {why} says why it matched"));
        }
        requests
    }

    /// Shows on Compare why the pair matches if its scores are shown, else why the pair matches that was decided last.
    fn why_here(&self, data: &StudyData, here: &mut Here<'_>) -> Vec<Request> {
        let shown = self.subject().filter(|_| self.reveals(here.shared.book.decisions(), data));
        // A pair that is decided again may be the one that was decided last.
        let last = self.last.clone().filter(|_| !self.again);
        match shown.map(|subject| subject.ids).or(last) {
            Some(ids) => vec![Request::Show(Show::Why(ids))],
            None => here.say("Scores are hidden until you decide. :peek shows them now, and that is recorded"),
        }
    }
}
