//! What keys do that write: decide, note, flag, take back. On Label for the pair of the sample, on Compare for the pair
//! that is open, outside any sample.

use std::time::Duration;

use ratatui::layout::Rect;

use super::{App, Overlay, Question};
use crate::action::{Action, ScreenId};
use crate::book::Book;
use crate::contract::{Effect, Request};
use crate::key::Key;
use crate::pair_ids::PairIds;
use crate::screens::compare::{Compare, words};
use crate::screens::label::Label;
use crate::screens::label::choose::{Choice, Chosen, letters};
use crate::widgets::paragraph;
use crate::widgets::prompt::Prompt;
use dejaview_labels::{Circumstances, Decision as Kept, EventKind, Label as Decision};

/// Columns of a note that the line below the texts shows.
const SHOWN_NOTE: usize = 40;

/// The beginning of a note, on one line.
fn shortened(note: &str) -> String {
    paragraph::beginning(&note.replace('\n', " / "), SHOWN_NOTE, 1).concat()
}

impl App {
    pub(super) fn on_label(&mut self, action: Action, at: Duration, area: Rect) -> Vec<Request> {
        if self.screens.get_mut::<Label>().deck.is_some() {
            return self.on_deck(action, area);
        }
        if let Some(effects) = self.labelled(action, at) {
            return effects;
        }
        match action {
            Action::Class => return self.choose(Choice::Class),
            Action::Reason => return self.choose(Choice::Reason),
            Action::Peek => return self.peek(),
            Action::Why => return self.why_here(),
            _ => {}
        }
        if matches!(action, Action::NextPair | Action::PreviousPair) {
            self.shared.hide();
            return self.screens.get_mut::<Label>().advance(
                &self.shared.book.decisions,
                action == Action::NextPair,
                false,
            );
        }
        if action == Action::Open
            && let Some(request) = words::<Label>(&self.screens.get::<Label>().pane)
        {
            return vec![request];
        }
        self.screens.get_mut::<Label>().update(action, area);
        self.shared.message = self
            .screens
            .get_mut::<Label>()
            .pane
            .said
            .take()
            .map(|note| note.text(&|action| self.shared.way_to(action)));
        Vec::new()
    }

    /// Does what writes; none when the action does not.
    pub(super) fn labelled(&mut self, action: Action, at: Duration) -> Option<Vec<Request>> {
        Some(match action {
            Action::NearDuplicate => self.decide(Decision::NearDuplicate, at),
            Action::Not => self.decide(Decision::Not, at),
            Action::Unsure => self.decide(Decision::Unsure, at),
            Action::Undo => self.take_back(true),
            Action::Redo => self.take_back(false),
            Action::Note => self.open_note(),
            Action::Flag => {
                // A pair that came again does not show its flag, so it can only be set there.
                let flagged = self.standing().is_some_and(|standing| standing.flag) && !self.is_repeat();
                self.record(EventKind::Flag(!flagged), None)
            }
            _ => return None,
        })
    }

    /// Keys while the calibration deck is open.
    fn on_deck(&mut self, action: Action, area: Rect) -> Vec<Request> {
        let label = match action {
            Action::NearDuplicate => Some(Decision::NearDuplicate),
            Action::Not => Some(Decision::Not),
            Action::Unsure => Some(Decision::Unsure),
            _ => None,
        };
        let Some(deck) = &mut self.screens.get_mut::<Label>().deck else { return Vec::new() };
        if let Some(label) = label {
            deck.answer(label);
            return Vec::new();
        }
        if matches!(action, Action::Open | Action::NextPair) {
            if deck.through() {
                self.shared.hide();
                return self.screens.get_mut::<Label>().close_deck();
            }
            if deck.go_on() {
                self.shared.hide();
                return self.screens.get_mut::<Label>().show_gold();
            }
            return Vec::new();
        }
        self.screens.get_mut::<Label>().update(action, area);
        Vec::new()
    }

    /// Opens the calibration deck on Label.
    pub(super) fn calibrate(&mut self) -> Vec<Request> {
        let mut effects = self.go(ScreenId::Label);
        self.screens.get_mut::<Label>().deck = None;
        effects.extend(self.screens.get_mut::<Label>().show_gold());
        effects
    }

