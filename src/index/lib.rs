//! Row 4. Where is a text kept, and how is it found again?
//!
//! The texts of documents that took part in a pair (or of all of them) with their words, in one tantivy index: the only
//! place that names tantivy. [`Index`] reads, [`Writer`] adds; a document is known by its side and id. The words are
//! those of [`dejaview_text`], so what a method hashed is what is searched and counted here.
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
mod words;
mod writer;

pub use document::{Kept, Stored};
pub use error::IndexError;
pub use excerpt::Excerpt;
pub use listing::Listing;
pub use reader::Index;
pub use search::Hit;
pub use side::KeptSide;
pub use statistics::{Occurrences, TermStatistics};
pub use writer::{HEAP, Writer};

#[cfg(test)]
mod tests;
