//! Which words part the documents of a collection best, and at which frequency?
//!
//! The paper asks for three things: the words should cover as many documents as possible, each should be as precise as
//! possible, and there should be few of them. It builds the distribution of documents over frequencies once for each
//! word and goes through rounds of two phases, coverage at bounded precision and precision at fixed coverage; the worst
//! words are dropped after each round. A word is the more precise, the fewer documents have a frequency within ± delta
//! of its threshold. What it leaves open is **ours**:
//!
//! - A threshold is a whole number of hundredths, over delta and below 1: a document without the word is never near it.
//! - A word *covers* the documents in which it is over its threshold. The words together cover a document when
//!   `least_set` of them do: it then has a sketch.
//! - *Precision* of a word at a threshold = set / (set + near + `minimum`), where `set` documents are over the threshold
//!   and `near` ones hold the word within ± delta of it (some are both). At the same coverage it is the higher, the
//!   fewer are near, as in the paper; a word that is set nowhere has none; and `minimum` keeps a word that is set in two
//!   or three documents from being perfect by chance.
//! - Phase 1: a word takes the threshold that covers most among those whose precision reaches the bound of the round and
//!   nine tenths of the best that this word has anywhere; a word without one falls out. Phase 2: among the thresholds
//!   that cover as much, it takes the one with the fewest documents near, the middle one of several.
//! - Then the third of the words with the lowest precision, rounded up, is dropped (ties: lower coverage, then lower
//!   hash), but words without which a document would lose its sketch go last. The bound is 0 in the first round, and then
//!   the lowest precision among those that would have stayed by their precision alone: a word that was kept only because
//!   a document needs it must become as precise as they are, at the cost of its coverage, or fall out.
//! - The rounds begin with the content words of at least `minimum` documents. None of them drops below the smaller of
//!   `words` and a tenth of the distinct content words, and the last one drops down to it.
//!
//! Documents are those that are learned from: a sample when the collection is large. Nothing depends on their order.
//! Cost: 16 bytes for each distinct content word of each text, a sort of these, and a look at each of them and at 100
//! thresholds a word in every round.

use std::cmp::Ordering;

use super::tf_max;
use crate::methods::parameters::Values;
use crate::methods::prepared::Prepared;
use crate::text::Tokens;

/// Share of its best precision that a word may not fall below to cover more.
const TOLERATED: f64 = 0.9;
/// One of so many distinct words becomes a support word at most.
const SHARE: usize = 10;
/// Hundredths by which a rational number may miss a whole one and still be it.
const ROUNDING: f64 = 1e-6;

/// A support word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Support {
    pub(super) hash: u64,
    /// In hundredths; 1 to 99.
    pub(super) threshold: u8,
}

/// The parameters, as numbers.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub(super) words: usize,
    pub(super) minimum: usize,
    pub(super) delta: f64,
    pub(super) rounds: usize,
    pub(super) least_set: usize,
}

impl Rule {
    pub(super) fn new(values: &Values) -> Self {
        let whole = |name| values.whole(name).unwrap_or(1) as usize;
        Self {
            words: whole("words"),
            minimum: whole("minimum"),
            delta: values.fraction("delta").unwrap_or_default(),
            rounds: whole("rounds"),
            least_set: whole("least_set"),
        }
    }

    /// The lowest threshold.
    fn lowest(&self) -> usize {
        (100.0 * self.delta + ROUNDING) as usize + 1
    }
}

/// The support words of some texts, by hash.
pub(super) fn choose(rule: &Rule, texts: &[String]) -> Vec<Support> {
    let uses = uses(rule, texts);
    let mut vocabulary = 0;
    let mut words: Vec<Word<'_>> = Vec::new();
    for uses in uses.chunk_by(|a, b| a.hash == b.hash) {
        vocabulary += 1;
        if uses.len() >= rule.minimum {
            words.push(Word { uses, place: Place::default() });
        }
    }
    let target = rule.words.min(vocabulary / SHARE);
    let mut bound = 0.0f64;
    for round in 1..=rule.rounds {
        words.retain_mut(|word| word.settle(rule, bound));
        if words.len() <= target {
            break;
        }
        let goal = if round == rule.rounds { target } else { target.max(words.len() - words.len().div_ceil(3)) };
        words.sort_unstable_by(Word::worst_first);
        let drop = words.len() - goal;
        bound = words.get(drop).map_or(bound, |word| word.place.precision);
        drop_worst(&mut words, drop, rule.least_set, texts.len());
    }
    let mut supports: Vec<Support> =
        words.iter().map(|word| Support { hash: word.hash(), threshold: word.place.threshold }).collect();
    supports.sort_unstable_by_key(|support| support.hash);
    supports
}

