//! What keys do on the screen, and which rows it asks for.

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;

use super::jobs::{Arrange, CountedPairs, SearchPairs};
use super::kept::Restrictions;
use super::layout::{Layout, PREVIEW};
use super::{DUEL, Duel, Pairs};
use crate::action::Action;
use crate::book::Book;
use crate::contract::{Here, PairsOf, Request, Show};
use crate::data::{PartialTable, ShownRows, StudyData};
use crate::filtering::{Filtering, study_names};
use crate::overlays::ask::Ask;
use crate::pair_ids::PairIds;
use crate::shared::Shared;
use crate::widgets::chips::Chips;
use crate::widgets::cursor::Cursor;
use crate::widgets::prompt::Prompt;
use crate::widgets::size::Size;
use dejaview_labels::Decisions;
use dejaview_study::{Arranged, Filter, FilterError, List, Names, Sort};

/// The class of a terminal whose screens have this area.
fn size_of(area: Rect) -> Size {
    Size::of((area.width, area.height + 2))
}

impl Pairs {
    pub(super) fn perform(&mut self, action: Action, data: &Arc<StudyData>, here: &mut Here<'_>) -> Vec<Request> {
        if self.focus.act(action, 2) {
            return Vec::new();
        }
        let area = here.area();
        match action {
            Action::Open => self.open(data, here.shared),
            Action::Duel if data.table.configurations().len() < 2 => {
                here.say("A duel needs two configurations, and this study has one")
            }
            Action::Duel => vec![Request::open(Ask::new(DUEL, Prompt::with(&self.duel_suggestion(data))))],
            Action::NextResult => self.start_search(data, 1, true),
            Action::PreviousResult => self.start_search(data, 1, false),
            _ if self.choose_rows(action, data) => self.arrange_or_drop_filter(data, here.shared),
            _ if self.walk_strip(action, data) => Vec::new(),
            _ if self.focus.is_on(PREVIEW) && !matches!(action, Action::NextPair | Action::PreviousPair) => {
                let size = size_of(area);
                if let Some(pane) = Layout::new(area, size, self.focus).preview {
                    self.preview.scroll(action, pane, size);
                }
                Vec::new()
            }
            _ => {
                let action = match action {
                    Action::NextPair => Action::Down,
                    Action::PreviousPair => Action::Up,
                    other => other,
                };
                self.cursor.go(action, self.rows.len(), self.page(area));
                self.show_preview(data, here.shared, here.at)
            }
        }
    }

    fn page(&self, area: Rect) -> usize {
        let size = size_of(area);
        Layout::new(area, size, self.focus).page(size)
    }

    /// Brings the preview to the pair under the cursor.
    pub(super) fn show_preview(&mut self, data: &StudyData, shared: &Shared, at: Duration) -> Vec<Request> {
        let pair = self.current().filter(|_| shared.preferences.preview).map(|row| data.table.pair(row));
        let ids = pair.map(|pair| PairIds::new(pair.source, pair.target));
        let requests = self.preview.show::<Self>(ids, at);
        if !self.preview.waits() {
            self.beside = self.current();
        }
        requests
    }

    /// ← and → go from dot to dot of the strip that says which configurations found a pair.
    fn walk_strip(&mut self, action: Action, data: &StudyData) -> bool {
        let configurations = data.table.configurations().len();
        if self.duel.is_some() || self.focus.is_on(PREVIEW) || configurations == 0 {
            return false;
        }
        self.walked = match action {
            Action::Right => Some(self.walked.map_or(0, |c| (c + 1).min(configurations - 1))),
            Action::Left => self.walked.and_then(|c| c.checked_sub(1)),
            _ => return false,
        };
        true
    }

    /// Changes what is shown or in which order; false if the action does neither.
    fn choose_rows(&mut self, action: Action, data: &StudyData) -> bool {
        if self.focus.is_on(PREVIEW) && matches!(action, Action::NextChange | Action::PreviousChange) {
            return false;
        }
        let configurations = data.table.configurations().len();
        match (action, &mut self.duel) {
            (Action::Sort, _) => {
                let sorts: Vec<Sort> = Sort::ALL.into_iter().filter(|sort| self.can_sort_by(*sort, data)).collect();
                let next = sorts.iter().position(|sort| *sort == self.sort).map_or(0, |at| at + 1);
                (self.sort, self.reverse) = (sorts[next % sorts.len()], false);
            }
            (Action::RemoveChip, _) => self.remove_last_chip(),
            (Action::SortReverse, _) => self.reverse = !self.reverse,
            (Action::NextChange, Some(duel)) => duel.show_next_set(),
            (Action::PreviousChange, Some(duel)) => duel.show_previous_set(),
            // After the last configuration come the pairs that any of them found.
            (Action::NextChange, None) => {
                let next = self.configuration.map_or(0, |c| c + 1);
                self.configuration = (next < configurations).then_some(next);
            }
            (Action::PreviousChange, None) => {
                self.configuration = self.configuration.unwrap_or(configurations).checked_sub(1);
            }
            (Action::Left | Action::Right, Some(duel)) => {
                duel.change_opponent(action == Action::Right, configurations);
            }
            _ => return false,
        }
        true
    }

