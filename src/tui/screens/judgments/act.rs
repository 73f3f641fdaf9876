//! What keys do on the screen, and what it asks for.

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;

use super::Judgments;
use super::jobs::{ArrangeJudgments, CountedJudgments, GatherJudgments};
use super::layout::{CANDIDATES, JUDGMENTS, Layout, PREVIEW, TOPICS};
use super::outline::OutlineLine;
use crate::action::Action;
use crate::contract::{Here, Request, Show};
use crate::data::{ArrangedJudgments, StudyData, has_word};
use crate::filtering::{Filtering, study_names};
use crate::pair_ids::PairIds;
use crate::shared::Shared;
use crate::widgets::cursor::{Cursor, moved};
use crate::widgets::frame::Frame;
use crate::widgets::size::{Breadth, Size};
use dejaview_study::{Filter, List, Names};

/// The class of a terminal whose screens have this area.
fn size_of(area: Rect) -> Size {
    Size::of((area.width, area.height + 2))
}

impl Judgments {
    pub(super) fn request_tree(&mut self, data: &Arc<StudyData>) -> Vec<Request> {
        self.requested = true;
        vec![Request::job(GatherJudgments { data: data.clone() })]
    }

    pub(super) fn arrange(&self, data: &Arc<StudyData>) -> Vec<Request> {
        let Some(tree) = self.tree.clone() else { return Vec::new() };
        // The line in which it was typed has parsed it already.
        let filter = Filter::parse(&self.filter, Names::of_judgments(data.table.configurations())).unwrap_or_default();
        vec![Request::job(ArrangeJudgments { data: data.clone(), tree, filter, sort: self.sort })]
    }

    pub(super) fn arranged(
        &mut self,
        arranged: ArrangedJudgments,
        data: &Arc<StudyData>,
        shared: &Shared,
    ) -> Vec<Request> {
        let first_time = !self.outline.is_arranged;
        let previous = self.outline.line(self.cursor.at);
        let filtered = !self.filter.is_empty();
        self.outline.arrange(arranged, filtered);
        // At first, and after filtering, the cursor is on the first judgment.
        let to_first = first_time || filtered;
        let line = previous.filter(|_| !to_first).and_then(|previous| self.outline.line_of(previous));
        self.cursor_to(line.unwrap_or(usize::from(to_first && self.outline.lines() > 1)), shared.area());
        self.show_details(data, shared, Duration::ZERO)
    }

    fn page(&self, area: Rect) -> usize {
        let size = size_of(area);
        usize::from(Layout::new(area, size, self.focus).list_rows(size).height)
    }

    fn cursor_to(&mut self, line: usize, area: Rect) {
        self.cursor.to(line, self.outline.lines(), self.page(area));
    }

    pub(super) fn filtered_list(&self, shared: &Shared) -> Option<Filtering> {
        let (data, tree) = (shared.data.clone()?, self.tree.clone()?);
        let names = study_names(&data, List::Judgments, None);
        Some(Filtering { text: self.filter.clone(), names, rows: Arc::new(CountedJudgments { data, tree }) })
    }

    /// Shows only judgments that pass a filter.
    pub(super) fn restrict(&mut self, expression: &str, data: &Arc<StudyData>) -> Vec<Request> {
        self.filter = expression.trim().to_owned();
        if self.filter.is_empty() {
            let line = self.outline.line(self.cursor.at);
            self.outline.close_all();
            if let Some(OutlineLine::Judgment { topic, .. }) = line {
                self.outline.set_open(topic, true);
            }
            self.cursor.at = line.and_then(|line| self.outline.line_of(line)).unwrap_or_default();
        }
        self.arrange(data)
    }