    /// Shows what to choose from.
    fn choose(&mut self, choice: Choice) -> Vec<Request> {
        let none = self.shared.data.as_ref().is_none_or(|data| choice.options(&data.recipe).is_empty());
        if none {
            self.shared.message = Some(choice.nothing().to_owned());
            return Vec::new();
        }
        if self.looked_at().is_none() {
            return Vec::new();
        }
        self.over(Overlay::Choose(choice, 0))
    }

    /// A key over the options: arrows and Enter, a letter, or none of them.
    pub(super) fn chosen(&mut self, choice: Choice, at: usize, key: Option<Key>) {
        let Some(data) = self.shared.data.clone() else { return };
        let options = choice.options(&data.recipe);
        let take = |at: usize| options.get(at).cloned();
        match key {
            Some(Key::Up) => self.overlays.push(Overlay::Choose(choice, at.saturating_sub(1))),
            Some(Key::Down) => {
                self.overlays.push(Overlay::Choose(choice, (at + 1).min(options.len().saturating_sub(1))));
            }
            Some(Key::Enter) => self.screens.get_mut::<Label>().chosen.set(choice, take(at)),
            Some(Key::Backspace) => self.screens.get_mut::<Label>().chosen.set(choice, None),
            Some(Key::Char(c)) => {
                if let Some(at) = letters(options).iter().position(|letter| *letter == Some(c)) {
                    self.screens.get_mut::<Label>().chosen.set(choice, take(at));
                }
            }
            _ => {}
        }
    }

    /// Shows the scores of an undecided pair, and writes down that it did. Where they are shown anyway there is nothing to
    /// write.
    fn peek(&mut self) -> Vec<Request> {
        let why = self.shared.way_to(Action::Why);
        if self.looked_at().is_none() || self.reveals() {
            let said = if self.looked_at().is_none() { "there is no pair here" } else { "the scores are shown anyway" };
            self.shared.message = Some(format!("{said}: nothing is recorded"));
            return Vec::new();
        }
        let effects = self.record(EventKind::Peek, None);
        if !effects.is_empty() {
            self.screens.get_mut::<Label>().peeking = true;
            self.shared.message = Some(format!("scores shown before the decision; that is recorded · {why} says why"));
        }
        effects
    }

    /// Whether the scores of the pair on Label are shown.
    pub(super) fn reveals(&self) -> bool {
        self.shared
            .data
            .as_ref()
            .is_some_and(|data| self.screens.get::<Label>().reveals(&self.shared.book.decisions, data))
    }

    /// Why the pair at hand matches, if its scores are shown, else the pair that was decided last: on Compare, from where
    /// one can go back.
    fn why_here(&mut self) -> Vec<Request> {
        let here = self.looked_at().filter(|_| self.reveals());
        let Some(ids) = here.or_else(|| self.screens.get_mut::<Label>().last.clone()) else {
            let hidden = "scores are hidden until you decide; :peek shows them now, and that is recorded";
            self.shared.message = Some(hidden.to_owned());
            return Vec::new();
        };
        let mut effects = self.go(ScreenId::Compare);
        effects.extend(self.screens.get_mut::<Compare>().show_why(ids));
        effects
    }

    /// Whether the pair on Label came before.
    fn is_repeat(&self) -> bool {
        self.shared.screen == ScreenId::Label
            && self.screens.get::<Label>().question().is_some_and(|(question, _)| question.repeat)
    }

    /// Ids of the pair that is on the screen and open to decisions.
    pub(super) fn looked_at(&self) -> Option<PairIds> {
        match self.shared.screen {
            ScreenId::Label if !self.screens.get::<Label>().finished => self.screens.get::<Label>().ids(),
            ScreenId::Compare if !self.screens.get::<Compare>().pane.ids.source.is_empty() => {
                Some(self.screens.get::<Compare>().pane.ids.clone())
            }
            _ => None,
        }
    }

    /// The sample that decisions on this screen belong to.
    fn sample_name(&self) -> Option<String> {
        let sample = self.screens.get::<Label>().sample().filter(|_| self.shared.screen == ScreenId::Label);
        sample.map(|sample| sample.name.clone())
    }

