//! A table of which only the visible rows are ever made.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::cursor::Cursor;
use super::glyphs::{draw_text, glyphs, width};
use crate::theme::Theme;

/// Stands before the row under the cursor, in the pane that has the keys and in another one.
const SIGNS: [&str; 2] = ["▌", "▏"];

#[derive(Debug, Clone)]
pub struct Column {
    pub head: String,
    /// Columns of the screen; 0 shares what is left with the other zeros.
    pub width: u16,
    /// Whether it is flush right.
    pub right: bool,
    /// Whether the end of a long text matters more than its beginning, as with ids.
    pub tail: bool,
}

impl Column {
    /// A column flush left.
    pub fn left(head: &str, width: u16) -> Self {
        Self { head: head.to_owned(), width, right: false, tail: false }
    }

    /// A column of ids: shares the room that is left, and keeps their ends.
    pub fn ids(head: &str) -> Self {
        Self { tail: true, ..Self::left(head, 0) }
    }

    /// A column flush right.
    pub fn right(head: &str, width: u16) -> Self {
        Self { head: head.to_owned(), width, right: true, tail: false }
    }
}

/// Rows that fit below the head.
pub fn page(area: Rect) -> usize {
    usize::from(area.height.saturating_sub(1))
}

/// Where one is in the rows of a table.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    pub cursor: Cursor,
    pub len: usize,
    /// Whether the pane of the table has the keys.
    pub focused: bool,
}

impl From<(Cursor, usize)> for Rows {
    /// Rows of the pane that has the keys.
    fn from((cursor, len): (Cursor, usize)) -> Self {
        Self { cursor, len, focused: true }
    }
}

/// One line of a table.
#[derive(Debug, Clone)]
pub enum Line {
    /// A cell for each column.
    Cells(Vec<(String, Style)>),
    /// Texts one behind the other over the whole width, and one at the right end.
    Whole(Vec<(String, Style)>, (String, Style)),
}

/// Draws the head and the rows that are visible; `cells` makes the cells of one row.
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    columns: &[Column],
    rows: impl Into<Rows>,
    theme: &Theme,
    cells: impl Fn(usize) -> Vec<(String, Style)>,
) {
    draw_lines(buffer, area, columns, rows, theme, |row| Line::Cells(cells(row)));
}

/// The same for a table of which some lines are not cut into columns. Where no column has a head, rows begin at the top.
pub fn draw_lines(
    buffer: &mut Buffer,
    area: Rect,
    columns: &[Column],
    rows: impl Into<Rows>,
    theme: &Theme,
    line_of: impl Fn(usize) -> Line,
) {
    if area.height == 0 || area.width == 0 {
        return;
    }
    let Rows { mut cursor, len, focused } = rows.into();
    let headed = columns.iter().any(|column| !column.head.is_empty());
    let page = if headed { page(area) } else { usize::from(area.height) };
    // The screen may have shrunk since the cursor moved.
    cursor.keep(len, page);
    let lines: Vec<Line> = (cursor.top..len).take(page).map(line_of).collect();
    let widths = widths(columns, &lines, area.width);
    if headed {
        let heads: Vec<(String, Style)> = columns.iter().map(|c| (c.head.clone(), theme.muted)).collect();
        draw_row(buffer, area, columns, &widths, &heads);
    }
    for ((y, row), line) in (area.y + u16::from(headed)..).zip(cursor.top..).zip(&lines) {
        let place = Rect { y, height: 1, ..area };
        match line {
            Line::Cells(cells) => draw_row(buffer, place, columns, &widths, cells),
            Line::Whole(texts, right) => draw_whole(buffer, place, texts, right),
        }
        if row == cursor.at {
            select(buffer, place, focused, theme);
        }
    }
}

