//! One term of a filter: a property of a row, and the values that it must have.

use super::facts::Judging;
use dejaview_base::ignoring_case;
use dejaview_corpus::qrels::Grade;
use dejaview_labels::Label;

/// A number of a pair that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    Jaccard,
    Jaccard1,
    Jaccard2,
    Jaccard3,
    Jaccard5,
    Jaccard8,
    S3,
    Dice,
    Cosine,
    Containment,
    Contained,
    Length,
    Agreement,
    Words,
    TargetWords,
}

impl Number {
    /// All of them with their names and what they are.
    pub const ALL: [(Self, &'static str, &'static str); 15] = [
        (Self::Jaccard, "jaccard", "headline Jaccard, 0 to 1"),
        (Self::Jaccard1, "jaccard1", "Jaccard of words"),
        (Self::Jaccard2, "jaccard2", "Jaccard of word 2-grams"),
        (Self::Jaccard3, "jaccard3", "Jaccard of word 3-grams"),
        (Self::Jaccard5, "jaccard5", "Jaccard of word 5-grams"),
        (Self::Jaccard8, "jaccard8", "Jaccard of word 8-grams"),
        (Self::S3, "s3", "Dice of 8-grams, case kept"),
        (Self::Dice, "dice", "Dice of 8-grams"),
        (Self::Cosine, "cosine", "cosine of word counts"),
        (Self::Containment, "containment", "share of the source's words in the target"),
        (Self::Contained, "contained", "share of the target's words in the source"),
        (Self::Length, "length", "words of the shorter by words of the longer"),
        (Self::Agreement, "agreement", "configurations that found the pair"),
        (Self::Words, "words", "words of the source"),
        (Self::TargetWords, "target-words", "words of the target"),
    ];

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(number, _, _)| *number)
    }

    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(number, _, _)| *number == self).map_or("", |(_, name, _)| name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    AtMost,
    Equal,
    /// Equal; of texts in upper and lower case, too.
    Same,
    Not,
    AtLeast,
    More,
}

impl Comparison {
    /// All of them as they are written; those that begin with another come before it.
    pub(super) const SIGNS: [(&'static str, Self); 7] = [
        ("!=", Self::Not),
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("==", Self::Same),
        ("<", Self::Less),
        (">", Self::More),
        ("=", Self::Equal),
    ];

    pub(super) fn sign(self) -> &'static str {
        Self::SIGNS.iter().find(|(_, one)| *one == self).map_or("", |(sign, _)| sign)
    }

    pub(super) fn holds(self, found: f64, value: f64) -> bool {
        let equal = (found - value).abs() < 5e-4;
        match self {
            Self::Less => found < value,
            Self::AtMost => found <= value,
            Self::Equal | Self::Same => equal,
            Self::Not => !equal,
            Self::AtLeast => found >= value,
            Self::More => found > value,
        }
    }
}

/// What is compared as a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextField {
    /// One of the ids, looked for by a word without a field.
    Bare,
    Id,
    Source,
    Target,
    Url,
    Segment,
    Track,
    Topic,
    Grade,
}

impl TextField {
    pub(super) const NAMED: [(Self, &'static str, &'static str); 8] = [
        (Self::Id, "id", "part of one of the ids"),
        (Self::Source, "source", "part of the source's id"),
        (Self::Target, "target", "part of the target's id"),
        (Self::Url, "url", "words in one of the URLs"),
        (Self::Segment, "segment", "the segment of the target"),
        (Self::Track, "track", "part of the track that the source is judged in"),
        (Self::Topic, "topic", "the topic that the source is judged for"),
        (Self::Grade, "grade", "the grade of the source"),
    ];

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(_, known, _)| *known == name).map(|(field, _, _)| *field)
    }

    pub(super) fn name(self) -> &'static str {
        Self::NAMED.iter().find(|(field, _, _)| *field == self).map_or("", |(_, name, _)| name)
    }

    /// Whether `==` minds upper and lower case: ids may differ in nothing else, URLs are looked up without it.
    pub(super) fn has_case(self) -> bool {
        matches!(self, Self::Id | Self::Source | Self::Target | Self::Segment)
    }

    /// Whether `:` asks for the whole value as `=` does: topic 1 is not in topic 10, nor grade 2 in grade -2.
    pub(super) fn is_whole(self) -> bool {
        matches!(self, Self::Segment | Self::Topic | Self::Grade)
    }

    /// Whether it belongs to a judgment.
    pub(super) fn is_judged(self) -> bool {
        matches!(self, Self::Track | Self::Topic | Self::Grade)
    }
}

