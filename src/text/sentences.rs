//! Where the sentences of a text begin and end, in tokens.
//!
//! A sentence ends at a line break, which is the end of a block in the canonical text, at a mark such as `. ! ? …` that
//! white space or the end of the text follows, with closing quotes and brackets between them or not, and at an East
//! Asian mark such as `。！？` whatever follows. Runs of fewer than three tokens (headings, menu entries, `1.`) are not
//! sentences and belong to none.
//!
//! Only the bytes between tokens are read, and of most gaps, one blank, a single byte. That is where it differs from
//! Unicode's rules (UAX 29), which see letters too: here an abbreviation ends a sentence even before a small letter
//! (`e.g. this`), and a mark with a letter, a dash or an opening bracket right behind it (`end.Next`, `end.[1]`) ends
//! none. On 1,500 pages of technical prose in many languages 97.8 % of Unicode's sentences are also sentences here.

use std::ops::Range;

use super::Tokens;
use super::classes::{CLASSES, IGNORED, MARK};

/// Fewest tokens of a sentence.
const FEWEST: u32 = 3;

/// Replaces `out` by the sentences of `text`, whose tokens are `tokens`, as ascending ranges of token numbers.
pub fn sentences(text: &str, tokens: &Tokens, out: &mut Vec<Range<u32>>) {
    out.clear();
    let (bytes, spans) = (text.as_bytes(), tokens.spans());
    let mut first = 0;
    for (i, pair) in spans.windows(2).enumerate() {
        let (end, start) = (pair[0][1] as usize, pair[1][0] as usize);
        // Most gaps are one byte. Pairs of ideographs overlap: their gap is below zero.
        let ends = if start == end + 1 { bytes[end] == b'\n' } else { start > end && breaks(text, end, start) };
        if ends {
            let next = i as u32 + 1;
            if next - first >= FEWEST {
                out.push(first..next);
            }
            first = next;
        }
    }
    let end = spans.len() as u32;
    if end - first >= FEWEST {
        out.push(first..end);
    }
}

/// Whether a sentence ends in the gap between the token that ends at `end` and the one that starts at `start`.
#[inline]
fn breaks(text: &str, end: usize, start: usize) -> bool {
    let mut marked = false;
    for (i, &byte) in text.as_bytes()[end..start].iter().enumerate() {
        if byte == b'\n' {
            return true;
        } else if matches!(byte, b'.' | b'!' | b'?') {
            marked = true;
        } else if byte >= 0x80 {
            return breaks_beyond(text, end + i, start, marked);
        } else if marked {
            if matches!(byte, b' ' | b'\t'..=b'\r') {
                return true;
            }
            marked = matches!(byte, b'"' | b'\'' | b')' | b']' | b'}');
        }
    }
    false
}

/// The same from `at`, the first character beyond ASCII in the gap; `marked` says whether only closing signs stand
/// between a mark and it.
fn breaks_beyond(text: &str, at: usize, start: usize, mut marked: bool) -> bool {
    for c in text[at..start].chars() {
        match sign(c) {
            Sign::Break => return true,
            Sign::Point if !text[start..].starts_with(|c| matches!(c, '0'..='9' | '０'..='９')) => return true,
            Sign::Space if marked => return true,
            Sign::Mark | Sign::Point => marked = true,
            Sign::Closing => {}
            Sign::Space | Sign::Other => marked = false,
        }
    }
    false
}

/// What a character between two tokens says about the end of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// Ends the sentence.
    Break,
    /// Ends the sentence unless a digit is next: ３．５ is a number.
    Point,
    /// Ends the sentence when white space follows.
    Mark,
    /// May stand between a mark and the white space.
    Closing,
    Space,
    Other,
}

