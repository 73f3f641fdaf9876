//! How many source documents would be found if more segments were read?
//!
//! Two answers, side by side. [`linear`] is the study's: a straight line through the accumulated counts. The curve bends,
//! since a document is found only once however often it stands in the target, so the line promises too much. [`saturating`]
//! is ours: the accumulated count is what ecologists call a species accumulation curve, with segments for samples and
//! documents for species, and its continuation is known (Chao 1987; Colwell et al., *Models and estimators linking
//! individual-based and sample-based rarefaction, extrapolation and comparison of assemblages*, 2012, equations 18 and
//! 19): with Q1 and Q2 documents seen in exactly one and two of T segments,
//!
//! Q0 = (T−1)/T · Q1²/(2·Q2), and found after t more = found + Q0·(1 − (1 − Q1/(T·Q0 + Q1))^t).
//!
//! It takes the segments for random parts of the target; where they are ordered by time or host, it can miss on either
//! side. Q0 is a lower bound when some documents are rarer than others, so far beyond twice what was read the estimate
//! is too low rather than too high.

use serde::Serialize;

use crate::base::interval::Interval;
use crate::evaluation::distributions::{deviations, inverse_beta};

/// How sure the intervals are.
const CONFIDENCE: f64 = 0.95;

/// What is expected after so many segments.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Forecast {
    /// Segments, those that were read included.
    pub segments: usize,
    /// Source documents found.
    pub value: f64,
    /// The same with its 95 % interval; none where there are too few segments to say.
    pub interval: Option<Interval>,
}

/// The straight line through the accumulated counts (least squares), at `segments`. Its interval is that of a prediction by
/// regression and takes the points for independent, which accumulated counts are not. None with fewer than 2 points; no
/// interval with fewer than 3.
pub fn linear(accumulated: &[u64], segments: usize) -> Option<Forecast> {
    let n = accumulated.len();
    if n < 2 {
        return None;
    }
    let points = || accumulated.iter().enumerate().map(|(i, &y)| ((i + 1) as f64, y as f64));
    let (count, at) = (n as f64, segments as f64);
    let mean_x = points().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points().map(|(_, y)| y).sum::<f64>() / count;
    let square: f64 = points().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let slope = points().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / square;
    let line = |x: f64| mean_y + slope * (x - mean_x);
    let value = line(at);
    let interval = (n > 2).then(|| {
        let left = points().map(|(x, y)| (y - line(x)).powi(2)).sum::<f64>() / (count - 2.0);
        let error = (left * (1.0 + 1.0 / count + (at - mean_x).powi(2) / square)).sqrt();
        let reach = student(CONFIDENCE, count - 2.0) * error;
        Interval::new(value, (value - reach).max(0.0), value + reach)
    });
    Some(Forecast { segments, value, interval: interval.flatten() })
}

/// The accumulated count carried on as a species accumulation curve. `recurring[k−1]` documents have pairs in exactly k of
/// the `recurring.len()` segments read; there are `documents` in the source, which no estimate exceeds. None with fewer
/// than 2 segments. The interval is normal, its variance by the delta method on the multinomial counts, as in the paper.
pub fn saturating(recurring: &[u64], segments: usize, documents: u64) -> Option<Forecast> {
    let read = recurring.len();
    if read < 2 {
        return None;
    }
    let classes: Vec<f64> = recurring.iter().map(|&n| n as f64).collect();
    let found: f64 = classes.iter().sum();
    let more = segments.saturating_sub(read) as f64;
    let unseen = |q1: f64, q2: f64| unseen(q1, q2, read as f64);
    let carried = |q1: f64, q2: f64| {
        let q0 = unseen(q1, q2);
        let rate = q1 / (read as f64 * q0 + q1);
        if q0 > 0.0 { q0 * (1.0 - (1.0 - rate).powf(more)) } else { 0.0 }
    };
    let (q1, q2) = (classes[0], classes[1]);
    let most = documents as f64;
    let value = (found + carried(q1, q2)).min(most.max(found));
    let slopes: Vec<f64> = (0..read)
        .map(|k| match k {
            0 => 1.0 + slope(|q| carried(q, q2), q1),
            1 => 1.0 + slope(|q| carried(q1, q), q2),
            _ => 1.0,
        })
        .collect();
    let total = found + unseen(q1, q2);
    let variance = variance(&classes, &slopes, total);
    let reach = deviations(CONFIDENCE) * variance.max(0.0).sqrt();
    let interval = Interval::new(value, (value - reach).max(found), (value + reach).min(most.max(found)));
    Some(Forecast { segments, value, interval })
}

/// Documents that no segment showed but more of them would (Chao 1987; the form that needs no Q2 where there are none).
fn unseen(q1: f64, q2: f64, read: f64) -> f64 {
    let pairs = if q2 > 0.0 { q1 * q1 / (2.0 * q2) } else { q1 * (q1 - 1.0).max(0.0) / 2.0 };
    (read - 1.0) / read * pairs
}

