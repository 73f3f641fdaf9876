//! The main content of a page: its canonical text without what frames it.
//!
//! What is kept is a subsequence of the lines of [`super::extract`] (where a table cell holds a text of its own, of the
//! cells), so the words of the main content are a subsequence of the words of the page. One pass over the page, one
//! over the lines, a few over the blocks: linear in time, and in memory a few dozen bytes for each tag that has text.
//!
//! The features are those of Kohlschütter, Fankhauser and Nejdl, *Boilerplate Detection using Shallow Text Features*
//! (WSDM 2010): the number of words of a block and the share of them in links, for the block and its neighbours. To
//! these come the elements the text stands in:
//!
//! 1. Lines that belong together are one block: the lines of a paragraph, the items of a list, the rows of a table.
//! 2. A block is a *text* when it is long and has few links.
//! 3. What stands in `nav`, `aside`, `footer` and their like, or in an element of such a name, is *framed* and left out,
//!    unless it holds most of the page's texts.
//! 4. The *core* is the smallest element with more than 60 % of the words of the texts; where the element around it is
//!    named as content, that one. What readers added is not counted for it, but treated as if it stood in it.
//! 5. In the core are kept: texts; blocks that the paper's decision tree keeps for their neighbours; blocks with few
//!    links between two texts; headings, when what they head is kept. Of the rest of the page: the heading of the first
//!    order before the core, with the texts between.
//! 6. Where texts have less than half of the words outside links (tables of data, references), every block with few
//!    links counts as one. Where two thirds of the words of the core are links (directories), all of it is kept.
//!
//! The title stays first. **When fewer than 20 words would be left of a page that has more, all its text is kept**: no
//! page is lost.

mod blocks;
mod page;
mod selection;
#[cfg(test)]
mod tests;

use super::Tokens;
use super::html;
use super::outline::Outline;
use super::parts::{self, Part};
use page::Page;

/// Words that must be left.
const FEWEST: u32 = 20;

/// Writes the main content of `html` into `out`, which is cleared first; the whole text, as [`super::extract`] does,
/// when the main content would have fewer than 20 words.
pub fn extract_main(html: &str, out: &mut String) {
    let mut outline = Outline::new();
    let titled = html::extract_with(html, out, &mut outline);
    let (runs, zones) = outline.finish(out.len() - titled.shift);
    let parts = parts::parts(out, &runs, titled.shift, &zones);
    let blocks = parts::blocks(&parts, usize::from(titled.first));
    let keep = Page { blocks: &blocks, zones: &zones }.keep();
    let kept = || blocks.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(block, _)| block);
    let title = parts.iter().take(usize::from(titled.first));
    let text = write(out, title.chain(kept().flat_map(|block| &parts[block.parts.clone()])));
    // Blocks are judged by their words of two letters and more; what is left of the page is counted in all words.
    let enough = kept().map(|block| block.words).sum::<u32>() >= FEWEST;
    if enough || words(&text) >= words(out).min(FEWEST as usize) {
        *out = text;
    }
}

fn words(text: &str) -> usize {
    let mut tokens = Tokens::new();
    tokens.read(text);
    tokens.len()
}

/// The parts as lines; cells of one line stay on one line.
fn write<'p>(text: &str, parts: impl Iterator<Item = &'p Part>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut line_end = None;
    for part in parts {
        if !out.is_empty() {
            let same = part.joined && line_end.is_some_and(|end| !text[end..part.span.start].contains('\n'));
            out.push(if same { '\t' } else { '\n' });
        }
        out.push_str(&text[part.span.clone()]);
        line_end = Some(part.span.end);
    }
    out
}
