//! Words of several styles one behind the other, such as a number with its unit.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::glyphs::{self, draw_text};

/// A text with its style.
pub type Piece = (String, Style);

/// Draws pieces within some columns; returns the columns used. What does not fit ends in `…`.
pub fn draw(buffer: &mut Buffer, (x, y): (u16, u16), columns: u16, pieces: &[Piece]) -> u16 {
    let mut used = 0;
    for (text, style) in pieces {
        used += draw_text(buffer, (x + used, y), columns.saturating_sub(used), text, *style);
        if used >= columns {
            break;
        }
    }
    used
}

/// Columns of some pieces.
pub fn width(pieces: &[Piece]) -> usize {
    pieces.iter().map(|(text, _)| glyphs::width(text)).sum()
}

/// Draws pieces from the left and others that end at the right; where not all fit the right ones are left out.
pub fn draw_apart(buffer: &mut Buffer, (x, y): (u16, u16), columns: u16, left: &[Piece], right: &[Piece]) {
    let end = width(right);
    if width(left) + end + 2 <= usize::from(columns) {
        draw(buffer, (x + columns - end as u16, y), end as u16, right);
    }
    draw(buffer, (x, y), columns, left);
}
