//! Choosing pairs from a stream.
//!
//! Every pair has a [`rank`] that depends on the seed and its two ids alone; a sample of n is the n pairs of lowest
//! rank, of each stratum as many as [`super::allocate`] says. So the same pairs are drawn whatever the order of the stream, a
//! repeated pair is drawn once, and a larger sample holds the smaller one. Memory grows with the sample, not with the
//! stream.

use std::collections::{BTreeMap, BTreeSet};

use super::allocation::allocate_more;
use super::{Allocation, Sample, SampledPair, Stratum, Tally};
use dejaview_base::hash::{M, fmix64, token};
use dejaview_base::random::mix;
use dejaview_base::similarity::ratio;

/// Place of a pair in the random order of a seed, modulo 2^64:
/// `fmix64(fmix64(seed·M + token(source))·M + token(target))` with the functions of [`dejaview_base::hash`], the ids as
/// UTF-8 bytes. Equal ranks are ordered by source, then target.
pub fn rank(seed: u64, source: &str, target: &str) -> u64 {
    rank_of_tokens(seed, token(source.as_bytes()))(token(target.as_bytes()))
}

/// The same for a source with some targets, given the hashes of their ids.
pub fn rank_of_tokens(seed: u64, source: u64) -> impl Fn(u64) -> u64 {
    let first = fmix64(seed.wrapping_mul(M).wrapping_add(source)).wrapping_mul(M);
    move |target| fmix64(first.wrapping_add(target))
}

/// Separates the order in which pairs are labelled from the order in which they are drawn: where few of many are drawn,
/// ranks are low, and strata would come one after the other.
const ORDER: u64 = 0x6f_7264_6572;

/// A pair that may be drawn.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// The lowest are drawn.
    pub rank: u64,
    /// Id of the source document.
    pub source: &'a str,
    /// Id of the target document.
    pub target: &'a str,
    /// Bit c: configuration c of the sample found it.
    pub found: u64,
    /// How many pairs of its source document it was chosen from, with equal probability; 1 when pairs are drawn.
    pub document_pairs: u64,
}

/// What is kept of a candidate: rank, source, target, found, document_pairs.
type Kept = (u64, String, String, u64, u64);

#[derive(Debug, Default)]
struct Keeper {
    tally: Tally,
    lowest: BTreeSet<Kept>,
}

impl Keeper {
    /// The highest rank that is kept, once there are as many as are drawn at most. Of none to draw it is 0.
    fn most(&self, size: usize) -> Option<u64> {
        (self.lowest.len() >= size).then(|| self.lowest.last().map_or(0, |last| last.0))
    }

    fn keep(&mut self, candidate: Candidate<'_>, size: usize) {
        let Candidate { rank, source, target, found, document_pairs } = candidate;
        self.lowest.insert((rank, source.to_owned(), target.to_owned(), found, document_pairs));
        if self.lowest.len() > size {
            self.lowest.pop_last();
        }
    }
}

/// Draws in one pass.
#[derive(Debug)]
pub struct Drawer {
    seed: u64,
    size: usize,
    allocation: Allocation,
    configurations: usize,
    least: BTreeMap<String, u64>,
    strata: BTreeMap<(u32, String), Keeper>,
}

impl Drawer {
    /// Draws `size` candidates; each has been found by some of this many configurations.
    pub fn new(seed: u64, size: usize, allocation: Allocation, configurations: usize) -> Self {
        Self { seed, size, allocation, configurations, least: BTreeMap::new(), strata: BTreeMap::new() }
    }

    /// The same, with so many of some strata (their names) at least.
    #[must_use]
    pub fn at_least(self, least: impl IntoIterator<Item = (String, u64)>) -> Self {
        Self { least: least.into_iter().collect(), ..self }
    }

    /// Takes a candidate of a stratum (its place and name) into account. It must not come twice, but for pairs that
    /// follow themselves, which the caller joins.
    pub fn offer(&mut self, stratum: (u32, String), candidate: Candidate<'_>) {
        self.offer_all(stratum, [candidate]);
    }

