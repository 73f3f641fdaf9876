//! Row 4. Where are texts kept, and how are they found again?
//!
//! The texts of the documents that are in a pair, or of all documents, are in the study's own files, each text with a
//! checksum; side and id identify a document. [`TextQueue`] and [`TextsWriter`] write these files, [`Index`] reads them. An
//! index of their words is made from them by tantivy, which no other crate uses. It says which documents a query finds, never
//! what their texts are. The words are those of [`dejaview_text`], so what is searched and counted here is what methods hash.
//!
//! # The query language
//!
//! | written | finds documents |
//! |---|---|
//! | `solar panel` | with all of these words in the text, in any order and case |
//! | `"solar panel"` | with these words one after the other |
//! | `id:gov-12-34` | of this id, or with these words one after the other in it |
//! | `url:example.org/about` | with these words one after the other in the URL |
//! | `id:"a b"`, `url:"a b"` | the same, where the value has blanks |
//!
//! Everything written must hold. What is not one of these forms (an open quote, an unknown prefix) is read as words; a
//! query without any word finds nothing. Only the first 256 words and phrases are read.

mod budget;
mod document;
mod entry;
mod error;
mod excerpt;
mod folder;
mod key;
mod layout;
mod listing;
mod order;
mod packing;
mod query;
mod queued;
mod reader;
mod seal;
mod search;
mod side;
mod statistics;
mod texts;
mod texts_file;
mod texts_writer;
mod word_index;
mod word_writer;
mod words;

pub use document::{KeptDocument, StoredDocument, TitledDocument};
pub use error::IndexError;
pub use excerpt::Excerpt;
pub use folder::{segments_folder, texts_path};
pub use listing::DocumentListing;
pub use reader::{DamagedPart, Index};
pub use search::SearchResult;
pub use side::KeptSide;
pub use statistics::{Occurrences, TermStatistics};
pub use texts_file::TextsFile;
pub use texts_writer::{TextQueue, TextsWriter};
pub use word_writer::{HEAP, index_words};

#[cfg(test)]
mod tests;
