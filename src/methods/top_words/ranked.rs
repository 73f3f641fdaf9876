//! The order of words by weight.

use std::cmp::Ordering;

use crate::prepared::Prepared;

/// A word of a document by its number, with its weight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub(super) weight: f64,
    pub(super) term: usize,
}

/// Less when `a` comes before `b`: by higher weight, then by the alphabet.
#[inline]
pub(super) fn order(document: &Prepared<'_>, a: &Ranked, b: &Ranked) -> Ordering {
    let by_weight = b.weight.partial_cmp(&a.weight).unwrap_or(Ordering::Equal);
    by_weight.then_with(|| alphabetical(document, a.term, b.term))
}

/// The order of two distinct words in case folding. Most differ in their first letters: no string is made for these.
pub(super) fn alphabetical(document: &Prepared<'_>, a: usize, b: usize) -> Ordering {
    let terms = document.terms();
    let token = |i: usize| &document.text().as_bytes()[document.tokens().span(terms[i].first as usize)];
    for (x, y) in token(a).iter().zip(token(b)) {
        let (x, y) = (x.to_ascii_lowercase(), y.to_ascii_lowercase());
        if !x.is_ascii() || !y.is_ascii() {
            break;
        }
        if x != y {
            return x.cmp(&y);
        }
    }
    document.word(&terms[a]).cmp(&document.word(&terms[b]))
}
