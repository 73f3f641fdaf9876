//! What the tests of all methods share: documents from texts, collections, sketches, verdicts.

use super::catalogue::{Entry, Evidence, Method};
use super::parameters::{Value, Values};
use super::prepared::Prepared;
use super::statistics::{Counts, Statistics};
use crate::text::Tokens;

/// Asks a document that lives as long as the question.
pub fn with<R>(text: &str, ask: impl FnOnce(&Prepared<'_>) -> R) -> R {
    let mut tokens = Tokens::new();
    tokens.read(text);
    ask(&Prepared::new(text, &tokens))
}

/// Statistics of some texts.
pub fn statistics(texts: &[&str]) -> Statistics {
    let mut counts = Counts::default();
    for text in texts {
        with(text, |document| counts.add(document));
    }
    counts.finish()
}

/// The method with these values, fitted to a collection; it learns from the same texts.
pub fn fitted(entry: &'static dyn Entry, set: &[(&str, Value)], texts: &[&str]) -> Box<dyn Method> {
    let mut values = Values::new(entry);
    for (name, value) in set {
        values.set(name, value.clone()).unwrap();
    }
    let mut statistics = statistics(texts);
    statistics.learn(&values, &texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
    entry.fit(&values, &statistics).unwrap()
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
