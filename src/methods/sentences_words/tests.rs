//! The sketch against its definition, and the keys against the chains of records that the paper compares.

use super::agreement::ratio;
use super::*;
use crate::algorithm::Values;
use crate::parameters::Value;
use crate::testing::{cut, defined_sentences, fitted, prose, reasons, similar_texts, sketch, verdict, with};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeSet;

fn usual() -> Box<dyn Method> {
    fitted(&ALGORITHM, &[], &[])
}

const PAGE: &str = "The tide mill of Carrick stands again since the spring. Visitors welcome until October. \
    Lanterns burn along every quay tonight. The harbourmaster keeps the extraordinary ledgers of Carrick. \
    Nobody came there yesterday. Boats leave daily from the harbour. It is so.";

#[test]
fn a_changed_sentence_may_pass_when_there_are_many() {
    let method = usual();
    let edited = PAGE.replace("keeps", "guards");
    let evidence = verdict(&*method, PAGE, &edited).unwrap();
    assert_eq!(evidence.distance, 1, "one sentence of three");
    let few = |page: &str| page.split_inclusive(". ").take(5).collect::<String>();
    let (source, target) = (few(PAGE), few(&edited));
    assert_eq!(verdict(&*method, &source, &target), None, "five sentences are not many");
    assert_eq!(verdict(&*method, &source, &source).unwrap().distance, 0);
    let answer = reasons(&*method, &source, &target);
    assert_eq!(
        answer.claim,
        "the longest sentence differs and 2 of 3 longest sentences are the same, and one side has too few for \
         others to stand for it"
    );
    let places: Vec<&str> = answer.decisive.iter().map(|span| &target[span.clone()]).collect();
    assert_eq!(places, ["The harbourmaster guards the extraordinary ledgers of Carrick"]);
}

#[test]
fn ratios_at_their_limits() {
    assert_eq!([ratio(23, 20), ratio(20, 23), ratio(6, 5), ratio(0, 0), ratio(7, 7)], [1.15, 1.15, 1.2, 1.0, 1.0]);
    assert_eq!(ratio(0, 3), f64::INFINITY);
    let method = usual();
    let page = |length: u64, count: u64| vec![length << 32 | count, 11, 12, 13, 1, 2, 3, 4, 5];
    let agree = |a: &[u64], b: &[u64]| method.compare(a, b).map(|e| e.distance);
    assert_eq!(agree(&page(20, 5), &page(23, 6)), Some(2));
    assert_eq!(agree(&page(20, 5), &page(24, 6)), None);
    assert_eq!(agree(&page(20, 5), &page(23, 7)), None);
    assert_eq!(agree(&page(0, 5), &page(0, 5)), Some(0));
    assert_eq!(agree(&page(0, 5), &page(1, 5)), None);
    let wide = fitted(&ALGORITHM, &[("length_ratio", Value::Fraction(1.2))], &[]);
    assert!(wide.compare(&page(20, 5), &page(24, 6)).is_some());
}

#[test]
fn sentences_and_words_agree_in_whatever_order_but_never_the_padding() {
    let method = usual();
    let agree = |a: [u64; 9], b: [u64; 9]| method.compare(&a, &b).map(|e| e.distance);
    let many = 10 << 32 | 6;
    assert_eq!(agree([many, 11, 12, 13, 1, 2, 3, 4, 5], [many, 12, 11, 14, 9, 8, 5, 7, 1]), Some(4));
    assert_eq!(agree([many, 11, 12, 13, 1, 2, 3, 4, 5], [many, 12, 14, 11, 9, 8, 5, 7, 6]), None, "one word");
    assert_eq!(agree([many, 11, 12, 13, 1, 2, 3, 4, 5], [many, 12, 14, 15, 1, 2, 3, 4, 5]), None, "one sentence");
    assert_eq!(agree([many, 11, 11, 13, 1, 2, 3, 4, 5], [many, 12, 14, 11, 1, 2, 3, 4, 5]), None, "twice and once");
    assert_eq!(agree([many, 12, 11, 11, 1, 2, 3, 4, 5], [many, 14, 11, 11, 1, 2, 3, 4, 5]), Some(1), "twice");
    let short = 10 << 32 | 1;
    assert_eq!(agree([short, 11, 0, 0, 1, 2, 0, 0, 0], [short, 12, 0, 0, 1, 2, 0, 0, 0]), None);
    assert_eq!(agree([short, 11, 0, 0, 1, 0, 0, 0, 0], [short, 11, 0, 0, 1, 0, 0, 0, 0]), None, "one word");
    assert_eq!(agree([short, 11, 0, 0, 1, 2, 0, 0, 0], [short, 11, 0, 0, 1, 2, 0, 0, 0]), Some(0));
    let mut keys = Vec::new();
    method.keys(&[short, 11, 0, 0, 1, 2, 0, 0, 0], &mut keys);
    assert_eq!(keys, [11]);
}

