//! A line of a document as cells of a terminal: sanitised, tabs expanded, wide and combining characters measured.
//!
//! Text is walked grapheme by grapheme, each carrying the byte it came from, so highlights need no second map.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

use dejaview_text::{Cell, graphemes, printable};

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
    /// Whether it is what it looks like.
    pub sort: Sort,
}

/// Whether a glyph is what it looks like: a page may hold `⟨RLO⟩` as text, and a person must be able to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// The text itself.
    Plain,
    /// An arrow that stands for a tab.
    Tab,
    /// The name of a character that cannot be seen.
    Hidden,
}

impl Sort {
    /// The style of such a glyph where plain ones have this style.
    fn styled(self, style: Style) -> Style {
        match self {
            Self::Plain => style,
            Self::Tab => style.add_modifier(Modifier::DIM),
            Self::Hidden => style.add_modifier(Modifier::ITALIC),
        }
    }
}

impl Cell for Glyph<'_> {
    fn width(&self) -> usize {
        self.width
    }

    fn is_blank(&self) -> bool {
        self.text == " "
    }
}

/// What is shown for a grapheme that begins at a column.
fn shown(grapheme: &str, column: usize) -> (Cow<'_, str>, Sort) {
    if matches!(grapheme.as_bytes(), [b' '..=b'~']) {
        return (Cow::Borrowed(grapheme), Sort::Plain);
    }
    if grapheme == "\t" {
        return (format!("{:<1$}", "→", TAB - column % TAB).into(), Sort::Tab);
    }
    match printable(grapheme) {
        Cow::Borrowed(text) => (Cow::Borrowed(text), Sort::Plain),
        owned => (owned, Sort::Hidden),
    }
}

/// The glyphs of a line without its line end.
pub fn glyphs(line: &str) -> Vec<Glyph<'_>> {
    glyphs_up_to(line, usize::MAX)
}

/// The first glyphs of a line, up to the one that goes beyond so many columns. Costs what it returns.
pub fn glyphs_up_to(line: &str, columns: usize) -> Vec<Glyph<'_>> {
    let mut column = 0;
    let mut glyphs = Vec::with_capacity(line.len().min(columns));
    for (byte, grapheme) in graphemes(line) {
        let (text, sort) = shown(grapheme, column);
        if text.is_empty() {
            continue;
        }
        let width = text.width().max(1);
        column += width;
        glyphs.push(Glyph { text, width, byte, sort });
        if column > columns {
            break;
        }
    }
    glyphs
}

/// Where a line is cut so that each piece fits `columns`, at spaces where there are some: the byte at which each piece
/// begins. Always at least one piece; tab stops are counted from the beginning of a piece.
pub fn breaks(line: &str, columns: usize) -> Vec<usize> {
    let columns = columns.max(1);
    let mut starts = vec![0];
    loop {
        let start = starts[starts.len() - 1];
        let glyphs = glyphs_up_to(&line[start..], columns);
        let used: usize = glyphs.iter().map(|glyph| glyph.width).sum();
        if used <= columns || glyphs.len() < 2 && start + glyphs.len() >= line.len() {
            return starts;
        }
        // The last one goes beyond; a piece ends behind the last space before it, else right before it.
        let last = glyphs.len() - 1;
        let space = glyphs[..last].iter().rposition(|glyph| glyph.text == " " || glyph.sort == Sort::Tab);
        let cut = space.map_or(last, |space| space + 1).max(1);
        match glyphs.get(cut) {
            Some(glyph) => starts.push(start + glyph.byte),
            // One glyph is wider than a line: it has a piece of its own, and is cut.
            None => match graphemes(&line[start..]).nth(1) {
                Some((at, _)) => starts.push(start + at),
                None => return starts,
            },
        }
    }
}

