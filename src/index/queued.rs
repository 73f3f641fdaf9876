//! A document that waits to be indexed.

use std::iter::Empty;
use std::sync::Arc;

use tantivy::schema::document::{ReferenceValue, ReferenceValueLeaf};
use tantivy::schema::{Document, Field, Value};

use super::budget::Budget;
use super::document::{Kept, Stored};
use super::layout::{Fields, key};

/// A document on its way through tantivy's queue: indexed where it lies, without a copy of its text. Its place in the
/// budget of waiting bytes is given back when it is dropped.
pub(super) struct Queued {
    document: Stored,
    key: String,
    scope: String,
    fields: Fields,
    budget: Arc<Budget>,
}

impl Queued {
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

impl Drop for Queued {
    fn drop(&mut self) {
        self.budget.give(self.document.text.len());
    }
}

impl Document for Queued {
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

/// One value of a [`Queued`].
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
