//! Ids with blanks, tabs, line ends and escapes in them, and files of every kind that a folder may hold: what is written can
//! be read again, and nothing is dropped.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Study, page};

/// Names of files that no column can hold as they are, and one that looks like an escape.
const NAMES: [&str; 6] = [
    "two words.html",
    "a\ttab.html",
    "line\nend.html",
    "\u{1b}[31mred\u{2028}.html",
    r"an escape \u{20}.html",
    r"back\slash\new.html",
];

/// A folder of pages on each side; the pages of one name are near-duplicates.
fn folders() -> Study {
    let mut study = Study::new().source("old").target("00", "new").configuration("md5", "");
    for (n, name) in NAMES.iter().enumerate() {
        let html = page(n as u64, 200);
        study = study.file(&format!("old/{name}"), &html).file(&format!("new/{name}"), &html);
    }
    study
}

fn escaped(id: &str) -> String {
    dejaview::base::escaping::escape_id(id).into_owned()
}

#[test]
fn what_is_written_can_be_read_again() {
    let study = folders();
    let qrels: String = NAMES.iter().map(|name| format!("1 0 {} 1\n", escaped(&format!("old/{name}")))).collect();
    let study = study.judgments("judgments.qrels").file("judgments.qrels", qrels);
    let summary = study.run();
    assert_eq!(
        summary["documents"],
        json!({ "source": NAMES.len(), "target": NAMES.len() }),
        "all judged ids are known"
    );
    assert_eq!(summary["pairs"]["md5"], NAMES.len());

    // Pairs as TSV, into a configuration that imports them: the same pairs as the JSON has.
    let table = study.dejaview(["pairs"]);
    let head = "configuration\tsegment\tsource\ttarget\tdistance\tjaccard";
    let rows = table.rows(head);
    assert!(rows.iter().all(|row| !row[2].contains(' ') && !row[3].contains(' ')), "{rows:?}");
    let pairs = study.dejaview(["pairs", "--json"]).jsonl();
    let ids = |pairs: &[Value]| -> Vec<(String, String)> {
        pairs.iter().map(|pair| (pair["source"].to_string(), pair["target"].to_string())).collect()
    };
    fs::write(study.path("pairs.tsv"), table.ok()).unwrap();
    let imported = study.configuration("import", "name = \"again\"\npairs = \"pairs.tsv\"");
    assert_eq!(imported.run()["pairs"]["again"], NAMES.len());
    let again = imported.dejaview(["pairs", "--json", "--configuration", "again"]).jsonl();
    assert_eq!(ids(&again), ids(&pairs));

    // Carried judgments are judgments of the target.
    let carried = imported.path("carried.qrels");
    imported
        .dejaview([OsStr::new("transfer"), "-o".as_ref(), carried.as_os_str(), "--accept".as_ref(), "all".as_ref()])
        .ok();
    let carried = fs::read_to_string(carried).unwrap();
    assert!(carried.lines().all(|line| line.split_ascii_whitespace().count() == 4), "{carried}");
    let other = Study::new().source("new/*").judgments("j.qrels").file("j.qrels", carried).target("00", "none.jsonl");
    let listed =
        other.file("none.jsonl", "{\"id\": \"x\", \"text\": \"y\"}\n").dejaview(["judgments", "--json"]).json();
    assert_eq!(listed["documents"], NAMES.len());
    let ledger = fs::read_to_string(imported.path("carried.ledger.tsv")).unwrap();
    assert!(ledger.lines().all(|line| line.split('\t').count() == 11), "{ledger}");

    // Labels out and in.
    imported.dejaview(["sample", "--configuration", "md5", "--size", "6", "--name", "s"]).ok();
    let labels: String = std::iter::once("source\ttarget\tlabel\n".to_owned())
        .chain(rows.iter().filter(|row| row[0] == "md5").map(|row| format!("{}\t{}\tnear-duplicate\n", row[2], row[3])))
        .collect();
    fs::write(imported.path("labels.tsv"), labels).unwrap();
    let file = imported.path("labels.tsv");
    let import = [OsStr::new("--annotator"), "ann".as_ref(), "--sample".as_ref(), "s".as_ref()];
    let words = [OsStr::new("labels"), "import".as_ref(), imported.folder().as_os_str(), file.as_os_str()];
    crate::support::dejaview(words.into_iter().chain(import)).ok();
    let words = [OsStr::new("labels"), "export".as_ref(), imported.folder().as_os_str()];
    let exported = crate::support::dejaview(words);
    assert_eq!(exported.rows("source\ttarget\tlabel\tannotator").len(), NAMES.len());

    // A document is shown by its id and by what a table calls it.
    for name in NAMES {
        let id = format!("old/{name}");
        let by_table = study_text(&imported, &escaped(&id));
        assert_eq!(by_table, study_text(&imported, &id.replace(r"\u{", r"\u{5c}u{")), "{id:?}");
    }
}

