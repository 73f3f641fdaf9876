//! Samples whose pairs changed say no more than they know.

use std::fs;
use std::ops::Range;

use serde_json::{Value, json};

use crate::labels;
use crate::support::{Answer, Study, program};

/// Pairs by number: those up to 400 are near-duplicates.
fn pairs(numbers: Range<u32>) -> String {
    numbers.map(|i| format!("s{i:03}\tt{i:03}\t0.{}\n", 5 + i % 5)).collect()
}

/// A study of such pairs, all judged.
fn study(numbers: Range<u32>) -> Study {
    let qrels: String = (0..900).map(|i| format!("1 0 s{i:03} 1\n")).collect();
    let study = Study::new()
        .file("judged.qrels", qrels)
        .judgments("judged.qrels")
        .file("pairs.tsv", pairs(numbers))
        .configuration("import", "name = \"theirs\"\npairs = \"pairs.tsv\"");
    study.run();
    study
}

/// Labels the pairs of a sample.
fn label(study: &Study, name: &str, sample: &Value) {
    let mut rows = "source\ttarget\tlabel\n".to_owned();
    for (source, target) in labels::ids(sample) {
        let word = if source[1..].parse::<u32>().unwrap() < 400 { "near-duplicate" } else { "not" };
        rows += &format!("{source}\t{target}\t{word}\n");
    }
    fs::write(study.path("labels.tsv"), rows).unwrap();
    let mut command = program();
    command.args(["labels", "import"]).arg(study.folder()).arg(study.path("labels.tsv"));
    Answer::of(command.args(["--annotator", "ada", "--sample", name])).ok();
}

fn sample(study: &Study, more: &[&str]) -> Value {
    study.dejaview(["sample", "--name", "s", "--json"].into_iter().chain(more.iter().copied())).json()
}

fn changed(study: &Study, pairs: &str) {
    fs::write(study.path("pairs.tsv"), pairs).unwrap();
    study.run();
}

fn evaluated(study: &Study) -> Value {
    study.dejaview(["evaluate", "--truth", "labels", "--json"]).json()
}

fn wrong(study: &Study) -> Value {
    let out = study.path("new.qrels");
    let asked = ["transfer", "-o", out.to_str().unwrap(), "--policy", "all", "--accept", "score:0.1", "--json"];
    study.dejaview(asked).json()["wrong"].clone()
}

#[test]
fn labels_from_before_a_redraw_say_nothing_until_the_new_pairs_have_theirs() {
    let study = study(0..400);
    label(&study, "s", &sample(&study, &["--configuration", "theirs", "--size", "100"]));
    let precision = |said: &Value| said["configurations"][0]["precision"]["value"].as_f64();
    assert_eq!(precision(&evaluated(&study)), Some(1.0));
    changed(&study, &pairs(0..800));
    let redrawn = sample(&study, &["--redraw"]);
    let said = evaluated(&study);
    assert_eq!(precision(&said), None, "those with a label are old, and all true: {said}");
    assert!(said["estimates"][0]["waiting"].as_u64().unwrap() > 20, "{said}");
    let text = study.dejaview(["evaluate", "--truth", "labels"]).ok().to_owned();
    assert!(text.contains("have no label yet") && text.contains("label these first"), "{text}");
    label(&study, "s", &redrawn);
    let found = precision(&evaluated(&study)).unwrap();
    assert!((0.3..0.7).contains(&found), "half of them are true: {found}");
}

#[test]
fn a_kept_sample_does_not_speak_for_pairs_that_came_later() {
    let study = study(0..300);
    label(&study, "s", &sample(&study, &["--configuration", "theirs", "--size", "15"]));
    assert_eq!(wrong(&study)["value"], 0.0);
    // A few more: whether one of them would have been drawn is luck, that they are more is not.
    changed(&study, &pairs(0..303));
    let kept = sample(&study, &["--keep"]);
    assert_eq!(kept["kept"]["more"], 3, "{kept}");
    assert_eq!(evaluated(&study)["configurations"][0]["precision"], Value::Null);
    assert_eq!(wrong(&study)["value"], Value::Null, "it stands for the old pairs alone");
}

#[test]
fn a_sample_of_a_transfer_is_of_these_very_pairs() {
    let study = study(0..200);
    let asked = ["--from", "transfer", "--policy", "all", "--accept", "score:0.1", "--size", "30"];
    label(&study, "s", &sample(&study, &asked));
    assert_eq!((&wrong(&study)["value"], &wrong(&study)["sample"]), (&json!(0.0), &json!("s")));
    changed(&study, &(pairs(0..100) + &pairs(400..500)));
    assert_eq!(wrong(&study)["value"], Value::Null, "as many pairs, and half of them others");
}

#[test]
fn pairs_drawn_by_importance_have_no_audit_and_wait_for_labels_when_they_become_more() {
    let study = study(0..400);
    let refused = study.dejaview(["sample", "--configuration", "theirs", "--importance", "--audit", "10"]);
    assert!(refused.failed().contains("leave out --by, --documents and --audit"), "{}", refused.stderr);
    label(&study, "s", &sample(&study, &["--configuration", "theirs", "--importance", "--size", "40"]));
    assert_eq!(evaluated(&study)["configurations"][0]["precision"]["value"], 1.0);
    let longer = sample(&study, &["--extend", "20"]);
    let said = evaluated(&study);
    assert_eq!((&said["configurations"][0]["precision"], &said["estimates"][0]["waiting"]), (&Value::Null, &json!(20)));
    label(&study, "s", &longer);
    assert_eq!(evaluated(&study)["configurations"][0]["precision"]["value"], 1.0);
}
