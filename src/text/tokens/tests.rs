//! Words by example, and against a reading character by character.

use proptest::prelude::*;

use super::*;

/// Folded tokens of a text; checks that what is folded is what was hashed.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Tokens::new();
    tokens.read(text);
    (0..tokens.len())
        .map(|i| {
            let mut folded = String::new();
            fold(&text[tokens.span(i)], &mut folded);
            assert_eq!(hash::token(folded.as_bytes()), tokens.hashes()[i], "{folded:?} in {text:?}");
            folded
        })
        .collect()
}

/// The definition, character by character, with places of the tokens.
fn defined(text: &str) -> Vec<Range<usize>> {
    let class = |c: char| CLASSES.class(c as u32) & !FOLDS;
    // Runs of units; a unit is a letter with its marks and with the ignored characters between.
    let mut runs: Vec<(u8, Vec<Range<usize>>)> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match class(c) {
            kind @ (WORD | CJK) => {
                match runs.last_mut() {
                    Some((last, units)) if open && *last == kind => units.push(at..end),
                    _ => runs.push((kind, std::iter::once(at..end).collect())),
                }
                open = true;
            }
            MARK if open => runs.last_mut().unwrap().1.last_mut().unwrap().end = end,
            IGNORED if open => {}
            _ => open = false,
        }
    }
    let mut spans = Vec::new();
    for (kind, units) in runs {
        if kind == WORD || units.len() == 1 {
            spans.push(units[0].start..units[units.len() - 1].end);
        } else {
            spans.extend(units.windows(2).map(|u| u[0].start..u[1].end));
        }
    }
    spans
}

fn spans(text: &str) -> Vec<Range<usize>> {
    let mut tokens = Tokens::new();
    tokens.read("something longer was read before, Ünd mit Größe ".repeat(9).as_str());
    tokens.read(text);
    assert_eq!((tokens.len(), tokens.is_empty()), (tokens.hashes().len(), tokens.hashes().is_empty()));
    (0..tokens.len()).map(|i| tokens.span(i)).collect()
}

#[test]
fn words_by_example() {
    assert_eq!(tokens("Don't snake_case, e-mail 3.14!"), ["don", "t", "snake", "case", "e", "mail", "3", "14"]);
    assert_eq!(tokens("Straße STRASSE ẞ"), ["strasse", "strasse", "ss"]);
    assert_eq!(tokens("İstanbul ISTANBUL ılık"), ["i\u{307}stanbul", "istanbul", "ılık"]);
    assert_eq!(tokens("cafe\u{301} café \u{301}x"), ["cafe\u{301}", "café", "x"]);
    assert_eq!(tokens("Zu\u{AD}sam\u{AD}men\u{AD} می\u{200C}خواهم"), ["zusammen", "میخواهم"]);
    assert_eq!(
        tokens("a\u{200B}b \u{FEFF}c हिन्दी ไทย 한국어 Ελλάς"),
        ["a", "b", "c", "हिन्दी", "ไทย", "한국어", "ελλάσ"]
    );
    assert_eq!(tokens(""), [""; 0]);
    assert_eq!(tokens("… — \u{301} \u{AD} 😀\u{FE0F}"), [""; 0]);
}

#[test]
fn ideographs_are_read_in_pairs() {
    assert_eq!(tokens("東京都"), ["東京", "京都"]);
    assert_eq!(tokens("水"), ["水"]);
    assert_eq!(tokens("Rust言語v2です。データ"), ["rust", "言語", "v2", "です", "デー", "ータ"]);
    assert_eq!(tokens("か\u{3099}き ｶﾞｷ"), ["か\u{3099}き", "ｶﾞ", "ﾞｷ"]);
    assert_eq!(tokens("漢\u{200D}字\u{FE00}"), ["漢字"]);
    assert_eq!(spans("漢\u{200D}字\u{FE00}").first(), Some(&(0..9)));
    assert_eq!(tokens("漢字한국"), ["漢字", "한국"]);
}

#[test]
fn tokens_cross_blocks() {
    for fill in 0..140 {
        for word in ["word", "Größe", "ÉCOLE", "東京都", "zu\u{AD}sammen", "e\u{301}\u{301}", "𐐀𐐨x", "a\u{AD}\u{301}b"]
        {
            let text = format!("{}{word} {word}{}", "-".repeat(fill), "x".repeat(fill));
            assert_eq!(spans(&text), defined(&text), "{text}");
            tokens(&text);
        }
    }
    let long = "Ab".repeat(5000);
    assert_eq!(tokens(&long), [long.to_lowercase()]);
}

proptest! {
    #[test]
    fn tokens_are_as_defined(text in "([a-zA-Z0-9 _é\u{E9}É東かカー한\u{301}\u{AD}\u{200D}\u{200B}ßİ𐐀\u{1F600}\u{A0}]|\\PC){0,200}") {
        prop_assert_eq!(spans(&text), defined(&text));
        tokens(&text);
    }

    #[test]
    fn words_in_prose_are_as_defined(words in prop::collection::vec("[a-z]{0,9}[ ,.éÉß漢\u{AD}\u{301}]{0,2}", 0..60)) {
        let text = words.concat();
        prop_assert_eq!(spans(&text), defined(&text));
        tokens(&text);
    }
}
