//! The fields of the index, and the keys by which documents and segments are found in it.

use tantivy::schema::{Field, IndexRecordOption, STORED, Schema, SchemaBuilder, TextFieldIndexing, TextOptions};
use tantivy::store::Compressor;
use tantivy::{IndexSettings, Term};

use super::side::KeptSide;
use dejaview_base::hash;

/// Name of the tokenizer, which is part of the schema. When words or fields change their meaning, its number is raised, and
/// older indexes are made again.
pub(super) const WORDS: &str = "dejaview-words-1";
/// Tokenizer that makes a value one term.
const WHOLE: &str = "raw";
/// Longest id, in bytes, that a key contains whole.
const LONGEST_KEY: usize = 250;
/// Bytes of text compressed together: larger blocks take less disk space, but reading one text unpacks more.
const BLOCK: usize = 32 << 10;

#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    /// [`key`] of side and id. It identifies a document, and orders documents of equal scores.
    pub key: Field,
    /// [`key`] of side and segment, whose documents are removed together.
    pub scope: Field,
    pub side: Field,
    pub segment: Field,
    pub id: Field,
    pub url: Field,
    pub date: Field,
    pub charset: Field,
    pub media: Field,
    pub file: Field,
    pub offset: Field,
    pub bytes: Field,
    pub digest: Field,
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
        let words = TextOptions::default().set_indexing_options(words).set_stored();
        let fields = Self {
            key: schema.add_text_field("key", whole.clone().set_fast(WHOLE)),
            scope: schema.add_text_field("scope", whole.clone()),
            side: schema.add_text_field("side", whole.set_stored()),
            segment: schema.add_text_field("segment", STORED),
            id: schema.add_text_field("id", words.clone()),
            url: schema.add_text_field("url", words.clone()),
            date: schema.add_text_field("date", STORED),
            charset: schema.add_text_field("charset", STORED),
            media: schema.add_text_field("media", STORED),
            file: schema.add_text_field("file", STORED),
            offset: schema.add_u64_field("offset", STORED),
            bytes: schema.add_u64_field("bytes", STORED),
            digest: schema.add_text_field("digest", STORED),
            text: schema.add_text_field("text", words),
        };
        (fields, schema.build())
    }

    /// The term of one document.
    pub(super) fn document(&self, side: KeptSide, id: &str) -> Term {
        Term::from_field_text(self.key, &key(side, id))
    }

    /// The term of one segment.
    pub(super) fn segment(&self, side: KeptSide, segment: &str) -> Term {
        Term::from_field_text(self.scope, &key(side, segment))
    }

    /// The term of all documents of a side.
    pub(super) fn side(&self, side: KeptSide) -> Term {
        Term::from_field_text(self.side, side.name())
    }
}

pub(super) fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compression: Compressor::Lz4,
        docstore_blocksize: BLOCK,
        // A separate thread for compression was not faster, and a run has enough threads.
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}

/// The side and a name of any length as one term. A name that is too long for a term is cut, and its digest is appended.
/// Keys sort as side and name do, up to the cut.
pub(super) fn key(side: KeptSide, name: &str) -> String {
    let mut key = String::with_capacity(name.len().min(LONGEST_KEY) + 33);
    key.push(match side {
        KeptSide::Source => '0',
        KeptSide::Target => '1',
    });
    key.push_str(&name[..char_boundary(name, LONGEST_KEY)]);
    if name.len() > LONGEST_KEY {
        key.push_str(&hash::digest(name.as_bytes()));
    }
    key
}

/// The id in a document's key; `None` when it was too long to be in it.
pub(super) fn id_in_key(key: &str) -> Option<&str> {
    key.get(1..).filter(|id| id.len() <= LONGEST_KEY)
}

/// The last boundary between characters at or before `at`.
pub(super) fn char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_and_sort() {
        let (short, long) = ("é".repeat(125), "é".repeat(126));
        assert_eq!(key(KeptSide::Source, &short), format!("0{short}"));
        assert_eq!(key(KeptSide::Target, &long).len(), 1 + 250 + 32);
        assert_ne!(key(KeptSide::Target, &long), key(KeptSide::Target, &"é".repeat(127)));
        assert_eq!(id_in_key(&key(KeptSide::Source, &short)), Some(short.as_str()));
        assert_eq!(id_in_key(&key(KeptSide::Source, &long)), None);
        assert!(key(KeptSide::Source, "z") < key(KeptSide::Target, "a"));
        assert!(key(KeptSide::Target, "a") < key(KeptSide::Target, "b"));
    }
}
