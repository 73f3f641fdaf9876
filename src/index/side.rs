//! The two sides of a study.

use dejaview_base::choice::{Choice, Choices};
use serde::{Deserialize, Serialize};

/// The side of the study a document belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum KeptSide {
    /// The documents whose near-duplicates are looked for.
    Source,
    /// The documents that are searched.
    Target,
}

impl From<KeptSide> for &'static str {
    fn from(side: KeptSide) -> Self {
        side.name()
    }
}

impl Choice for KeptSide {
    const CHOICES: Choices<Self> = &[
        (Self::Source, "The documents whose near-duplicates are looked for"),
        (Self::Target, "The documents searched"),
    ];
}

impl KeptSide {
    pub const ALL: [Self; 2] = [Self::Source, Self::Target];

    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
        }
    }
}
