//! The pairs of one document, wherever it stands in them.
//!
//! Two documents that stand on both sides are one pair, whose source is the one that comes first by id. Who asks what was
//! found for the other must look for it among the targets.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::PairTable;

/// For each document that stands on both sides the numbers of the pairs whose target it is; made when first asked for.
#[derive(Debug, Default)]
pub(super) struct Turned {
    of: OnceLock<BTreeMap<Box<str>, Vec<u32>>>,
}

impl PairTable {
    /// Whether some documents stand on both sides.
    pub fn joins_itself(&self) -> bool {
        self.files.iter().any(|open| open.file.joins_itself())
    }

    /// Numbers of the pairs whose target a document of the source is.
    pub fn turned(&self, id: &str) -> &[u32] {
        let made = self.turned.of.get_or_init(|| {
            let mut turned: BTreeMap<Box<str>, Vec<u32>> = BTreeMap::new();
            let all = if self.joins_itself() { self.len() } else { 0 };
            for (row, pair) in (0..all).map(|row| (row, self.pair(row))).filter(|(_, pair)| pair.both[1]) {
                turned.entry(pair.target.into()).or_default().push(row as u32);
            }
            turned
        });
        made.get(id).map_or(&[], Vec::as_slice)
    }
}
