//! One pair of a sample at a time: look, decide, next. Blind: no score, no configuration, no grade.

mod chosen;
mod deciding;
pub mod deck;
mod drafts;
mod end;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use self::chosen::{Choice, Chosen};
use self::deck::Deck;
use self::drafts::Drafts;
use self::end::Says;
use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::book::Book;
use crate::contract::{Here, Job, News, Request, Screen, Screens, Show, Stop, View};
use crate::data::StudyData;
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::logbook::LogLine;
use crate::pair_ids::PairIds;
use crate::pane::{Form, OpenPair, PairPane, ReadPair, ShowsPair, Ways, read};
use crate::question::{Question as TypedQuestion, SEARCH};
use crate::shared::Shared;
use crate::subject::Subject;
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph;
use dejaview_evaluation::estimates::Unsure;
use dejaview_evaluation::sample::{Sample, SampledPair};
use dejaview_labels::{Decision, Decisions, DocumentOrder, Draft, Question, document_order, questions};
use dejaview_study::{AgreementOn, Snapshot, StudyError};

/// Lines above the texts.
const HEAD: u16 = 3;

/// Decisions before the time left is guessed.
const PACE_FROM: usize = 5;

const KEYS: Table = &[
    shown(&[Key::Backspace, Char('u')], Action::Undo, "undo"),
    bind(&[Char('w')], Action::Why, "why (of the pair decided last)"),
    shown(&[Char('c')], Action::Note, "note"),
    shown(&[Char('f')], Action::Flag, "flag"),
    bind(&[Char('r')], Action::Reason, "choose a reason"),
    bind(&[Char('t')], Action::Class, "choose a finer class"),
];

/// The sample and where one is in it.
#[derive(Debug, Default)]
pub struct Label {
    /// The sample, once it is read or drawn; or why it cannot be.
    pub sample: Option<Result<Sample, String>>,
    /// What is asked, in order: the pairs of the sample, some of them again.
    questions: Vec<Question>,
    /// Number of the question.
    pub at: usize,
    /// Its texts.
    pub pane: PairPane,
    /// Whether every pair is decided and the end card is shown.
    pub finished: bool,
    /// Class and reason for the label to come.
    pub chosen: Chosen,
    /// Whether the scores of the pair at hand are shown before it is decided.
    pub peeking: bool,
    /// Whether the end of the texts at hand was on the screen.
    pub seen_end: bool,
    /// The pair that was decided last.
    pub last: Option<PairIds>,
    /// What the labels of all annotators say, asked for at the end.
    pub says: Option<Box<Says>>,
    /// The calibration deck, while it is open.
    pub deck: Option<Deck>,
    /// A row to scroll to once the texts are there.
    resume_at: Option<usize>,
    drafts: Drafts,
    /// Number of the event after which the last estimate was asked for.
    estimated: u64,
}

impl Label {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("label");

    /// Nothing of the sample is left, and its pair is not wanted any more.
    fn forget(&mut self) -> Request {
        let mut pane = std::mem::take(&mut self.pane);
        pane.close();
        let drafts = std::mem::take(&mut self.drafts);
        *self = Self { pane, drafts, estimated: self.estimated, ..Self::default() };
        Request::forget::<ReadPair<Self>>()
    }

    /// The sample, if there is one.
    pub fn sample(&self) -> Option<&Sample> {
        self.sample.as_ref().and_then(|sample| sample.as_ref().ok())
    }

    /// The question at hand and its pair; none while the deck is open.
    fn question(&self) -> Option<(Question, &SampledPair)> {
        let question = *self.questions.get(self.at).filter(|_| self.deck.is_none())?;
        Some((question, self.sample()?.pairs.get(question.pair)?))
    }

    /// Ids of the pair at hand.
    pub fn ids(&self) -> Option<PairIds> {
        let (_, pair) = self.question()?;
        Some(PairIds { source: pair.source.clone(), target: pair.target.clone() })
    }

