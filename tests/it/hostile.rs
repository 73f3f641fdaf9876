//! Input made to break a reader or a terminal. The run must succeed, tell of everything that it did not read, and lose
//! nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::support::{Study, assert_same, gzip, page, record, response};

/// A file of a corpus, what is in it, and what must come of it.
struct Archive {
    name: &'static str,
    bytes: Vec<u8>,
    /// Ids of the documents that must be read, as `sketches` shows them.
    read: Vec<String>,
    /// Documents that must be read and have no word.
    wordless: usize,
    /// Reasons, one for each record that cannot be read.
    skipped: Vec<&'static str>,
}

const ESCAPES: &str =
    "<title>\u{1b}]0;owned\u{7}</title><p>\u{1b}[2J\u{1b}[1;31mred\u{1b}[0m alert \u{9b}31m plain words here";
const BIDI: &str = "<p>invoice \u{202e}fdp.exe\u{202c} and \u{2066}more\u{2069} words that turn";

fn members(records: &[Vec<u8>]) -> Vec<u8> {
    records.iter().flat_map(|record| gzip(record)).collect()
}

fn url(n: usize) -> String {
    format!("http://example.org/{n}")
}

/// Pages that are whole, and strange.
fn strange(side: &str) -> Archive {
    let id = |name: &str| format!("{side}-{name}");
    let nested = "<div>".repeat(100_000) + "deep words at the bottom of it all" + &"</div>".repeat(100_000);
    let line: String = (0..1_500_000).map(|i| format!("w{:05} ", i % 99_991)).collect();
    assert!(line.len() > 10 << 20);
    let long = id(&"x".repeat(5000));
    let mut pages = vec![
        (id("nested"), nested),
        (id("line"), line),
        (id("escapes"), ESCAPES.to_owned()),
        (id("bidi"), BIDI.to_owned()),
        (id("one"), "<p>word".to_owned()),
        (id("same-1"), page(7, 300)),
        (id("same-2"), page(7, 300)),
        (id("same-3"), page(7, 300)),
        (id("with two blanks").replace('-', " "), page(8, 40)),
        (long, page(9, 40)),
    ];
    let read: Vec<String> = pages.iter().map(|(id, _)| id.clone()).collect();
    pages.push((id("blank"), "<p></p><br>".to_owned()));
    pages.push((id("empty"), String::new()));
    pages.push((id("same-1"), page(7, 300)));
    let mut records: Vec<Vec<u8>> =
        pages.iter().enumerate().map(|(n, (id, html))| response(id, &url(n), html)).collect();
    records.push(response(&id("tab\tand\u{1b}[31mcolour"), "http://example.org/\u{1b}[2J\u{9b}\tx", page(10, 40)));
    let read = read.into_iter().chain([id("tab and [31mcolour")]).collect();
    Archive {
        name: "strange.warc.gz",
        bytes: members(&records),
        read,
        wordless: 1,
        skipped: vec!["empty body", "repeated id"],
    }
}

/// Five members, the third damaged in its middle.
fn broken(side: &str) -> Archive {
    let mut file = Vec::new();
    for n in 0..5 {
        let mut member = gzip(&response(&format!("{side}-broken-{n}"), &url(n), page(20 + n as u64, 2000)));
        if n == 2 {
            let middle = member.len() / 2;
            member[middle..middle + 40].fill(0xff);
        }
        file.extend(member);
    }
    let read = [0, 1, 3, 4].map(|n| format!("{side}-broken-{n}")).into();
    Archive { name: "broken.warc.gz", bytes: file, read, wordless: 0, skipped: vec!["compressed data damaged"] }
}

/// Three members, the last cut off; and the same as one member. The last is read as far as it goes, and listed.
fn cut(side: &str, name: &'static str, whole: bool) -> Archive {
    let records: Vec<Vec<u8>> =
        (0..3).map(|n| response(&format!("{side}-{name}-{n}"), &url(n), page(30 + n as u64, 2000))).collect();
    let mut bytes = if whole { gzip(&records.concat()) } else { members(&records) };
    bytes.truncate(bytes.len() - 2000);
    let read = [0, 1, 2].map(|n| format!("{side}-{name}-{n}")).into();
    Archive { name, bytes, read, wordless: 0, skipped: vec!["compressed data ends early"] }
}

