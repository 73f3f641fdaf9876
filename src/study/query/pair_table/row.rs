//! One row of the table of pairs.

/// Where a pair stands in the files, and who found it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) file: u32,
    pub(crate) row: u32,
    /// Number of the set of configurations that found it.
    pub(crate) finders: u32,
}
