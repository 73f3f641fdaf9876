//! A document as methods get it: its text, its tokens, and what several configurations compute from them only once.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::bits::BitCounts;
use super::statistics::{Frequency, Statistics};
use dejaview_base::hash::{self, Roll, fmix64};
use dejaview_text::{Tokens, content_words, fold, sentences, word_facts};

/// The longest n-gram a configuration may ask for.
pub const LONGEST: usize = 32;

/// A distinct word of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    pub hash: u64,
    /// Index of its first token.
    pub first: u32,
    /// How often it occurs.
    pub tf: u32,
    /// Characters, at most 255.
    pub letters: u8,
    /// Digits among them, at most 255.
    pub digits: u8,
    /// Whether it is made of ideographs or kana, of which two say as much as a word.
    pub ideographs: bool,
    /// Whether it is a content word: more than 3 letters and no stop word (an ideograph counts).
    pub content: bool,
}

/// A sentence of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Numbers of its tokens.
    pub tokens: Range<u32>,
    /// Content words in it, repeated ones included.
    pub words: u32,
    /// Hash of its content words in order; of all its words where none of them is a content word.
    pub hash: u64,
}

/// A tokenised document. Everything else is made once, at the first configuration that asks.
#[derive(Debug)]
pub struct Prepared<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    grams: [OnceCell<Vec<u64>>; LONGEST + 1],
    counts: [OnceCell<Box<BitCounts>>; LONGEST + 1],
    words: OnceCell<Words>,
    frequencies: OnceCell<Vec<Frequency>>,
    sentences: OnceCell<Vec<Sentence>>,
    content: OnceCell<Tokens>,
}

#[derive(Debug, Default)]
struct Words {
    terms: Vec<Term>,
    /// For each token the index of its word in `terms`.
    numbers: Vec<u32>,
}

impl<'a> Prepared<'a> {
    /// `tokens` must have been read from `text`.
    pub fn new(text: &'a str, tokens: &'a Tokens) -> Self {
        Self {
            text,
            tokens,
            grams: [const { OnceCell::new() }; LONGEST + 1],
            counts: [const { OnceCell::new() }; LONGEST + 1],
            words: OnceCell::new(),
            frequencies: OnceCell::new(),
            sentences: OnceCell::new(),
            content: OnceCell::new(),
        }
    }

