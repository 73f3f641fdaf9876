//! A figure with a number for each row and column.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::width;
use crate::widgets::matrix::{Grid, Matrix};
use crate::widgets::names::squeezed;
use dejaview_report::numbers::count;
use dejaview_study::Figure;

/// Columns of the names of rows, and of a cell, at most.
const NAME: usize = 20;
const CELL: usize = 12;

/// How the matrix of a figure is cut to a screen of this width.
pub(super) fn grid(room: u16, figure: &Figure) -> Grid {
    let name = figure.series.iter().map(|series| width(&series.name)).max().unwrap_or_default().min(NAME) + 1;
    let widest = figure.series.iter().flat_map(|series| &series.bars).map(|bar| width(&count(bar.value))).max();
    let heads = figure.categories.iter().map(|category| width(category)).max().unwrap_or_default();
    let left = usize::from(room).saturating_sub(name);
    let fair = (left / figure.categories.len().max(1)).saturating_sub(1);
    let cell = heads.min(fair.max(6)).max(widest.unwrap_or(1)).clamp(4, CELL);
    let columns = (left / (cell + 1)).clamp(1, figure.categories.len().max(1));
    Grid { name: name as u16, cell: cell as u16, columns }
}

pub(super) fn draw(buffer: &mut Buffer, area: Rect, figure: &Figure, at: (Cursor, Cursor), theme: &Theme) {
    let grid = grid(area.width, figure);
    let room = usize::from(grid.cell);
    let head = |head: &String| match width(head) <= room {
        true => head.clone(),
        false => squeezed(head.split('–').next().unwrap_or(head), room),
    };
    let rows: Vec<&str> = figure.series.iter().map(|series| series.name.as_str()).collect();
    let heads: Vec<String> = figure.categories.iter().map(head).collect();
    let cell = |row: usize, column: usize| {
        let value = figure.series[row].bars.get(column).map_or(0, |bar| bar.value);
        match value {
            0 if figure.categories[column] == figure.series[row].name => ("–".to_owned(), theme.dim),
            0 => ("·".to_owned(), theme.dim),
            value => (count(value), theme.text),
        }
    };
    Matrix { rows: &rows, heads: &heads, cell: &cell }.draw(buffer, area, grid, at, theme);
}
