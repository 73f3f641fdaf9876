//! Of the documents that a configuration found, how many would their URL have found?

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;

use super::interest::Interest;
use crate::evaluation::overlap::Overlap;
use crate::study::Session;

/// URL against content for one configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Against {
    /// The configuration.
    pub name: String,
    /// Documents of interest that it found.
    pub found: u64,
    /// Of these, with their URL in the target.
    pub common_url: u64,
    /// Of these, with a pair of the same URL.
    pub same_url: u64,
}

impl Session {
    /// For each configuration, how many of the documents of interest that it found have a common URL; empty before a
    /// run.
    pub(super) fn against(&self, overlap: &Overlap, interest: &Interest<'_>) -> Vec<Against> {
        let Ok(table) = self.pair_table() else { return Vec::new() };
        let common: HashSet<&str> = overlap.documents.iter().map(|&document| interest.id(document)).collect();
        let of = |(c, name): (usize, &String)| {
            let (mut found, mut same) = (BTreeSet::new(), BTreeSet::new());
            for row in (0..table.len()).filter(|&row| table.found_by(row, c)) {
                let pair = table.pair(row);
                found.insert(pair.source);
                if pair.same_url {
                    same.insert(pair.source);
                }
            }
            let common_url = found.iter().filter(|id| common.contains(*id)).count() as u64;
            Against { name: name.clone(), found: found.len() as u64, common_url, same_url: same.len() as u64 }
        };
        table.configurations().iter().enumerate().map(of).collect()
    }
}
