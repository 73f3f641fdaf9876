//! `study.toml`, right and wrong. Each file of `tests/fixtures/study/bad` has beside it what the message must say, a
//! fragment a line: place, key, what was found, what was expected. Each of `good` has what a run makes of it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Answer, Study};

/// Fixtures of one kind with what is expected of them.
fn fixtures(kind: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/study").join(kind);
    let mut all: Vec<(PathBuf, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .map(|path| {
            let expected = fs::read_to_string(path.with_extension("expected")).expect("an expectation beside it");
            (path, expected)
        })
        .collect();
    all.sort();
    all
}

/// A study of that fixture, with the few files that fixtures speak of.
fn study(fixture: &Path) -> Study {
    let page = "<p>the quick brown fox jumps over the lazy dog";
    let mut study = Study::new();
    for name in
        ["old", "new", "other", "crawl-a/s/a", "crawl-b/s/b", "crawl-c/2011/a", "crawl-c/2012/b/c", "crawl-c/2012/d"]
    {
        study = study.file(&format!("{name}.html"), page);
    }
    if fixture.ends_with("good/everything.toml") {
        study = study.file("web.qrels", "1 0 old.html 1\n1 0 other.html 0\n");
    }
    study.file("study.toml", fs::read(fixture).unwrap())
}

#[test]
fn what_is_wrong_is_said_with_its_line_its_key_and_what_was_expected() {
    let fixtures = fixtures("bad");
    assert!(fixtures.len() > 30, "{} fixtures", fixtures.len());
    let mut wrong = String::new();
    for (fixture, expected) in fixtures {
        let study = study(&fixture);
        let answer = study.dejaview(["run"]);
        let name = fixture.file_stem().unwrap().to_str().unwrap();
        let missing: Vec<&str> = expected.lines().filter(|fragment| !answer.stderr.contains(fragment)).collect();
        if answer.code != Some(1) || !missing.is_empty() {
            writeln!(wrong, "{name}: exit {:?}, {}    lacks {missing:?}", answer.code, answer.stderr).unwrap();
        }
        assert!(!study.path(".dejaview/manifest.json").exists(), "{name}: nothing may be made of a wrong study");
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_command_refuses_a_wrong_study_with_the_same_words() {
    let study = Study::new().file("study.toml", "[source]\ndocumnets = []\n");
    let commands: [&[&str]; 7] = [
        &["run"],
        &["pairs"],
        &["show", "id"],
        &["explain", "a", "b"],
        &["sketches", "--configuration", "simhash-2"],
        &["judgments"],
        &["search", "word"],
    ];
    for command in commands {
        let message = study.dejaview(command.iter().copied()).failed().to_owned();
        assert!(message.contains("study.toml, line 2: `source.documnets` is not known here"), "{command:?}: {message}");
    }
}

#[test]
fn what_is_right_runs() {
    let fixtures = fixtures("good");
    assert!(fixtures.len() >= 4);
    for (fixture, expected) in fixtures {
        let study = study(&fixture);
        let answer = study.dejaview(["run", "--json"]);
        assert_eq!(made(&study, &answer), expected, "{}", fixture.display());
    }
}

fn made(study: &Study, answer: &Answer) -> String {
    let summary = answer.json();
    let words = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(study.path(".dejaview/manifest.json")).unwrap()).unwrap();
    format!(
        "configurations {}\nsegments {}\ndocuments {} {}\n",
        words(&summary["pairs"]),
        words(&manifest["target"]),
        summary["documents"]["source"],
        summary["documents"]["target"]
    )
}

#[test]
fn a_file_that_is_no_text_and_a_folder_that_is_no_study_are_told() {
    let study = Study::new().file("study.toml", b"name = \"\xff\"\n");
    assert!(study.dejaview(["run"]).failed().contains("study.toml"));
    fs::remove_file(study.path("study.toml")).unwrap();
    let message = study.dejaview(["run"]).failed().to_owned();
    assert!(message.contains("is no study") && message.contains("dejaview new"), "{message}");
}

#[test]
fn changed_parameters_make_old_pairs_unspeakable() {
    let page = "<p>the quick brown fox jumps over the lazy dog";
    let study = Study::new().file("a.html", page).file("b.html", page).source("a.html").target("00", "b.html");
    study.run();
    assert!(study.dejaview(["pairs"]).rows("configuration\tsegment\tsource\ttarget\tdistance\tjaccard").len() > 5);
    let study = study.simhash("ngrams = [2]\ndistance = 5");
    let message = study.dejaview(["pairs"]).failed().to_owned();
    assert!(message.contains("has not been run since study.toml or its files changed"), "{message}");
    study.run();
    assert_eq!(study.dejaview(["pairs"]).rows("configuration\tsegment\tsource\ttarget\tdistance\tjaccard").len(), 1);
}

#[test]
fn a_file_belongs_to_one_segment() {
    let study = Study::new()
        .file("old.jsonl", "{\"id\": \"a\", \"text\": \"one two three\"}\n")
        .file("new-0.jsonl", "{\"id\": \"x\", \"text\": \"one two three\"}\n")
        .file("new-1.jsonl", "{\"id\": \"y\", \"text\": \"one two three\"}\n")
        .source("old.jsonl")
        .target("00", "new-*.jsonl")
        .target("01", "new-1.jsonl")
        .configuration("md5", "");
    let refused = study.dejaview(["run"]).failed().to_owned();
    for words in ["target.documents", "new-1.jsonl", "it is in segment \"00\" already", "narrower"] {
        assert!(refused.contains(words), "{words}: {refused}");
    }
}
