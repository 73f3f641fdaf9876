//! Sharing the pairs of a sample out among annotators: some to all of them, so that agreement can be measured, each of the
//! others to one.
//!
//! Within a stratum pairs are taken in a random order of the seed. The overlap is spread over the strata like a
//! proportional sample ([`allocate`]); the rest is dealt out one by one, going on from stratum to stratum. So the parts of
//! a stratum, and the whole parts, differ by one pair at most, and each part is a random part.

use std::collections::{BTreeMap, BTreeSet};

use super::allocation::allocate;
use super::{Allocation, Sample, SampledPair, rank};
use dejaview_base::random::mix;

/// Separates the order in which pairs are shared out from other orders of the same seed.
const SHARING: u64 = 0x7368_6172_6564;

/// Gives `overlap` of the pairs to all annotators, and each of the others to one of them.
pub fn share(pairs: &mut [SampledPair], annotators: &[String], overlap: u64, seed: u64) {
    let strata = by_stratum(pairs, seed, |_| true);
    let sizes: Vec<(&str, u64)> = strata.iter().map(|(name, places)| (name.as_str(), places.len() as u64)).collect();
    let shared = allocate(&sizes, overlap, Allocation::Proportional, seed);
    let mut next = (0..annotators.len()).cycle();
    for (places, shared) in strata.values().zip(shared) {
        for (i, &place) in places.iter().enumerate() {
            let one = if i as u64 >= shared { next.next() } else { None };
            pairs[place].assigned = one.map_or_else(|| annotators.to_vec(), |one| vec![annotators[one].clone()]);
        }
    }
}

/// Gives each pair that nobody has yet to the annotator with the fewest pairs of its stratum; of several, to the one with
/// the fewest in all.
pub fn share_rest(pairs: &mut [SampledPair], annotators: &[String], seed: u64) {
    let mut of_stratum: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut of_all: BTreeMap<String, usize> = BTreeMap::new();
    for pair in pairs.iter() {
        for name in &pair.assigned {
            *of_stratum.entry((pair.stratum.clone(), name.clone())).or_default() += 1;
            *of_all.entry(name.clone()).or_default() += 1;
        }
    }
    for (stratum, places) in by_stratum(pairs, seed, |pair| pair.assigned.is_empty()) {
        for place in places {
            let held = |name: &&String| {
                let here = of_stratum.get(&(stratum.clone(), (*name).clone())).copied().unwrap_or_default();
                (here, of_all.get(*name).copied().unwrap_or_default())
            };
            let Some(fewest) = annotators.iter().min_by_key(held) else { return };
            *of_stratum.entry((stratum.clone(), fewest.clone())).or_default() += 1;
            *of_all.entry(fewest.clone()).or_default() += 1;
            pairs[place].assigned = vec![fewest.clone()];
        }
    }
}

/// Places of some of the pairs by stratum, in a random order of the seed.
fn by_stratum(pairs: &[SampledPair], seed: u64, wanted: impl Fn(&SampledPair) -> bool) -> BTreeMap<String, Vec<usize>> {
    let mut strata: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, pair) in pairs.iter().enumerate().filter(|(_, pair)| wanted(pair)) {
        strata.entry(pair.stratum.clone()).or_default().push(place);
    }
    let seed = mix(seed, SHARING);
    for places in strata.values_mut() {
        places.sort_by_key(|&place| {
            let pair = &pairs[place];
            (rank(seed, &pair.source, &pair.target), &pair.source, &pair.target)
        });
    }
    strata
}

impl SampledPair {
    /// Whether this annotator is asked about it.
    pub fn is_for(&self, annotator: &str) -> bool {
        self.assigned.is_empty() || self.assigned.iter().any(|name| name == annotator)
    }
}

impl Sample {
    /// Those among whom its pairs were shared out, by name; none when everyone is asked about all.
    pub fn annotators(&self) -> Vec<&str> {
        let names: BTreeSet<&str> = self.pairs.iter().flat_map(|pair| &pair.assigned).map(String::as_str).collect();
        names.into_iter().collect()
    }

