//! Row 2. What are the words of these bytes, and what of them may reach a terminal?
//!
//! [`decode`] finds the charset, [`extract`] makes the canonical text of an HTML page ([`extract_main`] of its main content), [`extract_wikitext`] that of a page of a
//! wiki and [`normalize`] that of a plain document, [`Tokens`] are its words with their places and hashes, [`sentences()`] and [`content_words`] say which of them stand
//! together and which carry a subject, [`printable`] is the one door to a terminal, [`wrap()`] fits lines into it, [`shorten`] titles and URLs, and [`markdown`] pages.
//! Nothing here fails: broken input gives the text a browser would show, and malformed bytes are said, not fatal.

mod canonical;
mod charset;
mod charset_names;
mod classes;
pub mod diff;
mod entities;
mod flow;
mod graphemes;
mod hints;
mod html;
mod lanes;
mod layout_tables;
mod lines;
mod main_content;
pub mod markdown;
mod nesting;
mod outline;
mod outside_main;
mod parts;
mod plain;
mod prescan;
mod raw;
pub mod rendered;
mod sentences;
pub mod shorten;
mod stop_words;
mod tags;
mod terminal;
mod tokens;
mod wikitext;
mod words;
mod wrap;

#[path = "../../tests/it/skipping.rs"]
#[cfg(test)]
mod skipping;

pub use canonical::canonical_link;
pub use charset::{Decoded, Evidence, decode, windows_1252};
pub use charset_names::charset_named;
pub use graphemes::graphemes;
pub use html::extract;
pub use lines::{LineCounts, Recurring, RecurringError};
pub use main_content::extract_main;
pub use outside_main::outside_main;
pub use plain::normalize;
pub use sentences::sentences;
pub use stop_words::is_stop_word;
pub use terminal::{Printable, printable};
pub use tokens::{Tokens, fold};
pub use wikitext::extract_wikitext;
pub use words::{WordFacts, content_words, word_facts};
pub use wrap::{Cell, Overhang, wrap, wrapped};
