//! WAT files of Common Crawl: what was extracted from pages, as JSON in metadata records.
//!
//! Of the text of a page a WAT file has the title, the descriptions in `<meta>` and the texts of links and pictures. These
//! are the document, a line each: enough to compare pages by, and much less than the page. Records on requests and on the
//! archive itself yield nothing.

use serde_json::Value;

use crate::item::{one_line, push_line};
use crate::record::Buffers;
use crate::warc::header::field;
use crate::{CorpusItem, Document, LARGEST_BODY, Media, SkipReason, SkippedRecord};

/// The names of `<meta>` whose contents people read.
const METAS: [&str; 4] = ["description", "keywords", "og:title", "og:description"];

/// Whether a metadata record is one of a WAT file.
pub(super) fn is_wat(header: &[u8]) -> bool {
    field(header, "Content-Type").is_some_and(|kind| kind.to_ascii_lowercase().starts_with(b"application/json"))
}

/// Reads the document that a record describes; `buffers` hold id and URL.
pub(super) fn read(block: &[u8], offset: u64, buffers: &mut Buffers, visit: &mut dyn FnMut(CorpusItem<'_>)) {
    let mut skip = |reason, detail| visit(CorpusItem::Skipped(SkippedRecord { offset, reason, detail }));
    let record: Value = match serde_json::from_slice(block) {
        Ok(record) => record,
        Err(error) => return skip(SkipReason::Json, format!("{error}: {}", buffers.id)),
    };
    let envelope = &record["Envelope"];
    let answer = &envelope["Payload-Metadata"]["HTTP-Response-Metadata"];
    let described = &envelope["WARC-Header-Metadata"];
    if answer.is_null() {
        return;
    }
    if let Some(date) = described["WARC-Date"].as_str() {
        buffers.date.clear();
        push_line(&mut buffers.date, date.as_bytes());
    }
    let text = text(&answer["HTML-Metadata"]);
    if text.is_empty() {
        let media_type = answer["Headers"]["Content-Type"].as_str().unwrap_or_default();
        return skip(
            SkipReason::Empty,
            format!("{} {}", one_line(media_type.as_bytes()), buffers.id).trim().to_owned(),
        );
    }
    if text.len() > LARGEST_BODY {
        return skip(SkipReason::TooLarge, buffers.id.clone());
    }
    visit(CorpusItem::Document(Document {
        id: &buffers.id,
        url: &buffers.url,
        date: &buffers.date,
        media: Media::Text,
        charset: Some("utf-8"),
        body: text.as_bytes(),
        offset,
    }));
}

/// Title, descriptions and the texts of links, a line each.
fn text(page: &Value) -> String {
    let mut out = String::new();
    let mut push = |text: &Value| {
        if let Some(text) = text.as_str().map(str::trim).filter(|text| !text.is_empty()) {
            out.push_str(text);
            out.push('\n');
        }
    };
    push(&page["Head"]["Title"]);
    for meta in list(&page["Head"]["Metas"]) {
        let name = meta["name"].as_str().or_else(|| meta["property"].as_str()).unwrap_or_default();
        if METAS.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            push(&meta["content"]);
        }
    }
    for link in list(&page["Links"]) {
        push(&link["text"]);
        push(&link["alt"]);
    }
    out
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
