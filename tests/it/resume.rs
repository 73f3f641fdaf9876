//! The same input gives the same bytes, whatever the number of threads, the order of segments, and who pulled the plug.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use dejaview::index::TermStatistics;
use dejaview::study::Snapshot;

use crate::recrawl::crawl;
use crate::support::{Study, assert_same, data, slow};

type Results = BTreeMap<String, Vec<u8>>;

/// What an undisturbed run leaves, and how long it took.
fn undisturbed(data: &Path) -> (Results, Study, f64) {
    let study = crawl(Study::new(), data);
    let summary = study.run_with_threads(1);
    (study.results(), study, summary["seconds"].as_f64().unwrap())
}

#[test]
fn threads_change_nothing() {
    let Some(data) = data() else { return };
    let (expected, study, _) = undisturbed(&data);
    for threads in [2, 5] {
        let other = crawl(Study::new(), &data);
        other.run_with_threads(threads);
        assert_same(&expected, &other.results());
        assert_eq!(other.dejaview(["pairs"]).ok(), study.dejaview(["pairs"]).ok());
    }
}

#[test]
fn the_order_of_segments_changes_nothing() {
    let Some(data) = data() else { return };
    let (expected, study, _) = undisturbed(&data);
    let folder = data.join("recrawl");
    let mut other = Study::new().source(folder.join("old.warc.gz")).judgments(folder.join("judged.qrels"));
    for segment in ["02", "00", "03", "01"] {
        other = other.target(segment, folder.join(format!("new-{segment}.warc.gz")));
    }
    other.run();
    assert_same(&expected, &other.results());
    assert_eq!(other.dejaview(["pairs"]).ok(), study.dejaview(["pairs"]).ok());
}

#[test]
fn a_segment_may_come_later() {
    let Some(data) = data() else { return };
    let folder = data.join("recrawl");
    // Statistics of both sides change with every segment, and with them the pairs of all; those of the source do not.
    for (statistics, resumes) in [("both", false), ("source", true)] {
        let begun = || Study::new().top(&format!("statistics = \"{statistics}\""));
        let whole = crawl(begun(), &data);
        whole.run();
        let mut study = begun().source(folder.join("old.warc.gz")).judgments(folder.join("judged.qrels"));
        for (number, segment) in ["00", "01", "02", "03"].into_iter().enumerate() {
            study = study.target(segment, folder.join(format!("new-{segment}.warc.gz")));
            let resumed = if resumes { number } else { 0 };
            assert_eq!(study.run()["resumed"], resumed, "{statistics}: only the new segment is read");
        }
        assert_same(&whole.results(), &study.results());
    }
}

