//! The progress of a run, for whoever shows it.

use dejaview_base::progress::Progress;

/// What a run is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage<'a> {
    Source {
        /// Bytes on disk to read.
        bytes: u64,
    },
    /// Reading documents for statistics alone.
    Statistics {
        /// Bytes on disk to read.
        bytes: u64,
    },
    /// Sketching both sides, to see which documents have a pair.
    Sketches {
        /// Bytes on disk to read.
        bytes: u64,
    },
    /// Workers elsewhere search the target.
    Workers {
        files: usize,
        /// Bytes on disk to read.
        bytes: u64,
    },
    /// Passing a segment of the target.
    Segment {
        name: &'a str,
        /// Counted from 1.
        number: usize,
        of: usize,
        /// Bytes on disk to read.
        bytes: u64,
    },
    /// Making the index ready.
    Index,
}

/// Someone who wants to know how far a run has come.
pub trait Watch: Sync {
    /// Counters that the run raises, and through which it is asked to stop.
    fn progress(&self) -> &Progress;
    /// Called when a stage begins.
    fn stage(&self, stage: Stage<'_>);
    /// Called at the beginning of a run and whenever a segment is finished: how many are, of how many.
    fn finished(&self, _finished: usize, _segments: usize) {}
    /// Called with what a person should know about this run.
    fn remark(&self, _remark: &str) {}
}

/// A watcher that shows nothing.
#[derive(Debug, Default)]
pub struct Unwatched(Progress);

impl Watch for Unwatched {
    fn progress(&self) -> &Progress {
        &self.0
    }

    fn stage(&self, _: Stage<'_>) {}
}
