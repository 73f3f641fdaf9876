//! Support words and thresholds against counting by the definition.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use dejaview_base::hash;

fn rule(words: usize, rounds: usize) -> SupportRule {
    SupportRule { words, minimum: 10, delta: 0.05, rounds, least_set: 1 }
}

/// A word, and how often document `i` has it.
type Stated = (&'static str, fn(usize) -> usize);

/// 40 documents, each with a word of its own that occurs 10 times and 7 that occur once, and `tf` times each word.
fn collection(words: &[Stated]) -> Vec<String> {
    let document = |i: usize| {
        let own = (0..8).map(|k| format!("only{i}x{k} ").repeat(if k == 0 { 10 } else { 1 }));
        own.chain(words.iter().map(|(word, tf)| format!("{word} ").repeat(tf(i)))).collect()
    };
    (0..40).map(document).collect()
}

fn chosen(rule: &SupportRule, texts: &[String], words: &[&str]) -> Vec<Option<u8>> {
    let supports = choose(rule, texts);
    let threshold = |word: &&str| {
        let hash = hash::token(word.as_bytes());
        supports.iter().find(|support| support.hash == hash).map(|support| support.threshold)
    };
    let thresholds: Vec<Option<u8>> = words.iter().map(threshold).collect();
    assert_eq!(thresholds.iter().flatten().count(), supports.len(), "no other word");
    thresholds
}

#[test]
fn the_evident_words_at_the_evident_thresholds() {
    let texts = collection(&[
        ("harbour", |i| if i < 20 { 8 } else { 1 }),
        ("lantern", |_| 3),
        ("doubtful", |i| usize::from(i < 10)),
        ("scarce", |i| usize::from(i < 9) * 10),
        ("the", |_| 9),
    ]);
    let words = ["harbour", "lantern", "doubtful", "scarce", "the"];
    // Nobody is near 0.16 to 0.74 of harbour and 0.06 to 0.24 of lantern; these are the middles. All documents are
    // near any threshold that doubtful is over.
    assert_eq!(chosen(&rule(2, 4), &texts, &words), [Some(45), Some(15), None, None, None]);
    assert_eq!(chosen(&rule(9, 4), &texts, &words), [Some(45), Some(15), Some(7), None, None]);
    assert_eq!(chosen(&rule(1, 4), &texts, &words), [None, Some(15), None, None, None]);
}

#[test]
fn what_a_document_needs_stays_for_the_round() {
    let texts = collection(&[
        ("harbour", |i| usize::from(i < 20) * 8),
        ("lantern", |i| usize::from(i < 30) * 3),
        ("doubtful", |i| usize::from(i >= 30)),
    ]);
    let words = ["harbour", "lantern", "doubtful"];
    let of = |rounds| chosen(&rule(2, rounds), &texts, &words);
    assert_eq!(of(1), [None, Some(15), Some(7)], "harbour is more precise, but nobody needs it");
    assert_eq!(of(2), [None, Some(15), None], "doubtful cannot become as precise as harbour was");
    let twice = SupportRule { least_set: 2, ..rule(2, 1) };
    assert_eq!(chosen(&twice, &texts, &words), [Some(40), Some(15), None], "no two words cover the last documents");
}

#[test]
fn small_collections_have_no_support_words() {
    assert_eq!(choose(&rule(4000, 4), &[]), []);
    assert_eq!(choose(&rule(4000, 4), &["a tide mill at the harbour".to_owned()]), []);
    let same = vec!["tide mill harbour lantern".to_owned(); 40];
    assert_eq!(choose(&rule(4000, 4), &same), [], "a tenth of four words is none");
}

/// Numbers of documents set and near, by the definition in whole numbers.
fn counted(uses: &[[u32; 2]], threshold: u32, delta: u32) -> (u32, u32) {
    let set = uses.iter().filter(|[tf, most]| 100 * tf > threshold * most).count();
    let near = uses.iter().filter(|[tf, most]| (100 * tf).abs_diff(threshold * most) <= delta * most).count();
    (set as u32, near as u32)
}

/// The threshold by trying all of them, with the numbers of documents set and near.
fn by_trying(uses: &[[u32; 2]], minimum: u32, delta: u32, bound: f64) -> Option<(u32, u32, u32)> {
    let precision = |(set, near): (u32, u32)| f64::from(set) / f64::from(set + near + minimum);
    let all: Vec<u32> = (delta + 1..=99).collect();
    let best = all.iter().map(|&t| precision(counted(uses, t, delta))).fold(0.0, f64::max);
    let enough = |t: &&u32| precision(counted(uses, **t, delta)) >= bound.max(0.9 * best);
    let most = all.iter().filter(enough).map(|&t| counted(uses, t, delta).0).max().filter(|&set| set > 0)?;
    let covering: Vec<(u32, u32)> =
        all.iter().map(|&t| (t, counted(uses, t, delta))).filter(|(_, n)| n.0 == most).map(|(t, n)| (t, n.1)).collect();
    let fewest = covering.iter().map(|(_, near)| *near).min()?;
    let tied: Vec<u32> = covering.iter().filter(|(_, near)| *near == fewest).map(|(t, _)| *t).collect();
    Some((tied[(tied.len() - 1) / 2], most, fewest))
}

fn frequencies() -> impl Strategy<Value = [u32; 2]> {
    (1u32..=20).prop_flat_map(|most| (1..=most, Just(most)).prop_map(|(tf, most)| [tf, most]))
}

/// Whole texts by whole texts: everything counted anew from strings whenever it is needed.
fn naive(rule: &SupportRule, texts: &[String]) -> BTreeMap<String, u32> {
    let delta = (100.0 * rule.delta).round() as u32;
    let mut documents: Vec<BTreeMap<&str, u32>> = Vec::new();
    for text in texts {
        let mut counts = BTreeMap::new();
        text.split_whitespace().for_each(|word| *counts.entry(word).or_insert(0) += 1);
        documents.push(counts);
    }
    let vocabulary: BTreeSet<&str> = documents.iter().flat_map(|d| d.keys().copied()).collect();
    let most = |d: &BTreeMap<&str, u32>| d.values().copied().max().unwrap_or(1);
    let uses = |word: &str| -> Vec<[u32; 2]> {
        documents.iter().filter_map(|d| d.get(word).map(|&tf| [tf, most(d)])).collect()
    };
    let bits = |words: &BTreeMap<&str, (u32, u32, u32)>, d: &BTreeMap<&str, u32>| {
        words.iter().filter(|(word, place)| d.get(**word).is_some_and(|tf| 100 * tf > place.0 * most(d))).count()
    };
    let held =
        |words: &BTreeMap<&str, (u32, u32, u32)>| documents.iter().filter(|d| bits(words, d) >= rule.least_set).count();
    let target = rule.words.min(vocabulary.len() / 10);
    let mut left: BTreeSet<&str> = vocabulary.into_iter().filter(|w| uses(w).len() >= rule.minimum).collect();
    let mut places = BTreeMap::new();
    let mut bound = 0.0;
    for round in 0..rule.rounds {
        let place = |word: &str| by_trying(&uses(word), rule.minimum as u32, delta, bound);
        places = left.iter().filter_map(|&word| Some((word, place(word)?))).collect();
        let size = places.len();
        if size <= target {
            break;
        }
        let goal = if round + 1 == rule.rounds { target } else { target.max(2 * size / 3) };
        let precision = |(_, set, near): (u32, u32, u32)| f64::from(set) / f64::from(set + near + rule.minimum as u32);
        let mut ranked: Vec<&str> = places.keys().copied().collect();
        ranked.sort_by(|a, b| {
            let key = |w: &str| (precision(places[w]), places[w].1, hash::token(w.as_bytes()));
            key(a).partial_cmp(&key(b)).unwrap()
        });
        bound = ranked.get(size - goal).map_or(bound, |word| precision(places[*word]));
        for careful in [true, false] {
            for word in &ranked {
                let mut without = places.clone();
                without.remove(word);
                if places.len() > goal && (!careful || held(&without) == held(&places)) {
                    places = without;
                }
            }
        }
        left = places.keys().copied().collect();
    }
    places.into_iter().map(|(word, place)| (word.to_owned(), place.0)).collect()
}

/// Texts over eight words that all may hold, each with four words of its own.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let tf = prop_oneof![3 => Just(0usize), 3 => Just(1), 2 => Just(2), 1 => 3usize..7];
    let document = (proptest::collection::vec(tf, 8), 1usize..6);
    proptest::collection::vec(document, 6..26).prop_map(|documents| {
        let text = |(i, (tf, own)): (usize, (Vec<usize>, usize))| -> String {
            let own = (0..4).map(|k| format!("only{i}x{k} ").repeat(if k == 0 { own } else { 1 }));
            own.chain(tf.iter().enumerate().map(|(k, &tf)| format!("word{k} ").repeat(tf))).collect()
        };
        documents.into_iter().enumerate().map(text).collect()
    })
}

