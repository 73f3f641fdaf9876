//! How a truth is read, and the result of an evaluation against it.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use strum::IntoStaticStr;

use crate::analyse::truth::Truth;
use crate::analyse::truth_file::{PairKinds, TruthListing};
use crate::label::changed::ChangedSample;
use dejaview_base::choice::{Choice, Choices};
use dejaview_base::interval::Interval;
use dejaview_base::shell::{quoted, quoted_path};
use dejaview_evaluation::comparison::{Comparison, Quality};
use dejaview_evaluation::estimates::{Estimates, Proportion, Unsure};
use dejaview_labels::Meaning;

/// How a truth is read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// How unsure ones count.
    pub unsure: Unsure,
    /// Of labels: only those of this sample; otherwise each sample for the configurations it serves.
    pub sample: Option<String>,
    /// Of labels: samples that are left out.
    pub without: Vec<String>,
    /// Of labels: whether decisions that were made with the scores in view are left out.
    pub blind_only: bool,
    /// Of labels: which interval stands in front.
    pub shown: ShownInterval,
    /// Of a file: what its words and grades mean.
    pub meaning: Meaning,
    /// Of a file: whether pairs that it does not list are known not to be near-duplicates.
    pub closed: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct Evaluation {
    pub truth: String,
    /// What recall is a share of.
    pub recall_of: String,
    /// Precision, recall, F, Dice, combinations.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// Configurations that decide the truth themselves, and so are in no union.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<String>,
    /// For labels: what each sample says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub estimates: Vec<Estimates>,
    /// For labels: the sample whose weighted labels the unions rest on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unions_of: Option<String>,
    /// For labels: samples that are no longer of the pairs there are, so that no number is given from them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<ChangedSample>,
    /// For labels: samples that are drawn and that nobody has labelled yet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unlabelled: Vec<Unlabelled>,
    /// For labels: samples that were left out, as the reading asks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// For labels: samples that do not tell what they were drawn from, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// For a truth from a file: how many pairs of each kind every configuration found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinds: Option<PairKinds>,
    /// For a truth from a file: how it was read.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub listing: Option<TruthListing>,
}

/// A labelled sample that no number rests on, because the reading leaves it out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    pub sample: String,
    /// The configurations that it serves.
    pub configurations: Vec<String>,
}

/// A sample that nobody has labelled yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unlabelled {
    pub sample: String,
    /// The configurations that it serves.
    pub configurations: Vec<String>,
    /// Folder of the study, for the command that labels it.
    #[serde(skip)]
    pub study: PathBuf,
}

impl fmt::Display for Unlabelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sample, study) = (quoted(&self.sample), quoted_path(&self.study));
        write!(
            f,
            "sample {} is drawn and has no labels yet; `dejaview label {study} --sample {sample}` labels it",
            self.sample
        )
    }
}

impl Evaluation {
    /// Whether a configuration has no number because samples were left out.
    pub fn is_held_back(&self, configuration: &Quality) -> bool {
        let serves = |left_out: &LeftOut| left_out.configurations.contains(&configuration.name);
        configuration.precision.is_none() && self.left_out.iter().any(serves)
    }

    /// Whether the numbers of configurations rest on different samples, so that they cannot be compared with each other.
    pub fn rests_on_different_samples(&self) -> bool {
        let mut rows = self.comparison.configurations.iter().filter_map(|quality| quality.samples.as_deref());
        let first = rows.next();
        rows.any(|other| Some(other) != first)
    }

    /// What must be known before rows are compared; nothing where all rest on the same sample.
    pub fn not_comparable(&self) -> Option<String> {
        let known = |one: &Estimates| one.configurations.iter().filter(|c| c.precision.is_some()).count();
        let most = self.estimates.iter().rev().max_by_key(|one| known(one));
        let most = most.filter(|_| self.rests_on_different_samples())?;
        Some(format!(
            "rows of different samples are not comparable: `dejaview evaluate STUDY --truth labels --sample {}` shows {} of them \
             by one sample",
            quoted(&most.sample),
            known(most)
        ))
    }

