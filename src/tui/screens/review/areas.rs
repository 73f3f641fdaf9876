//! Where the parts of Review are.

use ratatui::layout::Rect;

use super::{Part, Review, case};
use crate::widgets::frame::Frame;
use crate::widgets::size::{Breadth, Height, Size, split_columns, split_lines};

/// Columns of the list where the case is beside it.
const LIST_WIDTH: u16 = 78;
/// Columns of Agreement where it is beside the list: a bit more than its numbers, the more the wider the screen.
const AGREEMENT_WIDTHS: [u16; 2] = [36, 44];
/// Lines of Agreement with its frame, at most.
const AGREEMENT_HEIGHT: u16 = 9;
/// Lines of Agreement with the labels of two annotators beside each other, and of the settled cases at least, on tall screens.
const TALL: [u16; 2] = [15, 6];
/// Below this many lines a case is not shown beside the list.
const LOWEST_CASE: u16 = 5;

/// The parts with their frames; what is not shown has no height.
#[derive(Debug, Clone, Copy)]
pub(super) struct Areas {
    pub(super) list: Rect,
    /// On tall screens, and beside Agreement that has the screen to itself.
    pub(super) settled: Rect,
    pub(super) agreement: Rect,
    /// The documents, the state and the notes of the case.
    pub(super) header: Rect,
    pub(super) case: Rect,
    /// Rows of the list that fit.
    pub(super) page: usize,
}

impl Review {
    pub(super) fn areas(&self, area: Rect, size: Size) -> Areas {
        let nothing = Rect { height: 0, ..area };
        let alone = self.zoomed || self.is_open() && size.is_narrow();
        let rows = self.shown().len() as u16;
        let mut settled = nothing;
        let (list, agreement, rest) = match size.breadth {
            _ if alone && self.is_open() => (nothing, nothing, area),
            breadth if alone && self.part == Part::Agreement => {
                let agreement = match breadth {
                    Breadth::Wide => split_columns(area, LIST_WIDTH),
                    Breadth::Medium | Breadth::Narrow => split_lines(area, TALL[0].min(area.height)),
                };
                settled = agreement[1];
                (nothing, agreement[0], nothing)
            }
            _ if alone => (area, nothing, nothing),
            Breadth::Wide if size.height == Height::Tall && rows > 0 => {
                let [left, rest] = split_columns(area, LIST_WIDTH);
                let [agreement, lowest] = TALL;
                let [lists, agreement] = split_lines(left, left.height.saturating_sub(agreement));
                let list = (rows + 2).clamp(6, lists.height.saturating_sub(lowest).max(6));
                let [list, below] = split_lines(lists, list);
                settled = below;
                (list, agreement, rest)
            }
            Breadth::Wide => {
                let [left, rest] = split_columns(area, LIST_WIDTH);
                let list = (rows + 2).clamp(6, left.height.saturating_sub(AGREEMENT_HEIGHT).max(6));
                let [list, agreement] = split_lines(left, list);
                (list, agreement, rest)
            }
            Breadth::Medium => {
                let top = (rows + 2).clamp(AGREEMENT_HEIGHT, (area.height / 3).max(AGREEMENT_HEIGHT));
                let [top, rest] = split_lines(area, top);
                let agreement = (area.width / 3).clamp(AGREEMENT_WIDTHS[0], AGREEMENT_WIDTHS[1]);
                let [list, agreement] = split_columns(top, top.width.saturating_sub(agreement));
                (list, agreement, rest)
            }
            Breadth::Narrow => {
                let [top, rest] = split_lines(area, area.height.saturating_sub(AGREEMENT_HEIGHT - 1));
                let [agreement, rest] = split_lines(rest, AGREEMENT_HEIGHT - 3);
                let [list, more] = split_lines(top, (rows + 1).clamp(3, top.height.max(3)));
                // The lines that the list does not need are the case's; Agreement is between the two.
                let agreement = Rect { y: agreement.y - more.height, ..agreement };
                (list, agreement, Rect { y: agreement.bottom(), height: rest.height + more.height, ..rest })
            }
        };
        let rest = if rest.height < LOWEST_CASE { nothing } else { rest };
        let wanted = self.current().map_or(0, |case| case::header_height(case, rest.width));
        // Beside the list the texts matter most: the header gives way on low screens.
        let header = if size.is_narrow() && !self.is_open() { 0 } else { wanted.min(rest.height / 2) };
        let [header, case] = split_lines(rest, header);
        Areas { list, settled, agreement, header, case, page: usize::from(Frame::inside(list, size).height) }
    }
}
