//! A row of a table of labels: the label, and what is said beside it.

use serde_json::Value;

use crate::Circumstances;
use crate::time::is_moment;
use dejaview_base::cells::UnclosedQuote;
use dejaview_base::json::fault_in_line;

/// A label as written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelRow {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Id of the source document.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    /// The word or grade; empty where a sample lists a pair that nobody has labelled.
    pub value: String,
    /// Who gave it, if the file says so.
    pub annotator: Option<String>,
    /// A note, if there is one.
    pub note: Option<String>,
    /// When it was given, if the file says so.
    pub time: Option<String>,
    /// The sample in which it was given, if the file says so.
    pub sample: Option<String>,
    /// Other samples in which the annotator answered the pair, with commas between.
    pub also_in: Option<String>,
    /// Whether the file says that the pair is flagged.
    pub flag: bool,
    /// How it came about, as far as the file says so.
    pub circumstances: Circumstances,
    /// The stratum of the sample that the pair was drawn from.
    pub stratum: Option<String>,
    /// How many pairs that stratum has.
    pub population: Option<String>,
    /// What the row says beside its label and cannot be understood, in words. It was left out.
    pub left_out: Vec<String>,
}

/// Most bytes of a note, 1 MiB: it is held by whatever reads labels.
pub const LONGEST_NOTE: usize = 1 << 20;

/// Why a row gives no pair.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowError {
    #[error(transparent)]
    Quote(#[from] UnclosedQuote),
    #[error("an id is missing: each line needs a source and a target")]
    NoId,
    #[error("expected one JSON object a line: {}", fault_in_line(.0))]
    Json(#[from] serde_json::Error),
    #[error("there is no {0}")]
    NoKey(&'static str),
    #[error("{0} is neither a text nor a number")]
    NoText(&'static str),
    #[error("there are fewer columns than in the header")]
    FewColumns,
    #[error("the header names the column “{0}” twice, so it is not known which of them counts; rename or remove one")]
    NamedTwice(String),
    #[error(
        "columns are apart by semicolons; separate them by commas or tabs (spreadsheets save so as “Text, tab delimited”)"
    )]
    Semicolons,
    #[error(
        "expected a header with source, target and label (and for a sample stratum and population), or four columns \
         without a header: source, 0, target, grade"
    )]
    NoHeader,
}

/// Optional columns of a row, in the order of [`LabelRow::with_details`].
pub(super) const MORE: [&str; 8] = ["annotator", "note", "time", "sample", "also_in", "flag", "stratum", "population"];

impl LabelRow {
    pub(super) fn new(source: String, target: String, value: String) -> Result<Self, RowError> {
        if source.is_empty() || target.is_empty() {
            return Err(RowError::NoId);
        }
        Ok(Self { source, target, value, ..Self::default() })
    }

    /// Fills in the optional columns, in the order of [`MORE`].
    pub(super) fn with_details(mut self, more: [Option<String>; 8]) -> Self {
        let more = more.map(|text| text.filter(|text| !text.trim().is_empty()));
        let [annotator, note, time, sample, also_in, flag, stratum, population] = more;
        (self.annotator, self.note, self.sample, self.also_in) = (annotator, note, sample, also_in);
        if let Some(note) = self.note.take_if(|note| note.len() > LONGEST_NOTE) {
            self.leave_out("note", &note, "1 MiB at most");
        }
        (self.stratum, self.population) = (stratum, population);
        match time {
            Some(time) if !is_moment(time.trim()) => self.leave_out(
                "time",
                &time,
                "a moment in UTC from 1970 on, such as 2012-03-04T05:06:07Z; the label gets the time of the import",
            ),
            time => self.time = time.map(|time| time.trim().to_owned()),
        }
        match flag.map(|flag| yes_or_no(&flag).ok_or(flag)) {
            None => {}
            Some(Ok(flag)) => self.flag = flag,
            Some(Err(other)) => self.leave_out("flag", &other, "true or false"),
        }
        self
    }

    /// Fills in the circumstances, given the value under each key.
    pub(super) fn with_circumstances(mut self, value: impl Fn(&str) -> Option<Value>) -> Self {
        let typed = |key: &'static str| Some((key.to_owned(), typed(key, value(key)?)));
        let mut object = Circumstances::KEYS.into_iter().filter_map(typed).collect();
        self.circumstances = Circumstances::take(&mut object);
        for key in object.keys() {
            let written = value(key).unwrap_or_default();
            self.leave_out(key, written.as_str().unwrap_or(&written.to_string()), expected(key));
        }
        self
    }

    /// Notes that a value was not taken, because it is not what it should be.
    pub(super) fn leave_out(&mut self, name: &str, value: &str, expected: &str) {
        self.left_out.push(format!("{name} “{}” was left out: expected {expected}", shortened(value)));
    }
}

/// What is written under a key of [`Circumstances`].
fn expected(key: &str) -> &'static str {
    match key {
        "dwell_ms" => "a whole number of milliseconds",
        "scrolled_to_end" | "peeked" | "repeat" => "true or false",
        "order" => "source-first or target-first",
        "probability" => "a number",
        "overrides" => "names of adjudicators",
        _ => "a text",
    }
}

/// Splits names that a file lists with commas between them.
pub fn split_names(names: &str) -> impl Iterator<Item = &str> {
    names.split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// What people and spreadsheets write for true and false.
fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// A circumstance as events have it, where a table has text.
fn typed(key: &str, value: Value) -> Value {
    match (key, value) {
        ("scrolled_to_end" | "peeked" | "repeat", Value::String(text)) => {
            yes_or_no(&text).map_or(Value::String(text), Value::Bool)
        }
        ("overrides", Value::String(names)) => split_names(&names).collect(),
        ("class" | "reason", Value::Number(number)) => number.to_string().into(),
        ("class" | "reason" | "shown" | "order" | "version" | "source_digest" | "target_digest", value) => value,
        (_, Value::String(text)) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        (_, value) => value,
    }
}

/// A value as a message shows it: not more of it than a reader wants to see.
pub fn shortened(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

/// Letters of a value that a message shows.
const SHOWN: usize = 60;
