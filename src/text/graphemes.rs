//! Graphemes of a text, fast where it is ASCII, as most lines of a screen are.

use unicode_segmentation::UnicodeSegmentation;

/// The extended grapheme clusters of a text with the byte at which each begins.
pub fn graphemes(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let grapheme = &rest[..length(rest)?];
        at += grapheme.len();
        Some((at - grapheme.len(), grapheme))
    })
}

/// Bytes of the first grapheme. An ASCII character is one by itself unless something that is not ASCII follows, which may
/// combine with it, or unless a line feed follows a carriage return.
fn length(text: &str) -> Option<usize> {
    match text.as_bytes() {
        [] => None,
        [b'\r', b'\n', ..] => Some(2),
        [first] if first.is_ascii() => Some(1),
        [first, second, ..] if first.is_ascii() && second.is_ascii() => Some(1),
        _ => text.graphemes(true).next().map(str::len),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_those_of_the_standard(text in any::<String>(), mixed in "[a\r\n \u{301}\u{200d}🇩🇪👩क्षन\u{600}é]{0,24}") {
            for text in [&text, &mixed] {
                let fast: Vec<_> = graphemes(text).collect();
                prop_assert_eq!(fast, text.grapheme_indices(true).collect::<Vec<_>>());
            }
        }
    }
}
