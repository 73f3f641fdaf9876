//! What is different of a sample whose pairs are no longer those there are, in words.

use std::fmt;

use serde::Serialize;

use dejaview_base::shell::quoted;
use dejaview_evaluation::sample::Sample;

/// What a sample was drawn from, seen from now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Provenance {
    /// From the pairs there are.
    Same {
        /// What is different of configurations that it serves beside those it was drawn from: it no longer does.
        fewer: Vec<Difference>,
    },
    /// The sample does not tell, or there are no pairs to compare with; nothing speaks against it.
    Unknown {
        /// What is not known, in words.
        why: String,
    },
    /// From others: no number may be given from it.
    Changed(ChangedSample),
}

impl Provenance {
    /// What is different, where something is.
    pub fn changed(self) -> Option<ChangedSample> {
        match self {
            Self::Changed(changed) => Some(changed),
            _ => None,
        }
    }

    /// In one word: `same`, `unknown` or `changed`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Same { .. } => "same",
            Self::Unknown { .. } => "unknown",
            Self::Changed(_) => "changed",
        }
    }

    /// Whether the sample is of the pairs there are, in words that every command says.
    pub fn sentence(&self, sample: &Sample) -> String {
        let name = &sample.name;
        match self {
            Self::Same { .. } if sample.of_old_pairs() => {
                format!("sample {name}: kept when the pairs changed; it stands for old pairs alone")
            }
            Self::Same { fewer } if fewer.is_empty() => format!("sample {name}: of the pairs there are now"),
            Self::Same { fewer } => {
                let fewer: Vec<String> = fewer.iter().map(ToString::to_string).collect();
                format!(
                    "sample {name}: of the pairs there are now; it no longer serves what has changed ({})",
                    fewer.join("; ")
                )
            }
            Self::Unknown { why } => why.clone(),
            Self::Changed(changed) => changed.to_string(),
        }
    }
}

/// A sample whose pairs are no longer those there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedSample {
    pub sample: String,
    /// The configurations that it serves.
    pub configurations: Vec<String>,
    pub changes: Vec<Difference>,
    /// Whether `--keep` can keep it.
    #[serde(skip)]
    pub can_be_kept: bool,
    /// Folder of the study, for the commands that help.
    #[serde(skip)]
    pub study: String,
}

/// What is different from when a sample was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Difference {
    /// A parameter of a configuration, or its method.
    Parameter {
        configuration: String,
        /// The parameter; `method` for the method.
        name: String,
        /// When the sample was drawn.
        then: String,
        /// In the study as it is.
        now: String,
    },
    /// A configuration that the study no longer has.
    Gone { configuration: String },
    /// A setting that decides what text a page has, or how alike two are.
    Text {
        /// Its name in `[text]`.
        name: String,
        /// When the sample was drawn.
        then: String,
        /// In the study as it is.
        now: String,
    },
    /// The pairs of a configuration.
    Pairs {
        configuration: String,
        /// How many there are now.
        now: u64,
    },
    /// How many pairs there are of all configurations that were drawn from.
    Number {
        /// When the sample was drawn.
        then: u64,
        /// In the study as it is.
        now: u64,
    },
    /// The files of pairs are others, and not all are there yet.
    Unfinished,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter { configuration, name, then, now } => write!(f, "{configuration}: {name} {then} -> {now}"),
            Self::Gone { configuration } => write!(f, "there is no configuration {configuration} any more"),
            Self::Text { name, then, now } => write!(f, "[text] {name} {then} -> {now}"),
            Self::Pairs { configuration, now } => write!(f, "{configuration}: other pairs, {now} now"),
            Self::Number { then, now } => write!(f, "{then} pairs -> {now}"),
            Self::Unfinished => f.write_str("the run that makes its pairs again is not finished"),
        }
    }
}

impl ChangedSample {
    /// What is different, in words.
    pub fn what(&self) -> String {
        self.changes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }

    /// In one sentence without advice, where there is little room.
    pub fn short(&self) -> String {
        format!("sample {} is of other pairs ({}); no number is given from it", self.sample, self.what())
    }
}

impl fmt::Display for ChangedSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sample, study) = (quoted(&self.sample), quoted(&self.study));
        write!(f, "{}. ", self.short())?;
        if self.changes.contains(&Difference::Unfinished) {
            return write!(f, "`dejaview run {study}` finishes the run");
        }
        write!(f, "`dejaview sample {study} --name {sample} --redraw` draws it again from the pairs there are now")?;
        match self.can_be_kept {
            true => f.write_str("; `--keep` in its place keeps those of its pairs that are still found"),
            false => Ok(()),
        }
    }
}

impl Difference {
    /// The configuration that it is about.
    pub(crate) fn configuration(&self) -> Option<&str> {
        match self {
            Self::Parameter { configuration, .. }
            | Self::Gone { configuration }
            | Self::Pairs { configuration, .. } => Some(configuration),
            _ => None,
        }
    }
}
