//! Every truth that a similarity decides, recounted from the texts by the published definitions.

use std::collections::HashMap;

use crate::naive::{self, Document};
use crate::support::Study;

/// Words of more than three letters that no list calls stop words, and two that are left out of preprocessed texts.
const WORDS: [&str; 14] = [
    "harbour",
    "lantern",
    "granite",
    "the",
    "herring",
    "mooring",
    "of",
    "signal",
    "weather",
    "captain",
    "barometer",
    "gallery",
    "ballast",
    "compass",
];

/// A page of 40 words; every page has most of them in common with the page before.
fn page(i: usize) -> String {
    let word = |k: usize| WORDS[(k * k + 3 * k + (k % 5) * usize::from(k % 9 < i)) % WORDS.len()];
    (0..40).map(word).collect::<Vec<_>>().join(" ") + "."
}

fn documents(prefix: &str, first: usize, count: usize) -> (String, HashMap<String, Document>) {
    let (mut lines, mut documents) = (String::new(), HashMap::new());
    for i in 0..count {
        let (id, text) = (format!("{prefix}{i}"), page(first + i));
        lines += &format!("{{\"id\": \"{id}\", \"text\": \"{text}\"}}\n");
        let tokens = text.trim_end_matches('.').split(' ').map(str::to_owned).collect();
        documents.insert(id, Document { text, tokens });
    }
    (lines, documents)
}

/// The share of different n-grams in both.
fn jaccard(a: &[String], b: &[String], n: usize) -> f64 {
    let set = |tokens: &[String]| tokens.windows(n).map(<[String]>::to_vec).collect::<std::collections::BTreeSet<_>>();
    let (a, b) = (set(a), set(b));
    a.intersection(&b).count() as f64 / a.union(&b).count() as f64
}

fn content(document: &Document) -> Vec<char> {
    let kept: Vec<&str> = document.tokens.iter().map(String::as_str).filter(|word| word.len() > 3).collect();
    kept.join(" ").chars().collect()
}

#[test]
fn every_similarity_decides_as_it_is_defined() {
    let ((old, sources), (new, targets)) = (documents("s", 0, 7), documents("t", 1, 8));
    let study =
        Study::new().file("old.jsonl", old).file("new.jsonl", new).source("old.jsonl").target("00", "new.jsonl");
    // Finds every pair, whatever its texts have in common.
    let study = study.configuration("exact-jaccard", "threshold = 0.05");
    assert_eq!(study.run()["pairs"]["exact-jaccard-threshold0.05"], 56);
    let similarity = |measure: &str, a: &Document, b: &Document| match measure {
        "jaccard@4" => jaccard(&a.tokens, &b.tokens, 4),
        "edit" => naive::edit_ratio(&a.tokens, &b.tokens),
        "edit-characters" => {
            naive::edit_ratio(&a.text.chars().collect::<Vec<_>>(), &b.text.chars().collect::<Vec<_>>())
        }
        "edit-characters@content" => naive::edit_ratio(&content(a), &content(b)),
        stored => naive::measures(a, b).into_iter().find(|(name, _)| name == stored).unwrap().1,
    };
    for (truth, measure) in [
        ("jaccard:T", "jaccard_1"),
        ("jaccard:T@2", "jaccard_2"),
        ("jaccard:T@4", "jaccard@4"),
        ("cosine:T", "cosine"),
        ("cosine-binary:T", "cosine_binary"),
        ("s3:T", "s3"),
        ("edit:T", "edit"),
        ("edit-characters:T", "edit-characters"),
        ("edit-characters:T@content", "edit-characters@content"),
    ] {
        let mut all: Vec<f64> =
            sources.values().flat_map(|a| targets.values().map(move |b| similarity(measure, a, b))).collect();
        all.sort_by(f64::total_cmp);
        // A threshold between two values in the middle, so that rounding decides nothing.
        let gap = (20..40).find(|i| all[i + 1] - all[*i] > 1e-6).unwrap();
        let threshold = (all[gap] + all[gap + 1]) / 2.0;
        let truth = truth.replace('T', &format!("{threshold:.9}"));
        let answer = study.dejaview(["evaluate", "--truth", &truth, "--json"]).json();
        assert_eq!(answer["pool_of"]["true"], 55 - gap, "{truth}");
        assert_eq!(answer["pool_of"]["known"], 56, "{truth}");
    }
}

#[test]
fn a_truth_that_nobody_knows_is_refused_with_those_there_are() {
    let study = Study::new();
    let refused = study.dejaview(["evaluate", "--truth", "dice:0.9"]);
    let message = refused.misused();
    assert!(message.contains("edit-characters:0.8@content") && message.contains("cosine-binary:0.9"), "{message}");
    assert!(study.dejaview(["report", "--truth", "jaccard:0.9@99"]).misused().contains("from 1 to 32"));
}