    pub fn text(&self) -> &'a str {
        self.text
    }

    pub fn tokens(&self) -> &'a Tokens {
        self.tokens
    }

    /// The same document as its content words alone.
    pub fn content(&self) -> Prepared<'_> {
        let tokens = self.content.get_or_init(|| {
            let mut numbers = Vec::new();
            content_words(self.text, self.tokens, &mut numbers);
            self.tokens.select(&numbers)
        });
        Prepared::new(self.text, tokens)
    }

    /// Hashes of all word n-grams in order, repeated ones included. `n` is at most 32.
    pub fn grams(&self, n: usize) -> &[u64] {
        self.grams[n].get_or_init(|| {
            let grams = Roll::new(self.tokens.hashes(), n);
            let mut hashes = Vec::with_capacity(grams.len());
            grams.append_to(&mut hashes);
            hashes
        })
    }

    /// Bit counts over [`Prepared::grams`].
    pub fn counts(&self, n: usize) -> &BitCounts {
        self.counts[n].get_or_init(|| Box::new(BitCounts::count_bits(self.grams(n))))
    }

    /// The slice of the text that the n-gram beginning at token `i` covers.
    pub fn gram_span(&self, i: usize, n: usize) -> Range<usize> {
        self.tokens.span(i).start..self.tokens.span(i + n - 1).end
    }

    /// The distinct words, in the order in which they first occur.
    pub fn terms(&self) -> &[Term] {
        &self.words().terms
    }

    /// For each token the number of its word in [`Prepared::terms`].
    pub fn term_numbers(&self) -> &[u32] {
        &self.words().numbers
    }

    /// How common each of [`Prepared::terms`] is. All configurations of a study share one collection, so `statistics` are
    /// always the same.
    pub fn frequencies(&self, statistics: &Statistics) -> &[Frequency] {
        self.frequencies.get_or_init(|| self.terms().iter().map(|term| statistics.frequency(term.hash)).collect())
    }

    /// Number of content words, repeated ones included.
    pub fn content_length(&self) -> u32 {
        self.terms().iter().filter(|term| term.content).map(|term| term.tf).sum()
    }

    /// A word as it is hashed: in case folding.
    pub fn word(&self, term: &Term) -> Cow<'a, str> {
        let token = &self.text[self.tokens.span(term.first as usize)];
        if token.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
            return Cow::Borrowed(token);
        }
        let mut folded = String::new();
        fold(token, &mut folded);
        Cow::Owned(folded)
    }

    /// Every place of a word.
    pub fn places(&self, hash: u64) -> Vec<Range<usize>> {
        let hashes = self.tokens.hashes().iter().enumerate();
        hashes.filter(|(_, other)| **other == hash).map(|(i, _)| self.tokens.span(i)).collect()
    }

    /// The sentences, in order.
    pub fn sentences(&self) -> &[Sentence] {
        self.sentences.get_or_init(|| {
            let mut ranges = Vec::new();
            sentences(self.text, self.tokens, &mut ranges);
            ranges.into_iter().map(|tokens| self.sentence(tokens)).collect()
        })
    }

    /// The slice of the text that a sentence covers.
    pub fn sentence_span(&self, sentence: &Sentence) -> Range<usize> {
        let Range { start, end } = sentence.tokens;
        self.tokens.span(start as usize).start..self.tokens.span(end as usize - 1).end
    }

    fn sentence(&self, tokens: Range<u32>) -> Sentence {
        let Words { terms, numbers } = self.words();
        let (mut content, mut all, mut words) = (0u64, 0u64, 0);
        for i in tokens.start as usize..tokens.end as usize {
            let term = &terms[numbers[i] as usize];
            all = all.wrapping_mul(hash::M).wrapping_add(term.hash);
            if term.content {
                content = content.wrapping_mul(hash::M).wrapping_add(term.hash);
                words += 1;
            }
        }
        let sum = if words > 0 { content } else { all };
        let length = if words > 0 { words } else { tokens.end - tokens.start };
        Sentence { tokens, words, hash: fmix64(sum.wrapping_add(u64::from(length).wrapping_mul(hash::S))) }
    }

    fn words(&self) -> &Words {
        self.words.get_or_init(|| {
            let hashes = self.tokens.hashes();
            let mut words =
                Words { terms: Vec::with_capacity(hashes.len() / 2), numbers: Vec::with_capacity(hashes.len()) };
            let mask = (2 * hashes.len()).next_power_of_two() - 1;
            // Index of the term plus one; 0 is free. Token hashes are spread well enough to be used as positions. hashbrown's
            // table would take half as long again: this one never grows, and is used for every token.
            let mut slots = vec![0u32; mask + 1];
            for (i, &hash) in hashes.iter().enumerate() {
                let mut at = hash as usize & mask;
                let number = loop {
                    match slots[at] {
                        0 => {
                            words.terms.push(self.term(i));
                            slots[at] = words.terms.len() as u32;
                            break words.terms.len() - 1;
                        }
                        n if words.terms[n as usize - 1].hash == hash => {
                            words.terms[n as usize - 1].tf += 1;
                            break n as usize - 1;
                        }
                        _ => at = (at + 1) & mask,
                    }
                };
                words.numbers.push(number as u32);
            }
            words
        })
    }

    /// The word of token `i`, occurring once.
    fn term(&self, i: usize) -> Term {
        let facts = word_facts(self.text, self.tokens, i);
        Term {
            hash: self.tokens.hashes()[i],
            first: i as u32,
            tf: 1,
            letters: facts.letters,
            digits: facts.digits,
            ideographs: facts.ideographs,
            content: facts.is_content(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<R>(text: &str, ask: impl FnOnce(&Prepared<'_>) -> R) -> R {
        let mut tokens = Tokens::new();
        tokens.read(text);
        ask(&Prepared::new(text, &tokens))
    }

    #[test]
    fn distinct_words_with_their_counts() {
        with("A rose is a Rose; ROSES are not.", |document| {
            let words: Vec<(String, u32, bool)> =
                document.terms().iter().map(|t| (document.word(t).into_owned(), t.tf, t.content)).collect();
            let expected = [("a", 2, false), ("rose", 2, true), ("is", 1, false), ("roses", 1, true)];
            assert_eq!(words[..4], expected.map(|(w, n, c)| (w.to_owned(), n, c)));
            assert_eq!(document.term_numbers()[..6], [0, 1, 2, 0, 1, 3]);
            assert_eq!(document.content_length(), 3);
            assert_eq!(document.places(document.terms()[1].hash), [2..6, 12..16]);
        });
    }

    #[test]
    fn sentences_hash_their_content_words() {
        let hashes = |text: &str| with(text, |d| d.sentences().iter().map(|s| s.hash).collect::<Vec<_>>());
        let two = hashes("The harbour stands open. The harbour stands shut!");
        assert_eq!(two.len(), 2);
        assert_ne!(two[0], two[1]);
        assert_eq!(hashes("A harbour, stands open."), two[..1], "stop words do not count");
    }
}
