//! Randomness that a seed decides: the same seed gives the same draws on every run, whatever the number of threads.
//!
//! [`mix`] puts a thing into a random order by what it is; [`Random`] is a sequence. Draw `i` of a sequence is
//! `fmix64(key + i·M)`, a counter behind a mixing function as in Steele, Lea & Flood, *Fast splittable pseudorandom
//! number generators* (OOPSLA 2014): any draw can be had without those before it, and sequences of different keys have
//! nothing in common that a sample would notice. Not for secrets.
//!
//! Own rather than the crate `rand`: a published sample must be drawn again from its seed by any later version, in any
//! language, and this generator is one line that a paper can print.

use std::f64::consts::TAU;

use super::hash::{M, fmix64};
use super::interval::Interval;

/// A number that depends on `state` and `value` alone, modulo 2^64: `fmix64(state·M + value)`. Chains: the result is
/// the state for the next value.
#[inline]
pub const fn mix(state: u64, value: u64) -> u64 {
    fmix64(state.wrapping_mul(M).wrapping_add(value))
}

/// A sequence of random numbers.
#[derive(Debug, Clone)]
pub struct Random {
    key: u64,
    drawn: u64,
}

impl Random {
    /// Sequence number `stream` of a seed.
    pub const fn new(seed: u64, stream: u64) -> Self {
        Self { key: mix(seed, stream), drawn: 0 }
    }

    /// The next 64 bits.
    #[inline]
    pub const fn draw(&mut self) -> u64 {
        self.drawn += 1;
        fmix64(self.key.wrapping_add(self.drawn.wrapping_mul(M)))
    }

    /// A number below `bound`, every one equally probable (Lemire, TOMACS 2019); 0 when `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        let mut product = u128::from(self.draw()) * u128::from(bound);
        if (product as u64) < bound {
            // The 2^64 mod bound lowest fractions would make some results more frequent.
            let surplus = bound.wrapping_neg() % bound;
            while (product as u64) < surplus {
                product = u128::from(self.draw()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// A number of 0 ≤ u < 1, a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A standard normal number (Box & Muller).
    pub fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.unit(), self.unit());
        (-2.0 * radius.ln()).sqrt() * (TAU * angle).cos()
    }

    /// A number of the gamma distribution with this shape above 0 and scale 1 (Marsaglia & Tsang, TOMS 2000).
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let whole = self.gamma(shape + 1.0);
            return whole * (1.0 - self.unit()).powf(1.0 / shape);
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && (1.0 - self.unit()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }

    /// A number of the beta distribution with these parameters above 0.
    pub fn beta(&mut self, a: f64, b: f64) -> f64 {
        let (a, b) = (self.gamma(a), self.gamma(b));
        if a + b > 0.0 { a / (a + b) } else { 0.5 }
    }
}

/// How an interval is found by drawing the data again (Efron & Tibshirani 1993, the percentile interval).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// Seed of the draws.
    pub seed: u64,
    /// How often the data are drawn again.
    pub replicates: u32,
    /// How often the interval shall cover, 0.95 for one.
    pub confidence: f64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { seed: 1, replicates: 2_000, confidence: 0.95 }
    }
}

impl Bootstrap {
    /// What `draw` makes of each replicate. Each has a sequence of its own, so that none depends on how much the one
    /// before has drawn.
    pub fn replicates<T>(&self, mut draw: impl FnMut(&mut Random) -> T) -> Vec<T> {
        (0..u64::from(self.replicates)).map(|replicate| draw(&mut Random::new(self.seed, replicate))).collect()
    }

    /// The interval around `value`: what the middle of the replicates spans, and the value itself. Replicates without a
    /// value are left out; `None` when none has one.
    pub fn interval(&self, value: f64, replicates: impl IntoIterator<Item = Option<f64>>) -> Option<Interval> {
        let mut sorted: Vec<f64> = replicates.into_iter().flatten().collect();
        sorted.sort_by(f64::total_cmp);
        let tail = (1.0 - self.confidence) / 2.0;
        Interval::new(value, quantile(&sorted, tail)?, quantile(&sorted, 1.0 - tail)?)
    }
}

