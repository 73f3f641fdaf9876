//! Pairs that may carry judgments.

use std::sync::Arc;

use strum::IntoStaticStr;

/// A pair that may carry judgments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Number of the judged document.
    pub source: u32,
    /// Number of the target document, as the caller counts.
    pub target: u32,
    /// By the measure that the caller chose; none when it cannot be computed.
    pub score: Option<f64>,
    /// Place in the order of the pairs; the lowest is first.
    pub rank: u64,
    pub label: Labelled,
}

/// Links of one judged document that differ in their targets alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Fan {
    /// Number of the judged document.
    pub source: u32,
    /// Numbers of the target documents, each with how far its rank is above that of the fan; ascending by that. Several
    /// documents may have the same.
    pub targets: Arc<[(u32, u64)]>,
    /// By the measure that the caller chose; none when it cannot be computed.
    pub score: Option<f64>,
    /// By the measure that decides whether they are accepted, which may be another one; none when it cannot be computed.
    pub accepted_by: Option<f64>,
    /// Where the ranks begin.
    pub rank: u64,
    pub label: Labelled,
}

impl Fan {
    /// The links, by rank.
    pub(super) fn links(&self) -> impl Iterator<Item = Link> {
        let Self { source, score, rank, label, .. } = *self;
        self.targets.iter().map(move |&(target, above)| Link { source, target, score, rank: rank + above, label })
    }

    pub(super) fn score(&self) -> f64 {
        self.score.unwrap_or(f64::NEG_INFINITY)
    }

    /// Rank and target of the first link.
    pub(super) fn first(&self) -> (u64, u32) {
        self.targets.first().map_or((u64::MAX, u32::MAX), |(target, above)| (self.rank + above, *target))
    }
}

/// What people say of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Labelled {
    #[default]
    #[strum(serialize = "")]
    Nobody,
    NearDuplicate,
    Not,
    Unsure,
    /// They decided it differently, and nobody has settled it.
    Disputed,
}

impl Labelled {
    /// As a ledger writes it; empty for nobody.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
