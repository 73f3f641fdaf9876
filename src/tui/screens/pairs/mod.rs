//! Candidate pairs: a table of any length, filtered, sorted and searched by a worker.

mod columns;
mod duel;

pub use duel::Duel;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::labels::Decisions;
use crate::study::{Arranged, Filter, Sort};
use crate::tui::action::Action;
use crate::tui::asks::Ask;
use crate::tui::data::StudyData;
use crate::tui::jobs::{Effect, Wish};
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::glyphs::draw_text;
use crate::tui::widgets::table;
use columns::{Columns, FEW};

/// The table and where one is in it.
#[derive(Debug, Default)]
pub struct Pairs {
    /// On a row of those shown.
    pub cursor: Cursor,
    /// Numbers of the rows shown, once a worker has arranged them.
    rows: Arc<Vec<u32>>,
    /// What was typed.
    pub filter: String,
    /// What was typed last and is wrong.
    draft: Option<String>,
    /// The document whose pairs alone are shown.
    of: Option<String>,
    /// The configuration whose pairs alone are shown.
    configuration: Option<usize>,
    duel: Option<Duel>,
    /// Of the duel: only the first's, only the second's, both's.
    counts: Option<[u64; 3]>,
    sort: Sort,
    reverse: bool,
    query: String,
    /// Of the newest wish, and of the rows shown.
    generation: u64,
    arranged: u64,
    /// Of the newest search, and whether it is still to be answered.
    sought: (u64, bool),
    /// Whether the first pair is to be opened once the rows are arranged.
    wanted: bool,
}

impl Pairs {
    /// Row of the table under the cursor; none while the rows are being arranged: what one sees then is about to go.
    pub fn current(&self) -> Option<usize> {
        let row = self.rows.get(self.cursor.at).map(|&row| row as usize);
        row.filter(|_| self.arranged == self.generation)
    }

    /// Whether the rows are being arranged; the first of them is then wanted once it is known.
    pub fn want_first(&mut self) -> bool {
        self.wanted = self.arranged != self.generation;
        self.wanted
    }

    /// Row of the table `step` rows from the cursor, which goes there.
    pub fn step(&mut self, forward: bool, page: usize) -> Option<usize> {
        let at = if forward { self.cursor.at + 1 } else { self.cursor.at.checked_sub(1)? };
        if at >= self.rows.len() {
            return None;
        }
        self.cursor.to(at, self.rows.len(), page);
        self.current()
    }

    /// Whether only the pairs of one document are shown.
    pub fn is_of_one(&self) -> bool {
        self.of.is_some()
    }

    /// Takes every narrowing away.
    fn widen(&mut self) {
        (self.of, self.configuration, self.duel, self.draft) = (None, None, None, None);
        self.filter.clear();
    }

    /// Shows the pairs of one document, or all.
    pub fn of(&mut self, document: Option<&str>, data: &Arc<StudyData>, labels: &Decisions) -> Vec<Effect> {
        self.widen();
        self.of = document.map(str::to_owned);
        self.arrange(data, labels).unwrap_or_default()
    }

    /// Shows the pairs that one configuration found.
    pub fn by(&mut self, configuration: usize, data: &Arc<StudyData>, labels: &Decisions) -> Vec<Effect> {
        self.widen();
        self.configuration = Some(configuration);
        self.arrange(data, labels).unwrap_or_default()
    }

    /// Shows the pairs that a filter admits, of all documents and configurations.
    pub fn only(&mut self, expression: &str, data: &Arc<StudyData>, labels: &Decisions) -> Result<Vec<Effect>, String> {
        self.widen();
        self.filter(expression, data, labels)
    }

    /// Takes a filter; an error says what is wrong with it. An empty one shows all pairs again, or all of the duel.
    pub fn filter(
        &mut self,
        expression: &str,
        data: &Arc<StudyData>,
        labels: &Decisions,
    ) -> Result<Vec<Effect>, String> {
        if expression.trim().is_empty() && self.duel.is_none() {
            self.widen();
        }
        self.draft = None;
        let before = std::mem::replace(&mut self.filter, expression.trim().to_owned());
        self.arrange(data, labels).inspect_err(|_| self.draft = Some(std::mem::replace(&mut self.filter, before)))
    }