/// A word in a document that holds it.
#[derive(Debug, Clone, Copy)]
struct Use {
    hash: u64,
    document: u32,
    /// The highest threshold that the word is over.
    over: u8,
    /// The lowest and the highest threshold that it is near.
    near: (u8, u8),
}

impl Use {
    /// Of a word that occurs `tf` times in a document whose most frequent word occurs `most` times.
    fn new(rule: &Rule, hash: u64, document: u32, [tf, most]: [u32; 2]) -> Self {
        let (hundredths, most) = (100 * u64::from(tf), u64::from(most));
        let (frequency, delta) = (hundredths as f64 / most as f64, 100.0 * rule.delta + ROUNDING);
        let near = ((frequency - delta).ceil().max(0.0) as u8, (frequency + delta).floor().min(100.0) as u8);
        Self { hash, document, over: ((hundredths - 1) / most) as u8, near }
    }
}

/// The content words of all texts, by hash.
fn uses(rule: &Rule, texts: &[String]) -> Vec<Use> {
    let (mut uses, mut tokens) = (Vec::new(), Tokens::new());
    for (document, text) in (0u32..).zip(texts) {
        tokens.read(text);
        let prepared = Prepared::new(text, &tokens);
        let most = tf_max(prepared.terms());
        let content = prepared.terms().iter().filter(|term| term.content);
        uses.extend(content.map(|term| Use::new(rule, term.hash, document, [term.tf, most])));
    }
    uses.sort_unstable_by_key(|word| (word.hash, word.document));
    uses
}

/// A threshold with what it does.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Place {
    threshold: u8,
    /// Documents over it.
    set: u32,
    /// Documents within ± delta of it.
    near: u32,
    precision: f64,
}

/// A word that may become a support word.
#[derive(Debug)]
struct Word<'u> {
    /// At least one.
    uses: &'u [Use],
    place: Place,
}

impl<'u> Word<'u> {
    fn hash(&self) -> u64 {
        self.uses.first().map_or(0, |word| word.hash)
    }

    /// Takes its threshold by both phases; false when there is none of this precision.
    fn settle(&mut self, rule: &Rule, bound: f64) -> bool {
        let place = best_place(rule, self.uses, bound);
        self.place = place.unwrap_or_default();
        place.is_some()
    }

    /// Numbers of the documents that it covers.
    fn covered(&self) -> impl Iterator<Item = usize> + use<'u> {
        let threshold = self.place.threshold;
        self.uses.iter().filter(move |word| word.over >= threshold).map(|word| word.document as usize)
    }

    /// The order in which words are dropped.
    fn worst_first(&self, other: &Self) -> Ordering {
        let by_precision = self.place.precision.total_cmp(&other.place.precision);
        by_precision.then(self.place.set.cmp(&other.place.set)).then(self.hash().cmp(&other.hash()))
    }
}

/// The threshold that covers most of those that are precise enough, and of those that cover as much the one with the
/// fewest documents near.
fn best_place(rule: &Rule, uses: &[Use], bound: f64) -> Option<Place> {
    let all = distribution(rule, uses);
    let places = all.get(rule.lowest()..)?;
    let best = places.iter().map(|place| place.precision).fold(0.0, f64::max);
    let bound = bound.max(TOLERATED * best);
    // Thresholds ascend, so the first that is precise enough covers most.
    let set = places.iter().find(|place| place.set > 0 && place.precision >= bound)?.set;
    let as_many = || places.iter().filter(|place| place.set == set);
    let fewest = as_many().map(|place| place.near).min()?;
    let tied: Vec<&Place> = as_many().filter(|place| place.near == fewest).collect();
    tied.get((tied.len() - 1) / 2).map(|place| **place)
}

