//! The words of a text: where they stand and what they hash to.
//!
//! A token is a maximal run of Unicode letters and digits (Alphabetic or Numeric) with the combining marks that follow
//! them; everything else separates, underscore, hyphen and apostrophe too. It is hashed in full Unicode case folding
//! (ß is ss; Turkish is not special). Soft hyphens, joiners and other default-ignorable characters inside a word do not
//! split it and are left out of the folded form; only the zero width *space* separates, as in Unicode's own word
//! boundaries. A run of Han, Hiragana and Katakana becomes its overlapping pairs of characters (a run of one is one
//! token), and a switch between these and other letters splits; Hangul stays as words. There is no Unicode
//! normalisation: é as one character and e with an accent are two different tokens.
//!
//! One pass over blocks of 64 bytes ([`super::lanes`]) finds the edges of the tokens, and another hashes what is between
//! them; characters beyond ASCII cost one look into a table. Only blocks with ideographs or ignorable characters inside
//! words are walked character by character.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::classes::{CJK, CLASSES, Classes, FOLDS, IGNORED, MARK, WORD};
use super::lanes::{self, BLOCK, Mask};
use dejaview_base::{hash, wide};

/// Bytes of a text whose copy is not kept for the next one.
const LARGE: usize = 1 << 20;

/// The tokens of one text. Reading the next text reuses the memory.
#[derive(Debug, Default, Clone)]
pub struct Tokens {
    hashes: Vec<u64>,
    /// Where tokens begin and end, by turns; the end of the last is missing while it is open.
    edges: Vec<u32>,
    /// Numbers of the tokens that need more folding than ASCII lower case; rarely a number twice.
    folding: Vec<u32>,
    /// The text in ASCII lower case: what is hashed unless a token needs more folding than that.
    lower: Vec<u8>,
    masks: Vec<Mask>,
    folded: String,
}

impl Tokens {
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the tokens by those of `text`. Places are 32 bits wide: of a text over 4 GiB the beginning is read.
    pub fn read(&mut self, text: &str) {
        self.read_at_most(text, usize::MAX);
    }

    /// Like [`Tokens::read`], but gives up on a text with more than `most` tokens; false then, and no token is kept.
    pub fn read_at_most(&mut self, text: &str, most: usize) -> bool {
        let limit = (0..=text.len().min(u32::MAX as usize)).rev().find(|&at| text.is_char_boundary(at));
        let text = &text[..limit.unwrap_or(0)];
        let few = wide::run(Reading { tokens: self, text, most });
        self.release();
        few
    }

    /// Finds where the tokens are; false when they are more than `most`.
    #[inline(always)]
    fn find(&mut self, text: &str, most: usize) -> bool {
        self.hashes.clear();
        self.edges.clear();
        self.folding.clear();
        lanes::classify(text.as_bytes(), &mut self.lower, &mut self.masks);
        let mut block = Open::default();
        while let Some(&mask) = self.masks.get(block.base / BLOCK) {
            self.block(text, mask, &mut block);
            if self.spans().len() > most {
                break;
            }
        }
        if self.is_open() {
            self.edges.push(text.len() as u32);
        }
        let few = self.spans().len() <= most;
        if !few {
            self.edges.clear();
            self.folding.clear();
        }
        few
    }

    /// Hashes all tokens, after they have been found: a loop of its own, in which nothing else is decided.
    #[inline(always)]
    fn hash(&mut self, text: &str) {
        let (spans, _) = self.edges.as_chunks();
        let lower = &self.lower[..];
        self.hashes.resize(spans.len(), 0);
        for (hash, &[start, end]) in self.hashes.iter_mut().zip(spans) {
            *hash = hash::token_within(lower, start, end);
        }
        for &number in &self.folding {
            let [start, end] = spans[number as usize];
            fold(&text[start as usize..end as usize], &mut self.folded);
            self.hashes[number as usize] = hash::token(self.folded.as_bytes());
        }
    }

    /// Lets go of what only reading needs, where the text was a large one: much is made of its tokens, and meanwhile this
    /// would be as much memory as the text.
    fn release(&mut self) {
        if self.lower.len() > LARGE {
            (self.lower, self.masks) = (Vec::new(), Vec::new());
        }
    }

