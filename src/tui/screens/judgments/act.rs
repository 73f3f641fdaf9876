//! What keys do on the screen, and what it asks for.

use std::sync::Arc;

use ratatui::layout::Rect;

use super::Judgments;
use super::draw::list_area;
use super::jobs::{ArrangeJudgments, CountedJudgments, GatherJudgments, LookUpUrls};
use super::outline::OutlineLine;
use crate::action::Action;
use crate::contract::{Here, PairsOf, Request, Show};
use crate::data::{ArrangedJudgments, JudgedDocument, StudyData, has_word};
use crate::filtering::{Filtering, study_names};
use crate::pair_ids::PairIds;
use crate::shared::Shared;
use crate::widgets::cursor::Cursor;
use crate::widgets::table;
use dejaview_study::{Filter, List, Names};

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

    pub(super) fn arranged(&mut self, arranged: ArrangedJudgments, area: Rect) -> Vec<Request> {
        let previous = self.outline.line(self.cursor.at);
        let filtered = !self.filter.is_empty();
        self.outline.arrange(arranged, filtered);
        // After filtering, the cursor is on the first document that passes.
        let first_document = usize::from(filtered && self.outline.lines() > 1);
        let line = previous.filter(|_| first_document == 0).and_then(|previous| self.outline.line_of(previous));
        self.cursor_to(line.unwrap_or(first_document), area);
        self.request_urls(area)
    }

    fn cursor_to(&mut self, line: usize, area: Rect) {
        self.cursor.to(line, self.outline.lines(), table::page(list_area(area)));
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
            self.outline.close_all();
            self.cursor = Cursor::default();
        }
        self.arrange(data)
    }

    /// Asks for the URLs of the documents on the screen that nobody has asked for.
    fn request_urls(&mut self, area: Rect) -> Vec<Request> {
        let Some(tree) = &self.tree else { return Vec::new() };
        let visible = self.cursor.top..(self.cursor.top + table::page(list_area(area))).min(self.outline.lines());
        let mut missing = Vec::new();
        for line in visible {
            if let Some(OutlineLine::Document { document, .. }) = self.outline.line(line) {
                let document = &tree.documents[document];
                if !document.candidates.is_empty() && !self.urls.contains_key(&*document.id) {
                    missing.push(document.id.to_string());
                }
            }
        }
        if missing.is_empty() { Vec::new() } else { vec![Request::job(LookUpUrls { ids: missing })] }
    }

    pub(super) fn open_pairs(&self, document: &JudgedDocument, here: &mut Here<'_>) -> Vec<Request> {
        let (Some(data), Some(first)) = (&here.data, document.candidates.table_rows().next()) else {
            return here.say(format!("no configuration found a pair of {}", document.id));
        };
        let mut requests = vec![Request::Show(Show::Pairs(PairsOf::Document(document.id.to_string())))];
        if document.candidates.len() == 1 {
            // A single pair is opened at once; back leads to the list of one pair, and from there to the judgments.
            let pair = data.table.pair(first);
            requests.push(Request::Show(Show::Pair(PairIds::new(pair.source, pair.target))));
        }
        requests
    }

    pub(super) fn move_or_fold(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        let page = table::page(list_area(area));
        match (action, self.outline.line(self.cursor.at)) {
            (Action::NextHit | Action::PreviousHit, _) => self.to_result(data, area, action == Action::NextHit),
            (Action::Sort, _) => {
                self.sort = self.sort.next();
                return self.arrange(data);
            }
            (Action::Fold, Some(line)) => {
                self.outline.toggle_all();
                self.cursor_to(self.outline.line_of(line).unwrap_or_default(), area);
            }
            (Action::NextChange | Action::PreviousChange, Some(_)) => {
                if let Some(line) = self.outline.neighbouring_topic(self.cursor.at, action == Action::NextChange) {
                    self.cursor_to(line, area);
                }
            }
            (Action::Open, Some(OutlineLine::Topic(topic))) => {
                self.set_open(topic, !self.outline.is_open(topic), page);
            }
            (Action::Right, Some(OutlineLine::Topic(topic))) if !self.outline.is_open(topic) => {
                self.set_open(topic, true, page);
            }
            (Action::Right, Some(_)) => {
                self.cursor.go(Action::Down, self.outline.lines(), page);
            }
            (Action::Left, Some(OutlineLine::Topic(topic))) => self.set_open(topic, false, page),
            (Action::Left, Some(OutlineLine::Document { topic, .. })) => {
                self.cursor_to(self.outline.line_of(OutlineLine::Topic(topic)).unwrap_or_default(), area);
            }
            _ => {
                self.cursor.go(action, self.outline.lines(), page);
            }
        }
        self.request_urls(area)
    }

    /// Opens or closes a topic; the cursor stays on its line.
    fn set_open(&mut self, topic: usize, open: bool, page: usize) {
        self.outline.set_open(topic, open);
        self.cursor.keep(self.outline.lines(), page);
    }

    /// Searches from the document under the cursor on.
    pub(super) fn search(&mut self, query: &str, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        self.query = query.trim().to_lowercase();
        let here = match self.outline.line(self.cursor.at) {
            Some(OutlineLine::Document { topic, document }) => self.is_result(data, topic, document),
            _ => false,
        };
        if !here {
            self.to_result(data, area, true);
        }
        self.request_urls(area)
    }

    fn is_result(&self, data: &StudyData, topic: usize, document: usize) -> bool {
        let Some(tree) = &self.tree else { return false };
        let group = &tree.topics[topic];
        let query = data.topic(&group.topic).map_or("", |text| text.query.as_str());
        has_word(&tree.documents[document], [&group.track, &group.topic, query], &self.query)
    }

    /// Goes to the next search result, or the previous one, and opens its topic.
    fn to_result(&mut self, data: &StudyData, area: Rect, forward: bool) {
        if self.query.is_empty() {
            return;
        }
        let passes = |topic, document| self.is_result(data, topic, document);
        let Some(result) = self.outline.find(self.cursor.at, forward, passes) else { return };
        if let OutlineLine::Document { topic, .. } = result {
            self.outline.set_open(topic, true);
        }
        self.cursor_to(self.outline.line_of(result).unwrap_or_default(), area);
    }
}