    /// Why there is no union, where there is none.
    pub fn no_unions(&self) -> String {
        match (&self.unions_of, self.truth == Truth::Labels.to_string()) {
            (Some(sample), _) if self.comparison.pool.positive > 0 => format!(
                "none: unions go by recall, which sample {sample} does not tell; a sample of several configurations, or one with an \
                 audit, does"
            ),
            (Some(sample), _) => format!("none: the labels of sample {sample} call no pair of a configuration true"),
            (None, true) => "none: no labelled sample of pairs serves a configuration".to_owned(),
            (None, false) => match (self.comparison.pool.positive, self.decided_by()) {
                (1.., Some(judges)) if self.judges.len() == self.comparison.names.len() => {
                    format!("none: {judges}, and there is no other configuration")
                }
                (1.., Some(judges)) => format!("none: {judges}, and no other configuration found a true pair"),
                _ => "none: no pair that a configuration found is known to be true".to_owned(),
            },
        }
    }

    /// Which configurations decide what is true, in words.
    fn decided_by(&self) -> Option<String> {
        match &self.judges[..] {
            [] => None,
            [one] => Some(format!("{one} decides what is true")),
            some => Some(format!("{} decide what is true", some.join(", "))),
        }
    }

    /// What unions rest on; and who is in none, and why: those that decide the truth, and those that add nothing to it.
    pub fn beside_unions(&self) -> Vec<String> {
        let basis = self.unions_of.as_ref().map(|sample| {
            format!(
                "estimated from the labels of sample {sample} alone, as in its table; without intervals, since the same labels \
                 chose the order"
            )
        });
        let left_out = if self.judges.len() == 1 { "is left out" } else { "are left out" };
        let judges = self.decided_by().map(|judges| format!("{judges}, and {left_out}"));
        let steps = self.comparison.coverage.len();
        let others = match self.comparison.names.len() - self.judges.len() - steps {
            _ if steps == 0 => None,
            0 => None,
            1 => Some("the other one adds no pair that is known to be true".to_owned()),
            n => Some(format!("the other {n} add no pair that is known to be true")),
        };
        [basis, judges, others].into_iter().flatten().collect()
    }
}

/// Which interval stands in front.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum ShownInterval {
    /// Clopper and Pearson's at the effective size, corrected for the finite population.
    #[default]
    Headline,
    /// Wilson's at the effective size, as of endlessly many pairs.
    Wilson,
    /// The same with the correction for the finite population.
    Design,
    /// The one that never covers less than it says.
    Conservative,
    /// Clopper and Pearson's, where the sample is of one stratum.
    ClopperPearson,
    /// Jeffreys's, where the sample is of one stratum.
    Jeffreys,
}

impl Choice for ShownInterval {
    const CHOICES: Choices<Self> = &[
        (
            Self::Headline,
            "Clopper and Pearson's at the effective size of the sample, corrected for the finite population",
        ),
        (Self::Wilson, "Wilson's, at the effective size of the sample; covers what it says on average only"),
        (Self::Design, "The same, corrected for the finite population"),
        (Self::Conservative, "Never covers less than it says, in strata too"),
        (Self::ClopperPearson, "Clopper and Pearson's, for samples without strata"),
        (Self::Jeffreys, "Jeffreys's, for samples without strata"),
    ];
}

impl ShownInterval {
    /// What it is called beside a number.
    pub fn name(self) -> &'static str {
        match self {
            Self::Headline => "Clopper–Pearson at the effective size",
            Self::Wilson => "Wilson at the effective size",
            Self::Design => "Wilson at the effective size, corrected for the finite population",
            Self::Conservative => "conservative (exact in each stratum)",
            Self::ClopperPearson => "Clopper–Pearson",
            Self::Jeffreys => "Jeffreys",
        }
    }

    /// The interval of this kind; none where the design of a sample has none of it.
    pub fn interval_of(self, precision: &Proportion) -> Option<Interval> {
        match self {
            Self::Headline => precision.headline,
            Self::Wilson => precision.wilson,
            Self::Design => precision.design,
            Self::Conservative => precision.conservative,
            Self::ClopperPearson => precision.clopper_pearson,
            Self::Jeffreys => precision.jeffreys,
        }
    }
}
