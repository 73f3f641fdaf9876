//! ARC 1 and 2, the format of the Internet Archive before WARC.
//!
//! A record begins with one line: `URL IP date type length`, or in version 2 `URL IP date type status checksum location
//! offset file length`. The first record, `filedesc://…`, describes the file and is no document. An id is made of date and
//! URL as archives write them, `20140216050221/http://example.com/`, for ARC has none.

mod line;

use crate::CorpusItem;
use crate::arc::line::{Line, first_line};
use crate::cutting::{Dialect, FirstLine, Header, RecordCutter};
use crate::format::{Format, Sign};
use crate::item::push_line;
use crate::record::{Buffers, Record};
use crate::warc::visit_answer;

pub(crate) static FORMAT: Format = Format {
    sniff: |first| (first_line(first) == FirstLine::Start).then_some(Sign::FirstTag),
    record_start: Some(line::begins_with_scheme),
    clipped: true,
    ..Format::new("arc", || Box::<RecordCutter<Arc>>::default(), read)
};

/// How ARC records are told apart.
#[derive(Debug, Default)]
struct Arc;

impl Dialect for Arc {
    const FIRST_LINE: usize = line::LONGEST;
    const LONGEST_HEADER: usize = line::LONGEST;

    fn first_line(bytes: &[u8]) -> FirstLine {
        first_line(bytes)
    }

    fn find_start(bytes: &[u8], from: usize) -> Result<usize, usize> {
        let tail = &bytes[from.min(bytes.len())..];
        for at in memchr::memchr_iter(b'\n', tail).map(|at| from + at) {
            match first_line(&bytes[at + 1..]) {
                FirstLine::Start => return Ok(at + 1),
                FirstLine::Unsure => return Err(at),
                FirstLine::Other => {}
            }
        }
        Err(bytes.len().max(from))
    }

    fn header(bytes: &[u8]) -> Header {
        header_length(bytes).map_or(Header::Unfinished, Header::Whole)
    }

    fn content_length(header: &[u8]) -> Option<u64> {
        Line::parse(header)?.length
    }

    /// One line end closes a record.
    fn is_trailer(after: &[u8]) -> bool {
        after.starts_with(b"\n") || after.starts_with(b"\r\n")
    }
}

/// The line that a record begins with, its end included.
fn header_length(bytes: &[u8]) -> Option<usize> {
    memchr::memchr(b'\n', &bytes[..bytes.len().min(line::LONGEST)]).map(|at| at + 1)
}

/// Reads the document of a record; the record that describes the file yields nothing.
fn read(record: &Record<'_>, buffers: &mut Buffers, visit: &mut dyn FnMut(CorpusItem<'_>)) {
    let Record { bytes, status, offset, .. } = *record;
    let (header, block) = bytes.split_at(header_length(bytes).unwrap_or(bytes.len()));
    let Some(line) = Line::parse(header).filter(|line| !line.url.starts_with(b"filedesc:")) else { return };
    for text in [&mut buffers.id, &mut buffers.url, &mut buffers.date, &mut buffers.charset] {
        text.clear();
    }
    push_line(&mut buffers.url, &line.url);
    push_line(&mut buffers.date, line.date);
    buffers.id = format!("{}/{}", buffers.date, buffers.url);
    let stated = line.length.and_then(|length| usize::try_from(length).ok()).unwrap_or(block.len());
    let block = &block[..stated.min(block.len())];
    visit_answer(line.media_type, block, (status, offset), buffers, visit);
}
