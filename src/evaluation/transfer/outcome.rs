//! What a transfer comes to: the ledger, the new qrels, and what was lost or in doubt.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde::Serialize;

use super::ledger::LedgerEntry;

/// One target with several grades for one topic among all accepted links, whatever the policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Index into `Judgments::topics`.
    pub topic: u32,
    pub target: u32,
    /// Judged documents and their grades, indices into `Judgments::documents` and `Judgments::grades`. Targets that the
    /// same documents reach share them.
    pub judgments: Arc<[(u32, u32)]>,
}

/// Accepted targets a judged document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct FanOut {
    pub max: u64,
    /// Over the documents that have one.
    pub mean: f64,
}

/// A line of the new qrels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Carried {
    /// Index into `Judgments::topics`.
    pub topic: u32,
    pub target: u32,
    /// Index into `Judgments::grades`.
    pub grade: u32,
}

/// Result of carrying the judgments over.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The ledger, in the order of the judgments.
    pub entries: Vec<LedgerEntry>,
    /// The new qrels, by topic, then target.
    pub qrels: Vec<Carried>,
    /// Targets with several grades.
    pub conflicts: Vec<Conflict>,
    /// Judgments with a target.
    pub transferred: u64,
    /// Judgments whose first link is not one of those with the highest score.
    pub first_not_best: u64,
    /// Topics and targets that an accepted link reaches and the policy leaves unused.
    pub unused: u64,
    /// Accepted targets a judged document.
    pub fan_out: FanOut,
    /// The judged document with the most accepted targets.
    pub widest: Option<u32>,
    /// Judgments left behind, by reason.
    pub left_behind: BTreeMap<&'static str, u64>,
    /// Lines of the new qrels that are judgments of documents that stand in the target themselves.
    pub own: u64,
    /// Targets with several grades one of which is their own.
    pub against_own: u64,
}

impl Outcome {
    /// Judgments whose grade stands in the new qrels.
    pub fn standing(&self) -> u64 {
        let standing = self.entries.iter().filter(|entry| entry.status.stands()).map(|entry| entry.judgment);
        standing.collect::<HashSet<u32>>().len() as u64
    }
}
