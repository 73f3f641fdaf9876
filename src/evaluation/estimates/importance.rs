//! What may the share of true pairs be, when every labelled pair was drawn with a probability π of its own?
//!
//! The estimate is Hájek's, Σ y/π by Σ 1/π. Pairs are drawn independently of one another, or as good as that (see
//! [`crate::sample::PriorityDrawer`]), so the variance of its linear part is Σ (1−π)·((y−p)/π)² / (Σ 1/π)², without
//! terms for two (Särndal, Swensson & Wretman, Model Assisted Survey Sampling 1992, 3.5 and 5.7). It stands for the *effective*
//! size: that of the simple random sample with the same variance. The interval is Clopper and Pearson's at this size (Korn &
//! Graubard, Survey Methodology 1998), made smaller for a variance that rests on few labels.
//!
//! It is never larger than the weights alone allow (Kish, Survey Sampling 1965). Labels that are all alike have no variance;
//! then it is at most that of labels of which each weighs as much as the heaviest, for the pair that nobody saw may be one of
//! those.

use crate::distributions::{deviations, student_deviations};
use crate::intervals::clopper_pearson_effective;
use dejaview_base::interval::Interval;

/// A share estimated from pairs with probabilities of their own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The estimate with its interval.
    pub interval: Interval,
    /// Size of the simple random sample that would be as sure; infinite when every pair was certain to be drawn.
    pub effective: f64,
}

/// The share of true pairs, from labels with the probabilities their pairs were drawn with. `None` without labels.
pub fn by_importance(labels: &[(f64, bool)], confidence: f64) -> Option<Share> {
    let (n, all) = (labels.len() as f64, labels.iter().map(|(p, _)| 1.0 / p).sum::<f64>());
    if labels.is_empty() || !all.is_finite() {
        return None;
    }
    let value = (labels.iter().filter(|label| label.1).map(|(p, _)| 1.0 / p).sum::<f64>() / all).clamp(0.0, 1.0);
    let open = |(p, _): &(f64, bool)| (1.0 - p).max(0.0) / (p * p);
    let residual = |label: &(f64, bool)| open(label) * (f64::from(u8::from(label.1)) - value).powi(2);
    let variance = labels.iter().map(residual).sum::<f64>() * n / (n - 1.0).max(1.0) / (all * all);
    let spread = value * (1.0 - value);
    let kish = all * all / labels.iter().map(open).sum::<f64>();
    let effective = kish.min(if variance > 0.0 { spread / variance } else { heaviest(labels, all) });
    let shrunk = if n < 2.0 { 1.0 } else { deviations(confidence) / student_deviations(confidence, n - 1.0) };
    let interval = if effective.is_infinite() {
        Interval::new(value, value, value)
    } else {
        clopper_pearson_effective(value, effective * shrunk * shrunk, confidence)
    };
    Some(Share { interval: interval?, effective })
}

/// Labels as heavy as the heaviest that would make up the whole, those that were certain left out: they leave nothing open.
fn heaviest(labels: &[(f64, bool)], all: f64) -> f64 {
    let weights = labels.iter().filter(|(p, _)| *p < 1.0).map(|(p, _)| 1.0 / p);
    all / weights.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::clopper_pearson;
    use crate::sample::{Candidate, PriorityDrawer, rank};

    /// Parts of a population: pairs, their size, how many of them are true.
    type Part = (u64, f64, u64);

    /// Draws once and estimates.
    fn drawn(parts: &[Part], size: usize, seed: u64) -> Share {
        let mut drawer = PriorityDrawer::new(size, 1);
        for (k, (pairs, x, truths)) in parts.iter().enumerate() {
            for i in 0..*pairs {
                let (source, target) = (k.to_string(), i.to_string());
                let found = u64::from(i < *truths);
                let rank = rank(seed, &source, &target);
                drawer.offer(*x, Candidate { rank, source: &source, target: &target, found, document_pairs: 1 });
            }
        }
        let labels: Vec<(f64, bool)> =
            drawer.finish().1.into_iter().map(|(pair, found)| (pair.probability, found == 1)).collect();
        by_importance(&labels, 0.95).unwrap()
    }

    #[test]
    fn equal_probabilities_are_a_simple_sample() {
        let labels: Vec<(f64, bool)> = (0..100).map(|i| (1e-6, i < 95)).collect();
        let (ours, theirs) = (by_importance(&labels, 0.95).unwrap(), clopper_pearson(95, 100, 0.95).unwrap());
        assert!((ours.interval.low - theirs.low).abs() < 0.005 && (ours.interval.high - theirs.high).abs() < 0.005);
        assert!((ours.effective - 99.0).abs() < 1e-3, "{}", ours.effective);
        let alike = by_importance(&[(0.01, true); 50], 0.95).unwrap();
        assert!(alike.interval.high == 1.0 && alike.interval.low < 0.93, "{alike:?}");
        assert_eq!(by_importance(&[], 0.95), None);
    }

    #[test]
    fn what_was_certain_leaves_nothing_to_chance() {
        let all = by_importance(&[(1.0, true), (1.0, false), (1.0, true), (1.0, true)], 0.95).unwrap();
        assert_eq!((all.interval.low, all.interval.value, all.interval.high), (0.75, 0.75, 0.75));
    }

    /// Few true ones among many; pure parts; all true; false ones where pairs are drawn least, and most.
    const POPULATIONS: [&[Part]; 7] = [
        &[(1_800, 0.25, 20), (150, 0.5, 40), (50, 1.0, 48)],
        &[(300, 0.3, 0), (200, 0.6, 100), (100, 1.0, 100)],
        &[(400, 0.25, 400), (400, 1.0, 400)],
        &[(200, 0.25, 170), (400, 1.0, 400)],
        &[(200, 0.25, 0), (400, 1.0, 380)],
        &[(2_000, 0.25, 0), (200, 0.8, 6)],
        &[(500, 0.25, 495), (500, 0.5, 500), (100, 1.0, 100)],
    ];

    #[test]
    fn it_is_unbiased_and_covers_pure_parts_included() {
        const DRAWS: u64 = 400;
        for (place, parts) in POPULATIONS.iter().enumerate() {
            let (all, truths) = parts.iter().fold((0, 0), |(all, truths), (pairs, _, yes)| (all + pairs, truths + yes));
            let truth = truths as f64 / all as f64;
            for size in [40, 100] {
                let (mut covered, mut sum, mut square) = (0, 0.0, 0.0);
                for seed in 0..DRAWS {
                    let Interval { value, low, high } = drawn(parts, size, seed).interval;
                    covered += u64::from(low - 1e-9 <= truth && truth <= high + 1e-9);
                    sum += value;
                    square += value * value;
                }
                let (mean, coverage) = (sum / DRAWS as f64, covered as f64 / DRAWS as f64);
                let spread = (square / DRAWS as f64 - mean * mean).max(0.0).sqrt();
                // A ratio leans by a part of its spread, at most the relative spread of what it is divided by (Cochran,
                // Sampling Techniques 1977, 6.8).
                let most = (0.2 + 4.0 / (DRAWS as f64).sqrt()) * spread + 1e-9;
                assert!((mean - truth).abs() <= most, "population {place}, size {size}: {mean} for {truth}");
                // Two standard deviations of the simulation below 0.95.
                assert!(coverage >= 0.928, "population {place}, size {size}: covers {coverage}");
            }
        }
    }
}
