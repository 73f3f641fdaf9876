//! Why a filter cannot be understood, and where in it.

use std::fmt;
use std::ops::Range;

/// What is wrong with an expression, and which bytes of it are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FilterError {
    expression: String,
    /// Empty where something is missing.
    span: Range<usize>,
    expected: String,
}

impl FilterError {
    pub(super) fn new(expression: &str, span: Range<usize>, expected: impl Into<String>) -> Self {
        Self { expression: expression.to_owned(), span, expected: expected.into() }
    }

    /// Bytes of the expression that are wrong; empty where something is missing.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// What is wrong, for those who see the expression.
    pub fn problem(&self) -> String {
        match self.quoted(self.span()) {
            "" => self.expected.clone(),
            wrong => format!("“{wrong}”: {}", self.expected),
        }
    }

    fn quoted(&self, range: Range<usize>) -> &str {
        self.expression.get(range).unwrap_or_default()
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wrong, expression, expected) = (self.quoted(self.span()), &self.expression, &self.expected);
        match wrong {
            "" => write!(f, "after “{}”: {expected}", self.quoted(0..self.span.start)),
            all if all == expression => write!(f, "“{all}”: {expected}"),
            _ => write!(f, "“{wrong}” in “{expression}”: {expected}"),
        }
    }
}