    /// Places of the pairs that an annotator is asked about, in their order.
    pub fn part(&self, annotator: &str) -> Vec<usize> {
        (0..self.pairs.len()).filter(|&place| self.pairs[place].is_for(annotator)).collect()
    }

    /// Pairs that all of those among whom it was shared out are asked about.
    pub fn overlap(&self) -> usize {
        let all = self.annotators().len();
        self.pairs.iter().filter(|pair| pair.assigned.len() == all).count()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(strata: &[usize]) -> Vec<SampledPair> {
        let pair = |h: usize, i: usize| SampledPair {
            source: format!("s{h}-{i}"),
            target: format!("t{i}"),
            stratum: format!("stratum {h}"),
            weight: 1.0,
            probability: 1.0,
            found: Vec::new(),
            document_pairs: None,
            assigned: Vec::new(),
        };
        strata.iter().enumerate().flat_map(|(h, &n)| (0..n).map(move |i| pair(h, i))).collect()
    }

    fn names(n: usize) -> Vec<String> {
        ["ann", "bob", "eve", "zoë"][..n].iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_pair_is_for_those_it_was_given_to() {
        let mut sample = Sample { pairs: pairs(&[30, 10]), ..Sample::default() };
        assert_eq!((sample.annotators().len(), sample.part("anybody").len()), (0, 40));
        share(&mut sample.pairs, &names(3), 10, 7);
        assert_eq!((sample.annotators(), sample.overlap()), (vec!["ann", "bob", "eve"], 10));
        assert_eq!(["ann", "bob", "eve", "zoë"].map(|name| sample.part(name).len()), [20, 20, 20, 0]);
        let mut again = pairs(&[30, 10]);
        share(&mut again, &names(3), 10, 7);
        assert_eq!(again, sample.pairs, "the seed decides");
        share(&mut again, &names(3), 10, 8);
        assert_ne!(again, sample.pairs);
    }

    #[test]
    fn more_pairs_leave_the_others_where_they_are() {
        let mut longer = pairs(&[40, 20]);
        let known: Vec<usize> = (0..20).chain(40..50).collect();
        let mut before: Vec<SampledPair> = known.iter().map(|&place| longer[place].clone()).collect();
        share(&mut before, &names(2), 6, 1);
        for (&place, pair) in known.iter().zip(&before) {
            longer[place].assigned.clone_from(&pair.assigned);
        }
        share_rest(&mut longer, &names(2), 1);
        assert!(known.iter().zip(&before).all(|(&place, pair)| longer[place] == *pair));
        let longer = Sample { pairs: longer, ..Sample::default() };
        assert_eq!((longer.overlap(), longer.part("ann").len(), longer.part("bob").len()), (6, 33, 33));
    }

    proptest! {
        #[test]
        fn parts_are_balanced_and_nothing_is_left(
            sizes in prop::collection::vec(1..40usize, 1..6), n in 2..5usize, overlap in 0..60u64, seed: u64
        ) {
            let mut shared = pairs(&sizes);
            let (all, annotators) = (shared.len(), names(n));
            share(&mut shared, &annotators, overlap, seed);
            let both = shared.iter().filter(|pair| pair.assigned.len() == n).count();
            prop_assert_eq!(both as u64, overlap.min(all as u64));
            prop_assert!(shared.iter().all(|pair| [1, n].contains(&pair.assigned.len())));
            let count = |of: &dyn Fn(&SampledPair) -> bool| {
                let part = |name: &String| shared.iter().filter(|pair| of(pair) && pair.is_for(name)).count();
                annotators.iter().map(part).collect::<Vec<_>>()
            };
            let even = |parts: Vec<usize>| parts.iter().max().unwrap() - parts.iter().min().unwrap() <= 1;
            prop_assert!(even(count(&|_| true)));
            for h in 0..sizes.len() {
                let name = format!("stratum {h}");
                prop_assert!(even(count(&|pair| pair.stratum == name)));
            }
        }
    }
}
