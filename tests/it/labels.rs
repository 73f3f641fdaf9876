//! Labels in and out of the sample study, agreement, estimates, the paragraph and a pack, as a user meets them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::samples::sample_study;
use crate::support::{Study, copy, dejaview};

const ALL: &str = "simhash-2,simhash-3+5,exact-jaccard";

/// The truth of the sample corpus: pairs that are near-duplicates by its guidelines.
pub fn truth() -> BTreeMap<(String, String), bool> {
    let near = ["exact-copy", "moved", "date-changed", "boilerplate-changed", "light-edit"];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-corpus/truth.tsv");
    let text = fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let [source, target, kind] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        ((source.to_owned(), target.to_owned()), near.contains(&kind))
    };
    text.lines().skip(1).map(line).collect()
}

/// A study of its own with the runs of the shared one: same pairs, other samples and labels.
pub fn study() -> Study {
    let (shared, study) = (sample_study(), Study::new());
    copy(&shared.path(".dejaview"), &study.path(".dejaview"));
    // It comes without labels, and knows of none.
    let _ = fs::remove_dir_all(study.path(".dejaview/journals"));
    fs::copy(shared.path("study.toml"), study.path("study.toml")).unwrap();
    study
}

pub fn ids(sample: &Value) -> Vec<(String, String)> {
    let id = |pair: &Value, key: &str| pair[key].as_str().unwrap().to_owned();
    sample["pairs"].as_array().unwrap().iter().map(|pair| (id(pair, "source"), id(pair, "target"))).collect()
}

/// A table of labels: the truth, but for every `wrong`-th pair, and unsure of every `unsure`-th.
fn table(pairs: &[(String, String)], wrong: usize, unsure: usize) -> String {
    let truth = truth();
    let mut text = "source\ttarget\tlabel\tnote\n".to_owned();
    for (i, pair) in pairs.iter().enumerate() {
        let is_true = truth.get(pair).copied().unwrap_or(false) != (i % wrong == wrong - 1);
        let label = match i % unsure == unsure - 1 {
            true => "unsure",
            false if is_true => "near-duplicate",
            false => "not",
        };
        text += &format!("{}\t{}\t{label}\t\n", pair.0, pair.1);
    }
    text
}

#[test]
fn two_annotators_from_a_sample_to_a_paragraph() {
    let study = study();
    let asked = ["sample", "--configuration", ALL, "--by", "jaccard", "--allocation", "equal", "--size", "60"];
    let sample = study.dejaview(asked.into_iter().chain(["--name", "both", "--audit", "20", "--json"])).json();
    let pairs = ids(&sample);
    let import = |name: &str, text: &str| {
        fs::write(study.path("labels.tsv"), text).unwrap();
        let file = study.path("labels.tsv");
        let mut command = crate::support::program();
        command.args(["labels", "import"]).arg(study.folder()).arg(file).args(["--annotator", name]);
        crate::support::Answer::of(command.args(["--sample", "both", "--json"])).json()
    };
    assert_eq!(import("ada", &table(&pairs, 1000, 1000))["added"], 80);
    assert_eq!(import("ada", &table(&pairs, 1000, 1000))["added"], 0, "twice is once");
    assert_eq!(import("bob", &table(&pairs, 20, 10))["added"], 80);

    let labels = |args: &[&str]| {
        let (verb, rest) = args.split_first().unwrap();
        let mut command = crate::support::program();
        crate::support::Answer::of(command.args(["labels", verb]).arg(study.folder()).args(rest))
    };
    let agreement = labels(&["agreement", "--sample", "both", "--json"]).json();
    check_agreement(&agreement);
    assert!(labels(&["agreement"]).ok().contains("Cohen's kappa"));

    // What two disagree on is unknown until somebody settles it.
    let evaluate = |more: &[&str]| {
        let args = ["evaluate", "--truth", "labels", "--sample", "both", "--json"];
        study.dejaview(args.into_iter().chain(more.iter().copied())).json()
    };
    assert_eq!(evaluate(&[])["estimates"][0]["labelled"], 72);
    assert_eq!(import("adjudication", &table(&pairs, 1000, 1000))["added"], 80);
    let result = evaluate(&["--compare", "simhash-2,simhash-3+5", "--rail", "simhash-2"]);
    let estimates = &result["estimates"][0];
    assert_eq!((&estimates["labelled"], &estimates["unsure"]), (&80.into(), &0.into()));
    check(&result, &study);
    assert!(result["compared"]["p_value"].is_f64() && result["compared"]["recall"]["low"].is_f64());
    let rail = result["rail"]["cuts"].as_array().unwrap();
    let flips: usize = rail.iter().map(|cut| cut["flips"].as_array().unwrap().len()).sum();
    assert!(
        rail.len() == 21 && flips > 0 && rail[0]["recall"]["value"].as_f64() > rail[20]["recall"]["value"].as_f64()
    );
    let text = study.dejaview(["evaluate", "--truth", "labels", "--interval", "conservative"]);
    for word in ["more pairs", "Strata of sample both", "recall if independent", "sample both: conservative"] {
        assert!(text.ok().contains(word), "{word}: {}", text.text());
    }

    check_paragraph(&labels(&["paragraph", "--sample", "both"]));
    assert!(labels(&["verify"]).ok().contains("ada: 80 events, 80 labels"));
    exports(&study, &pairs);
}

