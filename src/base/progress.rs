//! How far work has come, and the wish to stop it: counters that any thread may raise and any front may read.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counters of one run. Readers see values that only grow; nothing is locked.
#[derive(Debug, Default)]
pub struct Progress {
    /// Documents read so far, in all stages: one that is read twice counts twice.
    pub documents: AtomicU64,
    /// Bytes of input files consumed so far, as they lie on disk.
    pub bytes: AtomicU64,
    /// Pairs found so far, over all configurations.
    pub pairs: AtomicU64,
    /// Documents and bytes that were read before the stage that is under way.
    documents_before: AtomicU64,
    bytes_before: AtomicU64,
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

    /// What is read from now on is read in a new stage.
    pub fn begin_stage(&self) {
        self.documents_before.store(self.documents.load(Ordering::Relaxed), Ordering::Relaxed);
        self.bytes_before.store(self.bytes.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Documents read in the stage that is under way.
    pub fn documents_in_stage(&self) -> u64 {
        self.documents.load(Ordering::Relaxed).saturating_sub(self.documents_before.load(Ordering::Relaxed))
    }

    /// Bytes consumed in the stage that is under way.
    pub fn bytes_in_stage(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed).saturating_sub(self.bytes_before.load(Ordering::Relaxed))
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
