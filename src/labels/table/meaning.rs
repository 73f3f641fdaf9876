//! What the words and grades of another tool mean: as its users say, else as the words and scales that are known here say.
//! A value that neither knows is refused, never guessed.

use serde::Serialize;

use crate::Label;
use dejaview_base::shell::quoted;

/// The grades that a table may have, told by its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// 0 and 1.
    #[default]
    Plain,
    /// Qrels of pairs: 0, 1, and -1 for unsure.
    Qrels,
    /// CopyCat: 0 and 0.5 are no near-duplicates; 1, 2 and 3 are.
    Copycat,
    /// Splink's clerical match score: 0, 1, and 0.5 for unsure.
    Splink,
}

impl Scale {
    fn label(self, grade: f64) -> Option<Label> {
        let is = |grades: &[f64]| grades.contains(&grade);
        match self {
            _ if is(&[0.0]) => Some(Label::Not),
            _ if is(&[1.0]) => Some(Label::NearDuplicate),
            Self::Qrels if is(&[-1.0]) => Some(Label::Unsure),
            Self::Splink if is(&[0.5]) => Some(Label::Unsure),
            Self::Copycat if is(&[0.5]) => Some(Label::Not),
            Self::Copycat if is(&[2.0, 3.0]) => Some(Label::NearDuplicate),
            _ => None,
        }
    }
}

/// The word for all values that are neither named nor known.
const REST: &str = "rest";

/// Why values cannot mean what their user says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MeaningError {
    #[error("“{0}” is no range of grades; write 1..3, 1.. or ..0.5")]
    Range(String),
    #[error("“{value}” cannot mean both {} and {}", labels[0].name(), labels[1].name())]
    TwoLabels { value: String, labels: [Label; 2] },
}

/// Values that a user named.
#[derive(Debug, Clone, PartialEq)]
enum Named {
    /// A word, as it is compared.
    Word(String),
    Grade(f64),
    /// Grades between two, both included.
    Grades(f64, f64),
}

impl Named {
    fn parse(value: &str) -> Result<Self, MeaningError> {
        let word = plain(value);
        if let Some((low, high)) = word.split_once("..") {
            let end = |text: &str, open: f64| if text.is_empty() { Some(open) } else { text.parse().ok() };
            return match (end(low, f64::NEG_INFINITY), end(high, f64::INFINITY)) {
                (Some(low), Some(high)) if low <= high => Ok(Self::Grades(low, high)),
                _ => Err(MeaningError::Range(value.to_owned())),
            };
        }
        Ok(grade(&word).map_or(Self::Word(word), Self::Grade))
    }

    fn is(&self, word: &str) -> bool {
        match self {
            Self::Word(own) => own == word,
            Self::Grade(own) => grade(word) == Some(*own),
            Self::Grades(low, high) => grade(word).is_some_and(|grade| (*low..=*high).contains(&grade)),
        }
    }

    fn is_range(&self) -> bool {
        matches!(self, Self::Grades(..))
    }
}

/// What people say that the values of a table mean. A value named by itself goes before a range. Known words and the
/// table's [`Scale`] decide about the others, but for labels whose values were named: those are then all there are.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    named: Vec<(String, Named, Label)>,
    rest: Option<Label>,
    /// The option that says which values mean unsure, as the command in use calls it.
    unsure_option: &'static str,
}

impl Default for Meaning {
    fn default() -> Self {
        Self { named: Vec::new(), rest: None, unsure_option: "--unsure" }
    }
}

impl Meaning {
    /// Takes the values that mean near-duplicate, not, and unsure. Each is a word, a grade, a range of grades (`1..3`, `1..`),
    /// or `rest` for all that is not known otherwise.
    pub fn new(positive: &[String], negative: &[String], unsure: &[String]) -> Result<Self, MeaningError> {
        let mut meaning = Self::default();
        for (values, label) in Label::ALL.iter().copied().zip([positive, negative, unsure]).map(|(label, v)| (v, label))
        {
            for value in values {
                meaning.add(value, label)?;
            }
        }
        Ok(meaning)
    }

    fn add(&mut self, value: &str, label: Label) -> Result<(), MeaningError> {
        if plain(value) == REST {
            return match self.rest.replace(label) {
                Some(other) if other != label => {
                    Err(MeaningError::TwoLabels { value: REST.to_owned(), labels: [other, label] })
                }
                _ => Ok(()),
            };
        }
        let named = Named::parse(value)?;
        let same = |(_, other, of): &&(String, Named, Label)| *of != label && overlap(other, &named);
        if let Some((_, _, other)) = self.named.iter().find(same) {
            return Err(MeaningError::TwoLabels { value: value.to_owned(), labels: [*other, label] });
        }
        self.named.push((value.to_owned(), named, label));
        Ok(())
    }

