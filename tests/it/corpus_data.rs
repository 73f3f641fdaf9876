//! Real archives and judgments, read whole. The folder is named by `DEJAVIEW_DATA`; without it nothing is checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dejaview::corpus::qrels::{self, QrelsFile, Scope};
use dejaview::corpus::{AcceptedStatus, Batches, CorpusItem, Format, Input, Scratch, SkipReason, urls};

use crate::support::data;

/// What a file holds: its documents (id and body), and how often each reason to skip.
#[derive(Default)]
struct Contents {
    format: Option<&'static Format>,
    documents: Vec<(String, Vec<u8>)>,
    skipped: BTreeMap<SkipReason, usize>,
    /// Documents that the end of the file clips; they are listed with those that were not read, too.
    clipped: usize,
}

impl Contents {
    fn of(path: &Path) -> Self {
        let size = std::fs::metadata(path).expect("a file of the data folder").len();
        let name = path.file_name().expect("a file name").to_string_lossy().into_owned();
        let input = Input { path: path.to_owned(), name, format: None, status: AcceptedStatus::All, size };
        let mut batches = Batches::open(&input).expect("a readable file");
        let mut contents = Self { format: Some(batches.format()), ..Self::default() };
        let mut scratch = Scratch::default();
        while let Some(batch) = batches.next().unwrap() {
            batch.read(&mut scratch, &mut |item| match item {
                CorpusItem::Document(document) => {
                    contents.documents.push((document.id.to_owned(), document.body.to_owned()))
                }
                CorpusItem::Skipped(skip) => {
                    println!("{}: {} at {}: {}", path.display(), skip.reason, skip.offset, skip.detail);
                    *contents.skipped.entry(skip.reason).or_default() += 1;
                    contents.clipped += usize::from(skip.detail.starts_with("read as far as it goes"));
                }
            });
        }
        assert_eq!(batches.consumed(), size);
        assert_eq!(batches.digest(), xxhash_rust::xxh3::xxh3_128(&std::fs::read(path).expect("a readable file")));
        contents
    }

    /// Documents and records of a document's type that were not read.
    fn responses(&self) -> usize {
        use SkipReason::*;
        let reasons = [MediaType, Binary, Encoding, Empty, TooLarge, EndsEarly, CompressedEnd];
        self.documents.len() - self.clipped
            + reasons.iter().filter_map(|reason| self.skipped.get(reason)).sum::<usize>()
    }
}

/// File; records of a document's type that warcio reads (`tests/outside/warcio_count.py`) before it stops; those we
/// account for; documents among them. We read more where warcio gives up or needs capitals.
const ARCHIVES: [(&str, usize, usize, usize); 32] = [
    ("jwat/IAH-20080430204825-00000-blackbook.warc.gz", 299, 299, 179),
    ("jwat/invalid-warcfile-contenttype-recommended.warc", 3, 3, 3),
    ("jwat/invalid-warcfile-contenttype-warcinfo-recommended.warc", 0, 0, 0),
    ("jwat/invalid-warcfile-digest-fields.warc", 4, 4, 4),
    ("jwat/invalid-warcfile-duplicate-fields.warc", 0, 0, 0),
    ("jwat/invalid-warcfile-encoding-headers.warc.gz", 3, 3, 2),
    ("jwat/invalid-warcfile-fields-empty.warc", 0, 0, 0),
    ("jwat/invalid-warcfile-fields-invalidformat.warc", 0, 0, 0),
    ("jwat/invalid-warcfile-fields-missing.warc", 0, 0, 0),
    ("jwat/invalid-warcfile-lonely-continuation.warc", 0, 0, 0),
    ("jwat/invalid-warcfile-lonely-monkeys.warc", 0, 0, 0),
    ("jwat/invalid-warcfile-lonely-request-response-resource-conversion.warc", 0, 3, 0),
    ("jwat/invalid-warcfile-lonely-revisit.warc", 0, 0, 0),
    ("jwat/invalid-warcfile-lonely-warcinfo-metadata.warc", 0, 0, 0),
    ("jwat/invalid-warcfile-record-then-garbage.warc", 1, 1, 1),
    ("jwat/invalid-warcfile-segment-number-continuation.warc", 0, 0, 0),
    ("jwat/invalid-warcfile-segment-number-response.warc", 2, 2, 2),
    ("jwat/valid-warcfile-contenttype-continuation.warc", 0, 0, 0),
    ("jwat/valid-warcfile-duplicate-concurrentto.warc", 0, 0, 0),
    ("jwat/valid-warcfile-fields-continuation.warc", 0, 0, 0),
    ("jwat/valid-warcfile-fields-metainfo.warc", 0, 0, 0),
    ("jwat/valid-warcfile-fields-warcinfo.warc", 0, 0, 0),
    ("jwat/valid-warcfile-non-warc-headers.warc", 0, 0, 0),
    ("jwat/valid-warcfile-upper-lower-case.warc", 2, 4, 0),
    ("jwat/valid-warcfile-utf8.warc", 0, 0, 0),
    ("warcio/example-bad-non-chunked.warc.gz", 0, 1, 1),
    ("warcio/example-resource.warc.gz", 1, 1, 1),
    ("warcio/example-space-in-target-uri.warc.gz", 1, 1, 0),
    ("warcio/example-trunc.warc", 1, 1, 1),
    ("warcio/example-wrong-chunks.warc.gz", 1, 1, 1),
    ("warcio/example.warc.gz", 1, 1, 1),
    ("warcio/post-test.warc.gz", 3, 3, 0),
];

