//! Judged documents by topic, with what was found for each: a list that is folded topic by topic.

mod act;
mod draw;
mod jobs;
mod outline;

use std::collections::HashMap;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, Request, Screen, Show, View};
use crate::data::{JudgedDocument, JudgmentSort, JudgmentTree, StudyData};
use crate::filtering::Filtering;
use crate::key::Key::{self, Char};
use crate::question::{FILTER, Question, SEARCH};
use crate::shared::Shared;
use crate::widgets::cursor::Cursor;
pub use draw::too_narrow_for_ids;
pub use jobs::{ArrangeJudgments, GatherJudgments, LookUpUrls};
use outline::{Outline, OutlineLine};

#[derive(Debug, Default)]
pub struct Judgments {
    /// On a line of the outline.
    pub cursor: Cursor,
    outline: Outline,
    tree: Option<Arc<JudgmentTree>>,
    /// Whether the tree was asked for.
    requested: bool,
    pub filter: String,
    sort: JudgmentSort,
    /// The words searched for, in lower case.
    query: String,
    /// URLs by document; empty if none is kept.
    urls: HashMap<String, String>,
}

const KEYS: Table = &[
    shown(&[Char('o')], Action::Fold, "open or close all topics"),
    bind(&[Char(']')], Action::NextChange, "next topic"),
    bind(&[Char('[')], Action::PreviousChange, "topic before"),
    bind(&[Char('h'), Key::Left], Action::Left, "to the topic; close it"),
    bind(&[Char('l'), Key::Right], Action::Right, "open the topic"),
];

impl Judgments {
    pub const ID: ScreenId = ScreenId::new("judgments");

    /// The judgment under the cursor; none on a topic.
    pub fn current(&self) -> Option<&JudgedDocument> {
        match self.outline.line(self.cursor.at)? {
            OutlineLine::Document { document, .. } => self.tree.as_ref()?.documents.get(document),
            OutlineLine::Topic(_) => None,
        }
    }
}

impl Screen for Judgments {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, binding::FILTERING, binding::SORTING, KEYS, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.as_ref().filter(|data| !self.requested && data.judgments.is_some()) else {
            return Vec::new();
        };
        self.request_tree(data)
    }

    fn forget_rows(&mut self) {
        (self.tree, self.requested, self.outline.is_arranged) = (None, false, false);
    }

    fn is_awaited(&self, data: Option<&StudyData>) -> bool {
        let on_its_way = self.requested && (self.tree.is_none() || !self.outline.is_arranged);
        data.is_none_or(|data| data.judgments.is_some() && on_its_way)
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let (Some(data), area) = (here.data.clone(), here.area()) else { return Vec::new() };
        match self.current().filter(|_| action == Action::Open) {
            Some(document) => self.open_pairs(document, here),
            None if action == Action::RemoveChip => self.restrict("", &data),
            None => self.move_or_fold(action, &data, area),
        }
    }

    fn clear(&mut self, here: &mut Here<'_>) -> Option<Vec<Request>> {
        let data = here.data.clone().filter(|_| !self.filter.is_empty())?;
        Some(self.restrict("", &data))
    }

    fn filtering(&self, shared: &Shared) -> Option<Filtering> {
        self.filtered_list(shared)
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        let (Some(data), area) = (here.data.clone(), here.area()) else { return Vec::new() };
        match question {
            SEARCH => self.search(text, &data, area),
            FILTER => self.restrict(text, &data),
            _ => Vec::new(),
        }
    }

    fn show(&mut self, what: &Show, here: &mut Here<'_>) -> Option<Result<Vec<Request>, String>> {
        let Show::Judgments(filter) = what else { return None };
        let data = here.data.clone()?;
        let mut requests = self.entered(here);
        requests.extend(self.restrict(filter, &data));
        Some(Ok(requests))
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        self.draw_list(buffer, area, view);
    }

    fn status(&self, view: &View<'_>) -> String {
        let tree = self.tree.as_ref().filter(|_| view.data.judgments.is_some());
        tree.map_or(String::new(), |tree| self.position(tree))
    }
}