/// What each threshold from 0 to 99 hundredths does.
fn distribution(rule: &Rule, uses: &[Use]) -> Vec<Place> {
    // How many are over this threshold and no higher one, and how many more are near than at the one before.
    let (mut last, mut more) = ([0u32; 100], [0i64; 102]);
    for word in uses {
        last[usize::from(word.over)] += 1;
        more[usize::from(word.near.0)] += 1;
        more[usize::from(word.near.1) + 1] -= 1;
    }
    let (mut set, mut near) = (uses.len() as u32, 0);
    let mut places = Vec::with_capacity(100);
    for (threshold, (last, more)) in (0u8..).zip(last.into_iter().zip(more)) {
        near += more;
        let precision = f64::from(set) / (f64::from(set) + near as f64 + rule.minimum as f64);
        places.push(Place { threshold, set, near: near as u32, precision });
        set -= last;
    }
    places
}

/// Drops so many of the words, worst first as they stand, but those that a document needs last.
fn drop_worst(words: &mut Vec<Word<'_>>, mut drop: usize, least_set: usize, documents: usize) {
    let mut bits = vec![0usize; documents];
    for document in words.iter().flat_map(Word::covered) {
        bits[document] += 1;
    }
    for spare in [true, false] {
        words.retain(|word| {
            let needed = spare && word.covered().any(|document| bits[document] == least_set);
            if drop == 0 || needed {
                return true;
            }
            drop -= 1;
            for document in word.covered() {
                bits[document] -= 1;
            }
            false
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::base::hash;

    fn rule(words: usize, rounds: usize) -> Rule {
        Rule { words, minimum: 10, delta: 0.05, rounds, least_set: 1 }
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

    fn chosen(rule: &Rule, texts: &[String], words: &[&str]) -> Vec<Option<u8>> {
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
        let twice = Rule { least_set: 2, ..rule(2, 1) };
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
        let covering: Vec<(u32, u32)> = all
            .iter()
            .map(|&t| (t, counted(uses, t, delta)))
            .filter(|(_, n)| n.0 == most)
            .map(|(t, n)| (t, n.1))
            .collect();
        let fewest = covering.iter().map(|(_, near)| *near).min()?;
        let tied: Vec<u32> = covering.iter().filter(|(_, near)| *near == fewest).map(|(t, _)| *t).collect();
        Some((tied[(tied.len() - 1) / 2], most, fewest))
    }

    fn frequencies() -> impl Strategy<Value = [u32; 2]> {
        (1u32..=20).prop_flat_map(|most| (1..=most, Just(most)).prop_map(|(tf, most)| [tf, most]))
    }

    /// Whole texts by whole texts: everything counted anew from strings whenever it is needed.
    fn naive(rule: &Rule, texts: &[String]) -> BTreeMap<String, u32> {
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
        let held = |words: &BTreeMap<&str, (u32, u32, u32)>| {
            documents.iter().filter(|d| bits(words, d) >= rule.least_set).count()
        };
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
            let precision =
                |(_, set, near): (u32, u32, u32)| f64::from(set) / f64::from(set + near + rule.minimum as u32);
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
            let rule = Rule { minimum: minimum as usize, delta: f64::from(delta) / 100.0, ..rule(1, 1) };
            let made: Vec<Use> = uses.iter().map(|&counts| Use::new(&rule, 7, 0, counts)).collect();
            let found = best_place(&rule, &made, bound).map(|p| (u32::from(p.threshold), p.set, p.near));
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
            let rule = Rule { words, minimum, delta: 0.05, rounds, least_set };
            let supports = choose(&rule, &texts);
            let mut expected: Vec<Support> = naive(&rule, &texts)
                .iter()
                .map(|(word, &threshold)| Support { hash: hash::token(word.as_bytes()), threshold: threshold as u8 })
                .collect();
            expected.sort_unstable_by_key(|support| support.hash);
            prop_assert_eq!(&supports, &expected);
            let mut shuffled = texts.clone();
            shuffled.sort_by_key(|text| hash::fmix64(hash::token(text.as_bytes()) ^ seed as u64));
            prop_assert_eq!(choose(&rule, &shuffled), supports);
        }
    }
}
