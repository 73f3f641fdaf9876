//! The sequence against its definition, and what explanations say of it.

use super::explain::LocatedSample;
use super::*;
use crate::algorithm::Values;
use crate::explanation::Side;
use crate::parameters::Value;
use crate::testing::{all_words, cut, fitted, prose, reasons, similar_texts, sketch, verdict, with};
use dejaview_base::hash;
use proptest::prelude::*;

fn with_shingles_of(n: u64) -> Box<dyn Method> {
    fitted(&ALGORITHM, &[("shingle", Value::Whole(n)), all_words()], &[])
}

/// The n-gram hash, without rolling.
fn defined_hash(words: &[u64]) -> u64 {
    let sum = words.iter().fold(0u64, |sum, w| sum.wrapping_mul(hash::M).wrapping_add(*w));
    hash::fmix64(sum.wrapping_add((words.len() as u64).wrapping_mul(hash::S)))
}

/// Every power tried on every shingle.
fn defined(text: &str, n: usize) -> Vec<u64> {
    let words = with(text, |d| d.tokens().hashes().to_vec());
    if words.len() < n {
        return Vec::new();
    }
    let twice = [&words[..], &words[..]].concat();
    let shingles: Vec<u64> = (0..words.len()).map(|i| defined_hash(&twice[i..i + n])).collect();
    let smallest = |i: u32| shingles.iter().copied().filter(|f| f % (1u64 << i) == 0).min();
    (0..64).map_while(smallest).collect()
}

#[test]
fn small_pages() {
    let method = with_shingles_of(5);
    for text in ["", "one", "four words are few"] {
        assert_eq!(sketch(&*method, text), None, "{text}");
    }
    assert_eq!(sketch(&*method, "five words are just enough").map(|s| s.len()), Some(1));
    let answer = reasons(&*method, "one", "");
    assert!(answer.value.is_none());
    assert_eq!(answer.claim, "both have fewer than 5 words");
}

#[test]
fn where_a_page_begins_does_not_matter() {
    let method = with_shingles_of(5);
    let (a, b) = ("the tide mill stands again by the open quay", "by the open quay the tide mill stands again");
    assert_eq!(sketch(&*method, a), sketch(&*method, b));
    assert_ne!(sketch(&*method, a), sketch(&*method, "by the open quay a tide mill stands again"));
}

#[test]
fn lengths_are_refused() {
    let mut values = Values::new(&ALGORITHM);
    assert!(values.set("shingle", Value::Whole(0)).is_err());
    let refused = values.set("shingle", Value::Whole(33)).unwrap_err().to_string();
    assert!(refused.contains("1 to 32"), "{refused}");
}

#[test]
fn a_wrapped_shingle_has_two_places() {
    let method = LogShingles { shingle: 3 };
    with("alpha beta gamma delta", |document| {
        let wrapped = method.wrapped(document);
        assert_eq!(wrapped.len(), 2);
        assert_eq!(method.starts(document, wrapped[1]), [3]);
        assert_eq!(method.spans(document, 3), [17..22, 0..10]);
        assert_eq!(LocatedSample::new(&method, Side::Source, document).quoted(wrapped[1]), "“delta alpha beta”");
    });
    with("alpha beta gamma", |document| assert!(LogShingles { shingle: 1 }.wrapped(document).is_empty()));
}

#[test]
fn a_miss_names_the_first_power_that_differs() {
    let method = with_shingles_of(2);
    let (a, b) = ("the tide mill stands again by the open quay", "the tide mill stood again by the open quay");
    let answer = reasons(&*method, a, b);
    let (here, there) = (defined(a, 2), defined(b, 2));
    let first = (0..).find(|&i| here.get(i) != there.get(i)).unwrap();
    assert!(answer.claim.starts_with(&format!("at 2^{first} “")), "{}", answer.claim);
    assert!(answer.claim.contains(" stands only in the "), "{}", answer.claim);
    let places: Vec<&str> = answer.decisive.iter().map(|span| &b[span.clone()]).collect();
    assert!(places.iter().all(|place| place.contains("stood")), "{places:?}");
    let differing = (0..here.len().max(there.len())).filter(|&i| here.get(i) != there.get(i)).count();
    assert_eq!(answer.value, Some(differing as f64));
    let mut rows: Vec<_> = (0..here.len().max(there.len())).map(|i| (here.get(i), there.get(i))).collect();
    rows.dedup();
    assert_eq!(answer.parts[0].parts.len(), rows.len());
}

proptest! {
    #[test]
    fn as_defined(text in prose(), n in 1usize..7) {
        let expected = defined(&text, n);
        with(&text, |d| assert_eq!(LogShingles { shingle: n }.sequence(d), expected));
        let signature = (!expected.is_empty()).then(|| vec![defined_hash(&expected)]);
        prop_assert_eq!(sketch(&*with_shingles_of(n as u64), &text), signature);
    }

    #[test]
    fn reasons_are_true((a, b) in similar_texts(), n in 1u64..6) {
        let method = with_shingles_of(n);
        let answer = reasons(&*method, &a, &b);
        let known = sketch(&*method, &a).is_some() && sketch(&*method, &b).is_some();
        prop_assert_eq!(answer.value.is_none(), !known);
        if !known {
            return Ok(());
        }
        let matched = verdict(&*method, &a, &b).is_some();
        prop_assert_eq!(matched, verdict(&*method, &b, &a).is_some());
        prop_assert_eq!([answer.value == Some(0.0), !answer.pieces.is_empty()], [matched; 2]);
        prop_assert!(!matched || answer.decisive.is_empty());
        for piece in answer.pieces {
            prop_assert!(verdict(&*method, &a, &cut(&b, &piece.target)).is_none(), "{}", piece.claim);
        }
        for span in answer.decisive {
            prop_assert!(b.get(span).is_some());
        }
    }
}
