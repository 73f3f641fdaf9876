//! Which question is asked, which are answered, and which comes next.

use super::Label;
use super::chosen::Chosen;
use super::end::{dwells, median};
use super::progress::{Counted, Progress};
use crate::book::Book;
use crate::contract::Request;
use crate::pair_ids::PairIds;
use crate::pane::{Form, read};
use crate::shared::Shared;
use dejaview_evaluation::sample::{Sample, SampledPair};
use dejaview_labels::{Decisions, DocumentOrder, Event, Question, document_order, questions};

/// Decisions before the time left is guessed, and how many of the last are taken for it.
const PACE_FROM: usize = 5;
const PACE_OF: usize = 20;

impl Label {
    /// The question that is shown and its pair; none while the deck is open.
    pub(super) fn question(&self) -> Option<(Question, &SampledPair)> {
        let question = *self.questions.get(self.at).filter(|_| self.deck.is_none())?;
        Some((question, self.sample()?.pairs.get(question.pair)?))
    }

    pub fn ids(&self) -> Option<PairIds> {
        let (_, pair) = self.question()?;
        Some(PairIds { source: pair.source.clone(), target: pair.target.clone() })
    }

    /// Which document of the pair is on the left.
    pub(super) fn order(&self) -> DocumentOrder {
        let (Some((question, pair)), Some(sample)) = (self.question(), self.sample()) else {
            return DocumentOrder::SourceFirst;
        };
        document_order(&sample.name, sample.seed, &pair.source, &pair.target, question.repeat)
    }

