//! Signatures by hand, ties, and what explanations say.

use std::collections::BTreeSet;

use super::ranked::alphabetical;
use super::*;
use crate::algorithm::Values;
use crate::parameters::Value;
use crate::statistics::Statistics;
use crate::testing::{fitted, sketch, verdict, with};
use crate::{Explanation, Side, opt_freq, tf, tfidf, tfridf};

const TEXT: &str = "Tide mill, tide mill, tide gate; harbour harbour basin basin sluice miller water";

#[test]
fn ties_are_decided_by_the_alphabet() {
    // tide 3; basin, harbour, mill 2; gate, miller, sluice, water 1: the cut goes through the last four.
    let method = fitted(&tf::ALGORITHM, &[], &[]);
    let expected = "basin gate harbour mill miller tide";
    assert_eq!(sketch(&*method, TEXT), Some(vec![hash::token(expected.as_bytes())]));
    let shuffled = "water sluice Miller GATE basin harbour mill tide basin harbour mill tide tide";
    assert_eq!(verdict(&*method, TEXT, shuffled), Some(Evidence { distance: 0 }));
}

#[test]
fn words_beyond_ascii_have_their_place_in_the_alphabet() {
    let text = "zebra Äpfel äpfelchen apfel ÉTAT etat étatique Zebras";
    with(text, |document| {
        let mut by_rank: Vec<usize> = (0..document.terms().len()).collect();
        by_rank.sort_unstable_by(|&a, &b| alphabetical(document, a, b));
        let words: Vec<Cow<'_, str>> = by_rank.iter().map(|&i| document.word(&document.terms()[i])).collect();
        let mut expected: Vec<String> = text.split(' ').map(str::to_lowercase).collect();
        expected.sort_unstable();
        assert_eq!(words, expected);
    });
}

#[test]
fn too_few_words_have_no_sketch() {
    let method = fitted(&tf::ALGORITHM, &[], &[]);
    assert_eq!(sketch(&*method, ""), None);
    assert_eq!(sketch(&*method, "harbour"), None);
    assert_eq!(sketch(&*method, "tide mill gate harbour basin tide mill the of and"), None, "five content words");
    assert_eq!(sketch(&*method, "tide mill gate harbour basin sluice").map(|s| s.len()), Some(1));
    let one = fitted(&tf::ALGORITHM, &[("words", Value::Whole(1))], &[]);
    assert_eq!(sketch(&*one, "the tide, the tide, a mill"), Some(vec![hash::token(b"tide")]));
}

#[test]
fn crc32_is_the_papers() {
    let method = fitted(&tf::ALGORITHM, &[("hash", Value::Word("crc32".into()))], &[]);
    let words = sketch(&*method, TEXT).unwrap();
    assert_eq!(words, [u64::from(crc32(b"basin gate harbour mill miller tide"))]);
    assert_eq!(method.print(&words), format!("{:08x}", words[0]));
    assert_eq!(method.print(&[1]), "00000001");
    let mut keys = Vec::new();
    method.keys(&words, &mut keys);
    assert!(keys.len() == 1 && keys[0] >> 32 != 0, "keys are spread over 64 bits");
}

#[test]
fn methods_that_need_statistics_have_no_sketch_without() {
    for algorithm in [&tfidf::ALGORITHM, &tfridf::ALGORITHM, &opt_freq::ALGORITHM] {
        let method = Values::new(algorithm).fit(&Statistics::default()).unwrap();
        assert!(algorithm.fitted);
        assert_eq!(sketch(&*method, TEXT), None);
        let reasons = with(TEXT, |a| with(TEXT, |b| method.reasons(a, b)));
        assert!(reasons.value.is_none() && reasons.claim.contains("no statistics"), "{}", reasons.claim);
    }
}

fn reasons(a: &str, b: &str) -> Reasons {
    let method = fitted(&tf::ALGORITHM, &[], &[]);
    with(a, |a| with(b, |b| method.reasons(a, b)))
}

fn spans(part: &Explanation, side: Side, text: &str) -> BTreeSet<String> {
    let own = part.spans.iter().filter(|(other, _)| *other == side);
    own.map(|(_, span)| text[span.clone()].to_lowercase()).collect()
}

#[test]
fn a_match_names_its_words_and_every_one_of_them_carries_it() {
    let reasons = reasons(TEXT, TEXT);
    assert_eq!(reasons.claim, "the same 6 words: tide, basin, harbour, mill, gate, miller");
    assert_eq!((reasons.value, reasons.decisive.len(), reasons.pieces.len()), (Some(0.0), 0, 6));
    let words = &reasons.parts[0].parts;
    assert_eq!(words[0].claim, "“tide”: 1st in the source (weight 3), 1st in the target (3)");
    assert_eq!(spans(&words[0], Side::Target, TEXT), BTreeSet::from(["tide".to_owned()]));
    assert_eq!(words[0].spans.len(), 6, "all places on both sides");
    assert!(
        reasons.parts[1].parts[0].claim.contains("6th “miller” weighs 1, the 7th “sluice” as much"),
        "{}",
        reasons.parts[1].parts[0].claim
    );
    let method = fitted(&tf::ALGORITHM, &[], &[]);
    for piece in &reasons.pieces {
        let mut cut = TEXT.to_owned();
        for span in piece.target.iter().rev() {
            cut.replace_range(span.clone(), " ");
        }
        assert_eq!(verdict(&*method, TEXT, &cut), None, "{}", piece.claim);
    }
}

#[test]
fn a_miss_says_how_far_a_word_was_from_the_cut() {
    // In the target mill falls from 2 to 1, sluice rises to 2: of gate, mill, miller and water only two get in.
    let target = "Tide, tide mill, tide gate; harbour harbour basin basin sluice sluice miller alder water";
    let reasons = reasons(TEXT, target);
    assert_eq!(
        reasons.claim,
        "4 of 6 words are the same; “mill” stands 7th in the target, as heavy as the 6th word but later in the alphabet"
    );
    assert_eq!(reasons.value, Some(2.0));
    let decisive: BTreeSet<&str> = reasons.decisive.iter().map(|span| &target[span.clone()]).collect();
    assert_eq!(decisive, BTreeSet::from(["alder", "mill", "miller", "sluice"]));
    assert!(reasons.decisive.is_sorted_by_key(|span| span.start));
    let gone = target.replace(" mill,", "");
    let without = super::tests::reasons(TEXT, &gone);
    assert!(without.claim.contains("“mill” does not stand in the target"), "{}", without.claim);
}

#[test]
fn no_sketch_says_why() {
    let reasons = reasons(TEXT, "tide mill and gate");
    assert!(reasons.value.is_none());
    assert_eq!(reasons.claim, "the target has fewer than 6 different content words");
}