    /// Some of these tokens, by their numbers in ascending order.
    pub fn select(&self, numbers: &[u32]) -> Self {
        let numbers = || numbers.iter().map(|&number| number as usize);
        Self {
            hashes: numbers().map(|i| self.hashes[i]).collect(),
            edges: numbers().flat_map(|i| self.spans()[i]).collect(),
            ..Self::default()
        }
    }

    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether the text has no token.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// [`hash::token`] of each folded token, in the order of the text.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Byte range of token `i` in the text. Pairs of ideographs overlap; other tokens do not.
    pub fn span(&self, i: usize) -> Range<usize> {
        let [start, end] = self.spans()[i];
        start as usize..end as usize
    }

    /// Byte ranges of all tokens, as first and end.
    #[inline]
    pub(super) fn spans(&self) -> &[[u32; 2]] {
        self.edges.as_chunks().0
    }

    /// Whether the last token has no end yet.
    #[inline(always)]
    fn is_open(&self) -> bool {
        self.edges.len() % 2 == 1
    }

    /// Reads one block, and leaves `open` at the next.
    #[inline(always)]
    fn block(&mut self, text: &str, mask: Mask, open: &mut Open) {
        let fresh = !0u64 << open.skip;
        let mut word = mask.word & fresh | open.spill;
        let mut folds = 0;
        let mut next = Open { base: open.base + BLOCK, ..Open::default() };
        if mask.high & fresh != 0 {
            let high = High { word, high: mask.high & fresh, base: open.base, inside: self.is_open() };
            match high.settle(text.as_bytes(), &CLASSES) {
                Some(settled) => {
                    (word, folds) = (settled.word, settled.folds);
                    (next.spill, next.skip) = (settled.spill, settled.skip);
                }
                None => {
                    let opened = if self.is_open() { self.edges.pop() } else { None };
                    let from = opened.map_or(open.base + open.skip as usize, |start| start as usize);
                    let at = self.walk(text, from, open.base + BLOCK);
                    *open = Open { base: at - at % BLOCK, skip: (at % BLOCK) as u32, ..Open::default() };
                    return;
                }
            }
        }
        let edges = word ^ (word << 1 | u64::from(self.is_open()));
        self.note_folding(edges, folds);
        self.note_edges(edges, open.base as u32);
        *open = next;
    }

    /// Appends the places of the edges of a block: eight at a time, the last of them perhaps in vain, because how many
    /// there are is not to be foreseen.
    #[inline(always)]
    fn note_edges(&mut self, mut edges: u64, base: u32) {
        let count = self.edges.len() + edges.count_ones() as usize;
        while self.edges.len() < count {
            let mut eight = [0; 8];
            for place in &mut eight {
                *place = base.wrapping_add(edges.trailing_zeros());
                edges &= edges.wrapping_sub(1);
            }
            self.edges.extend_from_slice(&eight);
        }
        self.edges.truncate(count);
    }

    /// Notes the tokens to which letters that fold belong, given the edges of their block.
    #[inline(always)]
    fn note_folding(&mut self, edges: u64, mut folds: u64) {
        while folds != 0 {
            let up_to = folds ^ (folds - 1);
            let before = self.edges.len() + (edges & up_to).count_ones() as usize;
            self.folding.push((before / 2) as u32);
            // What folds before the next edge belongs to the same token.
            let later = edges & !up_to;
            folds &= !(later & later.wrapping_neg()).wrapping_sub(1);
        }
    }

    /// A token that was read character by character.
    fn push(&mut self, start: usize, end: usize, folds: bool) {
        if folds {
            self.folding.push((self.edges.len() / 2) as u32);
        }
        self.edges.extend([start as u32, end as u32]);
    }

    /// Reads character by character from `at`, a place between tokens, to the first place between tokens at or after
    /// `until`, and returns it.
    fn walk(&mut self, text: &str, mut at: usize, until: usize) -> usize {
        let bytes = text.as_bytes();
        let classes = &*CLASSES;
        while at < until && at < bytes.len() {
            let (code, len) = character(bytes, at);
            at = match classes.class(code) & !FOLDS {
                WORD => self.walk_word(text, at, classes),
                CJK => self.walk_pairs(text, at, classes),
                _ => at + len,
            };
        }
        at
    }

