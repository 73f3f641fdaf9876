//! The methods paragraph: which sample it is about, and that it reads as a person would write it.

use std::fs;

use serde_json::Value;

use crate::labels::study;
use crate::support::{Answer, Study, program};

fn labels(study: &Study, verb: &str, more: &[&str]) -> Answer {
    Answer::of(program().args(["labels", verb]).arg(study.folder()).args(more))
}

/// Draws a sample and imports labels of the pairs at some places of it.
fn labelled(study: &Study, name: &str, size: &str, places: &[usize], label: &str) {
    let sample = ["sample", "--configuration", "simhash-2", "--size", size, "--name", name, "--json"];
    let sample = study.dejaview(sample).json();
    let pair = |place: usize| &sample["pairs"][place];
    let id = |pair: &Value, key: &str| pair[key].as_str().unwrap().to_owned();
    let row = |&place: &usize| format!("{}\t{}\t{label}\n", id(pair(place), "source"), id(pair(place), "target"));
    let table = format!("source\ttarget\tlabel\n{}", places.iter().map(row).collect::<String>());
    fs::write(study.path("labels.tsv"), table).unwrap();
    let file = study.path("labels.tsv");
    labels(study, "import", &[file.to_str().unwrap(), "--annotator", "ann", "--sample", name]).ok();
}

#[test]
fn it_is_about_the_sample_with_the_most_labels_and_draws_none() {
    let study = study();
    labelled(&study, "few", "3", &[0], "unsure");
    labelled(&study, "many", "30", &[0, 1, 2, 3, 5, 7], "near-duplicate");
    labelled(&study, "none", "5", &[], "not");
    let paragraph = labels(&study, "paragraph", &[]);
    let said = "about sample many, which has the most labels; --sample names another: few\n";
    assert_eq!(paragraph.stderr, said);
    for words in [
        "we drew a simple random sample of 30 pairs without replacement. ",
        "(seed 1). One annotator labelled six of the 30 pairs as near-duplicate, not a near-duplicate, or unsure. ",
        "Of the pairs before the last labelled one, two were passed over; the estimates assume ",
        "No label was unsure. Precision, with a 95 % Clopper–Pearson interval",
    ] {
        assert!(paragraph.ok().contains(words), "{words}: {}", paragraph.text());
    }
    assert_eq!(fs::read_dir(study.path("samples")).unwrap().count(), 3, "no sample is drawn");
    let none = labels(&study, "paragraph", &["--sample", "none"]);
    assert!(none.failed().contains("sample none has no labels; `dejaview label "), "{}", none.stderr);
    assert!(labels(&study, "paragraph", &["--sample", "default"]).failed().contains("no sample `default`"));
}

#[test]
fn one_is_not_several() {
    let study = study();
    labelled(&study, "few", "3", &[0], "unsure");
    let paragraph = labels(&study, "paragraph", &[]);
    assert_eq!(paragraph.stderr, "", "there is nothing to choose");
    for words in [
        "a simple random sample of three pairs without replacement",
        "One annotator labelled one of the three pairs",
        "Since pairs were labelled in random order, those that have a label are a random sample themselves.",
        "The only label was unsure. One pair finally labelled unsure is left out of the estimates.",
    ] {
        assert!(paragraph.ok().contains(words), "{words}: {}", paragraph.text());
    }
    let json = labels(&study, "paragraph", &["--json"]).json();
    assert_eq!((&json["sample"], &json["unsure_labels"]), (&"few".into(), &1.into()));
}