/// Starts a run and kills it after a while, if it is still there. Whether it was.
fn killed_after(study: &Study, delay: Duration) -> bool {
    let mut run = study.command(["run", "--threads", "2"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(delay);
    run.kill().unwrap();
    run.wait().unwrap().signal() == Some(9)
}

#[test]
fn a_run_that_was_killed_at_any_moment_goes_on_to_the_same_bytes() {
    let Some(data) = data() else { return };
    let (expected, reference, seconds) = undisturbed(&data);
    let mut state: u64 = 20_091_201;
    let asked = std::env::var("DEJAVIEW_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let rounds = asked.unwrap_or(if slow() { 4 } else { 1 });
    let mut all_kills = 0;
    for round in 0..rounds {
        let study = crawl(Study::new(), &data);
        let mut kills = 0;
        // Later kills come later, so that the run gets on in spite of them.
        for attempt in 0..8 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let share = (state >> 11) as f64 / (1u64 << 53) as f64;
            let delay = seconds * (0.02 + 0.08 * f64::from(attempt)) * (0.5 + share);
            kills += u32::from(killed_after(&study, Duration::from_secs_f64(delay)));
        }
        assert!(kills >= 2, "round {round}: the run was over before it could be killed");
        study.run();
        assert_same(&expected, &study.results());
        assert_same_index(&reference, &study);
        all_kills += kills;
        println!("{all_kills} kills in {} rounds", round + 1);
    }
}

/// The index of words holds the same, and finds the same; how it lies on disk is not the same. The kept texts are among the
/// results that are compared byte by byte.
#[track_caller]
fn assert_same_index(expected: &Study, found: &Study) {
    let words = |study: &Study| -> Vec<(String, TermStatistics)> {
        let study = Snapshot::open(study.folder()).unwrap();
        let (index, mut words) = (study.kept_texts().unwrap(), Vec::new());
        index.vocabulary(|word, _| words.push(word.to_owned())).unwrap();
        words.into_iter().map(|word| (word.clone(), index.term_statistics(&word).unwrap())).collect()
    };
    let all = words(expected);
    assert!(all.len() > 1_000, "{} words", all.len());
    assert!(words(found) == all, "other words, or other numbers of them");
    for query in ["the", "index", "python", "copyright", "def class"] {
        let hits = |study: &Study| -> Vec<String> {
            let rows = study.dejaview(["search", query, "--limit", "10000", "--json"]).jsonl();
            let mut rows: Vec<String> =
                rows.iter().map(|hit| format!("{} {} {}", hit["side"], hit["segment"], hit["id"])).collect();
            rows.sort();
            rows
        };
        let expected = hits(expected);
        assert!(!expected.is_empty(), "{query}");
        assert_eq!(hits(found), expected, "{query}");
    }
}

#[test]
fn what_a_killed_run_left_behind_is_removed() {
    let page = "<p>the quick brown fox jumps over the lazy dog";
    let study = Study::new().file("a.html", page).file("b.html", page).source("a.html").target("00", "b.html");
    study.run();
    let before = files(&study.path(".dejaview"));
    // Killed behind the last segment: nothing is left to do but to tidy up.
    let study = study.file(".dejaview/pairs/simhash-2/00.part", "half");
    assert_eq!(study.run()["resumed"], 1);
    assert_eq!(files(&study.path(".dejaview")), before);
}

/// Every file below a folder but those of the index, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.ends_with("index") => {}
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

#[test]
fn finished_segments_are_not_read_again() {
    let Some(data) = data() else { return };
    let study = crawl(Study::new(), &data);
    let mut run = study.command(["run"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(run.stderr.take().unwrap()).lines();
    for line in lines.map(Result::unwrap) {
        if line.contains("segment 02") {
            break;
        }
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let resumed = study.run()["resumed"].as_u64().unwrap();
    assert!(resumed >= 2, "{resumed} segments were finished when the third began");
    assert_eq!(study.run()["resumed"], 4, "a finished study has nothing to do");
}

#[test]
fn what_was_lost_or_damaged_is_made_again() {
    let Some(data) = data() else { return };
    let (expected, study, _) = undisturbed(&data);
    let root = study.path(".dejaview");
    let pairs = root.join("pairs/simhash-3/01.pairs");

    fs::remove_file(&pairs).unwrap();
    assert_eq!(study.run()["resumed"], 3);
    assert_same(&expected, &study.results());

    let mut bytes = fs::read(&pairs).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&pairs, bytes).unwrap();
    let message = study.dejaview(["pairs"]).failed().to_owned();
    assert!(message.contains("01.pairs") && message.contains("checksum"), "{message}");
    study.run();
    assert_same(&expected, &study.results());

    fs::remove_file(root.join("manifest.json")).unwrap();
    fs::remove_file(root.join("skipped.tsv")).unwrap();
    assert_eq!(study.run()["resumed"], 4);
    assert_same(&expected, &study.results());

    fs::remove_dir_all(root.join("index")).unwrap();
    assert_eq!(study.run()["resumed"], 0, "pairs without texts cannot be shown");
    assert_same(&expected, &study.results());

    study.dejaview(["run", "--fresh"]).ok();
    assert_same(&expected, &study.results());
}

#[test]
fn two_runs_at_once_are_refused_and_readers_are_not() {
    let Some(data) = data() else { return };
    let (expected, study, _) = undisturbed(&data);
    let lock = fs::File::options().write(true).open(study.path(".dejaview/run.lock")).unwrap();
    lock.lock().unwrap();
    let message = study.dejaview(["run"]).failed().to_owned();
    assert!(message.contains("another run is at work"), "{message}");
    study.dejaview(["pairs"]).ok();
    study.dejaview(["search", "python"]).ok();
    lock.unlock().unwrap();
    study.run();
    assert_same(&expected, &study.results());
}

#[test]
fn labels_and_samples_outlive_a_fresh_run() {
    let page = "<p>the quick brown fox jumps over the lazy dog";
    let study = Study::new().file("a.html", page).file("b.html", page).source("a.html").target("00", "b.html");
    let study = study.file("labels/ann.jsonl", "{}\n").file("samples/default.jsonl", "{}\n");
    study.run();
    study.dejaview(["run", "--fresh"]).ok();
    assert_eq!(fs::read_to_string(study.path("labels/ann.jsonl")).unwrap(), "{}\n");
    assert_eq!(fs::read_to_string(study.path("samples/default.jsonl")).unwrap(), "{}\n");
}
