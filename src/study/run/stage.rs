//! What workers do with the files of a kit.

use serde::Serialize;
use strum::{Display, EnumString};

/// What workers do with the files of a kit. Each stage rests on the one before, where the study needs that.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Display, EnumString, Serialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum KitStage {
    /// Count words, for methods that are fitted to both sides.
    Statistics,
    /// Sketch both sides, where neither fits in memory.
    Sketches,
    /// Read the documents of the source that may have a pair, as the sketches tell.
    Sources,
    /// Search the target.
    #[default]
    Search,
}

impl KitStage {
    /// What workers do: “workers search 3 files”.
    pub const fn work(self) -> &'static str {
        match self {
            Self::Statistics => "count the words of",
            Self::Sketches => "sketch",
            Self::Sources => "read the source in",
            Self::Search => "search",
        }
    }

    /// What was done with a file: “searched before”.
    pub const fn done(self) -> &'static str {
        match self {
            Self::Statistics => "counted",
            Self::Sketches => "sketched",
            Self::Sources => "read",
            Self::Search => "searched",
        }
    }
}
