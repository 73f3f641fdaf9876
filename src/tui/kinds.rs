//! Kinds of jobs: which worker does what, and what it is called on the Log.

use super::asks::Ask;
use super::dissector;
use super::jobs::{Answer, Effect};
use super::screens::compare::LABEL;

/// Kinds of wishes, each with a worker of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The first pairs.
    Head,
    /// The study, and its samples.
    Study,
    /// A pair on Compare.
    Pair,
    /// A pair on Label.
    LabelPair,
    /// The words of a change.
    Words,
    /// Why a pair matches.
    Why,
    /// What would be without some of the text.
    WhatIf,
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
    /// What labels say by now.
    Estimate,
    /// What a list asks, by the number of [`Ask::slot`].
    Ask(usize),
}

/// All kinds.
pub(super) fn kinds() -> impl Iterator<Item = Kind> {
    use Kind::{Arrange, Draft, Estimate, Head, LabelPair, Measure, Pair, Review, Study, WhatIf, Why, Words, Write};
    [Head, Study, Pair, LabelPair, Words, Why, WhatIf, Arrange, Measure, Write, Review, Draft, Estimate]
        .into_iter()
        .chain((0..Ask::SLOTS).map(Kind::Ask))
}

impl Effect {
    /// Which worker it is for; none for what no worker does.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Head => Some(Kind::Head),
            Self::Study | Self::Sample(_) => Some(Kind::Study),
            Self::Pair { generation, .. } if *generation > LABEL => Some(Kind::LabelPair),
            Self::Gold { .. } => Some(Kind::LabelPair),
            Self::Pair { .. } => Some(Kind::Pair),
            Self::Words { .. } => Some(Kind::Words),
            Self::Why { ask: dissector::Ask::Without { .. }, .. } => Some(Kind::WhatIf),
            Self::Why { .. } => Some(Kind::Why),
            Self::Review { .. } => Some(Kind::Review),
            Self::Draft(_) => Some(Kind::Draft),
            Self::Estimate(_) => Some(Kind::Estimate),
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
            Self::Head => "read the first pairs",
            Self::Study => "read the study",
            Self::Sample(_) => "read the sample",
            Self::Pair { .. } | Self::Gold { .. } => "compare a pair",
            Self::Review { .. } => "read what annotators decided",
            Self::Draft(_) => "keep a draft",
            Self::Words { .. } => "compare the words of a change",
            Self::Why { ask: dissector::Ask::Without { .. }, .. } => "compare without some of the text",
            Self::Estimate(_) => "estimate from labels",
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
            Self::Head(_) => Some(Kind::Head),
            Self::Study(_) | Self::Sample(_) => Some(Kind::Study),
            Self::Pair { generation, .. } if *generation > LABEL => Some(Kind::LabelPair),
            Self::Pair { .. } => Some(Kind::Pair),
            Self::Words { .. } => Some(Kind::Words),
            Self::Why { result: Ok(dissector::Told::Without { .. }), .. } => Some(Kind::WhatIf),
            Self::Why { .. } => Some(Kind::Why),
            Self::Arrange { .. } => Some(Kind::Arrange),
            Self::Measure { .. } => Some(Kind::Measure),
            Self::Told(told) => Some(Kind::Ask(told.slot())),
            Self::Said(_) => Some(Kind::Write),
            Self::Review { .. } => Some(Kind::Review),
            Self::NoDraft(_) => Some(Kind::Draft),
            Self::Estimate(_) => Some(Kind::Estimate),
            _ => None,
        }
    }
}