    /// The event that answers a question; none while it is undecided.
    pub(super) fn answer<'d>(&self, question: Question, decisions: &'d Decisions) -> Option<&'d Event> {
        let sample = self.sample()?;
        let pair = sample.pairs.get(question.pair)?;
        decisions.answer(&pair.source, &pair.target, &sample.name, question.repeat)
    }

    /// Whether a question need not be asked any more.
    pub(super) fn is_done(&self, question: Question, decisions: &Decisions) -> bool {
        let first = Question { repeat: false, ..question };
        let missing = self.sample().is_none_or(|sample| question.pair >= sample.pairs.len());
        // A pair that was passed over cannot come again.
        let passed_over = question.repeat && self.answer(first, decisions).is_none();
        missing || passed_over || self.answer(question, decisions).is_some()
    }

    /// Whether the question of this number is still to be answered, and about this pair.
    pub(super) fn awaits(&self, question: usize, ids: &PairIds, decisions: &Decisions) -> bool {
        let pair = |question: &Question| self.sample()?.pairs.get(question.pair);
        self.questions.get(question).is_some_and(|question| {
            pair(question).is_some_and(|pair| pair.source == ids.source && pair.target == ids.target)
                && !self.is_done(*question, decisions)
        })
    }

    /// How many questions are answered. Pairs that come again count like any other: a count that stopped at one would give
    /// it away.
    pub fn decided(&self, book: &Book) -> usize {
        self.progress(book).decided
    }

    /// How far one is in the sample.
    pub(super) fn progress(&self, book: &Book) -> Progress {
        self.counted.at(book.version(), || self.count(book.decisions()))
    }

    fn count(&self, decisions: &Decisions) -> Progress {
        let mut dwells = dwells(self, decisions);
        dwells.drain(..dwells.len().saturating_sub(PACE_OF));
        dwells.sort_unstable();
        Progress {
            decided: self.questions.iter().filter(|question| self.answer(**question, decisions).is_some()).count(),
            left: self.questions.iter().filter(|question| !self.is_done(**question, decisions)).count(),
            pace: median(&dwells).filter(|_| dwells.len() >= PACE_FROM),
        }
    }

    /// Takes the questions of a sample, with so many of each hundred pairs asked again, and goes to the first undecided pair
    /// of the annotator's part.
    pub(super) fn ask(
        &mut self,
        sample: Result<Sample, String>,
        annotator: &str,
        repeats: u64,
        decisions: &Decisions,
    ) -> Vec<Request> {
        let sample = sample.and_then(|sample| must_have_part(sample, annotator));
        self.questions = sample.as_ref().map(|sample| questions_for(sample, annotator, repeats)).unwrap_or_default();
        (self.sample, self.repeats) = (Some(sample), repeats);
        self.counted = Counted::default();
        self.at = 0;
        self.go_to_undecided(decisions)
    }

    /// How many of each hundred pairs the study asks again; none while it is not read.
    pub(super) fn repeats_now(shared: &Shared) -> Option<u64> {
        Some(shared.data.as_ref().filter(|data| data.partial.is_none())?.recipe.labels.repeats)
    }

    /// Asks the questions of the sample anew where the study wants others of them twice now, and stays on the question.
    pub(super) fn follow_repeats(&mut self, shared: &mut Shared) -> Vec<Request> {
        let Some(repeats) = Self::repeats_now(shared).filter(|now| *now != self.repeats && self.deck.is_none()) else {
            return Vec::new();
        };
        let Some(sample) = self.sample().cloned() else { return Vec::new() };
        let asked = self.question().filter(|_| !self.finished).map(|(question, _)| question);
        let (again, chosen, row) = (self.again, self.chosen.clone(), self.pane.row());
        shared.hide();
        let mut requests = self.ask(Ok(sample), &shared.book.annotator, repeats, shared.book.decisions());
        if let Some(at) = asked.and_then(|asked| self.questions.iter().position(|question| *question == asked)) {
            requests.extend(if again { self.reopen(at) } else { self.go(at) });
            (self.chosen, self.pane.begin_at) = (chosen, row);
        }
        requests
    }

    /// Goes to the first question that is undecided; to the end card when there is none.
    pub(super) fn go_to_undecided(&mut self, decisions: &Decisions) -> Vec<Request> {
        let first = (0..self.questions.len()).find(|at| !self.is_done(self.questions[*at], decisions));
        self.go_or_finish(first)
    }

    /// Goes to the next undecided question, or the previous one, around the end; to the end card when there is none.
    pub(super) fn step(&mut self, decisions: &Decisions, forward: bool) -> Vec<Request> {
        let (len, at) = (self.questions.len(), self.at);
        let step = |step: usize| if forward { (at + step) % len } else { (at + len - step % len) % len };
        let next = (1..=len).map(step).find(|at| !self.is_done(self.questions[*at], decisions));
        self.go_or_finish(next)
    }

    fn go_or_finish(&mut self, at: Option<usize>) -> Vec<Request> {
        match at {
            Some(at) => self.go(at),
            None => {
                (self.finished, self.again) = (self.sample().is_some(), false);
                Vec::new()
            }
        }
    }

    pub(super) fn go(&mut self, at: usize) -> Vec<Request> {
        self.at = at;
        (self.finished, self.again) = (false, false);
        (self.chosen, self.peeking, self.seen_end) = (Chosen::default(), false, false);
        let order = self.order();
        self.ids().map(|ids| read::<Self>(self.pane.show_in(ids, order, Form::Text))).unwrap_or_default()
    }

    /// Shows a decided question once more, blind: as it was when it was asked.
    pub(super) fn reopen(&mut self, at: usize) -> Vec<Request> {
        let requests = self.go(at);
        self.again = true;
        requests
    }

    /// Number of the question about a pair.
    pub(super) fn place_of(&self, ids: &PairIds, repeat: bool) -> Option<usize> {
        let pairs = &self.sample()?.pairs;
        let about = |question: &Question| {
            let pair = pairs.get(question.pair);
            question.repeat == repeat && pair.is_some_and(|p| p.source == ids.source && p.target == ids.target)
        };
        self.questions.iter().position(about)
    }
}

/// The sample, unless it was shared out among others.
fn must_have_part(sample: Sample, annotator: &str) -> Result<Sample, String> {
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
fn questions_for(sample: &Sample, annotator: &str, repeats: u64) -> Vec<Question> {
    let part = sample.part(annotator);
    let questions = questions(part.len(), repeats, sample.seed).into_iter();
    questions.map(|question| Question { pair: part[question.pair], ..question }).collect()
}
