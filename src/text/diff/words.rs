//! The words of a line as a diff compares them.
//!
//! A word is a maximal run of letters and digits with their marks and ignorable characters, or one ideograph or kana;
//! every other visible character is a word of its own that weighs less. White space separates and is no word. Unlike
//! [`super::super::Tokens`] nothing is folded, left out or overlapping: what a diff calls equal is equal to the byte.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::super::classes::{CJK, CLASSES, FOLDS, IGNORED, MARK, SEPARATOR, WORD};
use dejaview_base::hash;

/// Weight of a run of letters and digits, of an ideograph, and of any other character.
pub(super) const WEIGHTS: [u8; 3] = [4, 2, 1];

/// One word with its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// One of [`WEIGHTS`].
    pub(super) weight: u8,
}

impl Word {
    /// Whether people would count it as a word: punctuation is none.
    pub(super) fn counts(self) -> bool {
        self.weight > WEIGHTS[2]
    }
}

/// The words of `text[line]`, in order.
pub(crate) fn words(text: &str, line: Range<usize>) -> impl Iterator<Item = Word> + '_ {
    let (mut at, end) = (line.start, line.end);
    std::iter::from_fn(move || {
        let rest = &text[at..end];
        let blank = rest.len() - rest.trim_start().len();
        let start = at + blank;
        let (len, weight) = first(&rest[blank..])?;
        at = start + len;
        Some(Word { start, end: at, weight })
    })
}

/// How many words `text` has that count.
pub(super) fn count(text: &str) -> usize {
    let (bytes, classes) = (text.as_bytes(), &*CLASSES);
    let (mut count, mut inside, mut at) = (0, false, 0);
    while let Some(byte) = bytes.get(at) {
        if let Some(eight) = bytes.get(at..at + 8).and_then(<[u8]>::first_chunk)
            && eight.is_ascii()
        {
            let word = letters_and_digits(u64::from_le_bytes(*eight));
            count += (word & !(word << 8 | u64::from(inside) << 7)).count_ones() as usize;
            inside = word >> 63 == 1;
            at += 8;
            continue;
        }
        if byte.is_ascii() {
            let word = byte.is_ascii_alphanumeric();
            count += usize::from(word & !inside);
            inside = word;
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        at += c.len_utf8();
        match classes.class(c as u32) & !FOLDS {
            WORD => {
                count += usize::from(!inside);
                inside = true;
            }
            CJK => {
                count += 1;
                inside = false;
            }
            SEPARATOR => inside = false,
            _ => {}
        }
    }
    count
}

/// The highest bit of each of eight ASCII bytes that is a letter or digit.
fn letters_and_digits(bytes: u64) -> u64 {
    let each = |byte: u8| u64::from_ne_bytes([byte; 8]);
    // From `first` on a byte gets its highest bit by what is added, and none overflows.
    let from = |bytes: u64, first: u8| bytes + each(0x80 - first);
    let lower = bytes | each(0x20);
    let letters = from(lower, b'a') & !from(lower, b'z' + 1);
    let digits = from(bytes, b'0') & !from(bytes, b'9' + 1);
    (letters | digits) & each(0x80)
}

/// Length and weight of the word that `text` begins with.
fn first(text: &str) -> Option<(usize, u8)> {
    let classes = &*CLASSES;
    let class = |c: char| classes.class(c as u32) & !FOLDS;
    let mut chars = text.char_indices();
    let (_, head) = chars.next()?;
    let mut end_where = |go_on: fn(u8) -> bool| chars.find(|&(_, c)| !go_on(class(c))).map_or(text.len(), |(at, _)| at);
    Some(match class(head) {
        WORD => (end_where(|class| matches!(class, WORD | MARK | IGNORED)), WEIGHTS[0]),
        CJK => (end_where(|class| matches!(class, MARK | IGNORED)), WEIGHTS[1]),
        _ if head.is_ascii() && text.as_bytes().get(1).is_none_or(u8::is_ascii) => (1, WEIGHTS[2]),
        // Emoji of several characters, flags, and marks that stand alone stay whole.
        _ => {
            let whole = text.graphemes(true).next().unwrap_or(text);
            let other = |&(_, c): &(usize, char)| matches!(class(c), WORD | CJK) || c.is_whitespace();
            (whole.char_indices().skip(1).find(other).map_or(whole.len(), |(at, _)| at), WEIGHTS[2])
        }
    })
}

/// Gives equal pieces of text equal numbers.
#[derive(Debug, Default)]
pub(super) struct Numbers<'a> {
    known: HashMap<&'a [u8], u32, BuildHasherDefault<Whole>>,
}

impl<'a> Numbers<'a> {
    pub(super) fn number(&mut self, piece: &'a str) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry(piece.as_bytes()).or_insert(next)
    }
}

/// XXH3 of the one piece that is written.
#[derive(Debug, Default)]
struct Whole(u64);

impl Hasher for Whole {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= hash::token(bytes);
    }

    fn write_usize(&mut self, _length: usize) {}
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        words(text, 0..text.len()).map(|w| &text[w.start..w.end]).collect()
    }

    #[test]
    fn words_by_example() {
        assert_eq!(cut("Don't e-mail\t 3.14!"), ["Don", "'", "t", "e", "-", "mail", "3", ".", "14", "!"]);
        assert_eq!(cut("東京v2 か\u{3099}"), ["東", "京", "v2", "か\u{3099}"]);
        assert_eq!(cut("cafe\u{301}s zu\u{AD}sammen\u{AD}"), ["cafe\u{301}s", "zu\u{AD}sammen\u{AD}"]);
        assert_eq!(
            cut("👩\u{200D}🔬🇩🇪👍🏽 1\u{FE0F}\u{20E3}❤\u{FE0F}x"),
            ["👩\u{200D}🔬", "🇩🇪", "👍🏽", "1\u{FE0F}\u{20E3}", "❤\u{FE0F}", "x"]
        );
        assert_eq!(cut(" \t\u{A0}\r"), [""; 0]);
        assert_eq!(words("ab cd ef", 3..5).collect::<Vec<_>>(), [Word { start: 3, end: 5, weight: 4 }]);
    }

    #[test]
    fn letters_and_digits_are_found_among_all_bytes_of_ascii() {
        for byte in 0..0x80u8 {
            for place in 0..8 {
                let mut eight = [b'z' + 1, b'9' + 1, b'a' - 1, b'0' - 1, b'A' - 1, b'Z' + 1, 0, 0x7F];
                eight[place] = byte;
                let expected = u64::from(byte.is_ascii_alphanumeric()) << (8 * place + 7);
                assert_eq!(letters_and_digits(u64::from_le_bytes(eight)), expected, "{byte} at {place}");
            }
        }
    }

    proptest! {
        #[test]
        fn words_and_blanks_are_the_whole_text(text in "([a-z 東\u{301}\u{AD}\u{200D}🇩👍🏽.\r\u{600}]|\\PC){0,40}") {
            let (mut at, mut counted) = (0, 0);
            for word in words(&text, 0..text.len()) {
                prop_assert!(text[at..word.start].trim().is_empty());
                prop_assert!(word.start < word.end);
                counted += usize::from(word.counts());
                at = word.end;
            }
            prop_assert!(text[at..].trim().is_empty());
            prop_assert_eq!(counted, count(&text));
        }
    }
}
