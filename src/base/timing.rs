//! Where the time goes: a stopwatch for each stage of a document's way, summed over threads.

use std::time::{Duration, Instant};

/// The stages, in the order of a document's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reading files, inflating, cutting records.
    Read,
    /// Finding the charset and decoding.
    Decode,
    /// HTML to text.
    Extract,
    /// Text to tokens.
    Tokens,
    /// Tokens to sketches of all configurations.
    Sketch,
    Probe,
    Score,
    /// Keeping texts for the index.
    Keep,
    /// Building tables and writing pairs.
    Write,
    Commit,
}

const NAMES: [&str; 10] =
    ["read", "decode", "extract", "tokens", "sketch", "probe", "score", "keep", "write", "commit"];

/// Time spent in each stage.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings([Duration; NAMES.len()]);

impl Timings {
    /// Runs `work` and adds its time to a stage.
    #[inline]
    pub fn time<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(stage, start.elapsed());
        result
    }

    /// Adds time to a stage.
    #[inline]
    pub fn add(&mut self, stage: Stage, time: Duration) {
        self.0[stage as usize] += time;
    }

    /// Adds what another thread spent.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine += theirs;
        }
    }

    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }

    /// Stages with their time, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        NAMES.into_iter().zip(self.0)
    }
}