/// Records whose stated lengths are wrong, one whose is absurd, rubbish between them, and an end in the middle.
fn lengths(side: &str) -> Archive {
    let block = |n: u64| -> Vec<u8> {
        let mut block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".to_vec();
        block.extend(page(40 + n, 60).into_bytes());
        block
    };
    let id = |n: u64| format!("{side}-length-{n}");
    let right = |n: u64| record(&id(n), &url(n as usize), block(n).len(), &block(n));
    let mut bytes = right(0);
    bytes.extend(record(&id(1), &url(1), block(1).len() + 57, &block(1)));
    bytes.extend(record(&id(2), &url(2), block(2).len() - 31, &block(2)));
    bytes.extend(right(3));
    bytes.extend(b"and here someone's editor\nleft something behind\n\n");
    bytes.extend(right(4));
    bytes.extend(record(&id(5), &url(5), usize::MAX / 2, &block(5)));
    bytes.extend(right(6));
    let mut last = right(7);
    last.truncate(last.len() - 100);
    bytes.extend(last);
    Archive {
        name: "lengths.warc",
        bytes,
        read: [0, 1, 2, 3, 4, 6, 7].map(id).into(),
        wordless: 0,
        skipped: vec!["no record begins here", "body too large", "record ends early"],
    }
}

/// Lines that are no documents, and records that are no pages.
fn others(side: &str) -> [Archive; 2] {
    let lines = format!(
        "{{\"id\": \"{side}-json\", \"text\": \"a line of some words\"}}\n{{\"id\": \"x\", \"html\": \n\
         {{\"html\": \"<p>nameless\"}}\n{{\"id\": \"{side}-void\", \"html\": \" \"}}\n[1, 2]\n\
         {{\"id\": \"{side}-json\\ttab\", \"html\": \"<p>a line of other words\"}}\n"
    );
    let jsonl = Archive {
        name: "lines.jsonl",
        bytes: lines.into_bytes(),
        read: vec![format!("{side}-json"), format!("{side}-json tab")],
        wordless: 0,
        skipped: vec!["not a JSON object", "no id", "empty body", "not a JSON object"],
    };
    let image = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG\r\n\x1a\n";
    let zeros = b"HTTP/1.1 200 OK\r\n\r\n\0\0\0\0\x01\x02";
    let mut bytes = record(&format!("{side}-image"), &url(0), image.len(), image);
    bytes.extend(record(&format!("{side}-zeros"), &url(1), zeros.len(), zeros));
    let binary = Archive {
        name: "binary.warc",
        bytes,
        read: Vec::new(),
        wordless: 0,
        skipped: vec!["media type not text", "binary content"],
    };
    [jsonl, binary]
}

fn corpus(side: &str) -> Vec<Archive> {
    let [jsonl, binary] = others(side);
    vec![
        strange(side),
        broken(side),
        cut(side, "cut.warc.gz", false),
        cut(side, "whole.warc.gz", true),
        lengths(side),
        jsonl,
        binary,
    ]
}

fn study(source: &[Archive], target: &[Archive]) -> Study {
    let mut study = Study::new().source("old").target("00", "new").simhash("name = \"words\"\nngrams = [1]");
    for (folder, archives) in [("old", source), ("new", target)] {
        for archive in archives {
            study = study.file(&format!("{folder}/{}", archive.name), &archive.bytes);
        }
    }
    study.simhash("name = \"phrases\"\nngrams = [3, 5]")
}

/// `skipped.tsv` as (side, file, reason), each row checked.
fn skipped(study: &Study) -> Vec<(String, String, String)> {
    let table = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("side\tsegment\tfile\toffset\treason\tdetail"));
    let row = |line: &str| {
        assert!(!line.chars().any(|c| c.is_control() && c != '\t'), "{line:?}");
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), 6, "{line:?}");
        let offset: u64 = cells[3].parse().expect("an offset");
        let size = fs::metadata(study.path(cells[2])).expect("the file as the study names it").len();
        assert!(offset < size || cells[2].ends_with(".gz"), "{line:?}");
        (cells[0].to_owned(), cells[2].to_owned(), cells[4].to_owned())
    };
    lines.map(row).collect()
}

