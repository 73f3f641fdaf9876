//! The preprocessed text of a document: its case-folded content words in order, separated by blanks.
//!
//! This is what is left of a page in the Yandex comparison before a method sees it: no markup, no stop words, no words
//! of three letters or fewer, no line breaks, signs or further blanks. Cost: one copy of these words.

use super::prepared::Prepared;
use dejaview_text::fold;

/// Longest word that is copied together with the bytes after it, which is faster than copying an exact length.
const SHORT: usize = 16;
/// Such a word and a blank.
const ROOM: usize = SHORT + 1;

pub fn content_text(document: &Prepared<'_>) -> Vec<u8> {
    write(document, |_, _| ())
}

/// The preprocessed text, and for each of its words where it begins there and which token it is.
pub fn content_places(document: &Prepared<'_>) -> (Vec<u8>, Vec<(usize, usize)>) {
    let mut places = Vec::new();
    let text = write(document, |start, token| places.push((start, token)));
    (text, places)
}

fn write(document: &Prepared<'_>, mut place: impl FnMut(usize, usize)) -> Vec<u8> {
    let (terms, text, tokens) = (document.terms(), document.text(), document.tokens());
    // Room for all words, each with a blank; only where pairs of ideographs overlap it is not enough.
    let mut out = vec![0; text.len() + ROOM];
    let (mut end, mut folded) = (0, String::new());
    for (i, &term) in document.term_numbers().iter().enumerate() {
        let term = &terms[term as usize];
        if !term.content {
            continue;
        }
        place(end, i);
        // Every token of a term folds to the same word. As many letters as bytes: ASCII, or Hangul, which has no case.
        let token = tokens.span(term.first as usize);
        if token.len() <= SHORT && token.len() == usize::from(term.letters) {
            let (from, to) = (text.as_bytes()[token.start..].first_chunk(), out[end..].first_chunk_mut());
            if let (Some(from), Some(to)) = (from, to) {
                let (from, to): (&[u8; SHORT], &mut [u8; ROOM]) = (from, to);
                to[..SHORT].copy_from_slice(from);
                to[token.len()] = b' ';
                end += token.len() + 1;
                continue;
            }
        }
        fold(&text[token], &mut folded);
        let start = end;
        end += folded.len() + 1;
        if out.len() < end {
            out.resize(2 * end, 0);
        }
        out[start..end - 1].copy_from_slice(folded.as_bytes());
        out[end - 1] = b' ';
    }
    out.truncate(end.saturating_sub(1));
    // What was folded above has no more capital letters of ASCII.
    out.make_ascii_lowercase();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with;
    use proptest::prelude::*;

    fn content(text: &str) -> String {
        String::from_utf8(with(text, content_text)).unwrap()
    }

    #[test]
    fn content_words_folded_and_joined() {
        assert_eq!(content("The HARBOUR,\n\tof  the Größe: harbour!"), "harbour grösse harbour");
        assert_eq!(content("東京都"), "東京 京都");
        assert_eq!(content(" the of, and "), "");
    }

    proptest! {
        #[test]
        fn equals_the_words_one_by_one(text in "([a-zA-Z0-9]{1,18}|Stra(ß|ss|SS)e|[東京都]{1,9}|[한가a]{1,3}|the|[ .]){0,40}") {
            let joined = with(&text, |document| {
                let (terms, of) = (document.terms(), document.term_numbers());
                let words = of.iter().map(|&term| &terms[term as usize]).filter(|term| term.content);
                words.map(|term| document.word(term).into_owned()).collect::<Vec<_>>().join(" ")
            });
            prop_assert_eq!(content(&text), joined);
        }
    }

    #[test]
    fn words_know_their_tokens() {
        with("In the Harbour, the Größe stood", |document| {
            let (text, places) = content_places(document);
            assert_eq!(text, content_text(document));
            let words: Vec<&str> = places.iter().map(|&(_, i)| &document.text()[document.tokens().span(i)]).collect();
            assert_eq!(words, ["Harbour", "Größe", "stood"]);
            assert_eq!(places.iter().map(|(start, _)| *start).collect::<Vec<_>>(), [0, 8, 16]);
        });
    }
}
