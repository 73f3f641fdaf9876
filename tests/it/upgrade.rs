//! A study of version 0.1.0 in this one: it opens with every label, and what must be run again is said.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use dejaview::index::KeptSide;
use dejaview::study::Snapshot;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Answer, copy, program};

/// A copy of the study. Its archives are as old as its last run says, unless it `moved`.
struct Old {
    folder: TempDir,
}

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/study-0.1.0")
}

impl Old {
    /// As if the folder had been copied without the times of its files.
    fn moved() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&fixture(), folder.path());
        fs::rename(folder.path().join("workspace"), folder.path().join(".dejaview")).unwrap();
        Self { folder }
    }

    /// Where it was made.
    fn in_place() -> Self {
        let old = Self::moved();
        for facts in ["source.json", "segments/00.json", "segments/01.json"] {
            let facts = fs::read(old.path(".dejaview").join(facts)).unwrap();
            let facts: Value = serde_json::from_slice(&facts).unwrap();
            for input in facts["inputs"].as_array().unwrap() {
                let file = File::options().append(true).open(old.path(input["name"].as_str().unwrap())).unwrap();
                let modified = Duration::from_nanos(input["modified"].as_u64().unwrap());
                file.set_modified(UNIX_EPOCH + modified).unwrap();
            }
        }
        old
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a command of some words on the study.
    fn dejaview(&self, words: &[&str], more: &[&str]) -> Answer {
        let mut command = program();
        command.args(words).arg(self.folder.path()).args(more).env("XDG_CONFIG_HOME", self.path("config"));
        Answer::of(&mut command)
    }

    /// Every label that the earlier version wrote, with everything it said about it.
    #[track_caller]
    fn has_every_label(&self) {
        let labels = self.dejaview(&["labels", "export"], &["--format", "jsonl"]).jsonl();
        let text = fs::read_to_string(self.path("labels.expected.jsonl")).unwrap();
        let expected: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(labels.len(), expected.len());
        for (label, expected) in labels.iter().zip(&expected) {
            for (key, value) in expected.as_object().unwrap() {
                assert_eq!(&label[key], value, "{key} of {expected}");
            }
        }
    }

    /// Name, size and labelled pairs of every sample with its first precision.
    fn estimates(&self) -> Vec<(String, u64, u64, f64)> {
        let result = self.dejaview(&["evaluate"], &["--truth", "labels", "--json"]).json();
        let one = |e: &Value| {
            let number = |key: &str| e[key].as_u64().unwrap();
            let precision = e["configurations"][0]["precision"]["headline"]["value"].as_f64().unwrap();
            (e["sample"].as_str().unwrap().to_owned(), number("size"), number("labelled"), precision)
        };
        result["estimates"].as_array().unwrap().iter().map(one).collect()
    }
}

/// What the earlier version itself estimated: labelled pairs may differ by those that are disputed, shares by a little. Of
/// documents it estimated the share of pairs (0.686), and now that of documents.
#[track_caller]
fn assert_as_before(estimates: &[(String, u64, u64, f64)]) {
    let before = [("documents", 20, 0.842), ("simple", 30, 0.826), ("strata", 40, 0.923)];
    assert_eq!(estimates.len(), before.len(), "{estimates:?}");
    for ((name, size, labelled, precision), (sample, pairs, share)) in estimates.iter().zip(before) {
        assert_eq!((name.as_str(), *size), (sample, pairs));
        assert!(*labelled >= pairs * 3 / 5, "{name}: {labelled}");
        assert!((precision - share).abs() < 0.1, "{name}: {precision}");
    }
}

#[test]
fn a_study_of_version_0_1_0_opens_with_every_label() {
    let old = Old::in_place();
    old.has_every_label();
    old.dejaview(&["labels", "verify"], &[]).ok();
    assert_eq!(old.dejaview(&["pairs"], &[]).ok().lines().count(), 200, "its pairs are read as they are");
    assert!(old.dejaview(&["run"], &["--dry-run"]).ok().contains("00"));
    assert_as_before(&old.estimates());
    let paragraph = old.dejaview(&["labels", "paragraph"], &["--sample", "strata"]);
    assert!(paragraph.ok().contains("simhash-3+5"), "{}", paragraph.text());
    assert_eq!(fs::read(old.path("labels/ann.jsonl")).unwrap(), fs::read(fixture().join("labels/ann.jsonl")).unwrap());
}

#[test]
fn its_texts_are_of_another_layout_which_is_said_until_a_run_has_made_them_again() {
    let old = Old::in_place();
    let pairs = old.dejaview(&["pairs"], &[]);
    let row = pairs.rows("configuration")[0].clone();
    for words in [["show", row[2]], ["show", row[3]], ["search", "the"]] {
        let said = old.dejaview(&words[..1], &words[1..]).failed().to_owned();
        assert!(said.contains("the kept texts cannot be read: the file is missing; `dejaview run`"), "{said}");
    }
    let run = old.dejaview(&["run"], &["--json"]);
    assert_eq!(run.json()["resumed"], 0);
    assert!(run.stderr.contains("of an earlier version; they are made again"), "{}", run.stderr);
    assert!(!old.path(".dejaview/index/meta.json").exists());
    let study = Snapshot::open(old.folder.path()).unwrap();
    for (side, id) in [(KeptSide::Source, row[2]), (KeptSide::Target, row[3])] {
        let text = study.index().unwrap().document(side, id).unwrap().unwrap().text;
        let titled = study.titles().get(side, id).unwrap();
        assert!(!titled.title.is_empty() && text.starts_with(&titled.title), "{id}: {titled:?}");
    }
}

#[test]
fn its_settings_and_keys_load_without_a_warning() {
    let old = Old::in_place();
    let doctor = Answer::of(program().arg("doctor").env("XDG_CONFIG_HOME", old.path("config")));
    assert!(!doctor.ok().contains("settings, line"), "{}", doctor.text());
    assert!(doctor.text().lines().any(|line| line.starts_with("annotator") && line.contains("ann")));
    let settings = doctor.text().lines().find(|line| line.starts_with("settings")).unwrap_or_default();
    assert!(settings.contains("config.toml") && settings.contains("keys, colours"), "{settings}");
}

#[test]
fn what_must_be_run_again_is_said_and_then_everything_works() {
    let old = Old::moved();
    old.has_every_label();
    let pairs = old.dejaview(&["pairs"], &[]);
    let said = pairs.failed();
    assert!(said.lines().count() == 1 && said.contains("has not been run since"), "{said}");
    assert!(said.contains("`dejaview run "), "{said}");
    let home = old.dejaview(&["screen"], &["--size", "200x30"]);
    assert!(home.ok().contains("dejaview run"), "{}", home.text());

    old.dejaview(&["run"], &["--json"]).json();
    assert_eq!(old.dejaview(&["pairs"], &[]).ok().lines().count(), 200);
    old.has_every_label();
    assert_as_before(&old.estimates());
    old.dejaview(&["sample"], &["--name", "simple", "--extend", "5"]).ok();
    old.dejaview(&["labels", "agreement"], &["--sample", "strata"]).ok();
    let report = old.path("report.html");
    old.dejaview(&["report"], &["-o", report.to_str().unwrap()]).ok();
}
