//! Candidate pairs: a table of any length, filtered and sorted by a worker.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::judgments::narrow;
use crate::study::{Filter, Sort};
use crate::tui::action::Action;
use crate::tui::data::StudyData;
use crate::tui::jobs::Effect;
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::glyphs::draw_text;
use crate::tui::widgets::names::squeezed;
use crate::tui::widgets::table::{self, Column};

/// Up to this many configurations an eye tells dots apart without help.
const FEW: usize = 12;
/// Of more, this many dots stand together.
const GROUP: usize = 5;

/// The table and where one is in it.
#[derive(Debug, Default)]
pub struct Pairs {
    /// On a row of those shown.
    pub cursor: Cursor,
    /// Numbers of the rows shown, once a worker has arranged them.
    rows: Vec<u32>,
    /// What was typed.
    pub filter: String,
    /// The document whose pairs alone are shown.
    of: Option<String>,
    /// The configuration whose pairs alone are shown.
    configuration: Option<usize>,
    sort: Sort,
    query: String,
    /// Of the newest wish, and of the rows shown.
    generation: u64,
    arranged: u64,
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

    /// Shows the pairs of one document, or all.
    pub fn of(&mut self, document: Option<&str>, data: &Arc<StudyData>) -> Vec<Effect> {
        self.of = document.map(str::to_owned);
        self.filter.clear();
        self.configuration = None;
        self.arrange(data).unwrap_or_default()
    }

    /// Shows the pairs that one configuration found.
    pub fn by(&mut self, configuration: usize, data: &Arc<StudyData>) -> Vec<Effect> {
        self.of = None;
        self.filter.clear();
        self.configuration = Some(configuration);
        self.arrange(data).unwrap_or_default()
    }

    /// Shows the pairs that a filter admits, of all documents and configurations.
    pub fn only(&mut self, expression: &str, data: &Arc<StudyData>) -> Result<Vec<Effect>, String> {
        (self.of, self.configuration) = (None, None);
        self.filter(expression, data)
    }

    /// Takes a filter; an error says what is wrong with it. An empty one shows all pairs again.
    pub fn filter(&mut self, expression: &str, data: &Arc<StudyData>) -> Result<Vec<Effect>, String> {
        if expression.trim().is_empty() {
            (self.of, self.configuration) = (None, None);
        }
        let before = std::mem::replace(&mut self.filter, expression.to_owned());
        self.arrange(data).inspect_err(|_| self.filter = before)
    }

    /// Asks for the rows as they are wanted now.
    pub fn arrange(&mut self, data: &Arc<StudyData>) -> Result<Vec<Effect>, String> {
        let mut expression = self.filter.clone();
        if let Some(c) = self.configuration {
            expression = format!("{expression} & {}", data.table.configurations()[c]);
        }
        let typed = Filter::parse(&expression, data.table.configurations()).map_err(|error| error.to_string())?;
        let filter = match &self.of {
            Some(id) => Filter::of_source(id).and(typed),
            None => typed,
        };
        self.generation += 1;
        self.wanted = false;
        self.cursor = Cursor::default();
        Ok(vec![Effect::Arrange { generation: self.generation, data: data.clone(), filter, sort: self.sort }])
    }

    /// Takes rows that a worker arranged, unless they are late; true when the first was asked for meanwhile.
    pub fn arranged(&mut self, generation: u64, rows: Vec<u32>) -> bool {
        if generation != self.generation {
            return false;
        }
        (self.rows, self.arranged) = (rows, generation);
        std::mem::take(&mut self.wanted)
    }

