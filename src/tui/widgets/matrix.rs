//! A matrix: a name for each row, a head for each column, moved under the window where not all fit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::cursor::Cursor;
use super::glyphs::{draw_text, width};
use super::table;
use crate::theme::Theme;

/// How a matrix is cut to the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Columns of the screen for the names of the rows.
    pub name: u16,
    /// For one cell, without the gap in front of it.
    pub cell: u16,
    /// Cells that fit beside each other.
    pub columns: usize,
}

pub struct Matrix<'a> {
    pub rows: &'a [&'a str],
    /// Heads of the columns, as they fit a cell.
    pub heads: &'a [String],
    /// The text of a cell, by row and column, and its style.
    pub cell: &'a dyn Fn(usize, usize) -> (String, Style),
}

impl Matrix<'_> {
    /// Draws what is visible around the cursors.
    pub fn draw(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        grid: Grid,
        (mut down, mut across): (Cursor, Cursor),
        theme: &Theme,
    ) {
        if area.height == 0 || self.rows.is_empty() {
            return;
        }
        // The screen may have shrunk since the cursor moved.
        down.keep(self.rows.len(), table::page(area).max(1));
        across.keep(self.heads.len(), grid.columns);
        let columns = across.top..(across.top + grid.columns).min(self.heads.len());
        let rows = down.top..(down.top + table::page(area)).min(self.rows.len());
        let mark = |here: bool, style: Style| if here { theme.selected } else { style };
        let corner = hidden(columns.start, self.heads.len() - columns.end);
        draw_text(buffer, (area.x + 1, area.y), grid.name.saturating_sub(1), &corner, theme.dim);
        let mut cell = |column: usize, y: u16, text: &str, style: Style| {
            let x = area.x + grid.name + (column - columns.start) as u16 * (grid.cell + 1) + 1;
            let room = grid.cell.min((area.x + area.width).saturating_sub(x));
            let pad = room.saturating_sub(width(text) as u16);
            draw_text(buffer, (x + pad, y), room - pad, text, style);
        };
        for column in columns.clone() {
            cell(column, area.y, &self.heads[column], mark(column == across.at, theme.title));
        }
        for (row, y) in rows.clone().zip(area.y + 1..) {
            for column in columns.clone() {
                let (text, style) = (self.cell)(row, column);
                cell(column, y, &text, mark((row, column) == (down.at, across.at), style));
            }
        }
        for (row, y) in rows.zip(area.y + 1..) {
            let style = mark(row == down.at, theme.text);
            draw_text(buffer, (area.x, y), grid.name, &format!(" {}", self.rows[row]), style);
        }
    }
}

/// How many columns lie left and right of those shown.
fn hidden(left: usize, right: usize) -> String {
    match (left, right) {
        (0, 0) => String::new(),
        (0, right) => format!("{right} more ›"),
        (left, 0) => format!("‹ {left} more"),
        (left, right) => format!("‹ {left} · {right} ›"),
    }
}
