//! What one file may cost: data that is skipped is never held, one document costs a stated amount, and skipped records are
//! counted and listed without being held.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;

use serde_json::json;

use crate::support::{Study, assert_same, gzip, only_when_slow, page, record, response};

/// More than any of these files may cost, in bytes.
const MOST_MEMORY: u64 = 300_000_000;

/// Many more bytes than may be held.
const LARGE: usize = 600 << 20;

/// A gzip member of `before`, then [`LARGE`] zeros, then `after`.
fn member_around_zeros(before: &[u8], after: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(before).unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..LARGE >> 20 {
        encoder.write_all(&zeros).unwrap();
    }
    encoder.write_all(after).unwrap();
    encoder.finish().unwrap()
}

/// The head of a record with a video of [`LARGE`] bytes.
fn video() -> Vec<u8> {
    let http = "HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n";
    let length = http.len() + LARGE;
    format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: video\r\nContent-Length: {length}\r\n\r\n{http}").into()
}

fn study(name: &str, bytes: &[u8]) -> Study {
    Study::new()
        .source("old.warc")
        .file("old.warc", response("old", "", page(1, 300)))
        .target("00", format!("new/{name}"))
        .file(&format!("new/{name}"), bytes)
}

/// Runs a study; documents of the target, and skipped records by reason.
#[track_caller]
fn run(study: &Study) -> (u64, BTreeMap<String, u64>) {
    let summary = study.run_with_threads(2);
    if let Some(peak) = summary["peak_memory"].as_u64() {
        assert!(peak < MOST_MEMORY, "{peak} bytes of memory");
    }
    let skipped = summary["skipped"].as_object().unwrap().iter();
    let skipped = skipped.map(|(reason, n)| (reason.clone(), n.as_u64().unwrap())).collect();
    (summary["documents"]["target"].as_u64().unwrap(), skipped)
}

fn counts<const N: usize>(all: [(&str, u64); N]) -> BTreeMap<String, u64> {
    all.map(|(reason, n)| (reason.to_owned(), n)).into()
}

#[test]
fn what_is_skipped_is_never_held() {
    let (first, last) = (response("first", "", page(1, 300)), response("last", "", page(1, 300)));
    let too_large = counts([("body too large", 1)]);

    assert_eq!(run(&study("zeros.html.gz", &member_around_zeros(b"", b""))), (0, too_large.clone()));

    let in_members = [gzip(&first), member_around_zeros(&video(), b"\r\n\r\n"), gzip(&last)].concat();
    assert_eq!(run(&study("members.warc.gz", &in_members)), (2, too_large.clone()));

    let in_one = member_around_zeros(&[&first[..], &video()].concat(), &[b"\r\n\r\n", &last[..]].concat());
    assert_eq!(run(&study("one.warc.gz", &in_one)), (2, too_large.clone()));

    let line = member_around_zeros(b"{\"id\": \"", b"\"}\n{\"id\": \"last\", \"text\": \"some words\"}\n");
    assert_eq!(run(&study("line.jsonl.gz", &line)), (1, too_large.clone()));

    // A stray file, not compressed; the zeros take no room on the disk.
    let stray = study("stray.bin", b"");
    fs::File::options().write(true).open(stray.path("new/stray.bin")).unwrap().set_len(LARGE as u64).unwrap();
    assert_eq!(run(&stray), (0, too_large));
}

#[test]
fn one_document_costs_a_stated_amount() {
    let pairs = |bytes: usize| b"a b ".repeat(bytes / 4);
    assert_eq!(run(&study("large.txt", &pairs(63_000_000))), (0, counts([("body too large", 1)])));
    assert_eq!(run(&study("words.txt", &pairs(16_000_000))), (0, counts([("too many words", 1)])));
    assert_eq!(run(&study("read.txt", &pairs(2_900_000))), (1, counts([])));

    // Several such pages at once, of which the threads work on one at a time.
    let many: Vec<u8> = (0..6).flat_map(|n| response(&format!("d{n}"), "", pairs(2_900_000 + 40 * n))).collect();
    assert_eq!(run(&study("many.warc", &many)), (6, counts([])));

    let mut state = 1u64;
    let mut noise = b"<p>".to_vec();
    noise.extend(
        std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        })
        .take(16_000_000),
    );
    let (documents, skipped) = run(&study("noise.html", &noise));
    assert_eq!(documents + skipped.values().sum::<u64>(), 1, "{skipped:?}");
}

/// As many different words as a document may have, in as many bytes: in Latin-1, which grows when it is decoded.
#[test]
fn a_document_at_the_limits_costs_what_is_stated() {
    if !only_when_slow() {
        return;
    }
    let mut block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n<p>".to_vec();
    for n in 0..1_490_000 {
        block.extend(b"w\xe9");
        write!(block, "{n:07x} ").unwrap();
    }
    let archive = gzip(&record("latin", "", block.len(), &block));
    assert_eq!(run(&study("latin.warc.gz", &archive)), (1, counts([])));
}

#[test]
fn a_head_that_repeats_is_read_once() {
    let archive = [b"WARC/1.0\n".repeat(200_000), response("last", "", page(1, 300))].concat();
    let study = study("heads.warc", &archive);
    assert_eq!(run(&study), (1, counts([("record ends early", 200_000)])));
}

#[test]
fn skipped_records_are_counted_by_reason_and_listed_in_order() {
    let image = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\npng";
    let images = |many: usize| -> Vec<u8> {
        (0..many).flat_map(|n| record(&format!("image-{n}"), "http://example.org/", image.len(), image)).collect()
    };
    let study =
        study("images.warc", &images(100_000)).file("new/more.warc", images(50_000)).target("01", "new/more.warc");
    let summary = study.run_with_threads(2);
    assert_eq!(summary["skipped"], json!({ "media type not text": 150_000 }));

    let facts = fs::metadata(study.path(".dejaview/segments/00.json")).unwrap().len();
    let manifest = fs::metadata(study.path(".dejaview/manifest.json")).unwrap().len();
    assert!(facts < 10_000 && manifest < 100_000, "{facts} and {manifest} bytes");
    let table = fs::read_to_string(study.path(".dejaview/skipped.tsv")).unwrap();
    let rows: Vec<(&str, u64)> = table
        .lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            (columns[1], columns[3].parse().unwrap())
        })
        .collect();
    assert!(rows.len() == 150_000 && rows.is_sorted(), "{} rows by segment and offset", rows.len());

    let results = study.results();
    fs::remove_dir_all(study.path(".dejaview")).unwrap();
    study.run_with_threads(5);
    assert_same(&results, &study.results());
}
