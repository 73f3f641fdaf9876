//! Which judgments can be carried over to the target, to which documents, and what is lost or in doubt on the way?
//!
//! A judgment is carried along *links*: pairs of its document that are accepted. The [`Policy`] chooses among several. What
//! becomes of every judgment stands in the ledger, one [`LedgerEntry`] for each judgment and target, or one for a judgment that is
//! left behind. Several judgments may meet at one target of one topic; the line of the new qrels then has one grade:
//! with [`Policy::Vote`] the one most judged documents have, else the one of the best link; every other is *overruled* and says so.
//! Costs one sort of the links and one of the entries.
//!
//! Where a judged document stands in the target itself, its judgments hold there: they are lines of the new qrels, and nothing
//! is carried onto it for a topic that it is judged for.

mod ledger;
mod links;
mod outcome;
mod policy;
mod reached;
mod settle;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use dejaview_corpus::qrels::{Judgment, Judgments};

pub use ledger::{LedgerEntry, Status};
pub use links::{Fan, Labelled, Link};
pub use outcome::{Carried, Conflict, FanOut, Outcome};
pub use policy::{Accept, Measure, NoAccept, Policy};
use reached::Reached;

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
        let (accepted, refused) = links.links_of(row.document);
        let judged_as = (row.document, judgments.first_of_same(row.grade));
        for fan in accepted {
            reached.add(row.topic, &fan.targets, judged_as);
        }
        let own = own.get(&row.document).copied();
        if let Some(target) = own {
            reached.add(row.topic, &[(target, 0)].into(), judged_as);
            outcome.entries.push(LedgerEntry::own(number, row.document, target));
        }
        let (open, closed) = open(accepted, |target| judged.contains(&(row.topic, target)));
        outcome.first_not_best += u64::from(first_is_not_best(&open));
        outcome.entries.extend(policy.choose(&closed).into_iter().map(|link| LedgerEntry::judged(number, link)));
        match &policy.choose(&open)[..] {
            [] if !closed.is_empty() => *outcome.left_behind.entry(ledger::JUDGED).or_default() += 1,
            [] if own.is_some() => *outcome.left_behind.entry(ITSELF).or_default() += 1,
            [] => outcome.leave(number, accept.why_left(refused)),
            chosen => {
                outcome.transferred += 1;
                outcome.entries.extend(chosen.iter().map(|link| LedgerEntry::carried(number, *link)));
            }
        }
    }
    settle::settle(judgments, &mut outcome, policy);
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
        self.entries.push(LedgerEntry::left(judgment, why));
    }

    fn measure(&mut self, links: &Links, judgments: &Judgments, reached: &Reached) {
        let rows = judgments.rows();
        let used: HashSet<(u32, u32)> =
            self.entries.iter().filter_map(|e| Some((rows[e.judgment as usize].topic, e.link?.target))).collect();
        reached.each(|topic, target, conflict| {
            self.unused += u64::from(!used.contains(&(topic, target)));
            self.conflicts.extend(conflict.map(|judgments| Conflict { topic, target, judgments }));
        });
        let targets = |document: u32| links.links_of(document).0.iter().map(|fan| fan.targets.len()).sum();
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
            let order = a.source.cmp(&b.source).then(accept.accepts(b).cmp(&accept.accepts(a)));
            order.then(b.score().total_cmp(&a.score())).then(a.first().cmp(&b.first()))
        });
        let (mut places, mut start) = (HashMap::new(), 0);
        for mine in fans.chunk_by(|a, b| a.source == b.source) {
            let taken = mine.iter().take_while(|fan| accept.accepts(fan)).count();
            places.insert(mine[0].source, (start, start + taken, start + mine.len()));
            start += mine.len();
        }
        Self { fans, places }
    }

    /// Accepted and refused links of a document.
    fn links_of(&self, document: u32) -> (&[Fan], &[Fan]) {
        match self.places.get(&document) {
            Some(&(start, middle, end)) => (&self.fans[start..middle], &self.fans[middle..end]),
            None => (&[], &[]),
        }
    }
}

#[cfg(test)]
mod tests;