    /// Which document of the pair at hand stands first.
    fn order(&self) -> DocumentOrder {
        let (Some((question, pair)), Some(sample)) = (self.question(), self.sample()) else {
            return DocumentOrder::SourceFirst;
        };
        document_order(&sample.name, sample.seed, &pair.source, &pair.target, question.repeat)
    }

    /// Whether a question is answered.
    fn answered(&self, question: Question, decisions: &Decisions) -> bool {
        let Some((sample, pair)) = self.sample().and_then(|s| Some((s, s.pairs.get(question.pair)?))) else {
            return true;
        };
        let name = Some(sample.name.as_str());
        let first = decisions.label(&pair.source, &pair.target, name).is_some();
        // A pair that was passed over cannot come again.
        if question.repeat { !first || decisions.repeated(&pair.source, &pair.target, name).is_some() } else { first }
    }

    /// Whether the question of this number is still to be answered, and about this pair.
    fn awaits(&self, question: usize, ids: &PairIds, decisions: &Decisions) -> bool {
        let pair = |question: &Question| self.sample()?.pairs.get(question.pair);
        self.questions.get(question).is_some_and(|question| {
            pair(question).is_some_and(|pair| pair.source == ids.source && pair.target == ids.target)
                && !self.answered(*question, decisions)
        })
    }

    /// The first unanswered question after (or before) the one at hand, around the end.
    fn undecided(&self, decisions: &Decisions, forward: bool, here: bool) -> Option<usize> {
        let len = self.questions.len();
        let first = usize::from(!here);
        (first..len + first)
            .map(|step| if forward { (self.at + step) % len } else { (self.at + len - step % len) % len })
            .find(|&at| !self.answered(self.questions[at], decisions))
    }

    /// How many questions are answered, those that come again among them: a count that stood still at one would tell which
    /// they are.
    pub fn decided(&self, decisions: &Decisions) -> usize {
        let Some(sample) = self.sample() else { return 0 };
        let name = Some(sample.name.as_str());
        let is_decided = |question: &&Question| {
            sample.pairs.get(question.pair).is_some_and(|pair| match question.repeat {
                true => decisions.repeated(&pair.source, &pair.target, name).is_some(),
                false => decisions.label(&pair.source, &pair.target, name).is_some(),
            })
        };
        self.questions.iter().filter(is_decided).count()
    }

    /// Takes the sample, with so many of each hundred pairs asked again, and goes to the first undecided pair of the
    /// annotator's part.
    fn drawn(
        &mut self,
        result: Result<Sample, String>,
        annotator: &str,
        repeats: u64,
        decisions: &Decisions,
    ) -> Vec<Request> {
        let result = result.and_then(|sample| if_asked(sample, annotator));
        self.questions = result.as_ref().map(|sample| asked(sample, annotator, repeats)).unwrap_or_default();
        self.sample = Some(result);
        self.at = 0;
        self.advance(decisions, true, true)
    }

    /// Goes to the next undecided pair; to the end card when there is none.
    fn advance(&mut self, decisions: &Decisions, forward: bool, here: bool) -> Vec<Request> {
        match self.undecided(decisions, forward, here) {
            Some(at) => self.go(at),
            None => {
                self.finished = self.sample().is_some();
                Vec::new()
            }
        }
    }

    /// Goes to a question.
    fn go(&mut self, at: usize) -> Vec<Request> {
        self.at = at;
        self.finished = false;
        (self.chosen, self.peeking, self.seen_end) = (Chosen::default(), false, false);
        let order = self.order();
        self.ids().map(|ids| read::<Self>(self.pane.show_in(ids, order, Form::Text))).unwrap_or_default()
    }