#[test]
fn too_little_has_no_sketch() {
    let method = usual();
    for text in ["", "one", "two words", "no no no no"] {
        assert_eq!(sketch(&*method, text), None, "{text}");
    }
    assert_eq!(sketch(&*method, PAGE).map(|s| s.len()), Some(9));
    let other = fitted(&ALGORITHM, &[("sentences", Value::Whole(1)), ("words", Value::Whole(7))], &[]);
    assert_eq!(sketch(&*other, PAGE).map(|s| s.len()), Some(9));
    assert!(verdict(&*other, PAGE, PAGE).is_some());
    let answer = reasons(&*method, "no no no", "");
    assert_eq!(answer.claim, "the source has one distinct word only and the target has no sentence");
    let mut values = Values::new(&ALGORITHM);
    assert!(values.set("words", Value::Whole(1)).is_err());
    assert!(values.set("length_ratio", Value::Fraction(0.9)).unwrap_err().to_string().contains("from 1 to"));
}

#[test]
fn a_miss_says_which_words_and_how_far_from_the_cut() {
    let method = fitted(&ALGORITHM, &[("words", Value::Whole(2))], &[]);
    let target = PAGE.replace("Boats leave daily", "Boats disproportionately");
    let answer = reasons(&*method, PAGE, &target);
    assert_eq!(answer.claim, "1 of 2 longest words are the same, 2 must be");
    let words: Vec<&str> = answer.parts[2].parts.iter().map(|part| part.claim.as_str()).collect();
    assert_eq!(
        words,
        [
            "“harbourmaster”, 13 letters, chosen on both sides",
            "“extraordinary”, 13 letters, chosen in the source, 3rd in the target, level with the cut and behind it in order",
            "“disproportionately”, 18 letters, chosen in the target, not in the source",
        ]
    );
    assert_eq!(answer.decisive.len(), 1);
    assert_eq!(&target[answer.decisive[0].clone()], "disproportionately");
}

/// A record of the paper, read from a page in its own words.
#[derive(Debug, Clone)]
struct Record {
    len: u32,
    num: u32,
    ss: Vec<u64>,
    ws: Vec<u64>,
}

impl Record {
    fn sketch(&self) -> Vec<u64> {
        let padded =
            |list: &[u64], size: usize| (0..size).map(|i| list.get(i).copied().unwrap_or(0)).collect::<Vec<_>>();
        [vec![u64::from(self.len) << 32 | u64::from(self.num)], padded(&self.ss, 3), padded(&self.ws, 5)].concat()
    }
}

fn over(a: u32, b: u32, percent: u64) -> bool {
    u64::from(a.max(b)) * 100 > percent * u64::from(a.min(b))
}

/// The paper's algorithm: records sorted by signature, length and number; chains cut where neighbouring lengths are
/// too far apart; duplicate and contained chains dropped; each element compared with those behind it while their
/// lengths are near.
fn by_chains(records: &[Record]) -> BTreeSet<(usize, usize)> {
    let mut file: Vec<(u64, u32, usize)> = Vec::new();
    for (id, record) in records.iter().enumerate() {
        file.extend(record.ss.iter().map(|&ss| (ss, record.len, id)));
    }
    file.sort_unstable();
    file.dedup();
    let mut chains: Vec<Vec<usize>> = Vec::new();
    for (i, &(ss, len, id)) in file.iter().enumerate() {
        match chains.last_mut() {
            Some(chain) if i > 0 && file[i - 1].0 == ss && !over(file[i - 1].1, len, 115) => chain.push(id),
            _ => chains.push(vec![id]),
        }
    }
    chains.sort();
    chains.dedup();
    let contained = |chain: &Vec<usize>| {
        chains.iter().any(|other| other.len() > chain.len() && chain.iter().all(|id| other.contains(id)))
    };
    let kept: Vec<&Vec<usize>> = chains.iter().filter(|chain| !contained(chain)).collect();
    let mut found = BTreeSet::new();
    for chain in kept {
        for (i, &x) in chain.iter().enumerate() {
            for &y in chain[i + 1..].iter().take_while(|&&y| !over(records[x].len, records[y].len, 115)) {
                let (a, b) = (&records[x], &records[y]);
                let words = a.ws.iter().filter(|ws| b.ws.contains(ws)).count();
                let mut rest = b.ss.clone();
                for ss in &a.ss {
                    rest.iter().position(|other| other == ss).map(|at| rest.remove(at));
                }
                let two = b.ss.len() - rest.len() >= 2 && a.num > 5 && b.num > 5;
                if !over(a.num, b.num, 120) && words >= 2 && (a.ss[0] == b.ss[0] || two) {
                    found.insert((x.min(y), x.max(y)));
                }
            }
        }
    }
    found
}

