//! One row of the table of pairs.

use super::finders::FinderSet;

/// Where a pair stands in the files, and who found it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) file: u32,
    pub(crate) row: u32,
    /// The configurations that found it.
    pub(crate) finders: FinderSet,
}