    /// Sorting by distance needs one configuration whose distances are meant.
    fn can_sort_by(&self, sort: Sort, data: &StudyData) -> bool {
        sort != Sort::Distance || self.measured(data).is_some()
    }

    /// Moves the cursor by a row; the row of the table that it is on then, if it could.
    pub(super) fn step(&mut self, forward: bool, area: Rect) -> Option<usize> {
        let at = if forward { self.cursor.at + 1 } else { self.cursor.at.checked_sub(1)? };
        if at >= self.rows.len() {
            return None;
        }
        self.cursor.to(at, self.rows.len(), self.page(area));
        self.current()
    }

    /// What restricts the list.
    pub(super) fn chips(&self, data: &StudyData) -> Chips {
        let names = data.table.configurations();
        let filter = self.parsed_filter(data).map(|filter| filter.text(names)).unwrap_or_default();
        let configuration = self.configuration.and_then(|c| names.get(c).cloned());
        Chips { document: self.document.clone(), configuration, filter }
    }

    /// Removes the last restriction: the filter, then the configuration, then the document.
    fn remove_last_chip(&mut self) {
        if !self.filter.is_empty() {
            self.filter.clear();
        } else if self.configuration.take().is_none() {
            self.document = None;
        }
    }

    fn clear_restrictions(&mut self) {
        (self.document, self.configuration, self.duel) = (None, None, None);
        self.filter.clear();
    }

    pub(super) fn show_all(&mut self, data: &Arc<StudyData>, book: &Book) -> Vec<Request> {
        self.clear_restrictions();
        self.arrange(data, book).unwrap_or_default()
    }

    /// Shows pairs that another screen asks for.
    pub(super) fn show_pairs(
        &mut self,
        pairs: &PairsOf,
        data: &Arc<StudyData>,
        book: &Book,
    ) -> Result<Vec<Request>, FilterError> {
        self.clear_restrictions();
        match pairs {
            PairsOf::Document(id) => self.document = Some(id.clone()),
            PairsOf::Configuration(configuration) => self.configuration = Some(*configuration),
            PairsOf::Filter(expression) => return self.restrict(expression, data, book),
        }
        Ok(self.arrange(data, book).unwrap_or_default())
    }

    /// Applies a filter; an empty one is none. The document and the configuration stay as they are.
    pub(super) fn restrict(
        &mut self,
        expression: &str,
        data: &Arc<StudyData>,
        book: &Book,
    ) -> Result<Vec<Request>, FilterError> {
        let previous = std::mem::replace(&mut self.filter, expression.to_owned());
        self.arrange(data, book).inspect_err(|_| self.filter = previous)
    }

    /// The configuration whose distances are meant: the one chosen, or the only one; in a duel the one whose pairs are
    /// shown.
    pub(super) fn measured(&self, data: &StudyData) -> Option<usize> {
        let only = (data.table.configurations().len() == 1).then_some(0);
        self.duel.map(Duel::measured).or(self.configuration).or(only)
    }

    /// Compares the two configurations of these names; no names end the duel.
    pub(super) fn begin_duel(
        &mut self,
        names: &str,
        data: &Arc<StudyData>,
        shared: &mut Shared,
    ) -> Result<Vec<Request>, String> {
        let duel = match names.trim() {
            "" => None,
            names => Some(Duel::parse(names, data.table.configurations())?),
        };
        (self.document, self.configuration, self.duel) = (None, None, duel);
        Ok(self.arrange_or_drop_filter(data, shared))
    }

    /// The names of the current duel, or of the configuration shown and its neighbour.
    fn duel_suggestion(&self, data: &StudyData) -> String {
        let names = data.table.configurations();
        let first = self.configuration.unwrap_or_default();
        let suggested = self.duel.map_or([first, if first == 0 { 1 } else { 0 }], |duel| duel.configurations);
        suggested.map(|c| names.get(c).map_or("", String::as_str)).join(" ").trim().to_owned()
    }

