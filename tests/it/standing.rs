//! One answer to one question: what holds for a pair, and what may be estimated from it, whichever command is asked.

use std::fs;

use dejaview::labels::{Access, DocumentOrder, Event, EventKind, Journal, Label};
use serde_json::Value;

use crate::labels::{ids, study, truth};
use crate::support::{Answer, Study, program};

use Label::{NearDuplicate as Near, Not};

const NAME: &str = "simhash-2";

/// A sample of so many pairs of one configuration.
fn sample(study: &Study, size: usize) -> Vec<(String, String)> {
    let size = size.to_string();
    ids(&study.dejaview(["sample", "--configuration", NAME, "--size", &size, "--name", "s", "--json"]).json())
}

/// Writes a label as the explorer does.
fn say(study: &Study, annotator: &str, pair: &(String, String), label: Label, how: impl Fn(&mut Event)) {
    let mut event = Event::new(EventKind::Label(label), &pair.0, &pair.1, "2012-01-01T00:00:00.000Z");
    how(&mut event);
    // A program that another test starts at this moment may hold the lock until it has begun.
    let mut journal = loop {
        match Journal::open(study.folder(), annotator) {
            Ok(journal) if *journal.access() == Access::Write => break journal,
            _ => std::thread::yield_now(),
        }
    };
    journal.append(&event).unwrap();
}

/// `dejaview labels WHAT STUDY …`.
fn labels(study: &Study, what: &str, more: &[&str]) -> String {
    let mut command = program();
    command.args(["labels", what]).arg(study.folder()).args(more);
    Answer::of(&mut command).ok().to_owned()
}

fn in_sample(event: &mut Event) {
    event.sample = Some("s".to_owned());
    event.circumstances.peeked = Some(false);
}

/// As on Compare: in no sample, with all scores in view.
fn on_compare(event: &mut Event) {
    event.circumstances.peeked = Some(true);
}

fn on(day: &'static str) -> impl Fn(&mut Event) {
    move |event| event.time = format!("2012-01-{day}T00:00:00.000Z")
}

fn import(study: &Study, text: &str, more: &[&str]) -> Answer {
    let file = study.path("labels.tsv");
    fs::write(&file, format!("source\ttarget\tlabel\n{text}")).unwrap();
    let mut command = program();
    command.args(["labels", "import"]).arg(study.folder()).arg(file).args(["--annotator", "eve"]).args(more);
    Answer::of(&mut command)
}

fn evaluate(study: &Study, more: &[&str]) -> Value {
    study.dejaview(["evaluate", "--truth", "labels", "--json"].into_iter().chain(more.iter().copied())).json()
}

fn estimate<'a>(result: &'a Value, name: &str) -> &'a Value {
    let all = result["estimates"][0]["configurations"].as_array().unwrap();
    all.iter().find(|estimate| estimate["name"] == name).unwrap()
}

fn quality<'a>(result: &'a Value, name: &str) -> &'a Value {
    result["configurations"].as_array().unwrap().iter().find(|quality| quality["name"] == name).unwrap()
}

#[test]
fn adjudicators_who_contradict_each_other_leave_a_pair_disputed_for_every_command() {
    let study = study();
    let pairs = sample(&study, 4);
    for pair in &pairs {
        say(&study, "ada", pair, Near, in_sample);
    }
    say(&study, "bob", &pairs[0], Not, in_sample);
    say(&study, "adjudication.zed", &pairs[0], Not, on("02"));
    say(&study, "adjudication.amy", &pairs[0], Near, on("09"));
    let qrels = || labels(&study, "export", &["--format", "qrels"]);
    let mut command = program();
    let told = Answer::of(command.args(["labels", "export", "--format", "qrels"]).arg(study.folder())).stderr;
    assert!(told.contains("1 pair left out as disputed: annotators, or adjudicators, differ"), "{told}");
    let line = |grade: &str| format!("{} 0 {} {grade}", pairs[0].0, pairs[0].1);
    let result = evaluate(&study, &[]);
    assert_eq!((&result["estimates"][0]["disputed"], &result["estimates"][0]["labelled"]), (&1.into(), &3.into()));
    assert!(!qrels().contains(&pairs[0].1), "{}", qrels());
    assert!(labels(&study, "paragraph", &["--sample", "s"]).contains("One disputed pair on which adjudicators differ"));
    // A later decision that names those it overrides settles it.
    say(&study, "adjudication.amy", &pairs[0], Near, |event| {
        on("10")(event);
        event.circumstances.overrides = Some(vec!["zed".to_owned()]);
    });
    let result = evaluate(&study, &[]);
    assert_eq!((&result["estimates"][0]["disputed"], &result["estimates"][0]["labelled"]), (&0.into(), &4.into()));
    assert_eq!(estimate(&result, NAME)["precision"]["yes"], 4);
    assert!(qrels().contains(&line("1")), "{}", qrels());
}

