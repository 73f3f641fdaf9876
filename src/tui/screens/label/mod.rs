//! One pair of a sample at a time: look, decide, next. Blind: no score, no configuration, no grade.

mod choose_sample;
mod chosen;
mod decided;
mod deciding;
pub mod deck;
mod drafts;
mod draw;
mod end;
mod jobs;
mod layout;
pub mod new_sample;
mod progress;
mod questions;
mod read_labels;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use self::choose_sample::ChooseSample;
use self::chosen::{Choice, Chosen};
use self::deck::Deck;
use self::drafts::Drafts;
pub use self::jobs::{EstimateSample, ReadSample};
use self::layout::texts;
use self::progress::Counted;
use self::read_labels::ReadLabels;
use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, News, Request, Screen, Screens, Show, View};
use crate::data::StudyData;
use crate::key::Key::{self, Char};
use crate::labelling::writes_to_journal;
use crate::pair_ids::PairIds;
use crate::pane::{PairPane, ReadPair, ShowsPair, read};
use crate::question::{Question as TypedQuestion, SEARCH};
use crate::sample_status::{OpenSample, SampleStatus, statuses, to_continue};
use crate::samples;
use crate::shared::Shared;
use crate::subject::Subject;
use crate::widgets::cursor::Cursor;
use dejaview_evaluation::agreement::Agreement;
use dejaview_evaluation::estimates::Estimates;
use dejaview_evaluation::sample::Sample;
use dejaview_labels::{Decisions, Draft, Question};

const KEYS: Table = &[
    shown(&[Key::Backspace, Char('u')], Action::Undo, "undo"),
    bind(&[Char('w')], Action::Why, "why (of the last decision)"),
    shown(&[Char('c')], Action::Note, "note"),
    shown(&[Char('f')], Action::Flag, "flag"),
    bind(&[Char('r')], Action::Reason, "choose a reason"),
    bind(&[Char('t')], Action::Class, "choose a finer class"),
    shown(&[Key::Tab], Action::NextPane, "decided pairs"),
    bind(&[Key::BackTab], Action::PreviousPane, "the other side, if apart"),
    bind(&[Char('d')], Action::NewSample, "new sample"),
    bind(&[Char('s'), Char('S')], Action::ChooseSample, "another sample"),
];

/// What keys do while the list of decided pairs is open.
const LIST_KEYS: &[(Action, &str)] = &[
    (Action::Open, "decide again, blind"),
    (Action::Down, "down"),
    (Action::Up, "up"),
    (Action::NextPane, "close the list"),
];

/// What keys do when every pair is decided.
const END_KEYS: &[(Action, &str)] = &[
    (Action::Undo, "undo the last"),
    (Action::NextPane, "decided pairs"),
    (Action::NewSample, "new sample"),
    (Action::ChooseSample, "another sample"),
    (Action::Back, "leave"),
];

/// What the labels of a sample say by now.
#[derive(Debug)]
pub struct SampleEstimates {
    /// Precision and recall.
    pub estimates: Estimates,
    /// How far annotators agree.
    pub agreement: Agreement,
}

/// The sample and where one is in it.
#[derive(Debug, Default)]
pub struct Label {
    /// The sample once it is read or drawn, or why it cannot be.
    pub sample: Option<Result<Sample, String>>,
    /// What is asked, in order: the pairs of the sample, some of them again.
    questions: Vec<Question>,
    /// How many of each hundred pairs are asked again.
    repeats: u64,
    counted: Counted,
    /// Number of the question that is shown.
    pub at: usize,
    pub pane: PairPane,
    /// Whether every pair is decided and the end card is shown.
    pub finished: bool,
    /// Whether the question was decided before and is shown once more, blind.
    again: bool,
    /// The list of decided pairs, while it is open.
    list: Option<Cursor>,
    /// Class and reason for the next label.
    pub chosen: Chosen,
    /// Whether the scores of an undecided pair are shown.
    pub peeking: bool,
    /// Whether the end of the texts was on the screen.
    pub seen_end: bool,
    /// The pair that was decided last.
    pub last: Option<PairIds>,
    /// What the labels of all annotators say, asked for at the end.
    pub estimates: Option<Box<SampleEstimates>>,
    /// The calibration deck, while it is open.
    pub deck: Option<Deck>,
    /// Whether the dialog for a sample was opened because there is none.
    offered: bool,
    drafts: Drafts,
    /// Number of the event after which estimates were last asked for.
    estimated: u64,
}

impl Label {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("label");

