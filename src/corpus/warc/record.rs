//! Reads one WARC record: the document in it, or why there is none.

use crate::item::{one_line, push_line};
use crate::record::{Buffers, Record};
use crate::warc::header::{field, fields, header_end, parameter};
use crate::warc::http::{MediaKind, decode, media_kind, refusal, unchunk};
use crate::{AcceptedStatus, CorpusItem, Document, LARGEST_BODY, Media, SkipReason, SkippedRecord, page};

/// Reads the document of a record. Records that describe others (warcinfo, request, metadata) yield nothing.
pub(crate) fn read(record: &Record<'_>, buffers: &mut Buffers, visit: &mut dyn FnMut(CorpusItem<'_>)) {
    let Record { bytes, name, status, offset, .. } = *record;
    let (header, block) = bytes.split_at(header_end(bytes).unwrap_or(bytes.len()));
    let kind = field(header, "WARC-Type").unwrap_or_default().to_ascii_lowercase();
    let reason = match kind.as_slice() {
        b"warcinfo" | b"request" | b"metadata" => return,
        b"response" | b"resource" | b"conversion" => {
            read_header(buffers, header, name, offset);
            match find_page(header, block, status, buffers) {
                Ok(page) => return page.visit(buffers, offset, visit),
                Err((reason, detail)) => {
                    return visit(CorpusItem::Skipped(SkippedRecord {
                        offset,
                        reason,
                        detail: join(&detail, &buffers.id),
                    }));
                }
            }
        }
        b"revisit" => SkipReason::Revisit,
        b"continuation" => SkipReason::Continuation,
        _ => SkipReason::RecordType,
    };
    read_header(buffers, header, name, offset);
    let detail = if reason == SkipReason::RecordType { one_line(&kind) } else { String::new() };
    visit(CorpusItem::Skipped(SkippedRecord { offset, reason, detail: join(&detail, &buffers.id) }));
}

fn join(detail: &str, id: &str) -> String {
    if detail.is_empty() { id.to_owned() } else { format!("{detail}: {id}") }
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

/// The page in a record.
struct Page<'a> {
    media: Media,
    body: Body<'a>,
}

/// Where the bytes of the page are.
enum Body<'a> {
    Record(&'a [u8]),
    Unchunked,
    Decoded,
}

impl Page<'_> {
    fn visit(self, buffers: &Buffers, offset: u64, visit: &mut dyn FnMut(CorpusItem<'_>)) {
        let body = match self.body {
            Body::Record(bytes) => bytes,
            Body::Unchunked => &buffers.unchunked,
            Body::Decoded => &buffers.decoded,
        };
        visit(CorpusItem::Document(Document {
            id: &buffers.id,
            url: &buffers.url,
            date: &buffers.date,
            media: self.media,
            charset: Some(buffers.charset.as_str()).filter(|charset| !charset.is_empty()),
            body,
            offset,
        }));
    }
}

fn find_page<'a>(
    header: &[u8],
    block: &'a [u8],
    status: AcceptedStatus,
    buffers: &mut Buffers,
) -> Result<Page<'a>, (SkipReason, String)> {
    let block = without_trailer(header, block);
    let http = block.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"));
    let (http_header, body) =
        if http { block.split_at(header_end(block).unwrap_or(block.len())) } else { (&[][..], block) };
    if let Some(refusal) = refusal(http_header, status) {
        return Err(refusal);
    }
    let named = field(if http { http_header } else { header }, "Content-Type").unwrap_or_default();
    if media_kind(&named) == MediaKind::Other {
        return Err((SkipReason::MediaType, one_line(named.split(|&b| b == b';').next().unwrap_or_default())));
    }
    if let Some(charset) = parameter(&named, "charset") {
        push_line(&mut buffers.charset, charset);
    }
    let mut place = Body::Record(body);
    let mut bytes = body;
    if field(http_header, "Transfer-Encoding").is_some_and(|te| te.to_ascii_lowercase().ends_with(b"chunked"))
        && unchunk(body, &mut buffers.unchunked)
    {
        place = Body::Unchunked;
        bytes = &buffers.unchunked;
    }
    let encoding = field(http_header, "Content-Encoding").unwrap_or_default();
    match decode(&encoding, bytes, &mut buffers.decoded) {
        Ok(false) => {}
        Ok(true) => {
            place = Body::Decoded;
            bytes = &buffers.decoded;
        }
        Err(reason) => return Err((reason, one_line(&encoding))),
    }
    if bytes.trim_ascii().is_empty() {
        return Err((SkipReason::Empty, String::new()));
    }
    if bytes.len() > LARGEST_BODY {
        return Err((SkipReason::TooLarge, format!("{} bytes", bytes.len())));
    }
    let media = match (media_kind(&named), page::sniff(bytes)) {
        (MediaKind::Known(media), _) => media,
        (_, Some(media)) => media,
        (_, None) => return Err((SkipReason::Binary, one_line(&named))),
    };
    Ok(Page { media, body: place })
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
