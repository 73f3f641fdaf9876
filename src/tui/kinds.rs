//! Kinds of jobs: which worker does what, and what it is called on the Log.

use super::asks::Ask;
use super::jobs::{Answer, Effect};
use super::screens::compare::LABEL;

/// Kinds of wishes, each with a worker of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The study, and its samples.
    Study,
    /// A pair on Compare.
    Pair,
    /// A pair on Label.
    LabelPair,
    /// Why a pair matches.
    Why,
    /// Rows of the table.
    Arrange,
    /// Figures of the configurations.
    Measure,
    /// A file.
    Write,
    /// Cases to settle.
    Review,
    /// What was begun and not finished.
    Draft,
    /// What a list asks, by the number of [`Ask::slot`].
    Ask(usize),
}

/// All kinds.
pub(super) fn kinds() -> impl Iterator<Item = Kind> {
    use Kind::{Arrange, Draft, LabelPair, Measure, Pair, Review, Study, Why, Write};
    [Study, Pair, LabelPair, Why, Arrange, Measure, Write, Review, Draft]
        .into_iter()
        .chain((0..Ask::SLOTS).map(Kind::Ask))
}

impl Effect {
    /// Which worker it is for; none for what no worker does.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Study | Self::Sample => Some(Kind::Study),
            Self::Pair { generation, .. } if *generation > LABEL => Some(Kind::LabelPair),
            Self::Gold { .. } => Some(Kind::LabelPair),
            Self::Pair { .. } => Some(Kind::Pair),
            Self::Why { .. } => Some(Kind::Why),
            Self::Review { .. } => Some(Kind::Review),
            Self::Draft(_) => Some(Kind::Draft),
            Self::Arrange { .. } => Some(Kind::Arrange),
            Self::Measure { .. } => Some(Kind::Measure),
            Self::Ask(ask) => Some(Kind::Ask(ask.slot())),
            Self::Write { .. } => Some(Kind::Write),
            _ => None,
        }
    }

    /// What is done, in a few words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Study => "read the study",
            Self::Sample => "read the sample",
            Self::Pair { .. } | Self::Gold { .. } => "compare a pair",
            Self::Review { .. } => "read what annotators decided",
            Self::Draft(_) => "keep a draft",
            Self::Why { .. } => "explain a pair",
            Self::Arrange { .. } => "arrange the pairs",
            Self::Measure { .. } => "measure the configurations",
            Self::Ask(ask) => ask.name(),
            Self::Write { .. } => "write a file",
            _ => "something",
        }
    }
}

impl Answer {
    /// Which worker it is from; none for what no worker says.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Study(_) | Self::Sample(_) => Some(Kind::Study),
            Self::Pair { generation, .. } if *generation > LABEL => Some(Kind::LabelPair),
            Self::Pair { .. } => Some(Kind::Pair),
            Self::Why { .. } => Some(Kind::Why),
            Self::Arrange { .. } => Some(Kind::Arrange),
            Self::Measure { .. } => Some(Kind::Measure),
            Self::Told(told) => Some(Kind::Ask(told.slot())),
            Self::Said(_) => Some(Kind::Write),
            Self::Review { .. } => Some(Kind::Review),
            Self::NoDraft(_) => Some(Kind::Draft),
            _ => None,
        }
    }
}