/// Sixty pairs of the pool and twenty of the audit, told apart.
fn check_agreement(agreement: &Value) {
    assert_eq!(agreement["annotators"], serde_json::json!(["ada", "bob"]));
    let apart = |key: &str| {
        let whole = &agreement["everything"][key];
        assert_eq!(agreement[key].as_u64().unwrap() + agreement["audit"][key].as_u64().unwrap(), *whole, "{key}");
        whole.as_u64().unwrap()
    };
    assert_eq!((agreement["pairs"].as_u64(), apart("pairs")), (Some(60), 80), "the audit is told apart");
    assert_eq!(apart("unanimous"), 80 - 4 - 8 + 4, "of 4 wrong ones all are also unsure");
    assert!(agreement["ac1"]["low"].is_f64() && agreement["as_labelled"]["alpha"]["low"].is_f64(), "{agreement}");
    let alpha = &agreement["alpha"];
    assert!(alpha["low"].as_f64().unwrap() < alpha["value"].as_f64().unwrap(), "{alpha}");
    assert!(agreement["strata"].as_array().unwrap().len() > 3);
}

fn check_paragraph(paragraph: &crate::support::Answer) {
    for word in [
        "we drew a random sample of 60 pairs without replacement, stratified by Jaccard similarity (",
        "we drew another 20 pairs that none of them found",
        "(seed 1)",
        "Two annotators together labelled all 80 pairs",
        "Both annotators labelled 60 pairs that some configuration found and gave the same label to 54 of them (Krippendorff's α = ",
        "Adjudication settled 80 pairs.",
        "Of the 160 labels, eight were unsure.",
        "95 % Clopper–Pearson intervals at the effective sample size",
        "95 % MOVER intervals",
        "for simhash-3+5, and ",
    ] {
        assert!(paragraph.ok().contains(word), "{word}: {}", paragraph.text());
    }
}

