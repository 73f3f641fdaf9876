//! One pair of a sample at a time: look, decide, next. Blind: no score, no configuration, no grade.

pub mod choose;
pub mod deck;
mod end;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::choose::Chosen;
use self::deck::Deck;
use self::end::Says;
use super::compare::{Form, OpenPair, Pane, ReadPair, ShowsPair, Ways, read};
use crate::action::{Action, ScreenId};
use crate::bindings::Keymap;
use crate::book::Book;
use crate::contract::{Job, LogLine, Request, Screen, Screens, Stop};
use crate::data::StudyData;
use crate::jobs::Backend;
use crate::pair_ids::PairIds;
use crate::shared::Shared;
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
    pub pane: Pane,
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
    /// What was begun before this session.
    pub before: Option<Draft>,
    /// Number of the event after which the last estimate was asked for.
    estimated: u64,
}

impl Label {
    /// Nothing of the sample is left, and its pair is not wanted any more.
    pub fn forget(&mut self) -> Request {
        let mut pane = std::mem::take(&mut self.pane);
        pane.close();
        let before = self.before.take();
        *self = Self { pane, before, estimated: self.estimated, ..Self::default() };
        Request::forget::<ReadPair<Self>>()
    }

    /// The sample, if there is one.
    pub fn sample(&self) -> Option<&Sample> {
        self.sample.as_ref().and_then(|sample| sample.as_ref().ok())
    }

    /// The question at hand and its pair; none while the deck is open.
    pub fn question(&self) -> Option<(Question, &SampledPair)> {
        let question = *self.questions.get(self.at).filter(|_| self.deck.is_none())?;
        Some((question, self.sample()?.pairs.get(question.pair)?))
    }

    /// Ids of the pair at hand.
    pub fn ids(&self) -> Option<PairIds> {
        let (_, pair) = self.question()?;
        Some(PairIds { source: pair.source.clone(), target: pair.target.clone() })
    }

