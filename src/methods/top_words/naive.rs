//! The four methods once more, as a person would write them down: to test the others against.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::Algorithm;
use crate::parameters::Value;
use crate::testing::{fitted, sketch, verdict};
use dejaview_base::hash;

/// Content words, and stop words that must not matter.
const WORDS: [&str; 16] = [
    "tide", "mill", "Harbour", "basin", "sluice", "gate", "miller", "water", "Größe", "wheel", "flour", "stone", "the",
    "of", "and", "their",
];
const STOP_WORDS: [&str; 4] = ["the", "of", "and", "their"];

/// What a weight may depend on.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// Times the word occurs in the document.
    pub tf: f64,
    /// Most times that any word does.
    pub tf_max: f64,
    /// Words of the document.
    pub dl: f64,
    /// Mean of it in the collection.
    pub dl_avg: f64,
    /// Documents that hold the word.
    pub df: f64,
    /// Times it occurs in the collection.
    pub cf: f64,
    /// Documents.
    pub n: f64,
}

fn content(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word.to_lowercase().replace('ß', "ss")).filter(|word| !STOP_WORDS.contains(&&**word)).collect()
}

fn times(words: &[String]) -> BTreeMap<&str, f64> {
    let mut times = BTreeMap::new();
    for word in words {
        *times.entry(word.as_str()).or_insert(0.0) += 1.0;
    }
    times
}

/// The weights of a document's words, heaviest first, ties by the alphabet.
pub fn ranking(text: &str, collection: &[&str], weight: fn(Facts) -> f64) -> Vec<(String, f64)> {
    let pages: Vec<Vec<String>> = collection.iter().map(|page| content(page)).collect();
    let written: usize = collection.iter().filter(|page| page.contains(char::is_alphanumeric)).count();
    let own = content(text);
    let counts = times(&own);
    let tf_max = counts.values().copied().fold(0.0, f64::max);
    let mut ranking: Vec<(String, f64)> = counts
        .iter()
        .map(|(word, &tf)| {
            let holding = pages.iter().filter(|page| page.iter().any(|other| other == word)).count();
            let occurring = pages.iter().flatten().filter(|other| other == word).count();
            let (df, cf) = if holding == 0 { (1.0, tf) } else { (holding as f64, occurring as f64) };
            let n = written as f64;
            let dl_avg = pages.iter().map(Vec::len).sum::<usize>() as f64 / n;
            ((*word).to_owned(), weight(Facts { tf, tf_max, dl: own.len() as f64, dl_avg, df, cf, n }))
        })
        .collect();
    ranking.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    ranking
}

/// The sketch by definition.
fn defined(text: &str, collection: &[&str], words: usize, weight: fn(Facts) -> f64) -> Option<Vec<u64>> {
    let ranking = ranking(text, collection, weight);
    let chosen: BTreeSet<String> = ranking.into_iter().take(words).map(|(word, _)| word).collect();
    let joined = chosen.iter().cloned().collect::<Vec<_>>().join(" ");
    (chosen.len() == words).then(|| vec![hash::token(joined.as_bytes())])
}

fn pages() -> impl Strategy<Value = Vec<String>> {
    let page = proptest::collection::vec(0..WORDS.len(), 0..40);
    let written = page.prop_map(|words| words.into_iter().map(|i| WORDS[i]).collect::<Vec<_>>().join(", "));
    proptest::collection::vec(written, 3..9)
}

/// Checks a method against its definition on random pages; the last two are not in the collection.
pub fn check(entry: &'static Algorithm, weight: fn(Facts) -> f64) {
    let strategy = (pages(), 1u64..8);
    proptest!(|((pages, words) in strategy)| {
        let all: Vec<&str> = pages.iter().map(String::as_str).collect();
        // A page that is certain to be there, so that there is always a collection.
        let collection: Vec<&str> = all[..all.len() - 2].iter().copied().chain(["The miller"]).collect();
        let method = fitted(entry, &[("words", Value::Whole(words))], &collection);
        for a in &all {
            prop_assert_eq!(sketch(&*method, a), defined(a, &collection, words as usize, weight), "{}", a);
            for b in &all {
                let agree = verdict(&*method, a, b);
                prop_assert_eq!(agree, verdict(&*method, b, a));
                let keys = [a, b].map(|text| {
                    let mut keys = Vec::new();
                    if let Some(sketch) = sketch(&*method, text) {
                        method.keys(&sketch, &mut keys);
                    }
                    keys
                });
                prop_assert!(agree.is_none() || keys[0].iter().any(|key| keys[1].contains(key)));
            }
        }
    });
}
