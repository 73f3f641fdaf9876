//! The Why pane: why the pair matches, as a tree that folds. Its rows lead to spans of the texts, and shared runs can be
//! switched off. What is slow to compute is asked for when it is unfolded.

use std::collections::{BTreeSet, HashSet, VecDeque};

use super::why_row::{RowId, WhyRow};
use crate::action::Action;
use crate::explainer::{Answer, Breakdown, Question, Without};
use crate::widgets::cursor::Cursor;
use crate::widgets::diff_view::Spans;
use dejaview_study::{ConfigurationVerdict, PairVerdicts, QuickVerdict};

/// Runs of fewer words are listed together.
pub(super) const SHORT: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Why {
    /// None until a worker has computed it; or why it could not.
    pub(super) breakdown: Option<Result<Breakdown, String>>,
    /// Why each configuration matches the whole texts or not, in the order of the study; empty until a worker has computed
    /// it.
    reasons: Vec<ConfigurationVerdict>,
    /// Over words and over characters, once they were asked for.
    pub(super) edit_ratios: Option<(f64, Option<f64>)>,
    pub(super) problem: Option<String>,
    /// Runs that are switched off, by number.
    pub(super) off: BTreeSet<usize>,
    /// The verdicts without them; none while they are being computed.
    pub(super) without: Option<Without>,
    /// Questions that wait for the previous answer, since a newer job would replace the one that runs.
    waiting: VecDeque<Question>,
    asked: Option<Question>,
    pub(super) unfolded: HashSet<RowId>,
    /// What is shown; listed again when something changes.
    pub(super) rows: Vec<WhyRow>,
    pub(super) cursor: Cursor,
}

/// What a key asks a worker.
#[derive(Debug)]
pub(super) enum WhyRequest {
    Explain(Question),
    /// The verdicts without these spans.
    WhatIf(Spans),
}

/// What a key leads to.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) ask: Option<WhyRequest>,
    /// Spans to show in the texts.
    pub(super) jump: Option<Spans>,
}

impl Why {
    /// Asks about a pair; what was unfolded for the previous one stays so.
    pub(super) fn new(previous: Option<Self>) -> (Self, Option<Question>) {
        let mut unfolded = previous.map(|why| why.unfolded).unwrap_or_default();
        if unfolded.is_empty() {
            unfolded.extend([RowId::Jaccard, RowId::Configurations]);
        }
        let mut why = Self { unfolded, ..Self::default() };
        why.rebuild();
        let question = why.want(Question::Breakdown);
        (why, question)
    }

    /// Queues a question; returns what to ask now.
    fn want(&mut self, question: Question) -> Option<Question> {
        if self.awaits(&question) {
            return None;
        }
        self.waiting.push_back(question);
        self.next()
    }

    fn next(&mut self) -> Option<Question> {
        if self.asked.is_some() {
            return None;
        }
        self.asked = self.waiting.pop_front();
        self.asked.clone()
    }

    pub(super) fn awaits(&self, question: &Question) -> bool {
        self.asked.as_ref() == Some(question) || self.waiting.contains(question)
    }

    /// The verdicts without the runs that are off, and those on the whole texts.
    pub(super) fn verdicts(&self) -> Option<(&PairVerdicts, &PairVerdicts)> {
        let Some(Ok(breakdown)) = &self.breakdown else { return None };
        Some((self.without.as_ref().map_or(&breakdown.verdicts, |without| &without.verdicts), &breakdown.verdicts))
    }

    /// The reasons of these verdicts: of the texts that are left where runs are off. Empty until they are computed.
    pub(super) fn reasons(&self) -> &[ConfigurationVerdict] {
        self.without.as_ref().map_or(&self.reasons, |without| &without.reasons)
    }

    /// The verdict of a configuration without the runs that are off, and on the whole texts.
    pub(super) fn answer(&self, i: usize) -> Option<(&QuickVerdict, &QuickVerdict)> {
        let (now, original) = self.verdicts()?;
        Some((now.verdicts.get(i)?, original.verdicts.get(i)?))
    }

    /// Takes the verdicts without the runs that are off, unless all are on again by now.
    pub(super) fn take_what_if(&mut self, result: Result<Box<Without>, String>) {
        match result {
            Ok(without) if !self.off.is_empty() => self.without = Some(*without),
            Ok(_) => {}
            Err(why) => self.problem = Some(why),
        }
        self.rebuild();
    }

