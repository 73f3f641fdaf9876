//! Row 3. Which documents and judgments does a study have?
//!
//! [`Batches`] cuts one input file into [`Batch`]es in file order; a batch is read on any thread and yields every document,
//! or the reason why a record was not read ([`CorpusItem`]). The format (WARC, ARC, TREC, JSON, mail, a MediaWiki
//! export, a page) and the compression (gzip, zstd, bzip2, xz, lz4, compress or none) are recognised by the bytes, never by the name. Nothing here decodes text: a [`Document`] carries
//! bytes and what its container said about their charset.
//!
//! ```text
//! disk ─ stream (bytes, inflated) ─ splitter (records) ─ Batch ─ warc │ arc │ trec │ jsonl │ … │ page ─ CorpusItem
//!        gzip members, inflated by the worker ───────────┘
//! ```
//!
//! Beside the documents: [`qrels`] (judgments), [`topics`] (their texts), [`urls`] (lists of ids and URLs) and
//! [`clueweb`] (which file holds an id).

pub mod addresses;
mod arc;
mod batches;
pub mod clueweb;
mod contents;
mod cut;
mod cutting;
mod detect;
mod disk;
mod error;
mod format;
pub mod formats;
mod gzip;
mod input;
mod item;
mod json_array;
mod jsonl;
mod limits;
pub mod links;
mod lz4;
mod lzw;
mod mbox;
mod mediawiki;
mod page;
pub mod qrels;
mod record;
pub mod runs;
mod scalar;
mod splitter;
mod status;
mod stream;
mod table;
pub mod text_file;
pub mod topics;
mod trec;
pub mod urls;
mod warc;

#[path = "../../tests/it/skipping.rs"]
#[cfg(test)]
mod skipping;

#[cfg(test)]
mod tests;

pub use crate::batches::{Batch, Batches, Scratch};
pub use crate::error::CorpusError;
pub use crate::format::Format;
pub use crate::input::Input;
pub use crate::item::{CorpusItem, Document, Media, SkipReason, SkippedRecord};
pub use crate::limits::{LARGEST_BODY, MOST_WORDS};
pub use crate::status::AcceptedStatus;
