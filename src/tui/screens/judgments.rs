//! Judged documents by topic, with what was found for each.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::action::Action;
use crate::tui::data::{Judged, StudyData};
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::glyphs::draw_text;
use crate::tui::widgets::names::squeezed;
use crate::tui::widgets::table::{self, Column};

/// Columns that ids want at least.
const IDS: usize = 30;

/// Whether configurations must share a column so that ids, beside `others` columns, can be read.
pub fn narrow(area: Rect, others: usize) -> bool {
    usize::from(area.width) < others + IDS
}

/// The list and where one is in it.
#[derive(Debug, Default)]
pub struct Judgments {
    /// On a row of those shown.
    pub cursor: Cursor,
    /// Rows that pass the filter; none while there is no filter.
    rows: Option<Vec<usize>>,
    /// What was typed.
    pub filter: String,
    query: String,
}

impl Judgments {
    fn len(&self, data: &StudyData) -> usize {
        self.rows.as_ref().map_or(data.judged.len(), Vec::len)
    }

    fn judged<'a>(&self, data: &'a StudyData, row: usize) -> Option<&'a Judged> {
        let row = self.rows.as_ref().map_or(Some(row), |rows| rows.get(row).copied())?;
        data.judged.get(row)
    }

    /// What is under the cursor.
    pub fn current<'a>(&self, data: &'a StudyData) -> Option<&'a Judged> {
        self.judged(data, self.cursor.at)
    }

    /// Moves, or goes to the next place found.
    pub fn update(&mut self, action: Action, data: &StudyData, area: Rect) -> bool {
        let (len, page) = (self.len(data), table::page(list(area)));
        match action {
            Action::NextHit => self.hit(data, page, true),
            Action::PreviousHit => self.hit(data, page, false),
            _ => return self.cursor.go(action, len, page),
        }
        true
    }

    /// Shows only rows that hold all the words.
    pub fn filter(&mut self, words: &str, data: &StudyData) {
        self.filter = words.to_owned();
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let wanted = |row: &usize| words.iter().all(|word| matches(&data.judged[*row], word));
        self.rows = (!words.is_empty()).then(|| (0..data.judged.len()).filter(wanted).collect());
        self.cursor = Cursor::default();
    }

    /// Looks for words from the cursor on.
    pub fn search(&mut self, query: &str, data: &StudyData, area: Rect) {
        self.query = query.to_lowercase();
        if !self.current(data).is_some_and(|judged| matches(judged, &self.query)) {
            self.hit(data, table::page(list(area)), true);
        }
    }

    fn hit(&mut self, data: &StudyData, page: usize, forward: bool) {
        let len = self.len(data);
        if len == 0 || self.query.is_empty() {
            return;
        }
        let at = self.cursor.at;
        let row = |step: usize| if forward { (at + step) % len } else { (at + len - step) % len };
        let found = (1..=len).map(row).find(|&r| self.judged(data, r).is_some_and(|j| matches(j, &self.query)));
        if let Some(row) = found {
            self.cursor.to(row, len, page);
        }
    }

    /// Draws the topic of the row under the cursor and the visible rows.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, theme: &Theme) {
        if data.judged.is_empty() {
            let note = "This study has no judgments. Add them to [source] in study.toml; pairs are on screen 3.";
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), note, theme.text);
            return;
        }
        let topic = self.current(data).and_then(|judged| data.topic(&judged.topic));
        let text = topic.map_or(String::new(), |t| format!("{}: {}", t.query, t.description));
        draw_text(buffer, (area.x + 1, area.y), area.width.saturating_sub(2), &text, theme.dim);
        let mut columns = vec![
            Column::left(" track", 9),
            Column::left("topic", 6),
            Column::right("grade", 5),
            Column::ids("document"),
            Column::right("best J", 7),
            Column::left("URL", 3),
        ];
        let narrow = narrow(area, 40 + 7 * data.table.configurations().len());
        if narrow {
            columns.push(Column::right("pairs", 6));
        } else {
            columns.extend(data.table.configurations().iter().map(|name| Column::right(&squeezed(name, 6), 6)));
        }
        let cells = |row: usize| match self.judged(data, row) {
            Some(judged) => cells(judged, narrow, theme),
            None => Vec::new(),
        };
        table::draw(buffer, list(area), &columns, (self.cursor, self.len(data)), theme, cells);
    }

    /// How many rows are shown, of how many.
    pub fn status(&self, data: &StudyData) -> String {
        let place = format!("{} of {} judgments", (self.cursor.at + 1).min(self.len(data)), self.len(data));
        if self.filter.is_empty() { place } else { format!("{place} with “{}”", self.filter) }
    }
}

fn cells(judged: &Judged, narrow: bool, theme: &Theme) -> Vec<(String, ratatui::style::Style)> {
    let found = !judged.rows.is_empty();
    let style = if found { theme.text } else { theme.dim };
    let best = if found { format!("{:.3}", judged.best) } else { "·".to_owned() };
    let mut cells = vec![
        format!(" {}", judged.track),
        judged.topic.to_string(),
        judged.grade.to_string(),
        judged.document.to_string(),
        best,
        if judged.same_url { "=".to_owned() } else { String::new() },
    ];
    let number = |n: usize| if n == 0 { "·".to_owned() } else { n.to_string() };
    if narrow {
        cells.push(number(judged.rows.len()));
    } else {
        cells.extend(judged.found.iter().map(|&n| number(n as usize)));
    }
    cells.into_iter().map(|cell| (cell, style)).collect()
}

fn matches(judged: &Judged, word: &str) -> bool {
    [&judged.track, &judged.topic, &judged.document, &judged.grade]
        .iter()
        .any(|field| field.to_lowercase().contains(word))
}

fn list(area: Rect) -> Rect {
    Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area }
}
