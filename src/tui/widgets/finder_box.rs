//! A box with a line that is typed and, below it, what the line finds or means.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::boxes::draw_box;
use super::cursor::Cursor;
use super::frame::Frame;
use super::glyphs::{draw_text, width};
use super::prompt::Prompt;
use super::table;
use crate::theme::Theme;

/// Rows of the box beside its list: two borders, the line and a rule below it.
pub const OTHER_ROWS: u16 = 4;

/// What the box shows.
#[derive(Debug)]
pub struct FinderBox<'a> {
    pub title: &'a str,
    /// At the right end of the upper border: how much was found.
    pub found: String,
    /// Before the line.
    pub sign: &'a str,
    pub prompt: &'a Prompt,
    /// Bytes of the line that are wrong.
    pub wrong: Range<usize>,
    pub rows: Vec<FoundRow>,
    /// How many of the rows, the first ones, can be chosen.
    pub choices: usize,
    /// The row that is chosen.
    pub at: usize,
    /// At the ends of the lower border.
    pub keys: [String; 2],
}

/// A row of the list: pieces from the left, after a column for the cursor, and one at the right end.
#[derive(Debug, Clone, Default)]
pub struct FoundRow {
    pub pieces: Vec<(String, Style)>,
    pub right: (String, Style),
}

impl FoundRow {
    fn draw(&self, buffer: &mut Buffer, row: Rect) {
        let (right, style) = &self.right;
        let wide = (width(right) as u16).min(row.width.saturating_sub(1));
        let end = row.right() - wide;
        let mut x = row.x + 1;
        for (text, style) in &self.pieces {
            x += draw_text(buffer, (x, row.y), end.saturating_sub(x + 1), text, *style);
        }
        draw_text(buffer, (end, row.y), wide, right, *style);
    }
}

impl FinderBox<'_> {
    pub fn draw(&self, buffer: &mut Buffer, place: Rect, theme: &Theme) {
        let [position, legend] = self.keys.clone();
        let frame = Frame { right: self.found.clone(), position, legend, focused: true, ..Frame::new(self.title) };
        draw_box(buffer, place, &frame, theme, |buffer, inside| self.draw_inside(buffer, place, inside, theme));
    }

    fn draw_inside(&self, buffer: &mut Buffer, place: Rect, inside: Rect, theme: &Theme) {
        let line =
            Rect { x: inside.x + 1, height: 1.min(inside.height), width: inside.width.saturating_sub(1), ..inside };
        self.prompt.draw(buffer, line, self.sign, self.wrong.clone(), theme);
        let rule = inside.y + 1;
        if rule + 1 < place.bottom() {
            let border = buffer[(place.x, place.y)].style();
            for x in place.x..place.right() {
                let sign = match x {
                    x if x == place.x => "├",
                    x if x + 1 == place.right() => "┤",
                    _ => "─",
                };
                buffer[(x, rule)].set_symbol(sign).set_style(border);
            }
        }
        let list = Rect { y: rule + 1, height: inside.height.saturating_sub(2), width: inside.width + 1, ..inside };
        let mut cursor = Cursor { at: self.at, top: 0 };
        cursor.keep(self.rows.len(), usize::from(list.height));
        for (y, (number, row)) in (list.y..list.bottom()).zip(self.rows.iter().enumerate().skip(cursor.top)) {
            let place = Rect { y, height: 1, ..list };
            row.draw(buffer, place);
            if number == self.at && number < self.choices {
                table::select(buffer, place, true, theme);
            }
        }
    }
}
