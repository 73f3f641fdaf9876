//! How many true pairs did nobody find? Capture and recapture over methods.
//!
//! Chapman (1951) for two, Chao's estimate (Chao 1987) for several: f₁ true pairs found by one method alone, f₂ by exactly
//! two. Both take methods for independent of each other, which nobody can check from what they found: pairs that none found
//! are not in the data. So they are estimates under that assumption, with intervals for the luck of the sample alone. Which
//! way they are off is a second assumption: if methods tend to find the same pairs (easy pairs are easy for all), more is
//! missing than they say, the total is too low and every recall too high; if they tend to find different ones, as methods
//! made to complement each other do, it is the other way round.

use serde::Serialize;

use super::frame::{Frame, Units, Unsure};
use dejaview_base::interval::Interval;
use dejaview_base::random::{Bootstrap, Random};

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
    /// True pairs there are, found or not, if methods find pairs independently of each other; the interval is for the luck
    /// of the sample.
    pub total: Interval,
    /// The recall of each configuration that follows, with its interval. None where the labels drawn again always say the
    /// same, so that they do not tell how far chance reaches.
    pub recall: Vec<Option<Interval>>,
    /// What both rest on.
    pub assumption: &'static str,
    /// Which way they are off where that does not hold.
    pub direction: &'static str,
}

/// Counts of true pairs, each with its weight.
struct Captures {
    seen: f64,
    once: f64,
    twice: f64,
    found_by: Vec<f64>,
    /// Labels that they rest on.
    labels: usize,
}

impl Captures {
    fn new(labels: &[(u64, f64)], t: usize) -> Self {
        let sum = |of: &dyn Fn(u64) -> bool| labels.iter().filter(|l| of(l.0)).fold(0.0, |sum, l| sum + l.1);
        Self {
            seen: sum(&|found| found != 0),
            once: sum(&|found| found.count_ones() == 1),
            twice: sum(&|found| found.count_ones() == 2),
            labels: labels.iter().filter(|l| l.0 != 0 && l.1 > 0.0).count(),
            found_by: (0..t).map(|c| sum(&|found| found >> c & 1 == 1)).collect(),
        }
    }

    fn total(&self) -> f64 {
        // Corrections for small numbers are for labels: a pair that stands for twenty is still one.
        let scale = if self.labels > 0 { self.seen / self.labels as f64 } else { 1.0 };
        let [seen, once, twice] = [self.seen, self.once, self.twice].map(|pairs| pairs / scale);
        scale
            * match self.found_by[..] {
                [a, b] => chapman(a / scale, b / scale, twice),
                _ => chao(seen, once, twice, self.found_by.len()),
            }
    }

    /// The share of the total that a configuration found; none where nothing is true.
    fn recall(&self, c: usize) -> Option<f64> {
        let total = self.total();
        (total > 0.0).then(|| (self.found_by[c] / total).clamp(0.0, 1.0))
    }
}

