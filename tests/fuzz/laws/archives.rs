//! Archives of documents: whatever the size of batches and however it is compressed, a file has the same documents.

use std::io::Write;
use std::path::PathBuf;

use dejaview::corpus::formats;
use dejaview::corpus::{AcceptedStatus, Batches, CorpusItem, Format, Input, Scratch};

use super::{is_one_line, scratch};

/// A document or a record that was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    /// Everything about it but its place.
    text: String,
    offset: u64,
    is_document: bool,
}

/// Sizes of batches: all at once, and records cut in the middle.
const SIZES: [usize; 2] = [1 << 20, 97];

/// Files of at most so many bytes are read byte by byte, too.
const SMALL: usize = 200;

/// Documents of a file that are looked for again at their offsets.
const FOUND_AGAIN: usize = 4;

/// A file whose format the study names.
pub fn named(format: &str, bytes: &[u8]) {
    let input = input(Some(formats::find(format).unwrap()), "folder/file", bytes);
    if let Some(seen) = alike(&input, bytes)
        && !looks_compressed(bytes)
    {
        same_when_compressed(&input, bytes, &seen);
    }
}

/// The three readings of an export of a wiki.
pub fn wikis(bytes: &[u8]) {
    let wikis: Vec<&str> = formats::FORMATS.iter().map(|f| f.name).filter(|name| name.contains("wiki")).collect();
    named(wikis[bytes.len() % wikis.len()], bytes);
}

/// A page that is a file of its own.
pub fn pages(bytes: &[u8]) {
    named(["html", "text"][bytes.len() % 2], bytes);
}

/// A file that is recognised by its bytes, compressed or not.
pub fn recognised(bytes: &[u8]) {
    let name = ["folder/file", "folder/file.warc.gz"][bytes.len() % 2];
    alike(&input(None, name, bytes), bytes);
}

fn input(format: Option<&'static Format>, name: &str, bytes: &[u8]) -> Input {
    let path = scratch::file("archive", bytes);
    Input { path, name: name.to_owned(), format, status: AcceptedStatus::All, size: bytes.len() as u64 }
}

/// What is in a file, checked to be the same at each size of batches. None when it is refused, and then it always is.
fn alike(input: &Input, bytes: &[u8]) -> Option<Vec<Seen>> {
    let whole = read(input, bytes, SIZES[0]);
    for size in SIZES[1..].iter().copied().chain((bytes.len() <= SMALL).then_some(1)) {
        assert_eq!(whole, read(input, bytes, size), "all at once, and in batches of {size}");
    }
    let seen = whole?;
    let documents = seen.iter().filter(|seen| seen.is_document).take(FOUND_AGAIN);
    for wanted in documents {
        let again = drain(Batches::open_at(input, wanted.offset).unwrap()).0;
        let mut there = again.iter().take_while(|seen| seen.offset == wanted.offset);
        assert!(there.any(|seen| seen == wanted), "not found again at {}: {wanted:?}", wanted.offset);
    }
    Some(seen)
}

fn read(input: &Input, bytes: &[u8], size: usize) -> Option<Vec<Seen>> {
    let batches = Batches::with_size(input, size).ok()?;
    let (seen, batches, disk_bytes) = drain(batches);
    assert_eq!(batches.digest(), xxhash_rust::xxh3::xxh3_128(bytes), "digest of the file");
    assert_eq!((batches.consumed(), disk_bytes), (bytes.len() as u64, bytes.len() as u64), "bytes of the file");
    Some(seen)
}

fn drain(mut batches: Batches) -> (Vec<Seen>, Batches, u64) {
    let (mut scratch, mut seen, mut disk_bytes) = (Scratch::default(), Vec::new(), 0);
    while let Some(batch) = batches.next().unwrap() {
        disk_bytes += batch.disk_bytes();
        batch.read(&mut scratch, &mut |item| seen.push(owned(item)));
    }
    (seen, batches, disk_bytes)
}

fn owned(item: CorpusItem<'_>) -> Seen {
    match item {
        CorpusItem::Document(d) => {
            assert!(!d.id.is_empty() && d.id.trim() == d.id && is_one_line(d.id), "id {:?}", d.id);
            assert!(is_one_line(d.url) && is_one_line(d.date), "{:?} {:?}", d.url, d.date);
            assert!(!d.body.is_empty(), "a document without a body");
            let text = format!("{} {} {} {:?} {:?} {:?}", d.id, d.url, d.date, d.media, d.charset, d.body);
            Seen { text, offset: d.offset, is_document: true }
        }
        CorpusItem::Skipped(skip) => {
            assert!(is_one_line(&skip.detail), "{:?}", skip.detail);
            Seen { text: format!("{}: {}", skip.reason, skip.detail), offset: skip.offset, is_document: false }
        }
    }
}

/// Whether a reader would take the bytes themselves for compressed ones.
fn looks_compressed(bytes: &[u8]) -> bool {
    let magic: [&[u8]; 6] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ", b"\x04\x22\x4d\x18", b"\x1f\x9d"];
    let skippable = matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]);
    skippable || magic.iter().any(|magic| bytes.starts_with(magic))
}

/// Holds a file against the same one compressed. Offsets are then those of the compressed members, or of the bytes inside.
fn same_when_compressed(input: &Input, bytes: &[u8], expected: &[Seen]) {
    let packed = match bytes.len() % 4 {
        0 => gzip(bytes),
        1 => bzip2(bytes),
        _ => return,
    };
    let path: PathBuf = scratch::file("packed", &packed);
    let input = Input { path, size: packed.len() as u64, ..input.clone() };
    let texts = |seen: &[Seen]| -> Vec<String> { seen.iter().map(|seen| seen.text.clone()).collect() };
    let found = read(&input, &packed, 1 << 20).unwrap();
    // What is not compressed and has no bytes is seen before it is opened.
    let nothing = ["empty file: nothing was compressed".to_owned()];
    let expected = if bytes.is_empty() { nothing.to_vec() } else { texts(expected) };
    assert_eq!(texts(&found), expected, "compressed");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
