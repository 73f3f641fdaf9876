//! The options of size estimates.

use std::collections::BTreeSet;

use strum::IntoStaticStr;

use crate::StudyError;
use crate::recipe::Keep;
use crate::snapshot::Snapshot;
use dejaview_base::choice::{Choice, Choices};

/// What decides that a page of one corpus stands in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum SizeBy {
    /// It has a pair of the study that is alike enough.
    #[default]
    Pairs,
    /// A search for its rarest words finds a page that is alike enough.
    Queries,
}

impl Choice for SizeBy {
    const CHOICES: Choices<Self> = &[
        (Self::Pairs, "It has a pair of the study"),
        (Self::Queries, "A search for its 8 rarest words finds it; all texts must be kept"),
    ];
}

impl SizeBy {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// How sizes are told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SizeOptions {
    pub by: SizeBy,
    /// From this Jaccard on a page stands in the other corpus.
    pub alike: f64,
    /// Pages of each corpus that are searched for.
    pub asked: usize,
    /// Seed of their choice and of the intervals.
    pub seed: u64,
}

impl Default for SizeOptions {
    fn default() -> Self {
        Self { by: SizeBy::Pairs, alike: 0.9, asked: 200, seed: 1 }
    }
}

/// Pages of one side that were looked for on the other.
pub(crate) struct FoundElsewhere {
    pub(crate) asked: u64,
    /// Ids of those found.
    pub(crate) found: BTreeSet<String>,
}

/// An error unless all texts are kept: searching for those with a pair alone would say that everything overlaps.
pub(crate) fn must_keep_all(study: &Snapshot) -> Result<(), StudyError> {
    match study.recipe().keep {
        Keep::All => Ok(()),
        Keep::Hits => Err(StudyError::NotKept { path: study.folder().to_owned() }),
    }
}
