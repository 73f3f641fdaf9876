//! The two sides of a study, as the index keeps them.

use serde::{Deserialize, Serialize};

/// The side of the study a document belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum KeptSide {
    /// Its twins are looked for.
    Source,
    /// It was found among the documents searched.
    Target,
}

impl KeptSide {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Source, Self::Target];

    /// `source` or `target`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
        }
    }
}
