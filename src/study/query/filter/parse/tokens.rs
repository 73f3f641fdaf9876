//! Splits an expression into signs and words, with the bytes that each takes.

use std::ops::Range;

use crate::query::filter::error::FilterError;
use crate::query::filter::term::{Comparison, Number, TextField};
use crate::query::filter::words::{AND, BY, FORMERLY_OF_PAIR, LABEL, NOT, OR, is_filter_word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    And,
    Or,
    Not,
    Open,
    Close,
    Compare(Comparison),
    Colon,
    Word(String, Written),
}

/// How a word was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// By itself: a configuration, else a word of filters, else part of an id.
    Plain,
    /// In quotes: part of an id.
    Quoted,
    /// After `by:`: a configuration.
    AsConfiguration,
}

const SIGNS: [(&str, Token); 7] = [
    ("&&", Token::And),
    ("&", Token::And),
    ("||", Token::Or),
    ("|", Token::Or),
    ("!", Token::Not),
    ("(", Token::Open),
    (")", Token::Close),
];

fn sign(rest: &str) -> Option<(&'static str, Token)> {
    let comparison = Comparison::SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
    let comparison = comparison.map(|(sign, comparison)| (*sign, Token::Compare(*comparison)));
    comparison.or_else(|| SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)).cloned())
}

pub(super) fn tokens(expression: &str) -> Result<Vec<(Token, Range<usize>)>, FilterError> {
    let mut reader = Reader { expression, tokens: Vec::new(), at: 0 };
    reader.read()?;
    Ok(reader.tokens)
}

struct Reader<'a> {
    expression: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    /// The next byte to be read.
    at: usize,
}

impl Reader<'_> {
    fn read(&mut self) -> Result<(), FilterError> {
        while let Some(rest) = self.expression.get(self.at..).filter(|rest| !rest.is_empty()) {
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                self.at += blank;
            } else if let Some((sign, token)) = sign(rest) {
                let compares_text = matches!(token, Token::Compare(_)) && self.last_word().is_some_and(is_text);
                self.push(token, sign.len());
                if compares_text {
                    self.value();
                }
            } else if rest.starts_with(':') && self.last_word().is_some_and(is_field) {
                self.push(Token::Colon, 1);
                self.value();
            } else if rest.starts_with('"') {
                let (text, length) = quoted(rest).ok_or_else(|| {
                    FilterError::new(self.expression, self.at..self.expression.len(), "the quote is not closed")
                })?;
                self.push(Token::Word(text, Written::Quoted), length);
            } else {
                self.word();
            }
        }
        Ok(())
    }

    fn push(&mut self, token: Token, length: usize) {
        self.tokens.push((token, self.at..self.at + length));
        self.at += length;
    }

    /// The word that was read last, if nothing came after it.
    fn last_word(&self) -> Option<&str> {
        match self.tokens.last() {
            Some((Token::Word(word, Written::Plain), _)) => Some(word),
            _ => None,
        }
    }

    /// Reads a word, or a field up to its colon: other colons belong to ids. `!` ends a word only where `=` follows.
    fn word(&mut self) {
        let rest = &self.expression[self.at..];
        let ends = |&(at, c): &(usize, char)| {
            c.is_whitespace() || "&|()<>=\"".contains(c) || (c == '!' && rest[at..].starts_with("!="))
        };
        let end = rest.char_indices().find(ends).map_or(rest.len(), |(end, _)| end);
        let word = &rest[..end];
        let is_value = matches!(self.tokens.last(), Some((Token::Compare(_) | Token::Colon, _)));
        let former = word.split_once(':').filter(|(of_pair, word)| {
            of_pair.eq_ignore_ascii_case(FORMERLY_OF_PAIR) && is_filter_word(word.split(':').next().unwrap_or_default())
        });
        if let (Some((of_pair, _)), false) = (former, is_value) {
            self.at += of_pair.len() + 1;
            return self.word();
        }
        match (join(word).filter(|_| !is_value), word.split_once(':')) {
            (Some(token), _) => self.push(token, end),
            (None, Some((by, name))) if by.eq_ignore_ascii_case(BY) => {
                self.push(Token::Word(name.to_owned(), Written::AsConfiguration), end);
            }
            (None, Some((field, _))) if is_field(field) => {
                self.push(Token::Word(field.to_owned(), Written::Plain), field.len());
            }
            (None, _) => self.push(Token::Word(word.to_owned(), Written::Plain), end),
        }
    }

    /// Reads what a text is compared with, up to a blank or a sign that joins terms: ids and URLs may have other signs in
    /// them. A quoted one is left to the next step.
    fn value(&mut self) {
        let rest = &self.expression[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let rest = &self.expression[self.at..];
        let end = rest.find(|c: char| c.is_whitespace() || "&|()\"".contains(c)).unwrap_or(rest.len());
        if end > 0 {
            self.push(Token::Word(rest[..end].to_owned(), Written::Plain), end);
        }
    }
}

/// The sign that a word stands for.
fn join(word: &str) -> Option<Token> {
    let words = [(AND, Token::And), (OR, Token::Or), (NOT, Token::Not)];
    words.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, token)| token)
}

/// What is in quotes, and the bytes it takes with them. Two quotes inside are one.
fn quoted(rest: &str) -> Option<(String, usize)> {
    let (mut text, mut at) = (String::new(), 1);
    loop {
        let end = at + rest.get(at..)?.find('"')?;
        text.push_str(&rest[at..end]);
        at = end + 1;
        if !rest[at..].starts_with('"') {
            return Some((text, at));
        }
        text.push('"');
        at += 1;
    }
}

/// Whether a word names a text, so that what follows its sign is taken as it is.
fn is_text(word: &str) -> bool {
    TextField::named(&word.to_lowercase()).is_some()
}

/// Whether a value may follow a word after a colon.
fn is_field(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_text(word) || lower == LABEL || Number::named(&lower).is_some()
}
