//! What workers do with the files of a kit.

use strum::{Display, EnumString};

/// What workers do with the files of a kit. Each stage rests on the one before, where the study needs that.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
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
