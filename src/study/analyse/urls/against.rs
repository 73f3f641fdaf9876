//! How many of the documents that a configuration found would also be found by their URL.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;

use super::interest::Interest;
use crate::Snapshot;
use dejaview_evaluation::overlap::Overlap;

/// URL against content for one configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Against {
    pub name: String,
    /// Documents of interest that it found.
    pub found: u64,
    /// Of these, with their URL in the target.
    pub common_url: u64,
    /// Of these, with a pair of the same URL.
    pub same_url: u64,
}

/// For each configuration, how many of the documents of interest that it found have a common URL; empty before a
/// run.
pub(super) fn against_methods(study: &Snapshot, overlap: &Overlap, interest: &Interest<'_>) -> Vec<Against> {
    let Ok(table) = study.table() else { return Vec::new() };
    let common: HashSet<&str> = overlap.documents.iter().map(|&document| interest.id(document)).collect();
    let none = || vec![BTreeSet::new(); table.configurations().len()];
    let (mut found, mut same) = (none(), none());
    for kind in table.kinds() {
        for bundle in &kind.bundles {
            let finders: Vec<usize> = table.finders_of(bundle).collect();
            finders.iter().for_each(|c| found[*c].extend(kind.sources.iter().map(|source| source.id)));
            for pair in table.pairs_of(&kind, bundle).filter(|pair| pair.same_url) {
                finders.iter().for_each(|c| same[*c].extend([pair.source]));
            }
        }
    }
    let row = |(c, name): (usize, &String)| {
        let common_url = found[c].iter().filter(|id| common.contains(*id)).count() as u64;
        let (found, same_url) = (found[c].len() as u64, same[c].len() as u64);
        Against { name: name.clone(), found, common_url, same_url }
    };
    table.configurations().iter().enumerate().map(row).collect()
}