/// The estimates against the truth that is known for every pair.
fn check(result: &Value, study: &Study) {
    let truth = truth();
    let (mut found, mut right): (BTreeMap<String, u64>, BTreeMap<String, u64>) = Default::default();
    for pair in study.dejaview(["pairs", "--json"]).jsonl() {
        let id = |key: &str| pair[key].as_str().unwrap().to_owned();
        *found.entry(id("configuration")).or_default() += 1;
        let is_true = truth.get(&(id("source"), id("target"))).copied().unwrap_or(false);
        *right.entry(id("configuration")).or_default() += u64::from(is_true);
    }
    let all = truth.values().filter(|is_true| **is_true).count() as f64;
    for configuration in result["configurations"].as_array().unwrap() {
        let name = configuration["name"].as_str().unwrap();
        let precision = right[name] as f64 / found[name] as f64;
        let estimate = result["estimates"][0]["configurations"].as_array().unwrap();
        let estimate = estimate.iter().find(|c| c["name"] == name).unwrap();
        assert_eq!(estimate["precision"]["population"], found[name], "{name}");
        let wide = &estimate["precision"]["conservative"];
        let holds = wide["low"].as_f64().unwrap() <= precision && precision <= wide["high"].as_f64().unwrap();
        assert!(holds, "{name}: {precision} in {wide}");
        let recall = right[name] as f64 / all;
        assert!(estimate["recall"]["at_least"].as_f64().unwrap() <= recall, "{name}: {recall} {}", estimate["recall"]);
        assert_eq!(configuration["precision"]["value"], estimate["precision"]["headline"]["value"], "{name}");
    }
}

/// Every format goes out, comes in again under another name, and says the same.
fn exports(study: &Study, pairs: &[(String, String)]) {
    let run = |args: &[&std::ffi::OsStr]| crate::support::Answer::of(crate::support::program().args(args));
    let mut merged: Vec<String> = Vec::new();
    for format in ["tsv", "jsonl", "qrels", "copycat", "splink"] {
        let file = study.path(&format!("out.{format}"));
        let annotator = if ["tsv", "jsonl"].contains(&format) { &["--annotator", "adjudication"][..] } else { &[] };
        let mut command = crate::support::program();
        command
            .args(["labels", "export"])
            .arg(study.folder())
            .args(["--format", format, "-o"])
            .arg(&file)
            .args(annotator);
        crate::support::Answer::of(&mut command).ok();
        let text = fs::read_to_string(&file).unwrap();
        // Tables that name their annotator keep that name.
        fs::write(&file, text.replace("adjudication", format)).unwrap();
        assert!(!text.contains("<html") && text.len() < 200 * pairs.len() + 400, "{format} is without texts");
        let args: [&std::ffi::OsStr; 6] = [
            "labels".as_ref(),
            "import".as_ref(),
            study.folder().as_ref(),
            file.as_ref(),
            "--annotator".as_ref(),
            format.as_ref(),
        ];
        assert!(run(&args).ok().starts_with(&format!("{} labels", pairs.len())), "{format}");
        let mut command = crate::support::program();
        command.args(["labels", "export"]).arg(study.folder()).args(["--annotator", format]);
        let answer = crate::support::Answer::of(&mut command);
        let cut = |line: &str| line.split('\t').take(3).collect::<Vec<_>>().join(" ");
        merged.push(answer.ok().lines().map(cut).collect::<Vec<_>>().join("\n"));
    }
    assert!(merged.iter().all(|labels| *labels == merged[0]), "{merged:?}");
}

/// How its pairs were drawn is known where it was packed alone: elsewhere no number is made of them.
fn a_pack_makes_no_estimate(away: &Path) {
    let elsewhere = |words: &[&str]| {
        let mut command = crate::support::program();
        crate::support::Answer::of(command.args(&words[..1]).arg(away).args(&words[1..]))
    };
    elsewhere(&["run"]).ok();
    let said = elsewhere(&["evaluate", "--truth", "labels"]);
    assert!(
        said.ok().contains("its pairs came in a pack") && !said.text().contains("share of true ones"),
        "{}",
        said.text()
    );
    let json = elsewhere(&["evaluate", "--truth", "labels", "--json"]).json();
    assert_eq!(
        (&json["estimates"][0]["of_a_pack"], &json["estimates"][0]["strata"]),
        (&true.into(), &serde_json::json!([]))
    );
    assert_eq!(json["configurations"][0]["precision"], Value::Null, "{json}");
    let mut command = crate::support::program();
    let paragraph = crate::support::Answer::of(command.args(["labels", "paragraph"]).arg(away));
    assert!(paragraph.failed().contains("came in a pack"), "{}", paragraph.stderr);
    assert!(elsewhere(&["sample", "--list"]).ok().contains("came in a pack"));
}

