//! Which panes there are, and where.

use ratatui::layout::Rect;

use crate::widgets::focus::Focus;
use crate::widgets::size::{Breadth, Size, split_columns, split_lines, two_columns};

/// The panes in the order in which Tab goes through them.
pub(super) const LIST: usize = 0;
pub(super) const TEXT: usize = 1;

/// Lines of the text below the list of narrow terminals, and of the list above it at least.
const TEXT_LINES: u16 = 8;
const LIST_LINES: u16 = 8;

/// Where the list and the text are; none where one is not shown.
pub(super) fn panes(area: Rect, size: Size, focus: Focus) -> [Option<Rect>; 2] {
    match size.breadth {
        _ if focus.zoomed || size.is_narrow() && focus.is_on(TEXT) => match focus.is_on(TEXT) {
            true => [None, Some(area)],
            false => [Some(area), None],
        },
        Breadth::Narrow if area.height < TEXT_LINES + LIST_LINES => [Some(area), None],
        Breadth::Narrow => split_lines(area, area.height - TEXT_LINES).map(Some),
        Breadth::Medium => two_columns(area).map(Some),
        Breadth::Wide => split_columns(area, area.width / 2).map(Some),
    }
}
