//! The lexicon once more, as a person would write it down, and collections to test it on: shared by the tests of all
//! methods that have one.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use dejaview_base::hash::{self, fmix64};

/// Documents such that each word stands in as many as it says, and all of them hold the word "everywhere".
pub fn collection(documents: usize, words: &[(&str, usize)]) -> Vec<String> {
    let mut texts = vec!["everywhere".to_owned(); documents];
    for (i, (word, times)) in words.iter().enumerate() {
        for j in 0..*times {
            let text = &mut texts[(i + j) % documents];
            text.push(' ');
            text.push_str(word);
        }
    }
    texts
}

/// Ten documents, so that nidf = 1 − log10(df): 1, 0.70, 0.52, 0.40, 0.30, 0.22, 0.15, 0.10, 0.05, 0.
pub const TEN: [(&str, usize); 13] = [
    ("harbour", 2),
    ("tide", 2),
    ("mill", 3),
    ("wheel", 4),
    ("miller", 5),
    ("grain", 6),
    ("water", 7),
    ("village", 8),
    ("millstone", 1),
    ("sluice", 1),
    ("headrace", 1),
    ("the", 4),
    ("1889", 3),
];

fn split(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Normalised idf of every word of a collection, by the definition.
pub fn naive_nidf(texts: &[String]) -> BTreeMap<String, f64> {
    let sets: Vec<BTreeSet<String>> = texts.iter().map(|text| split(text)).filter(|set| !set.is_empty()).collect();
    let idf = |word: &String| (sets.len() as f64 / sets.iter().filter(|set| set.contains(word)).count() as f64).ln();
    let words: BTreeSet<&String> = sets.iter().flatten().collect();
    let top = words.iter().map(|word| idf(word)).fold(0.0, f64::max);
    let nidf = |word: &String| if top > 0.0 { idf(word) / top } else { 0.0 };
    words.into_iter().map(|word| (word.clone(), nidf(word))).collect()
}

/// The words of the signature of `text`, by the definition: sets of strings and logarithms, nothing hashed but ties.
pub fn naive(nidf: &BTreeMap<String, f64>, text: &str, keeps: &dyn Fn(&str) -> bool) -> Option<BTreeSet<String>> {
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).count();
    let unique: BTreeSet<String> = split(text).into_iter().filter(|w| w.len() >= 4 && digits(w) < 2).collect();
    let within = |word: &&String| nidf.get(*word).is_some_and(|x| (0.2 - 1e-9..=0.8 + 1e-9).contains(x));
    let mut chosen: BTreeSet<String> = unique.iter().filter(within).filter(|w| keeps(w)).cloned().collect();
    let mut rarer: Vec<(f64, u64, &String)> = Vec::new();
    for word in &unique {
        let rare = nidf.get(word).filter(|x| **x > 0.8 + 1e-9);
        rarer.extend(rare.map(|x| (*x, hash::token(word.as_bytes()), word)));
    }
    rarer.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let needed = unique.len().div_ceil(10).max(5);
    for (_, _, word) in rarer {
        if chosen.len() < needed {
            chosen.insert(word.clone());
        }
    }
    (unique.len() >= 5 && chosen.len() >= needed).then_some(chosen)
}

/// The hash of a set of words, by the definition.
pub fn naive_hash(words: &BTreeSet<String>) -> u64 {
    let sum: u128 = words.iter().map(|word| u128::from(fmix64(hash::token(word.as_bytes())))).sum();
    fmix64((sum as u64).wrapping_add((words.len() as u64).wrapping_mul(hash::S)))
}

/// Texts of words that are common and rare, short and with digits; the second of each two has the words of
/// the first in another order, or lacks some.
pub fn texts() -> impl Strategy<Value = Vec<String>> {
    let word = (0usize..40, 0usize..40).prop_map(|(a, b)| {
        let i = a.min(b);
        match i % 8 {
            6 => format!("ab{}", i % 10),
            7 => format!("abc{}", 10 + i),
            _ => format!("word{}", char::from(b'a' + (i % 26) as u8).to_string().repeat(1 + i / 26)),
        }
    });
    let words = proptest::collection::vec(word, 0..30);
    let change = (any::<prop::sample::Index>(), 0..4usize);
    proptest::collection::vec((words, change), 1..14).prop_map(|documents| {
        let mut texts = Vec::new();
        for (mut words, (place, changes)) in documents {
            texts.push(words.join(" "));
            if changes == 0 {
                words.reverse();
            }
            for _ in 0..changes.min(words.len()) {
                let at = place.index(words.len());
                words.remove(at);
            }
            texts.push(words.join(" "));
        }
        texts
    })
}