#[test]
fn a_pack_is_labelled_elsewhere_and_comes_back() {
    let study = study();
    study
        .dejaview(["sample", "--configuration", "simhash-3+5", "--size", "12", "--name", "twelve", "--audit", "4"])
        .ok();
    let (pack, away) = (study.path("pack.jsonl"), study.path("away"));
    let mut command = crate::support::program();
    command.args(["labels", "pack"]).arg(study.folder()).arg("-o").arg(&pack);
    assert!(crate::support::Answer::of(&mut command).ok().contains("sample twelve, 16 pairs"));
    let text = fs::read_to_string(&pack).unwrap();
    for hidden in ["stratum", "weight", "simhash", "jaccard", "near misses"] {
        assert!(!text.lines().next().unwrap().contains(hidden), "a pack does not tell {hidden}");
    }
    let mut command = crate::support::program();
    crate::support::Answer::of(command.args(["labels", "unpack"]).arg(&pack).arg(&away)).ok();
    let sample = fs::read_to_string(away.join("samples/twelve.jsonl")).unwrap();
    let home = fs::read_to_string(study.path("samples/twelve.jsonl")).unwrap();
    let order = |text: &str| -> Vec<(String, String)> {
        let pair = |line: &str| serde_json::from_str::<Value>(line).unwrap();
        text.lines().skip(1).map(pair).map(|p| (p["source"].to_string(), p["target"].to_string())).collect()
    };
    assert_eq!(order(&sample), order(&home));
    let first: Value = serde_json::from_str(home.lines().nth(1).unwrap()).unwrap();
    let mut command = crate::support::program();
    let shown = crate::support::Answer::of(command.arg("show").arg(&away).arg(first["target"].as_str().unwrap()));
    assert!(shown.ok().len() > 100, "the text is there");
    let explained = dejaview(["label", "--help"]);
    assert!(explained.ok().contains("--sample"));
    let table: String =
        order(&sample).iter().map(|(s, t)| format!("{} 0 {} 1\n", s.trim_matches('"'), t.trim_matches('"'))).collect();
    fs::write(study.path("bob.qrels"), table).unwrap();
    for (folder, file) in
        [(away.clone(), study.path("bob.qrels")), (study.folder().to_owned(), away.join("labels/bob.jsonl"))]
    {
        let mut command = crate::support::program();
        command.args(["labels", "import"]).arg(&folder).arg(&file).args(["--annotator", "bob", "--sample", "twelve"]);
        assert!(crate::support::Answer::of(&mut command).ok().starts_with("16 labels of bob added; 16 rows read"));
    }
    let journal = |folder: &Path| fs::read_to_string(folder.join("labels/bob.jsonl")).unwrap();
    assert_eq!(journal(&away), journal(study.folder()), "event by event, line by line");
    a_pack_makes_no_estimate(&away);
    let result = study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    assert_eq!(result["estimates"][0]["labelled"], 16);
}