    /// Goes to where one was before this session, once the sample is there.
    fn take_up(&mut self, shared: &mut Shared) -> Vec<Request> {
        let Some(draft) = self.drafts.before.take() else { return Vec::new() };
        let ids = PairIds { source: draft.source, target: draft.target };
        let same = self.sample().is_some_and(|sample| sample.name == draft.sample);
        let book = &shared.book;
        if !same || draft.events > book.events() || !self.awaits(draft.question, &ids, &book.decisions) {
            return Vec::new();
        }
        self.resume_at = Some(draft.row);
        let requests = self.go(draft.question);
        self.chosen = Chosen { class: draft.class, reason: draft.reason };
        if draft.note.is_some_and(|(source, target, _)| ids == (PairIds { source, target })) {
            shared.message = Some("a note on this pair was begun: c goes on with it".to_owned());
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

    /// Asks what the labels of the sample say, once it is finished and all of them are on the disk.
    fn ask_estimate(&mut self, book: &Book) -> Option<Request> {
        let fresh = self.estimated != book.events();
        let wanted = fresh && self.finished && book.pending() == 0;
        let sample = self.sample().filter(|_| wanted)?.name.clone();
        self.estimated = book.events();
        Some(Request::job(EstimateSample { sample }))
    }

    /// A frame with the texts left for the terminal.
    fn texts_seen(&mut self, area: Rect) {
        if let Some(Ok(open)) = &self.pane.open {
            self.seen_end = self.seen_end || self.pane.view.reaches_end(&open.texts, texts(area));
        }
    }

    /// Number of the question about a pair.
    fn place_of(&self, ids: &PairIds, repeat: bool) -> Option<usize> {
        let pairs = &self.sample()?.pairs;
        let about = |question: &Question| {
            let pair = pairs.get(question.pair);
            question.repeat == repeat && pair.is_some_and(|p| p.source == ids.source && p.target == ids.target)
        };
        self.questions.iter().position(about)
    }

    /// Opens the calibration deck, or shows its next pair.
    fn show_gold(&mut self) -> Vec<Request> {
        let deck = self.deck.get_or_insert_default();
        let Some((ids, at)) = deck.wanted() else { return Vec::new() };
        read::<Self>(self.pane.show_calibration(ids, at))
    }

    /// Closes the deck and goes back to the sample.
    fn close_deck(&mut self) -> Vec<Request> {
        self.deck = None;
        if self.finished || self.sample().is_none() { Vec::new() } else { self.go(self.at) }
    }

    /// Scrolls and the like.
    fn scroll(&mut self, action: Action, area: Rect) {
        let place = if self.deck.is_some() { Deck::texts(area) } else { texts(area) };
        self.pane.update(action, place);
    }

    /// How long the rest may take, from the pace so far.
    fn time_left(&self, decisions: &Decisions) -> Option<String> {
        let sample = self.sample().filter(|_| self.deck.is_none())?;
        let dwells = end::dwells(sample, decisions);
        let left = self.questions.iter().filter(|question| !self.answered(**question, decisions)).count();
        let pace = end::median(&dwells).filter(|_| dwells.len() >= PACE_FROM)?;
        Some(end::minutes(pace * left as u32))
    }

    /// Where one is, for the title.
    fn place(&self, decisions: &Decisions) -> String {
        match (&self.deck, self.sample()) {
            (Some(deck), _) => deck.place(),
            (None, Some(_)) => {
                format!("pair {} · {}/{} decided", self.at + 1, self.decided(decisions), self.questions.len())
            }
            (None, None) => String::new(),
        }
    }

    /// Whether the scores of the pair at hand are shown: it is decided, they were asked for, or nothing is hidden.
    fn reveals(&self, decisions: &Decisions, data: &StudyData) -> bool {
        let (Some((question, pair)), Some(sample)) = (self.question(), self.sample()) else { return false };
        let (source, target, name) = (&pair.source, &pair.target, Some(sample.name.as_str()));
        // A pair that came again must not tell that it did.
        let known = match question.repeat {
            true => decisions.repeated(source, target, name).is_some(),
            false => decisions.label(source, target, name).is_some() || decisions.peeked(source, target),
        };
        known || self.peeking || !data.recipe.labels.blind
    }

    /// What was decided on the pair at hand before, and what is ready for the next label.
    fn standing(&self, decisions: &Decisions, data: &StudyData, way: Ways<'_>) -> String {
        let (Some((question, pair)), Some(sample)) = (self.question(), self.sample()) else { return String::new() };
        let standing = decisions.decision(&pair.source, &pair.target, Some(&sample.name));
        // A pair that came again must not tell what was said the first time.
        let standing = if question.repeat { Decision::default() } else { standing };
        let scores = match self.reveals(decisions, data) {
            true => scores(data, &pair.source, &pair.target),
            false => "scores hidden until then".to_owned(),
        };
        let decided = standing.label().map_or("undecided".to_owned(), |label| format!("decided: {}", label.name()));
        let note = standing.note.map(|note| format!(" · note: {}", note.replace('\n', " / "))).unwrap_or_default();
        let flag = if standing.flag { " · flagged" } else { "" };
        let hint = if self.decided(decisions) == 0 { hint(data, way) } else { String::new() };
        format!("{decided} · {scores}{flag}{note}{}{hint}", self.chosen.words())
    }

    fn draw_end(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        (decisions, data, way): (&Decisions, &StudyData, Ways<'_>),
        theme: &Theme,
    ) {
        let Some(sample) = self.sample() else { return };
        let progress = data.samples.iter().find(|progress| progress.name == sample.name);
        let said = match progress.and_then(|progress| progress.changed.as_ref()) {
            Some(changed) => end::Said::Nothing(changed.to_string()),
            None => end::Said::Labels(self.says.as_deref()),
        };
        let wide = area.width.saturating_sub(3);
        let lines = end::lines(sample, (&self.questions, decisions), &said, way);
        let lines = lines.iter().flat_map(|line| end::laid(line, usize::from(wide)));
        for (line, text) in (0u16..area.height.saturating_sub(1)).zip(lines) {
            draw_text(buffer, (area.x + 2, area.y + 1 + line), wide, &text, theme.text);
        }
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
        format!(
            "{key} does nothing here: {near} {not} {unsure} decide, {palette} goes to a screen by name, {back} goes back"
        )
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if self.sample.is_none() && here.sound().is_some() {
            return vec![Request::job(ReadSample { name: here.shared.sample.clone() })];
        }
        if self.pane.open.is_none() && !self.finished { self.go(self.at) } else { Vec::new() }
    }

    fn study_read(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        vec![Request::job(ReadSample { name: here.shared.sample.clone() })]
    }

    fn is_awaited(&self, _: Option<&StudyData>) -> bool {
        false
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        if self.deck.is_some() { self.on_deck(action, here) } else { self.on_sample(action, &data, here) }
    }

    /// The deck is closed first.
    fn back(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if self.deck.is_none() {
            return vec![Request::Leave];
        }
        here.shared.hide();
        self.close_deck()
    }

    fn typed(&mut self, question: TypedQuestion, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if question == SEARCH && here.data.is_some() {
            self.pane.search(text, here.area());
        }
        Vec::new()
    }

    fn picked(&mut self, list: &'static str, value: Option<String>) {
        if let Some(choice) = [Choice::Class, Choice::Reason].into_iter().find(|choice| choice.name() == list) {
            self.chosen.set(choice, value);
        }
    }

    fn show(&mut self, what: &Show, here: &mut Here<'_>) -> Option<Result<Vec<Request>, String>> {
        if *what != Show::CalibrationDeck {
            return None;
        }
        here.shared.hide();
        let mut requests = self.entered(here);
        self.deck = None;
        requests.extend(self.show_gold());
        Some(Ok(requests))
    }

    fn told(&mut self, news: &News, here: &mut Here<'_>) -> Vec<Request> {
        match news {
            // It is undecided again, and its scores are hidden.
            News::LabelUndone(ids) if self.last.as_ref() == Some(ids) => {
                self.last = None;
                Vec::new()
            }
            News::SampleChosen => {
                let mut requests = vec![self.forget()];
                if here.shared.screen == Self::ID {
                    here.shared.hide();
                    requests.push(Request::job(ReadSample { name: here.shared.sample.clone() }));
                }
                requests
            }
            _ => Vec::new(),
        }
    }

    fn event_over(&mut self, shared: &mut Shared) -> Vec<Request> {
        if !self.drafts.on {
            return Vec::new();
        }
        self.keep_begun(shared).into_iter().chain(self.ask_estimate(&shared.book)).collect()
    }

    fn seen(&mut self, shared: &mut Shared) {
        let (area, covered) = (shared.area(), shared.message_lines().len().saturating_sub(1) as u16);
        self.texts_seen(Rect { height: area.height.saturating_sub(covered), ..area });
        let decisions = &shared.book.decisions;
        let revealed = shared.data.as_ref().is_some_and(|data| self.reveals(decisions, data));
        if let Some(subject) = self.subject().filter(|pair| revealed && !shared.glimpsed.contains(&pair.ids)) {
            shared.glimpsed.insert(subject.ids);
        }
    }

    fn title(&self, shared: &Shared) -> Option<String> {
        let name = Self::ID.name().to_uppercase();
        let place = self.place(&shared.book.decisions);
        Some(match self.sample() {
            _ if self.deck.is_some() => format!("{name} {place}"),
            Some(sample) => {
                let annotator = &shared.book.annotator;
                format!("{name} {place} · {annotator} · sample {} (seed {})", sample.name, sample.seed)
            }
            None => format!("{name} · {}", shared.title),
        })
    }

    fn saved_style(&self, shared: &Shared) -> Option<Style> {
        Some(shared.theme.good)
    }

    fn pane(&self) -> Option<&PairPane> {
        Some(&self.pane)
    }

    fn subject(&self) -> Option<Subject> {
        let (question, _) = self.question().filter(|_| !self.finished)?;
        let sample = self.sample().map(|sample| sample.name.clone());
        Some(Subject { ids: self.ids()?, sample, repeat: question.repeat, digests: self.pane.digests() })
    }

    /// Draws the pair, the deck, or the end card.
    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme, decisions) = (view.data, &view.shared.theme, &view.shared.book.decisions);
        let way = &|action| view.shared.way_to(action);
        if let Some(deck) = &self.deck {
            return deck.draw(buffer, area, (&self.pane, way), theme);
        }
        let trouble = data.trouble.as_ref().or(self.sample.as_ref().and_then(|sample| sample.as_ref().err()));
        if let Some(why) = trouble {
            return paragraph::draw(buffer, area, why, theme.warning);
        }
        if self.finished {
            return self.draw_end(buffer, area, (decisions, data, way), theme);
        }
        self.pane.draw_documents(buffer, area, theme);
        let y = (area.x, area.y + 2.min(area.height.saturating_sub(1)));
        draw_text(buffer, y, area.width, &self.standing(decisions, data, way), theme.text);
        self.pane.draw(buffer, texts(area), theme);
    }

    /// Where in the texts one is, and how long the rest may take.
    fn status(&self, view: &View<'_>) -> String {
        if self.finished {
            return String::new();
        }
        let way = &|action| view.shared.way_to(action);
        let status = self.pane.status(view.data.recipe.labels.blind || self.deck.is_some(), way);
        let left = self.time_left(&view.shared.book.decisions).filter(|_| !status.is_empty());
        status + &left.map(|left| format!(" · {left} left")).unwrap_or_default()
    }
}

impl ShowsPair for Label {
    fn pane_mut(&mut self) -> &mut PairPane {
        &mut self.pane
    }

