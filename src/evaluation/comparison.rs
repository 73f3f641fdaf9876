//! How do configurations compare on one pool of pairs?
//!
//! The pool is the union of all pairs that any configuration found; the truth of a pair comes from elsewhere (labels, a
//! similarity, a file) and may be unknown. Precision is over the pairs of a configuration whose truth is known; recall is
//! over all true pairs, those that nobody found included where somebody counted them. Zelenkov and Segalovich (2007)
//! compare methods so.
//!
//! Intervals are for source documents like these: pairs of one document are alike, so documents are taken for the draw
//! (`ratio_of_linked_clusters`). A pair of two documents of one collection is one of both. F is the ratio of twice the true
//! pairs found to all found and all true.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::clusters::ratio_of_linked_clusters;
use dejaview_base::interval::Interval;
use dejaview_base::similarity::dice;

/// How sure an interval is.
const CONFIDENCE: f64 = 0.95;

/// Pairs of the pool of which the same is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolPairs {
    /// Number of the kind of source documents that each have them.
    pub kind: u32,
    /// How many each of these documents has.
    pub each: u64,
    /// Bit c: configuration c found them. None is set for pairs that nobody found and that are known from elsewhere.
    pub found: u64,
    /// Whether they are near-duplicates, if anyone knows.
    pub truth: Option<bool>,
}

/// All pairs that are compared.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// In any order.
    pub pairs: Vec<PoolPairs>,
    /// For each kind of source documents their numbers, ascending. A document may be of several kinds: of one by what was
    /// found, of others by what is known from elsewhere.
    pub kinds: Vec<Vec<u32>>,
    /// Document pairs whose targets stand on both sides: the number in `pairs` of what is known of each, and the target's
    /// number among source documents.
    pub of_both: Vec<(u32, u32)>,
}

impl Pairs {
    /// How many document pairs of those are such.
    fn count(&self, is: impl Fn(&PoolPairs) -> bool) -> u64 {
        self.pairs.iter().filter(|pairs| is(pairs)).map(|pairs| self.number(pairs)).sum()
    }

    /// Document pairs that these are.
    fn number(&self, pairs: &PoolPairs) -> u64 {
        pairs.each * self.kinds[pairs.kind as usize].len() as u64
    }

    /// Source documents of the pairs that are such.
    fn sources(&self, is: impl Fn(&PoolPairs) -> bool) -> u64 {
        let mut kinds: Vec<u32> = self.pairs.iter().filter(|pairs| is(pairs)).map(|pairs| pairs.kind).collect();
        kinds.dedup();
        let mut sources: Vec<u32> = kinds.iter().flat_map(|kind| &self.kinds[*kind as usize]).copied().collect();
        sources.sort_unstable();
        sources.dedup();
        sources.len() as u64
    }
}

/// What the pool holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Pool {
    /// Different pairs that any configuration found.
    pub pairs: u64,
    /// Those whose truth is known.
    pub known: u64,
    /// Those that are true.
    #[serde(rename = "true")]
    pub positive: u64,
    /// True pairs that no configuration found, where somebody counted them.
    pub missed: u64,
}

/// How good one configuration is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quality {
    pub name: String,
    pub method: String,
    /// Pairs that it found.
    pub pairs: u64,
    /// Different source documents in them.
    pub sources_found: u64,
    /// Pairs whose truth is known.
    pub known: u64,
    /// Pairs that are true.
    #[serde(rename = "true")]
    pub positive: u64,
    /// True among those known.
    pub precision: Option<Interval>,
    /// Found among all true ones.
    pub recall: Option<Interval>,
    /// Harmonic mean of both.
    pub f1: Option<Interval>,
    /// Pairs that no other configuration found.
    pub only: u64,
    /// How many of them are true: counted where the truth of all pairs is known, else estimated.
    pub only_true: Option<Interval>,
    /// What precision, recall and F rest on, where that is not the pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
    /// The samples among that, in short: `first`, or `first+second` for both together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<String>,
}

