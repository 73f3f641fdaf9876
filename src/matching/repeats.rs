//! Records of a segment that have one id.
//!
//! A pass keeps 8 bytes of each document, a hash of its id. Only where one comes twice the segment is read again, to see
//! whose they are.

use std::collections::HashSet;

use super::MatchingError;
use super::pairs::Target;
use super::reading::{Skipped, Unlisted, Visitor, visit_some};
use super::source::ReadOptions;
use dejaview_base::hash;
use dejaview_base::progress::Progress;
use dejaview_corpus::{Document, SkipReason};

/// The hash by which a search knows the id of a document.
pub fn id_hash(id: &str) -> u64 {
    hash::token(id.as_bytes())
}

/// Lists the records of the `chosen` files, by their numbers, that do not count because another has their id, and returns how
/// many they are. The first counts, by file and offset, and one with a pair before one without: `paired` are those, by id.
pub(super) fn find(
    options: ReadOptions<'_>,
    chosen: &[usize],
    mut ids: Vec<u64>,
    paired: &[Target],
) -> Result<u64, MatchingError> {
    ids.sort_unstable();
    let again: HashSet<u64> = ids.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
    drop(ids);
    if again.is_empty() {
        return Ok(0);
    }
    let progress = Progress::default();
    let finder = || Finder { again: &again, found: Vec::new() };
    let visited = visit_some(options.inputs, chosen, options.threads, &progress, &Unlisted, finder)?;
    let mut found: Vec<(Box<str>, usize, u64)> = visited.visitors.into_iter().flat_map(|finder| finder.found).collect();
    found.sort_unstable();
    let mut skipped = 0;
    for records in found.chunk_by(|a, b| a.0 == b.0) {
        let (id, file, offset) = &records[0];
        let with_pair = paired.binary_search_by(|target| target.id.cmp(id)).ok().map(|at| &paired[at]);
        let counts = with_pair.map_or((*file, *offset), |target| (target.file, target.offset));
        // Records of one gzip member have one offset: one of them counts, not all.
        let mut left = Some(counts);
        for (id, file, offset) in records {
            if left.take_if(|counts| *counts == (*file, *offset)).is_none() {
                options.skips.skipped(Skipped::repeated(*file, *offset, id));
                skipped += 1;
            }
        }
    }
    Ok(skipped)
}

struct Finder<'a> {
    again: &'a HashSet<u64>,
    found: Vec<(Box<str>, usize, u64)>,
}

impl Visitor for Finder<'_> {
    fn document(&mut self, file: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        if self.again.contains(&id_hash(document.id)) {
            self.found.push((document.id.into(), file, document.offset));
        }
        Ok(())
    }
}
