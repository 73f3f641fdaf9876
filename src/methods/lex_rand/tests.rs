//! The parts of a sketch against their definition, and what explanations say of them.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::algorithm::Parameters as _;
use crate::algorithm::Values;
use crate::imatch;
use crate::lexicon::naive::{TEN, collection, naive, naive_hash, naive_nidf, texts};
use crate::parameters::Value;
use crate::statistics::Statistics;
use crate::testing::{blanked, fitted, reasons, sketch, verdict};
use dejaview_base::hash::{self, M};

pub(super) fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// Word number `i` of a made-up vocabulary, without digits.
pub(super) fn word(i: usize) -> String {
    let letter = |i: usize| char::from(b'a' + (i % 26) as u8);
    ['w', letter(i), 'o', letter(i / 26), 'r', letter(i / 676)].into_iter().collect()
}

/// The definition of a draw, in fractions.
fn kept(word: &str, k: usize, drop: f64, seed: u64) -> bool {
    let (j, i) = ((k as u64 - 1) / 4, (k as u64 - 1) % 4);
    let salted = hash::token(word.as_bytes()) ^ fmix64(seed + S);
    let draw = fmix64(salted ^ (j + 1).wrapping_mul(M)) / (1 << (16 * i)) % 32768;
    draw as f64 / 32768.0 >= drop - 0.5 / 32768.0
}

#[test]
fn one_lexicon_that_leaves_a_word_out_is_enough() {
    let more = ["cargo", "crane", "quay", "anchor", "ferry", "canal", "lock", "barge", "rope", "sail"];
    let words: Vec<(&str, usize)> = TEN.into_iter().chain(more.map(|word| (word, 3))).collect();
    let texts = collection(10, &words);
    let method = fitted(&ALGORITHM, &[], &borrowed(&texts));
    let source = &format!("harbour tide mill wheel miller grain millstone sluice headrace {}", more.join(" "));
    let target = source.replace("grain", "flour");
    let agreeing: Vec<usize> = (1..=10).filter(|&k| !kept("grain", k, 0.33, 1)).collect();
    assert!(!agreeing.is_empty() && agreeing.len() < 10, "{agreeing:?}");
    let distance = (11 - agreeing.len()) as u16;
    assert_eq!(verdict(&*method, source, &target), Some(Evidence { distance }));
    assert_eq!(sketch(&*method, source).map(|sketch| sketch.len()), Some(11));
    let answer = reasons(&*method, source, &target);
    let verb = if agreeing.len() == 1 { "agrees" } else { "agree" };
    let expected = format!(
        "{} of 11 lexicons {verb}; lexicon {} does without all that differ: “grain”",
        agreeing.len(),
        agreeing[0]
    );
    assert_eq!((answer.claim, answer.value), (expected, Some(f64::from(distance))));
    assert_eq!(answer.parts.last().unwrap().claim.split(" = ").nth(1), Some("0.982"), "1 − 0.67^10");
    assert_eq!(verdict(&*fitted(&imatch::ALGORITHM, &[], &borrowed(&texts)), source, &target), None);
}

#[test]
fn a_miss_names_the_nearest_lexicon_and_what_would_make_it_agree() {
    let words: Vec<String> = (0..40).map(word).collect();
    let stated: Vec<(&str, usize)> = words.iter().map(|word| (word.as_str(), 3)).collect();
    let mut texts = collection(10, &stated);
    texts[0].push_str(" rarest");
    let method = fitted(&ALGORITHM, &[("lexicons", Value::Whole(4))], &borrowed(&texts));
    let source = words.join(" ");
    let changed: Vec<&String> = words.iter().step_by(4).collect();
    let target = changed.iter().fold(source.clone(), |text, word| text.replace(word.as_str(), "unheard"));
    assert_eq!(verdict(&*method, &source, &target), None);
    let answer = reasons(&*method, &source, &target);
    let kept = |k: usize| changed.iter().filter(|word| kept(word, k, 0.33, 1)).collect::<Vec<_>>();
    let nearest = (1..=4).min_by_key(|&k| (kept(k).len(), k)).unwrap();
    assert!(
        answer
            .claim
            .starts_with(&format!("none of 5 lexicons agrees; nearest is lexicon {nearest}, which differs in “"))
    );
    assert_eq!((answer.value, answer.decisive.len()), (Some(5.0), kept(nearest).len()));
    let mut mended = target.clone();
    for span in answer.decisive.iter().rev() {
        assert_eq!(&target[span.clone()], "unheard");
        let place = target[..span.start].split_whitespace().count();
        mended.replace_range(span.clone(), &words[place]);
    }
    assert!(verdict(&*method, &source, &mended).is_some(), "{mended}");
}

#[test]
fn parts_without_enough_words_agree_with_nothing() {
    // Six words of L, none rarer: a lexicon that leaves out two of them has four, and five are needed.
    let method = fitted(&ALGORITHM, &[("lexicons", Value::Whole(100))], &borrowed(&collection(10, &TEN)));
    let source = "harbour tide mill wheel miller grain water";
    let parts = sketch(&*method, source).unwrap();
    for (k, part) in parts.iter().enumerate().skip(1) {
        let words = ["harbour", "tide", "mill", "wheel", "miller", "grain"];
        let left = words.iter().filter(|word| kept(word, k, 0.33, 1)).count();
        assert_eq!(*part == 0, left < 5, "lexicon {k} keeps {left}");
    }
    let rejected = parts.iter().filter(|part| **part == 0).count();
    assert!((1..100).contains(&rejected));
    assert_eq!(method.compare(&parts, &parts), Some(Evidence { distance: 0 }));
    let mut keys = Vec::new();
    method.keys(&parts, &mut keys);
    assert_eq!(keys.len(), 101 - rejected);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "equal parts have keys of their own");
    assert_eq!(method.compare(&[1, 0, 0], &[2, 0, 3]), None);
    assert_eq!(method.compare(&[1, 4, 0], &[2, 4, 3]), Some(Evidence { distance: 2 }));
    assert_eq!(method.compare(&[1, 4], &[4, 1]), None, "only at the same place");
    let answer = reasons(&*method, source, source);
    assert_eq!(answer.value, Some(0.0));
    assert!(answer.claim.starts_with(&format!("{} of 101 lexicons agree, on the same 6 words", 101 - rejected)));
}

