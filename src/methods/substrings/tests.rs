//! Fingerprints against Rabin by the definition, and what explanations say.

use std::collections::BTreeSet;

use super::fingerprints::{BASE, PRIME, times};
use super::*;
use crate::algorithm::Values;
use crate::parameters::Value;
use crate::testing::{fitted, sketch, verdict, with};
use proptest::prelude::*;

/// So many numbered words, each 9 bytes with its blank.
fn words(from: usize, to: usize) -> String {
    (from..to).map(|i| format!("word{:04}", i * 7919 % 10_000)).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_fingerprint_is_a_polynomial() {
    // ((a·B + b)·B + c), by hand with 128 bits.
    let method = Substrings::new(3, 1, 64, 0.5);
    let mut found = Vec::new();
    method.roll(b"abcd", |place, fingerprint| found.push((place, fingerprint)));
    let by_hand = |bytes: [u64; 3]| {
        let (base, prime) = (u128::from(BASE), u128::from(PRIME));
        let [a, b, c] = bytes.map(u128::from);
        fmix64((((a * base % prime + b) * base + c) % prime) as u64)
    };
    assert_eq!(found, [(0, by_hand([97, 98, 99])), (1, by_hand([98, 99, 100]))]);
    assert_eq!(times(PRIME - 1, PRIME - 1), 1, "minus one squared");
}

#[test]
fn short_documents_have_no_sketch() {
    let method = fitted(&ALGORITHM, &[], &[]);
    assert_eq!(sketch(&*method, ""), None);
    assert_eq!(sketch(&*method, "harbour"), None);
    // 6 words are 53 bytes and 4 substrings of 50; 7 words are 62 bytes and 13.
    assert_eq!(sketch(&*method, &words(0, 6)), None);
    assert_eq!(sketch(&*method, &words(0, 7)).map(|s| s.len()), Some(13));
    assert_eq!(sketch(&*method, &words(0, 400)).map(|s| s.len()), Some(64), "at most as many as are kept");
}

#[test]
fn a_sample_measures_the_share_of_common_substrings() {
    // 400 words of 9 bytes; words 0 to 40, or 0 to 280, are others: nine tenths and three tenths are common.
    let method = fitted(&ALGORITHM, &[("keep", Value::Whole(1024)), ("agree", Value::Fraction(0.05))], &[]);
    for (changed, share) in [(40, 0.9), (280, 0.3)] {
        let target = format!("{} {}", words(5000, 5000 + changed), words(changed, 400));
        let distance = verdict(&*method, &words(0, 400), &target).unwrap().distance;
        let measured = 1.0 - f64::from(distance) / 1024.0;
        assert!((measured - share).abs() < 0.05, "{measured} for {share}");
    }
}

#[test]
fn manbers_modulus_thins_out() {
    let all = fitted(&ALGORITHM, &[("keep", Value::Whole(1024))], &[]);
    let thinned = fitted(&ALGORITHM, &[("keep", Value::Whole(1024)), ("modulus", Value::Whole(256))], &[]);
    let text = words(0, 2000);
    assert_eq!(sketch(&*all, &text).unwrap().len(), 1024);
    let few = sketch(&*thinned, &text).unwrap();
    // 17,950 substrings, one in 256: 70 are expected, with a deviation of 8.
    assert!((40..100).contains(&few.len()), "{}", few.len());
    assert!(few.iter().all(|fingerprint| fingerprint % 256 == 0));
}

#[test]
fn the_share_is_not_rounded_up() {
    let needed = |agree, size| Substrings::new(50, 1, 64, agree).needed(size);
    assert_eq!([needed(0.1, 30), needed(0.5, 64), needed(0.5, 9), needed(0.05, 8), needed(1.0, 64)], [3, 32, 5, 1, 64]);
}

fn reasons(a: &str, b: &str) -> Reasons {
    let method = fitted(&ALGORITHM, &[], &[]);
    with(a, |a| with(b, |b| method.reasons(a, b)))
}

#[test]
fn a_match_hangs_on_the_shared_runs() {
    let source = words(0, 60);
    let target = format!("{} {}", words(0, 50), words(7000, 7010));
    let method = fitted(&ALGORITHM, &[], &[]);
    let reasons = reasons(&source, &target);
    let distance = verdict(&*method, &source, &target).unwrap().distance;
    assert_eq!(reasons.value, Some(f64::from(distance)));
    assert!(reasons.claim.starts_with(&format!("{} of 64 fingerprints are the same", 64 - distance)));
    let mut cut = target.clone();
    let mut places: Vec<_> = reasons.pieces.iter().flat_map(|piece| piece.target.clone()).collect();
    places.sort_unstable_by_key(|place| (place.start, place.end));
    for place in &places {
        cut.replace_range(place.clone(), &" ".repeat(place.len()));
    }
    assert_eq!(verdict(&*method, &source, &cut), None, "{cut}");
    assert!(reasons.decisive.is_empty());
}

#[test]
fn a_miss_says_how_many_are_lacking_and_where() {
    let source = words(0, 60);
    let target = format!("{} {}", words(0, 15), words(7000, 7045));
    let reasons = reasons(&source, &target);
    let method = fitted(&ALGORITHM, &[], &[]);
    assert_eq!(verdict(&*method, &source, &target), None);
    let [a, b] = [&source, &target].map(|text| sketch(&*method, text).unwrap());
    let shared = a.iter().filter(|fingerprint| b.contains(fingerprint)).count();
    assert_eq!(
        reasons.claim.split(';').next(),
        Some(format!("{shared} of 64 fingerprints are the same, 32 needed").as_str())
    );
    assert_eq!(reasons.value, Some((64 - shared) as f64));
    let kept_text = words(0, 15).len();
    assert!(!reasons.decisive.is_empty() && reasons.decisive.iter().all(|span| span.end > kept_text));
    let short = super::tests::reasons("tide mill", &source);
    assert!(short.value.is_none());
    assert_eq!(short.claim, "the source has fewer than 8 substrings of 50 bytes to go by");
}

#[test]
fn impossible_values_are_refused() {
    let mut values = Values::new(&ALGORITHM);
    assert!(values.set("length", Value::Whole(7)).unwrap_err().to_string().contains("8 to 1000"));
    assert!(values.set("agree", Value::Fraction(0.0)).unwrap_err().to_string().contains("0.05 to 1"));
}

proptest! {
    #[test]
    fn equals_the_definition_and_keys_lose_nothing(
        a in proptest::collection::vec(0usize..4, 0..60),
        b in proptest::collection::vec(0usize..4, 0..60),
        length in 8usize..20,
        modulus in 1u64..4,
        keep in 8usize..40,
        agree in 0.05f64..1.0,
    ) {
        let method = Substrings::new(length, modulus, keep, agree);
        let text = |words: &[usize]| words.iter().map(|&i| ["the", "Tide", "mill", "harbour"][i]).collect::<Vec<_>>().join(" ");
        let defined = |words: &[usize]| -> Vec<u64> {
            let content: Vec<String> = words.iter().filter(|&&i| i > 0).map(|&i| ["tide", "mill", "harbour"][i - 1].to_owned()).collect();
            let polynomial = |bytes: &[u8]| bytes.iter().fold(0u128, |sum, &byte| (sum * u128::from(BASE) + u128::from(byte)) % u128::from(PRIME));
            let set: BTreeSet<u64> = content.join(" ").as_bytes().windows(length).map(|w| fmix64(polynomial(w) as u64)).filter(|f| f % modulus == 0).collect();
            set.into_iter().take(keep).collect()
        };
        let sketches = [&a, &b].map(|words| {
            let expected = defined(words);
            (sketch(&method, &text(words)), (expected.len() >= LEAST).then_some(expected))
        });
        for (found, expected) in &sketches {
            prop_assert_eq!(found, expected);
        }
        if let [(Some(x), _), (Some(y), _)] = &sketches {
            let shared = x.iter().filter(|fingerprint| y.contains(fingerprint)).count();
            let larger = x.len().max(y.len());
            let expected = shared as f64 + 1e-9 >= agree * larger as f64;
            let verdict = method.compare(x, y);
            prop_assert_eq!(verdict.map(|evidence| usize::from(evidence.distance)), expected.then_some(larger - shared));
            prop_assert_eq!(method.compare(y, x), verdict);
            let keys = [x, y].map(|sketch| {
                let mut keys = Vec::new();
                method.keys(sketch, &mut keys);
                keys
            });
            prop_assert!(!expected || keys[0].iter().any(|key| keys[1].contains(key)));
            let reasons = with(&text(&a), |a| with(&text(&b), |b| method.reasons(a, b)));
            prop_assert_eq!(reasons.value, Some((larger - shared) as f64));
            prop_assert_eq!(reasons.pieces.is_empty(), !expected);
        }
    }
}
