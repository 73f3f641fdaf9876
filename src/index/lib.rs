//! Row 4. Where are texts kept, and how are they found again?
//!
//! One tantivy index keeps the texts of the documents that are in a pair, or of all documents; no other crate uses tantivy.
//! [`Index`] reads, [`Writer`] adds; side and id identify a document. Titles are also in files of their own, [`TitlesFile`]. The words are those of [`dejaview_text`], so what is
//! searched and counted here is what methods hash.
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
mod error;
mod excerpt;
mod layout;
mod listing;
mod query;
mod queued;
mod reader;
mod search;
mod side;
mod statistics;
mod titles;
mod words;
mod writer;

pub use document::{KeptDocument, StoredDocument};
pub use error::IndexError;
pub use excerpt::Excerpt;
pub use listing::DocumentListing;
pub use reader::Index;
pub use search::SearchResult;
pub use side::KeptSide;
pub use statistics::{Occurrences, TermStatistics};
pub use titles::{TitleQueue, TitledDocument, TitlesFile, write_titles};
pub use writer::{HEAP, Writer};

#[cfg(test)]
mod tests;