    /// What a line for a filter begins with: what holds, or what was wrong last.
    pub fn typed(&self) -> &str {
        self.draft.as_ref().unwrap_or(&self.filter)
    }

    /// Sets two configurations against each other by their names; nothing ends a duel.
    pub fn duel(&mut self, names: &str, data: &Arc<StudyData>, labels: &Decisions) -> Result<Vec<Effect>, String> {
        let duel = match names.trim() {
            "" => None,
            names => Some(Duel::parse(names, data.table.configurations())?),
        };
        (self.of, self.configuration, self.duel) = (None, None, duel);
        self.arrange(data, labels)
    }

    /// What a line for a duel begins with: the two that meet, or the configuration shown and its neighbour.
    pub fn opponents(&self, data: &StudyData) -> String {
        let names = data.table.configurations();
        let first = self.configuration.unwrap_or_default();
        let of = self.duel.map_or([first, if first == 0 { 1 } else { 0 }], |duel| duel.of);
        of.map(|c| names.get(c).map_or("", String::as_str)).join(" ").trim().to_owned()
    }

    /// Asks for the rows as they are wanted now.
    pub fn arrange(&mut self, data: &Arc<StudyData>, labels: &Decisions) -> Result<Vec<Effect>, String> {
        let names = data.table.configurations();
        let typed = Filter::parse(&self.filter, names).map_err(|error| error.to_string())?;
        let of = self.of.as_ref().map(|id| Filter::of_source(id)).unwrap_or_default();
        let by = self.configuration.map(Filter::found_by).unwrap_or_default();
        let filter = of.and(by).and(typed);
        self.generation += 1;
        self.wanted = false;
        self.counts = None;
        self.cursor = Cursor::default();
        let asks = self.sort == Sort::Label || filter.asks_labels();
        let wish = Box::new(Wish {
            labels: asks.then(|| Box::new(labels.clone())),
            filter,
            duel: self.duel.map(|duel| (duel.of, duel.side)),
            sort: self.sort,
            reverse: self.reverse,
        });
        Ok(vec![Effect::Arrange { generation: self.generation, data: data.clone(), wish }])
    }

    /// Takes rows that a worker arranged, unless they are late; true when the first was asked for meanwhile.
    pub fn arranged(&mut self, generation: u64, arranged: Arranged) -> bool {
        if generation != self.generation {
            return false;
        }
        (self.rows, self.counts, self.arranged) = (Arc::new(arranged.rows), arranged.duel, generation);
        std::mem::take(&mut self.wanted)
    }

    /// Rows will not come: those that are shown stay.
    pub fn no_answer(&mut self) {
        (self.arranged, self.wanted) = (self.generation, false);
    }

    /// A search was given up.
    pub fn not_found(&mut self) {
        self.sought.1 = false;
    }

    /// Moves, sorts, goes to the next place found. None when the action is none of this screen's.
    pub fn update(
        &mut self,
        action: Action,
        data: &Arc<StudyData>,
        labels: &Decisions,
        area: Rect,
    ) -> Option<Vec<Effect>> {
        let configurations = data.table.configurations().len();
        match action {
            Action::Sort => {
                let next = Sort::ALL.iter().position(|s| *s == self.sort).map_or(0, |at| at + 1);
                (self.sort, self.reverse) = (Sort::ALL[next % Sort::ALL.len()], false);
            }
            Action::SortReverse => self.reverse = !self.reverse,
            Action::NextConfiguration => match &mut self.duel {
                Some(duel) => duel.next(),
                None => {
                    let next = self.configuration.map_or(0, |c| c + 1);
                    self.configuration = (next < configurations).then_some(next);
                }
            },
            Action::Left | Action::Right => self.duel.as_mut()?.opponent(action == Action::Right, configurations),
            Action::NextHit => return Some(self.seek(data, 1, true)),
            Action::PreviousHit => return Some(self.seek(data, 1, false)),
            _ => return self.cursor.go(action, self.rows.len(), table::page(self.list(area))).then(Vec::new),
        }
        self.arrange(data, labels).ok()
    }