    /// What holds for the pair on the screen.
    fn standing(&self) -> Option<Kept<'_>> {
        let ids = self.looked_at()?;
        Some(self.shared.book.decisions.decision(&ids.source, &ids.target, self.sample_name().as_deref()))
    }

    /// Whether an edit of the pair on the screen would change nothing: then an undo of it would not either.
    pub(super) fn holds(&self, what: &EventKind) -> bool {
        let Some(ids) = self.looked_at() else { return false };
        let (sample, chosen) = (self.sample_name(), &self.screens.get::<Label>().chosen);
        let here = self.standing().unwrap_or_default();
        match what {
            EventKind::Label(_) if self.shared.screen == ScreenId::Label && *chosen != Chosen::default() => false,
            EventKind::Label(label) if self.is_repeat() => {
                self.shared.book.decisions.repeated(&ids.source, &ids.target, sample.as_deref()) == Some(*label)
            }
            EventKind::Label(label) => here.label() == Some(*label),
            EventKind::Note(text) => !self.is_repeat() && here.note.unwrap_or_default() == text,
            _ => false,
        }
    }

    /// What is noted on the pair on Compare, and whether the disk has it; none where nothing was decided or noted.
    pub fn kept_here(&self) -> Option<String> {
        let (ids, standing) = (self.looked_at()?, self.standing()?);
        if standing == Kept::default() {
            return None;
        }
        let note = standing.note.map(|note| format!("note: {}", shortened(note)));
        let flag = standing.flag.then(|| "flagged".to_owned());
        let saved = if self.shared.book.awaits(&ids.source, &ids.target) { "not saved yet" } else { "saved ✓" };
        Some(flag.into_iter().chain(note).chain([saved.to_owned()]).collect::<Vec<_>>().join(" · "))
    }

    fn open_note(&mut self) -> Vec<Request> {
        if let Some(why) = &self.shared.book.read_only {
            self.shared.message = Some(format!("no note can be kept: {why}"));
            return Vec::new();
        }
        let Some(note) = self.note_at_hand() else { return Vec::new() };
        self.over(Overlay::Ask(Question::Note, Prompt::with(&note)))
    }

    /// What a note on the pair on the screen begins with: the draft that was given up, else the note that holds.
    pub(super) fn note_at_hand(&mut self) -> Option<String> {
        let ids = self.looked_at()?;
        let draft = self.draft.take().filter(|(of, _)| of.as_ref() == Some(&ids)).map(|(_, text)| text);
        let note = self.standing().filter(|_| !self.is_repeat()).and_then(|standing| standing.note.map(str::to_owned));
        self.noted = Some(ids);
        Some(draft.or(note).unwrap_or_default())
    }

    /// A label on the pair on the screen; on Label then the next pair.
    fn decide(&mut self, label: Decision, at: Duration) -> Vec<Request> {
        if self.shared.screen == ScreenId::Label && self.screens.get_mut::<Label>().finished {
            let (undo, back) = (self.shared.way_to(Action::Undo), self.shared.way_to(Action::Back));
            self.shared.message = Some(format!("all pairs are decided: {undo} takes the last back, {back} leaves"));
            return Vec::new();
        }
        let dwell = self.shared.dwell(at);
        let again = self.holds(&EventKind::Label(label));
        let mut effects = if again { Vec::new() } else { self.record(EventKind::Label(label), dwell) };
        if effects.is_empty() && !again {
            return effects;
        }
        let (name, undo, next) = (label.name(), self.shared.way_to(Action::Undo), self.shared.way_to(Action::NextPair));
        if self.shared.screen == ScreenId::Label {
            self.screens.get_mut::<Label>().last = self.screens.get_mut::<Label>().ids();
            self.shared.hide();
            effects.extend(self.screens.get_mut::<Label>().advance(&self.shared.book.decisions, true, false));
        } else {
            let more = if again { " already: nothing new is written" } else { "" };
            self.shared.message = Some(format!("“{name}”{more} · {undo} takes it back · {next} goes on"));
        }
        effects
    }

    pub(super) fn record(&mut self, what: EventKind, dwell: Option<u64>) -> Vec<Request> {
        let Some(ids) = self.looked_at() else { return Vec::new() };
        let digests = match self.pane().and_then(|pane| pane.open.as_ref()) {
            Some(Ok(open)) => (open.source.digest.clone(), open.target.digest.clone()),
            _ => return Vec::new(),
        };
        if let Some(why) = &self.shared.book.read_only {
            self.shared.message = Some(format!("not recorded: {why}"));
            return Vec::new();
        }
        let mut event = dejaview_labels::Event::new(what, &ids.source, &ids.target, &self.shared.now());
        event.sample = self.sample_name();
        event.circumstances.dwell_ms = dwell;
        if matches!(event.kind, EventKind::Label(_)) {
            self.circumstances(&mut event.circumstances, &ids);
        }
        (event.circumstances.source_digest, event.circumstances.target_digest) = (Some(digests.0), Some(digests.1));
        vec![Effect::Journal(Box::new(self.shared.book.record(event))).into()]
    }

    /// How a label came about.
    fn circumstances(&self, of: &mut Circumstances, ids: &PairIds) {
        of.shown = self.shared.shown.as_ref().map(|(_, time)| time.clone());
        if self.shared.screen != ScreenId::Label {
            // Compare shows all scores.
            of.peeked = Some(true);
            return;
        }
        let blind = self.shared.data.as_ref().is_none_or(|data| data.recipe.labels.blind);
        let peeked = self.screens.get::<Label>().peeking || self.shared.book.decisions.peeked(&ids.source, &ids.target);
        of.peeked = Some(!blind || peeked || self.glimpsed.contains(ids));
        of.scrolled_to_end = Some(self.screens.get::<Label>().seen_end);
        of.order = Some(self.screens.get::<Label>().order());
        of.probability = self.screens.get::<Label>().question().map(|(_, pair)| pair.probability);
        of.repeat = self.is_repeat().then_some(true);
        (of.class, of.reason) =
            (self.screens.get::<Label>().chosen.class.clone(), self.screens.get::<Label>().chosen.reason.clone());
    }

    /// What is said of an undo: some press the key for it and mean “unsure”, which has it elsewhere.
    fn taken_back(&self, what: &str) -> String {
        let (redo, unsure) = (self.shared.way_to(Action::Redo), self.shared.way_to(Action::Unsure));
        let hint = if unsure == "u" { String::new() } else { format!(" · unsure is {unsure}") };
        format!("took back {what} on this pair · {redo} makes it again{hint}")
    }

    /// Undo or redo: goes to the pair it concerns.
    fn take_back(&mut self, undo: bool) -> Vec<Request> {
        let sample = self.sample_name();
        let decisions = &self.shared.book.decisions;
        let time = self.shared.now();
        let (event, edit) = if undo {
            (decisions.undo(sample.as_deref(), &time), decisions.undoable(sample.as_deref()))
        } else {
            (decisions.redo(sample.as_deref(), &time), decisions.redoable(sample.as_deref()))
        };
        let (Some(event), Some(edit)) = (event, edit) else {
            self.shared.message = Some(if undo { "nothing to undo" } else { "nothing to redo" }.to_owned());
            return Vec::new();
        };
        if let Some(why) = &self.shared.book.read_only {
            self.shared.message = Some(format!("not recorded: {why}"));
            return Vec::new();
        }
        let what = Book::describe(edit);
        let repeat = edit.circumstances.repeat == Some(true);
        let mut effects = vec![Effect::Journal(Box::new(self.shared.book.record(event.clone()))).into()];
        self.shared.message = Some(if undo { self.taken_back(&what) } else { format!("{what} on this pair again") });
        self.shared.hide();
        let ids = PairIds { source: event.source, target: event.target };
        if undo && self.screens.get_mut::<Label>().last.as_ref() == Some(&ids) {
            // It is undecided again, and its scores are hidden.
            self.screens.get_mut::<Label>().last = None;
        }
        effects.extend(match self.shared.screen {
            ScreenId::Label => self
                .screens
                .get_mut::<Label>()
                .place_of(&ids, repeat)
                .map(|at| self.screens.get_mut::<Label>().go(at))
                .unwrap_or_default(),
            _ if ids == self.screens.get_mut::<Compare>().pane.ids => Vec::new(),
            _ => self.screens.get_mut::<Compare>().show(ids),
        });
        effects
    }
}
