//! Which judgments can be carried over to the target, to which documents, and what is lost or in doubt on the way?
//!
//! A judgment is carried along *links*: pairs of its document that are accepted. The [`Policy`] chooses among several. What
//! becomes of every judgment stands in the ledger, one [`Entry`] for each judgment and target, or one for a judgment that is
//! left behind. Several judgments may meet at one target of one topic; the line of the new qrels then has one grade:
//! with [`Policy::Vote`] the one most judgments have, else the one of the best link; every other is *overruled* and says so.
//! Costs one sort of the links and one of the entries.
//!
//! Where a judged document stands in the target itself, its judgments hold there: they are lines of the new qrels, and nothing
//! is carried onto it for a topic that it is judged for.

mod ledger;
mod policy;
mod reached;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use serde::Serialize;

use dejaview_corpus::qrels::{Judgment, Judgments};

pub use ledger::{Entry, Status};
pub use policy::{Accept, Measure, Policy};
use reached::Reached;

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
    /// Where the ranks begin.
    pub rank: u64,
    /// What people say.
    pub label: Labelled,
}

impl Fan {
    /// The links, by rank.
    fn links(&self) -> impl Iterator<Item = Link> {
        let Self { source, score, rank, label, .. } = *self;
        self.targets.iter().map(move |&(target, above)| Link { source, target, score, rank: rank + above, label })
    }

    fn score(&self) -> f64 {
        self.score.unwrap_or(f64::NEG_INFINITY)
    }

    /// Rank and target of the first link.
    fn first(&self) -> (u64, u32) {
        self.targets.first().map_or((u64::MAX, u32::MAX), |(target, above)| (self.rank + above, *target))
    }
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
    /// Judged documents and their grades, indices into [`Judgments::documents`] and [`Judgments::grades`]. Targets that the
    /// same documents reach share them.
    pub judgments: Arc<[(u32, u32)]>,
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

/// Carries all judgments along these links. `own` has the number that a judged document has as a target, where it stands
/// there itself.
pub fn transfer(
    judgments: &Judgments,
    fans: &[Fan],
    own: &HashMap<u32, u32>,
    policy: Policy,
    accept: Accept,
) -> Outcome {
    let links = Links::new(fans, accept);
    let mut outcome = Outcome::default();
    let mut reached = Reached::default();
    let itself = |row: &Judgment| own.get(&row.document).map(|target| (row.topic, *target));
    let judged: HashSet<(u32, u32)> = judgments.rows().iter().filter_map(itself).collect();
    for (number, row) in (0u32..).zip(judgments.rows()) {
        let (accepted, refused) = links.of(row.document);
        for fan in accepted {
            reached.add(row.topic, &fan.targets, (row.document, row.grade));
        }
        let own = own.get(&row.document).copied();
        if let Some(target) = own {
            reached.add(row.topic, &[(target, 0)].into(), (row.document, row.grade));
            outcome.entries.push(Entry::own(number, (row.document, target)));
        }
        let (open, closed) = open(accepted, |target| judged.contains(&(row.topic, target)));
        outcome.first_not_best += u64::from(first_is_not_best(&open));
        outcome.entries.extend(policy.choose(&closed).into_iter().map(|link| Entry::judged(number, link)));
        match &policy.choose(&open)[..] {
            [] if !closed.is_empty() => *outcome.left_behind.entry(ledger::JUDGED).or_default() += 1,
            [] if own.is_some() => *outcome.left_behind.entry(ITSELF).or_default() += 1,
            [] => outcome.leave(number, accept.left(refused)),
            chosen => {
                outcome.transferred += 1;
                outcome.entries.extend(chosen.iter().map(|link| Entry::carried(number, *link)));
            }
        }
    }
    ledger::settle(judgments, &mut outcome, policy);
    outcome.measure(&links, judgments, &reached);
    let against = outcome.conflicts.iter().filter(|conflict| judged.contains(&(conflict.topic, conflict.target)));
    outcome.against_own = against.count() as u64;
    outcome
}

/// Why a judgment need not be carried.
const ITSELF: &str = "in the target itself";

/// The links to targets that are not closed, and those to closed ones.
fn open(accepted: &[Fan], is_closed: impl Fn(u32) -> bool) -> (Cow<'_, [Fan]>, Vec<Fan>) {
    if !accepted.iter().flat_map(|fan| fan.targets.iter()).any(|(target, _)| is_closed(*target)) {
        return (Cow::Borrowed(accepted), Vec::new());
    }
    let only = |closed: bool| -> Vec<Fan> {
        let some = accepted.iter().map(|fan| {
            let targets = fan.targets.iter().copied().filter(|(target, _)| is_closed(*target) == closed).collect();
            Fan { targets, ..fan.clone() }
        });
        some.filter(|fan| !fan.targets.is_empty()).collect()
    };
    (Cow::Owned(only(false)), only(true))
}

/// Whether the link of the lowest rank scores below another.
fn first_is_not_best(accepted: &[Fan]) -> bool {
    let first = accepted.iter().min_by_key(|fan| fan.first().0).map(Fan::score);
    let best = accepted.iter().map(Fan::score).fold(f64::NEG_INFINITY, f64::max);
    first.is_some_and(|first| first < best)
}

impl Outcome {
    fn leave(&mut self, judgment: u32, why: &'static str) {
        *self.left_behind.entry(why).or_default() += 1;
        self.entries.push(Entry::left(judgment, why));
    }

    fn measure(&mut self, links: &Links, judgments: &Judgments, reached: &Reached) {
        let rows = judgments.rows();
        let used: HashSet<(u32, u32)> =
            self.entries.iter().filter_map(|e| Some((rows[e.judgment as usize].topic, e.link?.target))).collect();
        reached.each(|topic, target, conflict| {
            self.unused += u64::from(!used.contains(&(topic, target)));
            self.conflicts.extend(conflict.map(|judgments| Conflict { topic, target, judgments }));
        });
        let targets = |document: u32| links.of(document).0.iter().map(|fan| fan.targets.len()).sum();
        let wide = (0..judgments.documents().len() as u32).map(|document| (targets(document), document));
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

/// Links by source: accepted ones first, the best in front, and those refused.
struct Links {
    fans: Vec<Fan>,
    /// For each document where its links begin, where the refused ones begin, and where they end.
    places: HashMap<u32, (usize, usize, usize)>,
}

impl Links {
    fn new(fans: &[Fan], accept: Accept) -> Self {
        let mut fans = fans.to_vec();
        fans.sort_by(|a, b| {
            let order = a.source.cmp(&b.source).then(accept.takes(b).cmp(&accept.takes(a)));
            order.then(b.score().total_cmp(&a.score())).then(a.first().cmp(&b.first()))
        });
        let (mut places, mut start) = (HashMap::new(), 0);
        for mine in fans.chunk_by(|a, b| a.source == b.source) {
            let taken = mine.iter().take_while(|fan| accept.takes(fan)).count();
            places.insert(mine[0].source, (start, start + taken, start + mine.len()));
            start += mine.len();
        }
        Self { fans, places }
    }

    /// Accepted and refused links of a document.
    fn of(&self, document: u32) -> (&[Fan], &[Fan]) {
        match self.places.get(&document) {
            Some(&(start, middle, end)) => (&self.fans[start..middle], &self.fans[middle..end]),
            None => (&[], &[]),
        }
    }
}

#[cfg(test)]
mod tests;
