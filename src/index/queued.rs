//! A document that waits to be indexed.

use std::iter::Empty;
use std::sync::Arc;

use tantivy::schema::document::{ReferenceValue, ReferenceValueLeaf};
use tantivy::schema::{Document, Field, Value};

use super::budget::Budget;
use super::document::StoredDocument;
use super::key::key;
use super::layout::Fields;

/// A document in tantivy's queue, indexed without another copy of its text. What it takes of the budget of waiting bytes is
/// released when it is dropped.
pub(super) struct QueuedDocument {
    document: StoredDocument,
    key: String,
    fields: Fields,
    budget: Arc<Budget>,
}

impl QueuedDocument {
    /// Waits until there is room for the text.
    pub(super) fn new(document: StoredDocument, fields: Fields, budget: &Arc<Budget>) -> Self {
        budget.reserve(document.text.len());
        Self { key: key(document.side, &document.id), document, fields, budget: Arc::clone(budget) }
    }
}

impl Drop for QueuedDocument {
    fn drop(&mut self) {
        self.budget.release(self.document.text.len());
    }
}

impl Document for QueuedDocument {
    type Value<'a> = QueuedText<'a>;
    type FieldsValuesIter<'a> = std::array::IntoIter<(Field, QueuedText<'a>), 5>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let (fields, document) = (&self.fields, &self.document);
        [
            (fields.key, QueuedText(&self.key)),
            (fields.side, QueuedText(document.side.name())),
            (fields.id, QueuedText(&document.id)),
            (fields.url, QueuedText(&document.url)),
            (fields.text, QueuedText(&document.text)),
        ]
        .into_iter()
    }
}

/// The value of one field.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueuedText<'a>(&'a str);

impl<'a> Value<'a> for QueuedText<'a> {
    type ArrayIter = Empty<Self>;
    type ObjectIter = Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(ReferenceValueLeaf::Str(self.0))
    }
}
