//! Where is a text cut so that it fits so many columns of a terminal?
//!
//! One rule for all that is wrapped, on screens, in tables and in messages: lines end behind blanks, and columns are
//! counted as terminals count them, two for 漢 and none for a combining mark. [`wrap`] says where; [`wrapped`] makes the
//! lines of a sentence.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use crate::graphemes;

/// What stands in one place of a line.
pub trait Cell {
    /// Columns that it takes.
    fn width(&self) -> usize;

    /// Whether a line may end behind it.
    fn is_blank(&self) -> bool;
}

/// A grapheme as it is written.
impl Cell for &str {
    fn width(&self) -> usize {
        UnicodeWidthStr::width(*self)
    }

    fn is_blank(&self) -> bool {
        *self == " "
    }
}

/// What may go beyond the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overhang {
    /// Nothing: blanks at the end of a line are drawn like any other character.
    Nothing,
    /// Blanks, since nobody sees them there.
    Blanks,
    /// Blanks, and words that are wider than a line: they may be something to copy.
    Words,
}

/// Cuts cells into lines of at most so many columns, the first of which may have others than the rest. Always at least one
/// line; a cell that is wider than a line has one of its own.
pub fn wrap<T: Cell>(cells: &[T], [first, rest]: [usize; 2], overhang: Overhang) -> Vec<Range<usize>> {
    let (mut lines, mut start, mut used) = (Vec::new(), 0, 0);
    // Behind the last blank of the line; of blanks before its first word only where words may be cut anyway.
    let mut space = None;
    let mut words = false;
    for (i, cell) in cells.iter().enumerate() {
        let hangs = overhang != Overhang::Nothing && cell.is_blank();
        // What is left behind a blank may itself be too long for a wide cell to follow.
        while i > start && !hangs {
            let columns = if lines.is_empty() { first } else { rest }.max(1);
            if used + cell.width() <= columns || (overhang == Overhang::Words && space.is_none()) {
                break;
            }
            let cut = space.unwrap_or(i);
            lines.push(start..cut);
            start = cut;
            used = cells[start..i].iter().map(Cell::width).sum();
            space = None;
        }
        used += cell.width();
        words |= !cell.is_blank();
        if cell.is_blank() && (words || overhang != Overhang::Words) {
            space = Some(i + 1);
        }
    }
    lines.push(start..cells.len());
    lines
}

/// The lines of a sentence, none of its words cut; all but the first stand in by as much as the first does and `indent`
/// more. Blanks between words stay as they are, so that columns within a line do.
pub fn wrapped(text: &str, columns: usize, indent: usize) -> Vec<String> {
    let cells: Vec<&str> = graphemes(text).map(|(_, grapheme)| grapheme).collect();
    let indent = cells.iter().take_while(|cell| cell.is_blank()).count() + indent;
    let lines = wrap(&cells, [columns, columns.saturating_sub(indent)], Overhang::Words).into_iter().enumerate();
    let line = |(number, range): (usize, Range<usize>)| {
        let front = " ".repeat(if number == 0 { 0 } else { indent });
        front + cells[range].concat().trim_end_matches(' ')
    };
    lines.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_wrap_and_stay_whole() {
        assert_eq!(wrapped("one two three", 8, 2), ["one two", "  three"]);
        assert_eq!(wrapped("one two three", 8, 0), ["one two", "three"]);
        assert_eq!(wrapped("  a bb ccc", 6, 2), ["  a bb", "    ccc"]);
        assert_eq!(wrapped("short", 80, 2), ["short"]);
        assert_eq!(wrapped("https://example.org/long x", 10, 2), ["https://example.org/long", "  x"]);
        assert_eq!(wrapped("  https://example.org/long x", 10, 2), ["  https://example.org/long", "    x"]);
        assert_eq!(wrapped("a   bb", 4, 0), ["a", "bb"]);
        assert_eq!(wrapped("", 5, 2), [""]);
    }

    #[test]
    fn columns_are_those_of_a_terminal() {
        assert_eq!(wrapped("漢字 漢字 漢字", 9, 0), ["漢字 漢字", "漢字"]);
        assert_eq!(wrapped("e\u{301}e\u{301} e\u{301}e\u{301}", 5, 0), ["e\u{301}e\u{301} e\u{301}e\u{301}"]);
    }

    #[test]
    fn what_may_hang_over() {
        let cut = |text: &str, columns: usize, overhang| -> Vec<String> {
            let cells: Vec<&str> = graphemes(text).map(|(_, grapheme)| grapheme).collect();
            wrap(&cells, [columns; 2], overhang).into_iter().map(|range| cells[range].concat()).collect()
        };
        assert_eq!(cut("ab  cd", 2, Overhang::Nothing), ["ab", "  ", "cd"]);
        assert_eq!(cut("ab  cd", 2, Overhang::Blanks), ["ab  ", "cd"]);
        assert_eq!(cut("abc de", 2, Overhang::Blanks), ["ab", "c ", "de"]);
        assert_eq!(cut("abc de", 2, Overhang::Words), ["abc ", "de"]);
        assert_eq!(cut("a bcd漢", 4, Overhang::Nothing), ["a ", "bcd", "漢"]);
    }
}
