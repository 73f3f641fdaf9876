//! When is a block of lines a text, judged by itself?

use crate::outline::Kind;
use crate::parts::Block;

/// Words that a text has at least; the paper's tree keeps blocks of more than 16.
const TEXT: u32 = 17;
/// The same for paragraphs.
const PARAGRAPH: u32 = 8;
/// The same for lists and tables, which may have more links.
const GROUP: u32 = 31;

/// At most a third of the words in links.
pub(super) fn few_links(block: &Block) -> bool {
    block.linked * 3 <= block.words
}

/// Long, with few links.
pub(super) fn is_text(block: &Block) -> bool {
    match block.kind {
        Kind::Control => false,
        Kind::Item | Kind::Row if block.words >= GROUP => block.linked * 5 <= block.words * 3,
        Kind::Paragraph => few_links(block) && block.words >= PARAGRAPH,
        _ => few_links(block) && block.words >= TEXT,
    }
}
