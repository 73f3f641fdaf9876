//! The truth that configurations are evaluated against: its type, its name on the command line and its name in words.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use dejaview_base::choice::Expected;
use dejaview_methods::prepared::LONGEST;

/// What decides whether a pair is a near-duplicate.
#[derive(Debug, Clone, PartialEq)]
pub enum Truth {
    /// People's labels; where they disagree, or are unsure, nobody knows.
    Labels,
    /// A similarity of the texts of at least this.
    AtLeast(TruthMeasure, f64),
    /// A table with the columns `source`, `target` and one that says what the pair is.
    File(PathBuf),
}

/// The similarity of two texts that a truth rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TruthMeasure {
    /// Headline Jaccard.
    Jaccard,
    /// Jaccard of the sets of n-grams of so many words.
    JaccardOf(usize),
    /// Cosine of the vectors of word counts.
    Cosine,
    /// Cosine of the sets of words.
    CosineBinary,
    /// Dice of the sets of 8-grams of the words between white space.
    S3,
    /// Edit ratio over words.
    Edit,
    /// Edit ratio over characters.
    EditCharacters(TextCompared),
}

/// Which text of a page is compared character by character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextCompared {
    /// The whole canonical text.
    Full,
    /// The content words alone, in order, a blank between two.
    Content,
}

/// Words that name no truth.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoTruth {
    #[error("“{0}” is not a number from 0 to 1")]
    NotAShare(String),
    #[error("“{0}” is not a number of words from 1 to {LONGEST}")]
    NotALength(String),
    #[error(transparent)]
    Unknown(#[from] Expected),
}

/// What is expected where words name no truth.
const EXPECTED: Expected = Expected(
    "labels, jaccard:0.9, jaccard:0.9@3, cosine:0.9, cosine-binary:0.9, s3:0.8, edit:0.8, edit-characters:0.8, \
     edit-characters:0.8@content, or file:PAIRS.tsv",
);

impl FromStr for Truth {
    type Err = NoTruth;

    fn from_str(text: &str) -> Result<Self, NoTruth> {
        match text.split_once(':') {
            Some(("file", path)) => Ok(Self::File(path.into())),
            Some((measure, value)) if !text.ends_with(".tsv") => at_least(measure, value),
            _ if text == "labels" => Ok(Self::Labels),
            _ if text.ends_with(".tsv") => Ok(Self::File(text.into())),
            _ => Err(EXPECTED.into()),
        }
    }
}

/// The truth of a measure and what follows its colon: the least value, and what is compared behind an `@`.
fn at_least(measure: &str, value: &str) -> Result<Truth, NoTruth> {
    let (least, of) = value.split_once('@').map_or((value, None), |(least, of)| (least, Some(of)));
    let measure = match (measure, of) {
        ("jaccard", None) => TruthMeasure::Jaccard,
        ("jaccard", Some(n)) => TruthMeasure::JaccardOf(length(n)?),
        ("cosine", None) => TruthMeasure::Cosine,
        ("cosine-binary", None) => TruthMeasure::CosineBinary,
        ("s3", None) => TruthMeasure::S3,
        ("edit", None) => TruthMeasure::Edit,
        ("edit-characters", None) => TruthMeasure::EditCharacters(TextCompared::Full),
        ("edit-characters", Some("content")) => TruthMeasure::EditCharacters(TextCompared::Content),
        _ => return Err(EXPECTED.into()),
    };
    let share = least.parse::<f64>().ok().filter(|x| (0.0..=1.0).contains(x));
    Ok(Truth::AtLeast(measure, share.ok_or_else(|| NoTruth::NotAShare(least.to_owned()))?))
}

