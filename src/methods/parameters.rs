//! The parameters of a method as a study sets them: their names, allowed values and defaults.
//!
//! A method lists its parameters once, with a [`Declaration`]. Read with nothing set, the list yields the table of the
//! manual; read with the values of a study it yields the typed parameters that the method is built from.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

/// What can be wrong with a configuration.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MethodError {
    #[error("{method} has no parameter `{name}`; it has {known}")]
    Unknown { method: &'static str, name: String, known: String },
    #[error("`{name}` is {found}, expected {expected}")]
    Value { name: &'static str, found: String, expected: String },
}

#[derive(Debug, Clone)]
pub struct Parameter {
    /// As written in `study.toml`.
    pub name: &'static str,
    /// What it is, and what raising it does.
    pub about: &'static str,
    /// The paper's value.
    pub default: Preset,
    pub allowed: Allowed,
}

/// What a parameter is when a study does not set it.
#[derive(Debug, Clone)]
pub enum Preset {
    Fixed(Value),
    /// Follows from other parameters, as the text says.
    Derived(&'static str),
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(Value::Word(word)) => f.write_str(word),
            Self::Fixed(value) => value.fmt(f),
            Self::Derived(how) => f.write_str(how),
        }
    }
}

/// What a value may be; bounds are included.
#[derive(Debug, Clone)]
pub enum Allowed {
    Whole(u64, u64),
    /// A list of different whole numbers.
    Wholes(u64, u64),
    Fraction(f64, f64),
    /// Two numbers, the first below the second.
    Bounds(f64, f64),
    Words(Vec<&'static str>),
    /// Any text that is not empty.
    Text,
}

/// A value that a study gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Whole(u64),
    Wholes(Vec<u64>),
    Fraction(f64),
    Fractions(Vec<f64>),
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(n) => write!(f, "{n}"),
            Self::Wholes(list) => write!(f, "{list:?}"),
            Self::Fraction(x) => write!(f, "{x}"),
            Self::Fractions(list) => write!(f, "{list:?}"),
            Self::Word(word) => write!(f, "\"{word}\""),
        }
    }
}

impl Allowed {
    /// Converts whole numbers where fractions are expected: 1 is as good as 1.0.
    fn converted(&self, value: Value) -> Value {
        match (self, value) {
            (Self::Fraction(..), Value::Whole(n)) => Value::Fraction(n as f64),
            (Self::Bounds(..), Value::Wholes(list)) => Value::Fractions(list.iter().map(|&n| n as f64).collect()),
            (_, value) => value,
        }
    }

    fn admits(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Whole(low, high), Value::Whole(n)) => (low..=high).contains(&n),
            (Self::Wholes(low, high), Value::Wholes(list)) => {
                let mut seen = list.clone();
                seen.sort_unstable();
                seen.dedup();
                !list.is_empty() && seen.len() == list.len() && list.iter().all(|n| (low..=high).contains(&n))
            }
            (Self::Fraction(low, high), Value::Fraction(x)) => (low..=high).contains(&x),
            (Self::Bounds(low, high), Value::Fractions(list)) => {
                matches!(list[..], [a, b] if *low <= a && a < b && b <= *high)
            }
            (Self::Words(words), Value::Word(word)) => words.contains(&word.as_str()),
            (Self::Text, Value::Word(word)) => !word.is_empty(),
            _ => false,
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(low, high) => write!(f, "a whole number from {low} to {high}"),
            Self::Wholes(low, high) => write!(f, "a list of different whole numbers from {low} to {high}"),
            Self::Fraction(low, high) => write!(f, "a number from {low} to {high}"),
            Self::Bounds(low, high) => write!(f, "two numbers from {low} to {high}, the first below the second"),
            Self::Words(words) => write!(f, "one of \"{}\"", words.join("\", \"")),
            Self::Text => f.write_str("a text that is not empty"),
        }
    }
}

impl Parameter {
    /// The value as this parameter stores it, or why it is not allowed.
    pub(super) fn checked(&self, value: Value) -> Result<Value, MethodError> {
        let value = self.allowed.converted(value);
        if !self.allowed.admits(&value) {
            let (found, expected) = (value.to_string(), self.allowed.to_string());
            return Err(MethodError::Value { name: self.name, found, expected });
        }
        Ok(value)
    }
}

/// Declares the parameters of a method, one with each call; the call returns the value of the parameter.
#[derive(Debug)]
pub struct Declaration<'v> {
    /// What a study sets, after [`Parameter::checked`].
    set: &'v BTreeMap<&'static str, Value>,
    declared: Vec<Parameter>,
}

impl<'v> Declaration<'v> {
    pub(super) fn new(set: &'v BTreeMap<&'static str, Value>) -> Self {
        Self { set, declared: Vec::new() }
    }

    pub(super) fn finish(self) -> Vec<Parameter> {
        self.declared
    }

    fn declare(&mut self, name: &'static str, default: Preset, allowed: Allowed, about: &'static str) -> Option<Value> {
        self.declared.push(Parameter { name, about, default, allowed });
        self.set.get(name).cloned()
    }

    pub fn whole(
        &mut self,
        name: &'static str,
        default: usize,
        allowed: RangeInclusive<usize>,
        about: &'static str,
    ) -> usize {
        let preset = Preset::Fixed(Value::Whole(default as u64));
        match self.declare(name, preset, whole_numbers(&allowed), about) {
            Some(Value::Whole(n)) => n as usize,
            _ => default,
        }
    }

    /// A whole number that follows from other parameters, as `derived` says, where the study does not set it.
    pub fn derived_whole(
        &mut self,
        name: &'static str,
        derived: &'static str,
        allowed: RangeInclusive<usize>,
        about: &'static str,
    ) -> Option<usize> {
        match self.declare(name, Preset::Derived(derived), whole_numbers(&allowed), about) {
            Some(Value::Whole(n)) => Some(n as usize),
            _ => None,
        }
    }

