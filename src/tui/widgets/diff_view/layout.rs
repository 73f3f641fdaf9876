//! Which lines of the screen a row takes, and what is on each.

use std::ops::Range;

use ratatui::layout::Rect;

use super::{DiffView, Texts};
use dejaview_text::diff::{Line, RowKind, Shown};

/// Mark, number and blanks in front of a line.
pub(super) const GUTTER: u16 = 6;
/// Below this width of a side two columns are too narrow to read.
const NARROWEST_SIDE: u16 = 44;

/// How the two sides share the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// One below the other.
    Stacked,
    /// One beside the other.
    Sides,
    /// One in the place of both.
    Alone(usize),
}

/// One line of the screen for one side: mark and number where it begins, then some of its bytes.
pub(super) struct Piece<'a> {
    pub(super) mark: char,
    pub(super) number: Option<u32>,
    /// Bytes in the line.
    pub(super) bytes: Range<usize>,
    pub(super) line: &'a Line,
    pub(super) side: usize,
    /// Whether the line has no counterpart.
    pub(super) unpaired: bool,
}

/// One line of the screen.
pub(super) enum ScreenLine<'a> {
    Sides(Option<Piece<'a>>, Option<Piece<'a>>),
    /// Over the whole width; nothing where the other side has more lines.
    One(Option<Piece<'a>>),
    /// Hides this many equal rows.
    Fold(usize),
}

impl DiffView {
    pub(super) fn is_stacked(&self, texts: &Texts, area: Rect) -> bool {
        self.stacked.unwrap_or(half(inside(area)) < NARROWEST_SIDE || texts.right_to_left)
    }

    pub(super) fn mode(&self, texts: &Texts, area: Rect) -> Mode {
        match self.blink {
            Some(side) => Mode::Alone(side),
            None if self.is_stacked(texts, area) => Mode::Stacked,
            None => Mode::Sides,
        }
    }

    /// Columns for the text of a line.
    fn columns(&self, texts: &Texts, area: Rect) -> u16 {
        let wide = match self.mode(texts, area) {
            Mode::Sides => half(inside(area)),
            _ => inside(area).width,
        };
        wide.saturating_sub(GUTTER + 1)
    }

    pub(super) fn height(&self, texts: &Texts, area: Rect, item: usize) -> usize {
        self.screen_lines(texts, area, item).len().max(1)
    }

    /// The lines of the screen that one item takes.
    pub(super) fn screen_lines<'a>(&self, texts: &'a Texts, area: Rect, item: usize) -> Vec<ScreenLine<'a>> {
        match self.items.get(item) {
            None => Vec::new(),
            Some(Shown::Fold { rows, .. }) => vec![ScreenLine::Fold(*rows)],
            Some(Shown::Row(row)) => self.row_lines(texts, area, *row),
        }
    }

    pub(super) fn row_lines<'a>(&self, texts: &'a Texts, area: Rect, row: usize) -> Vec<ScreenLine<'a>> {
        let columns = self.columns(texts, area);
        let first = usize::from(self.swapped);
        let mut sides = [first, 1 - first].map(|side| self.pieces(texts, row, side, columns));
        match self.mode(texts, area) {
            Mode::Sides => {
                let [left, right] = sides;
                let (mut left, mut right) = (left.into_iter(), right.into_iter());
                let next = || match (left.next(), right.next()) {
                    (None, None) => None,
                    (l, r) => Some(ScreenLine::Sides(l, r)),
                };
                std::iter::from_fn(next).collect()
            }
            Mode::Alone(side) => {
                let height = sides[0].len().max(sides[1].len());
                let mut pieces = std::mem::take(&mut sides[usize::from(side != first)]).into_iter();
                (0..height).map(|_| ScreenLine::One(pieces.next())).collect()
            }
            Mode::Stacked => {
                let equal = texts.diff.rows.get(row).is_some_and(|row| row.kind == RowKind::Equal);
                let [above, below] = sides;
                let below = below.into_iter().take(if equal { 0 } else { usize::MAX });
                above.into_iter().chain(below).map(|piece| ScreenLine::One(Some(piece))).collect()
            }
        }
    }

    /// The lines that an item takes where the sides scroll separately; none where this side has no line.
    pub(super) fn lines_of_side<'a>(
        &self,
        texts: &'a Texts,
        area: Rect,
        item: usize,
        side: usize,
    ) -> Vec<ScreenLine<'a>> {
        match self.items.get(item) {
            None => Vec::new(),
            Some(Shown::Fold { rows, .. }) => vec![ScreenLine::Fold(*rows)],
            Some(Shown::Row(row)) => {
                let pieces = self.pieces(texts, *row, side, self.columns(texts, area));
                pieces.into_iter().map(|piece| ScreenLine::One(Some(piece))).collect()
            }
        }
    }

    pub(super) fn height_on_side(&self, texts: &Texts, area: Rect, item: usize, side: usize) -> usize {
        self.lines_of_side(texts, area, item, side).len()
    }

    /// The lines of the screen that a line of a side takes.
    fn pieces<'a>(&self, texts: &'a Texts, row: usize, side: usize, columns: u16) -> Vec<Piece<'a>> {
        let (Some(line), Some(at)) = (texts.line(row, side), texts.diff.rows.get(row)) else { return Vec::new() };
        let mark = match at.kind {
            RowKind::Equal => ' ',
            _ if side == 0 => '-',
            _ => '+',
        };
        let unpaired = matches!(at.kind, RowKind::OnlySource | RowKind::OnlyTarget);
        let text = texts.line_text(line, side);
        let starts = if self.cut {
            vec![0].into()
        } else {
            self.wraps.line_starts((side, line.span.start, usize::from(columns)), text)
        };
        let piece = |(i, &start): (usize, &usize)| Piece {
            mark: if i == 0 || mark != ' ' { mark } else { ' ' },
            number: (i == 0).then_some(line.number),
            bytes: start..starts.get(i + 1).copied().unwrap_or(text.len()),
            line,
            side,
            unpaired,
        };
        starts.iter().enumerate().map(piece).collect()
    }

    /// Which of the lines of the screen that a row takes holds a byte of its line on a side.
    pub(super) fn piece_of(&self, texts: &Texts, area: Rect, row: usize, side: usize, byte: usize) -> usize {
        let first = usize::from(self.swapped);
        let columns = self.columns(texts, area);
        let inside = self.pieces(texts, row, side, columns).iter().filter(|piece| piece.bytes.start <= byte).count();
        let above = match self.mode(texts, area) {
            Mode::Stacked if side != first && self.unlocked.is_none() => {
                let equal = texts.diff.rows.get(row).is_some_and(|row| row.kind == RowKind::Equal);
                if equal { 0 } else { self.pieces(texts, row, first, columns).len() }
            }
            _ => 0,
        };
        above + inside.saturating_sub(1)
    }
}

/// What is left of the area beside the minimap.
pub(super) fn inside(area: Rect) -> Rect {
    Rect { width: area.width.saturating_sub(1), ..area }
}

/// Width of the left column, before the border.
pub(super) fn half(area: Rect) -> u16 {
    area.width.saturating_sub(1) / 2
}
