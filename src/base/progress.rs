//! How far work has come, and the wish to stop it: counters that any thread may raise and any front may read.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counters of one run. Readers see values that only grow; nothing is locked.
#[derive(Debug, Default)]
pub struct Progress {
    /// Documents read so far.
    pub documents: AtomicU64,
    /// Bytes of input files consumed so far, as they lie on disk.
    pub bytes: AtomicU64,
    /// Pairs found so far, over all configurations.
    pub pairs: AtomicU64,
    cancelled: AtomicBool,
}

impl Progress {
    /// Adds to the documents read.
    pub fn add_documents(&self, n: u64) {
        self.documents.fetch_add(n, Ordering::Relaxed);
    }

    /// Adds to the bytes consumed.
    pub fn add_bytes(&self, n: u64) {
        self.bytes.fetch_add(n, Ordering::Relaxed);
    }

    /// Adds to the pairs found.
    pub fn add_pairs(&self, n: u64) {
        self.pairs.fetch_add(n, Ordering::Relaxed);
    }

    /// Asks the work to stop at its next batch.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the work was asked to stop.
    pub fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
