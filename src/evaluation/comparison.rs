//! How do configurations compare on one pool of pairs?
//!
//! The pool is the union of all pairs that any configuration found; the truth of a pair comes from elsewhere (labels, a
//! similarity, a file) and may be unknown. Precision is over the pairs of a configuration whose truth is known; recall is
//! over all true pairs, those that nobody found included where somebody counted them. Zelenkov and Segalovich (2007)
//! compare methods so.
//!
//! Intervals are Wilson's, as if the pairs were a random draw of such pairs. F is 2J/(1+J) with J = TP/(TP+FP+FN), a
//! proportion, so its interval is Wilson's interval of J carried over.

use serde::Serialize;

use super::intervals::wilson;
use crate::base::interval::Interval;
use crate::base::similarity::dice;

/// How sure an interval is.
const CONFIDENCE: f64 = 0.95;

/// A pair of the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolPair {
    /// Number of its source document; pairs of one source stand together.
    pub source: u32,
    /// Bit c: configuration c found it.
    pub found: u64,
    /// Whether it is a near-duplicate, if anyone knows.
    pub truth: Option<bool>,
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
    /// Its name.
    pub name: String,
    /// Its method.
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
    /// Pairs that no other configuration found, and how many of them are true.
    pub only: [u64; 2],
    /// What precision, recall and F rest on, where that is not the pool with Wilson's intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
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
    /// The pool.
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

/// A configuration as it is compared.
#[derive(Debug, Clone)]
pub struct Contender {
    /// Its name.
    pub name: String,
    /// Its method.
    pub method: String,
    /// Whether it decides the truth, and so may not take part in a combination.
    pub judge: bool,
}

/// Compares up to 64 configurations. `missed` true pairs are in no configuration's pairs.
pub fn compare(contenders: &[Contender], pairs: &[PoolPair], missed: u64) -> Comparison {
    let positive = pairs.iter().filter(|pair| pair.truth == Some(true)).count() as u64;
    let known = pairs.iter().filter(|pair| pair.truth.is_some()).count() as u64;
    let pool = Pool { pairs: pairs.len() as u64, known, positive, missed };
    let names: Vec<String> = contenders.iter().map(|contender| contender.name.clone()).collect();
    Comparison {
        configurations: contenders
            .iter()
            .enumerate()
            .map(|(c, contender)| quality(c, contender, pairs, pool))
            .collect(),
        dice: dice_matrix(contenders.len(), pairs),
        coverage: coverage(contenders, pairs, pool),
        names,
        pool,
    }
}

fn quality(c: usize, contender: &Contender, pairs: &[PoolPair], pool: Pool) -> Quality {
    let mine = || pairs.iter().filter(move |pair| pair.found >> c & 1 == 1);
    let positive = mine().filter(|pair| pair.truth == Some(true)).count() as u64;
    let known = mine().filter(|pair| pair.truth.is_some()).count() as u64;
    let alone = || mine().filter(move |pair| pair.found == 1 << c);
    let mut sources: Vec<u32> = mine().map(|pair| pair.source).collect();
    sources.dedup();
    let all = pool.positive + pool.missed;
    let shared = wilson(positive, known + all - positive, CONFIDENCE);
    Quality {
        name: contender.name.clone(),
        method: contender.method.clone(),
        pairs: mine().count() as u64,
        sources_found: sources.len() as u64,
        known,
        positive,
        precision: wilson(positive, known, CONFIDENCE),
        recall: wilson(positive, all, CONFIDENCE),
        f1: shared.and_then(|j| Interval::new(f1(j.value), f1(j.low), f1(j.high))),
        only: [alone().count() as u64, alone().filter(|pair| pair.truth == Some(true)).count() as u64],
        basis: None,
    }
}

/// F of a Jaccard between what was found and what is true.
fn f1(jaccard: f64) -> f64 {
    2.0 * jaccard / (1.0 + jaccard)
}

fn dice_matrix(count: usize, pairs: &[PoolPair]) -> Vec<Vec<f64>> {
    let mut common = vec![vec![0u32; count]; count];
    for pair in pairs {
        for a in (0..count).filter(|a| pair.found >> a & 1 == 1) {
            for b in (0..count).filter(|b| pair.found >> b & 1 == 1) {
                common[a][b] += 1;
            }
        }
    }
    let of = |a: usize, b: usize| dice(common[a][b], common[a][a], common[b][b]);
    (0..count).map(|a| (0..count).map(|b| of(a, b)).collect()).collect()
}

/// Adds configurations to a union, each time the one with the most true pairs that are not yet in it; of equal ones the
/// one with the fewest false pairs, then the first. Ends when none adds a true pair.
fn coverage(contenders: &[Contender], pairs: &[PoolPair], pool: Pool) -> Vec<Step> {
    let mut union = 0u64;
    let mut steps = Vec::new();
    let share = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let count = |found: u64, truth: bool| {
        pairs.iter().filter(|pair| pair.found & found != 0 && pair.truth == Some(truth)).count() as u64
    };
    loop {
        let before = count(union, true);
        let left = (0..contenders.len()).filter(|&c| union >> c & 1 == 0 && !contenders[c].judge);
        let best = left
            .map(|c| (count(union | 1 << c, true), count(union | 1 << c, false), c))
            .max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then(b.2.cmp(&a.2)));
        match best {
            Some((positive, negative, c)) if positive > before => {
                union |= 1 << c;
                steps.push(Step {
                    name: contenders[c].name.clone(),
                    recall: share(positive, pool.positive + pool.missed),
                    precision: share(positive, positive + negative),
                });
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

    fn pair(source: u32, found: u64, truth: impl Into<Option<bool>>) -> PoolPair {
        PoolPair { source, found, truth: truth.into() }
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
        let comparison = compare(&contenders(&["a", "b"]), &pairs, 1);
        assert_eq!(comparison.pool, Pool { pairs: 6, known: 5, positive: 4, missed: 1 });
        let [a, b] = &comparison.configurations[..] else { panic!("two configurations") };
        assert_eq!((a.pairs, a.sources_found, a.known, a.positive, a.only), (3, 2, 3, 2, [2, 1]));
        assert_eq!((b.pairs, b.sources_found, b.known, b.positive, b.only), (3, 3, 2, 2, [2, 1]));
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
        let comparison = compare(&contenders(&["a"]), &[pair(0, 1, None)], 0);
        let only = &comparison.configurations[0];
        assert_eq!((only.precision, only.recall, only.f1), (None, None, None));
        assert!(comparison.coverage.is_empty());
    }
}
