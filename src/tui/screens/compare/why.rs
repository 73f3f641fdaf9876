//! The Why pane: why the pair matches, as a tree that folds, with places in the texts to go to and shared runs to switch
//! off. What is slow is asked for when it is opened.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use super::row::{Id, Row};
use crate::action::Action;
use crate::dissector::{Answer, Apart, Question, Spans};
use crate::pane::Places;
use crate::widgets::cursor::Cursor;
use dejaview_study::{ConfigurationVerdict, QuickAnswer, Standing};

/// Words below which a run is one of the short ones, which are listed together.
pub(super) const SHORT: usize = 4;

/// Why a pair matches or not.
#[derive(Debug, Default)]
pub(super) struct Why {
    /// The pair taken apart, once a worker has done it, or why it could not.
    pub(super) apart: Option<Result<Apart, String>>,
    /// Explanations that were asked for, by configuration.
    pub(super) trees: BTreeMap<String, ConfigurationVerdict>,
    /// Edit ratios, if they were asked for.
    pub(super) edit: Option<(f64, Option<f64>)>,
    /// What went wrong last.
    pub(super) trouble: Option<String>,
    /// Runs that are switched off, by number.
    pub(super) off: BTreeSet<usize>,
    /// What is said without them; none while it is being computed.
    pub(super) without: Option<Standing>,
    /// Questions that wait for the one before: a worker only keeps the newest.
    waiting: VecDeque<Question>,
    asked: Option<Question>,
    /// What is folded open.
    pub(super) open: HashSet<Id>,
    /// What is shown, made anew when something changes.
    pub(super) rows: Vec<Row>,
    /// Where one is in it.
    pub(super) cursor: Cursor,
}

/// What is to be found out about the pair.
#[derive(Debug)]
pub(super) enum Ask {
    Why(Question),
    /// What is said without these.
    Without(Spans),
}

/// What came of a key.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) ask: Option<Ask>,
    /// Places to go to in the texts.
    pub(super) jump: Option<Places>,
}

impl Why {
    /// Asks about a pair; folds stay as they were in `before`.
    pub(super) fn new(before: Option<Self>) -> (Self, Option<Question>) {
        let mut open = before.map(|why| why.open).unwrap_or_default();
        if open.is_empty() {
            open.extend([Id::Jaccard, Id::All]);
        }
        let mut why = Self { open, ..Self::default() };
        why.rebuild();
        let question = why.want(Question::Apart);
        (why, question)
    }

    /// Asks, after what was asked before.
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

    /// Whether this is still being found out.
    pub(super) fn awaits(&self, question: &Question) -> bool {
        self.asked.as_ref() == Some(question) || self.waiting.contains(question)
    }

    /// What is said of the pair now, and what was said of the whole of it.
    pub(super) fn standing(&self) -> Option<(&Standing, &Standing)> {
        let Some(Ok(apart)) = &self.apart else { return None };
        Some((self.without.as_ref().unwrap_or(&apart.standing), &apart.standing))
    }

    /// The answer of a configuration now and before.
    pub(super) fn answer(&self, i: usize) -> Option<(&QuickAnswer, &QuickAnswer)> {
        let (now, before) = self.standing()?;
        Some((now.answers.get(i)?, before.answers.get(i)?))
    }

    /// Takes what is said without the runs that are off; an answer that comes when all are on again is not wanted.
    pub(super) fn switched(&mut self, result: Result<Box<Standing>, String>) {
        match result {
            Ok(standing) if !self.off.is_empty() => self.without = Some(*standing),
            Ok(_) => {}
            Err(why) => self.trouble = Some(why),
        }
        self.rebuild();
    }

    /// Takes an answer; what is to be asked next.
    pub(super) fn answered(&mut self, result: Result<Answer, String>) -> Option<Question> {
        match result {
            Ok(Answer::Apart(apart)) => self.apart = Some(Ok(*apart)),
            Ok(Answer::Tree(tree)) => drop(self.trees.insert(tree.name.clone(), *tree)),
            Ok(Answer::Edit(words, characters)) => self.edit = Some((words, characters)),
            Err(why) if self.apart.is_none() => self.apart = Some(Err(why)),
            Err(why) => self.trouble = Some(why),
        }
        self.asked = None;
        self.rebuild();
        self.next()
    }

