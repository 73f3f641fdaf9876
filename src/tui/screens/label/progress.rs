//! How far one is in a sample. Each frame asks, and a sample may have thousands of questions: they are counted again only after
//! decisions have changed.

use std::cell::Cell;
use std::time::Duration;

/// How far one is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Questions that are answered.
    pub(super) decided: usize,
    /// Questions that are still to be asked.
    pub(super) left: usize,
    /// What a question took of late, the middle one of the last; none while too few are answered.
    pub(super) pace: Option<Duration>,
}

/// The last count, and the version of the decisions that it was made of.
#[derive(Debug, Default)]
pub(super) struct Counted(Cell<Option<(u64, Progress)>>);

impl Counted {
    /// The progress by decisions of this version.
    pub(super) fn at(&self, version: u64, count: impl FnOnce() -> Progress) -> Progress {
        match self.0.get() {
            Some((counted, progress)) if counted == version => progress,
            _ => {
                let progress = count();
                self.0.set(Some((version, progress)));
                progress
            }
        }
    }
}