/// The quantile of sorted values, interpolated between two of them (definition 7 of Hyndman & Fan 1996).
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let at = share.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    Some(below + (above - below) * at.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_as_stated_and_stays() {
        let key = fmix64(7u64.wrapping_mul(M).wrapping_add(3));
        let mut random = Random::new(7, 3);
        assert_eq!(random.draw(), fmix64(key.wrapping_add(M)));
        assert_eq!(random.draw(), fmix64(key.wrapping_add(M.wrapping_mul(2))));
        assert_eq!(Random::new(7, 3).draw(), Random::new(7, 3).draw());
        let first = |seed, stream| Random::new(seed, stream).draw();
        assert_eq!([first(7, 3), first(7, 4), first(8, 3)].iter().collect::<std::collections::BTreeSet<_>>().len(), 3);
    }

    #[test]
    fn every_number_below_a_bound_is_equally_probable() {
        let mut random = Random::new(1, 0);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0).sum();
        // 6 degrees of freedom, both tails at about 1 in 1,000.
        assert!(chi > 0.38 && chi < 22.5, "{chi}");
        // For this bound a quarter of all draws must be refused: without that, multiples of 3 would come half of the
        // time.
        let bound = 3u64 << 62;
        let multiples = (0..30_000).filter(|_| random.below(bound).is_multiple_of(3)).count();
        assert!((9_600..10_400).contains(&multiples), "{multiples}");
        assert_eq!((random.below(1), random.below(0)), (0, 0));
    }

    /// Mean and variance of 40,000 numbers.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let drawn: Vec<f64> = (0..40_000).map(|_| draw()).collect();
        let mean = drawn.iter().sum::<f64>() / 40_000.0;
        (mean, drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 39_999.0)
    }

    #[track_caller]
    fn near(found: (f64, f64), expected: (f64, f64)) {
        // Five standard errors of the mean; the variance within 6 %.
        let error = 5.0 * (expected.1 / 40_000.0).sqrt();
        assert!((found.0 - expected.0).abs() < error, "mean {} for {}", found.0, expected.0);
        assert!((found.1 / expected.1 - 1.0).abs() < 0.06, "variance {} for {}", found.1, expected.1);
    }

    #[test]
    fn distributions_have_their_mean_and_variance() {
        let mut random = Random::new(2, 0);
        near(moments(|| random.unit()), (0.5, 1.0 / 12.0));
        near(moments(|| random.normal()), (0.0, 1.0));
        for shape in [0.5, 1.0, 2.5, 100.5] {
            near(moments(|| random.gamma(shape)), (shape, shape));
        }
        for (a, b) in [(0.5, 20.5), (1.0, 1.0), (95.5, 5.5), (0.5, 0.5)] {
            let sum: f64 = a + b;
            near(moments(|| random.beta(a, b)), (a / sum, a * b / (sum * sum * (sum + 1.0))));
        }
    }

    #[test]
    fn the_normal_has_its_tails() {
        let mut random = Random::new(3, 0);
        let beyond = (0..100_000).filter(|_| random.normal().abs() > 1.959_964).count();
        assert!((4_700..5_300).contains(&beyond), "{beyond}");
    }

    #[test]
    fn quantiles_by_hand() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[3.0], 0.975), Some(3.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), Some(3.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 1.0), Some(4.0));
    }

    #[test]
    fn the_interval_of_a_mean_is_that_of_theory() {
        // The mean of 400 numbers of mean ½ and variance 1/12: ± 1.96·√(1/12/400) = ± 0.0283.
        let mut random = Random::new(4, 0);
        let data: Vec<f64> = (0..400).map(|_| random.unit()).collect();
        let mean = data.iter().sum::<f64>() / 400.0;
        let bootstrap = Bootstrap::default();
        let draw = |random: &mut Random| Some((0..400).map(|_| data[random.below(400) as usize]).sum::<f64>() / 400.0);
        let interval = bootstrap.interval(mean, bootstrap.replicates(draw)).unwrap();
        assert!((interval.low - (mean - 0.0283)).abs() < 0.003, "{interval:?}");
        assert!((interval.high - (mean + 0.0283)).abs() < 0.003, "{interval:?}");
        assert_eq!(bootstrap.interval(mean, bootstrap.replicates(draw)), Some(interval), "same seed, same interval");
        let other = Bootstrap { seed: 2, ..bootstrap };
        assert_ne!(other.interval(mean, other.replicates(draw)), Some(interval));
        assert_eq!(bootstrap.interval(mean, [None, None]), None);
        let kept = bootstrap.interval(2.0, [Some(1.0), None, Some(1.0)]).unwrap();
        assert_eq!((kept.low, kept.high), (1.0, 2.0), "the value is inside its interval");
    }
}
