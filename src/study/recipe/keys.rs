//! A table of a TOML file that knows where it stands: every complaint names key and line.
//!
//! The crate `toml` parses and says where each value stands; its values are then asked for one by one rather than derived
//! with serde. Serde stops at the first problem, where a settings file tells all of them and uses the rest, knows only
//! the last part of a key (`text.jaccard` is two fields to it), and says what was expected in the words of Rust.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;

use strum::VariantNames;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::StudyError;

/// The text and the name of the file that keys are read from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TomlSource<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
}

impl TomlSource<'_> {
    /// Line of a byte, counted from 1.
    pub(crate) fn line(&self, byte: usize) -> usize {
        self.text.bytes().take(byte).filter(|&b| b == b'\n').count() + 1
    }
}

/// A value with its key and place.
#[derive(Debug, Clone)]
pub(crate) struct Item<'a> {
    source: TomlSource<'a>,
    key: String,
    value: &'a Spanned<DeValue<'a>>,
}

/// A table with its name; remembers which keys were asked for.
#[derive(Debug)]
pub(crate) struct Section<'a> {
    source: TomlSource<'a>,
    /// Empty for the whole file.
    name: String,
    table: &'a DeTable<'a>,
    start: usize,
    known: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Section<'a> {
    pub(crate) fn whole(source: TomlSource<'a>, table: &'a Spanned<DeTable<'a>>) -> Self {
        Self { source, name: String::new(), table: table.get_ref(), start: 0, known: RefCell::default() }
    }

    /// The value of a key, if it is there.
    pub(crate) fn item(&self, key: &'static str) -> Option<Item<'a>> {
        self.known.borrow_mut().insert(key);
        let value = self.table.get(key)?;
        Some(Item { source: self.source, key: self.path_of(key), value })
    }

    /// Every key and value that was not asked for yet, in the order of the file.
    pub(crate) fn rest(&self) -> Vec<(&'a str, Item<'a>)> {
        let known = self.known.borrow();
        let mut rest: Vec<_> = self
            .table
            .iter()
            .filter(|(key, _)| !known.contains(key.get_ref().as_ref()))
            .map(|(key, value)| {
                let item = Item { source: self.source, key: self.path_of(key.get_ref()), value };
                (key.get_ref().as_ref(), item)
            })
            .collect();
        rest.sort_by_key(|(_, item)| item.value.span().start);
        rest
    }

    /// Complains about the first key that nobody asked for.
    pub(crate) fn finish(&self) -> Result<(), StudyError> {
        let Some((_, item)) = self.rest().into_iter().next() else { return Ok(()) };
        let known: Vec<&str> = self.known.borrow().iter().copied().collect();
        Err(item.wrong(format!("is not known here; expected one of {}", known.join(", "))))
    }

    /// A complaint about the table itself.
    pub(crate) fn wrong(&self, key: &str, problem: impl Into<String>) -> StudyError {
        StudyError::Key {
            path: self.source.path.to_owned(),
            line: self.source.line(self.start),
            key: self.path_of(key),
            problem: problem.into(),
        }
    }

    fn path_of(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }
}

impl<'a> Item<'a> {
    /// A complaint about this value.
    pub(crate) fn wrong(&self, problem: impl Into<String>) -> StudyError {
        StudyError::Key {
            path: self.source.path.to_owned(),
            line: self.line(),
            key: self.key.clone(),
            problem: problem.into(),
        }
    }

    pub(crate) fn expected(&self, what: &str) -> StudyError {
        self.wrong(format!("is {}, expected {what}", article(self.value.get_ref())))
    }

    pub(crate) fn line(&self) -> usize {
        self.source.line(self.value.span().start)
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    pub(crate) fn string(&self) -> Result<&'a str, StudyError> {
        self.value.get_ref().as_str().ok_or_else(|| self.expected("a string"))
    }

    pub(crate) fn boolean(&self) -> Result<bool, StudyError> {
        self.value.get_ref().as_bool().ok_or_else(|| self.expected("true or false"))
    }

    pub(crate) fn whole(&self) -> Result<u64, StudyError> {
        let integer = self.value.get_ref().as_integer();
        let parsed = integer.and_then(|i| u64::from_str_radix(&i.as_str().replace('_', ""), i.radix()).ok());
        let wanted = "a whole number of 0 or more";
        parsed.ok_or_else(|| match integer {
            Some(integer) if integer.as_str().starts_with('-') => {
                self.wrong(format!("is {}, expected {wanted}", integer.as_str()))
            }
            Some(_) => self.wrong(format!("is too large, expected {wanted}, at most {}", u64::MAX)),
            None => self.expected(wanted),
        })
    }

    /// A number, with or without a fraction.
    pub(crate) fn number(&self) -> Result<f64, StudyError> {
        let value = self.value.get_ref();
        let written = value.as_float().map(|f| f.as_str()).or_else(|| value.as_integer().map(|i| i.as_str()));
        let parsed = written.and_then(|text| text.replace('_', "").parse::<f64>().ok()).filter(|x| x.is_finite());
        parsed.ok_or_else(|| self.expected("a number"))
    }

    pub(crate) fn is_float(&self) -> bool {
        self.value.get_ref().is_float()
    }

    pub(crate) fn is_string(&self) -> bool {
        self.value.get_ref().is_str()
    }

    pub(crate) fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.value.get_ref().is_integer()
    }

    /// The elements of a list; a single value counts as a list of one.
    pub(crate) fn list(&self) -> Vec<Item<'a>> {
        let one = |value: &'a Spanned<DeValue<'a>>| Item { source: self.source, key: self.key.clone(), value };
        match self.value.get_ref() {
            DeValue::Array(array) => array.iter().map(one).collect(),
            _ => vec![self.clone()],
        }
    }

    pub(crate) fn section(&self) -> Result<Section<'a>, StudyError> {
        let table = self.value.get_ref().as_table().ok_or_else(|| self.expected("a table"))?;
        Ok(Section {
            source: self.source,
            name: self.key.clone(),
            table,
            start: self.value.span().start,
            known: RefCell::default(),
        })
    }
}

fn article(value: &DeValue<'_>) -> String {
    let kind = value.type_str();
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
}

/// What a key chooses by its word; the default when it is not there.
pub(crate) fn one_of<T>(section: &Section<'_>, key: &'static str) -> Result<T, StudyError>
where
    T: Default + FromStr + VariantNames,
{
    let Some(item) = section.item(key) else { return Ok(T::default()) };
    let word = item.string()?;
    let known = || T::VARIANTS.join("\", \"");
    word.parse().map_err(|_| item.wrong(format!("is \"{word}\", expected one of \"{}\"", known())))
}

/// Bytes of a name that becomes the name of files, with endings behind it.
const LONGEST_NAME: usize = 100;

/// Names of segments and configurations become names of files.
pub(crate) fn file_name(item: &Item<'_>, name: &str) -> Result<String, StudyError> {
    if name.len() > LONGEST_NAME {
        return Err(item.wrong(format!("is too long: {} bytes, at most {LONGEST_NAME} (it names files)", name.len())));
    }
    let fine =
        !name.is_empty() && !name.starts_with('.') && name.chars().all(|c| c.is_alphanumeric() || "+-_.".contains(c));
    if fine {
        Ok(name.to_owned())
    } else {
        Err(item.wrong("must be made of letters, digits, + - _ and . (it names files)"))
    }
}
