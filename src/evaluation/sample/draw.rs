//! Choosing pairs from a stream.
//!
//! Every pair has a [`rank`] that depends on the seed and its two ids alone; a sample of n is the n pairs of lowest
//! rank, in the order of their ranks. So the same pairs are drawn whatever the order of the stream, a repeated pair is
//! drawn once, and a larger sample begins with the smaller one. Memory grows with the sample, not with the stream.

use std::collections::BTreeSet;

use super::{Design, Sample, SampledPair};
use crate::base::hash::{M, fmix64, token};
use crate::base::similarity::ratio;

/// Place of a pair in the random order of a seed, modulo 2^64:
/// `fmix64(fmix64(seed·M + token(source))·M + token(target))` with the functions of [`crate::base::hash`], the ids as
/// UTF-8 bytes. Equal ranks are ordered by source, then target.
pub fn rank(seed: u64, source: &str, target: &str) -> u64 {
    let first = fmix64(seed.wrapping_mul(M).wrapping_add(token(source.as_bytes())));
    fmix64(first.wrapping_mul(M).wrapping_add(token(target.as_bytes())))
}

/// Draws a simple random sample without replacement, in one pass; it has no name yet ([`Sample::named`]).
///
/// Every pair weighs N/n. N counts a pair that follows itself once: a stream in order, as
/// [`crate::matching::pairs::merge`] gives it, may name a pair for each of its segments.
pub fn draw_simple<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>, size: usize, seed: u64) -> Sample {
    let mut lowest: BTreeSet<(u64, String, String)> = BTreeSet::new();
    let (mut population, mut before) = (0, None);
    for (source, target) in pairs {
        if before.replace((source, target)) == Some((source, target)) {
            continue;
        }
        population += 1;
        let rank = rank(seed, source, target);
        let full = lowest.len() >= size;
        if full && lowest.last().is_none_or(|last| rank > last.0) {
            continue;
        }
        lowest.insert((rank, source.to_owned(), target.to_owned()));
        if lowest.len() > size {
            lowest.pop_last();
        }
    }
    let n = lowest.len() as u64;
    let (weight, probability) = (ratio(population, n), ratio(n, population));
    let sampled = |(_, source, target)| SampledPair { source, target, stratum: "all".to_owned(), weight, probability };
    Sample {
        name: String::new(),
        design: Design::Simple,
        seed,
        configuration: String::new(),
        size: size as u64,
        population,
        pairs: lowest.into_iter().map(sampled).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn population(sources: usize, targets: usize) -> Vec<(String, String)> {
        let pair = |s: usize, t: usize| (format!("clueweb09-en{s:04}"), format!("clueweb12-{t:04}wb"));
        (0..sources).flat_map(|s| (0..targets).map(move |t| pair(s, t))).collect()
    }

    fn draw(pairs: &[(String, String)], size: usize, seed: u64) -> Sample {
        draw_simple(pairs.iter().map(|(s, t)| (s.as_str(), t.as_str())), size, seed)
    }

    #[test]
    fn every_pair_is_equally_probable() {
        let pairs = population(12, 5);
        let (size, draws) = (15, 4_000);
        let mut counts: HashMap<(String, String), u64> = HashMap::new();
        let mut first: HashMap<(String, String), u64> = HashMap::new();
        for seed in 0..draws {
            let sample = draw(&pairs, size, seed);
            let ids = |pair: &SampledPair| (pair.source.clone(), pair.target.clone());
            *first.entry(ids(&sample.pairs[0])).or_default() += 1;
            for pair in &sample.pairs {
                *counts.entry(ids(pair)).or_default() += 1;
            }
        }
        let p = size as f64 / pairs.len() as f64;
        let expected = draws as f64 * p;
        let square = |pair: &(String, String)| (counts[pair] as f64 - expected).powi(2) / (expected * (1.0 - p));
        // Without replacement the sum has 60 - 1 degrees of freedom after scaling by 59/60; both tails at 1 in 10,000.
        let chi: f64 = pairs.iter().map(square).sum::<f64>() * 59.0 / 60.0;
        assert!(chi > 26.0 && chi < 107.0, "{chi}");
        let expected = draws as f64 / pairs.len() as f64;
        let square = |pair| (first.get(pair).copied().unwrap_or_default() as f64 - expected).powi(2) / expected;
        let chi: f64 = pairs.iter().map(square).sum();
        assert!(chi > 26.0 && chi < 107.0, "who comes first: {chi}");
    }

    #[test]
    fn pairs_of_one_source_come_together_as_often_as_any_others() {
        let pairs = population(10, 4);
        let mut together = 0;
        for seed in 0..2_000 {
            let sample = draw(&pairs, 2, seed);
            together += u64::from(sample.pairs[0].source == sample.pairs[1].source);
        }
        // 3 of the other 39 have the same source: 153.8 expected, standard deviation 11.9.
        assert!((106..=202).contains(&together), "{together}");
    }

    #[test]
    fn fewer_pairs_than_asked_for() {
        let pairs = population(1, 3);
        let sample = draw(&pairs, 100, 1);
        assert_eq!((sample.pairs.len(), sample.size, sample.population), (3, 100, 3));
        assert!(sample.pairs.iter().all(|pair| pair.weight == 1.0 && pair.probability == 1.0));
        let none = draw(&[], 100, 1);
        assert_eq!((none.pairs.len(), none.population), (0, 0));
        assert!(draw(&pairs, 0, 1).pairs.is_empty());
    }

    #[test]
    fn weights_add_up_to_the_population() {
        let sample = draw(&population(20, 5), 8, 3);
        assert_eq!(sample.pairs[0].weight, 12.5);
        assert_eq!(sample.pairs.iter().map(|pair| pair.weight).sum::<f64>(), 100.0);
    }

    #[test]
    fn the_rank_is_as_stated() {
        let inner = fmix64(M.wrapping_mul(7).wrapping_add(token(b"a")));
        assert_eq!(rank(7, "a", "b"), fmix64(M.wrapping_mul(inner).wrapping_add(token(b"b"))));
        assert_ne!(rank(7, "a", "b"), rank(7, "b", "a"));
        assert_ne!(rank(7, "ab", ""), rank(7, "a", "b"));
    }

    proptest! {
        #[test]
        fn order_and_repetition_do_not_matter(
            order in Just(population(6, 5)).prop_shuffle(), size in 0..40usize, seed in any::<u64>()
        ) {
            let sample = draw(&population(6, 5), size, seed);
            prop_assert_eq!(&draw(&order, size, seed), &sample);
            let twice: Vec<_> = order.iter().flat_map(|pair| [pair.clone(), pair.clone()]).collect();
            prop_assert_eq!(&draw(&twice, size, seed), &sample);
            let round: Vec<_> = order.iter().chain(&order).cloned().collect();
            let ids = |sample: &Sample| -> Vec<_> {
                sample.pairs.iter().map(|p| (p.source.clone(), p.target.clone())).collect()
            };
            prop_assert_eq!(ids(&draw(&round, size, seed)), ids(&sample));
        }

        #[test]
        fn a_larger_sample_begins_with_the_smaller(small in 0..30usize, more in 0..30usize, seed in any::<u64>()) {
            let pairs = population(6, 5);
            let (short, long) = (draw(&pairs, small, seed), draw(&pairs, small + more, seed));
            prop_assert!(long.extends(&short));
            prop_assert_eq!(short.pairs.len(), small.min(30));
        }
    }
}
