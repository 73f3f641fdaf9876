//! Reads one WARC record: the document in it, or why there is none.

use crate::item::{one_line, push_line};
use crate::record::{Buffers, Record};
use crate::warc::answer::{join, visit_answer};
use crate::warc::header::{field, fields, header_end};
use crate::warc::wat;
use crate::{CorpusItem, SkipReason, SkippedRecord};

/// Reads the document of a record. Records that describe others (warcinfo, request, metadata) yield nothing, but those of
/// WAT files do.
pub(crate) fn read(record: &Record<'_>, buffers: &mut Buffers, visit: &mut dyn FnMut(CorpusItem<'_>)) {
    let Record { bytes, name, status, offset, .. } = *record;
    let (header, block) = bytes.split_at(header_end(bytes).unwrap_or(bytes.len()));
    let kind = field(header, "WARC-Type").unwrap_or_default().to_ascii_lowercase();
    let reason = match kind.as_slice() {
        b"warcinfo" | b"request" => return,
        b"metadata" => {
            if wat::is_wat(header) {
                read_header(buffers, header, name, offset);
                wat::read(block, offset, buffers, visit);
            }
            return;
        }
        b"response" | b"resource" | b"conversion" => {
            read_header(buffers, header, name, offset);
            let named = field(header, "Content-Type").unwrap_or_default();
            return visit_answer(&named, without_trailer(header, block), (status, offset), buffers, visit);
        }
        b"revisit" => SkipReason::Revisit,
        b"continuation" => SkipReason::Continuation,
        _ => SkipReason::RecordType,
    };
    read_header(buffers, header, name, offset);
    let detail = if reason == SkipReason::RecordType { one_line(&kind) } else { String::new() };
    visit(CorpusItem::Skipped(SkippedRecord { offset, reason, detail: join(&detail, &buffers.id) }));
}

/// Reads id, URL and date from the header. A record without an id is called after its file and offset.
fn read_header(buffers: &mut Buffers, header: &[u8], name: &str, offset: u64) {
    for text in [&mut buffers.id, &mut buffers.url, &mut buffers.date, &mut buffers.charset] {
        text.clear();
    }
    let mut best = 0;
    for (field, value) in fields(header) {
        let rank = [&b"WARC-Record-ID"[..], b"ClueWeb22-ID", b"WARC-TREC-ID"]
            .iter()
            .position(|id| id.eq_ignore_ascii_case(field))
            .map_or(0, |at| at + 1);
        if rank > best && !value.is_empty() {
            best = rank;
            buffers.id.clear();
            push_line(&mut buffers.id, without_brackets(&value));
        } else if buffers.url.is_empty() && field.eq_ignore_ascii_case(b"WARC-Target-URI") {
            push_line(&mut buffers.url, without_brackets(&value));
        } else if buffers.date.is_empty() && field.eq_ignore_ascii_case(b"WARC-Date") {
            push_line(&mut buffers.date, &value);
        }
    }
    if buffers.id.is_empty() {
        buffers.id = format!("{name}@{offset}");
    }
}

/// Removes the angle brackets that some programs write around addresses and ids.
fn without_brackets(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"<").and_then(|v| v.strip_suffix(b">")).unwrap_or(value)
}

/// Removes the line ends that close a record; ClueWeb09 counts them as part of its length.
fn without_trailer<'a>(header: &[u8], block: &'a [u8]) -> &'a [u8] {
    let is_old = header.starts_with(b"WARC/0.") && !header.ends_with(b"\r\n");
    let stated = crate::warc::cut::content_length(header);
    let most = if is_old { 2 } else { 4 };
    if !is_old && stated == Some(block.len() as u64) {
        return block;
    }
    let mut end = block.len();
    while end > 0 && block.len() - end < most && matches!(block[end - 1], b'\n' | b'\r') {
        end -= 1;
    }
    &block[..end]
}
