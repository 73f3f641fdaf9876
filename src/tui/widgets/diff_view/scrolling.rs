//! How far a scroll leads, and where long lines are wrapped.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::widgets::glyphs::breaks;

/// Bytes above which a line is long: where it is wrapped is remembered.
const LONG: usize = 4096;
/// Long lines whose wrapping is remembered.
const REMEMBERED: usize = 64;

/// Where long lines are wrapped: by side, first byte and columns.
type Known = HashMap<(usize, usize, usize), Rc<[usize]>>;

/// A memory of where long lines are wrapped, so that they are laid out once and not at every frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Wraps(RefCell<Known>);

impl Wraps {
    pub(super) fn line_starts(&self, key: (usize, usize, usize), text: &str) -> Rc<[usize]> {
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

/// The item and line so many screen lines further. An item may take no line at all.
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
        fn scrolling_counts_lines(
            first in 1usize..5,
            others in prop::collection::vec(0usize..5, 0..20),
            lines in 0isize..40,
        ) {
            let heights = [vec![first], others].concat();
            let height = |item: usize| heights[item];
            let total: usize = heights.iter().sum();
            let lines_above = |(item, part): (usize, usize)| heights[..item].iter().sum::<usize>() + part;
            let down = scrolled((0, 0), lines, heights.len(), height);
            prop_assert_eq!(lines_above(down), (lines as usize).min(total - 1));
            prop_assert!(down.1 < heights[down.0]);
            let up = scrolled(down, -lines, heights.len(), height);
            prop_assert_eq!(up, (0, 0));
        }
    }
}
