//! One term of a filter: a property of a pair, and the values that it must have.

use super::beside::{Beside, Judging};
use crate::query::pair_table::PairTable;
use dejaview_base::ignoring_case;
use dejaview_labels::Label;

/// The number that only a configuration has.
pub(super) const DISTANCE: &str = "distance";

/// Numbers that can be compared, each with what it is.
pub const NUMBERS: [(&str, &str); 16] = [
    ("jaccard", "headline Jaccard"),
    ("jaccard1", "Jaccard of words"),
    ("jaccard2", "of word 2-grams"),
    ("jaccard3", "of word 3-grams"),
    ("jaccard5", "of word 5-grams"),
    ("jaccard8", "of word 8-grams"),
    ("s3", "Dice of 8-grams, case kept"),
    ("dice", "Dice of 8-grams"),
    ("cosine", "cosine of word counts"),
    ("containment", "share of the source's words in the target"),
    ("contained", "share of the target's words in the source"),
    (DISTANCE, "distance that the chosen configuration saw"),
    ("length", "words of the shorter by words of the longer"),
    ("agreement", "configurations that found the pair"),
    ("words", "words of the source"),
    ("target-words", "words of the target"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Less,
    AtMost,
    Equal,
    /// Equal; of texts in upper and lower case, too.
    Same,
    Not,
    AtLeast,
    More,
}

impl How {
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

/// What is compared as a text; `:` looks for a part of ids, URLs and names, `=` for the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    /// One of the ids, by a word that stands alone.
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

impl Text {
    pub(super) const ALL: [(&'static str, Self); 8] = [
        ("id", Self::Id),
        ("source", Self::Source),
        ("target", Self::Target),
        ("url", Self::Url),
        ("segment", Self::Segment),
        ("track", Self::Track),
        ("topic", Self::Topic),
        ("grade", Self::Grade),
    ];

    /// Whether `==` minds its case: ids may differ in nothing else, URLs are looked up without it.
    pub(super) fn has_case(self) -> bool {
        matches!(self, Self::Id | Self::Source | Self::Target | Self::Segment)
    }

    /// Those of which `:` asks for the whole value, too: topic 1 is not in topic 10, nor grade 2 in grade -2.
    pub(super) const WHOLE: [&'static str; 3] = ["segment", "topic", "grade"];

    /// Whether a text is so: has a value in lower case in it, or with `whole` is it. A topic has subtopics, a segment and a
    /// grade have no parts.
    fn holds(self, text: &str, value: &str, whole: bool) -> bool {
        match self {
            Self::Topic if !whole => {
                ignoring_case::equals(text, value)
                    || text.split_once('.').is_some_and(|(topic, _)| ignoring_case::equals(topic, value))
            }
            Self::Segment | Self::Grade => ignoring_case::equals(text, value),
            _ if whole => ignoring_case::equals(text, value),
            _ => ignoring_case::contains(text, value),
        }
    }

    /// Whether it belongs to a judgment.
    pub(super) fn judged(self) -> bool {
        matches!(self, Self::Track | Self::Topic | Self::Grade)
    }
}

/// What a judgment must be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Judged {
    Text { field: Text, value: String, whole: bool, not: bool },
    Number { field: Text, how: How, value: f64 },
}

impl Judged {
    fn holds(&self, judging: Judging<'_>) -> bool {
        let of = |field: Text| match field {
            Text::Track => judging.track,
            Text::Topic => judging.topic,
            _ => judging.grade,
        };
        match self {
            Self::Text { field, value, whole, not } => field.holds(of(*field), value, *whole) != *not,
            Self::Number { field, how, value } => of(*field).parse::<f64>().is_ok_and(|found| how.holds(found, *value)),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    /// A number of [`NUMBERS`], by its place there.
    Number {
        number: usize,
        how: How,
        value: f64,
    },
    Configuration(usize),
    /// The distance that a configuration saw.
    Distance {
        configuration: usize,
        how: How,
        value: f64,
    },
    /// The pair of its source with the highest Jaccard, of those that this configuration found, or any.
    Top(Option<usize>),
    /// Pairs of its source that this configuration found, or any.
    Candidates {
        of: Option<usize>,
        how: How,
        value: f64,
    },
    SameUrl,
    /// Any label, or this one.
    Label(Option<Label>),
    /// Texts are kept in lower case, but for those whose case counts.
    Text {
        field: Text,
        value: String,
        whole: bool,
        cased: bool,
    },
    /// One judgment that is all of this.
    Judged(Vec<Judged>),
}

impl Term {
    /// What is looked for in URLs.
    pub(super) fn url(&self) -> Option<&str> {
        match self {
            Self::Text { field: Text::Url, value, .. } => Some(value),
            _ => None,
        }
    }

    /// What is looked for in ids though nobody said so.
    pub(super) fn bare(&self) -> Option<&str> {
        match self {
            Self::Text { field: Text::Bare, value, .. } => Some(value),
            _ => None,
        }
    }

    pub(super) fn asks_label(&self) -> bool {
        matches!(self, Self::Label(_))
    }

    pub(super) fn holds(&self, table: &PairTable, row: usize, beside: &dyn Beside) -> bool {
        match self {
            Self::Number { number, how, value } => {
                of(*number, table, row).is_some_and(|found| how.holds(found, *value))
            }
            Self::Configuration(c) => table.found_by(row, *c),
            Self::Distance { configuration, how, value } => {
                let distance = table.distance_by(row, *configuration);
                distance.is_some_and(|distance| how.holds(f64::from(distance), *value))
            }
            Self::Top(of) => table.is_top(row, *of),
            Self::Candidates { of, how, value } => how.holds(f64::from(table.candidates(row, *of)), *value),
            Self::SameUrl => table.pair(row).same_url,
            Self::Label(wanted) => {
                let pair = table.pair(row);
                let label = beside.label(pair.source, pair.target);
                label.is_some() && (wanted.is_none() || *wanted == label)
            }
            Self::Text { field, value, cased: true, .. } => cased(*field, value, table, row),
            Self::Text { field, value, whole, .. } => text(*field, value, *whole, table, row, beside),
            Self::Judged(all) => {
                let passes = |judging: Judging<'_>| all.iter().all(|one| one.holds(judging));
                table.pair(row).documents().any(|document| beside.judged(document, &passes))
            }
        }
    }
}

fn text(field: Text, value: &str, whole: bool, table: &PairTable, row: usize, beside: &dyn Beside) -> bool {
    let (source, target) = table.ids(row);
    match field {
        Text::Bare | Text::Id => field.holds(source, value, whole) || field.holds(target, value, whole),
        Text::Source => field.holds(source, value, whole),
        Text::Target => field.holds(target, value, whole),
        Text::Segment => field.holds(table.segment(row), value, whole),
        Text::Url => beside.url(&table.pair(row), value, whole),
        Text::Track | Text::Topic | Text::Grade => false,
    }
}

/// Whether a text that [has a case](Text::has_case) is this in it, too.
fn cased(field: Text, value: &str, table: &PairTable, row: usize) -> bool {
    let (source, target) = table.ids(row);
    match field {
        Text::Bare | Text::Id => source == value || target == value,
        Text::Source => source == value,
        Text::Target => target == value,
        Text::Segment => table.segment(row) == value,
        Text::Url | Text::Track | Text::Topic | Text::Grade => false,
    }
}

/// A number of a pair. Pairs that were imported without texts have none that a text is needed for.
fn of(number: usize, table: &PairTable, row: usize) -> Option<f64> {
    let name = NUMBERS[number].0;
    if name == "agreement" {
        return Some(f64::from(table.agreement(row)));
    }
    let pair = table.pair(row);
    let scores = || pair.scores();
    pair.compared().then(|| match name {
        "jaccard" => table.jaccard(row),
        "jaccard1" => scores().jaccard_1,
        "jaccard2" => scores().jaccard_2,
        "jaccard3" => scores().jaccard_3,
        "jaccard5" => scores().jaccard_5,
        "jaccard8" => scores().jaccard_8,
        "s3" => scores().s3,
        "dice" => scores().dice_8,
        "cosine" => scores().cosine,
        "containment" => scores().containment_source,
        "contained" => scores().containment_target,
        "length" => scores().length_ratio,
        "words" => f64::from(pair.source_profile.words),
        _ => f64::from(pair.target_profile.words),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgment_must_be_all_of_it() {
        let one = Judging { track: "web-2009", topic: "51.2", grade: "-2" };
        let number = |how, value| Judged::Number { field: Text::Grade, how, value };
        assert!(number(How::Less, 0.0).holds(one) && !number(How::AtLeast, 0.0).holds(one));
        let topic = |value: &str, whole, not| Judged::Text { field: Text::Topic, value: value.to_owned(), whole, not };
        assert!(topic("51", false, false).holds(one) && !topic("51", true, false).holds(one));
        assert!(topic("51", true, true).holds(one));
        assert!(!topic("5", false, false).holds(one) && !topic("2", false, false).holds(one));
        let of = |field, value: &str| Judged::Text { field, value: value.to_owned(), whole: false, not: false };
        assert!(of(Text::Grade, "-2").holds(one) && !of(Text::Grade, "2").holds(one));
        assert!(of(Text::Track, "web").holds(one) && !of(Text::Topic, "51.20").holds(one));
        assert!(Text::Segment.holds("00", "00", false) && !Text::Segment.holds("100", "00", false));
        assert!(!number(How::Equal, 0.0).holds(Judging { grade: "relevant", ..one }));
    }
}