#[test]
fn what_is_wrong_is_told() {
    let study = study();
    fs::write(study.path("bad.tsv"), "source\ttarget\tlabel\na\tb\tmaybe-so\n").unwrap();
    let mut command = crate::support::program();
    command.args(["labels", "import"]).arg(study.folder()).arg(study.path("bad.tsv")).args(["--annotator", "eve"]);
    let answer = crate::support::Answer::of(&mut command);
    assert_eq!(answer.code, Some(1));
    assert!(answer.stderr.contains("line 2: “maybe-so” is no label"), "{}", answer.stderr);
    fs::create_dir_all(study.path("labels")).unwrap();
    fs::write(study.path("labels/eve.jsonl"), "{\"seq\":1,\"event\":\"label\",\"crc\":\"00000000\"}\n").unwrap();
    let mut command = crate::support::program();
    let verified = crate::support::Answer::of(command.args(["labels", "verify"]).arg(study.folder()));
    assert_eq!(verified.code, Some(1));
    assert!(verified.text().contains("line 1: its checksum is wrong"), "{}", verified.text());
    let mut command = crate::support::program();
    let nothing = crate::support::Answer::of(command.args(["labels", "paragraph"]).arg(study.folder()));
    assert_eq!(nothing.code, Some(1));
    for words in ["eve.jsonl, line 1: its checksum is wrong", "no sample of", "`dejaview sample "] {
        assert!(nothing.stderr.contains(words), "{}", nothing.stderr);
    }
    assert!(!study.path("samples").exists(), "nothing is drawn for it");
}

/// `labels import` of a file into a study.
fn import(study: &Study, file: &str, more: &[&str]) -> crate::support::Answer {
    let mut command = crate::support::program();
    command.args(["labels", "import"]).arg(study.folder()).arg(study.path(file)).args(more);
    crate::support::Answer::of(&mut command)
}

/// 62 pairs with CopyCat's grades: 36 near-duplicates, 26 of them not.
fn graded(pairs: &[(String, String)], row: impl Fn(&str, &str, &str) -> String) -> String {
    let grade = |i: usize| if i < 26 { "0.5" } else { ["1", "2", "3"][i % 3] };
    pairs.iter().enumerate().map(|(i, (source, target))| row(source, target, grade(i))).collect()
}

#[test]
fn grades_of_other_tools_mean_what_is_said_and_nothing_is_guessed() {
    let study = study();
    let asked = ["sample", "--configuration", "simhash-2", "--by", "none", "--size", "62", "--name", "s", "--json"];
    let pairs = ids(&study.dejaview(asked).json());
    let rows = graded(&pairs, |s, t, grade| format!("{s}\t{t}\t{grade}\n"));
    fs::write(study.path("grades.tsv"), format!("source\ttarget\tlabel\n{rows}")).unwrap();
    let refused = import(&study, "grades.tsv", &["--annotator", "eve", "--sample", "s"]);
    let why = refused.failed();
    for word in ["line 2: “0.5” is no label", "(26 rows)", "nor is “2” (12 rows)", "--negative", "nothing was imported"]
    {
        assert!(why.contains(word), "{word}: {why}");
    }
    assert!(!study.path("labels/eve.jsonl").exists(), "a refused file writes nothing");

    let typed = ["--annotator", "eve", "--sample", "s", "--positive", "1,2,3,4", "--negative", "rest"];
    assert!(import(&study, "grades.tsv", &typed).failed().contains("no row says “4”"));
    let said = ["--annotator", "eve", "--sample", "s", "--positive", "1..3", "--negative", "0,0.5"];
    let text = import(&study, "grades.tsv", &said).ok().to_owned();
    assert!(text.contains("62 labels of eve added"), "{text}");
    assert!(
        text.contains("  near-duplicate: “1” (12 rows), “2” (12 rows), “3” (12 rows)\n  not: “0.5” (26 rows)\n"),
        "{text}"
    );
    let precision = |result: &Value| {
        let all = result["configurations"].as_array().unwrap();
        all.iter().find(|c| c["name"] == "simhash-2").unwrap()["precision"]["value"].as_f64().unwrap()
    };
    let result = study.dejaview(["evaluate", "--truth", "labels", "--json"]).json();
    assert!((precision(&result) - 36.0 / 62.0).abs() < 1e-9, "{}", precision(&result));

    // CopyCat's own keys tell its scale.
    let json =
        |s: &str, t: &str, grade: &str| format!("{{\"firstId\":\"{s}\",\"secondId\":\"{t}\",\"label\":{grade}}}\n");
    fs::write(study.path("copycat.jsonl"), graded(&pairs, json)).unwrap();
    let report = import(&study, "copycat.jsonl", &["--annotator", "eve", "--sample", "s", "--json"]).json();
    assert_eq!((&report["known"], &report["values"][3]["label"]), (&62.into(), &"not".into()), "{report}");

    // A table of pairs as the truth is read by the same reader.
    let truth = |file: &str, more: &[&str]| {
        let file = format!("file:{}", study.path(file).display());
        let args = ["evaluate", "--truth", &file, "--json"];
        study.dejaview(args.into_iter().chain(more.iter().copied()))
    };
    assert!(truth("grades.tsv", &[]).failed().contains("line 2: “0.5” is no label"));
    assert!(truth("grades.tsv", &[]).stderr.contains("--negative and --unsure-values, such as"), "the option there is");
    assert!((precision(&truth("grades.tsv", &["--positive", "1,2,3"]).json()) - 36.0 / 62.0).abs() < 1e-9);
    let result = truth("copycat.jsonl", &[]).json();
    assert!((precision(&result) - 36.0 / 62.0).abs() < 1e-9, "{}", precision(&result));
    let near = |s: &str, t: &str, grade: &str| format!("{s}\t{t}\t{}\n", if grade == "0.5" { "no" } else { "near" });
    let rows = graded(&pairs, near);
    fs::write(study.path("words.tsv"), format!("source\ttarget\tlabel\n{rows}")).unwrap();
    let result = truth("words.tsv", &[]).json();
    assert!((precision(&result) - 36.0 / 62.0).abs() < 1e-9, "{}", precision(&result));
    assert_eq!(result["kinds"]["labels"], serde_json::json!(["near-duplicate", "not", null]));
    fs::write(study.path("twice.tsv"), format!("source\ttarget\tlabel\n{rows}{}\t{}\tnear\n", pairs[0].0, pairs[0].1))
        .unwrap();
    assert!(
        truth("twice.tsv", &[]).failed().contains("line 64: ") && truth("twice.tsv", &[]).stderr.contains("in line 2")
    );
}

