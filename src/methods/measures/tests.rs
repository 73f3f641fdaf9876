//! Sizes and counts against sets made without any cunning.

use std::collections::{HashMap, HashSet};

use super::sequences::spaced;
use super::sorter::drop_repeats;
use super::*;
use dejaview_base::hash::{self, Roll};
use dejaview_text::Tokens;
use proptest::prelude::*;

fn sequences(text: &str) -> Sequences {
    let mut tokens = Tokens::new();
    tokens.read(text);
    Sequences::new(text, tokens.hashes())
}

fn scores(a: &str, b: &str) -> Scores {
    let (a, b) = (sequences(a), sequences(b));
    let (a, b) = (Sets::new(&a), Sets::new(&b));
    Scores::new(&a.profile(), &b.profile(), &a.common(&b))
}

fn naive(a: &[String], b: &[String], n: usize) -> f64 {
    let set = |words: &[String]| words.windows(n).map(<[String]>::to_vec).collect::<HashSet<_>>();
    let (a, b) = (set(a), set(b));
    if a.is_empty() && b.is_empty() {
        return 0.0;
    }
    a.intersection(&b).count() as f64 / a.union(&b).count() as f64
}

proptest! {
    #[test]
    fn equals_naive_sets(a in proptest::collection::vec("[a-d]{1,2}", 0..60), b in proptest::collection::vec("[a-d]{1,2}", 0..60)) {
        let found = scores(&a.join(" "), &b.join("\n"));
        for n in LENGTHS {
            prop_assert_eq!(found.jaccard(n), Some(naive(&a, &b, n)));
        }
        let count = |words: &[String]| words.iter().fold(HashMap::<String, f64>::new(), |mut m, w| { *m.entry(w.clone()).or_default() += 1.0; m });
        let (ta, tb) = (count(&a), count(&b));
        let dot: f64 = ta.iter().map(|(w, x)| x * tb.get(w).unwrap_or(&0.0)).sum();
        let norm = |t: &HashMap<String, f64>| t.values().map(|x| x * x).sum::<f64>().sqrt();
        let expected = if dot == 0.0 { 0.0 } else { dot / (norm(&ta) * norm(&tb)) };
        prop_assert!((found.cosine - expected).abs() < 1e-12);
    }
}

proptest! {
    #[test]
    fn words_between_blanks_are_those_of_the_library(text in "([a-zß日\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000} \t\r\n]|\\PC){0,60}") {
        let expected: Vec<u64> = text.split_whitespace().map(|word| hash::token(word.as_bytes())).collect();
        prop_assert_eq!(spaced(&text), expected);
    }

    #[test]
    fn sorting_equals_sorting(tokens in proptest::collection::vec(any::<u64>(), 0..600), kind in 0..3, before in 0..900usize) {
        // Crowded into few buckets; few different ones; nearly all different.
        let token = |t: u64| match kind { 0 => t % 50, 1 => hash::fmix64(t % 50), _ => hash::fmix64(t) };
        let tokens: Vec<u64> = tokens.into_iter().map(token).collect();
        for n in [1, 3] {
            let mut expected: Vec<u64> = Roll::new(&tokens, n).collect();
            expected.sort_unstable();
            let mut found = vec![7; before];
            Sorter::default().sort(Roll::new(&tokens, n), &mut found);
            prop_assert_eq!(&found, &expected);
            let mut in_place: Vec<u64> = Roll::new(&tokens, n).collect();
            sort_hashes(&mut in_place);
            prop_assert_eq!(&in_place, &expected);
            expected.dedup();
            drop_repeats(&mut found);
            prop_assert_eq!(&found, &expected);
            // None of their high bits is random.
            let mut small: Vec<u64> = in_place.iter().rev().map(|hash| hash >> 40).collect();
            sort_hashes(&mut small);
            prop_assert!(small.is_sorted() && small.len() == in_place.len());
        }
    }
}

/// Of long documents no memory is kept; of a shorter one behind it what is kept is taken again.
#[test]
fn long_and_short_documents_are_sorted_in_turn() {
    for count in [500u64, 70_000, 300, 65_536, 100, 0] {
        let mut hashes: Vec<u64> = (0..count).map(|i| hash::fmix64(i % 60_000)).collect();
        let mut expected = hashes.clone();
        expected.sort_unstable();
        sort_hashes(&mut hashes);
        assert!(hashes == expected, "{count}");
    }
}

#[test]
fn the_published_example_of_s3() {
    let found = scores("a b c d e f g h i", "a b c d e f g h j");
    assert_eq!((found.s3, found.dice_8, found.jaccard_8), (0.5, 0.5, 1.0 / 3.0));
    assert_eq!(scores("A b c d e f g h", "a b c d e f g h").s3, 0.0, "case is kept");
    assert_eq!(scores("a b c", "a b c").s3, 0.0, "under 8 words there is no 8-gram");
}

#[test]
fn empty_documents_resemble_nothing() {
    let found = scores("", "");
    assert_eq!((found.jaccard_1, found.cosine, found.length_ratio), (0.0, 0.0, 0.0));
    assert_eq!(scores("", "some words").jaccard_1, 0.0);
}

#[test]
fn containment_knows_its_direction() {
    let found = scores("one two", "one two three four");
    assert_eq!((found.containment_source, found.containment_target), (1.0, 0.5));
    assert_eq!((found.jaccard_1, found.length_ratio), (0.5, 0.5));
}