    fn walk_word(&mut self, text: &str, start: usize, classes: &Classes) -> usize {
        let bytes = text.as_bytes();
        let (mut at, mut end, mut folds, mut ignored) = (start, start, false, false);
        while at < bytes.len() {
            let (code, len) = character(bytes, at);
            let class = classes.class(code);
            at += len;
            match class & !FOLDS {
                WORD | MARK => {
                    end = at;
                    folds |= ignored || class & FOLDS != 0;
                }
                IGNORED => ignored = true,
                _ => break,
            }
        }
        self.push(start, end, folds);
        end
    }

    fn walk_pairs(&mut self, text: &str, first: usize, classes: &Classes) -> usize {
        let bytes = text.as_bytes();
        // The last two characters, each with its marks; the marks are known only when the next character is seen.
        let (mut before, mut start, mut end, mut at) = (None, first, first, first);
        let mut ignored = false;
        while at < bytes.len() {
            let (code, len) = character(bytes, at);
            match classes.class(code) & !FOLDS {
                CJK if at > first => {
                    if let Some(before) = before {
                        self.push(before, end, ignored);
                    }
                    (before, start) = (Some(start), at);
                    end = at + len;
                }
                CJK | MARK => end = at + len,
                IGNORED => ignored = true,
                _ => break,
            }
            at += len;
        }
        self.push(before.unwrap_or(start), end, ignored);
        end
    }
}

/// The reading of one text.
struct Reading<'a> {
    tokens: &'a mut Tokens,
    text: &'a str,
    most: usize,
}

impl wide::Work for Reading<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let few = self.tokens.find(self.text, self.most);
        self.tokens.hash(self.text);
        few
    }
}

/// What is known at the beginning of a block.
#[derive(Default)]
struct Open {
    /// Place of the block.
    base: usize,
    /// Bytes of the block that are already read.
    skip: u32,
    /// Bytes of the block that belong to a word character which began before it.
    spill: u64,
}

/// A block with characters beyond ASCII.
struct High {
    word: u64,
    high: u64,
    base: usize,
    inside: bool,
}

/// The same block after its characters have been looked up.
struct Settled {
    word: u64,
    folds: u64,
    spill: u64,
    skip: u32,
}

impl High {
    /// Adds the bytes of word characters and marks to the mask; `None` when the block must be walked.
    #[inline(always)]
    fn settle(mut self, bytes: &[u8], classes: &Classes) -> Option<Settled> {
        let (mut folds, mut spill, mut skip) = (0, 0, 0);
        while self.high != 0 {
            let bit = self.high.trailing_zeros();
            let (code, len) = character(bytes, self.base + bit as usize);
            let class = classes.class(code);
            let own = ((1u64 << len) - 1) << bit;
            self.high &= !own;
            let joined = if bit == 0 { self.inside } else { self.word >> (bit - 1) & 1 == 1 };
            match class & !FOLDS {
                WORD => {}
                MARK if joined => {}
                CJK => return None,
                IGNORED if joined => return None,
                _ => {
                    skip = (bit + len as u32).saturating_sub(BLOCK as u32);
                    continue;
                }
            }
            self.word |= own;
            folds |= u64::from(class & FOLDS != 0) << bit;
            skip = (bit + len as u32).saturating_sub(BLOCK as u32);
            spill = (1 << skip) - 1;
        }
        Some(Settled { word: self.word, folds, spill, skip })
    }
}

/// Code point and length of the character at a boundary of UTF-8.
#[inline(always)]
fn character(bytes: &[u8], at: usize) -> (u32, usize) {
    let next = |i: usize| u32::from(bytes[at + i] & 0x3F);
    match bytes[at] {
        b @ 0..0x80 => (u32::from(b), 1),
        b @ 0x80..0xE0 => (u32::from(b & 0x1F) << 6 | next(1), 2),
        b @ 0xE0..0xF0 => (u32::from(b & 0x0F) << 12 | next(1) << 6 | next(2), 3),
        b => (u32::from(b & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4),
    }
}

/// Writes the folded form of a token, exactly the bytes that are hashed, into `out`.
pub fn fold(token: &str, out: &mut String) {
    out.clear();
    for c in token.chars() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
            continue;
        }
        let class = CLASSES.class(c as u32);
        if class & FOLDS != 0 {
            CLASSES.fold(c, out);
        } else if class != IGNORED {
            out.push(c);
        }
    }
}