    fn texts_read(&mut self, result: Result<Box<OpenPair>, String>) {
        self.pane.opened(result);
        if let (Some(row), Some(Ok(open))) = (self.resume_at.take(), &self.pane.open) {
            self.pane.view.to_row(row, &open.texts);
        }
    }
}

/// Reads a sample, or draws it.
#[derive(Debug)]
pub struct ReadSample {
    pub name: String,
}

impl Job for ReadSample {
    type Output = Result<Box<Sample>, String>;
    const NAME: &'static str = "read the sample";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        // Who only looks keeps no sample that is drawn for it.
        let study = &backend.study();
        let sample = if backend.only_looks {
            dejaview_study::sample_to_look_at(study, &self.name)
        } else {
            dejaview_study::sample_or_first_draw(study, &self.name)
        };
        Some(sample.map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |sample| format!("read sample {}", sample.name))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let label = screens.get_mut::<Label>();
        // Another one was chosen meanwhile.
        let other = output.as_ref().is_ok_and(|sample| sample.name != shared.sample);
        if other || label.sample().is_some() {
            return Vec::new();
        }
        shared.hide();
        let repeats = shared.data.as_ref().map_or(0, |data| data.recipe.labels.repeats);
        let deck = label.deck.take();
        let (annotator, decisions) = (&shared.book.annotator, &shared.book.decisions);
        let mut requests = label.drawn(output.map(|sample| *sample), annotator, repeats, decisions);
        requests.extend(label.take_up(shared));
        if deck.is_some() {
            label.deck = deck;
            requests.extend(label.show_gold());
        }
        let changed = shared.changed(&shared.sample).map(|changed| changed.short());
        shared.message = changed.or(shared.message.take()).or(shared.one_of_several());
        requests
    }
}

