//! Where things are on Label.

use ratatui::layout::Rect;

use crate::widgets::frame::Frame;
use crate::widgets::size::Size;

/// Lines above the texts: two documents, and what is known of the pair.
const HEAD: u16 = 3;

/// Where the pane of the texts is.
pub(super) fn below_head(area: Rect) -> Rect {
    Rect { y: area.y + HEAD.min(area.height), height: area.height.saturating_sub(HEAD), ..area }
}

/// Where the texts are drawn.
pub(super) fn texts(area: Rect, size: Size) -> Rect {
    Frame::inside(below_head(area), size)
}