    pub(super) fn arrange(&mut self, data: &Arc<StudyData>, book: &Book) -> Result<Vec<Request>, FilterError> {
        let typed = self.parsed_filter(data)?;
        self.hint = typed.hint();
        if !self.can_sort_by(self.sort, data) {
            (self.sort, self.reverse) = (Sort::default(), false);
        }
        let filter = self.other_restrictions().and(typed);
        self.first_wanted = false;
        self.duel_counts = None;
        self.cursor = Cursor::default();
        self.gap = data.gap();
        self.labels_version = None;
        if self.shows_whole_table() {
            (self.rows, self.arranging) = (ShownRows::All(data.table.len()), false);
            return Ok(vec![Request::forget::<Arrange>()]);
        }
        let needs_labels = self.sort == Sort::Label || filter.asks_labels();
        self.labels_version = needs_labels.then(|| book.version());
        self.arranging = true;
        Ok(vec![Request::job(Arrange {
            data: data.clone(),
            labels: if needs_labels { book.decisions().clone() } else { Decisions::default() },
            filter,
            duel: self.duel.map(|duel| (duel.configurations, duel.set as usize)),
            sort: self.sort,
            measured: self.measured(data),
            reverse: self.reverse,
        })])
    }

    /// Arranges rows again that hang on labels, where labels have changed. While pairs are labelled one after another the list
    /// stays as it is, so that the next pair is the next one; who comes back to it sees what holds. The cursor stays on its
    /// pair, or in its place where the pair is gone.
    pub(super) fn renew(&mut self, data: &Arc<StudyData>, shared: &mut Shared) -> Vec<Request> {
        if self.arranging || self.labels_version.is_none_or(|version| version == shared.book.version()) {
            return Vec::new();
        }
        let (cursor, pair) = (self.cursor, self.current().map(|row| data.table.ids(row)));
        self.returning = pair.map(|(source, target)| PairIds::new(source, target));
        let requests = self.arrange_or_drop_filter(data, shared);
        self.cursor = cursor;
        requests
    }

    pub(super) fn filtered_list(&self, shared: &Shared) -> Option<Filtering> {
        let data = shared.data.clone()?;
        let names = study_names(&data, List::Pairs, self.configuration);
        let rows = CountedPairs {
            data,
            labels: shared.book.decisions().clone(),
            others: self.other_restrictions(),
            duel: self.duel.map(|duel| (duel.configurations, duel.set as usize)),
        };
        Some(Filtering { text: self.filter.clone(), names, rows: Arc::new(rows) })
    }

    fn parsed_filter(&self, data: &StudyData) -> Result<Filter, FilterError> {
        Filter::parse(&self.filter, Names::of_pairs(data.table.configurations()).choosing(self.configuration))
    }

    /// The document and the configuration whose pairs are shown, if they are restricted to one.
    pub(super) fn other_restrictions(&self) -> Filter {
        let of_document = self.document.as_ref().map(|id| Filter::of_source(id)).unwrap_or_default();
        of_document.and(self.configuration.map(Filter::found_by).unwrap_or_default())
    }

    /// A filter that makes no sense any more, because it was about the configuration that was chosen, is dropped, and the
    /// person is told why.
    pub(super) fn arrange_or_drop_filter(&mut self, data: &Arc<StudyData>, shared: &mut Shared) -> Vec<Request> {
        match self.arrange(data, &shared.book) {
            Ok(requests) => requests,
            Err(error) => {
                let filter = std::mem::take(&mut self.filter);
                shared.message = Some(format!("The filter “{}” was removed: {}", filter.trim(), error.problem()));
                self.arrange(data, &shared.book).unwrap_or_default()
            }
        }
    }

    /// The whole table in its own order needs no job.
    fn shows_whole_table(&self) -> bool {
        let restricted = self.document.is_some() || self.configuration.is_some() || self.duel.is_some();
        !restricted && self.filter.trim().is_empty() && self.sort == Sort::Source && !self.reverse
    }