/// Estimates from the labels that all annotators gave to a sample.
#[derive(Debug)]
pub struct EstimateSample {
    sample: String,
}

impl Job for EstimateSample {
    type Output = Result<Box<Says>, String>;
    const NAME: &'static str = "estimate from labels";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(says(&backend.study(), &self.sample).map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |says| format!("estimated from sample {}", says.estimates.sample))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Label>().says = output.ok();
        Vec::new()
    }
}

fn says(study: &Snapshot, sample: &str) -> Result<Says, StudyError> {
    let estimates = dejaview_study::estimates(study, sample, Unsure::Out)?;
    Ok(Says { estimates, agreement: dejaview_study::agreement(study, AgreementOn::Sample(sample))? })
}

/// The sample, unless it was shared out among others.
fn if_asked(sample: Sample, annotator: &str) -> Result<Sample, String> {
    if sample.pairs.is_empty() || !sample.part(annotator).is_empty() {
        return Ok(sample);
    }
    let (name, annotators) = (&sample.name, sample.annotators().join(", "));
    Err(format!(
        "The sample {name} is shared out among {annotators}, and {annotator} has no part of it. Choose another with \
         :sample NAME, or say who you are with --annotator NAME."
    ))
}

/// What an annotator is asked: the pairs of their part, some of them again.
fn asked(sample: &Sample, annotator: &str, repeats: u64) -> Vec<Question> {
    let part = sample.part(annotator);
    let questions = questions(part.len(), repeats, sample.seed).into_iter();
    questions.map(|question| Question { pair: part[question.pair], ..question }).collect()
}

/// What somebody who begins may want to know.
fn hint(data: &StudyData, way: Ways<'_>) -> String {
    let guidelines = way(Action::Guidelines);
    let guidelines = data.guidelines.as_ref().map(|_| format!("{guidelines} guidelines, ")).unwrap_or_default();
    format!(" · first time? {guidelines}:calibrate")
}

/// What the configurations say of a pair, in a few words.
fn scores(data: &StudyData, source: &str, target: &str) -> String {
    let Some(row) = data.table.find(source, target) else { return "found by no configuration".to_owned() };
    let found = data.table.distances(row).len();
    let jaccard = if data.table.compared(row) { format!("{:.3}", data.table.jaccard(row)) } else { "–".to_owned() };
    format!("Jaccard {jaccard}, found by {found} of {}", data.table.configurations().len())
}

fn texts(area: Rect) -> Rect {
    Rect { y: area.y + HEAD.min(area.height), height: area.height.saturating_sub(HEAD), ..area }
}
