//! Which pane of a screen has the keys, and whether it has the screen to itself.

use crate::action::Action;

/// The pane that has the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Focus {
    /// Its number among the panes of the screen.
    pub at: usize,
    /// Whether it is shown alone.
    pub zoomed: bool,
}

impl Focus {
    /// Moves among so many panes, or zooms; false when the action is neither.
    pub fn act(&mut self, action: Action, panes: usize) -> bool {
        match action {
            Action::NextPane => self.at = (self.at + 1) % panes.max(1),
            Action::PreviousPane => self.at = (self.at + panes.max(1) - 1) % panes.max(1),
            Action::ZoomIn => self.zoomed = true,
            Action::ZoomOut => self.zoomed = false,
            _ => return false,
        }
        true
    }

    /// Gives the screen back to all panes; false when it was not taken.
    pub fn unzoom(&mut self) -> bool {
        std::mem::take(&mut self.zoomed)
    }

    /// Whether a pane has the keys.
    pub fn is_on(self, pane: usize) -> bool {
        self.at == pane
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_are_walked_in_a_circle() {
        let mut focus = Focus::default();
        for at in [1, 2, 0] {
            assert!(focus.act(Action::NextPane, 3));
            assert_eq!(focus.at, at);
        }
        assert!(focus.act(Action::PreviousPane, 3) && focus.is_on(2));
        assert!(focus.act(Action::ZoomIn, 3) && focus.zoomed);
        assert!(focus.unzoom() && !focus.unzoom());
        assert!(!focus.act(Action::Down, 3));
        assert!(focus.act(Action::NextPane, 0) && focus.is_on(0));
    }
}
