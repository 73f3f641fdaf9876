//! The whole of both texts in one column: where which side differs, and what is on the screen.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::Texts;
use crate::theme::Theme;

/// What the column says, for the border of the pane.
pub const LEGEND: &str = "┃ changes";

/// Marks the lines of the column whose rows differ, in the colour of the side or of both, bold for what is on the screen.
/// Where all is equal the column stays as it is, for it may be a border. A line costs the same however many rows it covers.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, texts: &Texts, seen: Range<usize>, theme: &Theme) {
    if area.width == 0 {
        return;
    }
    let all = texts.diff.rows.len();
    for line in 0..usize::from(area.height) {
        let Some(rows) = rows_of_line(line, usize::from(area.height), all) else { return };
        let Some(style) = mark(texts, &rows, theme) else { continue };
        let here = rows.start < seen.end && seen.start < rows.end;
        let style = if here { style.add_modifier(Modifier::BOLD) } else { style };
        buffer[(area.x, area.y + line as u16)].set_symbol("┃").set_style(style);
    }
}

/// How the changes in these rows look; none when all are equal.
fn mark(texts: &Texts, rows: &Range<usize>, theme: &Theme) -> Option<Style> {
    match [0, 1].map(|side| texts.differs(rows, side)) {
        [false, false] => None,
        [true, false] => Some(theme.a),
        [false, true] => Some(theme.b),
        [true, true] => Some(theme.warning),
    }
}

/// The rows that one line of the column covers; none where there are fewer rows than lines.
fn rows_of_line(line: usize, lines: usize, rows: usize) -> Option<Range<usize>> {
    if rows <= lines {
        return (line < rows).then_some(line..line + 1);
    }
    Some(line * rows / lines..(line + 1) * rows / lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_cover_all_rows_once() {
        for (lines, rows) in [(1, 0), (5, 3), (5, 5), (5, 6), (7, 1000), (40, 41)] {
            let parts: Vec<Range<usize>> = (0..lines).filter_map(|line| rows_of_line(line, lines, rows)).collect();
            assert_eq!(parts.iter().cloned().flatten().collect::<Vec<_>>(), (0..rows).collect::<Vec<_>>());
        }
    }
}
