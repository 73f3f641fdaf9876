//! Vectors by hand and by the definition.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::algorithm::{Parameters as _, Values};
use crate::parameters::Value;
use crate::statistics::Statistics;
use crate::testing::{fitted, reasons, sketch, statistics, verdict};
use dejaview_base::hash::{self, S, fmix64};

/// 40 pages, each with 10 words of its own and some of five words, these ten times.
pub(super) fn collection() -> Vec<String> {
    let often = ["harbour", "tide", "mill", "wheel", "grain"];
    let page = |i: usize| {
        let mut text: String = (0..10).map(|k| format!("only{i}x{k} ")).collect();
        for (k, word) in often.iter().enumerate() {
            text.push_str(&format!("{word} ").repeat(if (i + 8 * k) % 40 < 20 { 10 } else { 0 }));
        }
        text
    };
    (0..40).map(page).collect()
}

pub(super) fn learned(set: &[(&str, Value)]) -> Box<dyn Method> {
    let texts = collection();
    fitted(&ALGORITHM, set, &texts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// So many times each word.
pub(super) fn page(counts: &[(&str, usize)]) -> String {
    counts.iter().map(|(word, tf)| format!("{word} ").repeat(*tf)).collect()
}

#[test]
fn a_bit_is_set_over_the_threshold_and_nothing_else_counts() {
    // All five have a threshold of 0.50: nobody is near 0.06 to 0.94.
    let method = learned(&[]);
    let a = page(&[("harbour", 10), ("tide", 7), ("mill", 9), ("wheel", 5), ("basin", 4)]);
    let expected: u64 = ["harbour", "tide", "mill"]
        .map(|word| fmix64(hash::token(word.as_bytes())))
        .into_iter()
        .fold(3u64.wrapping_mul(S), u64::wrapping_add);
    assert_eq!(sketch(&*method, &a), Some(vec![fmix64(expected)]), "5 of 10 is not over 0.50");
    let b = page(&[("sluice", 20), ("mill", 13), ("Tide", 13), ("HARBOUR", 20), ("grain", 10), ("the", 90)]);
    assert_eq!(verdict(&*method, &a, &b), Some(Evidence { distance: 0 }));
    assert_eq!(verdict(&*method, &a, &page(&[("harbour", 10), ("tide", 7), ("mill", 9), ("wheel", 6)])), None);
    let longer = page(&[("sluice", 15)]);
    assert_eq!(verdict(&*method, &a, &(a.clone() + &longer)), None, "7 of 15 is no longer over 0.50");
}

#[test]
fn too_few_set_bits_are_no_sketch() {
    let two = page(&[("harbour", 5), ("tide", 5), ("mill", 1)]);
    for text in ["", "harbour", "the and of", "unheard words alone stand here", &two] {
        assert_eq!(sketch(&*learned(&[]), text), None, "{text}");
    }
    assert_eq!(sketch(&*learned(&[("least_set", Value::Whole(2))]), &two).map(|words| words.len()), Some(1));
    assert_eq!(sketch(&*learned(&[("least_set", Value::Whole(1))]), "basin"), None, "a zero vector never is");
}

#[test]
fn a_collection_that_teaches_nothing_gives_no_sketches() {
    let values = Values::new(&ALGORITHM);
    assert!(ALGORITHM.learns && ALGORITHM.fitted);
    let empty = values.fit(&Statistics::default()).unwrap();
    assert_eq!(sketch(&*empty, &collection()[0]), None);
    assert_eq!(sketch(&*learned(&[("minimum", Value::Whole(41))]), &collection()[0]), None);
}

#[test]
fn what_was_learned_is_stored_with_the_statistics() {
    let texts = collection();
    let values = Values::new(&ALGORITHM);
    let mut counted = statistics(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    values.learn(&texts, &mut counted);
    assert_eq!(counted.learned(&values.learning_key()).len(), 10, "a hash and a threshold for each of five words");
    let stored = Statistics::from_bytes(&counted.to_bytes()).unwrap();
    let method = values.fit(&stored).unwrap();
    assert_eq!(sketch(&*method, &texts[3]), sketch(&*learned(&[]), &texts[3]));
    assert!(sketch(&*method, &texts[3]).is_some());
}

#[test]
fn what_cannot_be_is_refused() {
    let mut values = Values::new(&ALGORITHM);
    let mut refused = |name: &str, value| values.set(name, value).unwrap_err().to_string();
    assert!(refused("words", Value::Whole(0)).contains("1 to 100000"));
    assert!(refused("minimum", Value::Whole(10_001)).contains("1 to 10000"));
    assert!(refused("delta", Value::Fraction(0.5)).contains("0 to 0.45"));
    assert!(refused("rounds", Value::Whole(0)).contains("1 to 20"));
    assert!(refused("least_set", Value::Whole(0)).contains("1 to 100"));
}

/// A pattern, a word with another count, words of its own.
type Drawn = (usize, Option<(usize, usize)>, usize);

/// Pages over six words that all may hold, made of three patterns with a few changes, each with words of its own.
pub(super) fn pages() -> impl Strategy<Value = Vec<String>> {
    let change = proptest::option::weighted(0.4, (0usize..6, 0usize..6));
    proptest::collection::vec((0usize..3, change, 1usize..8), 14..26).prop_map(|pages| {
        let patterns = [[6, 5, 4, 0, 1, 0], [1, 0, 6, 6, 5, 1], [0, 3, 0, 6, 1, 6]];
        let page = |(i, (pattern, change, own)): (usize, Drawn)| -> String {
            let mut counts: [usize; 6] = patterns[pattern];
            if let Some((word, tf)) = change {
                counts[word] = tf;
            }
            let own = (0..5).map(|k| format!("only{i}x{k}. ").repeat(if k == 0 { own } else { 1 }));
            own.chain(counts.iter().enumerate().map(|(k, &tf)| format!("word{k} ").repeat(tf))).collect()
        };
        pages.into_iter().enumerate().map(page).collect()
    })
}

/// The support words over their thresholds, from strings and fractions.
fn naive(supports: &BTreeMap<u64, u64>, text: &str) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *counts.entry(word.to_lowercase()).or_default() += 1.0;
    }
    let most = counts.values().copied().fold(0.0, f64::max);
    let threshold = |word: &str| supports.get(&hash::token(word.as_bytes())).map(|&t| t as f64 / 100.0);
    let over = |(word, tf): (String, f64)| (tf / most > threshold(&word)?).then_some(word);
    counts.into_iter().filter_map(over).collect()
}

proptest! {
    #[test]
    fn equals_the_bit_vectors(pages in pages(), least_set in 1u64..4) {
        let set = [("minimum", Value::Whole(4)), ("least_set", Value::Whole(least_set))];
        let mut values = Values::new(&ALGORITHM);
        for (name, value) in &set {
            values.set(name, value.clone()).unwrap();
        }
        let learned = values.read::<Parameters>().learn(&pages);
        let supports: BTreeMap<u64, u64> = learned.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        let method = fitted(&ALGORITHM, &set, &pages.iter().map(String::as_str).collect::<Vec<_>>());
        for a in &pages {
            let bits = naive(&supports, a);
            let own = sketch(&*method, a);
            prop_assert_eq!(own.is_some(), bits.len() as u64 >= least_set);
            for b in pages.iter().take(8) {
                let other = naive(&supports, b);
                let expected = (bits == other && own.is_some()).then_some(Evidence { distance: 0 });
                prop_assert_eq!(verdict(&*method, a, b), expected);
                prop_assert_eq!(verdict(&*method, b, a), expected);
                let keys = |text: &str| {
                    let mut keys = Vec::new();
                    sketch(&*method, text).iter().for_each(|sketch| method.keys(sketch, &mut keys));
                    keys
                };
                prop_assert_eq!(expected.is_some(), keys(a).iter().any(|key| keys(b).contains(key)));
            }
        }
    }

    #[test]
    fn reasons_say_what_compare_says_and_pieces_carry_the_match(pages in pages()) {
        let set = [("minimum", Value::Whole(4)), ("least_set", Value::Whole(2))];
        let method = fitted(&ALGORITHM, &set, &pages.iter().map(String::as_str).collect::<Vec<_>>());
        for (source, target) in pages.iter().zip(pages.iter().skip(1)) {
            let answer = reasons(&*method, source, target);
            let sketched = sketch(&*method, source).is_some() && sketch(&*method, target).is_some();
            let matched = verdict(&*method, source, target).is_some();
            prop_assert_eq!(answer.value.is_none(), !sketched);
            prop_assert_eq!(answer.value == Some(0.0), matched);
            prop_assert_eq!(answer.pieces.is_empty(), !matched);
            prop_assert_eq!(answer.decisive.is_empty(), matched || !sketched);
            for piece in answer.pieces {
                let mut cut = target.clone();
                for span in piece.target {
                    cut.replace_range(span.clone(), &" ".repeat(span.len()));
                }
                prop_assert_eq!(verdict(&*method, source, &cut), None, "{}", piece.claim);
            }
        }
    }
}