    /// A list of different whole numbers.
    pub fn wholes(
        &mut self,
        name: &'static str,
        default: &[usize],
        allowed: RangeInclusive<usize>,
        about: &'static str,
    ) -> Vec<usize> {
        let preset = Preset::Fixed(Value::Wholes(default.iter().map(|&n| n as u64).collect()));
        let allowed = Allowed::Wholes(*allowed.start() as u64, *allowed.end() as u64);
        match self.declare(name, preset, allowed, about) {
            Some(Value::Wholes(list)) => list.into_iter().map(|n| n as usize).collect(),
            _ => default.to_vec(),
        }
    }

    pub fn fraction(
        &mut self,
        name: &'static str,
        default: f64,
        allowed: RangeInclusive<f64>,
        about: &'static str,
    ) -> f64 {
        let allowed = Allowed::Fraction(*allowed.start(), *allowed.end());
        match self.declare(name, Preset::Fixed(Value::Fraction(default)), allowed, about) {
            Some(Value::Fraction(x)) => x,
            _ => default,
        }
    }

    /// Two numbers, the first below the second.
    pub fn bounds(
        &mut self,
        name: &'static str,
        default: [f64; 2],
        allowed: RangeInclusive<f64>,
        about: &'static str,
    ) -> [f64; 2] {
        let preset = Preset::Fixed(Value::Fractions(default.to_vec()));
        match self.declare(name, preset, Allowed::Bounds(*allowed.start(), *allowed.end()), about) {
            Some(Value::Fractions(list)) => list.try_into().unwrap_or(default),
            _ => default,
        }
    }

    /// One of a few words, each with its value.
    pub fn choice<C: Copy + PartialEq>(
        &mut self,
        name: &'static str,
        default: C,
        choices: &[(&'static str, C)],
        about: &'static str,
    ) -> C {
        let word = choices.iter().find(|(_, choice)| *choice == default).map_or("", |(word, _)| *word);
        let preset = Preset::Fixed(Value::Word(word.to_owned()));
        let allowed = Allowed::Words(choices.iter().map(|(word, _)| *word).collect());
        match self.declare(name, preset, allowed, about) {
            Some(Value::Word(word)) => {
                choices.iter().find(|(other, _)| *other == word).map_or(default, |(_, choice)| *choice)
            }
            _ => default,
        }
    }

    /// A text without a default; `derived` says what is used instead.
    pub fn text(&mut self, name: &'static str, derived: &'static str, about: &'static str) -> Option<String> {
        match self.declare(name, Preset::Derived(derived), Allowed::Text, about) {
            Some(Value::Word(word)) => Some(word),
            _ => None,
        }
    }
}

fn whole_numbers(allowed: &RangeInclusive<usize>) -> Allowed {
    Allowed::Whole(*allowed.start() as u64, *allowed.end() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Everything {
        whole: usize,
        derived: Option<usize>,
        list: Vec<usize>,
        fraction: f64,
        bounds: [f64; 2],
        choice: char,
        text: Option<String>,
    }

    fn everything(declaration: &mut Declaration<'_>) -> Everything {
        Everything {
            whole: declaration.whole("whole", 3, 1..=9, "a"),
            derived: declaration.derived_whole("derived", "whole + 1", 1..=9, "b"),
            list: declaration.wholes("list", &[2, 3], 1..=9, "c"),
            fraction: declaration.fraction("fraction", 0.5, 0.0..=1.0, "d"),
            bounds: declaration.bounds("bounds", [0.2, 0.8], 0.0..=1.0, "e"),
            choice: declaration.choice("choice", 'b', &[("a", 'a'), ("b", 'b')], "f"),
            text: declaration.text("text", "must be given", "g"),
        }
    }

    #[test]
    fn one_declaration_gives_the_table_and_the_values() {
        let nothing = BTreeMap::new();
        let mut declaration = Declaration::new(&nothing);
        let usual = everything(&mut declaration);
        let (bounds, list) = ([0.2, 0.8], vec![2, 3]);
        let expected = Everything { whole: 3, derived: None, list, fraction: 0.5, bounds, choice: 'b', text: None };
        assert_eq!(usual, expected);
        let table = declaration.finish();
        let shown: Vec<String> = table.iter().map(|p| format!("{} ({}): {}", p.name, p.default, p.allowed)).collect();
        assert_eq!(
            shown,
            [
                "whole (3): a whole number from 1 to 9",
                "derived (whole + 1): a whole number from 1 to 9",
                "list ([2, 3]): a list of different whole numbers from 1 to 9",
                "fraction (0.5): a number from 0 to 1",
                "bounds ([0.2, 0.8]): two numbers from 0 to 1, the first below the second",
                "choice (b): one of \"a\", \"b\"",
                "text (must be given): a text that is not empty",
            ]
        );
        let given = [
            Value::Whole(9),
            Value::Whole(1),
            Value::Wholes(vec![9, 1]),
            Value::Whole(1),
            Value::Wholes(vec![0, 1]),
            Value::Word("a".into()),
            Value::Word("x".into()),
        ];
        let set = table.iter().zip(given).map(|(p, value)| (p.name, p.checked(value).unwrap())).collect();
        let expected = Everything {
            whole: 9,
            derived: Some(1),
            list: vec![9, 1],
            fraction: 1.0,
            bounds: [0.0, 1.0],
            choice: 'a',
            text: Some("x".into()),
        };
        assert_eq!(everything(&mut Declaration::new(&set)), expected);
    }
}