#[test]
fn a_label_changed_on_compare_is_the_decision_in_the_sample_too() {
    let study = study();
    let pairs = sample(&study, 6);
    for pair in &pairs {
        say(&study, "ada", pair, Not, in_sample);
    }
    for pair in &pairs[..3] {
        say(&study, "ada", pair, Near, on_compare);
    }
    let result = evaluate(&study, &[]);
    assert_eq!(estimate(&result, NAME)["precision"]["yes"], 3);
    assert_eq!(result["estimates"][0]["saw_scores"], 3, "they are counted apart");
    let blind = evaluate(&study, &["--blind-only"]);
    assert_eq!(estimate(&blind, NAME)["precision"]["yes"], 0, "and can be left out");
    assert_eq!(blind["estimates"][0]["labelled"], 6, "what was said before counts again");
    let exported = labels(&study, "export", &["--format", "qrels", "--sample", "s"]);
    assert_eq!(exported.lines().filter(|line| line.ends_with(" 1")).count(), 3, "{exported}");
}

#[test]
fn disputed_pairs_count_three_ways_and_lie_inside_what_never_covers_less() {
    let study = study();
    let all = study.dejaview(["pairs", "--configuration", NAME, "--json"]).jsonl().len();
    let pairs = sample(&study, all);
    let truth = truth();
    let (mut near, mut disputed) = (0, 0);
    for (i, pair) in pairs.iter().enumerate() {
        let label = if truth.get(pair).copied().unwrap_or(false) { Near } else { Not };
        say(&study, "ada", pair, label, in_sample);
        if i % 11 == 0 {
            say(&study, "bob", pair, if label == Near { Not } else { Near }, in_sample);
            disputed += 1;
        } else {
            near += u64::from(label == Near);
        }
    }
    let result = evaluate(&study, &[]);
    assert_eq!(result["estimates"][0]["disputed"], disputed);
    let one = estimate(&result, NAME);
    let number = |value: &Value| value.as_f64().unwrap();
    let [low, high] = [near as f64 / all as f64, (near + disputed) as f64 / all as f64];
    let wide = &one["precision"]["conservative"];
    assert!((number(&wide["low"]) - low).abs() < 1e-9 && (number(&wide["high"]) - high).abs() < 1e-9, "{wide}");
    assert!((number(&one["by_unsure"][1]["value"]) - high).abs() < 1e-9, "{one}");
    assert!((number(&one["by_unsure"][2]["value"]) - low).abs() < 1e-9, "{one}");
    assert!(study.dejaview(["evaluate", "--truth", "labels"]).ok().contains(&format!("{disputed} more disputed")));
}

#[test]
fn labels_outside_a_sample_make_no_estimate() {
    let study = study();
    let truths: Vec<_> = truth().into_iter().filter(|(_, is_true)| *is_true).map(|(pair, _)| pair).take(30).collect();
    let rows: String = truths.iter().map(|(s, t)| format!("{s}\t{t}\tnear-duplicate\n")).collect();
    import(&study, &rows, &[]).ok();
    let result = evaluate(&study, &[]);
    for quality in result["configurations"].as_array().unwrap() {
        for key in ["precision", "recall", "f1", "only_true"] {
            assert!(quality[key].is_null(), "{key}: {quality}");
        }
    }
    assert_eq!(result["coverage"].as_array().unwrap().len(), 0, "no union either");
    // A sample that shares some pairs with them rests on its own labels alone.
    let pairs = sample(&study, 40);
    say(&study, "ada", &pairs[0], Near, in_sample);
    let result = evaluate(&study, &[]);
    assert_eq!(estimate(&result, NAME)["precision"]["labelled"], 1);
}