/// How much of a text must be the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Part,
    Whole,
    /// All of it, in the same upper and lower case.
    Exact,
}

/// A text that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedText {
    pub(super) field: TextField,
    /// In lower case unless case counts.
    pub(super) value: String,
    pub(super) extent: Extent,
}

impl WantedText {
    pub fn field(&self) -> TextField {
        self.field
    }

    /// In lower case unless [`WantedText::holds`] minds it.
    pub fn value(&self) -> &str {
        &self.value
    }

    pub fn is_whole(&self) -> bool {
        self.extent != Extent::Part
    }

    /// Whether a text is what is asked for. `topic:51` has its subtopics; a segment and a grade have no parts.
    pub fn holds(&self, text: &str) -> bool {
        let equal = || ignoring_case::equals(text, &self.value);
        match (self.extent, self.field) {
            (Extent::Exact, _) => text == self.value,
            (Extent::Part, TextField::Topic) => {
                let topic = text.split_once('.').map_or(text, |(topic, _)| topic);
                equal() || ignoring_case::equals(topic, &self.value)
            }
            (Extent::Whole, _) | (Extent::Part, TextField::Segment | TextField::Grade) => equal(),
            (Extent::Part, _) => ignoring_case::contains(text, &self.value),
        }
    }
}

/// What a judgment must be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Judged {
    Text { wanted: WantedText, not: bool },
    Number { field: TextField, comparison: Comparison, value: f64 },
}

