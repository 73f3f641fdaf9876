//! From a document's bytes to its canonical text and tokens, with memory that is reused from document to document.

use std::sync::Arc;

use dejaview_base::hash;
use dejaview_base::timing::{Stage, Timings};
use dejaview_corpus::{Document, MOST_WORDS, Media, SkipReason, urls};
use dejaview_methods::Prepared;
use dejaview_text::{Recurring, Tokens};

/// Which part of a document is its canonical text.
#[derive(Debug, Clone, Default)]
pub enum Content {
    /// All that a reader sees.
    #[default]
    All,
    /// The main content, as far as it can be told from the page itself.
    Main,
    /// All but the lines that stand on many pages of its host.
    Own(Arc<Recurring>),
}

/// Extracts the text of documents and tokenises it. Each thread has its own.
#[derive(Debug, Default)]
pub struct Extractor {
    content: Content,
    text: String,
    whole: String,
    tokens: Tokens,
    /// Where the time went.
    pub timings: Timings,
}

/// A document as the methods see it.
#[derive(Debug)]
pub struct ExtractedText<'a> {
    pub text: &'a str,
    pub tokens: &'a Tokens,
    /// The charset it was decoded with.
    pub charset: &'static str,
}

impl Extractor {
    /// An extractor that keeps this part of each document.
    pub fn new(content: &Content) -> Self {
        Self { content: content.clone(), ..Self::default() }
    }

    /// Decodes, extracts and tokenises. The result borrows memory that the next call reuses. Fails with the reason why the
    /// document is not read.
    pub fn extract(&mut self, document: &Document<'_>) -> Result<ExtractedText<'_>, SkipReason> {
        let html = document.media == Media::Html;
        let Self { content, text, whole, tokens, timings } = self;
        let decoded = timings.time(Stage::Decode, || dejaview_text::decode(document.body, document.charset, html));
        if is_large(document) {
            // Hardly any text is longer than its page. Memory that grows doubles.
            text.reserve_exact(decoded.text.len());
        }
        timings.time(Stage::Extract, || match content {
            Content::Main if html => dejaview_text::extract_main(&decoded.text, text),
            Content::Own(recurring) => {
                whole_text(document.media)(&decoded.text, whole);
                recurring.strip(&urls::host(document.url), whole, text);
            }
            _ => whole_text(document.media)(&decoded.text, text),
        });
        if !timings.time(Stage::Tokens, || tokens.read_at_most(text, MOST_WORDS)) {
            return Err(SkipReason::TooManyWords);
        }
        Ok(ExtractedText { text, tokens, charset: decoded.charset })
    }

    /// Lets go of the memory that the last document took, where it was a large one.
    pub fn release(&mut self, document: &Document<'_>) {
        if is_large(document) {
            (self.text, self.whole, self.tokens) = (String::new(), String::new(), Tokens::new());
        }
    }
}

/// Whether a document is so large that threads work on such ones one after the other, and keep no memory for the next.
pub fn is_large(document: &Document<'_>) -> bool {
    document.body.len() > LARGE
}

const LARGE: usize = 1 << 20;

/// What makes the canonical text of all that a reader sees.
fn whole_text(media: Media) -> fn(&str, &mut String) {
    match media {
        Media::Html => dejaview_text::extract,
        Media::Text => dejaview_text::normalize,
        Media::Wikitext => dejaview_text::extract_wikitext,
    }
}

impl<'a> ExtractedText<'a> {
    /// What methods see of a page: those that agree in it are one group, searched for and stored once. A method sees the
    /// canonical text and nothing else, neither markup nor URL nor id.
    pub fn key(&self) -> u128 {
        hash::digest_bits(self.text.as_bytes())
    }

    pub fn prepared(&self) -> Prepared<'a> {
        Prepared::new(self.text, self.tokens)
    }
}