#[test]
fn found_alone_and_unions_are_weighted() {
    let study = study();
    let names = "simhash-2,simhash-3+5,exact-jaccard";
    let asked = ["sample", "--configuration", names, "--by", "agreement", "--allocation", "equal", "--size", "80"];
    let drawn = study.dejaview(asked.into_iter().chain(["--name", "s", "--json"])).json();
    let truth = truth();
    let is_true = |pair: &(String, String)| truth.get(pair).copied().unwrap_or(false);
    let label = |pair: &(String, String)| if is_true(pair) { "near-duplicate" } else { "not" };
    let rows: String = ids(&drawn).iter().map(|pair| format!("{}\t{}\t{}\n", pair.0, pair.1, label(pair))).collect();
    import(&study, &rows, &["--sample", "s"]).ok();
    let result = evaluate(&study, &[]);
    let mut alone = 0u64;
    let mut found: std::collections::BTreeMap<(String, String), Vec<String>> = Default::default();
    for pair in study.dejaview(["pairs", "--json"]).jsonl() {
        let id = |key: &str| pair[key].as_str().unwrap().to_owned();
        found.entry((id("source"), id("target"))).or_default().push(id("configuration"));
    }
    for (pair, by) in &found {
        alone += u64::from(by[..] == [NAME.to_owned()] && is_true(pair));
    }
    let quality = quality(&result, NAME);
    let (low, high) = (quality["only_true"]["low"].as_f64().unwrap(), quality["only_true"]["high"].as_f64().unwrap());
    assert!(low <= alone as f64 && alone as f64 <= high, "{alone}: {quality}");
    let last = result["coverage"].as_array().unwrap().last().unwrap();
    let union = found.keys().filter(|pair| is_true(pair)).count() as f64 / found.len() as f64;
    assert!((last["precision"].as_f64().unwrap() - union).abs() < 0.08, "{last} for {union}");
    assert_eq!(result["unions_of"], "s");
}

#[test]
fn gaps_in_the_order_are_said() {
    let study = study();
    let pairs = sample(&study, 10);
    for pair in [&pairs[0], &pairs[3]] {
        say(&study, "ada", pair, Not, in_sample);
    }
    assert_eq!(evaluate(&study, &[])["estimates"][0]["gaps"], 2);
    assert!(study.dejaview(["evaluate", "--truth", "labels"]).ok().contains("2 pairs were passed over"));
}

#[test]
fn majority_settles_where_the_study_says_so() {
    let study = study();
    let pairs = sample(&study, 2);
    for (annotator, label) in [("ada", Near), ("bob", Near), ("cyd", Not)] {
        say(&study, annotator, &pairs[0], label, in_sample);
    }
    let disputed = || evaluate(&study, &[])["estimates"][0]["disputed"].as_u64();
    assert_eq!(disputed(), Some(1));
    let toml = fs::read_to_string(study.path("study.toml")).unwrap();
    fs::write(study.path("study.toml"), format!("{toml}\n[labels]\nsettled_by = \"majority\"\n")).unwrap();
    assert_eq!(disputed(), Some(0));
}

/// A sample of six pairs with everything that a journal may hold of them.
fn with_everything() -> (Study, Vec<(String, String)>) {
    let study = study();
    let pairs = sample(&study, 6);
    for pair in &pairs {
        say(&study, "ada", pair, Near, in_sample);
    }
    for pair in &pairs[..3] {
        say(&study, "bob", pair, Not, in_sample);
    }
    // One is left disputed by two adjudicators, one settled by a later decision that names the one it overrides.
    for (pair, overrides) in [(&pairs[0], None), (&pairs[1], Some(vec!["zed".to_owned()]))] {
        say(&study, "adjudication.zed", pair, Not, on("02"));
        say(&study, "adjudication.amy", pair, Near, |event| {
            on("09")(event);
            event.circumstances.overrides.clone_from(&overrides);
        });
    }
    say(&study, "ada", &pairs[3], Not, |event| {
        on_compare(event);
        event.circumstances.dwell_ms = Some(900);
    });
    say(&study, "ada", &pairs[4], Near, |event| {
        in_sample(event);
        event.circumstances.class = Some("light-edit".to_owned());
        event.circumstances.reason = Some("layout".to_owned());
        event.circumstances.dwell_ms = Some(4_200);
        event.circumstances.order = Some(DocumentOrder::TargetFirst);
    });
    for what in [EventKind::Note("dates differ".to_owned()), EventKind::Flag(true)] {
        say(&study, "ada", &pairs[4], Near, |event| {
            in_sample(event);
            event.kind = what.clone();
        });
    }
    (study, pairs)
}

