//! The tokenizer for tantivy, with the same word boundaries and case folding as everywhere else.

use tantivy::tokenizer::{MAX_TOKEN_LEN, Token, TokenStream, Tokenizer};

use dejaview_text::{Tokens, fold};

/// Splits a text into [`Tokens`]. A word that is too long for a term is skipped, but keeps its position.
#[derive(Clone, Default)]
pub(super) struct WordTokenizer {
    tokens: Tokens,
    token: Token,
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        self.tokens.read(text);
        self.token.reset();
        WordStream { text, tokens: &self.tokens, next: 0, token: &mut self.token }
    }
}

pub(super) struct WordStream<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    next: usize,
    token: &'a mut Token,
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        while self.next < self.tokens.len() {
            let (position, span) = (self.next, self.tokens.span(self.next));
            self.next += 1;
            if span.len() > MAX_TOKEN_LEN {
                continue;
            }
            fold_quickly(&self.text[span.clone()], &mut self.token.text);
            if self.token.text.len() <= MAX_TOKEN_LEN {
                (self.token.position, self.token.offset_from, self.token.offset_to) = (position, span.start, span.end);
                return true;
            }
        }
        false
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

/// Does what [`fold`] does, faster for ASCII words.
fn fold_quickly(word: &str, out: &mut String) {
    if word.is_ascii() {
        out.clear();
        out.push_str(word);
        out.make_ascii_lowercase();
    } else {
        fold(word, out);
    }
}

/// The folded words of `text` that can be terms, with their positions.
pub(super) fn words(text: &str) -> Vec<(usize, String)> {
    let mut words = WordTokenizer::default();
    let mut stream = words.token_stream(text);
    let mut found = Vec::new();
    while stream.advance() {
        found.push((stream.token().position, stream.token().text.clone()));
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use dejaview_base::hash;

    proptest! {
        #[test]
        fn terms_are_the_words_that_are_hashed(text in "\\PC{0,60}|[aBß\u{ad}\u{301}東京 _-]{0,60}") {
            let mut tokens = Tokens::new();
            tokens.read(&text);
            let terms = words(&text);
            let hashes: Vec<u64> = terms.iter().map(|(_, word)| hash::token(word.as_bytes())).collect();
            prop_assert_eq!(&hashes[..], tokens.hashes());
            prop_assert!(terms.iter().map(|&(position, _)| position).eq(0..tokens.len()));
        }
    }

    #[test]
    fn a_word_too_long_keeps_its_place() {
        let text = format!("a {} b", "x".repeat(MAX_TOKEN_LEN + 1));
        assert_eq!(words(&text), [(0, "a".to_owned()), (2, "b".to_owned())]);
    }
}
