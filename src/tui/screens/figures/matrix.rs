//! A figure with a number for each row and column.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::report::numbers::count;
use crate::study::Figure;
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::glyphs::{draw_text, width};
use crate::tui::widgets::names::squeezed;

/// Columns of the names of rows, and of a cell, at most.
const NAME: usize = 20;
const CELL: usize = 12;

/// How a matrix is cut to the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    name: u16,
    cell: u16,
    /// Cells that fit beside each other.
    pub(super) columns: usize,
}

impl Grid {
    pub(super) fn of(room: u16, figure: &Figure) -> Self {
        let name = figure.series.iter().map(|series| width(&series.name)).max().unwrap_or_default().min(NAME) + 1;
        let widest = figure.series.iter().flat_map(|series| &series.bars).map(|bar| width(&count(bar.value))).max();
        let heads = figure.categories.iter().map(|category| width(category)).max().unwrap_or_default();
        let left = usize::from(room).saturating_sub(name);
        let fair = (left / figure.categories.len().max(1)).saturating_sub(1);
        let cell = heads.min(fair.max(6)).max(widest.unwrap_or(1)).clamp(4, CELL);
        let columns = (left / (cell + 1)).clamp(1, figure.categories.len().max(1));
        Self { name: name as u16, cell: cell as u16, columns }
    }
}

pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    figure: &Figure,
    (mut down, mut across): (Cursor, Cursor),
    theme: &Theme,
) {
    let grid = Grid::of(area.width, figure);
    let page = usize::from(area.height.saturating_sub(1)).max(1);
    down.keep(figure.series.len(), page);
    across.keep(figure.categories.len(), grid.columns);
    let end = area.x + area.width;
    let mut cell = |column: usize, y: u16, text: &str, style| {
        let x = area.x + grid.name + (column - across.top) as u16 * (grid.cell + 1) + 1;
        let room = grid.cell.min(end.saturating_sub(x));
        let pad = room.saturating_sub(width(text) as u16);
        draw_text(buffer, (x + pad, y), room - pad, text, style);
    };
    let columns = across.top..(across.top + grid.columns).min(figure.categories.len());
    for column in columns.clone() {
        let head = &figure.categories[column];
        let room = usize::from(grid.cell);
        let head =
            if width(head) <= room { head.clone() } else { squeezed(head.split('–').next().unwrap_or(head), room) };
        cell(column, area.y, &head, if column == across.at { theme.selected } else { theme.title });
    }
    for (place, y) in (down.top..figure.series.len()).zip(area.y + 1..(area.y + area.height).max(area.y + 1)) {
        for column in columns.clone() {
            let value = figure.series[place].bars.get(column).map_or(0, |bar| bar.value);
            let same = figure.categories[column] == figure.series[place].name;
            let text = match value {
                0 if same => "–".to_owned(),
                0 => "·".to_owned(),
                value => count(value),
            };
            let style = match (place == down.at && column == across.at, value) {
                (true, _) => theme.selected,
                (false, 0) => theme.dim,
                (false, _) => theme.text,
            };
            cell(column, y, &text, style);
        }
    }
    for (place, y) in (down.top..figure.series.len()).zip(area.y + 1..(area.y + area.height).max(area.y + 1)) {
        let style = if place == down.at { theme.selected } else { theme.text };
        draw_text(buffer, (area.x, y), grid.name, &format!(" {}", figure.series[place].name), style);
    }
}
