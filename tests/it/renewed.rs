//! Samples whose pairs changed say no more than they know.

use std::fs;
use std::ops::Range;

use serde_json::{Value, json};

use crate::labels;
use crate::support::{Answer, Study, copy, program};

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

/// For each pair of a sample whether a journal has a label of it.
fn labelled_places(study: &Study, sample: &Value) -> Vec<bool> {
    let journal = fs::read_to_string(study.path("labels/ada.jsonl")).unwrap();
    let events: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let has = |(source, target): &(String, String)| {
        events.iter().any(|event| event["source"] == json!(source) && event["target"] == json!(target))
    };
    labels::ids(sample).iter().map(has).collect()
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
    let drawn = sample(&study, &["--configuration", "theirs", "--size", "100"]);
    let unlabelled = study.dejaview(["evaluate", "--truth", "labels"]).ok().to_owned();
    let told = "theirs: no estimate: sample s is drawn and has no labels yet; `dejaview label ";
    assert!(
        unlabelled.contains(told) && unlabelled.contains("none: no labelled sample of pairs serves a configuration"),
        "{unlabelled}"
    );
    label(&study, "s", &drawn);
    let precision = |said: &Value| said["configurations"][0]["precision"]["value"].as_f64();
    assert_eq!(precision(&evaluated(&study)), Some(1.0));
    changed(&study, &pairs(0..800));
    let stale = study.dejaview(["evaluate", "--truth", "labels", "--table", "estimates"]);
    let why = "there is no table estimates, as no sample gives its numbers: sample s is of other pairs (";
    assert!(stale.failed().contains(why), "{}", stale.stderr);
    let redrawn = sample(&study, &["--redraw"]);
    let said = evaluated(&study);
    assert_eq!(precision(&said), None, "those with a label are old, and all true: {said}");
    assert!(said["estimates"][0]["waiting"].as_u64().unwrap() > 20, "{said}");
    let (pairs, labelled) = (labels::ids(&redrawn), labelled_places(&study, &redrawn));
    let last = labelled.iter().rposition(|has| *has).unwrap();
    let (have, gaps) =
        (labelled.iter().filter(|has| **has).count(), labelled[..last].iter().filter(|has| !**has).count());
    assert_eq!((&said["estimates"][0]["set_aside"], &said["estimates"][0]["waiting"]), (&json!(have), &json!(gaps)));
    let text = study.dejaview(["evaluate", "--truth", "labels"]).ok().to_owned();
    let told = format!("{have} of {} pairs labelled, but no number is made of them until the ", pairs.len());
    assert!(text.contains(&told) && text.contains("label these first"), "{text}");
    let waits = "no estimate: sample s waits for more labels";
    assert!(!text.contains("Strata of sample s") && text.contains(waits), "{text}");
    let mut command = program();
    let paragraph = Answer::of(command.args(["labels", "paragraph"]).arg(study.folder())).ok().to_owned();
    let told = format!("One annotator labelled {have} of the {} pairs", pairs.len());
    assert!(paragraph.contains(&told), "{paragraph}");
    assert!(
        paragraph.contains(&format!("no estimate is made until {gaps} more of its pairs have a label")),
        "{paragraph}"
    );
    for lie in ["random sample themselves", "Precision", "left out of the estimates", "passed over"] {
        assert!(!paragraph.contains(lie), "{lie}: {paragraph}");
    }
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

/// What a sample was drawn from does not change when others come and go; where it is not known any more, that is said.
#[test]
fn a_kept_sample_tells_what_it_was_drawn_from() {
    let study = study(0..300);
    label(&study, "s", &sample(&study, &["--configuration", "theirs", "--size", "40"]));
    let before = evaluated(&study)["estimates"][0].clone();
    let paragraph = || Answer::of(program().args(["labels", "paragraph"]).arg(study.folder())).ok().to_owned();
    let said = "from the 300 candidate pairs found by theirs, we drew a simple random sample of 40 pairs";
    assert!(paragraph().to_lowercase().contains(said), "{}", paragraph());
    changed(&study, &pairs(0..450));
    let kept = sample(&study, &["--keep"]);
    assert_eq!(
        (&kept["population"], &kept["kept"]["drawn_of"], &kept["kept"]["about"]),
        (&json!(300), &json!(300), &json!(true))
    );
    assert!(study.dejaview(["sample", "--list"]).ok().contains("it stands for the about 300 pairs there were"));
    let strata = study.dejaview(["evaluate", "--truth", "labels", "--table", "strata"]).ok().to_owned();
    assert!(strata.contains("about 300"), "{strata}");
    assert!(paragraph().to_lowercase().contains(said), "{}", paragraph());
    changed(&study, &pairs(0..300));
    let back = sample(&study, &["--keep"]);
    assert_eq!((&back["population"], &back["kept"]["more"]), (&json!(300), &json!(0)), "{}", back["kept"]);
    assert!(paragraph().to_lowercase().contains(said), "{}", paragraph());
    let after = evaluated(&study)["estimates"][0].clone();
    let value = |estimates: &Value| estimates["configurations"][0]["precision"]["headline"]["value"].as_f64().unwrap();
    assert_eq!(value(&after), value(&before));
    // Some leave: so many as the drawn ones tell, where none came.
    changed(&study, &pairs(100..300));
    let fewer = sample(&study, &["--keep"]);
    assert_eq!((&fewer["population"], &fewer["kept"]["about"]), (&json!(200), &json!(true)), "{}", fewer["kept"]);
}

#[test]
fn a_sample_of_a_transfer_is_of_these_very_pairs() {
    let study = study(0..200);
    let out = study.path("new.qrels");
    let asked = ["--from", "transfer", "--policy", "all", "--accept", "score:0.1", "--size", "30"];
    let before = study.dejaview(["transfer", "-o", out.to_str().unwrap(), "--policy", "all", "--accept", "score:0.1"]);
    let draws =
        "none of them is labelled; `dejaview sample STUDY --from transfer --policy all --accept score:0.1` draws";
    assert!(before.ok().contains(draws), "{}", before.text());
    label(&study, "s", &sample(&study, &asked));
    let text = study.dejaview(["evaluate", "--truth", "labels"]).ok().to_owned();
    assert!(
        text.contains("30 of 30 pairs labelled, 0 of them unsure, 0 more disputed; it serves no configuration"),
        "{text}"
    );
    assert!(!text.contains("doubtful as yes") && text.contains("Strata of sample s"), "{text}");
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

#[test]
fn every_command_says_alike_why_a_copied_study_must_be_run() {
    let (study, copied) = (study(0..20), Study::new());
    copy(study.folder(), copied.folder());
    let why = "has not been run since study.toml or its files changed (their dates count, so a copied study is run once more)";
    for asked in [&["sample", "--configuration", "theirs"][..], &["evaluate", "--truth", "labels"], &["pairs"]] {
        let said = copied.dejaview(asked);
        assert!(said.failed().contains(why), "{asked:?}: {}", said.stderr);
    }
}
