//! The judgments of Web 2009–2012 and Session 2010–2012 against a count of their lines by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Study, data};

/// (topic, document, grade) of every line.
fn rows(path: &Path) -> Vec<(String, String, String)> {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let row = |line: &str| {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let at = if words.len() == 5 { 1 } else { 2 };
        assert!(words.len() == 4 || words.len() == 5, "{line:?}");
        (words[0].clone(), words[at].clone(), words[at + 1].clone())
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(row).collect()
}

/// What `judgments --json` must say of these rows.
fn counted(rows: &[(String, String, String)]) -> Value {
    let mut grades: BTreeMap<&str, u64> = BTreeMap::new();
    for (_, _, grade) in rows {
        *grades.entry(grade).or_default() += 1;
    }
    let documents: BTreeSet<&str> = rows.iter().map(|(_, document, _)| document.as_str()).collect();
    let topics: BTreeSet<&str> = rows.iter().map(|(topic, _, _)| topic.as_str()).collect();
    json!({ "lines": rows.len(), "documents": documents.len(), "topics": topics.len(), "grades": grades })
}

#[track_caller]
fn assert_counts(found: &Value, expected: &Value, what: &str) {
    for key in ["lines", "documents", "topics"] {
        assert_eq!(found[key], expected[key], "{key} of {what}");
    }
    let grades = |value: &Value| -> BTreeMap<String, u64> {
        value["grades"].as_object().unwrap().iter().map(|(grade, n)| (grade.clone(), n.as_u64().unwrap())).collect()
    };
    assert_eq!(grades(found), grades(expected), "grades of {what}");
}

#[test]
fn the_judgments_of_eight_files() {
    let Some(data) = data() else { return };
    let found = Study::new().judgments(data.join("qrels/*.gz")).dejaview(["judgments", "--json"]).json();

    // The numbers of the study that this program repeats.
    assert_eq!((&found["lines"], &found["documents"]), (&json!(273_129), &json!(155_419)));
    assert_eq!(found["skipped"], json!([]));
    // The two files of Web 2009 are one track: its documents are the union of both.
    let expected = [
        ("session10", 28_749),
        ("session11", 19_180),
        ("session12", 15_377),
        ("web09", 38_868),
        ("web10", 24_470),
        ("web11", 19_344),
        ("web12", 16_036),
    ];
    let tracks = found["tracks"].as_array().unwrap();
    let documents: Vec<(&str, u64)> =
        tracks.iter().map(|t| (t["name"].as_str().unwrap(), t["documents"].as_u64().unwrap())).collect();
    assert_eq!(documents, expected);
    assert_eq!(tracks[4]["lines"], 25_329, "Web 2010");
    assert_eq!((&tracks[6]["grades"]["4"], &tracks[2]["grades"]["4"]), (&json!(858), &json!(1_360)), "navigational");

    // And the same by a count of the lines.
    let mut by_track: BTreeMap<String, Vec<(String, String, String)>> = BTreeMap::new();
    for entry in fs::read_dir(data.join("qrels")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        by_track.entry(name.split('.').next().unwrap().to_owned()).or_default().extend(rows(&path));
    }
    for (track, (name, rows)) in tracks.iter().zip(&by_track) {
        assert_counts(track, &counted(rows), name);
    }
    let mut all = counted(&by_track.values().flatten().cloned().collect::<Vec<_>>());
    // Topic numbers repeat across tracks, and each of them is another topic.
    all["topics"] = json!(tracks.iter().map(|track| track["topics"].as_u64().unwrap()).sum::<u64>());
    assert_counts(&found, &all, "all files");
}

#[test]
fn a_track_may_be_named_and_files_read_apart() {
    let Some(data) = data() else { return };
    let file = |name: &str| data.join("qrels").join(name).to_str().unwrap().to_owned();
    let study = Study::new().file(
        "study.toml",
        format!(
            "[source]\njudgments = [{{ glob = {:?}, track = \"prels\" }}, {{ glob = {:?}, track = \"diversity\" }}]\n",
            file("web09.prels.gz"),
            file("web09.diversity.qrels.gz")
        ),
    );
    let found = study.dejaview(["judgments", "--json"]).json();
    let documents: Vec<(&str, u64)> = found["tracks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| (t["name"].as_str().unwrap(), t["documents"].as_u64().unwrap()))
        .collect();
    assert_eq!(documents, [("prels", 23_504), ("diversity", 24_817)]);
    assert_eq!(found["documents"], 38_868, "their union");
}

#[test]
fn every_judgment_is_listed_as_written() {
    let Some(data) = data() else { return };
    for name in ["session10.qrels.gz", "session11.qrels.gz", "web12.qrels.gz"] {
        let path = data.join("qrels").join(name);
        let answer = Study::new().judgments(&path).dejaview(["judgments", "--list"]);
        let mut listed: Vec<(String, String, String)> = answer
            .rows("track\ttopic\tsubtopic\tdocument\tgrade")
            .into_iter()
            .map(|row| (row[1].to_owned(), row[3].to_owned(), row[4].to_owned()))
            .collect();
        let mut expected = rows(&path);
        listed.sort();
        expected.sort();
        assert!(listed == expected, "{name}");
    }
}

#[test]
fn session_2011_contradicts_itself_by_subtopic() {
    let Some(data) = data() else { return };
    let path = data.join("qrels/session11.qrels.gz");
    let mut grades: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for (topic, document, grade) in rows(&path) {
        grades.entry((topic, document)).or_default().insert(grade);
    }
    let differing = grades.values().filter(|grades| grades.len() > 1).count();
    assert_eq!((grades.len(), differing), (19_413, 6_065), "as the description of the data says");
    let found = Study::new().judgments(&path).dejaview(["judgments", "--json"]).json();
    assert_eq!(found["inconsistent"]["within_topic"], json!(differing));
}

#[test]
fn a_generic_first_part_names_no_track() {
    let Some(data) = data() else { return };
    let mut study = Study::new();
    for year in ["10", "11", "12"] {
        let bytes = fs::read(data.join(format!("qrels/session{year}.qrels.gz"))).unwrap();
        study = study.file(&format!("q/qrels.session20{year}.txt.gz"), bytes);
    }
    let found = study.judgments("q/*").dejaview(["judgments", "--json"]).json();
    let tracks = found["tracks"].as_array().unwrap();
    let names: Vec<&str> = tracks.iter().map(|track| track["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["session2010", "session2011", "session2012"]);
    assert_eq!(found["topics"], 246);
}

#[test]
fn the_entity_tracks_are_read_or_refused() {
    let Some(data) = data() else { return };
    let path = |year: &str| data.join(format!("formats/entity{year}.first-120-lines.qrels"));
    let answer = Study::new().judgments(path("2009")).dejaview(["judgments", "--json"]);
    let found = answer.json();
    let text = fs::read_to_string(path("2009")).unwrap();
    let words: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let documents: BTreeSet<&str> = words.iter().map(|words| words[1]).collect();
    let ones = words.iter().filter(|words| words[2] == "1").count();
    assert_eq!(
        (&found["lines"], &found["documents"], &found["topics"]),
        (&json!(120), &json!(documents.len()), &json!(2))
    );
    assert_eq!((&found["grades"]["1"], &found["suspicious"]), (&json!(ones), &json!([])));
    let refused = Study::new().judgments(path("2010")).dejaview(["judgments"]);
    assert!(
        refused.failed().contains("line 1: 6 columns, expected `topic iteration document grade`"),
        "{}",
        refused.stderr
    );
    // Cut to four columns in a wrong order, the names of ids are few.
    let wrong: String =
        words.iter().map(|words| format!("{} {} x{} {}\n", words[0], words[1], words[2], words[3])).collect();
    let answer = Study::new().file("wrong.qrels", wrong).judgments("wrong.qrels").dejaview(["judgments"]);
    answer.ok();
    assert!(answer.stderr.contains("120 lines name 2 different documents"), "{}", answer.stderr);
}
