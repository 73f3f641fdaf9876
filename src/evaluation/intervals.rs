//! What may the true share be, when x of n labels say yes?
//!
//! | procedure | covers | source |
//! |---|---|---|
//! | Wilson | 95 % on average, less near 0 and 1: for n = 100 92.1 % at 0.99, 91.0 % at 0.995 | Wilson, JASA 1927 |
//! | Clopper–Pearson | never under 95 %, often much more: the widest | Clopper & Pearson, Biometrika 1934 |
//! | Jeffreys | 95 % on average | Brown, Cai & DasGupta, Statistical Science 2001 |
//!
//! [`coverage`] computes that for any n and p, without simulation. The shares here are of labels drawn with equal
//! probability; samples with strata or weights need more than this.

use std::ops::Range;

use serde::Serialize;
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::distributions::{binomial, deviations, inverse_beta};
pub use dejaview_base::interval::Interval;

/// A way from x of n to an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Procedure {
    /// [`wilson`]: the default.
    Wilson,
    /// [`clopper_pearson`]: when the promise must be kept at every p.
    ClopperPearson,
    /// [`jeffreys`].
    Jeffreys,
}

impl Procedure {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The interval for x of n.
    pub fn interval(self, x: u64, n: u64, confidence: f64) -> Option<Interval> {
        match self {
            Self::Wilson => wilson(x, n, confidence),
            Self::ClopperPearson => clopper_pearson(x, n, confidence),
            Self::Jeffreys => jeffreys(x, n, confidence),
        }
    }
}

/// x/n, unless that says nothing: there are no trials, more successes than trials, or no such confidence.
fn share(x: u64, n: u64, confidence: f64) -> Option<f64> {
    (n > 0 && x <= n && confidence > 0.0 && confidence < 1.0).then(|| x as f64 / n as f64)
}

/// Wilson's score interval for x of n. `None` without trials.
pub fn wilson(x: u64, n: u64, confidence: f64) -> Option<Interval> {
    wilson_effective(share(x, n, confidence)?, n as f64, deviations(confidence))
}

/// The same where trials come in twos that are alike: it is that of half as many.
pub fn wilson_of_twos(x: u64, n: u64, confidence: f64) -> Option<Interval> {
    wilson_effective(share(x, n, confidence)?, n as f64 / 2.0, deviations(confidence))
}

/// Wilson's interval around a share whose variance is that of `n_eff` independent trials, which need not be a whole
/// number and may be infinite; z is the number of standard deviations. `None` unless `n_eff` is above 0.
pub fn wilson_effective(p: f64, n_eff: f64, z: f64) -> Option<Interval> {
    if n_eff.is_nan() || n_eff <= 0.0 {
        return None;
    }
    let square = z * z / n_eff;
    let centre = (p + square / 2.0) / (1.0 + square);
    let reach = (p * (1.0 - p) * square + square * square / 4.0).sqrt() / (1.0 + square);
    // Rounding must not move the ends that are exact.
    let low = if p <= 0.0 { 0.0 } else { centre - reach };
    let high = if p >= 1.0 { 1.0 } else { centre + reach };
    Interval::new(p, low.max(0.0), high.min(1.0))
}

/// Clopper and Pearson's interval for x of n: each tail is at most half of what is left to chance. `None` without
/// trials.
pub fn clopper_pearson(x: u64, n: u64, confidence: f64) -> Option<Interval> {
    clopper_pearson_effective(share(x, n, confidence)?, n as f64, confidence)
}

/// Effective sizes from here on leave nothing to chance that anybody could see.
const CERTAIN: f64 = 1e10;

/// Clopper and Pearson's interval around a share whose variance is that of `n_eff` independent trials, as Korn & Graubard
/// have it for surveys (Survey Methodology 1998); n_eff need not be whole and may be infinite. `None` unless it is above 0.
pub fn clopper_pearson_effective(p: f64, n_eff: f64, confidence: f64) -> Option<Interval> {
    if n_eff.is_nan() || n_eff <= 0.0 {
        return None;
    }
    if n_eff > CERTAIN {
        return Interval::new(p, p, p);
    }
    let (yes, no, tail) = (p * n_eff, (1.0 - p) * n_eff, (1.0 - confidence) / 2.0);
    let low = if p <= 0.0 { 0.0 } else { inverse_beta(yes, no + 1.0, tail) };
    let high = if p >= 1.0 { 1.0 } else { inverse_beta(yes + 1.0, no, 1.0 - tail) };
    Interval::new(p, low, high)
}

/// The middle of the posterior after Jeffreys's prior for x of n; the end beside 0 of n is 0, that beside n of n is 1.
/// `None` without trials.
pub fn jeffreys(x: u64, n: u64, confidence: f64) -> Option<Interval> {
    let p = share(x, n, confidence)?;
    let (yes, no, tail) = (x as f64 + 0.5, (n - x) as f64 + 0.5, (1.0 - confidence) / 2.0);
    let low = if x == 0 { 0.0 } else { inverse_beta(yes, no, tail) };
    let high = if x == n { 1.0 } else { inverse_beta(yes, no, 1.0 - tail) };
    Interval::new(p, low, high)
}

