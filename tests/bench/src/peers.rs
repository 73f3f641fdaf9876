//! The peers written in Rust, used as their documentation shows.

use gaoya::simhash::{SimHash, SimHashIndex, SimSipHasher64};
use lol_html::html_content::TextType;
use lol_html::{HtmlRewriter, Settings, doc_text};

/// Width of the lines that html2text wraps to.
const WIDTH: usize = 100;

/// The text of a page by html2text, without decoration. A page it refuses has none.
pub fn html2text(page: &[u8]) -> String {
    html2text::config::plain_no_decorate().string_from_read(page, WIDTH).unwrap_or_default()
}

/// The text chunks of a page by lol_html, scripts and styles left out, a blank behind every text node. References
/// such as `&amp;` stay as they are, and an inline tag splits a word: the caller would have to mend both.
pub fn lol_html(page: &[u8]) -> String {
    let mut text = String::new();
    let handler = doc_text!(|chunk| {
        if matches!(chunk.text_type(), TextType::Data | TextType::RCData) {
            text.push_str(chunk.as_str());
            if chunk.last_in_text_node() {
                text.push(' ');
            }
        }
        Ok(())
    });
    let settings = Settings::new().append_document_content_handler(handler);
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    let read = rewriter.write(page);
    if read.is_ok() {
        // A page that ends inside a tag still has the text before it.
        let _ = rewriter.end();
    } else {
        drop(rewriter);
    }
    text
}

/// gaoya's SimHash of 64 bits.
pub type Gaoya = SimHash<SimSipHasher64, u64, 64>;

/// Keys of gaoya's hasher.
pub const KEYS: (u64, u64) = (1, 2);

pub fn gaoya() -> Gaoya {
    SimHash::new(SimSipHasher64::new(KEYS.0, KEYS.1))
}

/// gaoya's index for distances up to this one: it tests `<`, so it must be asked for one more, which takes another block.
pub fn gaoya_index(distance: usize) -> SimHashIndex<u64, u32> {
    SimHashIndex::new(distance + 2, distance + 1)
}

/// gaoya's SimHash over the n-grams of several lengths, as windows of words without joining them.
pub fn gaoya_grams<W: std::hash::Hash>(gaoya: &Gaoya, words: &[W], lengths: &[usize]) -> u64 {
    gaoya.create_signature(lengths.iter().flat_map(|&n| words.windows(n)))
}