proptest! {
    #[test]
    fn thresholds_equal_trying_all_of_them(
        uses in proptest::collection::vec(frequencies(), 1..40),
        minimum in 1u32..12,
        delta in 0u32..=45,
        bound in prop_oneof![Just(0.0), 0.0..0.9],
    ) {
        let rule = SupportRule { minimum: minimum as usize, delta: f64::from(delta) / 100.0, ..rule(1, 1) };
        let made: Vec<WordUse> = uses.iter().map(|&counts| WordUse::new(&rule, 7, 0, counts)).collect();
        let found = best_threshold(&rule, &made, bound).map(|(p, _)| (u32::from(p.threshold), p.set, p.near));
        prop_assert_eq!(found, by_trying(&uses, minimum, delta, bound));
    }

    #[test]
    fn equals_the_rounds_as_described_in_any_order(
        texts in texts(),
        words in 1usize..8,
        minimum in 1usize..5,
        rounds in 1usize..5,
        least_set in 1usize..4,
        seed in 0usize..1000,
    ) {
        let rule = SupportRule { words, minimum, delta: 0.05, rounds, least_set };
        let supports = choose(&rule, &texts);
        let mut expected: Vec<SupportWord> = naive(&rule, &texts)
            .iter()
            .map(|(word, &threshold)| SupportWord { hash: hash::token(word.as_bytes()), threshold: threshold as u8 })
            .collect();
        expected.sort_unstable_by_key(|support| support.hash);
        prop_assert_eq!(&supports, &expected);
        let mut shuffled = texts.clone();
        shuffled.sort_by_key(|text| hash::fmix64(hash::token(text.as_bytes()) ^ seed as u64));
        prop_assert_eq!(choose(&rule, &shuffled), supports);
    }
}