    /// Takes an answer and returns the next question.
    pub(super) fn answered(&mut self, result: Result<Answer, String>) -> Option<Question> {
        match result {
            Ok(Answer::Breakdown(breakdown)) => {
                self.breakdown = Some(Ok(*breakdown));
                self.waiting.push_back(Question::Reasons);
            }
            Ok(Answer::Reasons(reasons)) => self.reasons = reasons,
            Ok(Answer::EditRatios(words, characters)) => self.edit_ratios = Some((words, characters)),
            Err(why) if self.breakdown.is_none() => self.breakdown = Some(Err(why)),
            Err(why) => self.problem = Some(why),
        }
        self.asked = None;
        self.rebuild();
        self.next()
    }

    /// A worker failed, so no answer will come.
    pub(super) fn answer_lost(&mut self) {
        if self.asked.take().is_some() || !self.waiting.is_empty() {
            self.waiting.clear();
            self.problem = Some("✗ A worker failed on this. Close and open Why to try again".to_owned());
            self.rebuild();
        }
    }

    /// Lists the rows again; the cursor stays on the same one if it is still there.
    fn rebuild(&mut self) {
        let id = self.rows.get(self.cursor.at).map(|row| row.id.clone());
        self.rows = self.visible_rows();
        let same = id.and_then(|id| self.rows.iter().position(|row| row.id == id));
        self.cursor.at = same.unwrap_or(self.cursor.at).min(self.rows.len().saturating_sub(1));
    }

    pub(super) fn row_at_cursor(&self) -> Option<&WhyRow> {
        self.rows.get(self.cursor.at)
    }

    /// None when the action is not for this pane.
    pub(super) fn update(&mut self, action: Action, page: usize) -> Option<Outcome> {
        if self.cursor.go(action, self.rows.len(), page) {
            return Some(Outcome::default());
        }
        let row = self.row_at_cursor()?.clone();
        let outcome = match action {
            Action::Open => self.open(&row),
            Action::Right if row.open == Some(false) => self.set_fold(&row, true),
            Action::Right => {
                self.cursor.go(Action::Down, self.rows.len(), page);
                Outcome::default()
            }
            Action::Left if row.open == Some(true) => self.set_fold(&row, false),
            Action::Left => {
                let parent = self.rows[..self.cursor.at].iter().rposition(|above| above.depth < row.depth);
                self.cursor.at = parent.unwrap_or(0);
                Outcome::default()
            }
            Action::WhatIf => Outcome { ask: self.switch(&row.runs).map(WhyRequest::WhatIf), jump: None },
            _ => return None,
        };
        self.cursor.keep(self.rows.len(), page);
        self.show_children(page);
        Some(outcome)
    }

    /// Scrolls so that the rows inside the one under the cursor are seen as far as they fit.
    fn show_children(&mut self, page: usize) {
        let Some(row) = self.row_at_cursor() else { return };
        let children = self.rows[self.cursor.at + 1..].iter().take_while(|below| below.depth > row.depth);
        let seen = children.take(page.saturating_sub(1)).count();
        let top = (self.cursor.at + seen + 1).saturating_sub(page.max(1));
        self.cursor.top = self.cursor.top.max(top).min(self.cursor.at);
    }

    /// Shows the spans of a row and unfolds it; a row without spans is folded again by the second Enter.
    fn open(&mut self, row: &WhyRow) -> Outcome {
        let jump = Some(row.spans.clone()).filter(|spans| spans.iter().any(|side| !side.is_empty()));
        let fold = match row.open {
            Some(false) => self.set_fold(row, true),
            Some(true) if jump.is_none() => self.set_fold(row, false),
            _ => Outcome::default(),
        };
        Outcome { jump, ..fold }
    }

    fn set_fold(&mut self, row: &WhyRow, open: bool) -> Outcome {
        if open {
            self.unfolded.insert(row.id.clone());
        } else {
            self.unfolded.remove(&row.id);
        }
        let wants_ratios = row.id == RowId::EditRatios && open && self.edit_ratios.is_none();
        let question = if wants_ratios { self.want(Question::EditRatios) } else { None };
        self.rebuild();
        Outcome { ask: question.map(WhyRequest::Explain), jump: None }
    }

    /// Switches runs off, or on again when all of them are off; returns what is off.
    fn switch(&mut self, runs: &[usize]) -> Option<Spans> {
        if runs.is_empty() {
            return None;
        }
        let all_off = runs.iter().all(|run| self.off.contains(run));
        for &run in runs {
            if all_off {
                self.off.remove(&run)
            } else {
                self.off.insert(run)
            };
        }
        self.without = None;
        self.rebuild();
        let Some(Ok(breakdown)) = self.breakdown.as_ref().filter(|_| !self.off.is_empty()) else { return None };
        Some(breakdown.waterfall.places(self.off.iter().copied()))
    }

    pub(super) fn switched_off(&self) -> usize {
        self.off.len()
    }

    /// Whether the verdicts without the runs that are off are still to come.
    pub(super) fn computing(&self) -> bool {
        !self.off.is_empty() && self.without.is_none()
    }
}
