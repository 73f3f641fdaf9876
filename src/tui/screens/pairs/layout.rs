//! Which panes there are, and where.

use ratatui::layout::Rect;

use crate::widgets::focus::Focus;
use crate::widgets::frame::Frame;
use crate::widgets::size::{Breadth, Size, split_columns, split_lines};

/// The panes in the order in which Tab goes through them.
pub(super) const LIST: usize = 0;
pub(super) const PREVIEW: usize = 1;

/// Lines of the strip below the list of narrow terminals, with its rule.
const STRIP: u16 = 5;
/// The list above the strip has at least so many lines.
const LIST_ABOVE_STRIP: u16 = 8;
/// Lines of the preview below the list of medium terminals.
const PREVIEW_LINES: u16 = 12;
/// Lines of the card about the pair, on wide terminals.
const CARD: u16 = 14;

/// Where the panes are; none where one is not shown.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Layout {
    pub(super) list: Option<Rect>,
    /// Below the list of narrow terminals: the pair under the cursor.
    pub(super) strip: Option<Rect>,
    /// All scores of the pair under the cursor.
    pub(super) card: Option<Rect>,
    pub(super) preview: Option<Rect>,
}

impl Layout {
    pub(super) fn new(area: Rect, size: Size, focus: Focus) -> Self {
        let alone = focus.zoomed || size.is_narrow();
        match size.breadth {
            _ if alone && focus.is_on(PREVIEW) => Self { preview: Some(area), ..Self::default() },
            _ if focus.zoomed => Self { list: Some(area), ..Self::default() },
            Breadth::Narrow if area.height < STRIP + LIST_ABOVE_STRIP => Self { list: Some(area), ..Self::default() },
            Breadth::Narrow => {
                let [list, strip] = split_lines(area, area.height - STRIP);
                Self { list: Some(list), strip: Some(strip), ..Self::default() }
            }
            Breadth::Medium => {
                let [list, preview] = split_lines(area, area.height - PREVIEW_LINES.min(area.height / 2));
                Self { list: Some(list), preview: Some(preview), ..Self::default() }
            }
            Breadth::Wide => {
                let [list, detail] = split_columns(area, (u32::from(area.width) * 52 / 100) as u16);
                let [card, preview] = split_lines(detail, CARD.min(detail.height / 2));
                Self { list: Some(list), card: Some(card), preview: Some(preview), ..Self::default() }
            }
        }
    }

    /// Rows of the list that fit below the names of its columns.
    pub(super) fn page(&self, size: Size) -> usize {
        usize::from(Frame::inside(self.list.unwrap_or_default(), size).height.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_lie_in_the_area_and_never_over_each_other() {
        for (columns, lines) in (60..=220).flat_map(|columns| [12, 16, 24, 32, 60].map(|lines| (columns, lines))) {
            let (area, size) = (Rect::new(0, 1, columns, lines - 2), Size::of((columns, lines)));
            for (at, zoomed) in [(LIST, false), (LIST, true), (PREVIEW, false), (PREVIEW, true)] {
                let layout = Layout::new(area, size, Focus { at, zoomed });
                let panes = [layout.list, layout.strip, layout.card, layout.preview];
                let panes: Vec<Rect> = panes.into_iter().flatten().collect();
                let covered: u32 = panes.iter().map(|pane| pane.area()).sum();
                assert_eq!(covered, area.area(), "{columns}x{lines}, pane {at}, zoomed {zoomed}: {panes:?}");
                assert!(panes.iter().all(|pane| area.intersection(*pane) == *pane && pane.height > 3));
            }
        }
    }
}