fn length(text: &str) -> Result<usize, NoTruth> {
    let n = text.parse::<usize>().ok().filter(|n| (1..=LONGEST).contains(n));
    n.ok_or_else(|| NoTruth::NotALength(text.to_owned()))
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Labels => f.write_str("labels"),
            Self::AtLeast(measure, x) => match measure {
                TruthMeasure::Jaccard => write!(f, "jaccard:{x}"),
                TruthMeasure::JaccardOf(n) => write!(f, "jaccard:{x}@{n}"),
                TruthMeasure::Cosine => write!(f, "cosine:{x}"),
                TruthMeasure::CosineBinary => write!(f, "cosine-binary:{x}"),
                TruthMeasure::S3 => write!(f, "s3:{x}"),
                TruthMeasure::Edit => write!(f, "edit:{x}"),
                TruthMeasure::EditCharacters(TextCompared::Full) => write!(f, "edit-characters:{x}"),
                TruthMeasure::EditCharacters(TextCompared::Content) => write!(f, "edit-characters:{x}@content"),
            },
            Self::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

impl Truth {
    /// A short name for people: `Jaccard ≥ 0.9`.
    pub fn in_words(&self) -> String {
        match self {
            Self::AtLeast(measure, least) => format!("{} ≥ {least}", measure.in_words()),
            other => other.to_string(),
        }
    }
}

impl TruthMeasure {
    fn in_words(self) -> String {
        match self {
            Self::Jaccard => "Jaccard".to_owned(),
            Self::JaccardOf(n) => format!("Jaccard of {n}-grams"),
            Self::Cosine => "cosine".to_owned(),
            Self::CosineBinary => "binary cosine".to_owned(),
            Self::S3 => "S3".to_owned(),
            Self::Edit => "edit ratio".to_owned(),
            Self::EditCharacters(TextCompared::Full) => "edit ratio of characters".to_owned(),
            Self::EditCharacters(TextCompared::Content) => "edit ratio of content characters".to_owned(),
        }
    }

    /// The n of the n-grams whose Jaccard it is, where it is one; `headline` is that of the study.
    pub(crate) fn jaccard_length(self, headline: usize) -> Option<usize> {
        match self {
            Self::Jaccard => Some(headline),
            Self::JaccardOf(n) => Some(n),
            _ => None,
        }
    }

    /// What the true pairs have, for a sentence that goes on with the least value.
    pub(crate) fn described(self) -> String {
        match self {
            Self::Jaccard | Self::JaccardOf(_) => format!("a {}", self.in_words()),
            Self::Cosine => "a cosine of word counts".to_owned(),
            Self::CosineBinary => "a cosine of sets of words".to_owned(),
            Self::S3 => "an S3".to_owned(),
            Self::Edit => "an edit ratio over words".to_owned(),
            Self::EditCharacters(TextCompared::Full) => "an edit ratio over characters".to_owned(),
            Self::EditCharacters(TextCompared::Content) => {
                "an edit ratio over the characters of the preprocessed text".to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truths_in_words() {
        for text in [
            "labels",
            "jaccard:0.9",
            "jaccard:0.5@3",
            "cosine:0.9",
            "cosine-binary:0.85",
            "s3:0.8",
            "edit:0.8",
            "edit-characters:0.8",
            "edit-characters:0.8@content",
            "file:pairs.tsv",
        ] {
            assert_eq!(text.parse::<Truth>().unwrap().to_string(), text);
        }
        assert_eq!("truth.tsv".parse(), Ok(Truth::File("truth.tsv".into())));
        assert_eq!("c:truth.tsv".parse(), Ok(Truth::File("c:truth.tsv".into())));
        assert_eq!("jaccard:0.5@3".parse::<Truth>().unwrap().in_words(), "Jaccard of 3-grams ≥ 0.5");
    }

    #[test]
    fn what_names_no_truth_is_told_apart() {
        let refused = |text: &str| text.parse::<Truth>().unwrap_err();
        assert_eq!(refused("jaccard:2"), NoTruth::NotAShare("2".to_owned()));
        assert_eq!(refused("edit:x"), NoTruth::NotAShare("x".to_owned()));
        assert_eq!(refused("jaccard:0.9@0"), NoTruth::NotALength("0".to_owned()));
        for text in ["gut feeling", "s3:0.8@content", "cosine:0.9@2", "edit-characters:0.8@main", "dice:0.9"] {
            assert_eq!(refused(text), NoTruth::Unknown(EXPECTED), "{text}");
        }
    }
}
