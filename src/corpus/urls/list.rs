//! Lists of URLs, line by line: memory does not grow with the list.

use std::borrow::Cow;
use std::path::Path;

use crate::corpus::splitter::{Fed, Feed};
use crate::corpus::{CorpusError, text_file};

/// What some programs put in front of UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// One line of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed<'a> {
    /// Empty in a list of URLs alone.
    pub id: &'a str,
    /// As written.
    pub url: &'a str,
}

/// Reads a list `id<TAB>url`, or of URLs alone, from front to back. Blank lines and lines that begin with `#` are passed
/// over. Returns the number of lines that hold no URL.
pub fn each(path: &Path, visit: &mut dyn FnMut(Listed<'_>)) -> Result<u64, CorpusError> {
    let failed = |source| CorpusError::Read { path: path.to_owned(), source };
    let mut stream = text_file::open(path)?;
    let (mut buffer, mut first, mut without) = (Vec::new(), true, 0);
    loop {
        let fed = stream.more(&mut buffer);
        if let Fed::Torn(skip) = fed {
            return Err(failed(std::io::Error::new(std::io::ErrorKind::InvalidData, skip.detail)));
        }
        let ended = matches!(fed, Fed::End);
        if first && (ended || buffer.len() >= BOM.len()) {
            first = false;
            buffer.drain(..if buffer.starts_with(BOM) { BOM.len() } else { 0 });
        }
        let whole = if ended { buffer.len() } else { memchr::memrchr(b'\n', &buffer).map_or(0, |at| at + 1) };
        without += lines(&buffer[..whole], visit);
        buffer.drain(..whole);
        if ended {
            return Ok(without);
        }
    }
}

fn lines(bytes: &[u8], visit: &mut dyn FnMut(Listed<'_>)) -> u64 {
    let text: Cow<'_, str> = String::from_utf8_lossy(bytes);
    let mut without = 0;
    for line in text.split('\n').filter(|line| !line.starts_with('#')) {
        let (id, url) = match memchr::memchr(b'\t', line.as_bytes()) {
            Some(at) => (line[..at].trim(), line[at + 1..].split('\t').next().unwrap_or_default().trim()),
            None => ("", line.trim()),
        };
        match (id, url) {
            ("", "") => {}
            (_, "") => without += 1,
            _ => visit(Listed { id, url }),
        }
    }
    without
}
