//! What the word methods ask of a token: its letters, its digits, and whether it carries a subject.
//!
//! Letters are counted as a reader would: accents and soft hyphens are none, and a Hangul syllable is the two or three
//! letters it is written with. A content word has more than three letters and is no stop word. Pairs of ideographs or
//! kana are content words always: two characters of these say as much as a word elsewhere, and there is no shorter
//! list to leave out.
//!
//! A word in ASCII costs a few instructions: the first four bytes tell that it is long enough, and the hash is at hand.

use super::Tokens;
use super::classes::{CJK, CLASSES, FOLDS, WORD};
use super::stop_words::StopWords;

/// Most letters of a word that is left out for being short.
const SHORT: u8 = 3;

/// The facts about one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordFacts {
    /// Letters and digits, at most 255.
    pub letters: u8,
    /// Digits and other numeric characters among them, at most 255.
    pub digits: u8,
    /// Whether the token is a stop word.
    pub stop: bool,
    /// Whether the token consists of ideographs or kana.
    pub ideographs: bool,
}

impl WordFacts {
    /// Whether the token is a content word.
    #[inline]
    pub fn is_content(self) -> bool {
        self.ideographs || self.letters > SHORT && !self.stop
    }
}

/// The facts about token `i` of `text`, whose tokens are `tokens`.
#[inline]
pub fn word_facts(text: &str, tokens: &Tokens, i: usize) -> WordFacts {
    let span = tokens.span(i);
    let stop = StopWords::get().contains(tokens.hashes()[i]);
    let len = span.len();
    match ascii_digits(&text.as_bytes()[span.start..], len) {
        Some(digits) => WordFacts { letters: saturated(len), digits: saturated(digits), stop, ideographs: false },
        None => facts_beyond(&text[span], stop),
    }
}

/// Replaces `out` by the numbers of the content words of `text`, whose tokens are `tokens`.
pub fn content_words(text: &str, tokens: &Tokens, out: &mut Vec<u32>) {
    out.clear();
    out.resize(tokens.len(), 0);
    let (bytes, stop_words) = (text.as_bytes(), StopWords::get());
    let mut count = 0;
    for (i, (&[start, end], &hash)) in tokens.spans().iter().zip(tokens.hashes()).enumerate() {
        let (start, end) = (start as usize, end as usize);
        let long = match bytes[start..].first_chunk() {
            // Four ASCII bytes, if all belong to the token, are four letters or digits.
            Some(&head) if u32::from_le_bytes(head) & 0x8080_8080 == 0 => end - start > usize::from(SHORT),
            _ => is_long(&text[start..end]),
        };
        // Written always and counted when it is one: which word is next cannot be foretold, and a branch would try.
        out[count] = i as u32;
        count += usize::from(long && !stop_words.contains(hash));
    }
    out.truncate(count);
}

/// Number of digits among the first `len` bytes, at least one, when these are all ASCII.
#[inline]
fn ascii_digits(bytes: &[u8], len: usize) -> Option<usize> {
    let (digits, high) = match bytes.first_chunk() {
        Some(&chunk) if len <= 8 => digits(u64::from_le_bytes(chunk) & !0 >> (8 * (8 - len))),
        _ => digits_of_many(&bytes[..len]),
    };
    (!high).then_some(digits)
}

/// Number of digits in eight bytes, and whether one of the eight is not ASCII; of those the number means nothing.
#[inline(always)]
fn digits(chunk: u64) -> (usize, bool) {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    // Adding reaches the high bit of a byte from '0' on, and from the one after '9' on.
    let low = chunk & !HIGH;
    let from_0 = low + (0x80 - u64::from(b'0')) * EACH;
    let after_9 = low + (0x7F - u64::from(b'9')) * EACH;
    let digits = ((from_0 & !after_9 & HIGH) >> 7).wrapping_mul(EACH) >> 56;
    (digits as usize, chunk & HIGH != 0)
}

#[inline(never)]
fn digits_of_many(bytes: &[u8]) -> (usize, bool) {
    let (chunks, rest) = bytes.as_chunks();
    let rest = rest.iter().rev().fold(0, |chunk, &byte| chunk << 8 | u64::from(byte));
    let all = chunks.iter().map(|&chunk| u64::from_le_bytes(chunk)).chain([rest]).map(digits);
    all.fold((0, false), |sum, each| (sum.0 + each.0, sum.1 | each.1))
}

#[inline(never)]
fn facts_beyond(word: &str, stop: bool) -> WordFacts {
    let (mut letters, mut digits, mut ideographs) = (0, 0, false);
    for c in word.chars() {
        letters += letters_of(c);
        digits += usize::from(is_numeric(c));
        ideographs |= CLASSES.class(c as u32) == CJK;
    }
    WordFacts { letters: saturated(letters), digits: saturated(digits), stop, ideographs }
}

/// What the standard library says, sooner for the letters of most texts. Unlike the classes this follows the compiler's
/// Unicode: digits of a script that was added later may not count.
#[inline]
fn is_numeric(c: char) -> bool {
    match c {
        '\0'..='\x7F' => c.is_ascii_digit(),
        '\u{80}'..='\u{65F}' => matches!(c, '²' | '³' | '¹' | '¼'..='¾'),
        'ぁ'..='ヿ' | '一'..='鿿' | '가'..='힣' => false,
        _ => c.is_numeric(),
    }
}

/// Whether a token has more than [`SHORT`] letters or consists of ideographs, of which it has no others.
#[inline(never)]
fn is_long(word: &str) -> bool {
    let mut letters = 0;
    for c in word.chars() {
        if CLASSES.class(c as u32) == CJK {
            return true;
        }
        letters += letters_of(c);
        if letters > usize::from(SHORT) {
            return true;
        }
    }
    false
}

