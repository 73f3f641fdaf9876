//! Values that people choose by name, on the command line, in files and in dialogs.

use std::fmt;

/// Values and what a help text says of each, in its order.
pub type Choices<T> = &'static [(T, &'static str)];

/// A type of few values, each with a name.
pub trait Choice: Copy + Into<&'static str> + 'static {
    const CHOICES: Choices<Self>;

    /// The value of a name.
    fn by_name(name: &str) -> Option<Self> {
        let is = |value: Self| {
            let known: &str = value.into();
            known == name
        };
        Self::CHOICES.iter().map(|(value, _)| *value).find(|value| is(*value))
    }
}

/// A word that names none of the values; holds what was expected in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected(pub &'static str);

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.0)
    }
}

impl std::error::Error for Expected {}
