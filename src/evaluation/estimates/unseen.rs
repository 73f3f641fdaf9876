//! How many true pairs did nobody find? Capture and recapture over methods.
//!
//! Chapman (1951) for two, Chao's lower bound (Chao 1987) for several: f₁ true pairs found by one method alone, f₂ by
//! exactly two. Both take the methods for independent; methods for near-duplicates find the same easy pairs, so more is
//! missing than they say: the number of true pairs is *at least* this, and recall *at most* what follows.

use serde::Serialize;

use super::frame::{Frame, Units, Unsure};
use crate::base::interval::Interval;
use crate::base::random::{Bootstrap, Random};

/// Chapman's estimate of how many there are, when one method found n1, another n2, and both m of them.
pub fn chapman(n1: f64, n2: f64, m: f64) -> f64 {
    (n1 + 1.0) * (n2 + 1.0) / (m + 1.0) - 1.0
}

/// Chao's lower bound, bias-corrected, over t methods: `seen` were found at all, `once` by one method alone, `twice` by
/// exactly two.
pub fn chao(seen: f64, once: f64, twice: f64, t: usize) -> f64 {
    let share = t.saturating_sub(1) as f64 / t.max(1) as f64;
    seen + share * once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0))
}

/// What capture and recapture say about a sample's configurations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unseen {
    /// True pairs in the pool, estimated.
    pub seen: f64,
    /// Of these, found by one configuration alone.
    pub once: f64,
    /// Of these, found by exactly two.
    pub twice: f64,
    /// `chapman` for two configurations, `chao` for more.
    pub method: &'static str,
    /// True pairs there are at least.
    pub at_least: Interval,
    /// For each configuration: its recall is at most this, if the methods were independent; less if not.
    pub recall_at_most: Vec<f64>,
    /// What it rests on.
    pub assumption: &'static str,
}

/// Counts of true pairs, each with its weight.
struct Captures {
    seen: f64,
    once: f64,
    twice: f64,
    of: Vec<f64>,
}

impl Captures {
    fn new(labels: &[(u64, f64)], t: usize) -> Self {
        let sum = |of: &dyn Fn(u64) -> bool| labels.iter().filter(|l| of(l.0)).map(|l| l.1).sum::<f64>();
        Self {
            seen: sum(&|found| found != 0),
            once: sum(&|found| found.count_ones() == 1),
            twice: sum(&|found| found.count_ones() == 2),
            of: (0..t).map(|c| sum(&|found| found >> c & 1 == 1)).collect(),
        }
    }

    fn total(&self) -> f64 {
        match self.of[..] {
            [a, b] => chapman(a, b, self.twice),
            _ => chao(self.seen, self.once, self.twice, self.of.len()),
        }
    }
}

impl Unseen {
    /// Of a sample; `None` for one configuration, for samples of documents, and before a true pair is labelled.
    pub fn new(frame: &Frame, unsure: Unsure, bootstrap: &Bootstrap) -> Option<Self> {
        let t = frame.configurations.len();
        if t < 2 || frame.units != Units::Pairs {
            return None;
        }
        let mut strata: Vec<Vec<(u64, f64)>> = vec![Vec::new(); frame.strata.len()];
        for (drawn, truth, weight) in frame.weights(unsure).into_iter().filter(|(d, ..)| !frame.strata[d.stratum].audit)
        {
            strata[drawn.stratum].push((drawn.found, if truth { weight } else { 0.0 }));
        }
        let captures = Captures::new(&strata.concat(), t);
        if captures.seen <= 0.0 {
            return None;
        }
        let total = captures.total();
        let draw = |random: &mut Random| Some(Captures::new(&resample(&strata, random), t).total());
        Some(Self {
            seen: captures.seen,
            once: captures.once,
            twice: captures.twice,
            method: if t == 2 { "chapman" } else { "chao" },
            at_least: bootstrap.interval(total, bootstrap.replicates(draw))?,
            recall_at_most: captures.of.iter().map(|found| (found / total).min(1.0)).collect(),
            assumption: "the methods find pairs independently of each other; they do not, so more is missing than this",
        })
    }
}

/// The data drawn again, with replacement within each stratum.
fn resample(strata: &[Vec<(u64, f64)>], random: &mut Random) -> Vec<(u64, f64)> {
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
    fn published_estimates() {
        // Seber, The Estimation of Animal Abundance (1982), p. 60: n1 = n2 = 9 with m = 4 gives 10·10/5 − 1 = 19.
        assert_eq!(chapman(9.0, 9.0, 4.0), 19.0);
        // Chao, Biometrics 1987, the cottontail rabbits of Edwards & Eberhardt (1967): 76 seen, f1 = 43, f2 = 16 over 18
        // nights; 135 lived there. Her bound without correction is 76 + 43²/32 = 133.8.
        let corrected = chao(76.0, 43.0, 16.0, 18);
        assert!((corrected - (76.0 + 17.0 / 18.0 * 43.0 * 42.0 / 34.0)).abs() < 1e-9);
        assert!((120.0..135.0).contains(&corrected), "{corrected}");
        assert_eq!(chao(10.0, 0.0, 5.0, 3), 10.0);
    }
}
