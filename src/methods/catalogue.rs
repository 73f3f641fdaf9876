//! The methods on offer: one static slice, and the words in which a study sets their parameters.

use std::collections::BTreeMap;
use std::fmt::{self, Debug};

use super::layout::Layout;
use super::{Explanation, Prepared, simhash};

/// All methods, in the order in which lists show them.
pub static CATALOGUE: &[&dyn Entry] = &[&simhash::Entry];

/// The method of this name.
pub fn find(name: &str) -> Option<&'static dyn Entry> {
    CATALOGUE.iter().copied().find(|entry| entry.name() == name)
}

/// The table of methods for the README.
pub fn markdown() -> String {
    let mut table = String::from("| method | what it does | parameters (default) |\n|---|---|---|\n");
    for entry in CATALOGUE {
        let parameters: Vec<String> =
            entry.parameters().iter().map(|p| format!("`{}` ({})", p.name, p.default)).collect();
        table.push_str(&format!("| `{}` | {} | {} |\n", entry.name(), entry.about(), parameters.join(", ")));
    }
    table
}

/// A method as offered to the user.
pub trait Entry: Debug + Sync {
    /// Stable: stored with results and written in `study.toml`.
    fn name(&self) -> &'static str;
    /// One sentence, and the paper.
    fn about(&self) -> &'static str;
    /// What a study may set.
    fn parameters(&self) -> &'static [Parameter];
    /// The name of a configuration with these values, when the study gives none.
    fn title(&self, values: &Values) -> String;
    /// Ties the method to values that [`Values::set`] has accepted.
    fn fit(&self, values: &Values) -> Result<Box<dyn Method>, MethodError>;
}

/// A fitted method. Deterministic: the same text and parameters give the same sketch on every machine.
pub trait Method: Debug + Send + Sync {
    /// How sketches of this method are looked up.
    fn shape(&self) -> Shape<'_>;
    /// Appends the sketch to `out`; false, and nothing appended, when this document has none.
    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool;
    /// Whether two sketches agree, and how far. Symmetric.
    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence>;
    /// Why two documents match or not; the headline's value equals what [`Method::compare`] said.
    fn explain(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Explanation;
    /// The sketch as `sketches` prints it.
    fn print(&self, sketch: &[u64]) -> String;
}

/// How the sketches of a method are looked up. The engine knows shapes, not names.
#[derive(Debug, Clone, Copy)]
pub enum Shape<'a> {
    /// Fingerprints of a fixed width that may differ in a few bits.
    Fingerprint(&'a Layout),
}

/// What `compare` found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// Differing bits of a fingerprint.
    pub distance: u16,
}

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
    /// One of these words.
    Words(&'static [&'static str]),
}

/// A value that a study gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Whole(u64),
    /// A list of whole numbers.
    Wholes(Vec<u64>),
    /// A word.
    Word(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(n) => write!(f, "{n}"),
            Self::Wholes(list) => write!(f, "{list:?}"),
            Self::Word(word) => write!(f, "\"{word}\""),
        }
    }
}

impl Allowed {
    fn admits(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Whole(low, high), Value::Whole(n)) => (low..=high).contains(n),
            (Self::Wholes(low, high), Value::Wholes(list)) => {
                let mut seen = list.clone();
                seen.sort_unstable();
                seen.dedup();
                !list.is_empty() && seen.len() == list.len() && list.iter().all(|n| (low..=high).contains(n))
            }
            (Self::Words(words), Value::Word(word)) => words.contains(&word.as_str()),
            _ => false,
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(low, high) => write!(f, "a whole number from {low} to {high}"),
            Self::Wholes(low, high) => write!(f, "a list of different whole numbers from {low} to {high}"),
            Self::Words(words) => write!(f, "one of \"{}\"", words.join("\", \"")),
        }
    }
}

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

    /// Sets a parameter, or says why it cannot be that.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), MethodError> {
        let parameters = self.entry.parameters();
        let Some(parameter) = parameters.iter().find(|p| p.name == name) else {
            return Err(MethodError::Unknown {
                method: self.entry.name(),
                name: name.to_owned(),
                known: parameters.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
            });
        };
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

    /// A word; empty if the parameter has none.
    pub fn word(&self, name: &str) -> String {
        match self.value(name) {
            Some(Value::Word(word)) => word,
            _ => String::new(),
        }
    }

    /// Every parameter with the value in force, for manifests and `--dry-run`.
    pub fn all(&self) -> Vec<(&'static str, Value)> {
        self.entry.parameters().iter().filter_map(|p| Some((p.name, self.value(p.name)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Tokens;

    fn sketch(method: &dyn Method, text: &str) -> Option<Vec<u64>> {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let mut out = Vec::new();
        method.sketch(&Prepared::new(text, &tokens), &mut out).then_some(out)
    }

    #[test]
    fn every_method_is_documented_and_its_defaults_are_allowed() {
        for entry in CATALOGUE {
            assert_eq!(CATALOGUE.iter().filter(|other| other.name() == entry.name()).count(), 1);
            assert!(!entry.about().is_empty());
            let mut values = Values::new(*entry);
            for parameter in entry.parameters() {
                assert!(!parameter.about.is_empty(), "{}", parameter.name);
                if let Some(value) = values.value(parameter.name) {
                    assert_eq!(values.set(parameter.name, value), Ok(()), "{}", parameter.name);
                }
            }
            assert!(entry.fit(&values).is_ok());
        }
    }

    #[test]
    fn every_method_is_symmetric_and_finds_equal_documents() {
        let texts =
            ["the quick brown fox jumps over the lazy dog", "an entirely different page about tide mills", "", "one"];
        for entry in CATALOGUE {
            let method = entry.fit(&Values::new(*entry)).unwrap();
            for a in texts {
                for b in texts {
                    let (Some(x), Some(y)) = (sketch(&*method, a), sketch(&*method, b)) else { continue };
                    assert_eq!(method.compare(&x, &y), method.compare(&y, &x));
                    assert!(a != b || method.compare(&x, &y) == Some(Evidence { distance: 0 }));
                }
            }
            assert_eq!((sketch(&*method, ""), sketch(&*method, "one")), (None, None), "{}", entry.name());
        }
    }

    #[test]
    fn what_a_study_may_not_say_is_refused_with_what_it_may() {
        let entry = find("simhash").unwrap();
        let mut values = Values::new(entry);
        let refused = |result: Result<(), MethodError>| result.unwrap_err().to_string();
        assert!(refused(values.set("bits", Value::Whole(600))).contains("8 to 512"));
        assert!(refused(values.set("ngrams", Value::Wholes(vec![3, 3]))).contains("different whole numbers"));
        assert!(refused(values.set("hash", Value::Word("md5".into()))).contains("\"xxh3\", \"rabin\""));
        assert!(refused(values.set("size", Value::Whole(1))).contains("it has ngrams, bits"));
    }
}
