//! The whole of both texts in one column: where they differ, and where one is.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Texts;
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;

/// Draws the column: a dot where all is equal, the darker the more rows differ, and bold where one is. Each cell
/// costs the same, whatever it stands for.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, texts: &Texts, seen: Range<usize>, theme: &Theme) {
    let rows = texts.diff.rows.len();
    for line in 0..usize::from(area.height) {
        let Some(part) = part(line, usize::from(area.height), rows) else { return };
        let here = part.start < seen.end && seen.start < part.end;
        let (mark, changed) = mark(texts.share_changed(part));
        let style = match (here, changed) {
            (true, _) => theme.title,
            (false, true) => theme.warning,
            (false, false) => theme.dim,
        };
        draw_text(buffer, (area.x, area.y + line as u16), area.width, mark, style);
    }
}

/// The rows that a line of so many stands for; none where there are fewer rows than lines.
fn part(line: usize, lines: usize, rows: usize) -> Option<Range<usize>> {
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
            let parts: Vec<Range<usize>> = (0..lines).filter_map(|line| part(line, lines, rows)).collect();
            assert_eq!(parts.iter().cloned().flatten().collect::<Vec<_>>(), (0..rows).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_little_difference_is_seen() {
        assert_eq!([0.0, 0.001, 0.5, 0.99, 1.0].map(|share| mark(share).0).concat(), "·░▒▓█");
    }
}
