//! Running text in a box: wrapped to its width, from some line on.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, Clear, Widget};

use super::glyphs::{draw_text, glyphs, wrap};
use crate::tui::theme::Theme;

/// The lines that a text takes at a width.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let line = |line: &str| {
        let all = glyphs(line);
        let piece = |range: std::ops::Range<usize>| all[range].iter().map(|glyph| glyph.text.as_ref()).collect();
        wrap(&all, columns).into_iter().map(piece).collect::<Vec<String>>()
    };
    text.lines().flat_map(line).collect()
}

/// A page of Markdown with the lines of each paragraph joined, so that it wraps as a whole.
pub fn reflowed(text: &str) -> String {
    let mut joined = String::new();
    let mut open = false;
    for line in text.lines().map(str::trim_end) {
        let own = line.is_empty() || line.starts_with(['#', '|', '>', ' ', '\t']);
        let item = ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark));
        if !joined.is_empty() {
            joined.push(if open && !own && !item { ' ' } else { '\n' });
        }
        joined.push_str(line);
        open = !own;
    }
    joined
}

/// The box that holds a text, and the room inside it.
fn places(area: Rect) -> (Rect, Rect) {
    let width = area.width.min(100);
    let place = Rect { x: area.x + (area.width - width) / 2, width, ..area };
    let inside = Rect {
        x: place.x + 2,
        y: place.y + 1,
        width: place.width.saturating_sub(4),
        height: place.height.saturating_sub(2),
    };
    (place, inside)
}

/// The last line from which a text may be shown, so that its end stays at the bottom; and the lines of a page.
pub fn reach(text: &str, area: Rect) -> (usize, usize) {
    let (_, inside) = places(area);
    let page = usize::from(inside.height).max(1);
    (wrapped(text, usize::from(inside.width)).len().saturating_sub(page), page)
}

/// Draws a message into an empty screen, whole.
pub fn draw(buffer: &mut Buffer, area: Rect, text: &str, style: Style) {
    let room = area.width.saturating_sub(2);
    for (y, line) in (area.y + 1..area.y + area.height).zip(wrapped(text, usize::from(room))) {
        draw_text(buffer, (area.x + 1, y), room, &line, style);
    }
}

/// Draws a text over what is there, from line `top` on.
pub fn draw_box(buffer: &mut Buffer, area: Rect, (title, text): (&str, &str), top: usize, theme: &Theme) {
    let (place, inside) = places(area);
    Clear.render(place, buffer);
    Block::bordered().title(title).style(theme.text).render(place, buffer);
    let lines = wrapped(text, usize::from(inside.width));
    for (y, line) in (inside.y..inside.y + inside.height).zip(lines.iter().skip(top)) {
        let style = if line.starts_with('#') { theme.title } else { theme.text };
        draw_text(buffer, (inside.x, y), inside.width, line, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_joined_and_tables_and_lists_are_not() {
        let page = "# Title\n\nOne page\nfor all.\n\n| a |\n|---|\n\n- first\n  more\n- second\nlast";
        assert_eq!(reflowed(page), "# Title\n\nOne page for all.\n\n| a |\n|---|\n\n- first\n  more\n- second last");
        assert_eq!(reflowed(""), "");
        assert_eq!(wrapped("one two three", 8), ["one two ", "three"]);
    }
}
