//! How many pairs of each stratum are drawn.
//!
//! Seat k of a stratum (from 0) comes up at the moment (k + u)/a, with a the stratum's number of pairs (or 1, when all
//! strata get the same) and u a number between 0 and 1 that the seed, the stratum and k decide; the first two seats of
//! every stratum come before all others, so that each has a variance. A sample of n is the first n seats: so a larger
//! sample has no fewer pairs of any stratum than a smaller one, whatever the sizes.

use super::Allocation;
use dejaview_base::hash::token;
use dejaview_base::random::mix;

/// When a seat comes up: its round, then its moment.
fn seat(seed: u64, name: &str, k: u64, share: f64) -> (u64, f64) {
    let u = (mix(mix(seed, token(name.as_bytes())), k) >> 11) as f64 / (1u64 << 53) as f64;
    (k.min(2), (k as f64 + u) / if k < 2 { 1.0 } else { share })
}

/// Pairs to draw of each stratum, given their names and sizes. As many as asked for, unless there are fewer.
pub fn allocate(strata: &[(&str, u64)], size: u64, allocation: Allocation, seed: u64) -> Vec<u64> {
    allocate_more(strata, &vec![0; strata.len()], size, allocation, seed)
}

/// Pairs to draw of each stratum, so many of each at least, and `size` in all: the seats behind those that are taken come
/// up in their order. With what [`allocate`] says for fewer it is what [`allocate`] says.
pub fn allocate_more(strata: &[(&str, u64)], least: &[u64], size: u64, allocation: Allocation, seed: u64) -> Vec<u64> {
    let share = |population: u64| if allocation == Allocation::Equal { 1.0 } else { population as f64 };
    let strata: Vec<(&str, u64, f64)> =
        strata.iter().map(|(name, population)| (*name, *population, share(*population))).collect();
    seats(&strata, least, size, seed)
}

/// Pairs to draw of each stratum, given their names, sizes and shares: of two that have pairs left, one with twice the
/// share gets twice as many.
pub fn share_out(strata: &[(&str, u64, f64)], size: u64, seed: u64) -> Vec<u64> {
    seats(strata, &vec![0; strata.len()], size, seed)
}

fn seats(strata: &[(&str, u64, f64)], least: &[u64], size: u64, seed: u64) -> Vec<u64> {
    let mut drawn: Vec<u64> =
        strata.iter().zip(least).map(|((_, population, _), least)| *population.min(least)).collect();
    let next = |h: usize, k: u64| {
        let (name, population, share) = strata[h];
        (k < population).then(|| seat(seed, name, k, share))
    };
    let mut coming: Vec<Option<(u64, f64)>> = (0..strata.len()).map(|h| next(h, drawn[h])).collect();
    for _ in drawn.iter().sum()..size {
        let first = (0..strata.len()).filter_map(|h| Some((coming[h]?, h))).min_by(|a, b| {
            let ((round, moment), (other, later)) = (a.0, b.0);
            round.cmp(&other).then(moment.total_cmp(&later))
        });
        let Some((_, h)) = first else { break };
        drawn[h] += 1;
        coming[h] = next(h, drawn[h]);
    }
    drawn
}

/// A stratum that may get more pairs.
#[derive(Debug, Clone, Copy)]
pub struct Need {
    /// Pairs that an estimate of it stands for.
    pub population: u64,
    /// Labels that it has, or will have.
    pub labels: f64,
    /// Labels that one more pair brings: 1, or less where not every pair counts.
    pub rate: f64,
    /// Share of true ones among them, as far as is known.
    pub share: f64,
    /// Pairs that can still be drawn.
    pub room: u64,
}

impl Need {
    /// A share of true ones from labels that never seems certain: (x+1)/(n+2).
    pub fn smoothed(yes: u64, labelled: u64) -> f64 {
        (yes as f64 + 1.0) / (labelled as f64 + 2.0)
    }

    /// What of the variance of the estimated total the next pair takes, when so many have come.
    fn gain(&self, more: u64) -> f64 {
        let labels = (self.labels + more as f64 * self.rate).max(0.5);
        let spread = (self.population as f64).powi(2) * self.share * (1.0 - self.share);
        if more < self.room { spread * (1.0 / labels - 1.0 / (labels + self.rate)) } else { -1.0 }
    }
}