/// A step of a combination: what is found when one more configuration is asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// The configuration that is added.
    pub name: String,
    /// Share of all true pairs that the union finds.
    pub recall: f64,
    /// Share of true pairs in the union, over those whose truth is known.
    pub precision: f64,
}

/// All configurations on one pool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The pool; serialised as the number of its pairs.
    #[serde(serialize_with = "number_of_pairs")]
    pub pool: Pool,
    /// In the order of the study.
    pub configurations: Vec<Quality>,
    /// Names of the rows and columns of `dice`.
    pub names: Vec<String>,
    /// Dice of the sets of pairs of two configurations.
    pub dice: Vec<Vec<f64>>,
    /// Configurations in the order in which each adds most true pairs to the union of those before.
    pub coverage: Vec<Step>,
}

fn number_of_pairs<S: Serializer>(pool: &Pool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(pool.pairs)
}

/// A configuration as it is compared.
#[derive(Debug, Clone)]
pub struct Contender {
    pub name: String,
    pub method: String,
    /// Whether it decides the truth, and so may not take part in a combination.
    pub judge: bool,
}

/// Compares up to 64 configurations on pairs that they found, and on true ones that none did.
pub fn compare(contenders: &[Contender], pairs: &Pairs) -> Comparison {
    let pool = Pool {
        pairs: pairs.count(|pair| pair.found != 0),
        known: pairs.count(|pair| pair.found != 0 && pair.truth.is_some()),
        positive: pairs.count(|pair| pair.found != 0 && pair.truth == Some(true)),
        missed: pairs.count(|pair| pair.found == 0 && pair.truth == Some(true)),
    };
    let names: Vec<String> = contenders.iter().map(|contender| contender.name.clone()).collect();
    Comparison {
        configurations: contenders.iter().enumerate().map(|(c, contender)| quality(c, contender, pairs)).collect(),
        dice: dice_matrix(contenders.len(), pairs),
        coverage: unions(contenders, counted(pairs)),
        names,
        pool,
    }
}

/// What one document, or one pair, adds to the numbers of a configuration.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    /// Pairs found whose truth is known.
    known: u64,
    positive: u64,
    /// True pairs, found or not.
    truths: u64,
}

impl Counts {
    /// Of so many pairs of which the same is known, for configuration `c`.
    fn of(c: usize, pairs: &PoolPairs, number: u64) -> Self {
        let (mine, truth) = (pairs.found >> c & 1 == 1, pairs.truth == Some(true));
        let counted = |counts: bool| u64::from(counts) * number;
        Self { known: counted(mine && pairs.truth.is_some()), positive: counted(mine && truth), truths: counted(truth) }
    }

    fn add(&mut self, other: Self) {
        self.known += other.known;
        self.positive += other.positive;
        self.truths += other.truths;
    }
}

/// What each document adds, and what those pairs add each that stand with two documents.
fn by_document(c: usize, pairs: &Pairs) -> (Vec<Counts>, Vec<Counts>) {
    let mut kinds = vec![Counts::default(); pairs.kinds.len()];
    for pair in &pairs.pairs {
        kinds[pair.kind as usize].add(Counts::of(c, pair, pair.each));
    }
    let targets = pairs.of_both.iter().map(|(_, target)| target);
    let documents = pairs.kinds.iter().flatten().chain(targets).map(|document| *document as usize + 1).max();
    let mut all = vec![Counts::default(); documents.unwrap_or(0)];
    for (members, kind) in pairs.kinds.iter().zip(kinds) {
        members.iter().for_each(|source| all[*source as usize].add(kind));
    }
    let mut twice = Vec::with_capacity(pairs.of_both.len());
    for (pair, target) in &pairs.of_both {
        let counts = Counts::of(c, &pairs.pairs[*pair as usize], 1);
        all[*target as usize].add(counts);
        twice.push(counts);
    }
    (all, twice)
}