fn by_keys(method: &dyn Method, sketches: &[Vec<u64>]) -> BTreeSet<(usize, usize)> {
    let keys: Vec<Vec<u64>> = sketches
        .iter()
        .map(|sketch| {
            let mut keys = Vec::new();
            method.keys(sketch, &mut keys);
            keys
        })
        .collect();
    let mut found = BTreeSet::new();
    for y in 0..sketches.len() {
        for x in 0..y {
            let agree = method.compare(&sketches[x], &sketches[y]).is_some();
            let meet = keys[x].iter().any(|key| keys[y].contains(key));
            assert!(meet || !agree, "agreeing sketches share a key");
            if agree {
                found.insert((x, y));
            }
        }
    }
    found
}

fn record() -> impl Strategy<Value = Record> {
    let parts = (
        0u32..40,
        1u32..10,
        proptest::collection::vec(1u64..6, 3),
        proptest::sample::subsequence((1..9).collect::<Vec<u64>>(), 2..6),
    );
    parts.prop_map(|(len, num, mut ss, ws)| {
        ss.truncate(num as usize);
        Record { len, num, ss, ws }
    })
}

/// The record of a page by its definition.
fn defined(text: &str) -> Record {
    with(text, |document| {
        let hashes = document.sentences().iter().map(|sentence| sentence.hash);
        let mut sentences: Vec<(Reverse<usize>, u64)> =
            defined_sentences(document).iter().map(|words| Reverse(words.len())).zip(hashes).collect();
        sentences.sort();
        let tokens = document.tokens();
        let facts = |i: usize| dejaview_text::word_facts(text, tokens, i);
        let words: BTreeSet<(Reverse<u8>, u64)> =
            (0..tokens.len()).map(|i| (Reverse(facts(i).letters), tokens.hashes()[i])).collect();
        Record {
            len: (0..tokens.len()).filter(|&i| facts(i).letters >= 3 || facts(i).ideographs).count() as u32,
            num: sentences.len() as u32,
            ss: sentences.iter().take(3).map(|(_, hash)| *hash).collect(),
            ws: words.iter().take(5).map(|(_, hash)| *hash).collect(),
        }
    })
}

proptest! {
    #[test]
    fn equals_chains_of_records(records in proptest::collection::vec(record(), 0..30)) {
        let sketches: Vec<Vec<u64>> = records.iter().map(Record::sketch).collect();
        prop_assert_eq!(by_keys(&*usual(), &sketches), by_chains(&records));
    }

    #[test]
    fn equals_chains_of_pages(pages in proptest::collection::vec(similar_texts(), 0..8)) {
        let method = usual();
        let texts: Vec<String> = pages.into_iter().flat_map(|(a, b)| [a, b]).filter(|t| sketch(&*method, t).is_some()).collect();
        let sketches: Vec<Vec<u64>> = texts.iter().map(|text| sketch(&*method, text).unwrap()).collect();
        let records: Vec<Record> = texts.iter().map(|text| defined(text)).collect();
        prop_assert_eq!(by_keys(&*method, &sketches), by_chains(&records));
    }

    #[test]
    fn as_defined(text in prose()) {
        let expected = defined(&text);
        let known = expected.num > 0 && expected.ws.len() > 1;
        prop_assert_eq!(sketch(&*usual(), &text), known.then(|| expected.sketch()));
    }

    #[test]
    fn reasons_are_true((a, b) in similar_texts()) {
        let method = usual();
        let known = sketch(&*method, &a).is_some() && sketch(&*method, &b).is_some();
        let answer = reasons(&*method, &a, &b);
        prop_assert_eq!(answer.value.is_none(), !known);
        if !known {
            return Ok(());
        }
        let found = verdict(&*method, &a, &b);
        prop_assert_eq!(found, verdict(&*method, &b, &a));
        prop_assert_eq!(answer.pieces.is_empty(), found.is_none());
        prop_assert!(answer.decisive.iter().all(|span| b.get(span.clone()).is_some()));
        if let Some(evidence) = found {
            prop_assert_eq!(answer.value, Some(f64::from(evidence.distance)));
            let all: Vec<_> = answer.pieces.into_iter().flat_map(|piece| piece.target).collect();
            prop_assert!(verdict(&*method, &a, &cut(&b, &all)).is_none());
        }
    }
}