/// How fast a function of a count rises, by a step of half a document to each side.
fn slope(f: impl Fn(f64) -> f64, at: f64) -> f64 {
    let (below, above) = ((at - 0.5).max(0.0), at + 0.5);
    // A count of 0 has another formula, which is no neighbour of the rest.
    let below = if below == 0.0 { at } else { below };
    (f(above) - f(below)) / (above - below)
}

/// Variance of Σ slope·count when the counts are multinomial in `total`.
fn variance(counts: &[f64], slopes: &[f64], total: f64) -> f64 {
    let weighted: f64 = counts.iter().zip(slopes).map(|(n, s)| s * n).sum();
    let squares: f64 = counts.iter().zip(slopes).map(|(n, s)| s * s * n).sum();
    if total > 0.0 { squares - weighted * weighted / total } else { 0.0 }
}

/// How many standard errors the middle of Student's distribution reaches to both sides.
fn student(confidence: f64, freedom: f64) -> f64 {
    let x = inverse_beta(freedom / 2.0, 0.5, 1.0 - confidence);
    (freedom * (1.0 - x) / x).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    #[test]
    fn students_distribution() {
        // Values of any table of t.
        for (freedom, expected) in [(1.0, 12.706_205), (3.0, 3.182_446), (10.0, 2.228_139), (120.0, 1.979_930)] {
            assert!((student(0.95, freedom) - expected).abs() < 1e-5, "{freedom}");
        }
    }

    #[test]
    fn a_line_is_carried_on() {
        let forecast = linear(&[10, 20, 30, 40], 20).unwrap();
        assert!((forecast.value - 200.0).abs() < 1e-9);
        assert!(forecast.interval.unwrap().half_width() < 1e-6);
        // Worked by hand: y = 2.2 + 0.6 x through (1,3) (2,3) (3,4) (4,5) (5,5) … at 10: 8.2.
        let bent = linear(&[3, 3, 4, 5, 5], 10).unwrap();
        assert!((bent.value - 8.2).abs() < 1e-9, "{bent:?}");
        // s² = 0.4/3, 1 + 1/5 + 49/10 = 6.1, t = 3.182446: ± 2.870.
        assert!((bent.interval.unwrap().half_width() - 2.870).abs() < 1e-3, "{bent:?}");
        assert_eq!(linear(&[3, 4], 10).unwrap().interval, None);
        assert_eq!(linear(&[3], 10), None);
    }

    #[test]
    fn a_curve_saturates_by_the_published_formula() {
        // T = 5, Q1 = 30, Q2 = 10, one document in all: Q0 = 4/5·900/20 = 36; rate = 30/(180+30) = 1/7.
        let recurring = [30, 10, 0, 0, 5];
        let at = |segments| saturating(&recurring, segments, 1_000).unwrap().value;
        assert!((at(5) - 45.0).abs() < 1e-9);
        assert!((at(6) - (45.0 + 36.0 / 7.0)).abs() < 1e-9);
        assert!((at(1_000) - 81.0).abs() < 1e-6);
        let capped = saturating(&recurring, 1_000, 60).unwrap();
        assert_eq!((capped.value, capped.interval.unwrap().high), (60.0, 60.0));
        assert_eq!(saturating(&[4], 3, 10), None);
        let settled = saturating(&[0, 4], 9, 10).unwrap();
        assert_eq!(settled.value, 4.0, "nothing seen once: nothing left to see");
        assert!(saturating(&[4, 0], 9, 10).unwrap().value > 4.0);
        assert_eq!(saturating(&[0, 0], 9, 10).unwrap().value, 0.0);
    }

    /// 3,000 documents that stand in each of 20 segments with probability 0.06, 5 segments read: what is found in all is
    /// covered about as often as promised, and the line through the points is far above it.
    #[test]
    fn the_interval_covers_what_further_segments_show() {
        let (documents, read, all, rounds) = (3_000, 5, 20, 60);
        let mut covered = 0;
        let mut above = 0;
        for round in 0..rounds {
            let mut random = Random::new(11, round);
            let (mut recurring, mut accumulated, mut truth) = (vec![0; read], vec![0; read], 0);
            for _ in 0..documents {
                let seen: Vec<bool> = (0..all).map(|_| random.unit() < 0.06).collect();
                truth += u64::from(seen.contains(&true));
                let times = seen[..read].iter().filter(|s| **s).count();
                if let Some(first) = seen[..read].iter().position(|s| *s) {
                    recurring[times - 1] += 1;
                    accumulated[first..].iter_mut().for_each(|n| *n += 1);
                }
            }
            let forecast = saturating(&recurring, all, documents).unwrap();
            covered += u32::from(forecast.interval.unwrap().contains(truth as f64));
            above += u32::from(linear(&accumulated, all).unwrap().value > truth as f64);
        }
        assert!(covered >= 52, "{covered} of {rounds}");
        assert_eq!(above, 60, "the line over-estimates every time");
    }
}
