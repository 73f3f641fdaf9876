//! Why a filter cannot be understood, and where in it.

use std::fmt;
use std::ops::Range;

/// What is wrong with an expression. Its text quotes the place.
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

    /// What is wrong there, for those who have the expression before their eyes.
    pub fn problem(&self) -> String {
        match self.part(self.place()) {
            "" => self.expected.clone(),
            wrong => format!("“{wrong}”: {}", self.expected),
        }
    }

    fn part(&self, range: Range<usize>) -> &str {
        self.expression.get(range).unwrap_or_default()
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wrong, expression, expected) = (self.part(self.place()), &self.expression, &self.expected);
        match wrong {
            "" => write!(f, "behind “{}”: {expected}", self.part(0..self.place.start)),
            all if all == expression => write!(f, "“{all}”: {expected}"),
            _ => write!(f, "“{wrong}” in “{expression}”: {expected}"),
        }
    }
}
