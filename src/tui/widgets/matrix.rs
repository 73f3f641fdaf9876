//! A matrix: a name for each row, a head for each column, moved under the window where not all fit. Heads that are wider
//! than a cell are written downwards.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::cursor::Cursor;
use super::glyphs::{draw_text, glyphs, width};
use crate::theme::Theme;

/// Columns that the name of a row takes, at most.
const WIDEST_NAME: usize = 20;

/// How a matrix is cut to the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Columns of the screen for the names of the rows.
    pub name: u16,
    /// For one cell, without the gap in front of it.
    pub cell: u16,
    /// Cells that fit beside each other.
    pub columns: usize,
    /// Lines for the heads.
    pub head: u16,
    /// Rows that fit below them.
    pub page: usize,
}

impl Grid {
    /// Cuts a matrix with these names and heads, whose cells take at least so many columns, to an area.
    pub fn new(area: Rect, rows: &[&str], heads: &[&str], cell: u16) -> Self {
        let room = usize::from(area.width);
        let widest = |texts: &[&str]| texts.iter().map(|text| width(text)).max().unwrap_or_default();
        let name = (widest(rows) + 1).min(WIDEST_NAME + 1).min(room / 3);
        let count = heads.len().max(1);
        let fair = ((room - name) / count).saturating_sub(1);
        // Heads stand above their cells where all columns fit so; else they are written downwards.
        let level = widest(heads).max(usize::from(cell));
        let (cell, head) = if level <= fair {
            (level, 1)
        } else {
            (usize::from(cell), widest(heads).min(usize::from(area.height / 3)).max(1))
        };
        let columns = ((room - name) / (cell + 1)).clamp(1, count);
        let page = usize::from(area.height).saturating_sub(head);
        Self { name: name as u16, cell: cell as u16, columns, head: head as u16, page }
    }
}

pub struct Matrix<'a> {
    pub rows: &'a [&'a str],
    pub heads: &'a [&'a str],
    /// The text of a cell, by row and column, and its style.
    pub cell: &'a dyn Fn(usize, usize) -> (String, Style),
}

impl Matrix<'_> {
    /// Draws what is visible around the cursors. The row and the column of the cursor have strong names.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, grid: Grid, cursors: (Cursor, Cursor), theme: &Theme) {
        let (mut down, mut across) = cursors;
        if area.height <= grid.head || self.rows.is_empty() {
            return;
        }
        // The screen may have shrunk since the cursor moved.
        down.keep(self.rows.len(), grid.page.max(1));
        across.keep(self.heads.len(), grid.columns);
        let columns = across.top..(across.top + grid.columns).min(self.heads.len());
        let rows = down.top..(down.top + grid.page).min(self.rows.len());
        let strong = |here: bool| if here { theme.strong } else { theme.muted };
        let corner = hidden_columns(columns.start, self.heads.len() - columns.end);
        draw_text(buffer, (area.x + 1, area.y), grid.name.saturating_sub(1), &corner, theme.muted);
        let first = area.y + grid.head;
        for column in columns {
            let x = area.x + grid.name + (column - across.top) as u16 * (grid.cell + 1) + 1;
            let room = grid.cell.min(area.right().saturating_sub(x));
            self.draw_head(
                buffer,
                Rect { x, width: room, height: grid.head, ..area },
                column,
                strong(column == across.at),
            );
            for (row, y) in rows.clone().zip(first..) {
                let (text, style) = (self.cell)(row, column);
                let pad = room.saturating_sub(width(&text) as u16);
                let here = (row, column) == (down.at, across.at);
                let style =
                    if row == down.at || column == across.at { style.add_modifier(Modifier::BOLD) } else { style };
                draw_text(buffer, (x + pad, y), room - pad, &text, style);
                if here {
                    Theme::lay_under(buffer, Rect { x, y, width: room, height: 1 }, theme.cursor);
                }
            }
        }
        for (row, y) in rows.zip(first..) {
            let sign = if row == down.at { "▌" } else { " " };
            draw_text(buffer, (area.x, y), 1, sign, theme.accent);
            let style = if row == down.at { theme.strong } else { theme.text };
            draw_text(buffer, (area.x + 1, y), grid.name.saturating_sub(1), self.rows[row], style);
        }
    }

    fn draw_head(&self, buffer: &mut Buffer, area: Rect, column: usize, style: Style) {
        let head = self.heads[column];
        if area.height == 1 {
            let pad = area.width.saturating_sub(width(head) as u16);
            draw_text(buffer, (area.x + pad, area.y), area.width - pad, head, style);
            return;
        }
        let letters = glyphs(head);
        let top = area.bottom() - (letters.len() as u16).min(area.height);
        for (y, letter) in (top..area.bottom()).zip(&letters) {
            let pad = area.width.saturating_sub(letter.width as u16);
            draw_text(buffer, (area.x + pad, y), area.width - pad, &letter.text, style);
        }
    }
}

/// How many columns lie left and right of those shown.
fn hidden_columns(left: usize, right: usize) -> String {
    match (left, right) {
        (0, 0) => String::new(),
        (0, right) => format!("{right} more ›"),
        (left, 0) => format!("‹ {left} more"),
        (left, right) => format!("‹ {left} · {right} ›"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Palette;

    fn names(count: usize, like: &str) -> Vec<String> {
        (0..count).map(|n| format!("{like}{n}")).collect()
    }

    fn grid(room: u16, names: &[String]) -> Grid {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Grid::new(Rect::new(0, 0, room, 30), &names, &names, 3)
    }

    #[test]
    fn few_columns_have_room_for_their_heads() {
        let grid = grid(80, &names(5, "sentences-"));
        assert_eq!((grid.columns, grid.cell, grid.head, grid.page), (5, 11, 1, 29));
    }

    #[test]
    fn heads_of_many_are_written_downwards() {
        let grid = grid(120, &names(22, "configuration-"));
        assert_eq!((grid.columns, grid.cell, grid.head), (22, 3, 10));
        let rows = ["ab", "cd"];
        let matrix =
            Matrix { rows: &rows, heads: &rows, cell: &|row, column| (format!(".{row}{column}"), Style::new()) };
        let grid = Grid { name: 3, cell: 3, columns: 2, head: 2, page: 2 };
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 4));
        let cursor = Cursor::default();
        matrix.draw(&mut buffer, Rect::new(0, 0, 12, 4), grid, (cursor, cursor), &Theme::new(Palette::Mono));
        let row = |y: u16| (0..12).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        assert_eq!([0, 1, 2, 3].map(row), ["      a   c ", "      b   d ", "▌ab .00 .01 ", " cd .10 .11 "]);
    }

    #[test]
    fn the_grid_never_leaves_the_screen() {
        for count in [0, 1, 2, 5, 30, 64] {
            for like in ["s", "simhash-", "a-name-that-is-longer-than-all-others-of-its-kind-"] {
                for room in 60..=300 {
                    let grid = grid(room, &names(count, like));
                    assert!(grid.columns >= 1);
                    assert!(
                        grid.name + grid.columns as u16 * (grid.cell + 1) <= room,
                        "{count} {like} {room}: {grid:?}"
                    );
                }
            }
        }
    }
}