/// The strata of the next pairs by Neyman's allocation (Journal of the Royal Statistical Society 1934): each goes where it
/// takes most of the variance, which gives whole numbers that nothing beats (Wright, The American Statistician 2012). Fewer
/// where there are no more to draw.
pub fn neyman(strata: &[Need], more: u64) -> Vec<usize> {
    let mut added = vec![0; strata.len()];
    let mut order = Vec::new();
    let mut gains: Vec<f64> = strata.iter().map(|need| need.gain(0)).collect();
    for _ in 0..more {
        // Of equal ones the first.
        let best = (0..strata.len()).reduce(|best, h| if gains[h] > gains[best] { h } else { best });
        let Some(h) = best.filter(|h| gains[*h] >= 0.0) else { break };
        order.push(h);
        added[h] += 1;
        gains[h] = strata[h].gain(added[h]);
    }
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STRATA: [(&str, u64); 4] = [("a", 10_000), ("b", 900), ("c", 100), ("d", 1)];

    #[test]
    fn proportional_and_equal() {
        let proportional = allocate(&STRATA, 110, Allocation::Proportional, 1);
        assert!((97..=99).contains(&proportional[0]), "{proportional:?}");
        assert!((8..=10).contains(&proportional[1]), "{proportional:?}");
        assert_eq!(proportional[2..], [2, 1]);
        assert_eq!(allocate(&STRATA, 301, Allocation::Equal, 1), [100, 100, 100, 1]);
        assert_eq!(allocate(&STRATA, 1_000_000, Allocation::Equal, 1), [10_000, 900, 100, 1]);
        assert!(allocate(&[], 10, Allocation::Equal, 1).is_empty());
    }

    #[test]
    fn small_strata_are_taken_whole_and_the_rest_is_shared() {
        let strata = [("few", 18, 4.0), ("some", 400, 2.0), ("many", 3_000, 1.0), ("most", 300_000, 0.25)];
        let drawn = share_out(&strata, 100, 1);
        assert_eq!((drawn[0], drawn.iter().sum::<u64>()), (18, 100));
        assert!((49..=53).contains(&drawn[1]) && (23..=27).contains(&drawn[2]) && drawn[3] <= 8, "{drawn:?}");
    }

    #[test]
    fn neyman_is_the_square_root_rule_in_whole_numbers() {
        let need = |population, share| Need { population, labels: 0.0, rate: 1.0, share, room: population };
        // N·s: 1,000·0.5, 1,000·0.3, 500·0.2: 5 to 3 to 1.
        let strata = [need(1_000, 0.5), need(1_000, 0.1), need(500, 0.041_742_430_5)];
        let order = neyman(&strata, 90);
        let of = |h| order.iter().filter(|one| **one == h).count();
        assert_eq!([of(0), of(1), of(2)], [50, 30, 10]);
        assert_eq!(neyman(&strata, 40), order[..40], "a longer one goes on");
        let ahead = [Need { labels: 60.0, ..strata[0] }, strata[1], strata[2]];
        assert!(neyman(&ahead, 20).iter().all(|h| *h > 0), "where there are enough, none is added");
        assert_eq!(neyman(&[need(3, 0.5)], 10).len(), 3, "no more than there are");
        assert!(neyman(&[], 4).is_empty());
    }

    #[test]
    fn no_other_whole_numbers_leave_less_variance() {
        // The least of Σ N²·p(1−p)/(n+a) over all a that add up to 14, tried one by one: (9, 1, 1, 3); with two left to draw of
        // the first (2, 3, 3, 6).
        let strata = [(400, 3, 0.3), (250, 4, 0.1), (100, 2, 0.5), (900, 5, 0.02)];
        for (room, least) in [(397, [9, 1, 1, 3]), (2, [2, 3, 3, 6])] {
            let mut needs = strata.map(|(population, labels, share)| Need {
                population,
                labels: labels as f64,
                rate: 1.0,
                share,
                room: population - labels,
            });
            needs[0].room = room;
            let order = neyman(&needs, 14);
            assert_eq!([0, 1, 2, 3].map(|h| order.iter().filter(|one| **one == h).count()), least);
        }
    }

    proptest! {
        #[test]
        fn a_larger_sample_takes_nothing_away(
            sizes in prop::collection::vec(0..300u64, 1..8), n in 0..200u64, more in 0..200u64,
            seed in any::<u64>(), equal in any::<bool>()
        ) {
            let names: Vec<String> = (0..sizes.len()).map(|i| i.to_string()).collect();
            let strata: Vec<(&str, u64)> = names.iter().map(String::as_str).zip(sizes.iter().copied()).collect();
            let allocation = if equal { Allocation::Equal } else { Allocation::Proportional };
            let (short, long) = (allocate(&strata, n, allocation, seed), allocate(&strata, n + more, allocation, seed));
            prop_assert_eq!(short.iter().sum::<u64>(), n.min(sizes.iter().sum()));
            prop_assert!(short.iter().zip(&long).all(|(a, b)| a <= b));
            prop_assert!(long.iter().zip(&sizes).all(|(n, all)| n <= all));
            prop_assert_eq!(&allocate_more(&strata, &short, n + more, allocation, seed), &long, "an extension goes on");
            if n >= 2 * sizes.len() as u64 {
                prop_assert!(short.iter().zip(&sizes).all(|(n, all)| *n >= 2.min(*all)), "two of each");
            }
        }
    }
}