    /// Takes a study that was read. If only its ends were shown until now, the cursor stays on its pair: the first rows are
    /// still the first, and the last still the last.
    pub(super) fn take_study(
        &mut self,
        previous: Option<PartialTable>,
        data: &Arc<StudyData>,
        shared: &mut Shared,
    ) -> Vec<Request> {
        let (cursor, shown) = (self.cursor, self.rows.len());
        (self.beside, self.titled) = (None, None);
        let requests = self.arrange_or_drop_filter(data, shared);
        if self.arranging {
            // The numbers of the rows shown until now are those of another table.
            self.rows = ShownRows::default();
        } else if let Some(partial) = previous {
            self.cursor = cursor;
            if partial.gap.is_some_and(|gap| cursor.at > gap) {
                let from_end = |at: usize| (at + self.rows.len()).saturating_sub(shown);
                self.cursor = Cursor { at: from_end(cursor.at), top: from_end(cursor.top) };
            }
            self.cursor.keep(self.rows.len(), self.page(shared.area()));
        }
        requests
    }

    /// Configurations are known by their numbers here: those of another `study.toml` keep their names, and one that is gone
    /// is not chosen any more.
    pub(super) fn follow_configurations(&mut self, before: &[String], now: &[String]) {
        let follow = |c: usize| now.iter().position(|name| before.get(c) == Some(name));
        let follow_duel = |duel: Duel| {
            let [a, b] = duel.configurations;
            Some(Duel { configurations: [follow(a)?, follow(b)?], ..duel })
        };
        let follow_all = |restrictions: &mut Restrictions| {
            restrictions.configuration = restrictions.configuration.and_then(follow);
            restrictions.duel = restrictions.duel.and_then(follow_duel);
        };
        self.configuration = self.configuration.and_then(follow);
        self.duel = self.duel.and_then(follow_duel);
        self.walked = self.walked.and_then(follow);
        if let Some(own) = &mut self.own {
            follow_all(&mut own.restrictions);
            follow_all(&mut own.replaced_by);
        }
    }

    /// Puts the cursor back on its pair after the study was read again.
    pub(super) fn return_to_pair(&mut self, data: &StudyData, area: Rect) {
        // Where there are no pairs now, it waits for the next reading of the study.
        let can_return = !self.arranging && data.trouble.is_none();
        let Some(ids) = self.returning.take_if(|_| can_return) else { return };
        let row = data.table.find(&ids.source, &ids.target);
        let is_its = |at: &usize| row.is_some() && self.rows.get(*at) == row;
        match (0..self.rows.len()).find(is_its) {
            Some(at) => self.cursor.to(at, self.rows.len(), self.page(area)),
            None => self.cursor.keep(self.rows.len(), self.page(area)),
        }
    }

    /// Takes rows that were arranged; true if the first of them is to be opened.
    pub(super) fn arranged(&mut self, arranged: Arranged) -> bool {
        self.rows = ShownRows::Listed(Arc::new(arranged.rows));
        (self.duel_counts, self.arranging) = (arranged.duel, false);
        std::mem::take(&mut self.first_wanted)
    }

    /// No other rows will come: those that are shown stay.
    pub(super) fn keep_rows(&mut self) {
        (self.arranging, self.first_wanted) = (false, false);
    }

    fn open(&mut self, data: &StudyData, shared: &mut Shared) -> Vec<Request> {
        shared.pair_list = Some(Self::ID);
        // Enter right after a new filter means the first pair that passes it, even if the rows are not there yet.
        self.first_wanted = self.arranging;
        if self.first_wanted {
            return vec![Request::Show(Show::AwaitedPair)];
        }
        let pair = self.current().map(|row| data.table.pair(row));
        pair.map(|pair| Request::Show(Show::Pair(PairIds::new(pair.source, pair.target)))).into_iter().collect()
    }

    /// Searches ids, titles and URLs from the cursor on.
    pub(super) fn search(&mut self, query: &str, data: &Arc<StudyData>) -> Vec<Request> {
        (self.query, self.titled) = (query.trim().to_lowercase(), None);
        self.start_search(data, 0, true)
    }

    fn start_search(&mut self, data: &Arc<StudyData>, step: usize, forward: bool) -> Vec<Request> {
        let len = self.rows.len();
        if len == 0 || self.query.is_empty() {
            return Vec::new();
        }
        self.searching = true;
        let from = if forward { self.cursor.at + step } else { self.cursor.at + len - step } % len;
        let (data, rows) = (data.clone(), self.rows.clone());
        let (query, titled) = (self.query.clone(), self.titled.clone());
        vec![Request::job(SearchPairs { data, rows, query, titled, from, forward })]
    }

    /// Goes to the search result; a message if there is none.
    pub(super) fn searched(&mut self, result: Option<usize>, area: Rect) -> Option<String> {
        self.searching = false;
        match result {
            Some(at) => {
                self.cursor.to(at, self.rows.len(), self.page(area));
                None
            }
            None => Some(format!("“{}” is in no id, title or URL of these pairs", self.query)),
        }
    }
}