/// How many letters a character counts for.
#[inline]
fn letters_of(c: char) -> usize {
    match c {
        '\0'..='\x7F' => 1,
        // Two letters, and a third at the foot of the syllable in all but every 28th.
        '가'..='힣' => 2 + usize::from(!(c as u32 - '가' as u32).is_multiple_of(28)),
        _ => usize::from(matches!(CLASSES.class(c as u32) & !FOLDS, WORD | CJK)),
    }
}

fn saturated(n: usize) -> u8 {
    n.min(usize::from(u8::MAX)) as u8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::is_stop_word;

    fn read(text: &str) -> Tokens {
        let mut tokens = Tokens::new();
        tokens.read(text);
        tokens
    }

    fn all_facts(text: &str) -> Vec<(u8, u8, bool)> {
        let tokens = read(text);
        (0..tokens.len()).map(|i| word_facts(text, &tokens, i)).map(|f| (f.letters, f.digits, f.stop)).collect()
    }

    fn contents(text: &str) -> Vec<&str> {
        let tokens = read(text);
        let mut out = vec![99];
        content_words(text, &tokens, &mut out);
        out.into_iter().map(|i| &text[tokens.span(i as usize)]).collect()
    }

    #[test]
    fn facts_by_example() {
        assert_eq!(
            all_facts("The 2nd B2B2C3 of 2012-12, 123456789x their"),
            [
                (3, 0, true),
                (3, 1, false),
                (6, 3, false),
                (2, 0, true),
                (4, 4, false),
                (2, 2, false),
                (10, 9, false),
                (5, 0, true)
            ]
        );
        assert_eq!(
            all_facts("Größe cafe\u{301} Zu\u{AD}ge ٢٠١٢ x² который"),
            [(5, 0, false), (4, 0, false), (4, 0, false), (4, 4, false), (2, 1, false), (7, 0, true)]
        );
        assert_eq!(all_facts("水 東京 한국 가나"), [(1, 0, false), (2, 0, false), (6, 0, false), (4, 0, false)]);
        let long = "a1".repeat(200);
        assert_eq!(all_facts(&long), [(255, 200, false)]);
        assert_eq!(all_facts(&"é٣".repeat(300)), [(255, 255, false)]);
        assert_eq!(all_facts(""), []);
    }

    #[test]
    fn content_words_by_example() {
        assert_eq!(
            contents("The whales of the sea would swim because their food swam 2012 ab1"),
            ["whales", "swim", "food", "swam", "2012"]
        );
        assert_eq!(contents("Über die Größe des Baums, während er wächst; Öl"), ["Größe", "Baums", "wächst"]);
        assert_eq!(contents("Это дом, который построил Джек"), ["построил", "Джек"]);
        assert_eq!(contents("東京都はRust v2 水"), ["東京", "京都", "都は", "Rust", "水"]);
        assert_eq!(contents("هذا كتاب جديد عن اللغة"), ["كتاب", "جديد", "اللغة"]);
        assert_eq!(contents("한국어 책 가 カナ ｶﾅ"), ["한국어", "カナ", "ｶﾅ"]);
        // Three letters, however many bytes and marks.
        assert_eq!(contents("e\u{301}te\u{301} été дом a\u{AD}b\u{AD}c"), [""; 0]);
        assert_eq!(contents(""), [""; 0]);
    }

    #[test]
    fn numeric_characters_are_those_of_the_standard_library() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_numeric(c), c.is_numeric(), "{c:?}");
        }
    }

    #[test]
    fn every_ascii_word_has_its_digits_counted() {
        for len in 1..40 {
            for seed in 0..20usize {
                let word: String =
                    (0..len).map(|i| char::from(b"0az9:/@m5"[(i * 7 + seed * seed + i * i) % 9])).collect();
                let expected = word.bytes().filter(u8::is_ascii_digit).count();
                for tail in ["", " 12345678", "é"] {
                    assert_eq!(ascii_digits(format!("{word}{tail}").as_bytes(), len), Some(expected), "{word}{tail}");
                }
                assert_eq!(ascii_digits(format!("{word}é").as_bytes(), len + 2), None);
            }
        }
    }

    proptest! {
        #[test]
        fn facts_and_content_are_as_defined(text in "([a-z0-9]{1,12}|[éдß٣東カー한가\u{301}\u{AD}]{1,4}|their|который|[ .]){0,60}") {
            let tokens = read(&text);
            let mut expected = Vec::new();
            for i in 0..tokens.len() {
                let word = &text[tokens.span(i)];
                let counted = |c: &char| !matches!(c, '\u{301}' | '\u{AD}');
                let letters: usize = word.chars().filter(counted).map(|c| match c { '한' => 3, '가' => 2, _ => 1 }).sum();
                let digits = word.chars().filter(|c| c.is_numeric()).count();
                let stop = is_stop_word(tokens.hashes()[i]);
                let ideographs = word.contains(['東', 'カ', 'ー']);
                let facts = word_facts(&text, &tokens, i);
                prop_assert_eq!(facts, WordFacts { letters: letters as u8, digits: digits as u8, stop, ideographs });
                prop_assert_eq!(facts.is_content(), ideographs || letters > 3 && !stop);
                if facts.is_content() {
                    expected.push(i as u32);
                }
            }
            let mut out = Vec::new();
            content_words(&text, &tokens, &mut out);
            prop_assert_eq!(out, expected);
        }
    }
}
