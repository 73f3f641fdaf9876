//! Text of a screen as runs: stretches of a row that can be placed by their column and stretched to their cells.
//!
//! No run begins or ends with a blank or holds two in a row, because renderers differ in what they make of such blanks.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use super::colours::{Paper, Rgb};
use super::shapes::is_shape;

/// A stretch of text in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub column: usize,
    pub row: usize,
    /// Columns that it takes.
    pub columns: usize,
    pub text: String,
    pub ink: Rgb,
    pub bold: bool,
    pub italic: bool,
    pub script: Script,
}

/// Characters that are as broad as each other in any font that a browser may take for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// Letters, digits and punctuation that fonts of fixed width have.
    Plain,
    /// Two columns each.
    Wide,
    /// Whatever else: alone, or repeated, since it may come from another font, or be written from right to left.
    Sign(char),
}

impl Script {
    fn of(symbol: &str, columns: usize) -> Self {
        match symbol.chars().next() {
            _ if columns > 1 => Self::Wide,
            None | Some('\0'..='\u{58f}' | '\u{1e00}'..='\u{1fff}' | '\u{2010}'..='\u{2044}') => Self::Plain,
            Some(character) => Self::Sign(character),
        }
    }
}

/// Cells of a row that are seen, each with its column and its columns. A wide character covers the cell behind it.
pub fn visible_cells(row: &[Cell]) -> impl Iterator<Item = (usize, usize, &Cell)> {
    let mut free = 0;
    row.iter().enumerate().filter_map(move |(column, cell)| {
        if column < free {
            return None;
        }
        let columns = cell.symbol().width().clamp(1, row.len() - column);
        free = column + columns;
        Some((column, columns, cell))
    })
}

/// The rows of a buffer.
pub fn rows(buffer: &Buffer) -> impl Iterator<Item = &[Cell]> {
    buffer.content().chunks(usize::from(buffer.area().width).max(1))
}

/// The character of a cell that is drawn as a shape.
pub fn shape_of(cell: &Cell) -> Option<char> {
    let mut characters = cell.symbol().chars();
    characters.next().filter(|&character| is_shape(character) && characters.next().is_none())
}

/// All text of a screen that is not drawn as shapes.
pub fn runs(buffer: &Buffer, paper: Paper) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (row, cells) in rows(buffer).enumerate() {
        for (column, columns, cell) in visible_cells(cells) {
            if cell.symbol().trim().is_empty() || shape_of(cell).is_some() {
                continue;
            }
            let next = Run {
                column,
                row,
                columns,
                // A blank may carry a combining mark.
                text: cell.symbol().replace(' ', "\u{a0}"),
                ink: paper.colours(cell).0,
                bold: cell.modifier.contains(Modifier::BOLD),
                italic: cell.modifier.contains(Modifier::ITALIC),
                script: Script::of(cell.symbol(), columns),
            };
            match runs.last_mut().and_then(|last| Some((blanks_between(last, &next)?, last))) {
                Some((blanks, last)) => {
                    last.text.push_str(&" ".repeat(blanks));
                    last.text.push_str(&next.text);
                    last.columns += blanks + columns;
                }
                None => runs.push(next),
            }
        }
    }
    runs
}

/// How many blanks join two runs into one; none where they stay apart.
fn blanks_between(last: &Run, next: &Run) -> Option<usize> {
    let same = |run: &Run| (run.row, run.ink, run.bold, run.italic, run.script);
    let blanks = next.column.checked_sub(last.column + last.columns)?;
    let most = usize::from(last.script == Script::Plain);
    (same(last) == same(next) && blanks <= most).then_some(blanks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::layout::Rect;
    use ratatui::style::{Color, Style};

    fn buffer(lines: &[&str]) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 30, lines.len() as u16));
        for (y, line) in lines.iter().enumerate() {
            buffer.set_string(0, y as u16, line, Style::new());
        }
        buffer
    }

    fn places(buffer: &Buffer) -> Vec<(usize, usize, String)> {
        runs(buffer, Paper::Dark).into_iter().map(|run| (run.column, run.columns, run.text)).collect()
    }

    #[test]
    fn runs_end_at_two_blanks_and_where_the_style_or_the_font_may_change() {
        let mut screen = buffer(&["  two words   apart │x", "日本 ab ●● ○ éa"]);
        screen.set_style(Rect::new(2, 0, 2, 1), Style::new().fg(Color::Red));
        let found = places(&screen);
        let found: Vec<(usize, usize, &str)> = found.iter().map(|(x, n, text)| (*x, *n, text.as_str())).collect();
        let first = [(2, 2, "tw"), (4, 7, "o words"), (14, 5, "apart"), (21, 1, "x")];
        let second = [(0, 4, "日本"), (5, 2, "ab"), (8, 2, "●●"), (11, 1, "○"), (13, 2, "éa")];
        assert_eq!(found, [&first[..], &second[..]].concat());
    }

    #[test]
    fn text_from_right_to_left_stays_in_its_cells() {
        assert_eq!(places(&buffer(&["אבא"])).len(), 3);
    }

    proptest! {
        #[test]
        fn every_character_is_placed_once(lines in prop::collection::vec("(\\PC|[ab  │]){0,40}", 1..4)) {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let screen = buffer(&lines);
            let mut drawn = Buffer::empty(screen.area);
            for run in runs(&screen, Paper::Light) {
                prop_assert!(!run.text.contains("  ") && run.text.trim_matches(' ') == run.text && !run.text.is_empty());
                prop_assert!(!run.text.chars().any(is_shape) || run.text.chars().count() > 1);
                drawn.set_string(run.column as u16, run.row as u16, &run.text, Style::new());
            }
            for (x, columns, cell) in rows(&screen).enumerate().flat_map(|(y, row)| {
                visible_cells(row).map(move |(x, columns, cell)| ((x, y), columns, cell))
            }) {
                if shape_of(cell).is_none() && !cell.symbol().trim().is_empty() {
                    let symbol = cell.symbol().replace(' ', "\u{a0}");
                    prop_assert_eq!(drawn[(x.0 as u16, x.1 as u16)].symbol(), symbol, "{} columns", columns);
                }
            }
        }
    }
}