/// Shows which row is under the cursor: a sign before it where there is room, and a background under the whole row.
pub fn select(buffer: &mut Buffer, row: Rect, focused: bool, theme: &Theme) {
    let (sign, background) = if focused { (SIGNS[0], theme.cursor) } else { (SIGNS[1], theme.idle) };
    if let Some(cell) = buffer.cell_mut((row.x, row.y)).filter(|cell| row.width > 1 && cell.symbol() == " ") {
        cell.set_symbol(sign).set_style(theme.accent);
    }
    Theme::lay_under(buffer, row, background);
}

/// Texts from the left; the right one is never covered by them.
fn draw_whole(buffer: &mut Buffer, area: Rect, texts: &[(String, Style)], right: &(String, Style)) {
    let wide = (width(&right.0) as u16).min(area.width);
    let end = area.x + area.width - wide;
    let mut x = area.x;
    for (text, style) in texts {
        x += draw_text(buffer, (x, area.y), end.saturating_sub(x + 1), text, *style);
    }
    draw_text(buffer, (end, area.y), wide, &right.0, right.1);
}

/// Open columns are as wide as what is in them needs, in steps of this many: a column must not jump with every row.
const STEP: u16 = 8;

/// Fixed columns get theirs as long as there is room; the others share the rest. What ids do not need goes to the last open
/// column that is none of ids, where there is one.
fn widths(columns: &[Column], lines: &[Line], total: u16) -> Vec<u16> {
    let gaps = columns.len().saturating_sub(1) as u16;
    let fixed: u16 = columns.iter().map(|c| c.width).sum();
    let open = columns.iter().filter(|c| c.width == 0).count() as u16;
    let rest = total.saturating_sub(fixed + gaps);
    let share = rest.checked_div(open).unwrap_or(0);
    let mut widths: Vec<u16> = columns.iter().map(|c| if c.width == 0 { share } else { c.width }).collect();
    let Some(last) = columns.iter().rposition(|c| c.width == 0 && !c.tail) else { return widths };
    for c in (0..columns.len()).filter(|&c| columns[c].width == 0 && columns[c].tail) {
        let kept = needed(&columns[c].head, lines, c).next_multiple_of(STEP).min(share);
        widths[last] += widths[c] - kept;
        widths[c] = kept;
    }
    widths
}

/// Columns of the screen that the widest text of a column takes.
fn needed(head: &str, lines: &[Line], c: usize) -> u16 {
    let cell = |line: &Line| match line {
        Line::Cells(cells) => cells.get(c).map_or(0, |(text, _)| width(text)),
        Line::Whole(..) => 0,
    };
    lines.iter().map(cell).max().unwrap_or_default().max(width(head)).min(usize::from(u16::MAX / 2)) as u16
}

/// The end of a text that fits, behind `…`. A space before it stays: the sign of the cursor stands there.
fn tail(text: &str, room: usize) -> String {
    let all = glyphs(text);
    let total: usize = all.iter().map(|glyph| glyph.width).sum();
    if total <= room {
        return text.to_owned();
    }
    let before = if text.starts_with(' ') && room > 2 { " " } else { "" };
    let mut used = 1 + before.len();
    let fits = all.iter().rev().take_while(|glyph| {
        used += glyph.width;
        used <= room
    });
    let kept = fits.count();
    let end: String = all[all.len() - kept..].iter().map(|glyph| glyph.text.as_ref()).collect();
    format!("{before}…{end}")
}

fn draw_row(buffer: &mut Buffer, area: Rect, columns: &[Column], widths: &[u16], cells: &[(String, Style)]) {
    let mut x = area.x;
    for ((column, &wide), (text, style)) in columns.iter().zip(widths).zip(cells) {
        let room = wide.min((area.x + area.width).saturating_sub(x));
        let text = if column.tail { &tail(text, usize::from(room)) } else { text };
        let pad = if column.right { room.saturating_sub(width(text) as u16) } else { 0 };
        draw_text(buffer, (x + pad, area.y), room - pad, text, *style);
        x = (x + wide + 1).min(area.x + area.width);
    }
}
