//! The part of a text that matches a query best, with the words of the query marked.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::key::char_boundary;
use dejaview_text::Tokens;

/// Longest excerpt, in bytes.
const LENGTH: usize = 240;
/// Bytes shown before the first word found.
const BEFORE: usize = 40;

/// A short part of a stored text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Excerpt {
    /// Where in the stored text the excerpt begins, in bytes.
    pub start: usize,
    /// As in the text: not yet safe for a terminal.
    pub text: String,
    /// Byte ranges of `text` with the words of the query, in order, without overlaps.
    pub marks: Vec<Range<usize>>,
    /// Whether the stored text continues after it.
    pub more: bool,
}

impl Excerpt {
    /// The part of `text` with the most different `words`, given by their hashes; the first of equal ones, and the beginning
    /// of the text when it has none of them.
    pub(super) fn best(text: &str, words: &HashSet<u64>) -> Self {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let found: Vec<(u64, Range<usize>)> = tokens
            .hashes()
            .iter()
            .enumerate()
            .filter(|(_, hash)| words.contains(hash))
            .map(|(i, &hash)| (hash, tokens.span(i)))
            .collect();
        let first = found.get(densest(&found)).map_or(0, |(_, span)| span.start);
        let start = word_start(text, first);
        let end = word_end(text, start, char_boundary(text, start + LENGTH));
        let mut marks: Vec<Range<usize>> = Vec::new();
        for (_, span) in found.iter().filter(|(_, span)| span.start >= start && span.end <= end) {
            match marks.last_mut() {
                Some(last) if last.end > span.start - start => last.end = span.end - start,
                _ => marks.push(span.start - start..span.end - start),
            }
        }
        Self { start, text: text[start..end].to_owned(), marks, more: end < text.trim_end().len() }
    }
}

/// Index of the word with which the best stretch begins: that with the most different words in the length of an excerpt.
fn densest(found: &[(u64, Range<usize>)]) -> usize {
    let (mut best, mut most, mut end) = (0, 0, 0);
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for (begin, (hash, span)) in found.iter().enumerate() {
        while let Some((next, next_span)) = found.get(end)
            && (end <= begin || next_span.end <= span.start + LENGTH - BEFORE)
        {
            *counts.entry(*next).or_default() += 1;
            end += 1;
        }
        if counts.len() > most {
            (best, most) = (begin, counts.len());
        }
        if let Some(count) = counts.get_mut(hash) {
            *count -= 1;
            if *count == 0 {
                counts.remove(hash);
            }
        }
    }
    best
}

/// The end of the last word that ends before `at`; `at` itself where no blank is near.
fn word_end(text: &str, start: usize, at: usize) -> usize {
    let inside = text[at..].chars().next().is_some_and(|c| !c.is_whitespace());
    let blank = text[start..at].rfind(char::is_whitespace).map(|blank| start + blank);
    blank.filter(|blank| inside && at - blank < BEFORE).unwrap_or(at)
}

/// A place shortly before `at`, after a blank if there is one.
fn word_start(text: &str, at: usize) -> usize {
    let earliest = char_boundary(text, at.saturating_sub(BEFORE));
    if earliest == 0 {
        return 0;
    }
    let blank = text[earliest..at].char_indices().find(|(_, c)| c.is_whitespace());
    blank.map_or(earliest, |(blank, c)| earliest + blank + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use dejaview_base::hash;

    fn words(words: &[&str]) -> HashSet<u64> {
        words.iter().map(|word| hash::token(word.as_bytes())).collect()
    }

    #[test]
    fn most_different_words_win() {
        let text = format!("solar solar solar {} Solar power here. {}", "x ".repeat(300), "y ".repeat(300));
        let excerpt = Excerpt::best(&text, &words(&["solar", "power"]));
        let marked: Vec<&str> = excerpt.marks.iter().map(|mark| &excerpt.text[mark.clone()]).collect();
        assert_eq!(marked, ["Solar", "power"]);
        assert_eq!(&text[excerpt.start..][..excerpt.text.len()], excerpt.text);
        assert!(excerpt.text.starts_with("x "));
    }

    #[test]
    fn without_a_word_the_beginning() {
        assert_eq!(Excerpt::best("", &words(&["a"])), Excerpt::default());
        assert_eq!(Excerpt::best("Some text.", &words(&[])).text, "Some text.");
    }

    proptest! {
        #[test]
        fn marks_lie_in_the_excerpt(text in "[ab é\u{1F600}東京\n]{0,600}") {
            let excerpt = Excerpt::best(&text, &words(&["a", "aa", "東京", "é"]));
            prop_assert!(excerpt.text.len() <= LENGTH);
            prop_assert_eq!(&text[excerpt.start..][..excerpt.text.len()], &excerpt.text);
            let mut last = 0;
            for mark in &excerpt.marks {
                prop_assert!(mark.start >= last && mark.end <= excerpt.text.len());
                prop_assert!(excerpt.text.get(mark.clone()).is_some());
                last = mark.end;
            }
        }
    }
}
