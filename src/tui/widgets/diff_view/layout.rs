//! Which lines of the screen a row takes, and what stands on each.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use ratatui::layout::Rect;

use super::super::glyphs::breaks;
use super::{DiffView, LONG, Texts};
use dejaview_text::diff::{Line, RowKind, Shown};

/// Mark, number and blanks in front of a line.
pub(super) const GUTTER: u16 = 7;
/// Below this width two columns are too narrow to read.
const NARROW: u16 = 100;
/// Long lines whose wrapping is remembered.
const REMEMBERED: usize = 64;

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
    pub(super) whole: bool,
}

/// What stands at one line of the screen.
pub(super) enum Laid<'a> {
    /// On the left and on the right.
    Sides(Option<Piece<'a>>, Option<Piece<'a>>),
    /// Over the whole width; nothing where the other side has more lines.
    One(Option<Piece<'a>>),
    /// So many equal rows.
    Fold(usize),
}

/// Where long lines are wrapped: by side, first byte and columns.
type Known = HashMap<(usize, usize, usize), Rc<[usize]>>;

/// A memory of where long lines are wrapped, so that they are laid out once and not at every frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Wraps(RefCell<Known>);

impl Wraps {
    fn of(&self, key: (usize, usize, usize), text: &str) -> Rc<[usize]> {
        if text.len() <= LONG {
            return breaks(text, key.2).into();
        }
        let Ok(mut known) = self.0.try_borrow_mut() else { return breaks(text, key.2).into() };
        if known.len() >= REMEMBERED && !known.contains_key(&key) {
            known.clear();
        }
        known.entry(key).or_insert_with(|| breaks(text, key.2).into()).clone()
    }
}

impl DiffView {
    pub(super) fn is_stacked(&self, texts: &Texts, area: Rect) -> bool {
        self.stacked.unwrap_or(area.width < NARROW || texts.right_to_left)
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
        self.lay(texts, area, item).len().max(1)
    }

