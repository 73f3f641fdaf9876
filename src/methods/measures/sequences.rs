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

/// The highest bit of each of eight bytes.
const HIGHEST: u64 = 0x8080_8080_8080_8080;

/// Hashes of the words between white space, as [`str::split_whitespace`] cuts them, in a fraction of its time: of eight bytes
/// at once only those are looked at that may begin white space.
pub(super) fn spaced(text: &str) -> Vec<u64> {
    let bytes = text.as_bytes();
    let mut words = Vec::with_capacity(bytes.len() / 6);
    let mut start = 0;
    let mut look_at = |at: usize| {
        let blank = blank(&bytes[at..]);
        if blank > 0 {
            if start < at {
                words.push(hash::token(&bytes[start..at]));
            }
            start = at + blank;
        }
    };
    let (eights, rest) = bytes.as_chunks::<8>();
    for (number, eight) in eights.iter().enumerate() {
        let mut suspects = may_begin_a_blank(u64::from_le_bytes(*eight));
        while suspects != 0 {
            look_at(8 * number + suspects.trailing_zeros() as usize / 8);
            suspects &= suspects - 1;
        }
    }
    (bytes.len() - rest.len()..bytes.len()).for_each(look_at);
    if start < bytes.len() {
        words.push(hash::token(&bytes[start..]));
    }
    words
}

/// The highest bit of each byte that is a space or below it, or not ASCII.
#[inline]
fn may_begin_a_blank(eight: u64) -> u64 {
    // 0x21, the first byte behind the space, and 0x5F are 0x80.
    let behind_space = (eight & !HIGHEST) + 0x5F5F_5F5F_5F5F_5F5F;
    (eight | !behind_space) & HIGHEST
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