    /// Names the option of the command in use that says which values mean unsure.
    #[must_use]
    pub fn unsure_by(mut self, option: &'static str) -> Self {
        self.unsure_option = option;
        self
    }

    /// What is wrong with values that are not known, the first of which is `value`, and what to do about them.
    pub(super) fn complaint(&self, value: &str, rows: &str, others: &str) -> String {
        let unsure = self.unsure_option;
        let options = ["--positive", "--negative", unsure];
        let given = Label::ALL.iter().copied().zip(options).filter(|(label, _)| self.names(*label));
        let given: Vec<&str> = given.map(|(_, option)| option).collect();
        if !given.is_empty() {
            return format!(
                "“{value}” is not among the values named ({rows}){others}; where {} names values, only those count, and no \
                 known words or grades; correct the file, or add --positive VALUE, --negative VALUE or {unsure} VALUE",
                given.join(" or ")
            );
        }
        let such_as = match grade(&plain(value)) {
            Some(grade) if grade >= 1.0 => format!("--positive {value}.."),
            Some(_) => format!("{unsure}={value}"),
            None => format!("--positive {}", quoted(value)),
        };
        format!(
            "“{value}” is no label that is known here ({rows}){others}; near-duplicate, not and unsure are known, and yes, \
             no, 1 and 0; correct the file, or say what each value means with --positive, --negative and {unsure}, such as \
             {such_as}"
        )
    }

    fn names(&self, label: Label) -> bool {
        self.named.iter().any(|(.., named)| *named == label)
    }

    /// Lets unknown values mean `label`, unless the user said what they mean.
    #[must_use]
    pub fn with_rest(mut self, label: Label) -> Self {
        self.rest.get_or_insert(label);
        self
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty() && self.rest.is_none()
    }

    /// The label that a value stands for.
    pub fn label(&self, value: &str, scale: Scale) -> Option<Label> {
        let word = plain(value);
        let said = |range: bool| self.named.iter().find(|(_, named, _)| named.is_range() == range && named.is(&word));
        let said = said(false).or_else(|| said(true)).map(|(.., label)| *label);
        let known = || known(&word).or_else(|| grade(&word).and_then(|grade| scale.label(grade)));
        said.or_else(|| known().filter(|label| !self.names(*label))).or(self.rest)
    }

    /// The named values that none of `values` is, where a mistyped one would not be noticed because there is a rest; ranges
    /// need not hold any.
    pub fn unused<'a>(&'a self, values: &'a [&str]) -> impl Iterator<Item = &'a str> {
        let idle = |named: &Named| {
            self.rest.is_some() && !named.is_range() && !values.iter().any(|value| named.is(&plain(value)))
        };
        self.named.iter().filter(move |(_, named, _)| idle(named)).map(|(value, ..)| value.as_str())
    }
}

/// How one value of a table was understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnderstoodValue {
    pub value: String,
    pub label: Label,
    pub rows: usize,
}

/// What the values mean, in words: `near-duplicate: “1” (12 rows), “2” (1 row)`, one text a label.
pub fn meaning_sentences(values: &[UnderstoodValue]) -> Vec<String> {
    let of = |label: Label| {
        let one = |u: &UnderstoodValue| format!("“{}” ({} row{})", u.value, u.rows, if u.rows == 1 { "" } else { "s" });
        let mine: Vec<String> = values.iter().filter(|u| u.label == label).map(one).collect();
        (!mine.is_empty()).then(|| format!("{}: {}", label.name(), mine.join(", ")))
    };
    Label::ALL.iter().copied().filter_map(of).collect()
}

fn overlap(a: &Named, b: &Named) -> bool {
    match (a, b) {
        (Named::Grades(low, high), Named::Grades(from, to)) => low <= to && from <= high,
        (Named::Grades(..), _) | (_, Named::Grades(..)) => false,
        _ => a == b,
    }
}

/// A value as it is compared: in lower case, words joined by hyphens.
fn plain(value: &str) -> String {
    value.trim().to_lowercase().replace(['_', ' '], "-")
}

