//! A sample tells what it was drawn from, and nothing is said from it once that has changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Answer, Study, program};

/// The sample study with two configurations, run.
fn study() -> Study {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-corpus");
    let mut study =
        Study::new().source(corpus.join("crawl-2009/*.warc.gz")).judgments(corpus.join("judgments/*.qrels"));
    for segment in ["00", "01"] {
        study = study.target(segment, corpus.join(format!("crawl-2012/{segment}.warc.gz")));
    }
    let study = study
        .simhash("name = \"simhash-2\"\nngrams = [2]\ndistance = 3")
        .simhash("name = \"simhash-3+5\"\nngrams = [3, 5]\ndistance = 3");
    study.run();
    study
}

/// Puts other words into `study.toml`.
fn edit(study: &Study, from: &str, to: &str) {
    let path = study.path("study.toml");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

fn labels(study: &Study, args: &[&str]) -> Answer {
    let mut command = program();
    Answer::of(command.args(["labels", args[0]]).arg(study.folder()).args(&args[1..]))
}

fn ids(sample: &Value) -> BTreeSet<(String, String)> {
    let id = |pair: &Value, key: &str| pair[key].as_str().unwrap().to_owned();
    sample["pairs"].as_array().unwrap().iter().map(|pair| (id(pair, "source"), id(pair, "target"))).collect()
}

/// Labels every pair of a sample; every fourth is "not".
fn label(study: &Study, name: &str, sample: &Value) {
    let mut text = "source\ttarget\tlabel\n".to_owned();
    for (i, (source, target)) in ids(sample).iter().enumerate() {
        text += &format!("{source}\t{target}\t{}\n", if i % 4 == 3 { "not" } else { "near-duplicate" });
    }
    fs::write(study.path("labels.tsv"), text).unwrap();
    let file = study.path("labels.tsv");
    labels(study, &["import", file.to_str().unwrap(), "--annotator", "ada", "--sample", name]).ok();
}

fn precision(study: &Study, name: &str) -> Value {
    let result = study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    let all = result["configurations"].as_array().unwrap();
    all.iter().find(|c| c["name"] == name).unwrap()["precision"].clone()
}

/// The pairs that simhash-2 finds now.
fn pairs_now(study: &Study) -> BTreeSet<(String, String)> {
    let pairs = study.dejaview(["pairs", "--configuration", "simhash-2", "--json"]).jsonl();
    let id = |pair: &serde_json::Value, key: &str| pair[key].as_str().unwrap().to_owned();
    pairs.iter().map(|pair| (id(pair, "source"), id(pair, "target"))).collect()
}

/// A run says which samples it leaves behind, in the words that other commands have.
fn check_what_a_run_says(study: &Study, run: &Answer, what: &str) {
    let said = run.ok().lines().find(|line| line.contains(what)).expect("a run says which samples it leaves behind");
    assert!(said.contains("--name s --redraw"), "{said}");
    assert!(labels(study, &["verify"]).ok().lines().any(|line| line == said), "in the words that verify has");
    assert!(study.dejaview(["sample", "--list"]).ok().contains(what));
    assert_eq!(study.dejaview(["run", "--json"]).json()["changed_samples"][0]["sample"], "s");
}

#[test]
fn after_a_run_with_other_parameters_no_number_is_given_until_the_sample_is_renewed() {
    let study = study();
    let asked = ["sample", "--configuration", "simhash-2", "--size", "40", "--name", "s", "--json"];
    let sample = study.dejaview(asked).json();
    label(&study, "s", &sample);
    assert!(precision(&study, "simhash-2")["value"].is_f64());
    let stored = fs::read_to_string(study.path("samples/s.jsonl")).unwrap();
    let head: Value = serde_json::from_str(stored.lines().next().unwrap()).unwrap();
    let then = &head["drawn_from"];
    assert_eq!(then["configurations"][0]["parameters"]["distance"], "3");
    assert_eq!((&then["content"], then["configurations"][0]["pairs"].as_str().unwrap().len()), (&"all".into(), 32));

    edit(&study, "distance = 3", "distance = 2");
    let run = study.dejaview(["run"]);
    assert!(precision(&study, "simhash-2").is_null(), "a number about other pairs");
    let what = "simhash-2: distance 3 -> 2";
    check_what_a_run_says(&study, &run, what);
    let shown = study.dejaview(["evaluate", "--truth", "labels"]);
    assert!(shown.ok().contains("--name s --redraw") && shown.ok().contains(what), "{}", shown.ok());
    for refused in [
        study.dejaview(["evaluate", "--truth", "labels", "--sample", "s"]),
        study.dejaview(["sample", "--name", "s", "--extend", "5"]),
        labels(&study, &["paragraph", "--sample", "s"]),
        labels(&study, &["agreement", "--sample", "s"]),
    ] {
        let why = refused.failed();
        assert!(why.contains("sample s is of other pairs") && why.contains(what) && why.contains("--keep"), "{why}");
    }
    let verified = labels(&study, &["verify", "--json"]).json();
    assert_eq!(verified["samples"][0]["pairs"], "changed");
    assert_eq!(verified["samples"][0]["changes"][0]["what"], "parameter");
    assert!(labels(&study, &["verify"]).ok().contains(what));
    let qrels = study.path("new.qrels");
    let asked =
        ["transfer", "-o", qrels.to_str().unwrap(), "--accept", "all", "--configuration", "simhash-2", "--json"];
    let carried = study.dejaview(asked).json();
    assert!(carried["wrong"]["share"].is_null() && carried["changed"][0]["sample"] == "s", "{}", carried["wrong"]);

    let redrawn = study.dejaview(["sample", "--name", "s", "--redraw", "--json"]).json();
    let now = pairs_now(&study);
    assert_eq!(redrawn["population"], now.len());
    assert!(ids(&redrawn).is_subset(&now) && ids(&redrawn).len() == 40);
    let both = ids(&redrawn).intersection(&ids(&sample)).count();
    assert!(both > 0 && redrawn["before"]["both"] == both && redrawn["before"]["still_labelled"] == both);
    assert!(precision(&study, "simhash-2")["value"].is_f64());
    assert_eq!(labels(&study, &["verify", "--json"]).json()["samples"][0]["pairs"], "same");
}

#[test]
fn a_kept_sample_names_the_pairs_that_left_and_what_it_stands_for() {
    let study = study();
    let asked = ["sample", "--configuration", "simhash-2", "--by", "jaccard", "--size", "60", "--name", "s", "--json"];
    let sample = study.dejaview(asked).json();
    label(&study, "s", &sample);
    edit(&study, "distance = 3", "distance = 1");
    study.run();
    let now = pairs_now(&study);
    let left: BTreeSet<(String, String)> = ids(&sample).difference(&now).cloned().collect();
    assert!(!left.is_empty() && left.len() < 60, "{}", left.len());
    let kept = study.dejaview(["sample", "--name", "s", "--keep", "--json"]).json();
    assert_eq!(ids(&kept), ids(&sample).intersection(&now).cloned().collect());
    let told: BTreeSet<(String, String)> = kept["kept"]["left"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (pair[0].as_str().unwrap().to_owned(), pair[1].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(told, left);
    // A smaller distance only takes pairs away: what is left is the whole of now.
    assert_eq!((&kept["kept"]["new"], &kept["population"]), (&0.into(), &now.len().into()));
    for stratum in kept["strata"].as_array().unwrap().iter().filter(|stratum| stratum["drawn"] != 0) {
        let mine = kept["pairs"].as_array().unwrap().iter().filter(|pair| pair["stratum"] == stratum["name"]);
        let weights: f64 = mine.map(|pair| pair["weight"].as_f64().unwrap()).sum();
        assert!((weights - stratum["population"].as_f64().unwrap()).abs() < 1e-6, "{stratum}");
    }
    let result = study.dejaview(["evaluate", "--truth", "labels"]);
    assert!(result.ok().contains("are no longer found and left out"), "{}", result.ok());
    assert!(labels(&study, &["paragraph", "--sample", "s"]).ok().contains("no longer found"));
    let longer = study.dejaview(["sample", "--name", "s", "--extend", "5"]);
    assert!(longer.failed().contains("was kept when the pairs changed"), "{}", longer.failed());

    // Back again there are pairs that could not have been drawn.
    edit(&study, "distance = 1", "distance = 3");
    study.run();
    let again = study.dejaview(["sample", "--name", "s", "--keep", "--json"]).json();
    assert!(again["kept"]["new"].as_u64().unwrap() > 0);
    let result = study.dejaview(["evaluate", "--truth", "labels"]);
    assert!(result.ok().contains("% of the pairs now are new"), "{}", result.ok());
}

/// Nothing has changed where another configuration has, where the run was another one, or where files lie otherwise.
#[test]
fn what_does_not_concern_a_sample_does_not_touch_it() {
    let study = study();
    study.dejaview(["sample", "--configuration", "simhash-2", "--size", "30", "--name", "s"]).ok();
    let header = |study: &Study| fs::read_to_string(study.path("samples/s.jsonl")).unwrap();
    let before = header(&study);
    let state = |study: &Study| labels(study, &["verify", "--json"]).json()["samples"][0]["pairs"].clone();
    edit(&study, "ngrams = [3, 5]\ndistance = 3", "ngrams = [3, 5]\ndistance = 1");
    study.dejaview(["run", "--fresh", "--threads", "1"]).ok();
    assert_eq!(state(&study), "same");
    study.dejaview(["sample", "--configuration", "simhash-2", "--size", "30", "--name", "s"]).ok();
    assert_eq!(header(&study), before, "another number of threads gives the same digest");
    // The settings of texts concern it.
    edit(&study, "[source]", "[text]\ncontent = \"main\"\n\n[source]");
    study.run();
    let verified = labels(&study, &["verify"]);
    assert!(verified.ok().contains("[text] content all -> main"), "{}", verified.ok());
}

/// A sample of version 0.1.0 does not tell: its numbers hold as long as there are as many pairs.
#[test]
fn a_sample_without_a_digest_is_used_while_the_numbers_fit() {
    let study = study();
    let both = "simhash-2,simhash-3+5";
    let asked = ["sample", "--configuration", both, "--by", "agreement", "--size", "30", "--name", "s", "--json"];
    let sample = study.dejaview(asked).json();
    label(&study, "s", &sample);
    let path = study.path("samples/s.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let mut head: Value = serde_json::from_str(first).unwrap();
    for key in ["drawn_from", "checksum"] {
        assert!(head.as_object_mut().unwrap().remove(key).is_some(), "as an earlier version wrote it: without {key}");
    }
    fs::write(&path, format!("{head}\n{rest}")).unwrap();
    assert!(precision(&study, "simhash-2")["value"].is_f64());
    let shown = study.dejaview(["evaluate", "--truth", "labels"]);
    assert_eq!(shown.ok().matches("does not tell what it was drawn from").count(), 1, "{}", shown.ok());
    assert_eq!(labels(&study, &["verify", "--json"]).json()["samples"][0]["pairs"], "unknown");
    let old = fs::read_to_string(&path).unwrap();
    edit(&study, "ngrams = [3, 5]\ndistance = 3", "ngrams = [3, 5]\ndistance = 1");
    study.run();
    assert!(precision(&study, "simhash-2").is_null());
    assert_eq!(labels(&study, &["verify", "--json"]).json()["samples"][0]["pairs"], "changed");
    edit(&study, "ngrams = [3, 5]\ndistance = 1", "ngrams = [3, 5]\ndistance = 3");
    study.run();
    assert_eq!(fs::read_to_string(&path).unwrap(), old);
    // Drawn again in the same way it tells.
    study.dejaview(asked).ok();
    assert_eq!(labels(&study, &["verify", "--json"]).json()["samples"][0]["pairs"], "same");
}