#[test]
fn labels_that_were_exported_come_back_as_they_were() {
    let (home, pairs) = with_everything();
    let exported = |study: &Study, format: &str| labels(study, "export", &["--format", format]);
    for format in ["tsv", "jsonl"] {
        let away = study();
        assert_eq!(sample(&away, 6), pairs);
        let file = away.path("exported");
        fs::write(&file, exported(&home, format)).unwrap();
        let import = || Answer::of(program().args(["labels", "import"]).arg(away.folder()).arg(&file));
        import().ok();
        let [own, other] = [&home, &away].map(|study| {
            let folder = study.folder().to_str().unwrap();
            evaluate(study, &[])["estimates"].to_string().replace(folder, "STUDY")
        });
        assert_eq!(own, other, "{format}");
        assert_eq!(evaluate(&away, &[])["estimates"][0]["disputed"], 2, "{format}");
        assert_eq!(exported(&home, "qrels"), exported(&away, "qrels"), "{format}");
        let [own, other] = [&home, &away].map(|study| labels(study, "paragraph", &["--sample", "s"]));
        assert_eq!(own, other, "{format}");
        assert_eq!(exported(&home, "jsonl"), exported(&away, "jsonl"), "{format}");
        let again = import();
        assert!(again.ok().starts_with("0 labels of"), "{format}: {}", again.text());
    }
}

#[test]
fn labels_from_outside_that_differ_are_told_as_disputed() {
    let study = study();
    let pairs = sample(&study, 6);
    for pair in &pairs {
        say(&study, "ada", pair, Near, in_sample);
    }
    let rows: String =
        pairs[..3].iter().zip(["not", "not", "near-duplicate"]).map(|((s, t), l)| format!("{s}\t{t}\t{l}\n")).collect();
    let answer = import(&study, &rows, &[]);
    assert!(answer.ok().contains(", 2 pairs disputed now; 3 rows read"), "{}", answer.text());
    let told = "2 pairs on which they differ from other labels are disputed now and count as disputed in the estimates of samples";
    assert!(answer.stderr.contains(told), "{}", answer.stderr);
    assert_eq!(evaluate(&study, &[])["estimates"][0]["disputed"], 2);
    let paragraph = labels(&study, "paragraph", &["--sample", "s"]);
    let told = "Two disputed pairs on which labels given outside the sample differ from those given in it are left out of the estimates.";
    assert!(paragraph.contains(told), "{paragraph}");
    say(&study, "bob", &pairs[5], Not, in_sample);
    let paragraph = labels(&study, "paragraph", &["--sample", "s"]);
    assert!(
        paragraph.contains("One disputed pair on which the annotators differ and two disputed pairs on which labels"),
        "{paragraph}"
    );
    assert!(import(&study, &rows, &[]).ok().starts_with("0 labels of eve added, 3 known before; 3 rows read"));
}

#[test]
fn labels_of_pairs_that_were_assigned_to_others_are_counted() {
    let study = study();
    let shared = ["sample", "--configuration", NAME, "--size", "10", "--assign", "eve,bob", "--overlap", "2"];
    let drawn = study.dejaview(shared.into_iter().chain(["--name", "s", "--json"])).json();
    let of_others = |pair: &&Value| !pair["assigned"].as_array().unwrap().contains(&"eve".into());
    let others = drawn["pairs"].as_array().unwrap().iter().filter(of_others).count();
    assert_eq!(others, 4);
    let rows: String = ids(&drawn).iter().map(|(s, t)| format!("{s}\t{t}\tnot\n")).collect();
    let answer = import(&study, &rows, &["--sample", "s"]);
    assert!(
        answer.ok().contains(", 4 of pairs that were assigned to others, which count all the same;"),
        "{}",
        answer.text()
    );
}