    /// Moves, sorts, goes to the next place found. None when the action is none of this screen's.
    pub fn update(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Option<Vec<Effect>> {
        let page = table::page(area);
        match action {
            Action::Sort => {
                let next = Sort::ALL.iter().position(|s| *s == self.sort).map_or(0, |at| at + 1);
                self.sort = Sort::ALL[next % Sort::ALL.len()];
                self.arrange(data).ok()
            }
            Action::NextConfiguration => {
                let next = self.configuration.map_or(0, |c| c + 1);
                self.configuration = (next < data.table.configurations().len()).then_some(next);
                self.arrange(data).ok()
            }
            Action::NextHit => Some(self.hit(data, page, true)),
            Action::PreviousHit => Some(self.hit(data, page, false)),
            _ => self.cursor.go(action, self.rows.len(), page).then(Vec::new),
        }
    }

    /// Looks for part of an id from the cursor on.
    pub fn search(&mut self, query: &str, data: &StudyData, area: Rect) {
        self.query = query.to_lowercase();
        if !self.current().is_some_and(|row| self.found(data, row)) {
            self.hit(data, table::page(area), true);
        }
    }

    fn found(&self, data: &StudyData, row: usize) -> bool {
        let pair = data.table.pair(row);
        [pair.source, pair.target].iter().any(|id| id.to_lowercase().contains(&self.query))
    }

    fn hit(&mut self, data: &StudyData, page: usize, forward: bool) -> Vec<Effect> {
        let (len, at) = (self.rows.len(), self.cursor.at);
        if len > 0 && !self.query.is_empty() {
            let row = |step: usize| if forward { (at + step) % len } else { (at + len - step) % len };
            let found = (1..=len).map(row).find(|&r| self.found(data, self.rows[r] as usize));
            if let Some(row) = found {
                self.cursor.to(row, len, page);
            }
        }
        Vec::new()
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
        let mut columns = vec![
            Column::ids(" source"),
            Column::ids("target"),
            Column::right(&format!("J{}", data.table.n()), 6),
            Column::right("dist", 4),
            Column::right("length", 6),
            Column::left("URL", 3),
            Column::left("label", 6),
        ];
        let configurations = data.table.configurations();
        let finders = Finders::of(area, configurations.len());
        columns.extend(finders.columns(configurations));
        let cells = |row: usize| {
            let row = self.rows[row] as usize;
            let pair = data.table.pair(row);
            let mut cells = vec![
                format!(" {}", pair.source),
                pair.target.to_owned(),
                format!("{:.3}", data.table.jaccard(row)),
                data.table.distance(row).to_string(),
                format!("{:.3}", pair.scores().length_ratio),
                if pair.same_url { "=".to_owned() } else { String::new() },
                label(pair.source, pair.target).to_owned(),
            ];
            let found: Vec<bool> = (0..configurations.len()).map(|c| data.table.found_by(row, c)).collect();
            cells.extend(finders.cells(&found));
            cells.into_iter().map(|cell| (cell, theme.text)).collect()
        };
        table::draw(buffer, area, &columns, (self.cursor, self.rows.len()), theme, cells);
    }

    /// Which rows are shown, in which order.
    pub fn status(&self, data: &StudyData) -> String {
        let at = (self.cursor.at + 1).min(self.rows.len());
        let mut status = format!("{at} of {} pairs · by {}", self.rows.len(), self.sort.name());
        if let Some(c) = self.configuration {
            status.push_str(&format!(" · {}", data.table.configurations()[c]));
        }
        if let Some(id) = &self.of {
            status.push_str(&format!(" · of {id}"));
        }
        if !self.filter.is_empty() {
            status.push_str(&format!(" · {}", self.filter));
        }
        if let Some(row) = self.current().filter(|_| data.table.configurations().len() > FEW) {
            let names = data.table.configurations().iter().enumerate();
            let found: Vec<&str> =
                names.filter(|(c, _)| data.table.found_by(row, *c)).map(|(_, name)| name.as_str()).collect();
            status.push_str(&format!(" · found by {}", found.join(", ")));
        }
        status
    }
}

/// How the table says which configurations found a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finders {
    /// A column each.
    Columns,
    /// A dot each, in one column.
    Dots,
    /// How many.
    Count,
}

impl Finders {
    /// What there is room for.
    fn of(area: Rect, configurations: usize) -> Self {
        if !narrow(area, 65 + 5 * configurations) {
            Self::Columns
        } else if configurations <= FEW || usize::from(area.width) >= 68 + dots(configurations) {
            Self::Dots
        } else {
            Self::Count
        }
    }

    fn columns(self, names: &[String]) -> Vec<Column> {
        match self {
            Self::Columns => names.iter().map(|name| Column::left(&squeezed(name, 4), 4)).collect(),
            Self::Dots => vec![Column::left("found", dots(names.len()).max(5) as u16)],
            Self::Count => vec![Column::right("found", 7)],
        }
    }

    fn cells(self, found: &[bool]) -> Vec<String> {
        let dot = |found: &bool| if *found { "•" } else { "·" };
        match self {
            Self::Columns => found.iter().map(|found| dot(found).to_owned()).collect(),
            Self::Dots if found.len() <= FEW => vec![found.iter().map(dot).collect()],
            Self::Dots => {
                let groups = found.chunks(GROUP).map(|group| group.iter().map(dot).collect::<String>());
                vec![groups.collect::<Vec<_>>().join(" ")]
            }
            Self::Count => vec![format!("{}/{}", found.iter().filter(|found| **found).count(), found.len())],
        }
    }
}

/// Columns that a dot for each configuration takes; many of them stand in groups.
fn dots(configurations: usize) -> usize {
    if configurations <= FEW { configurations } else { configurations + (configurations - 1) / GROUP }
}
