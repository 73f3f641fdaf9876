//! A document whose text is kept: as it is written, and as it is read back.

use serde::{Deserialize, Serialize};

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
    /// The document as it would be written to a file of texts.
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
}

/// What lists show of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TitledDocument {
    /// Empty when unknown.
    pub url: String,
    /// The first line of the text; may be empty.
    pub title: String,
}