#[test]
fn odd_archives() {
    let Some(data) = data() else { return };
    let mut files = 0;
    for folder in ["jwat", "warcio"] {
        files += std::fs::read_dir(data.join("archives").join(folder)).expect("the folder of archives").count();
    }
    assert_eq!(files, ARCHIVES.len(), "every archive is in the table");
    for (name, warcio, responses, documents) in ARCHIVES {
        let contents = Contents::of(&data.join("archives").join(name));
        assert_eq!(contents.format.map(|format| format.name), Some("warc"), "{name}");
        assert_eq!((contents.responses(), contents.documents.len()), (responses, documents), "{name}");
        assert!(responses >= warcio, "{name}");
    }
}

type OtherArchive = (&'static str, &'static str, &'static [usize], &'static [(SkipReason, usize)]);

/// File of `formats/`; documents and their bytes as warcio 1.8 (ARC) and FastWARC 1.1 (lz4) give them
/// (`tests/outside/archives.py`); what we skip.
const OTHERS: [OtherArchive; 6] = [
    ("example.arc", "arc", &[1270], &[]),
    ("example.arc.gz", "arc", &[1270], &[]),
    ("small_BNF.arc", "arc", &[4095, 1646, 8981], &[(SkipReason::MediaType, 2)]),
    ("test-arc-1.0-dashed-fields.arc", "arc", &[4095], &[]),
    ("invalid-arcfile-record-then-garbage.arc", "arc", &[1772], &[(SkipReason::NoRecord, 1)]),
    (
        "warcfile.warc.lz4",
        "warc",
        &[
            36331, 104_567, 15261, 8090, 14928, 37751, 23135, 15046, 33402, 36537, 35214, 10815, 108_253, 10593, 15496,
            7806,
        ],
        &[],
    ),
];

#[test]
fn other_archives() {
    let Some(data) = data() else { return };
    for (name, format, lengths, skipped) in OTHERS {
        let contents = Contents::of(&data.join("formats").join(name));
        assert_eq!(contents.format.map(|format| format.name), Some(format), "{name}");
        let found: Vec<usize> = contents.documents.iter().map(|(_, body)| body.len()).collect();
        assert_eq!(found, lengths, "{name}");
        assert_eq!(contents.skipped, skipped.iter().copied().collect(), "{name}");
    }
}

