//! What the program says to the person at the keys: above the keys, at the right, until the next one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::glyphs::{draw_text, width};
use crate::theme::Theme;

/// Draws lines that end right above the bottom of the area. What is below them comes back with the next key.
pub fn draw(buffer: &mut Buffer, area: Rect, lines: &[String], theme: &Theme) {
    let wide = lines.iter().map(|line| width(line)).max().unwrap_or(0) as u16;
    let high = (lines.len() as u16).min(area.height);
    if high == 0 || wide == 0 {
        return;
    }
    // A blank at each end, where there is room for it.
    let wide = (wide + 2).min(area.width);
    let place = Rect { x: area.right() - wide, y: area.bottom() - high, width: wide, height: high };
    Clear.render(place, buffer);
    buffer.set_style(place, theme.strong);
    for (y, line) in (place.y..place.bottom()).zip(lines) {
        let indent = u16::from(width(line) + 1 < usize::from(wide));
        draw_text(buffer, (place.x + indent, y), wide - indent, line, theme.strong);
    }
    Theme::lay_under(buffer, place, theme.cursor);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Palette;

    #[test]
    fn lines_stand_at_the_right_end_above_the_keys() {
        let area = Rect::new(0, 0, 20, 3);
        let mut buffer = Buffer::filled(area, ratatui::buffer::Cell::new("x"));
        draw(&mut buffer, area, &["Saved: not".to_owned()], &Theme::new(Palette::Mono));
        let row = |y: u16| (0..20).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        assert_eq!(row(2), "xxxxxxxx Saved: not ");
        assert_eq!(row(1), "x".repeat(20));
        draw(&mut buffer, area, &["a line as long as it".to_owned()], &Theme::new(Palette::Mono));
        assert_eq!(buffer[(0, 2)].symbol(), "a");
    }
}
