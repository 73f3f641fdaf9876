//! Rows by their target, where that is a document of the source, too.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// For each document that stands on both sides the numbers of the pairs whose target it is and whose source does so too; made
/// when first asked for.
#[derive(Debug, Default)]
pub(crate) struct Turned {
    pub(crate) of: OnceLock<BTreeMap<Box<str>, Vec<u32>>>,
}
