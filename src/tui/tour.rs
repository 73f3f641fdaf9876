//! A tour of the explorer: five steps, each of which says what is on the screen and which key leads on. A step is over when
//! the person has done what it asks for, so that the tour is walked with the keys of every day.

/// How far the tour is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tour {
    /// The step that is shown.
    pub step: usize,
    /// Events in the journal when the tour began: one more is a decision that was made on it.
    pub events: u64,
}

/// Lines that a step takes: above the keys, below the screen.
pub const LINES: u16 = 3;

/// Lines of a terminal that has room for a step besides its screen.
pub const ROOM: u16 = 20;

impl Tour {
    pub fn new(events: u64) -> Self {
        Self { step: 0, events }
    }

    /// Goes on behind the last step that is done, of this one and the next: whoever goes ahead is not held up. None when the
    /// tour is over.
    pub fn advanced(self, is_done: impl Fn(usize) -> bool, steps: usize) -> Option<Self> {
        let done = (self.step..steps.min(self.step + 2)).rev().find(|&step| is_done(step));
        match done {
            Some(last) if last + 1 >= steps => None,
            Some(last) => Self { step: last + 1, ..self }.advanced(is_done, steps),
            None => Some(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_taken_one_by_one_or_two_at_once() {
        let tour = Tour::new(7);
        let after = |done: &[usize]| tour.advanced(|step| done.contains(&step), 5).map(|tour| tour.step);
        assert_eq!(after(&[]), Some(0));
        assert_eq!(after(&[0]), Some(1));
        assert_eq!(after(&[1]), Some(2), "the next one is enough");
        assert_eq!(after(&[4]), Some(0), "the last one is too far ahead");
        assert_eq!(after(&[0, 1, 2, 3, 4]), None);
        let last = Tour { step: 4, ..tour };
        assert_eq!(last.advanced(|step| step == 4, 5), None);
    }
}
