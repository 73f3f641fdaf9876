//! The forms of a row: an object of JSON, cells under a header, four columns without one.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::meaning::Scale;
use super::row::{LabelRow, MORE, RowError};
use crate::Circumstances;

/// Names of columns and keys, the first that is there counts.
const SOURCE: [&str; 5] = ["source", "firstId", "first_id", "unique_id_l", "id_l"];
const TARGET: [&str; 5] = ["target", "secondId", "second_id", "unique_id_r", "id_r"];
const LABEL: [&str; 6] = ["label", "judgment", "clerical_match_score", "relation", "kind", "grade"];
/// What `labels export` and Splink write beside labels, and nobody reads again.
const PASSED_OVER: [&str; 5] = ["source_text", "target_text", "source_dataset_l", "source_dataset_r", "annotators"];

/// An object in which no key stands twice: it would not be known which of them counts.
pub(super) struct Object(pub(super) Map<String, Value>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = Object;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Object, A::Error> {
                let mut object = Map::new();
                while let Some((key, value)) = entries.next_entry::<String, Value>()? {
                    if object.contains_key(&key) {
                        return Err(A::Error::custom(format_args!("the key “{key}” stands twice")));
                    }
                    object.insert(key, value);
                }
                Ok(Object(object))
            }
        }
        deserializer.deserialize_map(Keys)
    }
}

/// A text or a number, as a text.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(yes.to_string()),
        _ => None,
    }
}

pub(super) fn json(object: &Map<String, Value>) -> Result<LabelRow, RowError> {
    let present = |name: &'static str| object.get(name).filter(|value| !value.is_null()).map(|value| (name, value));
    let text = |names: &[&'static str]| match names.iter().find_map(|name| present(name)) {
        Some((name, value)) => scalar(value).map(Some).ok_or(RowError::NoText(name)),
        None => Ok(None),
    };
    let source = text(&SOURCE)?.ok_or(RowError::NoKey("source"))?;
    let target = text(&TARGET)?.ok_or(RowError::NoKey("target"))?;
    let row = LabelRow::new(source, target, text(&LABEL)?.unwrap_or_default())?;
    let names = |names: &[Value]| names.iter().map(scalar).collect::<Option<Vec<_>>>().map(|names| names.join(","));
    let detail = |name: &str| match object.get(name)? {
        Value::Array(list) if name == "also_in" => names(list),
        value => scalar(value),
    };
    let how = |key: &str| object.get(key).filter(|value| !value.is_null() && *value != "").cloned();
    let mut row = row.with_details(MORE.map(detail)).with_circumstances(how);
    for name in MORE {
        if let Some(value) = object.get(name).filter(|value| !value.is_null() && detail(name).is_none()) {
            row.leave_out(name, &value.to_string(), if name == "also_in" { "names of samples" } else { "a text" });
        }
    }
    Ok(row)
}

/// Where a table has what.
pub(super) struct Columns {
    source: usize,
    target: usize,
    label: usize,
    /// Splink's name of the dataset on the left: `target` when the two stand the other way round.
    side: Option<usize>,
    more: [Option<usize>; 8],
    how: Vec<(&'static str, usize)>,
    pub(super) scale: Scale,
    head: Vec<String>,
}

impl Columns {
    /// The columns of a header; none when it does not name those that every label has.
    pub(super) fn from_header(head: &[String]) -> Option<Self> {
        let column =
            |names: &[&str]| names.iter().find_map(|name| head.iter().position(|cell| cell.eq_ignore_ascii_case(name)));
        let (source, target, label) = (column(&SOURCE)?, column(&TARGET)?, column(&LABEL)?);
        let scale = match (head[label].as_str(), head[source].as_str()) {
            ("clerical_match_score", _) => Scale::Splink,
            (_, "firstId") => Scale::Copycat,
            _ => Scale::Plain,
        };
        let (side, more) = (column(&["source_dataset_l"]), MORE.map(|name| column(&[name])));
        let how = Circumstances::KEYS.into_iter().filter_map(|key| Some((key, column(&[key])?))).collect();
        Some(Self { source, target, label, side, more, how, scale, head: head.to_vec() })
    }

    /// The name of a column that counts and stands in the header more than once.
    pub(super) fn named_twice(&self) -> Option<&str> {
        let ids = [self.source, self.target, self.label].into_iter().chain(self.side);
        let counting = ids.chain(self.more.into_iter().flatten()).chain(self.how.iter().map(|(_, column)| *column));
        let is_twice = |name: &&str| self.head.iter().filter(|cell| cell.eq_ignore_ascii_case(name)).count() > 1;
        counting.map(|column| self.head[column].as_str()).find(is_twice)
    }

    pub(super) fn read(&self, cells: &[String]) -> Result<LabelRow, RowError> {
        let cell = |c: usize| cells.get(c).cloned().ok_or(RowError::FewColumns);
        let some = |c: Option<usize>| c.and_then(|c| cells.get(c)).cloned();
        let (mut source, mut target) = (cell(self.source)?, cell(self.target)?);
        if some(self.side).as_deref() == Some("target") {
            (source, target) = (target, source);
        }
        let how = |key: &str| {
            let (_, column) = self.how.iter().find(|(name, _)| *name == key)?;
            let text = cells.get(*column).filter(|text| !text.trim().is_empty())?;
            Some(Value::String(text.trim().to_owned()))
        };
        let row = LabelRow::new(source, target, cell(self.label)?)?;
        let mut row = row.with_details(self.more.map(some)).with_circumstances(how);
        for cell in cells.iter().skip(self.head.len()).filter(|cell| !cell.trim().is_empty()) {
            row.leave_out("a cell", cell, "nothing behind the columns of the header");
        }
        Ok(row)
    }
}

/// Names of columns and keys that have a meaning here.
fn known_names() -> impl Iterator<Item = &'static str> {
    SOURCE.into_iter().chain(TARGET).chain(LABEL).chain(MORE).chain(Circumstances::KEYS)
}

/// A name that no label has anything under.
pub(super) fn is_unread(name: &str) -> bool {
    !known_names().chain(PASSED_OVER).any(|known| known.eq_ignore_ascii_case(name))
}

pub(super) fn qrels(cells: Vec<String>) -> Result<LabelRow, RowError> {
    match <[String; 4]>::try_from(cells) {
        Ok([source, _, target, grade]) if grade.parse::<f64>().is_ok() => LabelRow::new(source, target, grade),
        Ok(_) => Err(RowError::NoHeader),
        Err(cells) if matches!(&cells[..], [line] if line.matches(';').count() >= 2) => Err(RowError::Semicolons),
        Err(_) => Err(RowError::NoHeader),
    }
}
