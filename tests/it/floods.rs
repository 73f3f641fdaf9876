//! Many documents with the same text: found and stored as one group, counted, listed and drawn as document pairs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;

use serde_json::{Value, json};

use crate::support::{Study, assert_same, dejaview};

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

/// Pairs of documents with their Jaccard; texts are few, so each two are compared once.
fn compared(sources: &[String], targets: &[String], least: f64) -> BTreeMap<(usize, usize), f64> {
    let mut known: HashMap<(&str, &str), f64> = HashMap::new();
    let mut all = BTreeMap::new();
    for (s, a) in sources.iter().enumerate() {
        for (t, b) in targets.iter().enumerate() {
            let jaccard = *known.entry((a, b)).or_insert_with(|| jaccard(a, b));
            if jaccard >= least {
                all.insert((s, t), jaccard);
            }
        }
    }
    all
}

/// A flood with judgments: three topics and two grades.
fn judged(count: usize) -> (Study, BTreeMap<(usize, usize), f64>) {
    let (sources, targets) = (side(count, 3), side(count, 2));
    let qrels: String = (0..count).map(|i| format!("{} 0 s{i:04} {}\n", i % 3, i / 3 % 2)).collect();
    let study = two_sides(&sources, &targets).file("q.qrels", qrels).judgments("q.qrels");
    study.run();
    (study, compared(&sources, &targets, 0.9))
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[track_caller]
fn near(found: &Value, expected: f64) {
    assert!((found.as_f64().unwrap() - expected).abs() < 1e-12, "{found} for {expected}");
}

#[test]
fn evaluations_of_a_flood_count_its_document_pairs() {
    let (study, pairs) = judged(150);
    let same = pairs.values().filter(|jaccard| **jaccard == 1.0).count();
    let evaluated = study.dejaview(["evaluate", "--truth", "jaccard:0.99", "--json"]).json();
    let [exact, md5] = [0, 1].map(|c| &evaluated["configurations"][c]);
    assert_eq!(evaluated["pool"], json!(pairs.len()));
    assert_eq!(
        (&exact["known"], &exact["true"], &exact["only"]),
        (&json!(pairs.len()), &json!(same), &json!(pairs.len() - same))
    );
    assert_eq!((&md5["known"], &md5["true"], &md5["only"]), (&json!(same), &json!(same), &json!(0)));
    near(&exact["precision"]["value"], share(same, pairs.len()));
    near(&evaluated["dice"][0][1], share(2 * same, same + pairs.len()));
    let edit = study.dejaview(["evaluate", "--truth", "edit:0.99", "--json"]).json();
    assert_eq!(edit["configurations"][0]["true"], same, "the same texts, and no other");
}

#[test]
fn single_pairs_of_a_flood_have_truths_of_their_own() {
    let (study, pairs) = judged(150);
    let ids: Vec<(&(usize, usize), &f64)> = pairs.iter().filter(|(_, jaccard)| **jaccard == 1.0).collect();
    // Every 97th is listed: every third of these is none.
    let listed: Vec<(&(usize, usize), bool)> =
        ids.iter().step_by(97).enumerate().map(|(i, of)| (of.0, i % 3 > 0)).collect();
    let wrong = listed.iter().filter(|(_, truth)| !truth).count();
    let row = |((s, t), truth): &(&(usize, usize), bool)| {
        format!("s{s:04}\tt{t:04}\t{}\n", if *truth { "near-duplicate" } else { "not" })
    };
    let table: String = listed.iter().map(row).collect();
    let study = study.file("truth.tsv", format!("source\ttarget\tlabel\n{table}"));
    let path = study.path("truth.tsv");
    let file = format!("file:{}", path.display());
    let evaluated = study.dejaview(["evaluate", "--truth", &file, "--json"]).json();
    let md5 = &evaluated["configurations"][1];
    assert_eq!(
        (&md5["pairs"], &md5["known"], &md5["true"]),
        (&json!(ids.len()), &json!(listed.len()), &json!(listed.len() - wrong))
    );
    assert_eq!(evaluated["kinds"]["found"][1], json!([listed.len() - wrong, wrong, ids.len() - listed.len()]));
    let closed = study.dejaview(["evaluate", "--truth", &file, "--closed", "--json"]).json();
    near(&closed["configurations"][1]["precision"]["value"], share(listed.len() - wrong, ids.len()));

    let folder = study.folder().to_str().unwrap();
    dejaview(["labels", "import", folder, path.to_str().unwrap(), "--annotator", "ann"]).ok();
    let labels = study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    assert_eq!(
        (&labels["configurations"][1]["known"], &labels["configurations"][1]["true"]),
        (&md5["known"], &md5["true"])
    );
    let groups = study.dejaview(["groups", "--limit", "1000", "--json"]).json();
    assert_eq!(groups["refused"], wrong);
    let counted = groups["groups"].as_array().unwrap().iter().map(|group| group["pairs"].as_u64().unwrap());
    assert_eq!(counted.sum::<u64>() as usize, pairs.len() - wrong);
    let out = study.path("new.qrels");
    let moved = study.dejaview(["transfer", "-o", out.to_str().unwrap(), "--accept", "all", "--json"]).json();
    let sources: BTreeSet<usize> = pairs.keys().map(|(s, _)| *s).collect();
    near(&moved["fan_out"]["mean"], share(pairs.len() - wrong, sources.len()));
}

#[test]
fn figures_of_a_flood_count_its_document_pairs() {
    let (study, pairs) = judged(150);
    let figures = study.dejaview(["figures", "--json"]).json();
    assert_eq!(figures["pool"], pairs.len());
    for (row, least) in [(0, 0.9), (1, 1.0)] {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        pairs
            .iter()
            .filter(|(_, jaccard)| **jaccard >= least)
            .for_each(|((s, _), _)| *counts.entry(*s).or_default() += 1);
        let most = *counts.values().max().unwrap();
        let first = counts.iter().find(|(_, count)| **count == most).unwrap().0;
        let found = &figures["candidates"][row];
        assert_eq!(
            (&found["documents"], &found["pairs"]),
            (&json!(counts.len()), &json!(counts.values().sum::<usize>()))
        );
        assert_eq!((&found["max"], &found["max_document"]), (&json!(most), &json!(format!("s{first:04}"))));
        assert_eq!(figures["quality"][row]["found"], counts.len());
    }
    let same = pairs.values().filter(|jaccard| **jaccard == 1.0).count();
    assert_eq!(figures["differences"][0][1]["pairs"], pairs.len() - same);
}

/// Documents that can be reached from each other, with their pairs, by going through all pairs again and again.
fn hanging_together(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut label: Vec<usize> = (0..nodes).collect();
    loop {
        let before = label.clone();
        for (a, b) in edges {
            let least = label[*a].min(label[*b]);
            (label[*a], label[*b]) = (least, least);
        }
        if before == label {
            return label;
        }
    }
}

/// Sizes, pairs and bridges of the groups that the program lists are those of these pairs; the largest first.
fn groups_are_those_of(study: &Study, nodes: usize, edges: &[(usize, usize)]) {
    let label = hanging_together(nodes, edges);
    let mut expected: BTreeMap<usize, [usize; 3]> = BTreeMap::new();
    label.iter().for_each(|group| expected.entry(*group).or_default()[0] += 1);
    for (i, (a, _)) in edges.iter().enumerate() {
        let of = expected.get_mut(&label[*a]).unwrap();
        of[1] += 1;
        let without: Vec<(usize, usize)> = [&edges[..i], &edges[i + 1..]].concat();
        of[2] += usize::from(hanging_together(nodes, &without) != label);
    }
    let mut expected: Vec<[usize; 3]> = expected.into_values().filter(|of| of[1] > 0).collect();
    expected.sort_unstable();
    let groups = study.dejaview(["groups", "--limit", "1000", "--json"]).json();
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    let of = |group: &Value| {
        let bridges = group["bridges"].as_array().unwrap().len();
        [number(&group["size"]), number(&group["pairs"]), bridges]
    };
    let mut found: Vec<[usize; 3]> = groups["groups"].as_array().unwrap().iter().map(of).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn groups_of_a_flood_are_those_of_its_document_pairs() {
    let (study, pairs) = judged(36);
    let edges: Vec<(usize, usize)> = pairs.keys().map(|(s, t)| (*s, 36 + t)).collect();
    groups_are_those_of(&study, 72, &edges);
    let texts = side(40, 3);
    let itself = Study::new()
        .file("s.jsonl", pages("s", &texts))
        .source("s.jsonl")
        .target("00", "s.jsonl")
        .configuration("exact-jaccard", "threshold = 0.9");
    itself.run();
    let edges = compared(&texts, &texts, 0.9).into_keys().filter(|(a, b)| a < b).collect::<Vec<_>>();
    groups_are_those_of(&itself, 40, &edges);
}

#[test]
fn judgments_of_a_flood_are_carried_along_its_document_pairs() {
    let (study, pairs) = judged(60);
    let (topic, grade) = (|s: usize| s % 3, |s: usize| s / 3 % 2);
    let mut targets: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
    let mut reached: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
    for (&(s, t), &jaccard) in &pairs {
        targets.entry(s).or_default().push((t, jaccard));
        reached.entry((topic(s), t)).or_default().insert(grade(s));
    }
    let best =
        |of: &Vec<(usize, f64)>| of.iter().fold((0, -1.0), |best, next| if next.1 > best.1 { *next } else { best }).0;
    let used: BTreeSet<(usize, usize)> = targets.iter().map(|(s, of)| (topic(*s), best(of))).collect();
    let conflicts = reached.values().filter(|grades| grades.len() > 1).count();
    let not_best = targets.values().filter(|of| of.iter().any(|(_, jaccard)| *jaccard > of[0].1)).count();
    let out = study.path("new.qrels");
    let moved = |policy: &str| {
        study
            .dejaview(["transfer", "-o", out.to_str().unwrap(), "--accept", "all", "--policy", policy, "--json"])
            .json()
    };
    let found = moved("best");
    assert_eq!((&found["transferred"], &found["lines"]), (&json!(targets.len()), &json!(used.len())));
    assert_eq!((&found["unused"], &found["conflicts"]), (&json!(reached.len() - used.len()), &json!(conflicts)));
    assert_eq!(
        (&found["first_not_best"], &found["fan_out"]["max"]),
        (&json!(not_best), &json!(targets.values().map(Vec::len).max()))
    );
    let all = moved("all");
    assert_eq!(
        (&all["lines"], &all["unused"], &all["conflicts"]),
        (&json!(reached.len()), &json!(0), &json!(conflicts))
    );
    let judgments = |conflict: &Value| conflict["judgments"].as_array().unwrap().len();
    let at = |conflict: &Value| (string(&conflict["topic"]), string(&conflict["target"]));
    for conflict in all["conflicting"].as_array().unwrap() {
        let meets = pairs.keys().filter(|(s, t)| (topic(*s).to_string(), format!("t{t:04}")) == at(conflict)).count();
        assert_eq!(judgments(conflict), meets);
    }
}

#[test]
fn a_table_of_a_flood_is_as_long_as_its_groups_are_many() {
    let copies = vec![words(0, 60); 300];
    let study = two_sides(&copies, &copies);
    study.run();
    let snapshot = ::dejaview::study::Snapshot::open(study.folder()).unwrap();
    let table = snapshot.table().unwrap();
    let kinds: Vec<_> = table.kinds().collect();
    assert_eq!((table.len(), kinds.len()), (90_000, 1));
    assert_eq!((kinds[0].sources.len(), kinds[0].bundles.len(), kinds[0].bundles[0].pairs), (300, 1, 300));
    assert_eq!(table.pairs_of(&kinds[0], &kinds[0].bundles[0]).count(), 90_000);
}
