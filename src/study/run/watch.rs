//! The progress of a run, for whoever shows it.

use crate::run::stage::KitStage;
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
    /// Workers elsewhere are at work.
    Workers {
        stage: KitStage,
        files: usize,
        /// Bytes on disk to read.
        bytes: u64,
    },
    /// A cluster compares the sketches of both sides.
    Joining,
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

impl Stage<'_> {
    /// The stage in words: `source`, `segment 02`.
    pub fn name(&self) -> String {
        match self {
            Self::Source { .. } => "source".to_owned(),
            Self::Statistics { .. } => "statistics".to_owned(),
            Self::Sketches { .. } => "sketches of both sides".to_owned(),
            Self::Workers { stage, files, .. } => {
                let ending = if *files == 1 { "" } else { "s" };
                format!("workers {} {files} file{ending}", stage.work())
            }
            Self::Joining => "join of sketches".to_owned(),
            Self::Segment { name, .. } => format!("segment {name}"),
            Self::Index => "index".to_owned(),
        }
    }

    /// Bytes on disk to read; 0 where nobody knows.
    pub const fn bytes(&self) -> u64 {
        match *self {
            Self::Source { bytes }
            | Self::Statistics { bytes }
            | Self::Sketches { bytes }
            | Self::Workers { bytes, .. }
            | Self::Segment { bytes, .. } => bytes,
            Self::Joining | Self::Index => 0,
        }
    }
}

/// Someone who wants to know how far a run has come.
pub trait Watch: Sync {
    /// Counters that the run raises, and through which it is asked to stop.
    fn progress(&self) -> &Progress;
    /// Called when a stage has begun.
    fn began(&self, stage: Stage<'_>);
    /// Begins a stage: what is read from now on is read in it.
    fn stage(&self, stage: Stage<'_>) {
        self.progress().begin_stage();
        self.began(stage);
    }
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

    fn began(&self, _: Stage<'_>) {}
}
