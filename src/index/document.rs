//! A document in the index: as it is added, and as it is read back.

use serde::{Deserialize, Serialize};
use tantivy::TantivyDocument;
use tantivy::schema::Value;

use super::layout::Fields;
use super::side::KeptSide;

/// A document whose text is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct KeptDocument<'a> {
    /// Side and id together identify the document.
    pub side: KeptSide,
    /// The target's segment; empty for the source.
    pub segment: &'a str,
    /// Unique on its side.
    pub id: &'a str,
    /// Empty when unknown.
    pub url: &'a str,
    /// When it was crawled, as its record says; empty when unknown.
    pub date: &'a str,
    /// What the bytes were decoded from.
    pub charset: &'a str,
    /// `html` or `text`.
    pub media: &'a str,
    /// The file with its record.
    pub file: &'a str,
    /// Where the record begins in that file, in bytes.
    pub offset: u64,
    /// Size of the raw document in bytes.
    pub bytes: u64,
    /// Digest of the raw bytes, hex.
    pub digest: &'a str,
    pub text: &'a str,
}

/// A document as it is read back; its fields are described in [`KeptDocument`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are described once, in Kept")]
pub struct StoredDocument {
    pub side: KeptSide,
    pub segment: String,
    pub id: String,
    pub url: String,
    pub date: String,
    pub charset: String,
    pub media: String,
    pub file: String,
    pub offset: u64,
    pub bytes: u64,
    pub digest: String,
    pub text: String,
}

impl StoredDocument {
    /// The document as it would be added to a [`super::Writer`].
    pub fn as_kept(&self) -> KeptDocument<'_> {
        KeptDocument {
            side: self.side,
            segment: &self.segment,
            id: &self.id,
            url: &self.url,
            date: &self.date,
            charset: &self.charset,
            media: &self.media,
            file: &self.file,
            offset: self.offset,
            bytes: self.bytes,
            digest: &self.digest,
            text: &self.text,
        }
    }

    pub fn from_kept(kept: &KeptDocument<'_>) -> Self {
        Self {
            side: kept.side,
            segment: kept.segment.to_owned(),
            id: kept.id.to_owned(),
            url: kept.url.to_owned(),
            date: kept.date.to_owned(),
            charset: kept.charset.to_owned(),
            media: kept.media.to_owned(),
            file: kept.file.to_owned(),
            offset: kept.offset,
            bytes: kept.bytes,
            digest: kept.digest.to_owned(),
            text: kept.text.to_owned(),
        }
    }

    pub(super) fn from_tantivy(fields: &Fields, document: &TantivyDocument) -> Self {
        let text =
            |field| document.get_first(field).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
        let number = |field| document.get_first(field).and_then(|value| value.as_u64()).unwrap_or_default();
        let source = text(fields.side) == KeptSide::Source.name();
        Self {
            side: if source { KeptSide::Source } else { KeptSide::Target },
            segment: text(fields.segment),
            id: text(fields.id),
            url: text(fields.url),
            date: text(fields.date),
            charset: text(fields.charset),
            media: text(fields.media),
            file: text(fields.file),
            offset: number(fields.offset),
            bytes: number(fields.bytes),
            digest: text(fields.digest),
            text: text(fields.text),
        }
    }
}
