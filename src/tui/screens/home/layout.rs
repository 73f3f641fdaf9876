//! Where the panes of Home are: one below the other on narrow terminals, two rows of cards above the table on medium
//! ones, cards beside the table on wide and tall ones.

use ratatui::layout::Rect;

use crate::widgets::size::{Breadth, Height, Size, split_columns, split_lines};

/// Columns of the cards beside the table.
const CARDS: u16 = 66;
/// Lines that the table keeps, with its frame.
const TABLE: u16 = 7;
/// Segments listed, at most.
pub(super) const MOST_SEGMENTS: u16 = 8;
/// Lines of steps or samples shown in a card, at most; more scroll.
const MOST_LINES: u16 = 4;

/// The panes. One without lines is not shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Layout {
    pub study: Rect,
    pub carried: Rect,
    pub samples: Rect,
    pub next: Rect,
    /// A card of its own; elsewhere agreement is part of another card.
    pub agreement: Rect,
    pub table: Rect,
    /// About the configuration under the cursor.
    pub detail: Rect,
}

/// What the cards have to show.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lines {
    pub study: u16,
    /// Segments of the target, which only tall screens list.
    pub segments: u16,
    pub samples: u16,
    pub next: u16,
    /// Whether there are judgments that can be carried over.
    pub carried: bool,
    pub agreement: bool,
    pub configurations: u16,
}

impl Layout {
    pub fn new(area: Rect, size: Size, lines: Lines) -> Self {
        match (size.breadth, size.height) {
            (Breadth::Narrow, _) => Self::narrow(area, lines),
            (Breadth::Wide, Height::Tall) => Self::beside(area, lines),
            _ => Self::above(area, lines),
        }
    }

    fn narrow(area: Rect, lines: Lines) -> Self {
        let cards = 1 + lines.samples.max(lines.next).clamp(1, MOST_LINES);
        let carried = if lines.carried { 3 } else { 0 };
        // What is known already gives way first, what to do last.
        let room = area.height.saturating_sub(TABLE);
        let (study, carried) = match room {
            room if room >= cards + 3 + carried => (3, carried),
            room if room >= cards + 3 => (3, 0),
            _ => (0, 0),
        };
        let [study, rest] = split_lines(area, study);
        let [carried, rest] = split_lines(rest, carried);
        let [cards, table] = split_lines(rest, cards.min(room).max(2));
        let [next, samples] = split_columns(cards, cards.width / 2);
        Self { study, carried, samples, next, table, ..Self::default() }
    }

    fn above(area: Rect, lines: Lines) -> Self {
        // Lines that the table of configurations has no use for.
        let spare = area.height.saturating_sub(8 + 2 + lines.configurations + 3);
        let cards = 2 + lines.samples.max(lines.next).clamp(1, MOST_LINES.max(spare));
        let facts = if area.height >= cards + TABLE + 10 { 8 } else { 5 };
        let [facts, rest] = split_lines(area, if area.height >= cards + TABLE + 5 { facts } else { 0 });
        let [cards, table] = split_lines(rest, cards);
        let [study, carried] =
            split_columns(facts, if lines.carried { (facts.width / 3).max(38) } else { facts.width });
        let [samples, next] = split_columns(cards, cards.width / 2);
        Self { study, carried, samples, next, table, ..Self::default() }
    }

    fn beside(area: Rect, lines: Lines) -> Self {
        let [left, right] = split_columns(area, CARDS);
        let next = 2 + lines.next.clamp(1, MOST_LINES);
        // Every segment where there is room for them, else none.
        let segments = if lines.segments <= MOST_SEGMENTS { 1 + lines.segments } else { 0 };
        let [study, rest] = split_lines(left, 2 + lines.study + segments);
        let [carried, rest] = split_lines(rest, if lines.carried { 4 } else { 0 });
        let [agreement, rest] = split_lines(rest, if lines.agreement { 6 } else { 0 });
        let [samples, next] = split_lines(rest, rest.height.saturating_sub(next).min(2 + lines.samples.max(1)));
        let table = (3 + lines.configurations).min(right.height.saturating_sub(16).max(TABLE));
        let [table, detail] = split_lines(right, table);
        Self { study, carried, samples, next, agreement, table, detail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panes lie inside the area, none over another, and together they cover it.
    #[test]
    fn panes_cover_the_screen_at_every_size() {
        for (columns, rows) in [(60, 12), (80, 24), (99, 40), (100, 30), (120, 32), (160, 30), (160, 45), (200, 60)] {
            for samples in [0, 1, 3, 30] {
                let area = Rect::new(0, 1, columns, rows - 2);
                let study = 6;
                let lines =
                    Lines { study, segments: 4, samples, next: 3, carried: true, agreement: true, configurations: 22 };
                let layout = Layout::new(area, Size::of((columns, rows)), lines);
                let panes = [
                    layout.study,
                    layout.carried,
                    layout.samples,
                    layout.next,
                    layout.agreement,
                    layout.table,
                    layout.detail,
                ];
                let covered: u32 = panes.iter().map(|pane| pane.area()).sum();
                assert_eq!(covered, area.area(), "{columns}x{rows}, {samples}: {layout:?}");
                for (i, pane) in panes.iter().enumerate() {
                    assert!(pane.area() == 0 || area.intersection(*pane) == *pane);
                    assert!(panes[..i].iter().all(|other| other.intersection(*pane).area() == 0));
                }
                assert!(layout.table.height >= 4 && layout.next.height >= 2, "{columns}x{rows}: {layout:?}");
            }
        }
    }
}
