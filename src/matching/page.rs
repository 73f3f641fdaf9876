//! From a document's bytes to its canonical text and tokens, with memory that is reused from page to page.

use crate::base::timing::{Stage, Timings};
use crate::corpus::{Document, Media};
use crate::methods::Prepared;
use crate::text::{self, Tokens};

/// Makes pages; one a thread.
#[derive(Debug, Default)]
pub struct Prepare {
    text: String,
    tokens: Tokens,
    /// Where the time went.
    pub timings: Timings,
}

/// A document as the methods see it.
#[derive(Debug)]
pub struct Page<'a> {
    /// Canonical text.
    pub text: &'a str,
    /// Its tokens.
    pub tokens: &'a Tokens,
    /// The charset it was decoded with.
    pub charset: &'static str,
}

impl Prepare {
    /// Decodes, extracts and tokenises. The page lives until the next one is made.
    pub fn page(&mut self, document: &Document<'_>) -> Page<'_> {
        let html = document.media == Media::Html;
        let Self { text, tokens, timings } = self;
        let decoded = timings.time(Stage::Decode, || text::decode(document.body, document.charset, html));
        timings.time(Stage::Extract, || {
            if html { text::extract(&decoded.text, text) } else { text::normalize(&decoded.text, text) }
        });
        timings.time(Stage::Tokens, || tokens.read(text));
        Page { text, tokens, charset: decoded.charset }
    }
}

impl<'a> Page<'a> {
    /// For the methods.
    pub fn prepared(&self) -> Prepared<'a> {
        Prepared::new(self.text, self.tokens)
    }
}