fn quality(c: usize, contender: &Contender, pairs: &Pairs) -> Quality {
    let mine = |pair: &PoolPairs| pair.found >> c & 1 == 1;
    let alone = |pair: &PoolPairs| pair.found == 1 << c;
    let alone_true = pairs.count(|pair| alone(pair) && pair.truth == Some(true)) as f64;
    let all_known = pairs.pairs.iter().filter(|pair| alone(pair)).all(|pair| pair.truth.is_some());
    let (documents, twice) = by_document(c, pairs);
    let ratio = |of: fn(&Counts) -> (u64, u64)| {
        let [clusters, twice] =
            [&documents, &twice].map(|counts| counts.iter().map(of).map(|(part, whole)| (part as f64, whole as f64)));
        ratio_of_linked_clusters(clusters, twice, CONFIDENCE)
    };
    Quality {
        name: contender.name.clone(),
        method: contender.method.clone(),
        pairs: pairs.count(mine),
        sources_found: pairs.sources(mine),
        known: pairs.count(|pair| mine(pair) && pair.truth.is_some()),
        positive: pairs.count(|pair| mine(pair) && pair.truth == Some(true)),
        precision: ratio(|of| (of.positive, of.known)),
        recall: ratio(|of| (of.positive, of.truths)),
        f1: ratio(|of| (2 * of.positive, of.known + of.truths)),
        only: pairs.count(alone),
        only_true: Interval::new(alone_true, alone_true, alone_true).filter(|_| all_known),
        basis: None,
        samples: None,
    }
}

fn dice_matrix(count: usize, pairs: &Pairs) -> Vec<Vec<f64>> {
    let mut common = vec![vec![0u64; count]; count];
    for pair in &pairs.pairs {
        let number = pairs.number(pair);
        for a in (0..count).filter(|a| pair.found >> a & 1 == 1) {
            for b in (0..count).filter(|b| pair.found >> b & 1 == 1) {
                common[a][b] += number;
            }
        }
    }
    let of = |a: usize, b: usize| dice(common[a][b], common[a][a], common[b][b]);
    (0..count).map(|a| (0..count).map(|b| of(a, b)).collect()).collect()
}

/// What the union of some configurations is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// Share of all true pairs that it finds.
    pub recall: f64,
    /// Share of true pairs in it.
    pub precision: f64,
}

/// What unions are worth on pairs of known truth.
fn counted(pairs: &Pairs) -> impl Fn(u64) -> Option<Worth> + use<> {
    // Pairs are many, the sets of configurations that found them few.
    let mut counts: BTreeMap<u64, [u64; 2]> = BTreeMap::new();
    for of in &pairs.pairs {
        if let Some(truth) = of.truth {
            counts.entry(of.found).or_default()[usize::from(truth)] += pairs.number(of);
        }
    }
    let all: u64 = counts.values().map(|count| count[1]).sum();
    let share = |part: u64, whole: u64| if whole > 0 { part as f64 / whole as f64 } else { 0.0 };
    move |union| {
        let inside = counts.iter().filter(|(found, _)| **found & union != 0);
        let [no, yes] = inside.fold([0, 0], |sum, (_, count)| [sum[0] + count[0], sum[1] + count[1]]);
        Some(Worth { recall: share(yes, all), precision: share(yes, yes + no) })
    }
}

