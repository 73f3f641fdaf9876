//! What the scores need of a document: the hashes of its words, in order.

use dejaview_base::hash;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sequences {
    /// Hashes of the tokens, in order.
    pub tokens: Box<[u64]>,
    /// Hashes of the words between white space, case kept, in order.
    pub spaced: Box<[u64]>,
}

impl Sequences {
    /// Of a canonical text and the hashes of its tokens.
    pub fn new(text: &str, tokens: &[u64]) -> Self {
        Self { tokens: tokens.into(), spaced: spaced(text).into() }
    }
}

/// Hashes of the words between white space, as [`str::split_whitespace`] cuts them, in a third of its time.
pub(super) fn spaced(text: &str) -> Vec<u64> {
    let bytes = text.as_bytes();
    let mut words = Vec::with_capacity(bytes.len() / 6);
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let blank = blank(&bytes[at..]);
        if blank > 0 {
            if start < at {
                words.push(hash::token(&bytes[start..at]));
            }
            start = at + blank;
        }
        at += blank.max(1);
    }
    if start < bytes.len() {
        words.push(hash::token(&bytes[start..]));
    }
    words
}

/// Number of bytes of the white space character at the beginning; 0 when there is none.
#[inline]
fn blank(bytes: &[u8]) -> usize {
    match bytes {
        [b' ' | b'\t'..=b'\r', ..] => 1,
        [0xC2, 0x85 | 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}
