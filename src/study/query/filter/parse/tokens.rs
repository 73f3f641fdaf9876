//! Splits an expression into signs and words, with their places.

use std::ops::Range;

use crate::query::filter::error::FilterError;
use crate::query::filter::spelling::{BY, OF_PAIR};
use crate::query::filter::term::{How, NUMBERS, Text};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    And,
    Or,
    Not,
    Open,
    Close,
    Compare(How),
    Colon,
    Word(String, Spelled),
}

/// How a word was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelled {
    /// By itself: a configuration, else a word of filters, else part of an id.
    Plain,
    /// In quotes: part of an id.
    Quoted,
    /// Behind [`BY`]: a configuration.
    Configuration,
    /// Behind [`OF_PAIR`]: a word of filters, whatever the configurations are called.
    OfPair,
}

/// Signs and words with their places.
pub(super) fn tokens(expression: &str) -> Result<Vec<(Token, Range<usize>)>, FilterError> {
    let signs = [
        ("&&", Token::And),
        ("&", Token::And),
        ("||", Token::Or),
        ("|", Token::Or),
        ("!=", Token::Compare(How::Not)),
        ("!", Token::Not),
        ("(", Token::Open),
        (")", Token::Close),
        ("<=", Token::Compare(How::AtMost)),
        (">=", Token::Compare(How::AtLeast)),
        ("==", Token::Compare(How::Same)),
        ("<", Token::Compare(How::Less)),
        (">", Token::Compare(How::More)),
        ("=", Token::Compare(How::Equal)),
    ];
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(rest) = expression.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
        } else if let Some((sign, token)) = signs.iter().find(|(sign, _)| rest.starts_with(sign)) {
            let of_text = matches!(tokens.last(), Some((Token::Word(word, Spelled::Plain | Spelled::OfPair), _)) if is_text(word));
            tokens.push((token.clone(), at..at + sign.len()));
            at += sign.len();
            if of_text && matches!(token, Token::Compare(_)) {
                at = value(expression, at, &mut tokens);
            }
        } else if rest.starts_with('"') {
            let (text, length) = quoted(rest)
                .ok_or_else(|| FilterError::new(expression, at..expression.len(), "the quote is not closed"))?;
            tokens.push((Token::Word(text, Spelled::Quoted), at..at + length));
            at += length;
        } else {
            at = word(expression, at, &mut tokens);
        }
    }
    Ok(tokens)
}

/// What stands in quotes, and the bytes it takes with them. Two quotes inside are one.
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

/// Whether a word names a text, so that what follows its sign is taken as it stands.
pub(super) fn is_text(word: &str) -> bool {
    let name = word.to_lowercase();
    Text::ALL.iter().any(|(field, _)| *field == name)
}

/// Reads a word, or a field, a colon and what follows: other colons belong to ids. `!` ends a word only before `=`.
fn word(expression: &str, at: usize, tokens: &mut Vec<(Token, Range<usize>)>) -> usize {
    let rest = &expression[at..];
    let ends = |&(at, c): &(usize, char)| {
        c.is_whitespace() || "&|()<>=\"".contains(c) || (c == '!' && rest[at..].starts_with("!="))
    };
    let end = at + rest.char_indices().find(ends).map_or(rest.len(), |(end, _)| end);
    let behind = |prefix: &str| {
        let there = expression[at..end].get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        there.then_some(at + prefix.len())
    };
    if let Some(name) = behind(BY) {
        tokens.push((Token::Word(expression[name..end].to_owned(), Spelled::Configuration), at..end));
        return end;
    }
    let (start, spelled) = behind(OF_PAIR).map_or((at, Spelled::Plain), |start| (start, Spelled::OfPair));
    let field = |name: &str| {
        let lower = name.to_lowercase();
        is_text(name) || lower == "label" || number(&lower).is_some()
    };
    match expression[start..end].split_once(':').filter(|(name, _)| field(name)) {
        Some((name, _)) => {
            let colon = start + name.len();
            tokens.push((Token::Word(name.to_owned(), spelled), at..colon));
            tokens.push((Token::Colon, colon..colon + 1));
            value(expression, colon + 1, tokens)
        }
        None => {
            tokens.push((Token::Word(expression[start..end].to_owned(), spelled), at..end));
            end
        }
    }
}

/// Reads what a text is compared with, up to a blank or a sign that joins terms; ids and URLs may have other signs in
/// them. A quoted one is left to the caller.
fn value(expression: &str, at: usize, tokens: &mut Vec<(Token, Range<usize>)>) -> usize {
    let rest = &expression[at..];
    let start = at + rest.len() - rest.trim_start().len();
    let rest = &expression[start..];
    let end = start + rest.find(|c: char| c.is_whitespace() || "&|()\"".contains(c)).unwrap_or(rest.len());
    if end > start {
        tokens.push((Token::Word(expression[start..end].to_owned(), Spelled::Plain), start..end));
    }
    end
}

pub(super) fn number(name: &str) -> Option<usize> {
    NUMBERS.iter().position(|(number, _)| *number == name)
}