    /// Looks for part of an id from the cursor on.
    pub fn search(&mut self, query: &str, data: &Arc<StudyData>) -> Vec<Effect> {
        self.query = query.trim().to_lowercase();
        self.seek(data, 0, true)
    }

    fn seek(&mut self, data: &Arc<StudyData>, step: usize, forward: bool) -> Vec<Effect> {
        let len = self.rows.len();
        if len == 0 || self.query.is_empty() {
            return Vec::new();
        }
        self.sought = (self.sought.0 + 1, true);
        let from = if forward { self.cursor.at + step } else { self.cursor.at + len - step } % len;
        let (generation, data, rows, query) = (self.sought.0, data.clone(), self.rows.clone(), self.query.clone());
        vec![Effect::Ask(Ask::Seek { generation, data, rows, query, from, forward })]
    }

    /// Goes to the row found, unless the answer is late; a message when there is none.
    pub fn found(&mut self, generation: u64, at: Option<usize>, area: Rect) -> Option<String> {
        if (generation, true) != self.sought {
            return None;
        }
        self.sought.1 = false;
        match at {
            Some(at) => {
                self.cursor.to(at, self.rows.len(), table::page(self.list(area)));
                None
            }
            None => Some(format!("no id of these pairs has “{}” in it", self.query)),
        }
    }

    fn list(&self, area: Rect) -> Rect {
        let head = u16::from(self.duel.is_some()).min(area.height);
        Rect { y: area.y + head, height: area.height - head, ..area }
    }

    /// Draws the visible rows; `label` says what was decided on a pair.
    pub fn draw(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        data: &StudyData,
        label: impl Fn(&str, &str) -> &'static str,
        theme: &Theme,
    ) {
        if let Some(trouble) = &data.trouble {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), trouble, theme.warning);
            return;
        }
        if let Some(duel) = self.duel {
            duel.draw(buffer, area, data.table.configurations(), self.counts, theme);
        }
        let columns = Columns::of(area, data, self.configuration, (self.sort, self.reverse));
        let cells = |row: usize| {
            let row = self.rows[row] as usize;
            let (source, target) = data.table.ids(row);
            columns.cells(data, row, label(source, target), theme)
        };
        let list = self.list(area);
        table::draw(buffer, list, &columns.heads(data), (self.cursor, self.rows.len()), theme, cells);
        if self.rows.is_empty() && list.height > 2 {
            let note = if self.arranged == self.generation { "no pair is so" } else { "arranging the pairs…" };
            draw_text(buffer, (list.x + 1, list.y + 2), list.width.saturating_sub(2), note, theme.dim);
        }
    }

    /// Which rows are shown, in which order.
    pub fn status(&self, data: &StudyData) -> String {
        let at = (self.cursor.at + 1).min(self.rows.len());
        let by = format!("by {}{}", self.sort.name(), if self.reverse { ", reversed" } else { "" });
        let mut status = format!("{at} of {} pairs · {by}", self.rows.len());
        if self.arranged != self.generation {
            status = format!("arranging… {by}");
        } else if self.sought.1 {
            status = format!("searching for “{}”…", self.query);
        }
        let names = data.table.configurations();
        if let Some(c) = self.configuration {
            let distance = data.recipe.configurations.get(c).map_or("", |recipe| recipe.entry.distance());
            status.push_str(&format!(" · {} (dist: {distance})", names[c]));
        }
        if let Some(duel) = self.duel {
            status.push_str(&format!(" · {}", duel.words(names)[duel.side]));
        }
        if let Some(id) = &self.of {
            status.push_str(&format!(" · of {id}"));
        }
        if !self.filter.is_empty() {
            status.push_str(&format!(" · {}", self.filter));
        }
        if let Some(row) = self.current().filter(|_| names.len() > FEW) {
            let names = names.iter().enumerate();
            let found: Vec<&str> =
                names.filter(|(c, _)| data.table.found_by(row, *c)).map(|(_, name)| name.as_str()).collect();
            status.push_str(&format!(" · found by {}", found.join(", ")));
        }
        status
    }
}
