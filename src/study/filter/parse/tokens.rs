//! Of what signs and words is an expression made, and where does each stand?

use std::ops::Range;

use crate::study::filter::error::FilterError;
use crate::study::filter::term::{How, NUMBERS, Text};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    And,
    Or,
    Not,
    Open,
    Close,
    Compare(How),
    Colon,
    /// A word; whether it stood in quotes.
    Word(String, bool),
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
        ("==", Token::Compare(How::Equal)),
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
            let of_text = matches!(tokens.last(), Some((Token::Word(word, false), _)) if is_text(word));
            tokens.push((token.clone(), at..at + sign.len()));
            at += sign.len();
            if of_text && matches!(token, Token::Compare(_)) {
                at = value(expression, at, &mut tokens);
            }
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted
                .find('"')
                .ok_or_else(|| FilterError::new(expression, at..expression.len(), "the quote is not closed"))?;
            tokens.push((Token::Word(quoted[..end].to_owned(), true), at..at + end + 2));
            at += end + 2;
        } else {
            at = word(expression, at, &mut tokens);
        }
    }
    Ok(tokens)
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
    let end = rest.char_indices().find(ends).map_or(rest.len(), |(end, _)| end);
    let text = &rest[..end];
    let field = |name: &str| {
        let lower = name.to_lowercase();
        is_text(name) || lower == "label" || number(&lower).is_some()
    };
    match text.split_once(':').filter(|(name, _)| field(name)) {
        Some((name, _)) => {
            let colon = at + name.len();
            tokens.push((Token::Word(name.to_owned(), false), at..colon));
            tokens.push((Token::Colon, colon..colon + 1));
            value(expression, colon + 1, tokens)
        }
        None => {
            tokens.push((Token::Word(text.to_owned(), false), at..at + end));
            at + end
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
        tokens.push((Token::Word(expression[start..end].to_owned(), false), start..end));
    }
    end
}

pub(super) fn number(name: &str) -> Option<usize> {
    NUMBERS.iter().position(|(number, _)| *number == name)
}
