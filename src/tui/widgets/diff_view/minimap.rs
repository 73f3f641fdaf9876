//! The whole of both texts in one column: where they differ, and what is on the screen.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Texts;
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;

/// Draws the column: a dot where all is equal, the darker the more rows differ, and bold for what is on the screen. A
/// cell costs the same however many rows it covers.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, texts: &Texts, seen: Range<usize>, theme: &Theme) {
    let all = texts.diff.rows.len();
    for line in 0..usize::from(area.height) {
        let Some(rows) = rows_of_line(line, usize::from(area.height), all) else { return };
        let here = rows.start < seen.end && seen.start < rows.end;
        let (mark, changed) = mark(texts.share_changed(rows));
        let style = match (here, changed) {
            (true, _) => theme.title,
            (false, true) => theme.warning,
            (false, false) => theme.dim,
        };
        draw_text(buffer, (area.x, area.y + line as u16), area.width, mark, style);
    }
}

/// The rows that one line of the column covers; none where there are fewer rows than lines.
fn rows_of_line(line: usize, lines: usize, rows: usize) -> Option<Range<usize>> {
    if rows <= lines {
        return (line < rows).then_some(line..line + 1);
    }
    Some(line * rows / lines..(line + 1) * rows / lines)
}

/// The mark for rows of which this share differs, and whether any does.
fn mark(share: f64) -> (&'static str, bool) {
    match share {
        share if share <= 0.0 => ("·", false),
        share if share < 0.34 => ("░", true),
        share if share < 0.67 => ("▒", true),
        share if share < 1.0 => ("▓", true),
        _ => ("█", true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_all_rows_once() {
        for (lines, rows) in [(1, 0), (5, 3), (5, 5), (5, 6), (7, 1000), (40, 41)] {
            let parts: Vec<Range<usize>> = (0..lines).filter_map(|line| rows_of_line(line, lines, rows)).collect();
            assert_eq!(parts.iter().cloned().flatten().collect::<Vec<_>>(), (0..rows).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_little_difference_is_seen() {
        assert_eq!([0.0, 0.001, 0.5, 0.99, 1.0].map(|share| mark(share).0).concat(), "·░▒▓█");
    }
}
