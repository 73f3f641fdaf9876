//! Judged documents by topic, with the candidates of the one under the cursor and the differences of the best candidate.

mod act;
mod detail;
mod draw;
mod jobs;
mod layout;
mod outline;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, News, Request, Screen, Show, View};
use crate::data::{Judgment, JudgmentSort, JudgmentTree, StudyData};
use crate::filtering::Filtering;
use crate::key::Key::{self, Char};
use crate::pair_ids::PairIds;
use crate::preview::{Preview, ShowsPreview};
use crate::question::{FILTER, Question, SEARCH};
use crate::shared::Shared;
use crate::widgets::cursor::Cursor;
use crate::widgets::focus::Focus;
pub use jobs::{ArrangeJudgments, GatherJudgments};
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
    focus: Focus,
    /// Rows of the pair table: the candidates of the document under the cursor, the best first.
    candidates: Vec<usize>,
    /// The judgment whose candidates these are, by its place in the tree.
    candidates_of: Option<usize>,
    candidate: Cursor,
    preview: Preview,
}

const KEYS: Table = &[
    shown(&[Char('J')], Action::NextPair, "next document"),
    bind(&[Char('K')], Action::PreviousPair, "previous document"),
    shown(&[Char(']')], Action::NextChange, "next topic"),
    bind(&[Char('[')], Action::PreviousChange, "previous topic"),
    bind(&[Char('o')], Action::Fold, "open or close all topics"),
    bind(&[Char('h'), Key::Left], Action::Left, "to the topic; close it"),
    bind(&[Char('l'), Key::Right], Action::Right, "open the topic"),
];

impl Judgments {
    pub const ID: ScreenId = ScreenId::new("judgments");

    /// The judgment under the cursor; none on a topic.
    pub fn current(&self) -> Option<&Judgment> {
        match self.outline.line(self.cursor.at)? {
            OutlineLine::Judgment { judgment, .. } => self.tree.as_ref()?.judgments.get(judgment),
            OutlineLine::Topic(_) => None,
        }
    }

    /// The row of the pair table that the candidate under the cursor is.
    fn current_row(&self) -> Option<usize> {
        self.candidates.get(self.candidate.at).copied()
    }
}

impl ShowsPreview for Judgments {
    fn preview_mut(&mut self) -> &mut Preview {
        &mut self.preview
    }
}

impl Screen for Judgments {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        use binding::{COPYING, ESCAPE, EVERYWHERE, FILTERING, LISTS, PANES, SORTING};
        &[LISTS, KEYS, FILTERING, SORTING, PANES, COPYING, EVERYWHERE, ESCAPE]
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone().filter(|data| data.judgments.is_some()) else { return Vec::new() };
        if self.requested { self.show_details(&data, here.shared, here.at) } else { self.request_tree(&data) }
    }

    fn forget_rows(&mut self) {
        (self.tree, self.requested, self.outline.is_arranged) = (None, false, false);
        // Their rows are those of another table.
        (self.candidates, self.candidates_of) = (Vec::new(), None);
        self.preview.forget();
    }

    fn is_awaited(&self, data: Option<&StudyData>) -> bool {
        let on_its_way = self.requested && (self.tree.is_none() || !self.outline.is_arranged);
        data.is_none_or(|data| data.judgments.is_some() && on_its_way)
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        self.perform(action, &data, here)
    }

    /// Goes back to all panes, then to the list, then to the previous screen.
    fn back(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        if self.focus.unzoom() || std::mem::take(&mut self.focus.at) != 0 { Vec::new() } else { vec![Request::Leave] }
    }

    fn clear(&mut self, here: &mut Here<'_>) -> Option<Vec<Request>> {
        let data = here.data.clone().filter(|_| !self.filter.is_empty())?;
        Some(self.restrict("", &data))
    }

    fn filtering(&self, shared: &Shared) -> Option<Filtering> {
        self.filtered_list(shared)
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        match question {
            SEARCH => self.search(text, &data, here),
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

    fn on_news(&mut self, news: &News, here: &mut Here<'_>) -> Vec<Request> {
        match *news {
            News::PairWanted { next } if here.shared.pair_list == Some(Self::ID) => self.open_neighbour(next, here),
            _ => Vec::new(),
        }
    }

    fn pair_at_hand(&self, shared: &Shared) -> Option<PairIds> {
        let pair = shared.data.as_ref()?.table.pair(self.current_row()?);
        Some(PairIds::new(pair.source, pair.target))
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        self.draw_panes(buffer, area, view);
    }
}
