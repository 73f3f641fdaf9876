//! One pair of a sample at a time: look, decide, next. Blind: no score, no configuration, no grade.

pub mod choose;
pub mod deck;
mod end;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::choose::Chosen;
use self::deck::Deck;
use super::compare::{LABEL, PairIds, Pane, Ways};
use crate::action::{Action, ScreenId};
use crate::bindings::Keymap;
use crate::data::StudyData;
use crate::jobs::{Effect, Form, OpenPair, Says};
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph;
use dejaview_evaluation::sample::{Sample, SampledPair};
use dejaview_labels::{Decision, Decisions, DocumentOrder, Question, document_order, questions};

/// Lines above the texts.
const HEAD: u16 = 3;

/// Decisions before the time left is guessed.
const PACE_FROM: usize = 5;

/// The sample and where one is in it.
#[derive(Debug)]
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
}

impl Default for Label {
    fn default() -> Self {
        Self {
            sample: None,
            questions: Vec::new(),
            at: 0,
            pane: Pane::numbered_from(LABEL),
            finished: false,
            chosen: Chosen::default(),
            peeking: false,
            seen_end: false,
            last: None,
            says: None,
            deck: None,
            resume_at: None,
        }
    }
}

impl Label {
    /// Nothing of the sample is left; answers to its wishes come too late.
    pub fn forget(&mut self) {
        self.pane.expect(PairIds::default());
        let pane = std::mem::take(&mut self.pane);
        *self = Self { pane, ..Self::default() };
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
        document_order(&sample.name, sample.seed, (&pair.source, &pair.target), question.repeat)
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
    pub fn awaits(&self, question: usize, ids: &PairIds, decisions: &Decisions) -> bool {
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
    pub fn drawn(
        &mut self,
        result: Result<Sample, String>,
        annotator: &str,
        repeats: u64,
        decisions: &Decisions,
    ) -> Vec<Effect> {
        let result = result.and_then(|sample| if_asked(sample, annotator));
        self.questions = result.as_ref().map(|sample| asked(sample, annotator, repeats)).unwrap_or_default();
        self.sample = Some(result);
        self.at = 0;
        self.advance(decisions, true, true)
    }

    /// Goes to the next undecided pair; to the end card when there is none.
    pub fn advance(&mut self, decisions: &Decisions, forward: bool, here: bool) -> Vec<Effect> {
        match self.undecided(decisions, forward, here) {
            Some(at) => self.go(at),
            None => {
                self.finished = self.sample().is_some();
                Vec::new()
            }
        }
    }

    /// Goes to a question.
    pub fn go(&mut self, at: usize) -> Vec<Effect> {
        self.at = at;
        self.finished = false;
        (self.chosen, self.peeking, self.seen_end) = (Chosen::default(), false, false);
        let order = self.order();
        self.ids().map(|ids| self.pane.show_in(ids, order, Form::Text)).into_iter().collect()
    }

    /// Goes to a question, at a row of its texts.
    pub fn resume(&mut self, at: usize, row: usize) -> Vec<Effect> {
        self.resume_at = Some(row);
        self.go(at)
    }

    /// Takes the texts.
    pub fn opened(&mut self, result: Result<Box<OpenPair>, String>) {
        self.pane.opened(result);
        if let (Some(row), Some(Ok(open))) = (self.resume_at.take(), &self.pane.open) {
            self.pane.view.to_row(row, &open.texts);
        }
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
    pub fn show_gold(&mut self) -> Vec<Effect> {
        let deck = self.deck.get_or_insert_default();
        let Some((ids, at)) = deck.wanted() else { return Vec::new() };
        self.pane.swapped = at % 2 == 1;
        vec![Effect::Gold { generation: self.pane.expect(ids), at }]
    }

    /// Closes the deck and goes back to the sample.
    pub fn close_deck(&mut self) -> Vec<Effect> {
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
