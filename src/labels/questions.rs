//! In which order the pairs of a sample are asked, which are repeated unannounced, and which document is on the left.
//!
//! Of each hundred pairs some ([`questions`]' `repeats`) are asked a second time, at least a quarter of the block later,
//! with their sides swapped: how often an annotator then says the same is the self-agreement. Everything here follows from
//! the sample and its seed, so that a restart, and a second annotator, meet the same questions.

use std::collections::BTreeMap;

use super::DocumentOrder;
use dejaview_base::hash;
use dejaview_base::random::Random;

/// Pairs of a block.
const BLOCK: usize = 100;

/// One thing to be decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// Number of the pair in its sample.
    pub pair: usize,
    /// Whether the annotator has been asked about this pair before.
    pub repeat: bool,
}

/// The questions that a sample of so many pairs makes, with `repeats` of each hundred asked again.
///
/// A block that is not full repeats in proportion, rounded down; blocks that are full do not change when the sample grows.
pub fn questions(pairs: usize, repeats: u64, seed: u64) -> Vec<Question> {
    let mut all = Vec::with_capacity(pairs + pairs / BLOCK * repeats as usize);
    for (block, first) in (0..pairs).step_by(BLOCK).enumerate() {
        let size = BLOCK.min(pairs - first);
        let wanted = (repeats.min(BLOCK as u64 / 4) as usize * size) / BLOCK;
        let mut again = chosen(size, wanted, &mut Random::new(seed, block as u64)).into_iter().peekable();
        for at in 0..size {
            all.push(Question { pair: first + at, repeat: false });
            while let Some(((_, _), pair)) = again.next_if(|((behind, _), _)| *behind == at) {
                all.push(Question { pair: first + pair, repeat: true });
            }
        }
    }
    all
}

/// The pairs of a block that are repeated, by the place after which they are.
fn chosen(size: usize, wanted: usize, random: &mut Random) -> BTreeMap<(usize, usize), usize> {
    let early = size * 3 / 4;
    let mut places = BTreeMap::new();
    let mut taken = Vec::new();
    while taken.len() < wanted.min(early) {
        let pair = random.below(early as u64) as usize;
        if !taken.contains(&pair) {
            let soonest = pair + size / 4;
            let behind = soonest + random.below((size - soonest) as u64) as usize;
            places.insert((behind, taken.len()), pair);
            taken.push(pair);
        }
    }
    places
}

/// Which document of a pair is shown first: random, but decided by the sample and its seed; the other one when the pair is
/// repeated.
pub fn document_order(sample: &str, seed: u64, source: &str, target: &str, repeat: bool) -> DocumentOrder {
    let words = format!("{sample}\0{seed}\0{source}\0{target}");
    let odd = hash::digest_bits(words.as_bytes()) & 1 == 1;
    if odd == repeat { DocumentOrder::SourceFirst } else { DocumentOrder::TargetFirst }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn five_of_each_hundred_come_again() {
        let asked = questions(250, 5, 41);
        let repeats: Vec<usize> = asked.iter().filter(|q| q.repeat).map(|q| q.pair).collect();
        let within = |range: std::ops::Range<usize>| repeats.iter().filter(|pair| range.contains(pair)).count();
        assert_eq!([within(0..100), within(100..200), within(200..250)], [5, 5, 2]);
        assert_eq!(asked, questions(250, 5, 41));
        assert_ne!(asked, questions(250, 5, 42));
        assert!(questions(19, 5, 41).iter().all(|question| !question.repeat));
        assert!(questions(0, 5, 41).is_empty());
    }

    #[test]
    fn sides_are_a_fair_coin_and_swap_when_asked_again() {
        let first = |n: usize, repeat| document_order("default", 1, "s", &format!("t{n}"), repeat);
        let left = (0..1_000).filter(|&n| first(n, false) == DocumentOrder::SourceFirst).count();
        assert!((437..=563).contains(&left), "{left} of 1,000 is four standard deviations off");
        assert!((0..1_000).all(|n| first(n, false) != first(n, true)));
        assert!((0..64).any(|n| first(n, false) != document_order("other", 1, "s", &format!("t{n}"), false)));
    }

    proptest! {
        #[test]
        fn each_pair_is_asked_in_order_and_again_much_later(pairs in 0usize..450, repeats in 0u64..40, seed: u64) {
            let asked = questions(pairs, repeats, seed);
            let first: Vec<usize> = asked.iter().filter(|q| !q.repeat).map(|q| q.pair).collect();
            prop_assert_eq!(first, (0..pairs).collect::<Vec<_>>());
            for (at, question) in asked.iter().enumerate().filter(|(_, q)| q.repeat) {
                let before = asked.iter().position(|q| q.pair == question.pair).unwrap();
                let block = BLOCK.min(pairs - question.pair / BLOCK * BLOCK);
                prop_assert!(at > before + block / 4, "{} and again {}", before, at);
                prop_assert_eq!(asked.iter().filter(|q| q.pair == question.pair).count(), 2);
            }
            // What is full stays as it is when the sample grows.
            let full = pairs / BLOCK * BLOCK;
            let end = asked.iter().position(|q| q.pair >= full).unwrap_or(asked.len());
            let longer = questions(pairs + 130, repeats, seed);
            prop_assert_eq!(&asked[..end], &longer[..end]);
        }
    }
}