#[test]
fn recrawl() {
    let Some(data) = data() else { return };
    let read = |name: &str| Contents::of(&data.join("recrawl").join(name));
    for i in 0..4 {
        let contents = read(&format!("new-0{i}.warc.gz"));
        assert_eq!((contents.documents.len(), contents.skipped.len()), (225, 0), "new-0{i}");
    }
    let old = read("old.warc.gz");
    assert_eq!((old.documents.len(), old.skipped.len()), (733, 0));
    let bodies: BTreeMap<&str, &[u8]> = old.documents.iter().map(|(id, body)| (id.as_str(), body.as_slice())).collect();
    let mut differing = 0;
    for (name, format) in [("old-few.trecweb", "trecweb"), ("old-few.jsonl", "jsonl")] {
        let few = read(name);
        assert_eq!(
            (few.format.map(|format| format.name), few.documents.len(), few.skipped.len()),
            (Some(format), 41, 0),
            "{name}"
        );
        for (id, body) in &few.documents {
            // Two pages of the JSONL file went through Latin-1, as they say of themselves.
            let page = bodies[id.as_str()];
            let latin1: String = page.iter().map(|&b| char::from(b)).collect();
            assert!(page == body || latin1.as_bytes() == body, "{name}: {id}");
            differing += usize::from(page != body);
        }
    }
    assert_eq!(differing, 2);
    let list = urls::read(&data.join("recrawl/urls.tsv")).expect("a readable list");
    assert!(old.documents.iter().all(|(id, _)| list.iter().any(|(listed, _)| listed == id)));
}

#[test]
fn throughput() {
    let Some(data) = data() else { return };
    let contents = Contents::of(&data.join("bench/pages.warc.gz"));
    assert_eq!((contents.documents.len(), contents.skipped.len()), (4319, 0));
    drop(contents);
    let path = data.join("bench/pages.warc.gz");
    let input = Input { name: String::new(), format: None, status: AcceptedStatus::Ok, size: 0, path };
    let start = Instant::now();
    let (mut batches, mut scratch, mut bytes) =
        (Batches::open(&input).expect("a readable file"), Scratch::default(), 0);
    while let Some(batch) = batches.next().unwrap() {
        batch.read(&mut scratch, &mut |item| {
            if let CorpusItem::Document(document) = item {
                bytes += document.body.len();
            }
        });
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{bytes} bytes of pages in {seconds:.3} s, one thread: {:.0} MB/s", bytes as f64 / seconds / 1e6);
}

#[test]
fn judgments() {
    let Some(data) = data() else { return };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(data.join("qrels"))
        .expect("the folder of judgments")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    let files: Vec<QrelsFile> = paths.into_iter().map(|path| QrelsFile { path, track: None }).collect();
    let start = Instant::now();
    let judgments = qrels::read(&files).expect("readable judgments");
    println!("{} judgments in {:.3} s", judgments.rows().len(), start.elapsed().as_secs_f64());
    assert_eq!((judgments.rows().len(), judgments.documents().len()), (273_129, 155_419));
    assert!(judgments.skipped().is_empty());

    let start = Instant::now();
    let tracks = judgments.track_summaries();
    let web10 = tracks.iter().find(|track| track.name == "web10").expect("Web 2010");
    assert_eq!((web10.lines, web10.documents), (25_329, 24_470));
    let inconsistent = judgments.inconsistent();
    println!("{} inconsistent, {:.3} s", inconsistent.len(), start.elapsed().as_secs_f64());
    let session11 = judgments.tracks().iter().position(|track| track == "session11").expect("Session 2011");
    let within = inconsistent
        .iter()
        .filter(|i| matches!(i.scope, Scope::Topic(t) if judgments.topics()[t as usize].track as usize == session11))
        .count();
    assert_eq!(within, 6065);
    assert!(judgments.grades().iter().any(|grade| grade == "0.-1"));
    let total: u64 = judgments.grade_counts().iter().map(|(_, n)| n).sum();
    assert_eq!(total, 273_129);
}

#[test]
fn judgments_of_the_recrawl() {
    let Some(data) = data() else { return };
    let path = data.join("recrawl/judged.qrels");
    let judgments = qrels::read(&[QrelsFile { path, track: Some("study".to_owned()) }]).expect("readable judgments");
    assert_eq!(judgments.tracks(), ["study"]);
    assert!(judgments.document("clueweb09-en9000-00-00000").is_some());
}
