//! The answer of a web server in a record: its page, or why there is none. WARC and ARC have the same.

use crate::item::{one_line, push_line, read_nevertheless};
use crate::record::Buffers;
use crate::warc::header::{field, header_end, parameter};
use crate::warc::http::{MediaKind, Unpacked, decode, media_kind, refusal, unchunk};
use crate::{AcceptedStatus, CorpusItem, Document, LARGEST_BODY, Media, SkipReason, SkippedRecord, page};

/// Visits the page in `block`, or why there is none, with what `buffers` say of it. `container_type` is the media type of
/// the block where it has no HTTP header.
pub(crate) fn visit_answer(
    container_type: &[u8],
    block: &[u8],
    (status, offset): (AcceptedStatus, u64),
    buffers: &mut Buffers,
    visit: &mut dyn FnMut(CorpusItem<'_>),
) {
    match find_page(container_type, block, status, buffers) {
        Ok(page) => page.visit(buffers, offset, visit),
        Err((reason, detail)) => {
            let detail = join(&detail, &buffers.id);
            visit(CorpusItem::Skipped(SkippedRecord { offset, reason, detail }));
        }
    }
}

/// What was seen, and in which record.
pub(super) fn join(detail: &str, id: &str) -> String {
    if detail.is_empty() { id.to_owned() } else { format!("{detail}: {id}") }
}

/// The page in a record.
struct Page<'a> {
    media: Media,
    body: Body<'a>,
    /// Why it is read only as far as it goes.
    damage: Option<SkipReason>,
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
        if let Some(reason) = self.damage {
            visit(CorpusItem::Skipped(SkippedRecord {
                offset,
                reason,
                detail: read_nevertheless(reason, &buffers.id),
            }));
        }
    }
}

fn find_page<'a>(
    container_type: &[u8],
    block: &'a [u8],
    status: AcceptedStatus,
    buffers: &mut Buffers,
) -> Result<Page<'a>, (SkipReason, String)> {
    let http = block.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"));
    let (http_header, body) =
        if http { block.split_at(header_end(block).unwrap_or(block.len())) } else { (&[][..], block) };
    if let Some(refusal) = refusal(http_header, status) {
        return Err(refusal);
    }
    let named = field(http_header, "Content-Type").unwrap_or_default();
    let named = if http { &*named } else { container_type };
    if media_kind(named) == MediaKind::Other {
        return Err((SkipReason::MediaType, one_line(named.split(|&b| b == b';').next().unwrap_or_default())));
    }
    if let Some(charset) = parameter(named, "charset") {
        push_line(&mut buffers.charset, charset);
    }
    let (mut place, mut damage) = (Body::Record(body), None);
    let mut bytes = body;
    if field(http_header, "Transfer-Encoding").is_some_and(|te| te.to_ascii_lowercase().ends_with(b"chunked")) {
        let unpacked = unchunk(body, &mut buffers.unchunked);
        if unpacked != Unpacked::AsItIs {
            (place, damage) = (Body::Unchunked, unpacked.damage());
            bytes = &buffers.unchunked;
        }
    }
    let encoding = field(http_header, "Content-Encoding").unwrap_or_default();
    match decode(&encoding, bytes, &mut buffers.decoded) {
        Ok(Unpacked::AsItIs) => {}
        Ok(unpacked) => {
            // Behind a damaged size of a chunk nothing of a compressed page can be read.
            damage = match (damage, unpacked.damage()) {
                (Some(SkipReason::ChunkDamage), Some(inner)) => Some(inner),
                (outer, inner) => outer.or(inner),
            };
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
    let media = match (media_kind(named), page::sniff(bytes)) {
        (MediaKind::Known(media), _) => media,
        (_, Some(media)) => media,
        (_, None) => return Err((SkipReason::Binary, one_line(named))),
    };
    Ok(Page { media, body: place, damage })
}
