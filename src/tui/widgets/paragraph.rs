//! Running text: wrapped to a width, behind a name, or in a box from some line on.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, Clear, Widget};

use super::glyphs::{self, draw_text, glyphs, width};
use crate::theme::Theme;
use dejaview_text::markdown::{self, Tone};
use dejaview_text::{Overhang, wrap};

/// The lines that a text takes at a width.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let line = |line: &str| {
        let all = glyphs(line);
        let piece = |range: std::ops::Range<usize>| {
            let text: String = all[range].iter().map(|glyph| glyph.text.as_ref()).collect();
            text.trim_end().to_owned()
        };
        wrap(&all, [columns; 2], Overhang::Blanks).into_iter().map(piece).collect::<Vec<String>>()
    };
    text.lines().flat_map(line).collect()
}

/// The lines that a text takes at a width, all but the first so many columns further in.
pub fn hanging(text: &str, columns: usize, indent: usize) -> Vec<String> {
    let text = text.lines().collect::<Vec<_>>().join(" ");
    let all = glyphs(&text);
    let first = wrap(&all, [columns; 2], Overhang::Blanks).first().map_or(0, |range| range.end);
    let Some(end) = all.get(first).map(|glyph| glyph.byte) else { return vec![text] };
    let rest = wrapped(&text[end..], columns.saturating_sub(indent));
    let rest = rest.into_iter().map(|line| format!("{}{line}", " ".repeat(indent)));
    std::iter::once(text[..end].trim_end().to_owned()).chain(rest).collect()
}

/// The first lines of a text at a width; the last of them ends in `…` when there is more.
pub fn beginning(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = wrapped(text, columns).iter().map(|line| line.trim_end().to_owned()).collect();
    let more = lines.len() > most;
    lines.truncate(most);
    if let Some(last) = lines.last_mut().filter(|_| more) {
        while width(last) >= columns && last.pop().is_some() {}
        last.push('…');
    }
    lines
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

/// The last line from which a page of Markdown may be shown, so that its end stays at the bottom; and the lines that are
/// shown at once.
pub fn reach(page: &str, area: Rect) -> (usize, usize) {
    let (_, inside) = places(area);
    let high = usize::from(inside.height).max(1);
    (markdown::lines(page, usize::from(inside.width)).len().saturating_sub(high), high)
}

/// Draws a message into an empty screen, whole.
pub fn draw(buffer: &mut Buffer, area: Rect, text: &str, style: Style) {
    let room = area.width.saturating_sub(2);
    for (y, line) in (area.y + 1..area.y + area.height).zip(wrapped(text, usize::from(room))) {
        draw_text(buffer, (area.x + 1, y), room, &line, style);
    }
}

/// The style of words of a tone.
fn toned(tone: Tone, theme: &Theme) -> Style {
    match tone {
        Tone::Plain => theme.text,
        Tone::Heading | Tone::Code => theme.accent.add_modifier(Modifier::BOLD),
        Tone::Strong => theme.text.add_modifier(Modifier::BOLD),
        Tone::Stressed => theme.text.add_modifier(Modifier::ITALIC),
        Tone::Rule => theme.muted,
    }
}

/// Draws a page of Markdown over what is there, from line `top` on.
pub fn draw_box(buffer: &mut Buffer, area: Rect, (title, page): (&str, &str), top: usize, theme: &Theme) {
    let (place, inside) = places(area);
    Clear.render(place, buffer);
    Block::bordered().style(theme.text).render(place, buffer);
    draw_text(buffer, (place.x + 1, place.y), place.width.saturating_sub(2), title, theme.text);
    let lines = markdown::lines(page, usize::from(inside.width));
    for (y, line) in (inside.y..inside.y + inside.height).zip(lines.iter().skip(top)) {
        let style = |byte: usize| toned(line.tone(byte), theme);
        glyphs::draw(buffer, (inside.x, y), inside.width, &glyphs(&line.text), style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hang_below_what_they_are_about() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(hanging("pace  one two three four", 12, 6), ["pace  one", "      two", "      three", "      four"]);
        assert_eq!(hanging("short", 12, 6), ["short"]);
        assert_eq!(hanging("name  unbrokenword", 12, 6), ["name", "      unbrok", "      enword"]);
    }

    #[test]
    fn the_beginning_of_what_is_too_long() {
        assert_eq!(beginning("one two three", 8, 3), ["one two", "three"]);
        let cut = beginning("one two three four five", 8, 2);
        assert_eq!(cut, ["one two", "three…"]);
        assert!(beginning("one", 8, 0).is_empty());
    }
}