    /// Nothing of the sample is left, and its pair is not wanted any more.
    pub(crate) fn forget(&mut self) -> Request {
        let mut pane = std::mem::take(&mut self.pane);
        pane.close();
        let drafts = std::mem::take(&mut self.drafts);
        *self = Self { pane, drafts, estimated: self.estimated, ..Self::default() };
        Request::forget::<ReadPair<Self>>()
    }

    pub fn sample(&self) -> Option<&Sample> {
        self.sample.as_ref().and_then(|sample| sample.as_ref().ok())
    }

    /// The open sample, as far as it is at this moment.
    pub fn open_sample_now(&self, shared: &Shared) -> Option<OpenSample<'_>> {
        let (sample, book) = (self.sample()?, &shared.book);
        Some(OpenSample { sample, decided: self.decided(book), time_left: self.time_left(book) })
    }

    fn samples_now(&self, data: &StudyData, shared: &Shared) -> Vec<SampleStatus> {
        statuses(data, &[], self.open_sample_now(shared), shared)
    }

    /// Asks which of the samples shall be labelled.
    fn ask_for_sample(&mut self, data: &StudyData, shared: &Shared) -> Request {
        self.offered = true;
        Request::open(ChooseSample::new(self.samples_now(data, shared), shared))
    }

    /// Shows a sample, finished or not.
    fn show_sample(&mut self, name: &str, here: &mut Here<'_>) -> Vec<Request> {
        let requests = samples::choose(name, here.shared);
        if requests.is_empty() { self.entered(here) } else { requests }
    }

    /// Shows the first undecided pair of a sample that was read or drawn, or the one where the last session ended.
    pub(crate) fn open_sample(&mut self, sample: Result<Sample, String>, shared: &mut Shared) -> Vec<Request> {
        shared.hide();
        let repeats = Self::repeats_now(shared).unwrap_or_default();
        let deck = self.deck.take();
        let mut requests = self.ask(sample, &shared.book.annotator, repeats, shared.book.decisions());
        requests.extend(self.resume(shared));
        if deck.is_some() {
            self.deck = deck;
            requests.extend(self.show_calibration());
        }
        requests
    }

    /// Goes to where one was before this session, once the sample is there.
    fn resume(&mut self, shared: &mut Shared) -> Vec<Request> {
        let Some(draft) = self.drafts.before.take() else { return Vec::new() };
        let ids = PairIds { source: draft.source, target: draft.target };
        let same = self.sample().is_some_and(|sample| sample.name == draft.sample);
        let book = &shared.book;
        if !same || draft.events > book.events() || !self.awaits(draft.question, &ids, book.decisions()) {
            return Vec::new();
        }
        let requests = self.go(draft.question);
        self.pane.begin_at = Some(draft.row);
        self.chosen = Chosen { class: draft.class, reason: draft.reason };
        if draft.note.is_some_and(|(source, target, _)| ids == (PairIds { source, target })) {
            shared.message = Some("You began a note on this pair. Press c to go on with it".to_owned());
        }
        requests
    }

    /// Keeps drafts from now on, beginning with what was kept before.
    pub fn keep_drafts(&mut self, before: Option<Draft>, shared: &mut Shared) {
        if let Some((source, target, text)) = before.as_ref().and_then(|draft| draft.note.clone()) {
            shared.notes.given_up = Some((Some(PairIds { source, target }), text));
        }
        self.drafts = Drafts::since(before);
    }

    /// What is begun now.
    pub fn begun(&self, shared: &Shared) -> Draft {
        let ids = self.ids().filter(|_| !self.finished).unwrap_or_default();
        Draft {
            sample: self.sample().map(|sample| sample.name.clone()).unwrap_or_default(),
            events: shared.book.events(),
            question: self.at,
            row: self.pane.view.top_row(),
            source: ids.source,
            target: ids.target,
            class: self.chosen.class.clone(),
            reason: self.chosen.reason.clone(),
            note: shared.notes.begun().map(|(ids, text)| (ids.source, ids.target, text)),
        }
    }

    /// To keep what is begun. Not before all labels are saved: a draft that knew more than the journal would lead past a
    /// pair whose label was lost.
    fn keep_begun(&mut self, shared: &Shared) -> Option<Request> {
        let is_known = self.sample.is_some() && self.deck.is_none() && (self.finished || self.pane.open.is_some());
        let begun = (is_known && shared.book.pending() == 0).then(|| self.begun(shared))?;
        self.drafts.keep(begun)
    }

    /// A frame with the texts was shown.
    fn texts_seen(&mut self, place: Rect) {
        if let Some(Ok(open)) = &self.pane.open {
            self.seen_end = self.seen_end || self.pane.view.reaches_end(&open.texts, place);
        }
    }

    /// Opens the calibration deck, or shows its next pair.
    fn show_calibration(&mut self) -> Vec<Request> {
        let deck = self.deck.get_or_insert_default();
        let Some((ids, at)) = deck.wanted() else { return Vec::new() };
        read::<Self>(self.pane.show_calibration(ids, at))
    }

    /// What is said in place of the texts: why there are no pairs, or no sample. The deck needs neither.
    fn in_place_of_texts<'a>(&'a self, data: &'a StudyData) -> Option<&'a str> {
        let no_sample = self.sample.as_ref().and_then(|sample| sample.as_ref().err());
        data.trouble.as_ref().or(no_sample).filter(|_| self.deck.is_none()).map(String::as_str)
    }

    /// Closes the deck and goes back to the sample.
    fn close_deck(&mut self) -> Vec<Request> {
        self.deck = None;
        if self.finished || self.sample().is_none() { Vec::new() } else { self.go(self.at) }
    }

    /// Moves in the texts.
    fn scroll(&mut self, action: Action, shared: &Shared) {
        let area = shared.area();
        let place = if self.deck.is_some() { Deck::texts(area) } else { texts(area, shared.class()) };
        self.pane.update(action, place);
    }

    /// Whether the scores of the pair are shown: it is decided, they were asked for, or nothing is hidden.
    fn reveals(&self, decisions: &Decisions, data: &StudyData) -> bool {
        let (Some((question, pair)), Some(sample)) = (self.question(), self.sample()) else { return false };
        let (source, target, name) = (&pair.source, &pair.target, Some(sample.name.as_str()));
        // A pair that comes again must not tell that it does, and one that is looked at again is blind again.
        let known = match (self.again, question.repeat) {
            (true, _) => false,
            (false, true) => decisions.repeated(source, target, name).is_some(),
            (false, false) => decisions.label(source, target, name).is_some() || decisions.peeked(source, target),
        };
        known || self.peeking || !data.recipe.labels.blind
    }
}

