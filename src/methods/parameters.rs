//! The words in which a study sets the parameters of a method: what they may be, what they are by default.

use std::collections::BTreeMap;
use std::fmt;

use super::method::Entry;

/// What can be wrong with a configuration.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MethodError {
    /// The method has no such parameter.
    #[error("{method} has no parameter `{name}`; it has {known}")]
    Unknown {
        /// The method's name.
        method: &'static str,
        /// The parameter asked for.
        name: String,
        /// Those there are.
        known: String,
    },
    /// The value is outside what is allowed.
    #[error("`{name}` is {found}, expected {expected}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What the study says.
        found: String,
        /// What it may say.
        expected: String,
    },
}

/// A parameter of a method.
#[derive(Debug)]
pub struct Parameter {
    /// As written in `study.toml`.
    pub name: &'static str,
    /// What it is, and what raising it does.
    pub about: &'static str,
    /// The paper's value.
    pub default: Preset,
    /// What it may be.
    pub allowed: Allowed,
}

/// A default value, as a constant.
#[derive(Debug, Clone, Copy)]
pub enum Preset {
    /// A whole number.
    Whole(u64),
    /// A list of whole numbers.
    Wholes(&'static [u64]),
    /// A number with a fraction.
    Fraction(f64),
    /// A list of such numbers.
    Fractions(&'static [f64]),
    /// One of a few words.
    Word(&'static str),
    /// Follows from other parameters, as the text says.
    Derived(&'static str),
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(n) => write!(f, "{n}"),
            Self::Wholes(list) => write!(f, "{list:?}"),
            Self::Fraction(x) => write!(f, "{x}"),
            Self::Fractions(list) => write!(f, "{list:?}"),
            Self::Word(word) | Self::Derived(word) => f.write_str(word),
        }
    }
}

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub enum Allowed {
    /// A whole number within bounds, both included.
    Whole(u64, u64),
    /// A list of different whole numbers within bounds.
    Wholes(u64, u64),
    /// A number within bounds, both included.
    Fraction(f64, f64),
    /// Two numbers within bounds, the first below the second.
    Bounds(f64, f64),
    /// One of these words.
    Words(&'static [&'static str]),
    /// Any text that is not empty.
    Text,
}

/// A value that a study gives.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number.
    Whole(u64),
    /// A list of whole numbers.
    Wholes(Vec<u64>),
    /// A number with a fraction.
    Fraction(f64),
    /// A list of such numbers.
    Fractions(Vec<f64>),
    /// A word.
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
    /// The value in the kind of number that is asked for: 1 is as good as 1.0.
    fn adapted(self, value: Value) -> Value {
        match (self, value) {
            (Self::Fraction(..), Value::Whole(n)) => Value::Fraction(n as f64),
            (Self::Bounds(..), Value::Wholes(list)) => Value::Fractions(list.iter().map(|&n| n as f64).collect()),
            (_, value) => value,
        }
    }

    fn admits(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Whole(low, high), Value::Whole(n)) => (low..=high).contains(n),
            (Self::Wholes(low, high), Value::Wholes(list)) => {
                let mut seen = list.clone();
                seen.sort_unstable();
                seen.dedup();
                !list.is_empty() && seen.len() == list.len() && list.iter().all(|n| (low..=high).contains(n))
            }
            (Self::Fraction(low, high), Value::Fraction(x)) => (low..=high).contains(x),
            (Self::Bounds(low, high), Value::Fractions(list)) => {
                matches!(list[..], [a, b] if low <= a && a < b && b <= high)
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

/// Parameters that came after version 0.1.0, with the value that stands for what it did.
const LATER: [(&str, &str); 1] = [("words", "\"all\"")];

/// The values of one configuration; those not set are the defaults.
#[derive(Debug, Clone)]
pub struct Values {
    entry: &'static dyn Entry,
    set: BTreeMap<&'static str, Value>,
}

impl Values {
    /// All defaults.
    pub fn new(entry: &'static dyn Entry) -> Self {
        Self { entry, set: BTreeMap::new() }
    }

    /// Whose values these are.
    pub fn entry(&self) -> &'static dyn Entry {
        self.entry
    }

    /// Sets a parameter, or says why it cannot be that.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), MethodError> {
        let parameters = self.entry.parameters();
        let Some(parameter) = parameters.iter().find(|p| p.name == name) else {
            let known: Vec<&str> = parameters.iter().map(|p| p.name).collect();
            return Err(MethodError::Unknown {
                method: self.entry.name(),
                name: name.to_owned(),
                known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
            });
        };
        let value = parameter.allowed.adapted(value);
        if !parameter.allowed.admits(&value) {
            return Err(MethodError::Value {
                name: parameter.name,
                found: value.to_string(),
                expected: parameter.allowed.to_string(),
            });
        }
        self.set.insert(parameter.name, value);
        Ok(())
    }

