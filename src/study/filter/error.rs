//! Why a filter cannot be understood, and where in it.

use std::fmt;
use std::ops::Range;

/// What is wrong with an expression. Its text shows the place between `»` and `«`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FilterError {
    /// As it was written.
    expression: String,
    /// Bytes of it that are wrong; empty where something is missing.
    place: Range<usize>,
    expected: String,
}

impl FilterError {
    pub(super) fn new(expression: &str, place: Range<usize>, expected: impl Into<String>) -> Self {
        Self { expression: expression.to_owned(), place, expected: expected.into() }
    }

    /// Bytes of the expression that are wrong; empty where something is missing.
    pub fn place(&self) -> Range<usize> {
        self.place.clone()
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |range: Range<usize>| self.expression.get(range).unwrap_or_default();
        let Range { start, end } = self.place.clone();
        let (before, after) = (part(0..start), part(end..self.expression.len()));
        write!(f, "{before}»{}«{after}: {}", part(start..end), self.expected)
    }
}
