//! A collection searched for its own documents: no document is its own pair, and each pair counts once.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::methods;
use crate::support::{Answer, Study, data, program};

type Ids = (String, String);

/// A page as JSONL.
fn page(id: &str, text: &str) -> String {
    format!("{}\n", json!({ "id": id, "text": text, "url": format!("http://example.org/{id}") }))
}

/// Words that are all different.
fn words(from: usize, count: usize) -> String {
    (from..from + count).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ")
}

/// b repeats a, and c differs from them in one of 40 words; d is another page.
fn pages() -> [String; 4] {
    let near = format!("{} elephant", words(0, 39));
    [page("a", &words(0, 40)), page("b", &words(0, 40)), page("c", &near), page("d", &words(100, 40))]
}

/// Without configurations and targets.
fn study() -> Study {
    Study::new().file("all.jsonl", pages().concat()).source("all.jsonl")
}

fn configured(study: Study) -> Study {
    study.configuration("md5", "").configuration("exact-jaccard", "threshold = 0.9")
}

/// The pairs of a configuration.
fn found(study: &Study, configuration: &str) -> Vec<Ids> {
    let pairs = study.dejaview(["pairs", "--configuration", configuration, "--json"]).jsonl();
    pairs.iter().map(|pair| (text(&pair["source"]), text(&pair["target"]))).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn ids(pairs: &[(&str, &str)]) -> Vec<Ids> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

/// What must hold of the four pages however the study names them.
#[track_caller]
fn is_joined_with_itself(study: &Study) {
    let summary = study.run();
    assert_eq!(summary["both"], 4, "{summary}");
    assert_eq!(summary["pairs"], json!({ "md5": 1, "exact-jaccard": 3 }));
    assert_eq!(found(study, "md5"), ids(&[("a", "b")]));
    let three = ids(&[("a", "b"), ("a", "c"), ("b", "c")]);
    assert_eq!(found(study, "exact-jaccard"), three);
    let evaluated = study.dejaview(["evaluate", "--truth", "jaccard:0.9", "--json"]).json();
    assert_eq!(evaluated["pool"], 3, "{evaluated}");
    let md5 = &evaluated["configurations"][0];
    assert!((md5["recall"]["value"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-9, "{md5}");
    assert_eq!((&md5["precision"]["value"], &md5["sources_found"]), (&json!(1.0), &json!(2)));
    assert_eq!(evaluated["configurations"][1]["sources_found"], 3, "c, too, though it is the source of no pair");
    let groups = study.dejaview(["groups", "--json"]).json();
    let groups = groups["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 1, "d is in no group: {groups:?}");
    let group = &groups[0];
    let members: Vec<String> = group["members"].as_array().unwrap().iter().map(|m| text(&m["id"])).collect();
    assert_eq!(members, ["a", "b", "c"], "each once");
    assert_eq!(group["direct"], 1.0, "{group}");
    let text = study.dejaview(["groups"]).ok().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("direct: pairs of a group") && !text.contains("documents of one side"), "{text}");
}

/// Several configurations at once are those of each, whatever the order they are named in.
#[test]
fn pairs_of_several_configurations() {
    let study = configured(study().target("00", "all.jsonl"));
    study.run();
    let of = |names: &[&str]| {
        let args = names.iter().flat_map(|name| ["--configuration", name]);
        study.dejaview(["pairs"].into_iter().chain(args)).ok().to_owned()
    };
    let all = study.dejaview(["pairs"]).ok().to_owned();
    assert_eq!(of(&["md5", "exact-jaccard"]), all);
    assert_eq!(of(&["exact-jaccard", "md5", "md5"]), all);
    assert_eq!(of(&["md5"]).lines().count(), 2);
    assert!(study.dejaview(["pairs", "--configuration", "md5", "--configuration", "x"]).failed().contains("`x`"));
}

#[test]
fn the_same_files_on_both_sides() {
    is_joined_with_itself(&configured(study().target("00", "all.jsonl")));
}

#[test]
fn a_copy_of_the_collection() {
    is_joined_with_itself(&configured(study().file("copy.jsonl", pages().concat()).target("00", "copy.jsonl")));
}

#[test]
fn a_copy_in_two_segments_with_another_page() {
    let [a, b, c, d] = pages();
    let study = study().file("1.jsonl", c + &d).file("2.jsonl", b + &a + &page("e", &words(200, 40)));
    is_joined_with_itself(&configured(study.target("00", "1.jsonl").target("01", "2.jsonl")));
}

#[test]
fn a_segment_that_comes_later_changes_which_pairs_count() {
    let [a, b, c, d] = pages();
    let study = study().file("1.jsonl", a + &d).file("2.jsonl", b + &c);
    let first = configured(study.target("00", "1.jsonl"));
    assert_eq!(first.run()["both"], 2);
    assert_eq!(found(&first, "exact-jaccard"), ids(&[("b", "a"), ("c", "a")]), "b and c do not stand in the target");
    is_joined_with_itself(&first.target("01", "2.jsonl"));
}

#[test]
fn an_id_alone_is_no_proof() {
    // a was changed, b was not.
    let changed = page("a", &format!("{} giraffe", words(0, 39)));
    let other = || study().file("new.jsonl", changed.clone() + &pages()[1]).target("00", "new.jsonl");
    let by_content = configured(other());
    assert_eq!(by_content.run()["both"], 1);
    assert_eq!(found(&by_content, "md5"), ids(&[("a", "b")]));
    let four = ids(&[("a", "a"), ("a", "b"), ("b", "a"), ("c", "a"), ("c", "b")]);
    assert_eq!(found(&by_content, "exact-jaccard"), four, "b is not its own pair");
    let itself = configured(other()).join(true);
    assert_eq!(itself.run()["both"], 2);
    assert_eq!(found(&itself, "exact-jaccard"), ids(&[("a", "b"), ("c", "a"), ("c", "b")]));
    let apart = configured(other()).join(false);
    assert_eq!(apart.run()["both"], Value::Null);
    assert_eq!(found(&apart, "md5"), ids(&[("a", "b"), ("b", "b")]));
}

#[test]
fn imported_pairs_are_turned_round() {
    let study = configured(study().target("00", "all.jsonl"))
        .file("pairs.tsv", "b\ta\t0.5\nd\ta\t0.4\nc\tc\t0.9\nb\tnowhere\t0.1\n")
        .configuration("import", "pairs = \"pairs.tsv\"");
    let summary = study.run();
    assert_eq!(found(&study, "import"), ids(&[("a", "b"), ("a", "d"), ("b", "nowhere")]));
    assert_eq!(summary["skipped"], json!({ "pair of a document with itself": 1 }), "c with itself");
    let scores: Vec<Value> = study.dejaview(["pairs", "--configuration", "import", "--json"]).jsonl();
    assert_eq!(scores.iter().map(|pair| pair["score"].as_f64().unwrap()).collect::<Vec<_>>(), [0.5, 0.4, 0.1]);
}

#[test]
fn what_two_lines_of_an_imported_file_say_of_one_pair_is_put_together() {
    let study = configured(study().target("00", "all.jsonl"))
        .file("pairs.tsv", "b\ta\t0.5\na\tb\t0.25\nc\ta\t0.25\na\tc\t0.75\n")
        .configuration("import", "pairs = \"pairs.tsv\"");
    study.run();
    let pairs = study.dejaview(["pairs", "--configuration", "import", "--json"]).jsonl();
    let scores: Vec<f64> = pairs.iter().map(|pair| pair["score"].as_f64().unwrap()).collect();
    assert_eq!((found(&study, "import"), scores), (ids(&[("a", "b"), ("a", "c")]), vec![0.5, 0.75]));
}

/// Writes labels of pairs and takes them in.
fn label(study: &Study, labels: &[(&str, &str, &str)]) -> Answer {
    let rows = labels.iter().map(|(a, b, label)| format!("{a}\t{b}\t{label}\n"));
    let table = "source\ttarget\tlabel\n".to_owned() + &rows.collect::<String>();
    std::fs::write(study.path("labels.tsv"), table).unwrap();
    let file = study.path("labels.tsv");
    Answer::of(program().args(["labels", "import"]).arg(study.folder()).arg(file).args(["--annotator", "ann"]))
}

const FORWARD: [(&str, &str, &str); 4] = [("a", "b", "yes"), ("a", "c", "no"), ("b", "c", "yes"), ("c", "d", "no")];

/// What the commands say of the labels.
fn told(study: &Study) -> Vec<String> {
    let out = study.path("out.qrels");
    let transfer = ["transfer", "-o", out.to_str().unwrap(), "--accept", "labels", "--policy", "all"];
    let mut told: Vec<String> = vec![study.dejaview(["evaluate", "--truth", "labels", "--json"]).ok().to_owned()];
    study.dejaview(transfer).ok();
    told.push(std::fs::read_to_string(&out).unwrap());
    told.push(
        study.dejaview(["screen", "--keys", "3 / \"label=near-duplicate\" enter", "--size", "120x30"]).ok().to_owned(),
    );
    let exported = Answer::of(program().args(["labels", "export"]).arg(study.folder()));
    // The times of the labels differ.
    let without_time = |line: &str| line.split('\t').take(4).collect::<Vec<_>>().join("\t") + "\n";
    told.push(exported.ok().lines().map(without_time).collect());
    told
}

#[test]
fn labels_may_name_a_pair_either_way() {
    let study = || {
        let judged =
            configured(study().target("00", "all.jsonl")).file("j.qrels", "1 0 a 2\n1 0 b 1\n1 0 c 1\n1 0 d 0\n");
        judged.judgments("j.qrels")
    };
    let (forward, backward, before) = (study(), study(), study());
    let turned = FORWARD.map(|(a, b, label)| (b, a, label));
    forward.run();
    assert!(label(&forward, &FORWARD).ok().starts_with("4 labels of ann added; 4 rows read"));
    backward.run();
    let said = "4 labels of ann added, 4 with source and target swapped put right; 4 rows read";
    let answer = label(&backward, &turned);
    assert!(answer.ok().starts_with(said), "{}", answer.text());
    // Before a run nobody knows; what the journal says then is understood later.
    label(&before, &turned).ok();
    before.run();
    assert!(
        std::fs::read_to_string(before.path("labels/ann.jsonl")).unwrap().contains("\"source\":\"b\",\"target\":\"a\"")
    );
    assert_eq!(told(&backward), told(&forward));
    assert_eq!(told(&before), told(&forward));
    assert!(told(&forward)[3].contains("a\tb\tnear-duplicate"), "{:?}", told(&forward));
    // Once more, and each way at once.
    assert!(label(&before, &FORWARD).ok().starts_with("0 labels of ann added, 4 known before"));
    let refused = label(&forward, &[("a", "b", "yes"), ("b", "a", "no")]);
    assert_eq!(refused.code, Some(1));
    let contradiction = "ann on a b: near-duplicate in line 2, not in line 3";
    assert!(refused.stderr.contains(contradiction), "{}", refused.stderr);
    let itself = label(&forward, &[("a", "a", "yes"), ("b", "a", "yes")]);
    assert!(itself.ok().contains("1 of a document with itself left out"), "{}", itself.text());
    assert!(itself.stderr.contains("line 2: a stands on both sides, and is no pair with itself"), "{}", itself.stderr);
}

#[test]
fn samples_of_others_may_name_a_pair_either_way() {
    let imported = |join: bool, rows: &[(&str, &str, &str)]| {
        let study = match join {
            true => configured(study().target("00", "all.jsonl")),
            false => {
                let [a, b, c, d] = pages();
                let study = Study::new().file("s.jsonl", a + &d).file("t.jsonl", b + &c).source("s.jsonl");
                configured(study.target("00", "t.jsonl"))
            }
        };
        study.run();
        let rows: String = rows.iter().map(|(a, b, label)| format!("{a}\t{b}\t{label}\tall\t10\n")).collect();
        std::fs::write(study.path("s.tsv"), "source\ttarget\tlabel\tstratum\tpopulation\n".to_owned() + &rows).unwrap();
        let file = study.path("s.tsv");
        let args =
            ["sample", "--configuration", "exact-jaccard", "--import", file.to_str().unwrap(), "--annotator", "ann"];
        let answer = study.dejaview(args.into_iter().chain(["--name", "s", "--json"]));
        (study, answer)
    };
    for (join, pairs) in [(true, &[("a", "b"), ("a", "c"), ("b", "c")][..]), (false, &[("a", "b"), ("a", "c")])] {
        let rows: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, "yes")).collect();
        let swapped: Vec<_> = pairs.iter().map(|&(a, b)| (b, a, "yes")).collect();
        let both: Vec<_> = swapped.iter().chain(&rows).copied().collect();
        let (study, answer) = imported(join, &rows);
        let (sample, evaluated) = (answer.json(), study.dejaview(["evaluate", "--truth", "labels", "--json"]).json());
        assert_eq!(sample["not_found"], 0, "{sample}");
        for (rows, duplicates) in [(&swapped, 0), (&both, pairs.len())] {
            let (study, answer) = imported(join, rows);
            let report = answer.json();
            assert_eq!((&report["pairs"], &report["not_found"]), (&sample["pairs"], &json!(0)), "{join} {report}");
            assert_eq!(
                (&report["swapped"], &report["labels"]["duplicates"]),
                (&json!(pairs.len()), &json!(duplicates))
            );
            assert_eq!(study.dejaview(["evaluate", "--truth", "labels", "--json"]).json(), evaluated);
        }
        let (_, answer) = imported(join, &[("a", "b", "yes"), ("b", "a", "no")]);
        assert!(answer.failed().contains("ann on a b: near-duplicate in line 2, not in line 3"), "{}", answer.stderr);
    }
    let (_, answer) = imported(true, &[("a", "b", "yes"), ("c", "c", "yes")]);
    assert!(
        answer.failed().contains("line 3: c stands on both sides, and is no pair with itself"),
        "{}",
        answer.stderr
    );
}

#[test]
fn a_document_with_itself_is_no_true_pair() {
    let head = "source\ttarget\tlabel\n";
    let rows = "b\ta\tyes\na\tc\tyes\nc\tb\tyes\n";
    let study = configured(study().target("00", "all.jsonl"))
        .file("truth.tsv", format!("{head}{rows}"))
        .file("more.tsv", format!("{head}a\ta\tyes\n{rows}b\tb\tyes\nd\td\tno\na\tb\tyes\n"))
        .file("wrong.tsv", format!("{head}{rows}a\tb\tno\n"));
    study.run();
    let evaluate = |file: &str, more: &[&str]| {
        let truth = format!("file:{}", study.path(file).display());
        study.dejaview(["evaluate", "--truth", &truth].into_iter().chain(more.iter().copied()))
    };
    let (plain, more) = (evaluate("truth.tsv", &["--json"]).json(), evaluate("more.tsv", &["--json"]).json());
    assert_eq!(plain["configurations"], more["configurations"]);
    assert_eq!((&more["configurations"][1]["recall"]["value"], &more["itself"]), (&json!(1.0), &json!(3)));
    assert!(evaluate("more.tsv", &[]).ok().contains("3 rows of a document with itself"));
    assert!(evaluate("wrong.tsv", &[]).failed().contains("a b is “no” here and “yes” in line 2"));
}

#[test]
fn an_audit_draws_each_pair_once_and_no_document_with_itself() {
    let study = configured(study().target("00", "all.jsonl"));
    study.run();
    let sample = study
        .dejaview(["sample", "--configuration", "md5", "--size", "1", "--audit", "100", "--name", "s", "--json"])
        .json();
    let drawn = sample["pairs"].as_array().unwrap();
    let drawn: BTreeSet<Ids> = drawn.iter().map(|pair| (text(&pair["source"]), text(&pair["target"]))).collect();
    let all = ids(&[("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]);
    assert_eq!(drawn, all.into_iter().collect(), "all six there are");
}

#[test]
fn a_pair_of_a_truth_may_be_named_either_way() {
    let study = configured(study().target("00", "all.jsonl"))
        .file("truth.tsv", "source\ttarget\tlabel\nb\ta\tnear-duplicate\na\tc\tnear-duplicate\nc\tb\tnot\n");
    study.run();
    let truth = format!("file:{}", study.path("truth.tsv").display());
    let evaluated = study.dejaview(["evaluate", "--truth", &truth, "--json"]).json();
    let exact = &evaluated["configurations"][1];
    assert_eq!(exact["recall"]["value"], 1.0, "{exact}");
    assert!((exact["precision"]["value"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9, "{exact}");
}

#[test]
fn judgments_go_both_ways() {
    // a and c are judged, and are one pair; b is not, and so is no document of the source.
    let study = configured(study().target("00", "all.jsonl"))
        .file("j.qrels", "1 0 a 2\n1 0 c 1\n1 0 d 0\n")
        .judgments("j.qrels");
    study.run();
    assert_eq!(found(&study, "exact-jaccard"), ids(&[("a", "b"), ("a", "c"), ("c", "b")]));
    let out = study.path("new.qrels");
    let asked = ["transfer", "-o", out.to_str().unwrap(), "--policy", "all", "--accept", "jaccard:0.9", "--json"];
    let carried = study.dejaview(asked).json();
    assert_eq!((&carried["judgments"], &carried["transferred"]), (&json!(3), &json!(2)), "{carried}");
    let ledger = std::fs::read_to_string(study.path("new.ledger.tsv")).unwrap();
    let links: BTreeSet<Vec<&str>> = ledger.lines().map(|line| line.split('\t').collect()).collect();
    // What is judged stands: c and a are no targets of this topic.
    for (from, to, status) in [
        ("a", "b", "carried"),
        ("a", "c", "judged"),
        ("c", "a", "judged"),
        ("c", "b", "overruled"),
        ("a", "a", "own"),
        ("d", "d", "own"),
    ] {
        let is = |line: &Vec<&str>| (line[3], line[5], line[9]) == (from, to, status);
        assert!(links.iter().any(is), "{from} {to} {status}: {ledger}");
    }
    let qrels = std::fs::read_to_string(&out).unwrap();
    assert_eq!(qrels.lines().collect::<Vec<_>>(), ["1 0 a 2", "1 0 b 2", "1 0 c 1", "1 0 d 0"]);
    assert_eq!((&carried["own"], &carried["conflicts"], &carried["against_own"]), (&json!(3), &json!(3), &json!(2)));
    let text = study.dejaview(["transfer", "-o", out.to_str().unwrap(), "--accept", "jaccard:0.9"]).ok().to_owned();
    assert!(text.contains("3 judged documents stand in the target themselves"), "{text}");
    // Runs over the target by the new qrels: what they hold is what was judged, and b.
    let run = "1 Q0 b 1 9 sys\n1 Q0 d 2 8 sys\n1 Q0 c 3 7 sys\n1 Q0 a 4 6 sys\n";
    std::fs::write(study.path("run.txt"), run).unwrap();
    let runs = study.path("run.txt");
    let runs = ["--runs", runs.to_str().unwrap(), "--runs-after", runs.to_str().unwrap(), "--measures", "ap"];
    let effect = study.dejaview(asked.into_iter().chain(runs)).json();
    let system = &effect["effect"]["measures"][0]["systems"][0];
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-9;
    assert!(near(&system["before"], (1.0 / 3.0 + 2.0 / 4.0) / 2.0), "{effect}");
    assert!(near(&system["after"], (1.0 + 2.0 / 3.0 + 3.0 / 4.0) / 3.0), "{effect}");
    let screen = study.dejaview(["screen", "--keys", "2", "--size", "100x30"]).ok().to_owned();
    assert!(screen.contains("2 found"), "{screen}");
}

/// a is a document of the source alone: it finds b and c again, they do not find it.
#[test]
fn a_document_of_the_source_alone_is_found_by_nobody() {
    for copies in [false, true] {
        let [_, b, c, d] = pages();
        // Copies of one text are stored as a group.
        let more = (0..if copies { 3 } else { 0 }).map(|n| page(&format!("b{n}"), &words(0, 40))).collect::<String>();
        let study = study().file("part.jsonl", b + &c + &d + &more).target("00", "part.jsonl");
        let study = study.configuration("exact-jaccard", "threshold = 0.9").file("j.qrels", "1 0 a 2\n2 0 b 1\n");
        let study = study.judgments("j.qrels");
        study.run();
        let out = study.path("new.qrels");
        let asked = ["transfer", "-o", out.to_str().unwrap(), "--policy", "all", "--accept", "jaccard:0.9", "--json"];
        study.dejaview(asked).json();
        let qrels = std::fs::read_to_string(&out).unwrap();
        let carried: BTreeSet<&str> = qrels.lines().collect();
        let expected = ["1 0 b 2", "1 0 c 2", "2 0 b 1", "2 0 c 1"];
        let copied = ["1 0 b0 2", "1 0 b1 2", "1 0 b2 2", "2 0 b0 1", "2 0 b1 1", "2 0 b2 1"];
        let expected: BTreeSet<&str> = expected.into_iter().chain(copied.into_iter().filter(|_| copies)).collect();
        assert_eq!(carried, expected, "a is in no segment");
        let figures = study.dejaview(["figures", "--json"]).json();
        let found = |i: usize| figures["figures"][i]["series"][0]["bars"][0]["value"].clone();
        assert_eq!(found(1), 2, "a and b: {figures}");
        let screen = |filter: &str| {
            let keys = format!("3 & \"{filter}\" enter");
            study.dejaview(["screen", "--keys", &keys, "--size", "120x30"]).ok().to_owned()
        };
        let expected = if copies { ["─ 1/5 ─", "─ 1/4 ─"] } else { ["─ 1/2 ─", "─ 1/1 ─"] };
        for (topic, expected) in ["topic:1", "topic:2"].into_iter().zip(expected) {
            assert!(screen(topic).contains(expected), "{topic}: {expected}: {}", screen(topic));
        }
    }
}

/// A segment without documents of the source has pairs of one that stands in another segment, and pages with the same text.
#[test]
fn documents_of_a_target_that_holds_the_source_count_once() {
    let [first, other] = [words(0, 20), words(100, 20)];
    let [second, third] = [format!("{} elephant", words(1, 19)), format!("{} elephant giraffe", words(2, 18))];
    let texts = [&first, &second, &other, &other];
    for ids in [["a", "b", "c", "d"], ["d", "c", "b", "a"], ["b", "a", "c", "d"], ["a", "d", "b", "c"]] {
        let source: String = ids.iter().zip(texts).map(|(id, text)| page(id, text)).collect();
        let study = Study::new().file("old.jsonl", source).file("new.jsonl", page("e", &third)).source("old.jsonl");
        let study = study.target("00", "old.jsonl").target("01", "new.jsonl");
        let study = study.configuration("exact-jaccard", "threshold = 0.9");
        assert_eq!(study.run()["pairs"], json!({ "exact-jaccard": 3 }));
        let evaluated = study.dejaview(["evaluate", "--truth", "jaccard:0.9", "--json"]).json();
        assert_eq!(evaluated["configurations"][0]["sources_found"], 4, "{ids:?}");
        let figures = study.dejaview(["figures", "--figure", "accumulated", "--format", "tsv"]).ok().to_owned();
        assert!(figures.trim_end().lines().last().unwrap().split('\t').any(|cell| cell == "4"), "{figures}");
        let home = study.dejaview(["screen", "--size", "120x40"]).ok().to_owned();
        let row = home.lines().find(|line| line.contains("exact-jaccard")).unwrap();
        assert!(row.split_whitespace().any(|cell| cell == "4"), "{home}");
    }
}

/// A document that stands on both sides is in the other by being there.
#[test]
fn sizes_of_a_collection_and_itself() {
    let overlaps = |study: &Study| {
        study.run();
        let sizes = study.dejaview(["size", "--json"]).json();
        let found = |i: usize| {
            (sizes["overlaps"][i]["asked"].as_u64().unwrap(), sizes["overlaps"][i]["found"].as_u64().unwrap())
        };
        ([found(0), found(1)], sizes["corpora"][0]["share"]["value"].as_f64().unwrap())
    };
    let whole = configured(study().file("copy.jsonl", pages().concat()).target("00", "copy.jsonl"));
    let (found, share) = overlaps(&whole);
    assert_eq!((found, (share - 1.0).abs() < 1e-9), ([(4, 4), (4, 4)], true));
    // b, c and d in the target, with a page of its own; a is like b, e like nobody.
    let part = |study: Study| {
        let [_, b, c, d] = pages();
        configured(study.file("part.jsonl", b + &c + &d + &page("e", &words(200, 40))).target("00", "part.jsonl"))
    };
    assert_eq!(overlaps(&part(study())), overlaps(&part(study()).join(false)), "as two collections have it");
    assert_eq!(overlaps(&part(study())).0, [(4, 4), (4, 3)]);
}

/// What is kept of a document that stands on both sides is one text, found on either side.
#[test]
fn texts_of_documents_on_both_sides_are_listed_once_and_found_on_either_side() {
    let study = configured(study().target("00", "all.jsonl"));
    study.run();
    for word in ["word3", "elephant"] {
        let rows = study.dejaview(["search", word, "--terms", "--json"]).jsonl();
        let documents = |i: usize| rows[i]["documents"].as_u64().unwrap();
        assert_eq!((documents(0), documents(1)), if word == "word3" { (3, 3) } else { (1, 1) }, "{rows:?}");
        let hits = |side: &[&str]| {
            let hits = study.dejaview(["search", word, "--json"].into_iter().chain(side.iter().copied())).jsonl();
            hits.iter().map(|hit| text(&hit["id"])).collect::<BTreeSet<_>>().len() * 100 + hits.len()
        };
        let expected = if word == "word3" { 303 } else { 101 };
        assert_eq!([hits(&[]), hits(&["--side", "source"]), hits(&["--side", "target"])], [expected; 3], "{word}");
    }
    // c is the target of its pairs.
    assert!(study.dejaview(["search", "id:c", "--side", "source"]).ok().contains("source  c"));
    let screen = study.dejaview(["screen", "--keys", "9", "--size", "100x30"]).ok().to_owned();
    assert!(screen.contains("─ Documents 3 ") && screen.contains("─ 1/3 · both sides ─"), "{screen}");
    // What the progress line counts is what is kept: 1 and 3 pairs.
    let again = study.dejaview(["run", "--fresh"]);
    assert!(again.stderr.contains(" 4 pairs"), "{}", again.stderr);
}

#[test]
fn one_pair_of_each_document_cannot_be_drawn_where_pairs_belong_to_two() {
    let study = configured(study().target("00", "all.jsonl"));
    study.run();
    let refused = study.dejaview(["sample", "--configuration", "exact-jaccard", "--documents"]).failed().to_owned();
    assert!(refused.contains("share their pairs") && refused.contains("leave out --documents"), "{refused}");
}

#[test]
fn words_of_a_document_on_both_sides_count_once() {
    let text = |i: usize| words(i % 7, 30 + i) + &words(1_000 + i * 3, 20);
    let all: String = (0..40).map(|i| page(&format!("p{i:02}"), &text(i))).collect();
    // The weights of words, which follow from how many documents there are and how many have the word.
    let weights = |statistics: &str, target: &str| {
        let study = Study::new()
            .top(&format!("statistics = {statistics:?}"))
            .file("all.jsonl", all.clone())
            .file("more.jsonl", all.clone() + &page("other", &words(5, 60)))
            .source("all.jsonl")
            .target("00", target)
            .configuration("tfidf", "");
        study.run();
        study.dejaview(["explain", "p00", "p07"]).ok().to_owned()
    };
    assert!(weights("both", "all.jsonl").contains("weight"));
    assert_eq!(weights("both", "all.jsonl"), weights("source", "all.jsonl"));
    assert_ne!(weights("both", "more.jsonl"), weights("source", "more.jsonl"), "one more page counts");
}

/// Neighbours of a page are neighbours, whichever of the two comes first by its id.
#[test]
fn names_of_pages_do_not_change_what_lexicons_find() {
    let found = |name: &dyn Fn(usize) -> String| {
        // Families of pages that differ in a word or two; the middle one of each has the most neighbours.
        let text = |i: usize| {
            let own: Vec<String> =
                (0..60).map(|w| format!("family{}of{}", methods::letters(w), methods::letters(i / 5))).collect();
            own[i % 5 * 2..].join(" ") + " common words of all pages stand here"
        };
        let all: String = (0..40).map(|i| page(&name(i), &text(i))).collect();
        let study = Study::new()
            .file("all.jsonl", all)
            .source("all.jsonl")
            .target("00", "all.jsonl")
            .configuration("lex-rand", "");
        study.run();
        study.dejaview(["evaluate", "--experiments", "--table", "lexicons", "--format", "csv"]).ok().to_owned()
    };
    let (forward, backward) = (found(&|i| format!("p{i:02}")), found(&|i| format!("p{:02}", 40 - i)));
    assert_eq!(forward, backward);
    assert!(forward.lines().last().unwrap().ends_with(",40"), "all have a neighbour: {forward}");
}

#[test]
fn a_crawl_against_itself_by_brute_force() {
    let Some(data) = data() else { return };
    let crawl = data.join("recrawl/old.warc.gz");
    let study = Study::new().source(&crawl).target("00", &crawl).simhash("ngrams = [3, 5]").simhash("ngrams = [2]");
    let summary = study.run();
    assert_eq!(summary["both"], 733);
    for name in ["simhash-3+5", "simhash-2"] {
        let answer = study.dejaview(["sketches", "--configuration", name]);
        let rows = answer.rows("side\tid\tsketch");
        let source: BTreeMap<&str, u64> = rows
            .iter()
            .filter(|row| row[0] == "source")
            .map(|row| (row[1], u64::from_str_radix(row[2], 16).unwrap()))
            .collect();
        let mut expected = BTreeSet::new();
        for (a, x) in &source {
            for (b, y) in source.range::<str, _>((std::ops::Bound::Excluded(*a), std::ops::Bound::Unbounded)) {
                if (x ^ y).count_ones() <= 3 {
                    expected.insert(((*a).to_owned(), (*b).to_owned()));
                }
            }
        }
        let pairs = found(&study, name);
        assert_eq!(pairs.len(), expected.len(), "{name}");
        assert_eq!(pairs.into_iter().collect::<BTreeSet<_>>(), expected, "{name}");
        assert_eq!(summary["pairs"][name], expected.len());
    }
    let groups = study.dejaview(["groups", "--least", "jaccard:0", "--json"]).json();
    for group in groups["groups"].as_array().unwrap() {
        let members = group["members"].as_array().unwrap();
        let different: BTreeSet<&str> = members.iter().map(|member| member["id"].as_str().unwrap()).collect();
        assert!(different.len() > 1 && different.len() == members.len(), "{group}");
    }
}

/// A document that stands on both sides and meets nobody else has no pair; its copy has one, wherever it stands.
#[test]
fn a_copy_of_a_document_that_stands_on_both_sides() {
    for order in [["a", "b", "d"], ["b", "d", "a"]] {
        let text = |id: &str| words(if id == "d" { 100 } else { 0 }, 40);
        let old = ["a", "d"].map(|id| page(id, &text(id))).concat();
        let new = order.map(|id| page(id, &text(id))).concat();
        let study = configured(Study::new().file("old.jsonl", old).source("old.jsonl").file("new.jsonl", new));
        let study = study.target("00", "new.jsonl");
        let summary = study.run();
        assert_eq!((&summary["both"], &summary["documents"]["target"]), (&json!(2), &json!(3)), "{order:?}");
        assert_eq!(summary["pairs"], json!({ "md5": 1, "exact-jaccard": 1 }), "{order:?}");
        for configuration in ["md5", "exact-jaccard"] {
            assert_eq!(found(&study, configuration), ids(&[("a", "b")]), "{order:?}");
        }
    }
}