    /// The lines of the screen that one thing takes.
    pub(super) fn lay<'a>(&self, texts: &'a Texts, area: Rect, item: usize) -> Vec<Laid<'a>> {
        let row = match self.shown.get(item) {
            None => return Vec::new(),
            Some(Shown::Fold { rows, .. }) => return vec![Laid::Fold(*rows)],
            Some(Shown::Row(row)) => *row,
        };
        let columns = self.columns(texts, area);
        let first = usize::from(self.swapped);
        let mut sides = [first, 1 - first].map(|side| self.pieces(texts, row, side, columns));
        match self.mode(texts, area) {
            Mode::Sides => {
                let [left, right] = sides;
                let (mut left, mut right) = (left.into_iter(), right.into_iter());
                let next = || match (left.next(), right.next()) {
                    (None, None) => None,
                    (l, r) => Some(Laid::Sides(l, r)),
                };
                std::iter::from_fn(next).collect()
            }
            Mode::Alone(side) => {
                let height = sides[0].len().max(sides[1].len());
                let mut pieces = std::mem::take(&mut sides[usize::from(side != first)]).into_iter();
                (0..height).map(|_| Laid::One(pieces.next())).collect()
            }
            Mode::Stacked => {
                let equal = texts.diff.rows.get(row).is_some_and(|row| row.kind == RowKind::Equal);
                let [above, below] = sides;
                let below = below.into_iter().take(if equal { 0 } else { usize::MAX });
                above.into_iter().chain(below).map(|piece| Laid::One(Some(piece))).collect()
            }
        }
    }

    /// The lines that a thing takes where its side is scrolled alone; none where the side has no line.
    pub(super) fn lay_alone<'a>(&self, texts: &'a Texts, area: Rect, item: usize, side: usize) -> Vec<Laid<'a>> {
        match self.shown.get(item) {
            None => Vec::new(),
            Some(Shown::Fold { rows, .. }) => vec![Laid::Fold(*rows)],
            Some(Shown::Row(row)) => {
                let pieces = self.pieces(texts, *row, side, self.columns(texts, area));
                pieces.into_iter().map(|piece| Laid::One(Some(piece))).collect()
            }
        }
    }

    pub(super) fn height_alone(&self, texts: &Texts, area: Rect, item: usize, side: usize) -> usize {
        self.lay_alone(texts, area, item, side).len()
    }

    /// The lines of the screen that a line of a side takes.
    fn pieces<'a>(&self, texts: &'a Texts, row: usize, side: usize, columns: u16) -> Vec<Piece<'a>> {
        let (Some(line), Some(at)) = (texts.line(row, side), texts.diff.rows.get(row)) else { return Vec::new() };
        let mark = match at.kind {
            RowKind::Equal => ' ',
            _ if side == 0 => '-',
            _ => '+',
        };
        let whole = matches!(at.kind, RowKind::OnlySource | RowKind::OnlyTarget);
        let text = texts.line_text(line, side);
        let starts =
            if self.cut { vec![0].into() } else { self.wraps.of((side, line.span.start, usize::from(columns)), text) };
        let piece = |(i, &start): (usize, &usize)| Piece {
            mark: if i == 0 || mark != ' ' { mark } else { ' ' },
            number: (i == 0).then_some(line.number),
            bytes: start..starts.get(i + 1).copied().unwrap_or(text.len()),
            line,
            side,
            whole,
        };
        starts.iter().enumerate().map(piece).collect()
    }

    /// Which of the lines of the screen that a row takes holds a byte of its line on a side.
    pub(super) fn piece_of(&self, texts: &Texts, area: Rect, row: usize, side: usize, byte: usize) -> usize {
        let first = usize::from(self.swapped);
        let columns = self.columns(texts, area);
        let inside = self.pieces(texts, row, side, columns).iter().filter(|piece| piece.bytes.start <= byte).count();
        let above = match self.mode(texts, area) {
            Mode::Stacked if side != first && self.apart.is_none() => {
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

/// Width of the left column; one spare column stands before the border.
pub(super) fn half(area: Rect) -> u16 {
    area.width.saturating_sub(1) / 2
}

/// The place so many lines of the screen further. Things may take no line at all.
pub(super) fn scrolled(
    (mut item, mut part): (usize, usize),
    lines: isize,
    items: usize,
    height: impl Fn(usize) -> usize,
) -> (usize, usize) {
    let mut left = lines.unsigned_abs();
    while left > 0 && lines > 0 {
        let below = height(item).saturating_sub(1).saturating_sub(part);
        if below >= left {
            return (item, part + left);
        }
        let Some(next) = (item + 1..items).find(|&next| height(next) > 0) else { return (item, part + below) };
        left -= below + 1;
        (item, part) = (next, 0);
    }
    while left > 0 && lines < 0 {
        if part >= left {
            return (item, part - left);
        }
        let Some(next) = (0..item).rev().find(|&next| height(next) > 0) else { return (item, 0) };
        left -= part + 1;
        (item, part) = (next, height(next) - 1);
    }
    (item, part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Scrolling down and up again by as much leads back, unless an end was met.
        #[test]
        fn scrolling_counts_lines(heights in prop::collection::vec(0usize..5, 1..20), lines in 0isize..40) {
            prop_assume!(heights[0] > 0);
            let height = |item: usize| heights[item];
            let total: usize = heights.iter().sum();
            let before = |(item, part): (usize, usize)| heights[..item].iter().sum::<usize>() + part;
            let down = scrolled((0, 0), lines, heights.len(), height);
            prop_assert_eq!(before(down), (lines as usize).min(total - 1));
            prop_assert!(down.1 < heights[down.0]);
            let up = scrolled(down, -lines, heights.len(), height);
            prop_assert_eq!(up, (0, 0));
        }
    }
}
