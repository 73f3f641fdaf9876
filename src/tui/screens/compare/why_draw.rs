//! How Why is drawn: a tree with a waterfall of bars, and where there is room the evidence of one configuration.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::why::Why;
use super::why_row::{Bar, Part, RowId, Tone, WhyRow};
use crate::theme::Theme;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::draw_text;
use crate::widgets::size::{Breadth, Height, Size, split_lines};
use crate::widgets::{paragraph, table};
use dejaview_methods::explanation::Explanation;

/// Cells of a bar; all of it is the union of both texts' n-grams.
const BAR: u16 = 16;
/// The same where Why is beside the texts: the words need the room.
const SHORT_BAR: u16 = 10;
/// Columns from which bars are long.
const ROOMY: u16 = 80;
/// Where numbers before bars begin, whatever the depth of their rows.
const NUMBERS: u16 = 6;
/// Columns of a number and the blank after it.
const NUMBER: u16 = 6;
/// Where the sign of a fold is at most, so that it stays left of the numbers.
const LAST_FOLD_SIGN: u16 = 4;

impl Why {
    /// The tree, and below it the evidence of one configuration where there is room for both.
    fn areas(&self, area: Rect, size: Size) -> [Rect; 2] {
        let roomy = size.breadth == Breadth::Wide && size.height == Height::Tall && !self.reasons().is_empty();
        split_lines(area, if roomy { area.height * 2 / 3 } else { area.height })
    }

    /// Rows of the tree that fit.
    pub(super) fn page(&self, area: Rect, size: Size) -> usize {
        usize::from(Frame::inside(self.areas(area, size)[0], size).height)
    }

    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, focused: bool, size: Size, theme: &Theme) {
        let [tree, evidence] = self.areas(area, size);
        let page = self.page(area, size);
        let mut cursor = self.cursor;
        cursor.keep(self.rows.len(), page);
        let runs = self.row_at_cursor().map_or(0, |row| row.runs.len());
        let frame = Frame {
            qualifier: "what the score is made of".to_owned(),
            position: format!("{}/{}", cursor.at + 1, self.rows.len()),
            legend: match runs {
                0 => String::new(),
                1 => "x what if this run were gone".to_owned(),
                _ => "x what if these runs were gone".to_owned(),
            },
            focused,
            scroll: Scroll { top: cursor.top, page, len: self.rows.len() },
            ..Frame::new("Why")
        };
        let inside = frame.draw(buffer, tree, size, theme);
        for (y, (i, row)) in (inside.y..inside.bottom()).zip(self.rows.iter().enumerate().skip(cursor.top)) {
            let place = Rect { y, height: 1, ..inside };
            draw_row(buffer, place, row, theme);
            if i == cursor.at {
                table::select(buffer, place, focused, theme);
            }
        }
        if evidence.height > 0 {
            self.draw_evidence(buffer, evidence, size, theme);
        }
    }

    /// What the configuration under the cursor decided by, or the first one.
    fn draw_evidence(&self, buffer: &mut Buffer, area: Rect, size: Size, theme: &Theme) {
        let chosen = match self.row_at_cursor().map(|row| &row.id) {
            Some(RowId::Configuration(name) | RowId::Claim(name, _)) => Some(name),
            _ => None,
        };
        let mut reasons = self.reasons().iter();
        let Some(verdict) = chosen.map_or(self.reasons().first(), |name| reasons.find(|one| one.name == *name)) else {
            return;
        };
        let frame = Frame { qualifier: verdict.tree.claim.clone(), ..Frame::new(verdict.name.as_str()) };
        let inside = frame.draw(buffer, area, size, theme);
        let mut lines = Vec::new();
        add_lines(&verdict.tree, 0, usize::from(inside.width.saturating_sub(2)), &mut lines);
        for (y, line) in (inside.y..inside.bottom()).zip(&lines) {
            draw_text(buffer, (inside.x + 1, y), inside.width.saturating_sub(1), line, theme.text);
        }
    }
}

/// The parts of a claim in lines that fit.
fn add_lines(claim: &Explanation, depth: usize, columns: usize, lines: &mut Vec<String>) {
    for part in &claim.parts {
        let indent = "  ".repeat(depth);
        let text = paragraph::wrapped(&part.claim, columns.saturating_sub(indent.len()));
        lines.extend(text.into_iter().map(|line| format!("{indent}{line}")));
        add_lines(part, depth + 1, columns, lines);
    }
}

fn draw_row(buffer: &mut Buffer, area: Rect, row: &WhyRow, theme: &Theme) {
    let style = match row.tone {
        Tone::Strong => theme.strong,
        Tone::Text => theme.text,
        Tone::Muted => theme.muted,
        Tone::Warning => theme.warning,
        Tone::Error => theme.error,
    };
    let fold = match row.open {
        Some(true) => "▾",
        Some(false) => "▸",
        None => " ",
    };
    let indent = 1 + 2 * row.depth as u16;
    let fold_at = if row.bar.is_some() { indent.min(LAST_FOLD_SIGN) } else { indent };
    let mut put = |at: u16, text: &str, style: Style| {
        draw_text(buffer, (area.x + at.min(area.width), area.y), area.width.saturating_sub(at), text, style);
    };
    put(fold_at, fold, theme.muted);
    let Some(bar) = row.bar else { return put(indent + 2, &row.text, style) };
    put(NUMBERS, &format!("{:.3}", bar.share), theme.strong);
    let cells = if area.width < ROOMY { SHORT_BAR } else { BAR };
    let (from, to) = filled(bar, cells);
    let at = NUMBERS + NUMBER;
    put(at, &"─".repeat(usize::from(cells)), theme.faint);
    let colour = match bar.of {
        Part::Content => theme.good,
        Part::Boilerplate => theme.accent,
        Part::Scattered => theme.muted,
        Part::Only(0) => theme.a,
        Part::Only(_) => theme.b,
    };
    put(at + from, &"━".repeat(usize::from(to - from)), colour);
    put(at + cells + 1, &row.text, style);
}

/// The cells of a bar that are filled: at least one unless the share is 0.
fn filled(bar: Bar, cells: u16) -> (u16, u16) {
    let cell = |place: f64| (place.clamp(0.0, 1.0) * f64::from(cells)).round() as u16;
    let from = cell(bar.start).min(cells - 1);
    let to = cell(bar.start + bar.share).clamp(from, cells);
    (from, if bar.share > 0.0 { to.max(from + 1) } else { from })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cells(start: f64, share: f64) -> (u16, u16) {
        filled(Bar { start, share, of: Part::Content }, BAR)
    }

    #[test]
    fn bars_follow_one_another() {
        assert_eq!((cells(0.0, 0.5), cells(0.5, 0.5)), ((0, 8), (8, 16)));
        assert_eq!(cells(0.2, 0.0), (3, 3));
        assert_eq!(cells(1.0, 0.001), (15, 16), "the least is seen");
    }

    proptest! {
        #[test]
        fn a_bar_stays_in_its_cells(start in 0.0f64..=1.0, share in 0.0f64..=1.0) {
            let (from, to) = cells(start, share);
            prop_assert!(from <= to && to <= BAR);
            prop_assert!(share == 0.0 || from < to);
            let (next, _) = cells((start + share).min(1.0), 0.5);
            prop_assert!(next <= to, "no gap between a bar and the next one");
        }
    }
}
