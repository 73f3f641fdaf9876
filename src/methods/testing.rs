//! What the tests of all methods share: documents, collections, sketches and verdicts of texts.

use std::ops::Range;

use proptest::prelude::*;

use super::algorithm::{Algorithm, Values};
use super::counts::Counts;
use super::method::{Evidence, Method, Reasons};
use super::parameters::Value;
use super::prepared::Prepared;
use super::statistics::Statistics;
use dejaview_text::{Tokens, fold, sentences, word_facts};

/// Calls `ask` with a document made from a text.
pub fn with<R>(text: &str, ask: impl FnOnce(&Prepared<'_>) -> R) -> R {
    let mut tokens = Tokens::new();
    tokens.read(text);
    ask(&Prepared::new(text, &tokens))
}

pub fn statistics(texts: &[&str]) -> Statistics {
    let mut counts = Counts::default();
    for text in texts {
        with(text, |document| counts.add(document));
    }
    counts.finish()
}

/// The method with these values, fitted to a collection; it learns from the same texts.
pub fn fitted(algorithm: &'static Algorithm, set: &[(&str, Value)], texts: &[&str]) -> Box<dyn Method> {
    let mut values = Values::new(algorithm);
    for (name, value) in set {
        values.set(name, value.clone()).unwrap();
    }
    let mut statistics = statistics(texts);
    values.learn(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), &mut statistics);
    values.fit(&statistics).unwrap()
}

/// The value of `words` with which short words count, too.
pub fn all_words() -> (&'static str, Value) {
    ("words", Value::Word("all".to_owned()))
}

/// The sketch of a text, if it has one.
pub fn sketch(method: &dyn Method, text: &str) -> Option<Vec<u64>> {
    let mut out = Vec::new();
    with(text, |document| method.sketch(document, &mut out)).then_some(out)
}

/// What the method says of two texts.
pub fn verdict(method: &dyn Method, a: &str, b: &str) -> Option<Evidence> {
    method.compare(&sketch(method, a)?, &sketch(method, b)?)
}

/// Why it says so.
pub fn reasons(method: &dyn Method, source: &str, target: &str) -> Reasons {
    with(source, |source| with(target, |target| method.reasons(source, target)))
}

/// Sentences of which small texts are made: few, so that texts have many in common, with ties in length, stop words, case,
/// accents, ideographs, a number and a sentence without a content word.
const SENTENCES: [&str; 12] = [
    "The harbour stands open today. ",
    "Old lanterns burn along the quay tonight! ",
    "Zebras graze. Then adders bask there\n",
    "ÉTÉ à la plage avec Straßenbahn ",
    "It is so. ",
    "Mühle mills turn slowly, mills turn again. ",
    "東京の港は今日も静かだ。",
    "1 2 3 4 5\n",
    "Quay workers mended forty lanterns. ",
    "Adders bask openly near harbours. ",
    "Incomprehensibilities notwithstanding, Übergangswohnheime characteristically overcompensated. ",
    "Boats\n",
];

pub fn prose() -> impl Strategy<Value = String> {
    proptest::collection::vec(0usize..SENTENCES.len(), 0..9).prop_map(|numbers| joined(&numbers))
}

/// Two small texts, the second with some sentences of the first left out, replaced or moved.
pub fn similar_texts() -> impl Strategy<Value = (String, String)> {
    let sentence = (0usize..SENTENCES.len(), 0usize..12, 0usize..SENTENCES.len());
    (proptest::collection::vec(sentence, 0..11), 0u8..4).prop_map(|(sentences, turned)| {
        let first: Vec<usize> = sentences.iter().map(|&(number, _, _)| number).collect();
        let mut second: Vec<usize> = Vec::new();
        for (number, change, other) in sentences {
            match change {
                0 => {}
                1 => second.push(other),
                _ => second.push(number),
            }
        }
        if turned == 0 {
            second.reverse();
        }
        (joined(&first), joined(&second))
    })
}

fn joined(numbers: &[usize]) -> String {
    numbers.iter().map(|&number| SENTENCES[number]).collect()
}

/// The sentences of a document as their content words in case folding, found word by word.
pub fn defined_sentences(document: &Prepared<'_>) -> Vec<Vec<String>> {
    let (text, tokens) = (document.text(), document.tokens());
    let words = |range: Range<u32>| {
        let content = range.map(|i| i as usize).filter(|&i| word_facts(text, tokens, i).is_content());
        content
            .map(|i| {
                let mut folded = String::new();
                fold(&text[tokens.span(i)], &mut folded);
                folded
            })
            .collect()
    };
    let mut ranges = Vec::new();
    sentences(text, tokens, &mut ranges);
    ranges.into_iter().map(words).collect()
}

/// A text without some passages.
pub fn cut(text: &str, passages: &[Range<usize>]) -> String {
    text.char_indices().filter(|(at, _)| !passages.iter().any(|p| p.contains(at))).map(|(_, c)| c).collect()
}

/// A text with some passages blanked out, so that all other text keeps its place.
pub fn blanked(text: &str, passages: &[Range<usize>]) -> String {
    let mut text = text.to_owned();
    for passage in passages {
        text.replace_range(passage.clone(), &" ".repeat(passage.len()));
    }
    text
}
