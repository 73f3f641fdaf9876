//! The content words of a sentence: their alphabetical order and their checksum.

use std::cmp::Ordering;

use flate2::Crc;

use crate::prepared::{Prepared, Sentence, Term};
use dejaview_text::fold;

/// The content words of a sentence, in order.
pub(super) fn content<'d>(document: &'d Prepared<'_>, sentence: &Sentence) -> impl Iterator<Item = &'d Term> {
    let (terms, of) = (document.terms(), document.term_numbers());
    let words = &of[sentence.tokens.start as usize..sentence.tokens.end as usize];
    words.iter().map(|&term| &terms[term as usize]).filter(|term| term.content)
}

/// The order of the joined content words; since a space sorts before any letter or digit, that of word by word.
pub(super) fn alphabetical(document: &Prepared<'_>, a: &Sentence, b: &Sentence) -> Ordering {
    if a.hash == b.hash {
        return Ordering::Equal;
    }
    let (mut left, mut right) = (content(document, a), content(document, b));
    loop {
        match (left.next(), right.next()) {
            (Some(x), Some(y)) if x.hash == y.hash => {}
            (Some(x), Some(y)) => return spelling(document, x, y),
            (x, y) => return x.is_some().cmp(&y.is_some()),
        }
    }
}

fn spelling(document: &Prepared<'_>, a: &Term, b: &Term) -> Ordering {
    let [x, y] = [a, b].map(|term| document.text()[document.tokens().span(term.first as usize)].as_bytes());
    if x.is_ascii() && y.is_ascii() {
        return x.iter().map(u8::to_ascii_lowercase).cmp(y.iter().map(u8::to_ascii_lowercase));
    }
    document.word(a).cmp(&document.word(b))
}

/// CRC-32 of the chosen sentences, joined.
pub(super) fn crc32(document: &Prepared<'_>, chosen: &[usize]) -> u32 {
    let (mut joined, mut folded) = (String::new(), String::new());
    for (i, &number) in chosen.iter().enumerate() {
        if i > 0 {
            joined.push('\n');
        }
        push_words(document, &document.sentences()[number], &mut joined, &mut folded);
    }
    let mut crc = Crc::new();
    crc.update(joined.as_bytes());
    crc.sum()
}

/// Appends the content words of a sentence in case folding, one space between them.
fn push_words(document: &Prepared<'_>, sentence: &Sentence, joined: &mut String, folded: &mut String) {
    for (i, term) in content(document, sentence).enumerate() {
        if i > 0 {
            joined.push(' ');
        }
        let word = &document.text()[document.tokens().span(term.first as usize)];
        if word.is_ascii() {
            let start = joined.len();
            joined.push_str(word);
            joined[start..].make_ascii_lowercase();
        } else {
            fold(word, folded);
            joined.push_str(folded);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{prose, with};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_alphabet_is_that_of_the_joined_words(text in prose()) {
            with(&text, |document| {
                let joined = |sentence: &Sentence| {
                    let words: Vec<String> =
                        content(document, sentence).map(|term| document.word(term).into_owned()).collect();
                    words.join(" ")
                };
                for a in document.sentences() {
                    let mut pushed = String::new();
                    push_words(document, a, &mut pushed, &mut String::new());
                    assert_eq!(pushed, joined(a));
                    for b in document.sentences().iter().filter(|b| a.words > 0 && b.words > 0) {
                        assert_eq!(alphabetical(document, a, b), joined(a).cmp(&joined(b)));
                    }
                }
            });
        }
    }
}
