//! Boxes over a screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::widgets::{Clear, Widget};

use super::frame::Frame;
use super::size::Size;
use crate::theme::Theme;

/// A rectangle in the middle of an area.
pub fn centred(area: Rect, wide: u16, high: u16) -> Rect {
    let (width, height) = (wide.min(area.width), high.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

/// Draws a box over the screen, and into it what `content` draws; it has borders on narrow terminals as well. Words are
/// drawn on the terminal's own background; in a box that becomes the background of boxes.
pub fn draw_box(
    buffer: &mut Buffer,
    area: Rect,
    frame: &Frame,
    theme: &Theme,
    content: impl FnOnce(&mut Buffer, Rect),
) {
    Clear.render(area, buffer);
    buffer.set_style(area, theme.text);
    let inside = frame.draw(buffer, area, Size::BOXED, theme);
    content(buffer, inside);
    let panel = theme.panel.bg.filter(|panel| *panel != Color::Reset);
    for (x, y) in area.positions().map(|place| (place.x, place.y)) {
        let cell = &mut buffer[(x, y)];
        if cell.bg == Color::Reset {
            cell.bg = panel.unwrap_or(Color::Reset);
        }
    }
}