fn sign(c: char) -> Sign {
    match c {
        // Line breaks: LF, next line, line separator, paragraph separator.
        '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => Sign::Break,
        // East Asian full stops, exclamation and question marks: full, half, small and vertical forms, pairs in one.
        '。' | '！' | '？' | '｡' | '︒' | '︕' | '︖' | '﹖' | '﹗' | '‼' | '⁇' | '⁈' | '⁉' => {
            Sign::Break
        }
        '．' | '﹒' => Sign::Point,
        '.' | '!' | '?' | '…' | '‥' | '‽' | '⸮' | '︙' => Sign::Mark,
        // Armenian, Arabic (and Urdu), Syriac, N'Ko, Indic, Myanmar, Ethiopic, Khmer, Mongolian.
        '։' | '؝' | '؞' | '؟' | '۔' | '܀'..='܂' | '߹' | '।' | '॥' | '။' | '።' | '፧' | '፨' | '។' | '៕' | '᠃' | '᠉' => {
            Sign::Mark
        }
        // Quotes close in one language where they open in another, so both count.
        '"' | '\'' | '«' | '»' | '‹' | '›' | '‘'..='‟' | '〝' | '〞' | '〟' | '＂' | '＇' => {
            Sign::Closing
        }
        ')' | ']' | '}' | '）' | '］' | '｝' | '｠' | '｣' | '〉' | '》' | '」' | '』' | '】' | '〕' | '〗' | '〙'
        | '〛' | '⟩' | '⟫' => Sign::Closing,
        '\u{200B}' => Sign::Closing,
        c if c.is_whitespace() => Sign::Space,
        // Joiners, direction marks and accents that stand on a mark change nothing.
        c if matches!(CLASSES.class(c as u32), MARK | IGNORED) => Sign::Closing,
        _ => Sign::Other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;
    use crate::classes::{CJK, FOLDS, SEPARATOR, WORD};
    use crate::normalize;

    fn ranges(text: &str) -> Vec<Range<u32>> {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let mut out = vec![7..9, 2..4];
        sentences(text, &tokens, &mut out);
        out
    }

    /// Sentences from the first to the last byte of their tokens.
    fn cut(text: &str) -> Vec<&str> {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let cut = |r: Range<u32>| &text[tokens.span(r.start as usize).start..tokens.span(r.end as usize - 1).end];
        ranges(text).into_iter().map(cut).collect()
    }

    /// The definition: every sign of the text is asked whether it ends a sentence, and the tokens are cut there.
    fn defined(text: &str) -> Vec<Range<u32>> {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let chars: Vec<(usize, char)> = text.char_indices().collect();
        let ends = |i: usize| match sign(chars[i].1) {
            Sign::Break => true,
            Sign::Point | Sign::Mark => {
                let mut rest = chars[i + 1..].iter().map(|&(_, c)| c);
                let next = rest.clone().find(|c| matches!(CLASSES.class(*c as u32) & !FOLDS, WORD | CJK));
                let number = next.is_some_and(|c| c.is_ascii_digit() || ('０'..='９').contains(&c));
                let after = rest.find(|&c| !matches!(sign(c), Sign::Closing | Sign::Mark | Sign::Point));
                sign(chars[i].1) == Sign::Point && !number
                    || after.is_some_and(|c| matches!(sign(c), Sign::Space | Sign::Break))
            }
            _ => false,
        };
        let places: Vec<usize> = (0..chars.len()).filter(|&i| ends(i)).map(|i| chars[i].0).collect();
        let mut out: Vec<Range<u32>> = Vec::new();
        let mut first = 0;
        for i in 0..tokens.len() as u32 {
            let last = i as usize + 1 == tokens.len();
            let gap = tokens.span(i as usize).end..if last { usize::MAX } else { tokens.span(i as usize + 1).start };
            if last || places.iter().any(|p| gap.contains(p)) {
                out.extend((i + 1 - first >= 3).then_some(first..i + 1));
                first = i + 1;
            }
        }
        out
    }

    #[test]
    fn marks_need_white_space_behind_them() {
        assert_eq!(
            cut("One two three. Four five six! Seven eight nine? Ten eleven twelve… and so on"),
            ["One two three", "Four five six", "Seven eight nine", "Ten eleven twelve", "and so on"]
        );
        assert_eq!(
            cut("It costs 3.50 at example.com/a.html today.Then more"),
            ["It costs 3.50 at example.com/a.html today.Then more"]
        );
        assert_eq!(
            cut("He said \"go away now!\" (And he went there.) [She did stay.]\tHere it ends"),
            ["He said \"go away now", "And he went there", "She did stay", "Here it ends"]
        );
        assert_eq!(cut("wait here now... and then?!\u{A0}more of this"), ["wait here now", "more of this"]);
        assert_eq!(cut("a b c.\u{AD} d e f. — g h i.— j k l"), ["a b c", "d e f", "g h i.— j k l"]);
    }

    #[test]
    fn lines_end_sentences_and_short_ones_are_none() {
        assert_eq!(
            cut("Home\nAbout us\nA title of words\nBody text goes here\n\nDr. No is a film"),
            ["A title of words", "Body text goes here", "No is a film"]
        );
        assert_eq!(cut("one two ,\n three four five"), ["three four five"]);
        assert_eq!(ranges("one two. three four five. six. seven eight nine"), [2..5, 6..9]);
        assert_eq!(ranges(""), []);
        assert_eq!(ranges("one"), []);
        assert_eq!(ranges(" . \n "), []);
    }

    #[test]
    fn other_scripts() {
        assert_eq!(
            cut("吾輩は猫である。名前はまだ無い！「どこだ？」と彼は聞いた。はい。"),
            ["吾輩は猫である", "名前はまだ無い", "と彼は聞いた"]
        );
        assert_eq!(
            cut("値は３．５である．次に進む｡Rustは速い言語"),
            ["値は３．５である", "次に進む", "Rustは速い言語"]
        );
        assert_eq!(
            cut("هل قرأت هذا الكتاب؟ نعم قرأته كله. شكرا لك يا صديقي"),
            ["هل قرأت هذا الكتاب", "نعم قرأته كله", "شكرا لك يا صديقي"]
        );
        assert_eq!(
            cut("«Кто там живёт?» Он ничего не ответил… Потом все ушли!"),
            ["Кто там живёт", "Он ничего не ответил", "Потом все ушли"]
        );
        assert_eq!(
            cut("„Wo ist er denn?“ Über den Wolken. »Komm doch her!« Das war’s."),
            ["Wo ist er denn", "Über den Wolken", "Komm doch her", "Das war’s"]
        );
        assert_eq!(cut("यह एक वाक्य है। यह दूसरा वाक्य है।"), ["यह एक वाक्य है", "यह दूसरा वाक्य है"]);
    }

    /// A sign inside a token would never be seen.
    #[test]
    fn every_sign_separates_tokens() {
        for c in '\0'..=char::MAX {
            let class = CLASSES.class(c as u32);
            let expected = match sign(c) {
                Sign::Other => continue,
                Sign::Closing => matches!(class, SEPARATOR | MARK | IGNORED),
                _ => class == SEPARATOR,
            };
            assert!(expected, "{c:?}");
        }
    }

    /// The fast way for ASCII says what the table of signs says.
    #[test]
    fn ascii_signs_agree() {
        for byte in 0..0x80u8 {
            let c = char::from(byte);
            if c.is_ascii_alphanumeric() {
                continue;
            }
            for text in [format!("a.{c}b"), format!("a{c} b"), format!("a{c}b"), format!("a.{c} b"), format!("a,{c}b")]
            {
                let end = text.len() - 1;
                assert_eq!(breaks(&text, 1, end), breaks_beyond(&text, 1, end, false), "{text:?}");
            }
        }
    }

    /// Unicode's rules are another opinion: on prose most of their sentences must be ours.
    #[test]
    fn most_sentences_of_prose_are_those_of_unicode() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-corpus/base");
        let mut paths: Vec<_> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let (mut all, mut common, mut text) = (0, 0, String::new());
        for path in paths.iter().filter(|path| path.is_file()).take(60) {
            let page = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
            normalize(&page, &mut text);
            let mut tokens = Tokens::new();
            let ours: std::collections::BTreeSet<&str> = cut(&text).into_iter().collect();
            for theirs in text.lines().flat_map(str::unicode_sentences) {
                tokens.read(theirs);
                if tokens.len() >= 3 {
                    let words = &theirs[tokens.span(0).start..tokens.span(tokens.len() - 1).end];
                    all += 1;
                    common += usize::from(ours.contains(words));
                }
            }
        }
        assert!(all > 500, "{all}");
        assert!(common * 100 >= all * 90, "{common} of {all}");
    }

    proptest! {
        #[test]
        fn sentences_are_as_defined(text in "([a-c]{0,2}|[ .!?…\"»)\n\t,-]|[東かの]{1,3}|[。．「」５5\u{AD}\u{301}]){0,60}") {
            prop_assert_eq!(ranges(&text), defined(&text), "{:?}", text);
        }
    }
}