    /// The value of a parameter: as set, else its default; none when it is derived.
    pub fn value(&self, name: &str) -> Option<Value> {
        if let Some(value) = self.set.get(name) {
            return Some(value.clone());
        }
        let parameter = self.entry.parameters().iter().find(|p| p.name == name)?;
        match parameter.default {
            Preset::Whole(n) => Some(Value::Whole(n)),
            Preset::Wholes(list) => Some(Value::Wholes(list.to_vec())),
            Preset::Fraction(x) => Some(Value::Fraction(x)),
            Preset::Fractions(list) => Some(Value::Fractions(list.to_vec())),
            Preset::Word(word) => Some(Value::Word(word.to_owned())),
            Preset::Derived(_) => None,
        }
    }

    /// A whole number, if the parameter has one.
    pub fn whole(&self, name: &str) -> Option<u64> {
        match self.value(name)? {
            Value::Whole(n) => Some(n),
            _ => None,
        }
    }

    /// A list of whole numbers; empty if the parameter has none.
    pub fn wholes(&self, name: &str) -> Vec<u64> {
        match self.value(name) {
            Some(Value::Wholes(list)) => list,
            _ => Vec::new(),
        }
    }

    /// A number with a fraction, if the parameter has one.
    pub fn fraction(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Fraction(x) => Some(x),
            _ => None,
        }
    }

    /// A list of numbers with fractions; empty if the parameter has none.
    pub fn fractions(&self, name: &str) -> Vec<f64> {
        match self.value(name) {
            Some(Value::Fractions(list)) => list,
            _ => Vec::new(),
        }
    }

    /// The method's name with every value that differs from its default, for a configuration without a name.
    pub fn title(&self) -> String {
        let mut title = self.entry.name().to_owned();
        for parameter in self.entry.parameters() {
            let Some(value) = self.set.get(parameter.name) else { continue };
            if value.to_string().trim_matches('"') == parameter.default.to_string() {
                continue;
            }
            let written = match value {
                Value::Wholes(list) => list.iter().map(u64::to_string).collect::<Vec<_>>().join("+"),
                Value::Fractions(list) => list.iter().map(f64::to_string).collect::<Vec<_>>().join("+"),
                Value::Word(word) => word.clone(),
                Value::Whole(_) | Value::Fraction(_) => value.to_string(),
            };
            title.push_str(&format!("-{}{written}", parameter.name.replace('_', "-")));
        }
        title
    }

    /// A word; empty if the parameter has none.
    pub fn word(&self, name: &str) -> String {
        match self.value(name) {
            Some(Value::Word(word)) => word,
            _ => String::new(),
        }
    }

    /// Every parameter with the value in force.
    pub fn all(&self) -> Vec<(&'static str, Value)> {
        self.entry.parameters().iter().filter_map(|p| Some((p.name, self.value(p.name)?))).collect()
    }

    /// The parameters as manifests and samples keep them, to be compared later on: all but those that only say what an
    /// earlier version did anyway, so that what that version wrote stays comparable.
    pub fn kept(&self) -> Vec<(&'static str, Value)> {
        let mut all = self.all();
        all.retain(|(name, value)| !LATER.contains(&(name, value.to_string().as_str())));
        all
    }
}