    pub(super) fn perform(&mut self, action: Action, data: &Arc<StudyData>, here: &mut Here<'_>) -> Vec<Request> {
        let area = here.area();
        let wide = size_of(area).breadth == Breadth::Wide;
        if !wide && self.focus.at == TOPICS {
            self.focus.at = JUDGMENTS;
        }
        if self.focus.act(action, if wide { 4 } else { 3 }) {
            return Vec::new();
        }
        match (action, self.focus.at) {
            (Action::Open, pane) => return self.open(pane, here),
            (Action::RemoveChip, _) => return self.restrict("", data),
            (Action::Sort, _) => {
                self.sort = self.sort.next();
                return self.arrange(data);
            }
            (Action::NextResult | Action::PreviousResult, _) => {
                self.go_to_result(data, area, action == Action::NextResult)
            }
            (Action::NextPair, _) => self.move_in_list(Action::Down, area, wide),
            (Action::PreviousPair, _) => self.move_in_list(Action::Up, area, wide),
            (Action::Fold, _) if !wide => self.toggle_topics(area),
            (_, PREVIEW) => {
                let size = size_of(area);
                if let Some(pane) = Layout::new(area, size, self.focus).preview {
                    self.preview.scroll(action, pane, size);
                }
            }
            (Action::NextChange | Action::PreviousChange, _) => {
                self.go_to_topic(action == Action::NextChange, area, wide);
            }
            (_, CANDIDATES) => {
                let size = size_of(area);
                let pane = Layout::new(area, size, self.focus).candidates.unwrap_or_default();
                let page = usize::from(Frame::inside(pane, size).height);
                self.candidate.go(action, self.candidates.len(), page);
            }
            (_, TOPICS) => match action {
                Action::Down => self.go_to_topic(true, area, wide),
                Action::Up => self.go_to_topic(false, area, wide),
                _ => {}
            },
            (action, _) => self.move_or_fold(action, area, wide),
        }
        self.show_details(data, here.shared, here.at)
    }

    /// Enter leads from a topic to its judgments, from a judgment to its candidates, from a candidate to Compare.
    fn open(&mut self, pane: usize, here: &mut Here<'_>) -> Vec<Request> {
        match (pane, self.outline.line(self.cursor.at)) {
            (TOPICS, _) => {
                self.focus.at = JUDGMENTS;
                Vec::new()
            }
            (JUDGMENTS, Some(OutlineLine::Topic(topic))) => {
                self.set_open(topic, !self.outline.is_open(topic), here.area());
                Vec::new()
            }
            (JUDGMENTS, _) if self.candidates.is_empty() => {
                let not_run = here.shared.data.as_ref().and_then(|data| data.trouble.clone());
                match self.current() {
                    Some(judgment) => here.say(
                        not_run.unwrap_or_else(|| format!("No configuration found a pair of {}", judgment.document.id)),
                    ),
                    None => Vec::new(),
                }
            }
            (JUDGMENTS, _) => {
                self.focus.at = CANDIDATES;
                Vec::new()
            }
            _ => self.open_candidate(here.shared),
        }
    }

    fn open_candidate(&mut self, shared: &mut Shared) -> Vec<Request> {
        let pair = shared.data.as_ref().zip(self.current_row()).map(|(data, row)| data.table.pair(row));
        let Some(pair) = pair.map(|pair| PairIds::new(pair.source, pair.target)) else { return Vec::new() };
        shared.pair_list = Some(Self::ID);
        vec![Request::Show(Show::Pair(pair))]
    }

    /// Opens the next candidate on Compare, or the previous one.
    pub(super) fn open_neighbour(&mut self, next: bool, here: &mut Here<'_>) -> Vec<Request> {
        let to = if next { Some(self.candidate.at + 1) } else { self.candidate.at.checked_sub(1) };
        match to.filter(|to| *to < self.candidates.len()) {
            Some(to) => {
                self.candidate.to(to, self.candidates.len(), 1);
                self.open_candidate(here.shared)
            }
            None if here.sound().is_none() => {
                let why = here.data.as_ref().and_then(|data| data.trouble.clone());
                here.say(why.unwrap_or_else(|| "The judgments are still being read".to_owned()))
            }
            None if next => here.say("This is the last candidate of the document"),
            None => here.say("This is the first candidate of the document"),
        }
    }

    fn move_or_fold(&mut self, action: Action, area: Rect, wide: bool) {
        match (action, self.outline.line(self.cursor.at)) {
            (Action::Left | Action::Right, _) if wide => {}
            (Action::Right, Some(OutlineLine::Topic(topic))) if !self.outline.is_open(topic) => {
                self.set_open(topic, true, area);
            }
            (Action::Right, Some(_)) => self.move_in_list(Action::Down, area, wide),
            (Action::Left, Some(OutlineLine::Topic(topic))) => self.set_open(topic, false, area),
            (Action::Left, Some(OutlineLine::Judgment { topic, .. })) => {
                self.cursor_to(self.outline.line_of(OutlineLine::Topic(topic)).unwrap_or_default(), area);
            }
            _ => self.move_in_list(action, area, wide),
        }
    }