    /// A worker failed: nothing is on its way any more.
    pub(super) fn no_answer(&mut self) {
        if self.asked.take().is_some() || !self.waiting.is_empty() {
            self.waiting.clear();
            self.trouble = Some("a worker failed on this".to_owned());
            self.rebuild();
        }
    }

    /// Makes the rows anew; the cursor stays on the same one if it is still there.
    fn rebuild(&mut self) {
        let id = self.rows.get(self.cursor.at).map(|row| row.id.clone());
        self.rows = self.unfolded();
        let same = id.and_then(|id| self.rows.iter().position(|row| row.id == id));
        self.cursor.at = same.unwrap_or(self.cursor.at).min(self.rows.len().saturating_sub(1));
    }

    /// The row under the cursor.
    pub(super) fn row(&self) -> Option<&Row> {
        self.rows.get(self.cursor.at)
    }

    /// Moves, folds, switches; none when the action is none of this pane's.
    pub(super) fn update(&mut self, action: Action, page: usize) -> Option<Done> {
        if self.cursor.go(action, self.rows.len(), page) {
            return Some(Done::default());
        }
        let row = self.row()?.clone();
        let done = match action {
            Action::Open => self.enter(&row),
            Action::Right if row.open == Some(false) => self.fold(&row, true),
            Action::Right => {
                self.cursor.go(Action::Down, self.rows.len(), page);
                Done::default()
            }
            Action::Left if row.open == Some(true) => self.fold(&row, false),
            Action::Left => {
                let before = self.rows[..self.cursor.at].iter().rposition(|above| above.depth < row.depth);
                self.cursor.at = before.unwrap_or(0);
                Done::default()
            }
            Action::WhatIf => Done { ask: self.switch(&row.runs).map(Ask::Without), jump: None },
            _ => return None,
        };
        self.cursor.keep(self.rows.len(), page);
        self.show_inside(page);
        Some(done)
    }

    /// Moves on so that what is in the row under the cursor is seen, as far as it fits below it.
    fn show_inside(&mut self, page: usize) {
        let Some(row) = self.row() else { return };
        let inside = self.rows[self.cursor.at + 1..].iter().take_while(|below| below.depth > row.depth);
        let seen = inside.take(page.saturating_sub(1)).count();
        let top = (self.cursor.at + seen + 1).saturating_sub(page.max(1));
        self.cursor.top = self.cursor.top.max(top).min(self.cursor.at);
    }

    /// Goes to the places of a row if it has some, and opens it; without places a second time closes it.
    fn enter(&mut self, row: &Row) -> Done {
        let jump = Some(row.places.clone()).filter(|places| places.iter().any(|side| !side.is_empty()));
        let fold = match row.open {
            Some(false) => self.fold(row, true),
            Some(true) if jump.is_none() => self.fold(row, false),
            _ => Done::default(),
        };
        Done { jump, ..fold }
    }

    fn fold(&mut self, row: &Row, open: bool) -> Done {
        if open {
            self.open.insert(row.id.clone());
        } else {
            self.open.remove(&row.id);
        }
        let question = match &row.id {
            Id::Configuration(name) if open && !self.trees.contains_key(name) => {
                self.want(Question::Tree(name.clone()))
            }
            Id::Edit if open && self.edit.is_none() => self.want(Question::Edit),
            _ => None,
        };
        self.rebuild();
        Done { ask: question.map(Ask::Why), jump: None }
    }

    /// Switches runs off, or on again when all of them are off, and asks what is said then.
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
        let Some(Ok(apart)) = self.apart.as_ref().filter(|_| !self.off.is_empty()) else { return None };
        Some(apart.waterfall.places(self.off.iter().copied()))
    }

    /// How many runs are switched off.
    pub(super) fn switched_off(&self) -> usize {
        self.off.len()
    }

    /// Whether something is switched off and the answer to it is not there yet.
    pub(super) fn computing(&self) -> bool {
        !self.off.is_empty() && self.without.is_none()
    }
}