    /// Takes candidates of one stratum into account in the same way.
    pub fn offer_all<'a>(&mut self, stratum: (u32, String), candidates: impl IntoIterator<Item = Candidate<'a>>) {
        let keeper = self.strata.entry(stratum).or_default();
        let mut most = keeper.most(self.size);
        for candidate in candidates {
            keeper.tally.add(candidate.found);
            if most.is_none_or(|most| candidate.rank <= most) {
                keeper.keep(candidate, self.size);
                most = keeper.most(self.size);
            }
        }
    }

    /// The strata, and the pairs drawn with the configurations that found them as bits.
    pub fn finish(self) -> (Vec<Stratum>, Vec<(SampledPair, u64)>) {
        let (size, allocation, seed, least) = (self.size as u64, self.allocation, self.seed, self.least.clone());
        self.finish_by(|strata| {
            let sizes: Vec<(&str, u64)> = strata.iter().map(|(_, name, pairs)| (*name, *pairs)).collect();
            let least: Vec<u64> = sizes.iter().map(|(name, _)| least.get(*name).copied().unwrap_or(0)).collect();
            allocate_more(&sizes, &least, size, allocation, seed)
        })
    }

    /// The same, when somebody else says how many are drawn of each stratum, given its place, its name and its pairs: no
    /// more than the drawer was made for.
    pub fn finish_by(
        self,
        drawn: impl FnOnce(&[(u32, &str, u64)]) -> Vec<u64>,
    ) -> (Vec<Stratum>, Vec<(SampledPair, u64)>) {
        let sizes: Vec<(u32, &str, u64)> =
            self.strata.iter().map(|((place, name), keeper)| (*place, name.as_str(), keeper.tally.pairs())).collect();
        let drawn = drawn(&sizes);
        let (mut strata, mut pairs) = (Vec::new(), Vec::new());
        for (((_, name), keeper), drawn) in self.strata.into_iter().zip(drawn) {
            let n = drawn.min(keeper.lowest.len() as u64);
            let population = keeper.tally.pairs();
            let (weight, probability) = (ratio(population, n), ratio(n, population));
            for (_, source, target, found, document_pairs) in keeper.lowest.into_iter().take(n as usize) {
                let pair = SampledPair {
                    source,
                    target,
                    stratum: name.clone(),
                    weight: weight * document_pairs as f64,
                    probability: probability / document_pairs.max(1) as f64,
                    found: Vec::new(),
                    document_pairs: (document_pairs > 1).then_some(document_pairs),
                    assigned: Vec::new(),
                };
                pairs.push((pair, found));
            }
            strata.push(Stratum { drawn: n, ..keeper.tally.stratum(name, self.configurations) });
        }
        (strata, pairs)
    }
}

/// Brings pairs into the order in which they are labelled: those of `before` first, as they were, then the others by a
/// random order of the seed.
pub fn order(pairs: &mut [SampledPair], seed: u64, before: Option<&Sample>) {
    let old: BTreeMap<(&str, &str), usize> = before
        .iter()
        .flat_map(|sample| &sample.pairs)
        .enumerate()
        .map(|(i, pair)| ((pair.source.as_str(), pair.target.as_str()), i))
        .collect();
    pairs.sort_by_cached_key(|pair| {
        let place = old.get(&(pair.source.as_str(), pair.target.as_str())).copied().unwrap_or(usize::MAX);
        (place, rank(mix(seed, ORDER), &pair.source, &pair.target), pair.source.clone(), pair.target.clone())
    });
}

/// A simple random sample of pairs in order: one stratum that holds all of them.
pub fn draw_simple<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>, size: usize, seed: u64) -> Sample {
    let mut drawer = Drawer::new(seed, size, Allocation::Proportional, 1);
    let mut before = None;
    for (source, target) in pairs {
        if before.replace((source, target)) != Some((source, target)) {
            let rank = rank(seed, source, target);
            drawer.offer((0, "all".to_owned()), Candidate { rank, source, target, found: 1, document_pairs: 1 });
        }
    }
    let (strata, pairs) = drawer.finish();
    Sample {
        seed,
        size: size as u64,
        population: strata.iter().map(|stratum| stratum.population).sum(),
        pairs: pairs.into_iter().map(|(pair, _)| pair).collect(),
        strata,
        ..Sample::default()
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

    #[test]
    fn strata_have_weights_of_their_own_and_documents_those_of_their_pairs() {
        let mut drawer = Drawer::new(1, 6, Allocation::Equal, 2);
        for (i, (source, target)) in population(10, 10).iter().enumerate() {
            let stratum = if i < 10 { (0, "few".to_owned()) } else { (1, "many".to_owned()) };
            let candidate = Candidate {
                rank: rank(1, source, target),
                source,
                target,
                found: 1 + (i as u64 & 2),
                document_pairs: 4,
            };
            drawer.offer(stratum, candidate);
        }
        let (strata, pairs) = drawer.finish();
        let of = |s: &Stratum| (s.name.clone(), s.population, s.drawn, s.found.clone());
        assert_eq!(
            strata.iter().map(of).collect::<Vec<_>>(),
            [("few".to_owned(), 10, 3, vec![10, 4]), ("many".to_owned(), 90, 3, vec![90, 46]),]
        );
        assert_eq!(pairs.iter().map(|(pair, _)| pair.weight).sum::<f64>(), 400.0, "pairs of 100 documents with 4 each");
    }

    #[test]
    fn a_longer_sample_keeps_the_order_of_the_shorter() {
        let draw = |size, before: Option<&Sample>| {
            let mut sample = draw(&population(10, 10), size, 5);
            order(&mut sample.pairs, 5, before);
            sample
        };
        let short = draw(20, None);
        let long = draw(50, Some(&short));
        assert!(long.extends(&short));
        assert!(!draw(50, None).extends(&short), "on its own it has another order");
        let mut by_rank = short.pairs.clone();
        by_rank.sort_by_key(|pair| rank(5, &pair.source, &pair.target));
        assert_ne!(by_rank, short.pairs, "labelling goes another way than drawing");
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