    /// Moves over the lines of the outline; on wide terminals over the judgments of one topic.
    fn move_in_list(&mut self, action: Action, area: Rect, wide: bool) {
        let page = self.page(area);
        match self.outline.line(self.cursor.at).filter(|_| wide) {
            Some(OutlineLine::Judgment { topic, judgment }) => {
                let judgments = self.outline.judgments_of(topic);
                let at = self.outline.position_in_topic(topic, judgment);
                let to = moved(action, at, page, judgments.len().saturating_sub(1)).unwrap_or(at);
                let judgment = judgments[to] as usize;
                let line = self.outline.line_of(OutlineLine::Judgment { topic, judgment });
                self.cursor_to(line.unwrap_or_default(), area);
            }
            _ => {
                self.cursor.go(action, self.outline.lines(), page);
            }
        }
    }

    /// Opens or closes a topic; the cursor stays on its line.
    fn set_open(&mut self, topic: usize, open: bool, area: Rect) {
        self.outline.set_open(topic, open);
        self.cursor.keep(self.outline.lines(), self.page(area));
    }

    /// Opens all topics, or closes all; the cursor stays on its judgment or goes to its topic.
    fn toggle_topics(&mut self, area: Rect) {
        let Some(line) = self.outline.line(self.cursor.at) else { return };
        self.outline.toggle_all();
        self.cursor_to(self.outline.line_of(line).unwrap_or_default(), area);
    }

    /// Goes to the next topic or the previous one: to its line, on wide terminals to its first judgment.
    fn go_to_topic(&mut self, next: bool, area: Rect, wide: bool) {
        let topic_line = match self.outline.line(self.cursor.at) {
            Some(OutlineLine::Judgment { topic, .. }) if wide => self.outline.line_of(OutlineLine::Topic(topic)),
            _ => None,
        };
        let from = topic_line.unwrap_or(self.cursor.at);
        if let Some(line) = self.outline.neighbouring_topic(from, next) {
            self.cursor_to(line, area);
        }
    }

    /// Searches from the judgment under the cursor on.
    pub(super) fn search(&mut self, query: &str, data: &Arc<StudyData>, here: &mut Here<'_>) -> Vec<Request> {
        self.query = query.trim().to_lowercase();
        let is_here = match self.outline.line(self.cursor.at) {
            Some(OutlineLine::Judgment { topic, judgment }) => self.is_result(data, topic, judgment),
            _ => false,
        };
        if !is_here {
            self.go_to_result(data, here.area(), true);
        }
        self.show_details(data, here.shared, here.at)
    }

    fn is_result(&self, data: &StudyData, topic: usize, judgment: usize) -> bool {
        let Some(tree) = &self.tree else { return false };
        let group = &tree.topics[topic];
        let query = data.topic(&group.topic).map_or("", |text| text.query.as_str());
        has_word(&tree.judgments[judgment], [&group.track, &group.topic, query], &self.query)
    }

    /// Goes to the next search result, or the previous one, and opens its topic.
    fn go_to_result(&mut self, data: &StudyData, area: Rect, forward: bool) {
        if self.query.is_empty() {
            return;
        }
        let passes = |topic, judgment| self.is_result(data, topic, judgment);
        let Some(result) = self.outline.find(self.cursor.at, forward, passes) else { return };
        if let OutlineLine::Judgment { topic, .. } = result {
            self.outline.set_open(topic, true);
        }
        self.cursor_to(self.outline.line_of(result).unwrap_or_default(), area);
    }

    /// Brings candidates and preview to what is under the cursor. On wide terminals this is always a judgment.
    pub(super) fn show_details(&mut self, data: &Arc<StudyData>, shared: &Shared, at: Duration) -> Vec<Request> {
        let area = shared.area();
        let line = self.outline.line(self.cursor.at);
        if let (Some(OutlineLine::Topic(topic)), Breadth::Wide) = (line, size_of(area).breadth) {
            self.outline.set_open(topic, true);
            self.cursor_to(self.cursor.at + 1, area);
        }
        let judgment = match self.outline.line(self.cursor.at) {
            Some(OutlineLine::Judgment { judgment, .. }) => Some(judgment),
            _ => None,
        };
        if judgment != self.candidates_of {
            let current = self.current().map(|judgment| judgment.document.candidates.best_first(&data.table));
            (self.candidates, self.candidates_of) = (current.unwrap_or_default(), judgment);
            self.candidate = Cursor::default();
        }
        let pair = self.current_row().filter(|_| shared.preferences.preview).map(|row| data.table.pair(row));
        let ids = pair.map(|pair| PairIds::new(pair.source, pair.target));
        self.preview.show::<Self>(ids, at)
    }
}
