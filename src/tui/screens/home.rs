//! What the study is, and what has been found so far.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::action::Action;
use crate::tui::data::StudyData;
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::glyphs::draw_text;
use crate::tui::widgets::table::{self, Column};

/// Lines above the table of configurations.
const HEAD: u16 = 8;

/// The cursor goes over the configurations.
#[derive(Debug, Default)]
pub struct Home {
    /// On a configuration.
    pub cursor: Cursor,
}

impl Home {
    /// Moves the cursor.
    pub fn update(&mut self, action: Action, data: &StudyData, area: Rect) -> bool {
        self.cursor.go(action, data.recipe.configurations.len(), table::page(list(area)))
    }

    /// Draws the study; `labels` says how far the labels are.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, labels: &str, theme: &Theme) {
        for (line, (name, value)) in (0u16..).zip(facts(data, labels)) {
            let y = area.y + 1 + line;
            if y >= area.y + area.height {
                return;
            }
            draw_text(buffer, (area.x + 1, y), 12, name, theme.dim);
            draw_text(buffer, (area.x + 14, y), area.width.saturating_sub(15), &value, theme.text);
        }
        let columns = [
            Column::left(" configuration", 26),
            Column::right("pairs", 12),
            Column::right("sources found", 14),
            Column::right("of judged", 10),
            Column::left("", 0),
        ];
        let cells = |row: usize| {
            let (pairs, sources) = data.counts.get(row).copied().unwrap_or_default();
            let share = match data.judged_documents() {
                0 => String::new(),
                all => format!("{:.1} %", 100.0 * sources as f64 / all as f64),
            };
            let name = format!(" {}", data.recipe.configurations[row].name);
            [name, pairs.to_string(), sources.to_string(), share].map(|cell| (cell, theme.text)).into()
        };
        let len = data.recipe.configurations.len();
        table::draw(buffer, list(area), &columns, (self.cursor, len), theme, cells);
    }
}

fn list(area: Rect) -> Rect {
    Rect { y: area.y + HEAD.min(area.height), height: area.height.saturating_sub(HEAD), ..area }
}

fn facts(data: &StudyData, labels: &str) -> Vec<(&'static str, String)> {
    let mut facts = vec![("study", data.recipe.name.clone())];
    match (&data.summary, &data.trouble) {
        (_, Some(trouble)) => facts.push(("pairs", trouble.clone())),
        (Some(summary), None) => {
            let skipped: u64 = summary.skipped.values().sum();
            facts.push((
                "source",
                format!("{} documents, {} of them judged", summary.documents.source, data.judged_documents()),
            ));
            facts.push(("target", format!("{} documents in {} segments", summary.documents.target, summary.segments)));
            facts.push((
                "pairs",
                format!("{} different ones, by {} configurations", data.table.len(), data.counts.len()),
            ));
            if skipped > 0 {
                facts.push(("not read", format!("{skipped} records, listed in .dejaview/skipped.tsv")));
            }
        }
        (None, None) => {}
    }
    facts.push(("labels", labels.to_owned()));
    facts
}