impl Unseen {
    /// Estimates what a sample leaves unseen. `None` for one configuration, for samples of documents, and before a true pair
    /// is labelled.
    pub fn new(frame: &Frame, unsure: Unsure, bootstrap: &Bootstrap) -> Option<Self> {
        let t = frame.configurations.len();
        // Of the pairs of one configuration alone, the others found no more than it did.
        let others = (0..frame.strata.len()).any(|h| !frame.strata[h].audit && !frame.drew_from(h));
        if t < 2 || frame.units != Units::Pairs || (frame.drawn_from.count_ones() < 2 && !others) {
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
        let drawn: Vec<Captures> =
            bootstrap.replicates(|random: &mut Random| Captures::new(&resample(&strata, random), t));
        let recall = |c: usize| {
            let redrawn = drawn.iter().map(|captures| captures.recall(c));
            Some(bootstrap.interval(captures.recall(c)?, redrawn)?.within(0.0, 1.0)).filter(has_width)
        };
        Some(Self {
            seen: captures.seen,
            once: captures.once,
            twice: captures.twice,
            method: if t == 2 { "chapman" } else { "chao" },
            total: bootstrap.interval(total, drawn.iter().map(|captures| Some(captures.total())))?,
            recall: (0..t).map(recall).collect(),
            assumption: "configurations find true pairs independently of each other",
            direction: "if they tend to find the same pairs, the total is a lower bound and each recall an upper bound; \
                        if they tend to find different ones, the reverse",
        })
    }
}

/// Whether an interval says anything of chance.
fn has_width(interval: &Interval) -> bool {
    interval.high - interval.low > 1e-9
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
    use crate::estimates::frame::{Consensus, Drawn};
    use crate::sample::Stratum;
    use dejaview_labels::Label;

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

    /// Pairs of a population that is known to its last, found by these sets of configurations, so often each.
    fn census(sets: &[(u64, usize)], t: usize) -> Frame {
        let drawn = |(place, found): (usize, u64)| Drawn {
            place,
            stratum: 0,
            weight: 1.0,
            found,
            document_pairs: 1,
            consensus: Consensus::Label(Label::NearDuplicate),
        };
        let found: Vec<u64> = sets.iter().flat_map(|(found, n)| vec![*found; *n]).collect();
        let population = found.len() as u64;
        let stratum = Stratum { name: "all".to_owned(), population, drawn: population, ..Stratum::default() };
        Frame::of_pairs(
            (0..t).map(|c| format!("c{c}")).collect(),
            (1 << t) - 1,
            vec![stratum],
            found.into_iter().enumerate().map(drawn).collect(),
        )
    }

    #[test]
    fn an_interval_without_width_is_none() {
        // Of two true pairs the first configuration found both, the second one, and the third none.
        let few = Unseen::new(&census(&[(1, 1), (3, 1)], 3), Unsure::Out, &Bootstrap::default()).unwrap();
        assert_eq!(few.recall.len(), 3);
        assert!(few.recall[2].is_none(), "a configuration without a true pair: {few:?}");
        let alike = Unseen::new(&census(&[(7, 4)], 3), Unsure::Out, &Bootstrap::default()).unwrap();
        assert!(alike.recall.iter().all(Option::is_none) && alike.seen == 4.0, "{alike:?}");
    }

    /// Two configurations that complement each other: each finds 55 of the 100 true pairs there are, 10 in common, and none
    /// is missed by both. Independence says 284: more than there are, so it is no lower bound.
    #[test]
    fn an_estimate_is_no_bound_where_configurations_complement_each_other() {
        let unseen = Unseen::new(&census(&[(1, 45), (2, 45), (3, 10)], 2), Unsure::Out, &Bootstrap::default()).unwrap();
        assert!((unseen.total.value - (56.0 * 56.0 / 11.0 - 1.0)).abs() < 1e-9);
        assert!(unseen.total.low > 100.0, "the truth, 100, is below all of it: {:?}", unseen.total);
        assert!(unseen.total.low < unseen.total.value && unseen.total.value < unseen.total.high);
        assert_eq!(unseen.recall.len(), 2);
        for recall in unseen.recall.iter().flatten() {
            assert!((recall.value - 55.0 / unseen.total.value).abs() < 1e-9);
            assert!(recall.low < recall.value && recall.value < recall.high && recall.high < 0.55, "{recall:?}");
        }
        let words = serde_json::to_string(&unseen).unwrap();
        assert!(!words.contains("at_least") && !words.contains("at_most"), "no bound by name: {words}");
        assert!(unseen.direction.contains("if they tend to find the same pairs"));
        let three = Unseen::new(&census(&[(1, 20), (2, 20), (7, 30), (3, 5)], 3), Unsure::Out, &Bootstrap::default());
        assert_eq!((three.as_ref().map(|u| u.method), three.map(|u| u.recall.len())), (Some("chao"), Some(3)));
    }
}
