//! Are two configurations different on the same labels?
//!
//! McNemar's exact test asks on which labelled pairs only one of the two was right (found a true pair, or left a false one).
//! The differences of precision and recall are weighted as the design says; their intervals come from drawing the
//! labels again within strata, both configurations on the same draw.

use serde::Serialize;

use super::frame::{Frame, Unsure};
use crate::base::interval::Interval;
use crate::base::random::{Bootstrap, Random};
use crate::evaluation::distributions::binomial;

/// Two configurations on the same labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paired {
    /// The one.
    pub a: String,
    /// The other.
    pub b: String,
    /// Labelled pairs on which only the first is right.
    pub only_a_right: u64,
    /// Labelled pairs on which only the second is right.
    pub only_b_right: u64,
    /// McNemar's exact test, two-sided.
    pub p_value: f64,
    /// Precision of the first less that of the second.
    pub precision: Option<Interval>,
    /// Recall within the pool (and the audit, if there is one) of the first less that of the second.
    pub recall: Option<Interval>,
}

/// The two-sided probability of a split as uneven as this, when both sides are equally probable.
pub fn mcnemar(one: u64, other: u64) -> f64 {
    let (n, least) = (one + other, one.min(other));
    let tail: f64 = (0..=least).map(|x| binomial(x as f64, n as f64, 0.5)).sum();
    (2.0 * tail).min(1.0)
}

/// A label: bits of the two, truth, weight.
type Labelled = ([bool; 2], bool, f64);

impl Paired {
    /// Compares configurations a and b of a sample. `None` without labels.
    pub fn new(frame: &Frame, [a, b]: [usize; 2], unsure: Unsure, bootstrap: &Bootstrap) -> Option<Self> {
        let mut strata: Vec<Vec<Labelled>> = vec![Vec::new(); frame.strata.len()];
        for (drawn, truth, weight) in frame.weights(unsure) {
            strata[drawn.stratum].push(([a, b].map(|c| drawn.found >> c & 1 == 1), truth, weight));
        }
        let all = strata.concat();
        if all.is_empty() {
            return None;
        }
        let right = |which: usize| {
            let only = |(found, truth, _): &&Labelled| found[which] == *truth && found[1 - which] != *truth;
            all.iter().filter(only).count() as u64
        };
        let replicates: Vec<Vec<Labelled>> = bootstrap.replicates(|random| resample(&strata, random));
        let interval = |of: &dyn Fn(&[Labelled]) -> Option<f64>| {
            bootstrap.interval(of(&all)?, replicates.iter().map(|labels| of(labels)))
        };
        Some(Self {
            a: frame.configurations[a].clone(),
            b: frame.configurations[b].clone(),
            only_a_right: right(0),
            only_b_right: right(1),
            p_value: mcnemar(right(0), right(1)),
            precision: interval(&|labels| Some(precision(labels, 0)? - precision(labels, 1)?)),
            recall: interval(&|labels| Some(recall(labels, 0)? - recall(labels, 1)?)),
        })
    }
}

fn sum(labels: &[Labelled], of: impl Fn(&[bool; 2], bool) -> bool) -> f64 {
    labels.iter().filter(|(found, truth, _)| of(found, *truth)).map(|label| label.2).sum()
}

fn precision(labels: &[Labelled], which: usize) -> Option<f64> {
    let found = sum(labels, |found, _| found[which]);
    (found > 0.0).then(|| sum(labels, |found, truth| found[which] && truth) / found)
}

fn recall(labels: &[Labelled], which: usize) -> Option<f64> {
    let truths = sum(labels, |_, truth| truth);
    (truths > 0.0).then(|| sum(labels, |found, truth| found[which] && truth) / truths)
}

fn resample(strata: &[Vec<Labelled>], random: &mut Random) -> Vec<Labelled> {
    let mut drawn = Vec::with_capacity(strata.iter().map(Vec::len).sum());
    for stratum in strata {
        drawn.extend((0..stratum.len()).map(|_| stratum[random.below(stratum.len() as u64) as usize]));
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_test_by_hand() {
        assert!((mcnemar(0, 5) - 2.0 / 32.0).abs() < 1e-12);
        assert!((mcnemar(1, 8) - 2.0 * 10.0 / 512.0).abs() < 1e-12);
        assert_eq!((mcnemar(3, 3), mcnemar(0, 0)), (1.0, 1.0));
        assert_eq!(mcnemar(8, 1), mcnemar(1, 8));
    }
}