#[test]
fn without_further_lexicons_it_is_imatch() {
    let texts = collection(10, &TEN);
    let source = "harbour tide mill wheel miller grain";
    let whole = fitted(&imatch::ALGORITHM, &[], &borrowed(&texts));
    let none = fitted(&ALGORITHM, &[("lexicons", Value::Whole(0))], &borrowed(&texts));
    let ten = fitted(&ALGORITHM, &[], &borrowed(&texts));
    let three = fitted(&ALGORITHM, &[("lexicons", Value::Whole(3))], &borrowed(&texts));
    assert_eq!(sketch(&*none, source), sketch(&*whole, source));
    assert_eq!(sketch(&*three, source).unwrap(), sketch(&*ten, source).unwrap()[..4]);
    for text in ["", "harbour", "harbour tide mill wheel"] {
        assert_eq!(sketch(&*ten, text), None, "{text}");
    }
    assert_eq!(sketch(&*fitted(&ALGORITHM, &[], &[]), source), None);
}

#[test]
fn what_cannot_be_is_refused() {
    let mut values = Values::new(&ALGORITHM);
    let mut refused = |name: &str, value| values.set(name, value).unwrap_err().to_string();
    assert!(refused("lexicons", Value::Whole(101)).contains("from 0 to 100"));
    assert!(refused("drop", Value::Fraction(1.0)).contains("from 0.01 to 0.99"));
}

#[test]
fn lexicons_leave_out_the_share_they_say_and_independently() {
    let method = LexRand {
        lexicon: Lexicon::new(&Parameters::defaults().lexicon, &Statistics::default()),
        lexicons: 10,
        drop: 0.33,
        cut: (0.33 * 32768.0f64).round() as u64,
        salt: fmix64(1 + S),
    };
    let words: Vec<u64> = (0..20_000u32).map(|i| hash::token(&i.to_le_bytes())).collect();
    let dropped = |word: u64, k: usize| !method.keeps(k, word);
    for k in 1..=10 {
        let share = words.iter().filter(|&&word| dropped(word, k)).count() as f64 / 20_000.0;
        assert!((share - 0.33).abs() < 0.0133, "lexicon {k}: {share}, four standard errors");
        for other in k + 1..=10 {
            let both = words.iter().filter(|&&word| dropped(word, k) && dropped(word, other)).count();
            let share = both as f64 / 20_000.0;
            assert!((share - 0.1089).abs() < 0.0088, "lexicons {k} and {other}: {share}");
        }
    }
    assert!(words.iter().all(|&word| method.keeps(0, word)));
}

proptest! {
    #[test]
    fn equals_the_definition_and_its_reasons(texts in texts(), drop in 0.1f64..0.9, seed in 0u64..9) {
        let set = [("drop", Value::Fraction(drop)), ("seed", Value::Whole(seed)), ("lexicons", Value::Whole(6))];
        let method = fitted(&ALGORITHM, &set, &borrowed(&texts));
        let digests = [&set[..], &[("hash", Value::Word("sha1".into()))]].concat();
        let sha1 = fitted(&ALGORITHM, &digests, &borrowed(&texts));
        let nidf = naive_nidf(&texts);
        for pair in texts.chunks(2) {
            let [a, b] = [&pair[0], &pair[1]].map(|text| sketch(&*method, text));
            let naive = [&pair[0], &pair[1]].map(|text| {
                let part = |k: usize| naive(&nidf, text, &|word| k == 0 || kept(word, k, drop, seed));
                part(0)?;
                Some((0..=6).map(|k| part(k).map_or(0, |words| naive_hash(&words))).collect::<Vec<u64>>())
            });
            prop_assert_eq!(&a, &naive[0]);
            prop_assert_eq!(&b, &naive[1]);
            let answer = reasons(&*method, &pair[0], &pair[1]);
            let (Some(a), Some(b)) = (a, b) else {
                prop_assert!(answer.value.is_none());
                continue;
            };
            let evidence = method.compare(&a, &b);
            prop_assert_eq!(evidence, verdict(&*sha1, &pair[0], &pair[1]));
            prop_assert_eq!(evidence, method.compare(&b, &a));
            prop_assert_eq!(answer.value, Some(a.iter().zip(&b).filter(|(x, y)| x != y).count() as f64));
            let [mut one, mut two] = [Vec::new(), Vec::new()];
            method.keys(&a, &mut one);
            method.keys(&b, &mut two);
            prop_assert_eq!(one.iter().any(|key| two.contains(key)), evidence.is_some());
            prop_assert_eq!(answer.pieces.is_empty(), evidence.is_none());
            prop_assert_eq!(answer.decisive.is_empty(), evidence.is_some());
            if evidence.is_some() {
                let carried: Vec<_> = answer.pieces.iter().flat_map(|piece| piece.target.clone()).collect();
                prop_assert_eq!(verdict(&*method, &pair[0], &blanked(&pair[1], &carried)), None);
            }
        }
    }
}