impl Judged {
    fn holds(&self, judging: Judging<'_>) -> bool {
        let text = |field: TextField| match field {
            TextField::Track => judging.track,
            TextField::Topic => judging.topic,
            _ => judging.grade,
        };
        match self {
            Self::Text { wanted, not } => wanted.holds(text(wanted.field)) != *not,
            Self::Number { field, comparison, value } => {
                let found = match field {
                    TextField::Track | TextField::Topic => text(*field).parse().ok(),
                    _ => text(*field).parse().ok().map(Grade::value),
                };
                found.is_some_and(|found| comparison.holds(found, *value))
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WantedLabel {
    Any,
    Is(Label),
    Disputed,
}

/// Configurations are numbered in the order of the study; where one is optional, none stands for all of them together.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    Number {
        number: Number,
        comparison: Comparison,
        value: f64,
    },
    FoundBy(usize),
    Distance {
        configuration: usize,
        comparison: Comparison,
        value: f64,
    },
    Top(Option<usize>),
    Candidates {
        configuration: Option<usize>,
        comparison: Comparison,
        value: f64,
    },
    SameUrl,
    Conflict,
    Label(WantedLabel),
    Text(WantedText),
    /// One judgment that is all of this.
    Judged(Vec<Judged>),
}

/// A row of a list that can be filtered. Each default is the answer of rows that have nothing of the kind.
pub trait Filterable {
    fn number(&self, _number: Number) -> Option<f64> {
        None
    }

    fn is_found_by(&self, _configuration: usize) -> bool {
        false
    }

    fn distance(&self, _configuration: usize) -> Option<u32> {
        None
    }

    /// Whether it is the pair with the highest Jaccard of its source document.
    fn is_top(&self, _configuration: Option<usize>) -> bool {
        false
    }

    /// Pairs of its source document.
    fn candidates(&self, _configuration: Option<usize>) -> u32 {
        0
    }

    fn has_same_url(&self) -> bool {
        false
    }

    /// Whether a document that shares a near-duplicate in the target was judged otherwise.
    fn has_conflict(&self) -> bool {
        false
    }

    fn label(&self) -> Option<Label> {
        None
    }

    fn is_disputed(&self) -> bool {
        false
    }

    fn has_text(&self, _wanted: &WantedText) -> bool {
        false
    }

    fn is_judged(&self, _passes: &dyn Fn(Judging<'_>) -> bool) -> bool {
        false
    }
}

impl Term {
    /// What is looked for in URLs.
    pub(super) fn url(&self) -> Option<&str> {
        match self {
            Self::Text(WantedText { field: TextField::Url, value, .. }) => Some(value),
            _ => None,
        }
    }

    /// The word that has no meaning of its own and is looked for in ids.
    pub(super) fn bare_word(&self) -> Option<&str> {
        match self {
            Self::Text(WantedText { field: TextField::Bare, value, .. }) => Some(value),
            _ => None,
        }
    }

    pub(super) fn asks_label(&self) -> bool {
        matches!(self, Self::Label(_))
    }

    pub(super) fn holds(&self, row: &dyn Filterable) -> bool {
        match self {
            Self::Number { number, comparison, value } => {
                row.number(*number).is_some_and(|found| comparison.holds(found, *value))
            }
            Self::FoundBy(configuration) => row.is_found_by(*configuration),
            Self::Distance { configuration, comparison, value } => {
                row.distance(*configuration).is_some_and(|found| comparison.holds(f64::from(found), *value))
            }
            Self::Top(configuration) => row.is_top(*configuration),
            Self::Candidates { configuration, comparison, value } => {
                comparison.holds(f64::from(row.candidates(*configuration)), *value)
            }
            Self::SameUrl => row.has_same_url(),
            Self::Conflict => row.has_conflict(),
            Self::Label(WantedLabel::Any) => row.label().is_some() || row.is_disputed(),
            Self::Label(WantedLabel::Is(label)) => row.label() == Some(*label),
            Self::Label(WantedLabel::Disputed) => row.is_disputed(),
            Self::Text(wanted) => row.has_text(wanted),
            Self::Judged(all) => row.is_judged(&|judging| all.iter().all(|one| one.holds(judging))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgment_must_be_all_of_it() {
        let one = Judging { track: "web-2009", topic: "51.2", grade: "-2" };
        let number = |comparison, value| Judged::Number { field: TextField::Grade, comparison, value };
        let text = |field, value: &str, extent, not| Judged::Text {
            wanted: WantedText { field, value: value.to_owned(), extent },
            not,
        };
        assert!(number(Comparison::Less, 0.0).holds(one) && !number(Comparison::AtLeast, 0.0).holds(one));
        let topic = |value: &str, extent, not| text(TextField::Topic, value, extent, not);
        assert!(topic("51", Extent::Part, false).holds(one) && !topic("51", Extent::Whole, false).holds(one));
        assert!(topic("51", Extent::Whole, true).holds(one));
        assert!(!topic("5", Extent::Part, false).holds(one) && !topic("2", Extent::Part, false).holds(one));
        let part = |field, value: &str| text(field, value, Extent::Part, false);
        assert!(part(TextField::Grade, "-2").holds(one) && !part(TextField::Grade, "2").holds(one));
        assert!(part(TextField::Track, "web").holds(one) && !part(TextField::Topic, "51.20").holds(one));
        let segment =
            |value: &str| WantedText { field: TextField::Segment, value: value.to_owned(), extent: Extent::Part };
        assert!(segment("00").holds("00") && !segment("00").holds("100"));
        assert!(!number(Comparison::Equal, 0.0).holds(Judging { grade: "relevant", ..one }));
    }
}
