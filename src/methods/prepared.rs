//! A document ready for every method: its text, its tokens, and what several configurations share of it.

use std::cell::OnceCell;

use super::bits::BitCounts;
use crate::base::hash::Roll;
use crate::text::Tokens;

/// The longest n-gram a configuration may ask for.
pub const LONGEST: usize = 32;

/// A tokenised document. n-gram hashes and bit counts are made once, at the first configuration that asks.
#[derive(Debug)]
pub struct Prepared<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    grams: [OnceCell<Vec<u64>>; LONGEST + 1],
    counts: [OnceCell<Box<BitCounts>>; LONGEST + 1],
}

impl<'a> Prepared<'a> {
    /// `tokens` must have been read from `text`.
    pub fn new(text: &'a str, tokens: &'a Tokens) -> Self {
        Self {
            text,
            tokens,
            grams: [const { OnceCell::new() }; LONGEST + 1],
            counts: [const { OnceCell::new() }; LONGEST + 1],
        }
    }

    /// The canonical text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Its tokens.
    pub fn tokens(&self) -> &'a Tokens {
        self.tokens
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
        self.counts[n].get_or_init(|| Box::new(BitCounts::of(self.grams(n))))
    }

    /// The slice of the text that the n-gram beginning at token `i` covers.
    pub fn gram_span(&self, i: usize, n: usize) -> std::ops::Range<usize> {
        self.tokens.span(i).start..self.tokens.span(i + n - 1).end
    }
}
