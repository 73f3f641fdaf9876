//! WARC 0.17, 0.18, 1.0 and 1.1, and Common Crawl's WET and WAT, with the faults that real files have: lines that end in LF, header values broken
//! over lines, lengths that are missing or wrong, garbage between records, pages without HTTP header, chunks and
//! encodings that are announced and not there.
//!
//! No crate is used for it: each of these faults must be tolerated or reported with its offset, nothing may be dropped
//! silently, and reading must be able to begin in the middle of a file, where another thread's part ends.

mod answer;
mod cut;
mod header;
mod http;
mod record;
mod wat;

use crate::cutting::RecordCutter;
use crate::format::{Format, Sign, front};
use crate::warc::cut::{Warc, find_start};

pub(crate) use crate::warc::answer::visit_answer;
pub(crate) use crate::warc::cut::is_start;
pub(crate) use crate::warc::header::{field, header_end, parameter};
pub(crate) use crate::warc::http::{MediaKind, media_kind, refusal};

pub(crate) static FORMAT: Format = Format {
    sniff,
    record_start: Some(is_start),
    clipped: true,
    ..Format::new("warc", || Box::<RecordCutter<Warc>>::default(), record::read)
};

fn sniff(first: &[u8]) -> Option<Sign> {
    let first = front(first);
    if first.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"WARC/")) {
        return Some(Sign::FirstTag);
    }
    let at = find_start(first, 0).ok()?;
    field(&first[at..], "WARC-Type").map(|_| Sign::AfterGarbage)
}
