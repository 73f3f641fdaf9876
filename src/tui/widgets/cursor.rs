//! A place in a list of any length: what is under the cursor and what stands at the top of the screen.

use crate::action::Action;

/// Rows between the cursor and the edge of the screen, where there are so many.
const MARGIN: usize = 3;

/// The row under the cursor and the first row shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// Row under the cursor.
    pub at: usize,
    /// First row shown.
    pub top: usize,
}

impl Cursor {
    /// Moves within `len` rows of which `page` fit the screen. False when the action is no movement.
    pub fn go(&mut self, action: Action, len: usize, page: usize) -> bool {
        let Some(at) = moved(action, self.at, page, len.saturating_sub(1)) else { return false };
        self.at = at;
        self.keep(len, page);
        true
    }

    /// Puts the cursor on a row.
    pub fn to(&mut self, row: usize, len: usize, page: usize) {
        self.at = row.min(len.saturating_sub(1));
        self.keep(len, page);
    }

    /// Keeps the row under the cursor on the screen with a few rows around it, and the screen full where it can be.
    pub fn keep(&mut self, len: usize, page: usize) {
        let page = page.max(1);
        // On a low screen the cursor has at least a third of it to move in.
        let margin = MARGIN.min((page - 1) / 3);
        self.at = self.at.min(len.saturating_sub(1));
        self.top = self.top.min(self.at.saturating_sub(margin)).max((self.at + margin + 1).saturating_sub(page));
        self.top = self.top.min(len.saturating_sub(page));
    }
}

/// Where a movement leads from `at` with `page` rows on the screen, at most to `last`; none when it is no movement.
pub fn moved(action: Action, at: usize, page: usize, last: usize) -> Option<usize> {
    let page = page.max(1);
    let to = match action {
        Action::Up => at.saturating_sub(1),
        Action::Down => at + 1,
        Action::HalfUp => at.saturating_sub(page / 2),
        Action::HalfDown => at + page / 2,
        Action::PageUp => at.saturating_sub(page),
        Action::PageDown => at + page,
        Action::Top => 0,
        Action::Bottom => last,
        _ => return None,
    };
    Some(to.min(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_cursor_stays_on_the_list_and_on_the_screen(
            moves in proptest::collection::vec((0usize..8, 0usize..40, 0usize..12), 1..60)
        ) {
            let actions = [Action::Up, Action::Down, Action::HalfUp, Action::HalfDown, Action::PageUp, Action::PageDown, Action::Top, Action::Bottom];
            let mut cursor = Cursor::default();
            for (action, len, page) in moves {
                prop_assert!(cursor.go(actions[action], len, page));
                prop_assert!(cursor.at < len.max(1));
                let page = page.max(1);
                prop_assert!(cursor.top <= cursor.at && cursor.at < cursor.top + page);
                let margin = MARGIN.min((page - 1) / 3);
                prop_assert!(cursor.at >= cursor.top + margin || cursor.top == 0);
                prop_assert!(cursor.at + margin < cursor.top + page || cursor.top + page >= len);
                prop_assert!(cursor.top == 0 || cursor.top + page <= len, "the screen is full");
            }
        }
    }
}
