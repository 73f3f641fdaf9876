//! Drawing pairs with unequal probabilities: those that are probably true come more often, and their weights make up for it.
//!
//! A pair has a size x between [`LEAST`] and 1 ([`importance`]) and a random number u between 0 and 1 that its rank decides.
//! The n pairs of lowest u/x are drawn: sequential Poisson sampling (Ohlsson, Journal of Official Statistics 1998). Given τ,
//! the (n+1)th lowest, each of them was drawn with probability min(1, x·τ), and 1 by that as a weight makes every total
//! unbiased: priority sampling (Duffield, Lund & Thorup, Journal of the ACM 2007). What it is good for is that of Marchant &
//! Rubinstein (OASIS, PVLDB 2017): where few pairs of a large pool are true, labels are spent on these.

use std::collections::BTreeSet;

use super::pages::short;
use super::{Candidate, SampledPair, Stratum, Tally};

/// The least size: no pair is drawn less than a quarter as often as another, so that no label weighs much more than others.
pub const LEAST: f64 = 0.25;

/// Name of the one stratum.
const ALL: &str = "all";

/// The size of a pair: a quarter, and three quarters of the geometric mean of its Jaccard and of the share of the study's
/// configurations that found it.
pub fn importance(jaccard: f64, agreement: f64) -> f64 {
    LEAST + (1.0 - LEAST) * (jaccard * agreement).clamp(0.0, 1.0).sqrt()
}

/// The size of a pair that a model gives this probability of a near-duplicate: a quarter, and three quarters of how unsure
/// that is, 4·p·(1 − p).
pub fn doubt(probability: f64) -> f64 {
    LEAST + (1.0 - LEAST) * (4.0 * probability * (1.0 - probability)).clamp(0.0, 1.0)
}

/// What is kept of a candidate: its priority as the bits of a positive number, source, target, found, its size.
type Kept = (u64, String, String, u64, u64);

/// Draws by size in one pass.
#[derive(Debug)]
pub struct PriorityDrawer {
    size: usize,
    configurations: usize,
    tally: Tally,
    lowest: BTreeSet<Kept>,
}

impl PriorityDrawer {
    /// Draws `size` candidates; each has been found by some of this many configurations.
    pub fn new(size: usize, configurations: usize) -> Self {
        Self { size, configurations, tally: Tally::default(), lowest: BTreeSet::new() }
    }

    /// Takes a candidate of this size into account. It must not come twice.
    pub fn offer(&mut self, x: f64, candidate: Candidate<'_>) {
        self.tally.add(candidate.found);
        let Candidate { rank, source, target, found, .. } = candidate;
        let priority = ((rank as f64 + 0.5) / 2f64.powi(64) / x).to_bits();
        if self.lowest.len() > self.size && self.lowest.last().is_some_and(|last| priority > last.0) {
            return;
        }
        self.lowest.insert((priority, source.to_owned(), target.to_owned(), found, x.to_bits()));
        if self.lowest.len() > self.size + 1 {
            self.lowest.pop_last();
        }
    }

    /// The pairs drawn with the configurations that found them as bits, and all pairs as one stratum.
    pub fn finish(mut self) -> (Stratum, Vec<(SampledPair, u64)>) {
        let all = self.lowest.len() <= self.size;
        let next = if all { None } else { self.lowest.pop_last() };
        let threshold = next.map_or(f64::INFINITY, |kept| f64::from_bits(kept.0));
        let sampled = |(_, source, target, found, x): Kept| {
            let probability = short((f64::from_bits(x) * threshold).min(1.0));
            let (stratum, weight) = (ALL.to_owned(), short(1.0 / probability));
            let (names, assigned) = (Vec::new(), Vec::new());
            (
                SampledPair {
                    source,
                    target,
                    stratum,
                    weight,
                    probability,
                    found: names,
                    document_pairs: None,
                    assigned,
                },
                found,
            )
        };
        let pairs: Vec<(SampledPair, u64)> = self.lowest.into_iter().map(sampled).collect();
        let stratum = self.tally.stratum(ALL.to_owned(), self.configurations);
        (Stratum { drawn: pairs.len() as u64, ..stratum }, pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::rank;

    /// Pair i of 300 has a size that grows from 0.25 to 1.
    fn draw(seed: u64, size: usize) -> (Stratum, Vec<(SampledPair, u64)>) {
        let mut drawer = PriorityDrawer::new(size, 1);
        for i in 0..300u32 {
            let target = format!("t{i:03}");
            let candidate =
                Candidate { rank: rank(seed, "s", &target), source: "s", target: &target, found: 1, document_pairs: 1 };
            drawer.offer(LEAST + 0.75 * f64::from(i) / 299.0, candidate);
        }
        drawer.finish()
    }

    #[test]
    fn totals_are_unbiased_in_every_part() {
        const DRAWS: u64 = 3_000;
        let (mut sums, mut squares) = ([0.0; 3], [0.0; 3]);
        for seed in 0..DRAWS {
            let (_, pairs) = draw(seed, 40);
            let mut totals = [0.0; 3];
            for (pair, _) in &pairs {
                let i: usize = pair.target[1..].parse().unwrap();
                totals[i / 100] += pair.weight;
            }
            for k in 0..3 {
                sums[k] += totals[k];
                squares[k] += totals[k] * totals[k];
            }
        }
        for k in 0..3 {
            let mean = sums[k] / DRAWS as f64;
            let error = ((squares[k] / DRAWS as f64 - mean * mean) / DRAWS as f64).sqrt();
            assert!((mean - 100.0).abs() < 3.5 * error, "part {k}: {mean} ± {error}");
        }
    }

    #[test]
    fn important_pairs_come_more_often_and_count_less() {
        let (stratum, pairs) = draw(7, 60);
        assert_eq!((stratum.population, stratum.drawn, stratum.found), (300, 60, vec![300]));
        let upper = pairs.iter().filter(|(pair, _)| pair.target.as_str() >= "t150").count();
        assert!(upper > 33, "{upper} of 60 are of the more important half");
        let low = pairs.iter().map(|(pair, _)| pair.weight).fold(f64::INFINITY, f64::min);
        let high = pairs.iter().map(|(pair, _)| pair.weight).fold(0.0, f64::max);
        assert!(low >= 1.0 && high <= 4.0 * low + 1e-9, "{low} {high}");
    }

    #[test]
    fn a_larger_sample_holds_the_smaller_and_a_whole_one_is_certain() {
        let ids =
            |pairs: Vec<(SampledPair, u64)>| -> BTreeSet<String> { pairs.into_iter().map(|p| p.0.target).collect() };
        assert!(ids(draw(3, 20).1).is_subset(&ids(draw(3, 50).1)));
        let (_, all) = draw(3, 300);
        assert!(all.len() == 300 && all.iter().all(|(pair, _)| pair.probability == 1.0));
    }

    #[test]
    fn sizes_stay_between_a_quarter_and_one() {
        assert_eq!((importance(0.0, 1.0), importance(1.0, 1.0)), (0.25, 1.0));
        assert!((importance(0.5, 0.5) - 0.625).abs() < 1e-12);
        assert_eq!((doubt(0.0), doubt(0.5), doubt(1.0)), (0.25, 1.0, 0.25));
    }
}
