//! Many documents with the same text: found and stored as one group, counted, listed and drawn as document pairs.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::support::{Study, assert_same};

type Ids = (String, String);

/// A page as JSONL; every third has a URL that a page of the other side has, too.
fn page(side: &str, i: usize, text: &str) -> String {
    let host = if i.is_multiple_of(3) { "both" } else { side };
    format!("{}\n", json!({ "id": format!("{side}{i:04}"), "text": text, "url": format!("http://{host}.org/{i}") }))
}

/// Words that are all different.
fn words(from: usize, count: usize) -> String {
    (from..from + count).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ")
}

/// A text of one of some kinds: copies of one page, pages that differ from it in a word, and others.
fn text(kind: usize) -> String {
    match kind {
        0 => words(0, 40),
        1 => format!("{} elephant", words(0, 39)),
        2 => format!("{} giraffe", words(0, 39)),
        _ => words(100 * kind, 40),
    }
}

/// Texts of a side: many copies of few.
fn side(count: usize, seed: usize) -> Vec<String> {
    (0..count).map(|i| text([0, 1, 0, 2, 3 + i % 5, 0, 9 + i][(i * seed) % 7])).collect()
}

fn pages(name: &str, texts: &[String]) -> String {
    texts.iter().enumerate().map(|(i, text)| page(name, i, text)).collect()
}

fn jaccard(a: &str, b: &str) -> f64 {
    let [a, b] = [a, b].map(|text| text.split(' ').collect::<BTreeSet<_>>());
    a.intersection(&b).count() as f64 / a.union(&b).count() as f64
}

/// Ids, Jaccard to six decimals and whether the URL is the same, of all pairs from a threshold on.
fn expected(sources: &[String], targets: &[String], least: f64) -> Vec<(Ids, String, bool)> {
    let mut all = Vec::new();
    for (s, a) in sources.iter().enumerate() {
        for (t, b) in targets.iter().enumerate() {
            let jaccard = jaccard(a, b);
            if jaccard >= least {
                let ids = (format!("s{s:04}"), format!("t{t:04}"));
                all.push((ids, format!("{jaccard:.6}"), s == t && s.is_multiple_of(3)));
            }
        }
    }
    all
}

/// The same as the program lists them.
fn listed(study: &Study, configuration: &str) -> Vec<(Ids, String, bool)> {
    let answer = study.dejaview(["pairs", "--configuration", configuration]);
    let rows = answer.rows("configuration\tsegment\tsource\ttarget\tdistance\tjaccard");
    rows.iter()
        .map(|row| ((row[2].to_owned(), row[3].to_owned()), row[5].to_owned(), *row.last().unwrap() == "1"))
        .collect()
}

fn two_sides(sources: &[String], targets: &[String]) -> Study {
    Study::new()
        .file("s.jsonl", pages("s", sources))
        .file("t.jsonl", pages("t", targets))
        .source("s.jsonl")
        .target("00", "t.jsonl")
        .configuration("exact-jaccard", "threshold = 0.9")
        .configuration("md5", "")
}

#[test]
fn document_pairs_are_those_of_brute_force() {
    let (sources, targets) = (side(30, 3), side(45, 2));
    let study = two_sides(&sources, &targets);
    let summary = study.run();
    let (near, same) = (expected(&sources, &targets, 0.9), expected(&sources, &targets, 1.0));
    assert!(same.len() > 100 && near.len() > same.len() + 100, "{} {}", same.len(), near.len());
    assert_eq!(listed(&study, "exact-jaccard"), near);
    assert_eq!(listed(&study, "md5"), same);
    assert_eq!(summary["pairs"], json!({ "exact-jaccard": near.len(), "md5": same.len() }));
    let evaluated = study.dejaview(["evaluate", "--truth", "jaccard:0.9", "--json"]).json();
    assert_eq!(evaluated["pool"], near.len());
    let sources: BTreeSet<&String> = same.iter().map(|((source, _), ..)| source).collect();
    let md5 = &evaluated["configurations"][1];
    assert_eq!((&md5["pairs"], &md5["sources_found"]), (&json!(same.len()), &json!(sources.len())));
    let recall = same.len() as f64 / near.len() as f64;
    assert!((md5["recall"]["value"].as_f64().unwrap() - recall).abs() < 1e-9, "{md5}");
}

#[test]
fn samples_are_of_document_pairs() {
    let (sources, targets) = (side(30, 3), side(45, 2));
    let study = two_sides(&sources, &targets);
    study.run();
    let all: BTreeSet<Ids> = expected(&sources, &targets, 0.9).into_iter().map(|(ids, ..)| ids).collect();
    let size = all.len().to_string();
    let draw = ["sample", "--configuration", "exact-jaccard", "--by", "none", "--size", &size, "--json"];
    let sample = study.dejaview(draw).json();
    let drawn = sample["pairs"].as_array().unwrap().iter();
    let drawn: Vec<Ids> = drawn.map(|pair| (string(&pair["source"]), string(&pair["target"]))).collect();
    assert_eq!(drawn.len(), all.len());
    assert_eq!(drawn.into_iter().collect::<BTreeSet<_>>(), all, "each once");
}

