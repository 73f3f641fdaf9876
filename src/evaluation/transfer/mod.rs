//! Which judgments can be carried over to the target, to which documents, and what is lost or in doubt on the way?
//!
//! A judgment is carried along *links*: pairs of its document that are accepted. The [`Policy`] chooses among several. What
//! becomes of every judgment stands in the ledger, one [`Entry`] for each judgment and target, or one for a judgment that is
//! left behind. Several judgments may meet at one target of one topic; the line of the new qrels then has one grade:
//! with [`Policy::Vote`] the one most judgments have, else the one of the best link; every other is *overruled* and says so.
//! Costs one sort of the links and one of the entries.

mod ledger;
mod policy;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::Serialize;

use crate::corpus::qrels::Judgments;

pub use ledger::{Entry, Status};
pub use policy::{Accept, Measure, Policy};

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
    /// What people say.
    pub label: Labelled,
}

/// What people say of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Labelled {
    /// Nobody labelled it.
    #[default]
    Nobody,
    /// A near-duplicate.
    NearDuplicate,
    /// Not one.
    Not,
    /// They are unsure.
    Unsure,
    /// They decided it differently, and nobody has settled it.
    Disputed,
}

impl Labelled {
    /// As a ledger writes it; empty for nobody.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nobody => "",
            Self::NearDuplicate => "near-duplicate",
            Self::Not => "not",
            Self::Unsure => "unsure",
            Self::Disputed => "disputed",
        }
    }
}

/// One target with several grades for one topic among all accepted links, whatever the policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Index into [`Judgments::topics`].
    pub topic: u32,
    /// The target document.
    pub target: u32,
    /// Judged documents and their grades, indices into [`Judgments::documents`] and [`Judgments::grades`].
    pub judgments: Vec<(u32, u32)>,
}

/// Accepted targets a judged document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct FanOut {
    /// The most.
    pub max: u64,
    /// Over the documents that have one.
    pub mean: f64,
}

/// A line of the new qrels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Carried {
    /// Index into [`Judgments::topics`].
    pub topic: u32,
    /// The target document.
    pub target: u32,
    /// Index into [`Judgments::grades`].
    pub grade: u32,
}

/// What a transfer comes to.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The ledger, in the order of the judgments.
    pub entries: Vec<Entry>,
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
}

/// Carries all judgments along these links.
pub fn transfer(judgments: &Judgments, links: &[Link], policy: Policy, accept: Accept) -> Outcome {
    let links = Links::new(links, accept);
    let mut outcome = Outcome::default();
    let mut reached: BTreeMap<(u32, u32), BTreeSet<(u32, u32)>> = BTreeMap::new();
    for (number, row) in (0u32..).zip(judgments.rows()) {
        let (accepted, refused) = links.of(row.document);
        for link in accepted {
            reached.entry((row.topic, link.target)).or_default().insert((row.document, row.grade));
        }
        outcome.first_not_best += u64::from(first_is_not_best(accepted));
        match policy.choose(accepted) {
            [] => outcome.leave(number, accept.left(refused)),
            chosen => {
                outcome.transferred += 1;
                outcome.entries.extend(chosen.iter().map(|link| Entry::carried(number, *link)));
            }
        }
    }
    ledger::settle(judgments, &mut outcome, policy);
    outcome.measure(&links, judgments, reached);
    outcome
}

/// Whether the link of the lowest rank scores below another.
fn first_is_not_best(accepted: &[Link]) -> bool {
    let score = |link: &Link| link.score.unwrap_or(f64::NEG_INFINITY);
    let first = accepted.iter().min_by_key(|link| link.rank).map(score);
    let best = accepted.iter().map(score).fold(f64::NEG_INFINITY, f64::max);
    first.is_some_and(|first| first < best)
}

impl Outcome {
    fn leave(&mut self, judgment: u32, why: &'static str) {
        *self.left_behind.entry(why).or_default() += 1;
        self.entries.push(Entry::left(judgment, why));
    }

    fn measure(&mut self, links: &Links, judgments: &Judgments, reached: BTreeMap<(u32, u32), BTreeSet<(u32, u32)>>) {
        let rows = judgments.rows();
        let used: HashSet<(u32, u32)> =
            self.entries.iter().filter_map(|e| Some((rows[e.judgment as usize].topic, e.link?.target))).collect();
        self.unused = reached.keys().filter(|place| !used.contains(place)).count() as u64;
        for ((topic, target), judged) in reached {
            let grades: BTreeSet<u32> = judged.iter().map(|(_, grade)| *grade).collect();
            if grades.len() > 1 {
                self.conflicts.push(Conflict { topic, target, judgments: judged.into_iter().collect() });
            }
        }
        let wide = (0..judgments.documents().len() as u32).map(|document| (links.of(document).0.len(), document));
        let wide: Vec<(usize, u32)> = wide.filter(|(count, _)| *count > 0).collect();
        let sum: usize = wide.iter().map(|(count, _)| count).sum();
        let widest = wide.iter().max_by_key(|(count, document)| (*count, std::cmp::Reverse(*document)));
        self.fan_out = FanOut {
            max: widest.map_or(0, |(count, _)| *count as u64),
            mean: if wide.is_empty() { 0.0 } else { sum as f64 / wide.len() as f64 },
        };
        self.widest = widest.map(|(_, document)| *document);
    }
}

/// Links by source: accepted ones first, the best in front, and the labels of those refused.
struct Links {
    rows: Vec<Link>,
    /// For each document where its links begin, where the refused ones begin, and where they end.
    places: std::collections::HashMap<u32, (usize, usize, usize)>,
}

impl Links {
    fn new(links: &[Link], accept: Accept) -> Self {
        let mut rows = links.to_vec();
        let score = |link: &Link| link.score.unwrap_or(f64::NEG_INFINITY);
        rows.sort_by(|a, b| {
            let order = a.source.cmp(&b.source).then(accept.takes(b).cmp(&accept.takes(a)));
            order.then(score(b).total_cmp(&score(a))).then(a.rank.cmp(&b.rank)).then(a.target.cmp(&b.target))
        });
        let mut places = std::collections::HashMap::new();
        let mut start = 0;
        for group in rows.chunk_by(|a, b| a.source == b.source) {
            let taken = group.iter().take_while(|link| accept.takes(link)).count();
            places.insert(group[0].source, (start, start + taken, start + group.len()));
            start += group.len();
        }
        Self { rows, places }
    }

    /// Accepted and refused links of a document.
    fn of(&self, document: u32) -> (&[Link], &[Link]) {
        match self.places.get(&document) {
            Some(&(start, middle, end)) => (&self.rows[start..middle], &self.rows[middle..end]),
            None => (&[], &[]),
        }
    }
}

#[cfg(test)]
mod tests;
