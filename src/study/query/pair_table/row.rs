//! One row of the table of pairs.

use super::finders::FinderSet;

/// A pair by its place in the files, with the configurations that found it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableRow {
    pub(crate) file: u32,
    pub(crate) row: u32,
    pub(crate) finders: FinderSet,
}