fn study_text(study: &Study, id: &str) -> String {
    study.dejaview(["show", id]).ok().to_owned()
}

/// Files whose names are not UTF-8, links, circles of links, pipes and sockets: read once, or named and counted.
#[test]
fn every_file_is_read_once_or_named() {
    let study = Study::new()
        .source("old/*.html")
        .target("00", "new")
        .configuration("md5", "")
        .file("old/a.html", page(1, 100))
        .file("new/a.html", page(1, 100))
        .file("new/empty.html", "")
        .file("elsewhere/b.html", page(2, 100));
    for (folder, name) in [("old", &b"\xff.html"[..]), ("new", b"\xff.html"), ("new", b"\xfe.html")] {
        fs::write(study.path(folder).join(OsStr::from_bytes(name)), page(3, 100)).unwrap();
    }
    symlink(study.path("elsewhere"), study.path("new/link")).unwrap();
    symlink(study.path("new/a.html"), study.path("new/z.html")).unwrap();
    symlink(study.path("new"), study.path("new/circle")).unwrap();
    symlink("self", study.path("new/self")).unwrap();
    symlink(study.path("nowhere"), study.path("new/nowhere")).unwrap();
    let _socket = UnixListener::bind(study.path("new/socket")).unwrap();
    assert!(Command::new("mkfifo").arg(study.path("new/pipe")).status().unwrap().success());
    let summary = study.run();
    assert_eq!(summary["documents"], json!({ "source": 2, "target": 4 }), "{summary}");
    assert_eq!(summary["skipped"], json!({ "empty file": 1, "file not read": 4, "file not readable": 2 }));
    let table = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    for (file, why) in [
        ("new/circle", "it is a link to a folder that holds it"),
        ("new/z.html", "it is the same file as new/a.html, which is read"),
        ("new/pipe", "it is a pipe"),
        ("new/socket", "it is a socket"),
        ("new/nowhere", "it is a link to a file that is not there"),
        ("new/self", "it is a link to a file that is not there"),
    ] {
        assert!(
            table.lines().any(|line| line.contains(&format!("\t{file}\t0\t")) && line.contains(why)),
            "{file}: {table}"
        );
    }
    let pairs = study.dejaview(["pairs", "--json"]).jsonl();
    let targets: Vec<&str> = pairs.iter().map(|pair| pair["target"].as_str().unwrap()).collect();
    assert_eq!(targets, [r"new/\xfe.html", r"new/\xff.html", "new/a.html"]);

    let said = study.dejaview(["run"]);
    assert!(said.ok().contains("skipped 7 files; each is listed in "), "{}", said.ok());
}

#[test]
fn the_files_of_the_study_are_no_documents() {
    let study = Study::new()
        .source(".")
        .target("00", "./*")
        .configuration("md5", "")
        .file("a.html", page(1, 100))
        .file("more/labels/b.html", page(2, 100))
        .file("labels/ann.jsonl", "{\"id\": \"x\", \"text\": \"no document\"}\n")
        .file("samples/s.jsonl", "{\"id\": \"y\", \"text\": \"no document\"}\n");
    for _ in 0..2 {
        let summary = study.run();
        assert_eq!(summary["documents"], json!({ "source": 2, "target": 2 }), "{summary}");
    }
    let named = Study::new().source("labels/*").target("00", "samples").configuration("md5", "");
    let named = named.file("labels/a.html", page(1, 100)).file("samples/b.html", page(1, 100));
    assert_eq!(named.run()["documents"], json!({ "source": 1, "target": 1 }), "a pattern may name these folders");
}
