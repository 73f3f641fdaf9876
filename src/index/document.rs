//! A kept document: as it is given, as it waits to be indexed, and as it is read back.

use std::iter::Empty;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tantivy::TantivyDocument;
use tantivy::schema::document::{ReferenceValue, ReferenceValueLeaf};
use tantivy::schema::{Document, Field, Value};

use super::layout::{Fields, key};
use super::writer::Budget;

/// The side of the study a document belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum KeptSide {
    /// Its twins are looked for.
    Source,
    /// It was found among the documents searched.
    Target,
}

impl KeptSide {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Source, Self::Target];

    /// `source` or `target`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
        }
    }
}

/// A document whose text is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Kept<'a> {
    /// Its side; with the id it names the document.
    pub side: KeptSide,
    /// The target's segment; empty for the source.
    pub segment: &'a str,
    /// Its id, unique on its side.
    pub id: &'a str,
    /// Its URL, empty when unknown.
    pub url: &'a str,
    /// When it was crawled, as its record says; empty when unknown.
    pub date: &'a str,
    /// Charset its bytes were decoded from.
    pub charset: &'a str,
    /// `html` or `text`.
    pub media: &'a str,
    /// The file that holds its record.
    pub file: &'a str,
    /// Where in that file the record begins, in bytes.
    pub offset: u64,
    /// Size of the raw document in bytes.
    pub bytes: u64,
    /// Digest of the raw bytes, hex.
    pub digest: &'a str,
    /// The canonical text.
    pub text: &'a str,
}

/// A document as it is read back; the fields are those of [`Kept`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are described once, in Kept")]
pub struct Stored {
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

impl Stored {
    /// The document as it would be given to a [`super::Writer`].
    pub fn as_kept(&self) -> Kept<'_> {
        Kept {
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

    /// The same with its own memory.
    pub fn of(kept: &Kept<'_>) -> Self {
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

/// A document on its way through tantivy's queue: indexed where it lies, without a copy of its text. Its place in the
/// budget of waiting bytes is given back when it is dropped.
pub(super) struct Page {
    document: Stored,
    key: String,
    scope: String,
    fields: Fields,
    budget: Arc<Budget>,
}

impl Page {
    /// Waits until there is room for the text.
    pub(super) fn new(kept: &Kept<'_>, fields: Fields, budget: &Arc<Budget>) -> Self {
        budget.take(kept.text.len());
        Self {
            document: Stored::of(kept),
            key: key(kept.side, kept.id),
            scope: key(kept.side, kept.segment),
            fields,
            budget: Arc::clone(budget),
        }
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.budget.give(self.document.text.len());
    }
}

impl Document for Page {
    type Value<'a> = Leaf<'a>;
    type FieldsValuesIter<'a> = std::array::IntoIter<(Field, Leaf<'a>), 14>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let (fields, document) = (&self.fields, &self.document);
        [
            (fields.key, Leaf::Text(&self.key)),
            (fields.scope, Leaf::Text(&self.scope)),
            (fields.side, Leaf::Text(document.side.name())),
            (fields.segment, Leaf::Text(&document.segment)),
            (fields.id, Leaf::Text(&document.id)),
            (fields.url, Leaf::Text(&document.url)),
            (fields.date, Leaf::Text(&document.date)),
            (fields.charset, Leaf::Text(&document.charset)),
            (fields.media, Leaf::Text(&document.media)),
            (fields.file, Leaf::Text(&document.file)),
            (fields.offset, Leaf::Number(document.offset)),
            (fields.bytes, Leaf::Number(document.bytes)),
            (fields.digest, Leaf::Text(&document.digest)),
            (fields.text, Leaf::Text(&document.text)),
        ]
        .into_iter()
    }
}

/// One value of a [`Page`].
#[derive(Debug, Clone, Copy)]
pub(super) enum Leaf<'a> {
    Text(&'a str),
    Number(u64),
}

impl<'a> Value<'a> for Leaf<'a> {
    type ArrayIter = Empty<Self>;
    type ObjectIter = Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match *self {
            Self::Text(text) => ReferenceValueLeaf::Str(text),
            Self::Number(number) => ReferenceValueLeaf::U64(number),
        })
    }
}