/// Rows without a label and rows of documents that are not in the study are counted apart, and every value is explained.
#[test]
fn a_file_of_truth_says_how_it_was_read() {
    let page = |id: &str, words: &str| format!("{}\n", serde_json::json!({ "id": id, "text": words }));
    let text = |word: &str| (0..40).map(|i| format!("{word}{} ", i % 23)).collect::<String>();
    let old = [page("a", &text("x")), page("b", &text("y")), page("c", &text("z"))].concat();
    let new = [page("p", &text("x")), page("q", &text("y")), page("r", &text("other"))].concat();
    let rows = "a\tp\t1\nb\tq\tno\nc\tr\tyes\nb\tp\t\na\tnobody\tyes\nnowhere\tq\t0\n";
    let of = |keep: &str| {
        let study = Study::new()
            .file("old.jsonl", &old)
            .file("new.jsonl", &new)
            .file("truth.tsv", format!("source\ttarget\tlabel\n{rows}"))
            .top(&format!("keep = \"{keep}\""))
            .source("old.jsonl")
            .target("00", "new.jsonl")
            .simhash("ngrams = [1]");
        study.run();
        let file = format!("file:{}", study.path("truth.tsv").display());
        let text = study.dejaview(["evaluate", "--truth", &file]).ok().to_owned();
        (study.dejaview(["evaluate", "--truth", &file, "--json"]).json(), text)
    };
    let (all, text) = of("all");
    let counts = |found: &Value| ["without_label", "not_in_study", "not_known"].map(|key| found[key].as_u64().unwrap());
    assert_eq!(counts(&all), [1, 2, 0], "{all}");
    assert_eq!(all["pool_of"]["missed"], 1, "c and r are in the study, and nobody found them");
    assert_eq!(all["understood"].as_array().unwrap().len(), 4);
    for words in
        ["near-duplicate: “yes” (2 rows), “1” (1 row)", "not: “0” (1 row), “no” (1 row)", "1 row without a label"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("2 rows name documents that are not in the study"), "{text}");
    let (hits, text) = of("hits");
    assert_eq!((counts(&hits), hits["pool_of"]["missed"].as_u64()), ([1, 0, 2], Some(2)), "{hits}");
    assert!(
        text.contains("2 true pairs of documents that have no pair here, and may not be in the study at all, counted"),
        "{text}"
    );
}