/// Ids with a sketch, by side; sorted, repeated ones too.
fn sketched(study: &Study) -> BTreeMap<String, Vec<String>> {
    let mut sketched: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in study.dejaview(["sketches", "--configuration", "words"]).rows("side\tid\tsketch") {
        sketched.entry(row[0].to_owned()).or_default().push(row[1].to_owned());
    }
    sketched.values_mut().for_each(|ids| ids.sort());
    sketched
}

#[test]
fn everything_hostile_is_read_or_told_and_nothing_else_is_lost() {
    let (source, target) = (corpus("s"), corpus("t"));
    let study = study(&source, &target);
    let summary = study.run_with_threads(1);
    let told = skipped(&study);
    let mut wrong = Vec::new();
    for (side, folder, archives) in [("source", "old", &source), ("target", "new", &target)] {
        for archive in archives {
            let file = format!("{folder}/{}", archive.name);
            let mut found: Vec<&str> =
                told.iter().filter(|(_, f, _)| *f == file).map(|(_, _, reason)| reason.as_str()).collect();
            let mut expected = archive.skipped.clone();
            found.sort_unstable();
            expected.sort_unstable();
            if found != expected {
                wrong.push(format!("{file}: not read {found:?}, expected {expected:?}"));
            }
        }
        let read: usize = archives.iter().map(|archive| archive.read.len() + archive.wordless).sum();
        if summary["documents"][side] != read {
            wrong.push(format!("{side}: {} documents, expected {read}", summary["documents"][side]));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let counted: u64 = summary["skipped"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(counted as usize, told.len(), "the summary counts what the list lists");
}

#[test]
fn sketches_show_every_document_once() {
    let (source, target) = (corpus("s"), corpus("t"));
    let study = study(&source, &target);
    let sketched = sketched(&study);
    for (side, archives) in [("source", source), ("target", target)] {
        let ids = archives.into_iter().flat_map(|archive| archive.read);
        let mut expected: Vec<String> = ids.map(|id| dejaview::base::escaping::escape_id(&id).into_owned()).collect();
        expected.sort();
        assert_eq!(sketched[side], expected, "{side}");
    }
}

#[test]
fn hostile_input_gives_the_same_bytes_on_every_number_of_threads() {
    let (source, target) = (corpus("s"), corpus("t"));
    let expected = study(&source, &target);
    expected.run_with_threads(1);
    for threads in [2, 5] {
        let other = study(&source, &target);
        other.run_with_threads(threads);
        assert_same(&expected.results(), &other.results());
    }
}

#[test]
fn identical_pages_pair_each_with_each() {
    let study = study(&[strange("s")], &[strange("t")]);
    study.run();
    let pairs = study.dejaview(["pairs", "--configuration", "phrases", "--json"]).jsonl();
    let of = |side: &str| -> BTreeSet<String> {
        pairs.iter().map(|pair| pair[side].as_str().unwrap().to_owned()).filter(|id| id.contains("same")).collect()
    };
    assert_eq!((of("source").len(), of("target").len()), (3, 3));
    let same: Vec<&Value> = pairs.iter().filter(|pair| pair["source"].as_str().unwrap().contains("same")).collect();
    assert_eq!(same.len(), 9);
    for pair in same {
        assert_eq!(
            (&pair["distance"], pair["jaccard_8"].as_f64(), pair["s3"].as_f64()),
            (&0.into(), Some(1.0), Some(1.0))
        );
    }
    // Every strange page finds its twin, and its id leads back to it.
    for name in ["nested", "line", "escapes", "bidi", &"x".repeat(5000), "tab and [31mcolour"] {
        let [a, b] = ["s", "t"].map(|side| format!("{side}-{name}"));
        assert!(pairs.iter().any(|pair| pair["source"] == *a && pair["target"] == *b), "{}", &a[..a.len().min(40)]);
        assert_eq!(study.dejaview(["show", &a, "--json"]).json()["id"], *a);
    }
}

/// A source of two pages and a target in which two records have the same id.
fn repeating(first: &str, second: &str) -> Study {
    Study::new()
        .file("old.warc", [response("a", &url(1), page(5, 200)), response("b", &url(2), page(6, 200))].concat())
        .file("new.warc", [response("t", &url(3), first), response("t", &url(4), second)].concat())
        .source("old.warc")
        .target("00", "new.warc")
}

#[test]
fn a_record_is_a_document_or_is_told_never_both() {
    let (a, b, other) = (page(5, 200), page(6, 200), page(99, 200));
    for (first, second) in [(&a, &a), (&a, &b), (&other, &a), (&a, &other)] {
        let study = repeating(first, second);
        let documents = study.run()["documents"]["target"].as_u64().unwrap();
        assert_eq!(documents + skipped(&study).len() as u64, 2, "of two records with the same id");
    }
}

#[test]
fn pairs_of_a_repeated_id_are_those_of_the_page_that_is_shown() {
    let (a, b, other) = (page(5, 200), page(6, 200), page(99, 200));
    for (first, second) in [(&a, &a), (&a, &b), (&b, &a), (&other, &a), (&a, &other)] {
        let study = repeating(first, second);
        study.run();
        let pairs = study.dejaview(["pairs", "--json", "--configuration", "simhash-3+5"]).jsonl();
        for source in ["a", "b"] {
            let verdict = study.dejaview(["explain", source, "t", "--json", "--configuration", "simhash-3+5"]).json();
            let found = pairs.iter().filter(|pair| pair["source"] == source).count();
            let expected = usize::from(verdict["configurations"][0]["match"] == true);
            assert_eq!(found, expected, "pairs of {source} against what explain says");
        }
    }
}

#[test]
fn a_segment_in_which_nothing_can_be_read_is_told() {
    let study = Study::new()
        .file("old.html", "<p>the quick brown fox jumps over the lazy dog")
        .file("new/a.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03rubbish rubbish rubbish")
        .file("new/b.warc.lz4", b"\x04\x22\x4d\x18rubbish")
        .file("new/c.html", b"")
        .source("old.html")
        .target("00", "new");
    let summary = study.run();
    assert_eq!(summary["documents"]["target"], 0);
    let told: BTreeSet<String> = skipped_files(&study);
    assert_eq!(told, ["new/a.gz", "new/b.warc.lz4", "new/c.html"].map(str::to_owned).into());
}

fn skipped_files(study: &Study) -> BTreeSet<String> {
    let table = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    table.lines().skip(1).map(|line| line.split('\t').nth(2).unwrap().to_owned()).collect()
}

#[test]
fn names_of_files_cannot_break_the_list_of_skipped_records() {
    let study = Study::new()
        .file("old.html", "<p>the quick brown fox jumps over the lazy dog")
        .file("new/a\tb\nc.jsonl", "{\"id\": \"x\", \n")
        .file("new/d.html", "<p>words")
        .source("old.html")
        .target("00", "new");
    study.run();
    let table = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    assert_eq!(table.lines().count(), 2, "{table}");
    assert_eq!(table.lines().nth(1).unwrap().split('\t').count(), 6, "{table}");
}

/// A charset that only the HTTP header names, and nobody would guess.
#[test]
fn the_rendered_view_reads_the_charset_of_the_header() {
    let page = |id: &str| {
        let mut block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=macintosh\r\n\r\n".to_vec();
        // \x8e is é in this charset.
        block.extend_from_slice(
            b"<p>caf\x8e and th\x8e were served in the garden until the evening came, one by one</p>",
        );
        record(id, &format!("http://a.org/{id}"), block.len(), &block)
    };
    let study = Study::new().file("old.warc", page("old")).file("new.warc", page("new"));
    let study = study.source("old.warc").target("00", "new.warc").configuration("md5", "");
    study.run();
    for keys in ["3 enter", "3 enter r"] {
        let screen = study.dejaview(["screen", "--keys", keys, "--size", "140x30"]).ok().to_owned();
        assert!(screen.contains("café and thé were served"), "{keys}: {screen}");
        assert_eq!(screen.contains("rendered by html2text"), keys.ends_with(" r"), "{keys}: {screen}");
    }
}
