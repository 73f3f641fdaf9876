//! Whole files through [`Batches`]: the traps of real archives, and that the size of batches changes nothing.

mod fields;
mod long_lines;
mod properties;
mod traps;

use std::io::Write;

use crate::{AcceptedStatus, Batches, CorpusItem, Format, Input, Scratch};

/// A document or a skipped record, owned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    /// `id|url|date|media|charset|body`, or `-reason|detail`.
    text: String,
    offset: u64,
}

/// Writes `bytes` to a file of its own.
fn file(bytes: &[u8]) -> (tempfile::NamedTempFile, Input) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let (path, name) = (file.path().to_owned(), "folder/file".to_owned());
    let input = Input { path, name, format: None, status: AcceptedStatus::default(), size: bytes.len() as u64 };
    (file, input)
}

fn drain(mut batches: Batches) -> (Vec<Seen>, Batches, u64) {
    let (mut scratch, mut seen, mut disk_bytes) = (Scratch::default(), Vec::new(), 0);
    while let Some(batch) = batches.next().unwrap() {
        disk_bytes += batch.disk_bytes();
        batch.read(&mut scratch, &mut |item| {
            seen.push(match item {
                CorpusItem::Document(d) => {
                    assert!(!d.id.is_empty() && !d.body.is_empty());
                    let (charset, body) = (d.charset.unwrap_or("-"), String::from_utf8_lossy(d.body));
                    let text = format!("{}|{}|{}|{:?}|{charset}|{body}", d.id, d.url, d.date, d.media);
                    Seen { text, offset: d.offset }
                }
                CorpusItem::Skipped(skip) => {
                    Seen { text: format!("-{}|{}", skip.reason, skip.detail), offset: skip.offset }
                }
            });
        });
    }
    (seen, batches, disk_bytes)
}

/// Everything in a file of these bytes, read in batches of `size`.
fn read_in(bytes: &[u8], size: usize) -> Vec<Seen> {
    read_as(None, bytes, size)
}

/// The same of a file whose format is named.
fn read_as(format: Option<&'static Format>, bytes: &[u8], size: usize) -> Vec<Seen> {
    let (_file, input) = file(bytes);
    let input = Input { format, ..input };
    let (seen, batches, disk_bytes) = drain(Batches::with_size(&input, size).unwrap());
    assert_eq!(batches.digest(), xxhash_rust::xxh3::xxh3_128(bytes), "digest of the file");
    assert_eq!((batches.consumed(), disk_bytes), (bytes.len() as u64, bytes.len() as u64));
    seen
}

/// The same, checked to be alike for small and large batches.
fn read(bytes: &[u8]) -> Vec<String> {
    let large = read_in(bytes, 1 << 20);
    for size in [1, 50, 1000] {
        assert_eq!(read_in(bytes, size), large, "batches of {size}");
    }
    large.into_iter().map(|seen| seen.text).collect()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut out = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let n = compressor.gzip_compress(bytes, &mut out).unwrap();
    out.truncate(n);
    out
}

fn http(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}")
}

fn record(id: &str, kind: &str, block: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:{id}>\r\nWARC-Target-URI: http://x/{id}\r\n\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

fn response(id: &str, body: &str) -> String {
    record(id, "response", &http(body))
}

fn shown(id: &str, body: &str) -> String {
    format!("urn:{id}|http://x/{id}||Html|utf-8|{body}")
}