fn grade(word: &str) -> Option<f64> {
    let starts = word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    starts.then(|| word.parse().ok()).flatten()
}

/// Words whose meaning nobody doubts. The manual and the help of `labels import` list them.
pub const WORDS: [(Label, &[&str]); 3] = [
    (
        Label::NearDuplicate,
        &[
            "near-duplicate",
            "near-duplicates",
            "nearduplicate",
            "near-dup",
            "near",
            "duplicate",
            "match",
            "yes",
            "true",
        ],
    ),
    (
        Label::Not,
        &["not", "not-a-near-duplicate", "no-near-duplicate", "non-duplicate", "different", "no-match", "no", "false"],
    ),
    (Label::Unsure, &["unsure", "unclear", "unknown", "maybe", "?"]),
];

fn known(word: &str) -> Option<Label> {
    WORDS.iter().find(|(_, words)| words.contains(&word)).map(|(label, _)| *label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(positive: &str, negative: &str, unsure: &str) -> Result<Meaning, MeaningError> {
        let list = |text: &str| text.split(',').filter(|v| !v.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        Meaning::new(&list(positive), &list(negative), &list(unsure))
    }

    /// What people read of them is all of them.
    #[test]
    fn every_known_word_is_listed() {
        let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        for file in ["assets/manual/labelling.md", "src/cli/labels/import.rs"] {
            let text = std::fs::read_to_string(root.join(file)).unwrap();
            let text = text.replace("\\n\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ");
            for (_, words) in WORDS {
                let list = words.join(", ");
                assert!(text.contains(&list), "{file} lacks “{list}”");
            }
        }
    }

    #[test]
    fn grades_mean_what_their_scale_says_and_nothing_else() {
        use Label::{NearDuplicate, Not, Unsure};
        let nobody = Meaning::default();
        let of = |scale| ["-1", "0", "0.5", "1", "2", "3", "4"].map(|grade| nobody.label(grade, scale));
        let (near, not, unsure) = (Some(NearDuplicate), Some(Not), Some(Unsure));
        assert_eq!(of(Scale::Plain), [None, not, None, near, None, None, None]);
        assert_eq!(of(Scale::Qrels), [unsure, not, None, near, None, None, None]);
        assert_eq!(of(Scale::Copycat), [None, not, not, near, near, near, None]);
        assert_eq!(of(Scale::Splink), [None, not, unsure, near, None, None, None]);
        assert_eq!(nobody.label("nan", Scale::Plain), None);
    }

    #[test]
    fn what_is_said_goes_before_what_is_known() {
        let said = meaning("1..3,Heavy edit", "0, 0.5", "yes").unwrap();
        let of = |value: &str| said.label(value, Scale::Plain);
        assert_eq!((of("2.0"), of("heavy_edit"), of("3")), (Some(Label::NearDuplicate), of("1"), of("1")));
        assert_eq!((of("0.50"), of("0"), of("no")), (Some(Label::Not), of("0.5"), None));
        assert_eq!((of("YES"), of("4"), of("naer-duplicate")), (Some(Label::Unsure), None, None));
        assert_eq!(said.clone().with_rest(Label::Not).label("4", Scale::Plain), Some(Label::Not));
        let rest = meaning("exact", "rest", "").unwrap();
        assert_eq!(
            ["near", "no", "?"].map(|value| rest.label(value, Scale::Plain)),
            [Some(Label::Not), Some(Label::Not), Some(Label::Unsure)]
        );
        assert_eq!(said.unused(&["1"]).count(), 0, "a value that is not there does no harm");
        let said = said.with_rest(Label::Not);
        assert_eq!(said.unused(&["1", "0.5", "yes"]).collect::<Vec<_>>(), ["Heavy edit", "0"]);
    }

    #[test]
    fn one_value_has_one_meaning() {
        for (positive, negative, unsure) in
            [("1", "1.0", ""), ("1..3", "0..1", ""), ("rest", "rest", ""), ("", "no", "No")]
        {
            assert!(meaning(positive, negative, unsure).unwrap_err().to_string().contains("cannot mean both"));
        }
        assert!(meaning("3..1", "", "").is_err() && meaning("a..b", "", "").is_err());
        assert_eq!(
            meaning("0.7..", "", "0..1").unwrap_err().to_string(),
            "“0..1” cannot mean both near-duplicate and unsure"
        );
        assert!(meaning("1", "0..2", "").unwrap().label("1", Scale::Plain) == Some(Label::NearDuplicate));
    }
}