/// Only judged documents of the source take part, so a truth about others says nothing of this study, whatever is kept.
#[test]
fn truths_of_documents_that_are_not_judged_are_of_another_study() {
    let page = |id: &str, word: &str| {
        let text = (0..40).map(|i| format!("{word}{} ", i % 23)).collect::<String>();
        format!("{}\n", serde_json::json!({ "id": id, "text": text }))
    };
    for keep in ["all", "hits"] {
        let study = Study::new()
            .file("old.jsonl", page("a", "x") + &page("b", "y"))
            .file("new.jsonl", page("p", "x") + &page("q", "y"))
            .file("one.qrels", "1 0 a 1\n")
            .file("truth.tsv", "source\ttarget\tlabel\na\tp\tyes\nb\tq\tyes\n")
            .top(&format!("keep = \"{keep}\""))
            .source("old.jsonl")
            .judgments("one.qrels")
            .target("00", "new.jsonl")
            .simhash("ngrams = [1]");
        study.run();
        let file = format!("file:{}", study.path("truth.tsv").display());
        let found = study.dejaview(["evaluate", "--truth", &file, "--closed", "--json"]).json();
        assert_eq!((&found["not_in_study"], &found["pool_of"]["missed"]), (&1.into(), &0.into()), "{keep}: {found}");
        assert_eq!(found["configurations"][0]["recall"]["value"], 1.0, "{keep}: {found}");
    }
}

#[test]
fn a_table_says_in_which_sample_a_label_was_given_and_why() {
    let study = study();
    let asked = ["sample", "--configuration", "simhash-2", "--by", "none", "--size", "4", "--name", "s", "--json"];
    let pairs = ids(&study.dejaview(asked).json());
    let row = |(s, t): &(String, String), sample: &str, note: &str| {
        format!("{s},{t},not,{sample},light-edit,layout,{note}\n")
    };
    let text = format!(
        "source,target,label,sample,class,reason,note\n{}{}{}",
        row(&pairs[0], "s", "\"one\nline, and another\""),
        row(&pairs[1], "s", ""),
        row(&pairs[2], "elsewhere", "")
    );
    fs::write(study.path("labels.csv"), text).unwrap();
    let answer = import(&study, "labels.csv", &["--annotator", "ann"]);
    assert!(
        answer.ok().starts_with("3 labels of ann added, 1 outside the samples that they name; 3 rows read"),
        "{}",
        answer.text()
    );
    let journal = fs::read_to_string(study.path("labels/ann.jsonl")).unwrap();
    let events: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let labels: Vec<&Value> = events.iter().filter(|event| event["event"] == "label").collect();
    assert_eq!(labels.iter().filter(|event| event["sample"] == "s").count(), 2);
    assert!(labels.iter().all(|event| event["class"] == "light-edit" && event["reason"] == "layout"), "{journal}");
    assert!(events.iter().any(|event| event["note"] == "one\nline, and another"), "{journal}");
    assert!(
        import(&study, "labels.csv", &["--annotator", "ann"]).ok().starts_with("0 labels of ann added, 3 known before")
    );
    let result = study.dejaview(["evaluate", "--truth", "labels", "--sample", "s", "--json"]).json();
    assert_eq!(result["estimates"][0]["labelled"], 2);
}
