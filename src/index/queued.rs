//! A document that waits to be indexed.

use std::iter::Empty;
use std::sync::Arc;

use tantivy::schema::document::{ReferenceValue, ReferenceValueLeaf};
use tantivy::schema::{Document, Field, Value};

use super::budget::Budget;
use super::document::{KeptDocument, StoredDocument};
use super::layout::{Fields, key};

/// A document in tantivy's queue, indexed without another copy of its text. What it takes of the budget of waiting bytes is
/// released when it is dropped.
pub(super) struct QueuedDocument {
    document: StoredDocument,
    key: String,
    scope: String,
    fields: Fields,
    budget: Arc<Budget>,
}

impl QueuedDocument {
    /// Waits until there is room for the text.
    pub(super) fn new(kept: &KeptDocument<'_>, fields: Fields, budget: &Arc<Budget>) -> Self {
        budget.reserve(kept.text.len());
        Self {
            document: StoredDocument::from_kept(kept),
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

impl Drop for QueuedDocument {
    fn drop(&mut self) {
        self.budget.release(self.document.text.len());
    }
}

impl Document for QueuedDocument {
    type Value<'a> = QueuedValue<'a>;
    type FieldsValuesIter<'a> = std::array::IntoIter<(Field, QueuedValue<'a>), 14>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let (fields, document) = (&self.fields, &self.document);
        [
            (fields.key, QueuedValue::Text(&self.key)),
            (fields.scope, QueuedValue::Text(&self.scope)),
            (fields.side, QueuedValue::Text(document.side.name())),
            (fields.segment, QueuedValue::Text(&document.segment)),
            (fields.id, QueuedValue::Text(&document.id)),
            (fields.url, QueuedValue::Text(&document.url)),
            (fields.date, QueuedValue::Text(&document.date)),
            (fields.charset, QueuedValue::Text(&document.charset)),
            (fields.media, QueuedValue::Text(&document.media)),
            (fields.file, QueuedValue::Text(&document.file)),
            (fields.offset, QueuedValue::Number(document.offset)),
            (fields.bytes, QueuedValue::Number(document.bytes)),
            (fields.digest, QueuedValue::Text(&document.digest)),
            (fields.text, QueuedValue::Text(&document.text)),
        ]
        .into_iter()
    }
}

/// The value of one field.
#[derive(Debug, Clone, Copy)]
pub(super) enum QueuedValue<'a> {
    Text(&'a str),
    Number(u64),
}

impl<'a> Value<'a> for QueuedValue<'a> {
    type ArrayIter = Empty<Self>;
    type ObjectIter = Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match *self {
            Self::Text(text) => ReferenceValueLeaf::Str(text),
            Self::Number(number) => ReferenceValueLeaf::U64(number),
        })
    }
}