/// Adds configurations to a union, each time the one that raises recall most; of equal ones the one with the highest
/// precision, then the first. Ends when none raises it. What a union is worth is asked for by the bits of its configurations.
pub fn unions(contenders: &[Contender], worth: impl Fn(u64) -> Option<Worth>) -> Vec<Step> {
    let (mut union, mut before) = (0u64, 0.0);
    let mut steps = Vec::new();
    loop {
        let left = (0..contenders.len()).filter(|&c| union >> c & 1 == 0 && !contenders[c].judge);
        let best = left.filter_map(|c| Some((worth(union | 1 << c)?, c))).max_by(|(a, c), (b, d)| {
            a.recall.total_cmp(&b.recall).then(a.precision.total_cmp(&b.precision)).then(d.cmp(c))
        });
        match best {
            Some((Worth { recall, precision }, c)) if recall > before => {
                union |= 1 << c;
                before = recall;
                steps.push(Step { name: contenders[c].name.clone(), recall, precision });
            }
            _ => return steps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contenders(names: &[&str]) -> Vec<Contender> {
        let contender = |name: &&str| Contender { name: (*name).to_owned(), method: "m".to_owned(), judge: false };
        names.iter().map(contender).collect()
    }

    fn pair(kind: u32, found: u64, truth: impl Into<Option<bool>>) -> PoolPairs {
        PoolPairs { kind, each: 1, found, truth: truth.into() }
    }

    /// Each source document is a kind of its own.
    fn pool(pairs: &[PoolPairs]) -> Pairs {
        let last = pairs.iter().map(|pair| pair.kind).max().unwrap_or_default();
        Pairs { pairs: pairs.to_vec(), kinds: (0..=last).map(|source| vec![source]).collect(), of_both: Vec::new() }
    }

    #[test]
    fn counts_by_hand() {
        let pairs = [
            pair(0, 0b01, true),
            pair(0, 0b11, true),
            pair(1, 0b01, false),
            pair(1, 0b10, None),
            pair(2, 0b10, true),
            pair(3, 0b00, true),
        ];
        let pairs = [pairs.to_vec(), vec![pair(4, 0b00, true)]].concat();
        let comparison = compare(&contenders(&["a", "b"]), &pool(&pairs));
        assert_eq!(comparison.pool, Pool { pairs: 5, known: 4, positive: 3, missed: 2 });
        let [a, b] = &comparison.configurations[..] else { panic!("two configurations") };
        assert_eq!((a.pairs, a.sources_found, a.known, a.positive, a.only), (3, 2, 3, 2, 2));
        assert_eq!((b.pairs, b.sources_found, b.known, b.positive, b.only), (3, 3, 2, 2, 2));
        assert_eq!((a.only_true, b.only_true), (Interval::new(1.0, 1.0, 1.0), None), "of one the truth is not known");
        let value = |interval: Option<Interval>| interval.unwrap().value;
        assert!((value(a.precision) - 2.0 / 3.0).abs() < 1e-12);
        assert!((value(a.recall) - 0.4).abs() < 1e-12);
        assert!((value(a.f1) - 0.5).abs() < 1e-12, "2·P·R/(P+R)");
        assert!((comparison.dice[0][1] - 1.0 / 3.0).abs() < 1e-12);
        assert!((comparison.dice[0][0] - 1.0).abs() < 1e-12);
        let steps: Vec<(&str, f64)> = comparison.coverage.iter().map(|s| (s.name.as_str(), s.recall)).collect();
        assert_eq!(steps, [("b", 0.4), ("a", 0.6)], "of equal ones the one with fewer false pairs");
    }

    #[test]
    fn nothing_known_is_no_estimate() {
        let comparison = compare(&contenders(&["a"]), &pool(&[pair(0, 1, None)]));
        let only = &comparison.configurations[0];
        assert_eq!((only.precision, only.recall, only.f1), (None, None, None));
        assert!(comparison.coverage.is_empty());
    }
    #[test]
    fn kinds_of_documents_count_as_many_times_as_there_are_documents() {
        // Documents 0 and 2 have three true and two false pairs each; document 1 has one that nobody knows of.
        let kinds = vec![vec![0, 2], vec![1]];
        let some = |kind, each, found, truth| PoolPairs { kind, each, found, truth };
        let bundled = [some(0, 3, 0b11, Some(true)), some(0, 2, 0b01, Some(false)), some(1, 1, 0b10, None)];
        let single: Vec<PoolPairs> = [0, 2]
            .iter()
            .flat_map(|source| [vec![pair(*source, 0b11, true); 3], vec![pair(*source, 0b01, false); 2]].concat())
            .chain([pair(1, 0b10, None)])
            .collect();
        let names = contenders(&["a", "b"]);
        assert_eq!(
            compare(&names, &Pairs { pairs: bundled.to_vec(), kinds, of_both: Vec::new() }),
            compare(&names, &pool(&single))
        );
    }
}
