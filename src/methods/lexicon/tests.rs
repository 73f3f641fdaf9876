//! The words that a lexicon has, by hand.

use super::naive::{TEN, collection};
use super::*;
use crate::algorithm::Values;
use crate::imatch;
use crate::parameters::Value;
use crate::testing::{statistics, with};
use dejaview_base::hash;

fn fitted(set: &[(&str, Value)], texts: &[String]) -> Lexicon {
    let mut values = Values::new(&imatch::ALGORITHM);
    for (name, value) in set {
        values.set(name, value.clone()).unwrap();
    }
    let imatch::Parameters { lexicon } = values.read();
    Lexicon::new(&lexicon, &statistics(&texts.iter().map(String::as_str).collect::<Vec<_>>()))
}

fn names(document: &Prepared<'_>, terms: &[&Term]) -> Vec<String> {
    terms.iter().map(|term| document.word(term).into_owned()).collect()
}

#[test]
fn ten_documents_by_hand() {
    let lexicon = fitted(&[], &collection(10, &TEN));
    assert_eq!(lexicon.documents, [2, 6]);
    assert!((lexicon.nidf(5) - (1.0 - 5f64.log10())).abs() < 1e-12);
    let places: Vec<Rarity> = [0, 1, 2, 6, 7, 10].map(|documents| lexicon.rarity(documents)).into();
    use Rarity::{Common, Rare, Unknown, Within};
    assert_eq!(places, [Unknown, Rare, Within, Within, Common, Common]);
    with("The harbour, the WHEEL; water 1889 sluice grain unheard mill harbour", |document| {
        let selection = lexicon.selection(document);
        assert_eq!(names(document, &selection.within), ["harbour", "wheel", "grain", "mill"]);
        assert_eq!((selection.unique, selection.needed), (7, 5), "all but the and 1889");
        let rarer = lexicon.rarer(document);
        assert_eq!(names(document, &rarer), ["sluice"]);
        let chosen = selection.chosen(&rarer, |_| true).unwrap();
        assert_eq!(names(document, &chosen), ["harbour", "wheel", "grain", "mill", "sluice"]);
        assert!(selection.chosen(&[], |_| true).is_none(), "4 words, 5 are needed");
        assert!(selection.chosen(&rarer, |word| word != hash::token(b"mill")).is_none());
    });
}

#[test]
fn bounds_are_included_and_may_be_any() {
    // 32 documents: nidf of 16 and of 2 is 1/5 and 4/5.
    let texts = collection(32, &[("once", 1)]);
    assert_eq!(fitted(&[], &texts).documents, [2, 16]);
    let of = |low, high| fitted(&[("nidf", Value::Fractions(vec![low, high]))], &texts).documents;
    assert_eq!(of(0.0, 1.0), [1, 32]);
    assert_eq!(of(0.0, 0.1), [23, 32], "32/2^0.5 = 22.6");
    assert_eq!(of(0.41, 0.59), [5, 7], "32/2^2.95 = 4.1 and 32/2^2.05 = 7.7");
}

#[test]
fn a_collection_that_tells_nothing_has_no_lexicon() {
    for texts in [vec![], vec!["one single document with some words".to_owned()]] {
        let lexicon = fitted(&[("nidf", Value::Fractions(vec![0.0, 1.0]))], &texts);
        with("one single document with some words", |document| {
            assert!(lexicon.selection(document).within.is_empty());
            assert!(lexicon.rarer(document).is_empty());
        });
    }
}

#[test]
fn words_that_count() {
    with("abc abcd ab1d ab12 the this 東京 가나 été étés 1234", |document| {
        let counting: Vec<&Term> = document.terms().iter().filter(|term| is_counted(term)).collect();
        assert_eq!(names(document, &counting), ["abcd", "ab1d", "this", "東京", "가나", "étés"]);
    });
}

#[test]
fn rarer_words_come_by_frequency_and_then_by_hash() {
    let lexicon = fitted(&[("nidf", Value::Fractions(vec![0.0, 0.4]))], &collection(10, &TEN));
    with("sluice mill harbour tide headrace millstone wheel", |document| {
        let mut expected = ["sluice", "headrace", "millstone", "harbour", "tide", "mill"];
        expected.sort_by_key(|word| {
            let documents = TEN.iter().find(|(other, _)| other == word).unwrap().1;
            (Reverse(documents), hash::token(word.as_bytes()))
        });
        assert_eq!(expected[0], "mill");
        assert_eq!(names(document, &lexicon.rarer(document)), expected);
    });
}

#[test]
fn needs_the_minimum_or_the_share() {
    let needed = |set: &[(&str, Value)], words: usize| {
        let lexicon = fitted(set, &collection(10, &TEN));
        let text: Vec<String> = (0..words).map(|i| format!("word{}", char::from(b'a' + i as u8))).collect();
        with(&text.join(" "), |document| lexicon.selection(document).needed)
    };
    assert_eq!([5, 20].map(|words| needed(&[], words)), [5, 5]);
    let share = |share| [("share", Value::Fraction(share))];
    assert_eq!([10, 11, 20, 21].map(|words| needed(&share(0.5), words)), [5, 6, 10, 11]);
    assert_eq!(needed(&share(0.28), 25), 7, "0.28 · 25 is above 7 in floating point");
    assert_eq!(needed(&[("minimum", Value::Whole(9))], 20), 9);
}
