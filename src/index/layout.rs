//! The fields of the index of words.

use tantivy::schema::{Field, IndexRecordOption, Schema, SchemaBuilder, TextFieldIndexing, TextOptions};
use tantivy::store::Compressor;
use tantivy::{IndexSettings, Term};

use super::key::key;
use super::side::KeptSide;

/// Name of the tokenizer, which is part of the schema. When words or fields change their meaning, its number is raised, and
/// older indexes are made again.
pub(super) const WORDS: &str = "dejaview-words-2";
/// Tokenizer that makes a value one term.
const WHOLE: &str = "raw";

/// No field is stored: what is found is read from the files of texts, by the key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    /// [`key`] of side and id. It identifies a document, and orders documents of equal scores.
    pub key: Field,
    pub side: Field,
    pub id: Field,
    pub url: Field,
    pub text: Field,
}

impl Fields {
    /// The fields and the schema that has them.
    pub(super) fn with_schema() -> (Self, Schema) {
        let mut schema = SchemaBuilder::new();
        let whole = TextFieldIndexing::default()
            .set_tokenizer(WHOLE)
            .set_fieldnorms(false)
            .set_index_option(IndexRecordOption::Basic);
        let whole = TextOptions::default().set_indexing_options(whole);
        let words = TextFieldIndexing::default()
            .set_tokenizer(WORDS)
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let words = TextOptions::default().set_indexing_options(words);
        let fields = Self {
            key: schema.add_text_field("key", whole.clone().set_fast(WHOLE)),
            side: schema.add_text_field("side", whole),
            id: schema.add_text_field("id", words.clone()),
            url: schema.add_text_field("url", words.clone()),
            text: schema.add_text_field("text", words),
        };
        (fields, schema.build())
    }

    /// The term of one document.
    pub(super) fn document(&self, side: KeptSide, id: &str) -> Term {
        Term::from_field_text(self.key, &key(side, id))
    }

    /// The term of all documents of a side.
    pub(super) fn side(&self, side: KeptSide) -> Term {
        Term::from_field_text(self.side, side.name())
    }
}

pub(super) fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}
