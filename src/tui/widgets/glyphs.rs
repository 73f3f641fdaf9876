//! A line of a document as cells of a terminal: sanitised, tabs expanded, wide and combining characters measured.
//!
//! Text is walked grapheme by grapheme, each carrying the byte it came from, so highlights need no second map.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::text::printable;

/// Columns from one tab stop to the next.
const TAB: usize = 4;

/// What the terminal shows for one grapheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyph<'a> {
    /// Safe to print.
    pub text: Cow<'a, str>,
    /// Columns it takes; at least 1.
    pub width: usize,
    /// Byte of the line it came from.
    pub byte: usize,
}

/// The glyphs of a line without its line end.
pub fn glyphs(line: &str) -> Vec<Glyph<'_>> {
    let mut column = 0;
    let mut glyphs = Vec::with_capacity(line.len());
    for (byte, grapheme) in line.grapheme_indices(true) {
        let text: Cow<'_, str> = match grapheme {
            "\t" => " ".repeat(TAB - column % TAB).into(),
            _ => printable(grapheme),
        };
        if text.is_empty() {
            continue;
        }
        let width = text.width().max(1);
        column += width;
        glyphs.push(Glyph { text, width, byte });
    }
    glyphs
}

/// Columns that a text takes on the screen.
pub fn width(text: &str) -> usize {
    glyphs(text).iter().map(|glyph| glyph.width).sum()
}

/// Cuts glyphs into lines of at most `columns`, at spaces where there are some. Always at least one line.
pub fn wrap(glyphs: &[Glyph<'_>], columns: usize) -> Vec<Range<usize>> {
    let columns = columns.max(1);
    let (mut lines, mut start, mut used, mut space) = (Vec::new(), 0, 0, None);
    for (i, glyph) in glyphs.iter().enumerate() {
        // What is left behind a space may itself be too long for a wide glyph to follow.
        while used + glyph.width > columns && i > start {
            let cut = space.filter(|&s| s > start).unwrap_or(i);
            lines.push(start..cut);
            start = cut;
            used = glyphs[start..i].iter().map(|g| g.width).sum();
            space = None;
        }
        used += glyph.width;
        if glyph.text.starts_with(' ') {
            space = Some(i + 1);
        }
    }
    lines.push(start..glyphs.len());
    lines
}

/// Draws glyphs from `(x, y)` on within `columns`; returns the columns used. What does not fit ends in `…`.
pub fn draw(
    buffer: &mut Buffer,
    (x, y): (u16, u16),
    columns: u16,
    glyphs: &[Glyph<'_>],
    style: impl Fn(usize) -> Style,
) -> u16 {
    let total: usize = glyphs.iter().map(|glyph| glyph.width).sum();
    let room = usize::from(columns) - usize::from(total > usize::from(columns) && columns > 0);
    let mut used = 0;
    for glyph in glyphs {
        if used + glyph.width > room {
            break;
        }
        buffer.set_stringn(x + used as u16, y, &glyph.text, glyph.width, style(glyph.byte));
        used += glyph.width;
    }
    if total > usize::from(columns) && columns > 0 {
        buffer.set_stringn(x + used as u16, y, "…", 1, style(usize::MAX));
        used += 1;
    }
    used as u16
}

/// Draws plain text in one style.
pub fn draw_text(buffer: &mut Buffer, at: (u16, u16), columns: u16, text: &str, style: Style) -> u16 {
    draw(buffer, at, columns, &glyphs(text), |_| style)
}

/// Whether a noticeable share of the letters runs from right to left, so that columns side by side would garble.
pub fn right_to_left(text: &str) -> bool {
    let sample = || text.chars().filter(|c| c.is_alphabetic()).take(20_000);
    let rtl = sample()
        .filter(|c| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'))
        .count();
    rtl * 20 > sample().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tabs_wide_and_hidden_characters() {
        assert_eq!(width("a\tb"), 5);
        assert_eq!(width("日本"), 4);
        assert_eq!(width("e\u{301}"), 1);
        let shown: String = glyphs("a\u{202e}b\u{1b}[31m").iter().map(|g| g.text.to_string()).collect();
        assert!(shown.contains("RLO") && !shown.contains('\u{202e}') && !shown.contains('\u{1b}'), "{shown}");
    }

    #[test]
    fn a_wide_glyph_after_a_cut_fits_too() {
        let line = glyphs("a bcd日");
        let widths: Vec<usize> =
            wrap(&line, 4).into_iter().map(|range| line[range].iter().map(|g| g.width).sum()).collect();
        assert_eq!(widths, [2, 3, 2]);
    }

    #[test]
    fn right_to_left_is_noticed() {
        assert!(right_to_left("مرحبا بالعالم"));
        assert!(!right_to_left("hello world"));
        assert!(!right_to_left(""));
    }

    proptest! {
        #[test]
        fn wrapping_loses_nothing_and_fits(line in "\\PC{0,80}", columns in 1usize..30) {
            let glyphs = glyphs(&line);
            let lines = wrap(&glyphs, columns);
            let mut at = 0;
            for range in lines {
                prop_assert_eq!(range.start, at);
                at = range.end;
                let used: usize = glyphs[range.clone()].iter().map(|g| g.width).sum();
                prop_assert!(used <= columns || range.len() == 1, "{} of {}", used, columns);
            }
            prop_assert_eq!(at, glyphs.len());
        }

        #[test]
        fn drawing_stays_inside(line in any::<String>(), columns in 0u16..30) {
            let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 40, 1));
            prop_assert!(draw_text(&mut buffer, (3, 0), columns, &line, Style::new()) <= columns);
        }
    }
}