fn string(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

#[test]
fn an_import_tells_copies_apart() {
    let (sources, targets) = (side(30, 3), side(45, 2));
    let near: BTreeSet<Ids> = expected(&sources, &targets, 0.9).into_iter().map(|(ids, ..)| ids).collect();
    let unlike = (0..45).find(|t| !near.contains(&("s0000".to_owned(), format!("t{t:04}")))).unwrap();
    let one = near.iter().next().unwrap();
    let imported = format!("{}\t{}\t0.5\ns0000\tt{unlike:04}\t0.25\n", one.0, one.1);
    let study =
        two_sides(&sources, &targets).file("pairs.tsv", imported).configuration("import", "pairs = \"pairs.tsv\"");
    assert_eq!(study.run()["pairs"]["import"], 2);
    let evaluated = study.dejaview(["evaluate", "--truth", "jaccard:0.9", "--json"]).json();
    assert_eq!(evaluated["pool"], near.len() + 1);
    assert_eq!(evaluated["configurations"][0]["pairs"], near.len());
    let dice = evaluated["dice"][0][2].as_f64().unwrap();
    assert!((dice - 2.0 / (near.len() + 2) as f64).abs() < 1e-9, "one of two is found: {dice}");
}

#[test]
fn the_same_at_any_number_of_threads() {
    let (sources, targets) = (side(90, 3), side(120, 2));
    let [one, four] = ["1", "4"].map(|threads| {
        let study = two_sides(&sources, &targets);
        study.dejaview(["run", "--threads", threads]).ok();
        study.results()
    });
    let pairs = |results: std::collections::BTreeMap<String, Vec<u8>>| {
        results.into_iter().filter(|(name, _)| name.starts_with("pairs")).collect()
    };
    assert_same(&pairs(one), &pairs(four));
}

#[test]
fn a_flood_is_stored_by_its_documents() {
    let copies = |count: usize| vec![words(0, 60); count];
    let stored = |count: usize| {
        let study = two_sides(&copies(count), &copies(count));
        let summary = study.run();
        assert_eq!(summary["pairs"], json!({ "exact-jaccard": count * count, "md5": count * count }));
        let file = study.path(".dejaview/pairs/md5/00.pairs");
        (fs::metadata(file).unwrap().len(), study)
    };
    let ((small, _), (large, study)) = (stored(50), stored(400));
    assert!(large < 9 * small && large < 400 * 200, "{small} bytes of 2 · 50 documents, {large} of 2 · 400");
    let sample = study.dejaview(["sample", "--configuration", "md5", "--by", "none", "--size", "20", "--json"]).json();
    assert_eq!(sample["strata"][0]["population"], 160_000, "{}", sample["strata"]);
    let listed = listed(&study, "md5");
    assert_eq!(listed.len(), 160_000);
    assert!(listed.is_sorted(), "by source, then target");
}

#[test]
fn a_flood_against_itself() {
    let texts: Vec<String> = side(60, 3);
    let study = Study::new()
        .file("s.jsonl", pages("s", &texts))
        .source("s.jsonl")
        .target("00", "s.jsonl")
        .configuration("exact-jaccard", "threshold = 0.9")
        .configuration("md5", "");
    let summary = study.run();
    assert_eq!(summary["both"], 60);
    for (configuration, least) in [("exact-jaccard", 0.9), ("md5", 1.0)] {
        let mut all = Vec::new();
        for (a, one) in texts.iter().enumerate() {
            let later = texts.iter().enumerate().skip(a + 1).filter(|(_, other)| jaccard(one, other) >= least);
            all.extend(later.map(|(b, _)| (format!("s{a:04}"), format!("s{b:04}"))));
        }
        let found: Vec<Ids> = listed(&study, configuration).into_iter().map(|(ids, ..)| ids).collect();
        assert_eq!(found, all, "{configuration}");
        assert_eq!(summary["pairs"][configuration], all.len());
    }
    let evaluated = study.dejaview(["evaluate", "--truth", "jaccard:0.9", "--json"]).json();
    assert_eq!(evaluated["pool"], listed(&study, "exact-jaccard").len());
    let ids = listed(&study, "md5").into_iter().flat_map(|((a, b), ..)| [a, b]);
    assert_eq!(evaluated["configurations"][1]["sources_found"], ids.collect::<BTreeSet<_>>().len());
}