/// How often a procedure's interval holds the true share p, over all samples of n. 0 without trials.
///
/// Both ends grow with x, so the samples that cover are one run of x: found in O(log n) intervals, then summed.
pub fn coverage(procedure: Procedure, n: u64, p: f64, confidence: f64) -> f64 {
    let ends = |x| procedure.interval(x, n, confidence);
    let first = first_where(0..n + 1, |x| ends(x).is_some_and(|interval| interval.high >= p));
    let behind = first_where(0..n + 1, |x| ends(x).is_none_or(|interval| interval.low > p));
    (first..behind).map(|x| binomial(x as f64, n as f64, p)).sum()
}

/// The first number of a range for which something holds that holds for all after it; the end if for none.
pub(super) fn first_where(range: Range<u64>, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn near(interval: Option<Interval>, low: f64, high: f64) {
        let interval = interval.unwrap();
        assert!((interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5, "{interval:?}");
    }

    #[test]
    fn published_intervals() {
        near(wilson(95, 100, 0.95), 0.8882, 0.9785);
        near(wilson(0, 100, 0.95), 0.0, 0.0370);
        // Newcombe, Statistics in Medicine 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29; methods 3 and 5.
        near(wilson(81, 263, 0.95), 0.2553, 0.3662);
        near(wilson(15, 148, 0.95), 0.0624, 0.1605);
        near(wilson(0, 20, 0.95), 0.0, 0.1611);
        near(wilson_of_twos(10, 10, 0.95), 0.5655, 1.0);
        near(wilson(1, 29, 0.95), 0.0061, 0.1718);
        near(clopper_pearson(81, 263, 0.95), 0.2527, 0.3676);
        near(clopper_pearson(15, 148, 0.95), 0.0578, 0.1617);
        near(clopper_pearson(0, 20, 0.95), 0.0, 0.1684);
        near(clopper_pearson(1, 29, 0.95), 0.0009, 0.1776);
        // By scipy.stats.beta.
        near(jeffreys(5, 20, 0.95), 0.1024, 0.4642);
        near(jeffreys(0, 10, 0.95), 0.0, 0.2172);
    }

    #[test]
    fn nothing_to_estimate() {
        for &procedure in Procedure::ALL {
            assert_eq!(procedure.interval(0, 0, 0.95), None);
            assert_eq!(procedure.interval(3, 2, 0.95), None);
            assert_eq!(procedure.interval(1, 2, 1.0), None);
            assert_eq!(procedure.name().parse(), Ok(procedure));
            assert_eq!(serde_json::to_value(procedure).unwrap(), procedure.name());
        }
        assert_eq!(wilson_effective(0.5, 0.0, 1.96), None);
        assert_eq!(wilson_effective(f64::NAN, 10.0, 1.96), None);
        assert_eq!(wilson_effective(0.3, f64::INFINITY, 1.96), Interval::new(0.3, 0.3, 0.3));
        assert_eq!(coverage(Procedure::Wilson, 0, 0.5, 0.95), 0.0);
    }

    #[test]
    fn the_coverage_that_is_stated() {
        let wilson = |p| coverage(Procedure::Wilson, 100, p, 0.95);
        assert!((wilson(0.99) - 0.9206).abs() < 5e-5, "{}", wilson(0.99));
        assert!((wilson(0.995) - 0.9102).abs() < 5e-5, "{}", wilson(0.995));
        let mean =
            |procedure| (1..1000).map(|i| coverage(procedure, 100, f64::from(i) / 1000.0, 0.95)).sum::<f64>() / 999.0;
        assert!((mean(Procedure::Wilson) - 0.95).abs() < 0.005, "{}", mean(Procedure::Wilson));
        assert!((mean(Procedure::Jeffreys) - 0.95).abs() < 0.005, "{}", mean(Procedure::Jeffreys));
        assert!(mean(Procedure::ClopperPearson) > 0.96);
    }

    #[test]
    fn clopper_pearson_keeps_its_promise() {
        let mut least = 1.0f64;
        for n in [1, 2, 5, 17, 50, 100, 333] {
            for i in 0..=1000 {
                least = least.min(coverage(Procedure::ClopperPearson, n, f64::from(i) / 1000.0, 0.95));
            }
        }
        assert!((0.95..0.952).contains(&least), "{least}");
    }

    proptest! {
        #[test]
        fn the_run_that_covers_is_all_that_covers(
            n in 1..80u64, p in 0.0..=1.0f64, which in 0..3usize, confidence in 0.5..0.999f64
        ) {
            let procedure = Procedure::ALL[which];
            let covers = |x: &u64| procedure.interval(*x, n, confidence).unwrap().contains(p);
            let sum: f64 = (0..=n).filter(covers).map(|x| binomial(x as f64, n as f64, p)).sum();
            prop_assert!((coverage(procedure, n, p, confidence) - sum).abs() < 1e-12);
        }

        #[test]
        fn ends_grow_with_x_and_mirror(n in 1..500u64, x in 0..500u64, which in 0..3usize) {
            prop_assume!(x < n);
            let procedure = Procedure::ALL[which];
            let (one, next) = (procedure.interval(x, n, 0.95).unwrap(), procedure.interval(x + 1, n, 0.95).unwrap());
            prop_assert!(one.low <= next.low && one.high <= next.high);
            prop_assert!(one.low >= 0.0 && one.high <= 1.0 && one.contains(one.value));
            let mirrored = procedure.interval(n - x, n, 0.95).unwrap();
            prop_assert!((mirrored.low - (1.0 - one.high)).abs() < 1e-10);
            prop_assert!((mirrored.high - (1.0 - one.low)).abs() < 1e-10);
        }
    }
}