    /// Which document of the pair at hand stands first.
    pub fn order(&self) -> DocumentOrder {
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
    pub fn advance(&mut self, decisions: &Decisions, forward: bool, here: bool) -> Vec<Request> {
        match self.undecided(decisions, forward, here) {
            Some(at) => self.go(at),
            None => {
                self.finished = self.sample().is_some();
                Vec::new()
            }
        }
    }

    /// Goes to a question.
    pub fn go(&mut self, at: usize) -> Vec<Request> {
        self.at = at;
        self.finished = false;
        (self.chosen, self.peeking, self.seen_end) = (Chosen::default(), false, false);
        let order = self.order();
        self.ids().map(|ids| read::<Self>(self.pane.show_in(ids, order, Form::Text))).unwrap_or_default()
    }

    /// Goes to where one was before this session, once the sample is there.
    fn take_up(&mut self, shared: &mut Shared) -> Vec<Request> {
        let Some(draft) = self.before.take() else { return Vec::new() };
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

    /// Asks what the labels of the sample say, once it is finished and all of them are on the disk.
    pub fn ask_estimate(&mut self, book: &Book) -> Option<Request> {
        let fresh = self.estimated != book.events();
        let wanted = fresh && self.finished && book.pending() == 0;
        let sample = self.sample().filter(|_| wanted)?.name.clone();
        self.estimated = book.events();
        Some(Request::job(EstimateSample { sample }))
    }

    /// A frame with the texts left for the terminal.
    pub fn shown(&mut self, area: Rect) {
        if let Some(Ok(open)) = &self.pane.open {
            self.seen_end = self.seen_end || self.pane.view.reaches_end(&open.texts, texts(area));
        }
    }

    /// Number of the question about a pair.
    pub fn place_of(&self, ids: &PairIds, repeat: bool) -> Option<usize> {
        let pairs = &self.sample()?.pairs;
        let about = |question: &Question| {
            let pair = pairs.get(question.pair);
            question.repeat == repeat && pair.is_some_and(|p| p.source == ids.source && p.target == ids.target)
        };
        self.questions.iter().position(about)
    }

    /// Opens the calibration deck, or shows its next pair.
    pub fn show_gold(&mut self) -> Vec<Request> {
        let deck = self.deck.get_or_insert_default();
        let Some((ids, at)) = deck.wanted() else { return Vec::new() };
        read::<Self>(self.pane.show_gold(ids, at))
    }

    /// Closes the deck and goes back to the sample.
    pub fn close_deck(&mut self) -> Vec<Request> {
        self.deck = None;
        if self.finished || self.sample().is_none() { Vec::new() } else { self.go(self.at) }
    }

    /// Scrolls and the like.
    pub fn update(&mut self, action: Action, area: Rect) -> bool {
        let place = if self.deck.is_some() { Deck::texts(area) } else { texts(area) };
        self.pane.update(action, place)
    }

    /// What stands in the line of messages: where in the texts one is, and how long it may take.
    pub fn status(&self, data: &StudyData, decisions: &Decisions, way: Ways<'_>) -> String {
        let status = self.pane.status(data.recipe.labels.blind || self.deck.is_some(), way);
        let left = self.time_left(decisions).filter(|_| !status.is_empty());
        if self.finished {
            String::new()
        } else {
            status + &left.map(|left| format!(" · {left} left")).unwrap_or_default()
        }
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
    pub fn place(&self, decisions: &Decisions) -> String {
        match (&self.deck, self.sample()) {
            (Some(deck), _) => deck.place(),
            (None, Some(_)) => {
                format!("pair {} · {}/{} decided", self.at + 1, self.decided(decisions), self.questions.len())
            }
            (None, None) => String::new(),
        }
    }

    /// Draws the pair, the deck, or the end card.
    pub fn draw(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        (decisions, data, keymap): (&Decisions, &StudyData, &Keymap),
        theme: &Theme,
    ) {
        if let Some(deck) = &self.deck {
            return deck.draw(buffer, area, (&self.pane, keymap), theme);
        }
        let trouble = data.trouble.as_ref().or(self.sample.as_ref().and_then(|sample| sample.as_ref().err()));
        if let Some(why) = trouble {
            return paragraph::draw(buffer, area, why, theme.warning);
        }
        if self.finished {
            return self.draw_end(buffer, area, (decisions, data, keymap), theme);
        }
        self.pane.draw_documents(buffer, area, theme);
        let y = (area.x, area.y + 2.min(area.height.saturating_sub(1)));
        draw_text(buffer, y, area.width, &self.standing(decisions, data, keymap), theme.text);
        self.pane.draw(buffer, texts(area), theme);
    }

    /// Whether the scores of the pair at hand are shown: it is decided, they were asked for, or nothing is hidden.
    pub fn reveals(&self, decisions: &Decisions, data: &StudyData) -> bool {
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
    fn standing(&self, decisions: &Decisions, data: &StudyData, keymap: &Keymap) -> String {
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
        let hint = if self.decided(decisions) == 0 { hint(data, keymap) } else { String::new() };
        format!("{decided} · {scores}{flag}{note}{}{hint}", self.chosen.words())
    }

    fn draw_end(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        (decisions, data, keymap): (&Decisions, &StudyData, &Keymap),
        theme: &Theme,
    ) {
        let Some(sample) = self.sample() else { return };
        let progress = data.samples.iter().find(|progress| progress.name == sample.name);
        let said = match progress.and_then(|progress| progress.changed.as_ref()) {
            Some(changed) => end::Said::Nothing(changed.to_string()),
            None => end::Said::Labels(self.says.as_deref()),
        };
        let wide = area.width.saturating_sub(3);
        let lines = end::lines(sample, (&self.questions, decisions), &said, keymap);
        let lines = lines.iter().flat_map(|line| end::laid(line, usize::from(wide)));
        for (line, text) in (0u16..area.height.saturating_sub(1)).zip(lines) {
            draw_text(buffer, (area.x + 2, area.y + 1 + line), wide, &text, theme.text);
        }
    }
}

impl Screen for Label {}

impl ShowsPair for Label {
    fn pane_mut(&mut self) -> &mut Pane {
        &mut self.pane
    }

    fn texts_came(&mut self, result: Result<Box<OpenPair>, String>) {
        self.pane.opened(result);
        if let (Some(row), Some(Ok(open))) = (self.resume_at.take(), &self.pane.open) {
            self.pane.view.to_row(row, &open.texts);
        }
    }
}

/// Reads a sample, or draws it.
#[derive(Debug)]
pub struct ReadSample {
    /// Its name.
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
        LogLine::of(output, |sample| format!("read sample {}", sample.name))
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
        LogLine::of(output, |says| format!("estimated from sample {}", says.estimates.sample))
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
fn hint(data: &StudyData, keymap: &Keymap) -> String {
    let guidelines = keymap.way_to(Action::Guidelines, ScreenId::Label);
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
