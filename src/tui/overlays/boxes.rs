//! Boxes over a screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::size::Size;

/// A rectangle in the middle of an area.
pub(super) fn centred(area: Rect, wide: u16, high: u16) -> Rect {
    let (width, height) = (wide.min(area.width), high.min(area.height));
    Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height }
}

/// Draws a box over the screen; returns where its content goes. It has borders on narrow terminals as well.
pub(super) fn draw_box(buffer: &mut Buffer, area: Rect, frame: Frame, theme: &Theme) -> Rect {
    Clear.render(area, buffer);
    buffer.set_style(area, theme.text);
    let inside = frame.draw(buffer, area, Size::BOXED, theme);
    Theme::lay_under(buffer, area, theme.panel);
    inside
}
