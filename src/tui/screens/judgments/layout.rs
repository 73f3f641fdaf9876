//! Which panes there are, and where.

use ratatui::layout::Rect;

use crate::widgets::focus::Focus;
use crate::widgets::frame::Frame;
use crate::widgets::size::{Breadth, Height, Size, split_columns, split_lines, two_columns};

/// The panes in the order in which Tab goes through them. Topics are a pane of their own only on wide terminals.
pub(super) const JUDGMENTS: usize = 0;
pub(super) const CANDIDATES: usize = 1;
pub(super) const PREVIEW: usize = 2;
pub(super) const TOPICS: usize = 3;

/// Columns of the panes of wide terminals.
const TOPIC_COLUMNS: u16 = 36;
const JUDGMENT_COLUMNS: u16 = 70;
/// Lines of the strip below the list of narrow terminals, with its rule.
const STRIP: u16 = 5;
/// The list above the strip has at least so many lines.
const LIST_ABOVE_STRIP: u16 = 8;
/// Lines about the topic below the list of topics.
const TOPIC_LINES: u16 = 16;

/// Where the panes are; none where one is not shown.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Layout {
    pub(super) judgments: Option<Rect>,
    /// Below the list of narrow terminals: what is under its cursor.
    pub(super) strip: Option<Rect>,
    pub(super) candidates: Option<Rect>,
    pub(super) preview: Option<Rect>,
    pub(super) topics: Option<Rect>,
    /// Below the topics: the one under the cursor.
    pub(super) topic: Option<Rect>,
}

impl Layout {
    pub(super) fn new(area: Rect, size: Size, focus: Focus) -> Self {
        let alone = focus.zoomed || size.is_narrow();
        match (focus.at, size.breadth) {
            (CANDIDATES, _) if alone => Self { candidates: Some(area), ..Self::default() },
            (PREVIEW, _) if alone => Self { preview: Some(area), ..Self::default() },
            (TOPICS, Breadth::Wide) if alone => Self { topics: Some(area), ..Self::default() },
            _ if focus.zoomed || area.height < STRIP + LIST_ABOVE_STRIP && alone => {
                Self { judgments: Some(area), ..Self::default() }
            }
            (_, Breadth::Narrow) => {
                let [list, strip] = split_lines(area, area.height - STRIP);
                Self { judgments: Some(list), strip: Some(strip), ..Self::default() }
            }
            (_, Breadth::Medium) => {
                let [list, detail] = two_columns(area);
                Self { judgments: Some(list), ..Self::detail(detail) }
            }
            (_, Breadth::Wide) => {
                let [topics, rest] = split_columns(area, TOPIC_COLUMNS);
                let [list, detail] = split_columns(rest, JUDGMENT_COLUMNS);
                let about = if size.height == Height::Tall { TOPIC_LINES } else { 0 };
                let [topics, topic] = split_lines(topics, topics.height - about);
                let topic = Some(topic).filter(|_| about > 0);
                Self { judgments: Some(list), topics: Some(topics), topic, ..Self::detail(detail) }
            }
        }
    }

    fn detail(area: Rect) -> Self {
        let [candidates, preview] = split_lines(area, (area.height / 4).clamp(6, 12));
        Self { candidates: Some(candidates), preview: Some(preview), ..Self::default() }
    }

    /// Where the rows of the list are.
    pub(super) fn list_rows(&self, size: Size) -> Rect {
        let inside = Frame::inside(self.judgments.unwrap_or_default(), size);
        let head = head_lines(size).min(inside.height);
        Rect { y: inside.y + head, height: inside.height - head, ..inside }
    }
}

/// Lines of the names of columns above the list.
fn head_lines(size: Size) -> u16 {
    u16::from(size.breadth == Breadth::Wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_lie_in_the_area_and_never_over_each_other() {
        for (columns, lines) in (60..=220).flat_map(|columns| [12, 16, 24, 32, 60].map(|lines| (columns, lines))) {
            let (area, size) = (Rect::new(0, 1, columns, lines - 2), Size::of((columns, lines)));
            for (at, zoomed) in (0..4).flat_map(|at| [(at, false), (at, true)]) {
                let layout = Layout::new(area, size, Focus { at, zoomed });
                let panes =
                    [layout.judgments, layout.strip, layout.candidates, layout.preview, layout.topics, layout.topic];
                let panes: Vec<Rect> = panes.into_iter().flatten().collect();
                let covered: u32 = panes.iter().map(|pane| pane.area()).sum();
                assert_eq!(covered, area.area(), "{columns}x{lines}, pane {at}, zoomed {zoomed}: {panes:?}");
                assert!(panes.iter().all(|pane| area.intersection(*pane) == *pane && pane.height > 3));
            }
        }
    }
}