impl Screen for Label {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::DECISIONS, KEYS, binding::TEXTS, binding::COPYING, binding::EVERYWHERE]
    }

    /// A digit may be the rest of a split escape sequence: none does anything where a key labels.
    fn has_digits(&self) -> bool {
        false
    }

    fn unbound(&self, key: &str, shared: &Shared) -> String {
        let [near, not, unsure] = Action::LABELS.map(|action| shared.way_to(action));
        let (palette, back) = (shared.way_to(Action::Palette), shared.way_to(Action::Back));
        format!("{key} does nothing here. {near} {not} {unsure} decide, {palette} goes to a screen, {back} goes back")
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if self.sample().is_none() {
            return self.read_sample(here);
        }
        let shown = matches!(self.pane.open, Some(Ok(_)));
        if shown || self.finished { Vec::new() } else { self.go(self.at) }
    }

    /// Once a sample is finished, the next one is opened, as Home says.
    fn chosen(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let finished = self.finished && self.deck.is_none();
        let Some(data) = here.sound().filter(|_| finished).cloned() else { return self.entered(here) };
        let samples = self.samples_now(&data, here.shared);
        match to_continue(&samples, &here.shared.book.annotator) {
            Some(next) => self.show_sample(&next.name, here),
            None => self.entered(here),
        }
    }

    fn study_read(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        // What could not be read is asked for again.
        let has_failed = matches!(self.sample, Some(Err(_))) || matches!(self.pane.open, Some(Err(_)));
        if has_failed && self.deck.is_none() {
            return self.entered(here);
        }
        // A dialog that was closed does not come back by itself.
        let waits = self.sample.is_none() && (here.shared.sample_is_chosen || !self.offered);
        if waits { self.read_sample(here) } else { Vec::new() }
    }

    fn is_awaited(&self, _: Option<&StudyData>) -> bool {
        false
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        match (&self.deck, self.list) {
            (Some(_), _) => self.act_on_deck(action, here),
            (None, Some(_)) => self.act_on_list(action, here),
            (None, None) => self.act_on_sample(action, &data, here),
        }
    }

    /// No label is given while the list covers the pair.
    fn meaning(&self, action: Action, _: &Screens, shared: &mut Shared) -> Option<Action> {
        if self.list.is_some() && writes_to_journal(action) {
            let close = shared.way_to(Action::NextPane);
            shared.message = Some(format!("Label keys are off while the list is open. Press {close} to close it"));
            return None;
        }
        Some(action)
    }

    fn keys_now(&self) -> Option<&'static [(Action, &'static str)]> {
        let at_end = self.finished && self.deck.is_none();
        self.list.map(|_| LIST_KEYS).or(at_end.then_some(END_KEYS))
    }

    /// Closes the deck or the list first.
    fn back(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if self.list.is_some() {
            return self.close_list(here);
        }
        if self.deck.is_none() {
            return vec![Request::Leave];
        }
        here.shared.hide();
        self.close_deck()
    }

    fn typed(&mut self, question: TypedQuestion, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if question == SEARCH && here.data.is_some() {
            self.pane.search(text, texts(here.area(), here.shared.class()));
        }
        Vec::new()
    }

    fn picked(&mut self, list: &'static str, value: Option<String>) {
        if let Some(choice) = [Choice::Class, Choice::Reason].into_iter().find(|choice| choice.name() == list) {
            self.chosen.set(choice, value);
        }
    }

    fn show(&mut self, what: &Show, here: &mut Here<'_>) -> Option<Result<Vec<Request>, String>> {
        match (what, here.sound().cloned()) {
            (Show::CalibrationDeck, _) => {}
            (Show::Sample(name), Some(_)) => return Some(Ok(self.show_sample(name, here))),
            (Show::Samples, Some(data)) => return Some(Ok(vec![self.ask_for_sample(&data, here.shared)])),
            _ => return None,
        }
        here.shared.hide();
        // Who practises is not asked for a sample.
        let mut requests = if here.shared.sample.is_some() { self.entered(here) } else { Vec::new() };
        self.deck = None;
        requests.extend(self.show_calibration());
        Some(Ok(requests))
    }

    fn on_news(&mut self, news: &News, here: &mut Here<'_>) -> Vec<Request> {
        match news {
            // It is undecided again, and its scores are hidden.
            News::LabelUndone(ids) if self.last.as_ref() == Some(ids) => {
                self.last = None;
                Vec::new()
            }
            News::SampleChosen => {
                let mut requests = vec![self.forget()];
                requests.extend(read_labels(here));
                if here.shared.screen == Self::ID {
                    here.shared.hide();
                    requests.extend(self.read_sample(here));
                }
                requests
            }
            News::AdjudicationSaved => read_labels(here),
            News::SamplesChanged => self.samples_changed(here),
            News::RecipeChanged if self.deck.is_none() && !self.finished => {
                here.shared.hide();
                self.seen_end = false;
                self.pane.show_again().map(read::<Self>).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn after_event(&mut self, shared: &mut Shared) -> Vec<Request> {
        let mut requests = self.follow_repeats(shared);
        if self.drafts.on {
            requests.extend(self.keep_begun(shared));
            requests.extend(self.ask_estimate(&shared.book));
        }
        requests
    }

    fn seen(&mut self, shared: &mut Shared) {
        let (area, place) = (shared.area(), texts(shared.area(), shared.class()));
        // A message lies over the last lines of the screen, the border of the texts among them.
        let message = shared.message_lines().len() as u16;
        let covered = message.saturating_sub(area.bottom().saturating_sub(place.bottom()));
        self.texts_seen(Rect { height: place.height.saturating_sub(covered), ..place });
        let decisions = shared.book.decisions();
        let revealed = shared.data.as_ref().is_some_and(|data| self.reveals(decisions, data));
        if let Some(subject) = self.subject().filter(|pair| revealed && !shared.glimpsed.contains(&pair.ids)) {
            shared.glimpsed.insert(subject.ids);
        }
    }

    fn title(&self, shared: &Shared) -> Option<String> {
        Some(self.title_line(shared))
    }

    /// The pairs that are decided.
    fn saved(&self, shared: &Shared) -> u64 {
        self.decided(&shared.book) as u64
    }

    fn saved_style(&self, shared: &Shared) -> Option<Style> {
        Some(shared.theme.good)
    }

    fn pane(&self) -> Option<&PairPane> {
        Some(&self.pane)
    }

    fn shows_texts(&self, data: &StudyData, shared: &Shared) -> bool {
        let has_room = !texts(shared.area(), shared.class()).is_empty();
        let is_free = has_room && self.list.is_none() && self.in_place_of_texts(data).is_none();
        is_free && matches!(self.pane.open, Some(Ok(_)))
    }

    fn subject(&self) -> Option<Subject> {
        let (question, _) = self.question().filter(|_| !self.finished && self.list.is_none())?;
        let sample = self.sample().map(|sample| sample.name.clone());
        let hidden = question.repeat || self.again;
        Some(Subject { ids: self.ids()?, sample, repeat: hidden, digests: self.pane.digests() })
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        self.draw_screen(buffer, area, view);
    }
}

/// Asks for what has changed in samples and labels.
fn read_labels(here: &Here<'_>) -> Vec<Request> {
    here.data.clone().map(|data| Request::job(ReadLabels { data })).into_iter().collect()
}

impl ShowsPair for Label {
    fn pane_mut(&mut self) -> &mut PairPane {
        &mut self.pane
    }
}