/// Columns that a text takes on the screen.
pub fn width(text: &str) -> usize {
    glyphs(text).iter().map(|glyph| glyph.width).sum()
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
    let mut last = "";
    for glyph in glyphs {
        if used + glyph.width > room {
            break;
        }
        last = &glyph.text;
        let style = glyph.sort.styled(style(glyph.byte));
        let column = x + used as u16;
        if glyph.width == 1 && !glyph.text.contains(char::is_control) {
            // What the other way does, at a tenth of the cost: most glyphs take one cell.
            if let Some(cell) = buffer.cell_mut((column, y)) {
                cell.set_symbol(&glyph.text).set_style(style);
            }
        } else {
            buffer.set_stringn(column, y, &glyph.text, glyph.width, style);
        }
        used += glyph.width;
    }
    // What was cut before says so already.
    if total > usize::from(columns) && columns > 0 && last != "…" {
        buffer.set_stringn(x + used as u16, y, "…", 1, style(usize::MAX));
        used += 1;
    }
    used as u16
}

/// Draws plain text in one style.
pub fn draw_text(buffer: &mut Buffer, at: (u16, u16), columns: u16, text: &str, style: Style) -> u16 {
    draw(buffer, at, columns, &glyphs_up_to(text, usize::from(columns)), |_| style)
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
    use dejaview_text::{Overhang, wrap};
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
    fn what_is_cut_twice_says_so_once() {
        let drawn = |text: &str| {
            let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 6, 1));
            draw_text(&mut buffer, (0, 0), 6, text, Style::new());
            (0..6).map(|x| buffer[(x, 0)].symbol()).collect::<String>()
        };
        assert_eq!([drawn("lenses"), drawn("lenses and"), drawn("lens… and")], ["lenses", "lense…", "lens… "]);
    }

    #[test]
    fn right_to_left_is_noticed() {
        assert!(right_to_left("مرحبا بالعالم"));
        assert!(!right_to_left("hello world"));
        assert!(!right_to_left(""));
    }

    #[test]
    fn what_is_hidden_looks_unlike_what_is_written() {
        let sorts = |line: &str| glyphs(line).iter().map(|glyph| glyph.sort).collect::<Vec<_>>();
        assert_eq!(sorts("\u{202e}\t"), [Sort::Hidden, Sort::Tab]);
        assert!(sorts("⟨RLO⟩→ e\u{301}漢").iter().all(|sort| *sort == Sort::Plain));
        assert_eq!(glyphs("ab\tc").iter().map(|glyph| glyph.text.as_ref()).collect::<Vec<_>>(), ["a", "b", "→ ", "c"]);
    }

    #[test]
    fn lines_are_cut_behind_spaces_and_before_what_is_too_wide() {
        assert_eq!(breaks("one two three", 8), [0, 8]);
        assert_eq!(breaks("unbroken", 3), [0, 3, 6]);
        assert_eq!(breaks("日本語", 3), [0, 3, 6]);
        assert_eq!(breaks("日本", 1), [0, 3]);
        assert_eq!(breaks("", 5), [0]);
        assert_eq!(breaks("a\tb\tc", 5), [0, 2]);
    }

    proptest! {
        #[test]
        fn pieces_fit_and_end_where_characters_do(line in "(\\PC|[\t\u{202e}\u{301}]){0,60}", columns in 1usize..30) {
            let starts = breaks(&line, columns);
            prop_assert!(starts[0] == 0 && starts.windows(2).all(|pair| pair[0] < pair[1]));
            for (i, &start) in starts.iter().enumerate() {
                let end = starts.get(i + 1).copied().unwrap_or(line.len());
                let piece = glyphs(&line[start..end]);
                let used: usize = piece.iter().map(|glyph| glyph.width).sum();
                prop_assert!(used <= columns || piece.len() == 1, "{} of {} in {:?}", used, columns, &line[start..end]);
            }
        }

        #[test]
        fn wrapping_loses_nothing_and_fits(line in "\\PC{0,80}", columns in 1usize..30) {
            let glyphs = glyphs(&line);
            let lines = wrap(&glyphs, [columns; 2], Overhang::Nothing);
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
