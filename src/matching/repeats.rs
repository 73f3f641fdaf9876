//! Records of a segment that have one id.
//!
//! A pass keeps 8 bytes of each document, a hash of its id. Only where one comes twice, or is known from another segment,
//! the segment is read again, to see whose they are.

use std::collections::HashSet;

use super::MatchingError;
use super::pairs::Target;
use super::reading::{SkipListener, Skipped, Unlisted, Visitor, visit_some};
use super::source::ReadOptions;
use dejaview_base::hash;
use dejaview_corpus::{Document, SkipReason};

/// The hash by which a search knows the id of a document.
pub fn id_hash(id: &str) -> u64 {
    hash::token(id.as_bytes())
}

/// What is known of a segment when its repeats are looked for.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<'a> {
    /// Documents that may have a pair, by id.
    pub(super) targets: &'a [Target],
    /// For each of them whether it has one.
    pub(super) paired: &'a [bool],
    /// Hashes of the ids of documents that count in another segment, where they have no pair; ascending.
    pub(super) counted: &'a [u64],
}

/// A record: its id, the number of its file, and where in it.
type Record = (Box<str>, usize, u64);

/// Lists the records of the `chosen` files, by their numbers, that do not count because another has their id, given the
/// hashes of all ids, ascending. The first counts, by file and offset, and one with a pair before one without. Of a document
/// of another segment only a record with a pair counts, and is no further document.
///
/// How many documents there are is not asked here: as many as there are different ids.
pub(super) fn list(
    options: ReadOptions<'_>,
    chosen: &[usize],
    ids: &[u64],
    known: Known<'_>,
) -> Result<(), MatchingError> {
    let again: HashSet<u64> = ids.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
    if again.is_empty() && known.counted.is_empty() {
        return Ok(());
    }
    let ReadOptions { inputs, threads, progress, skips, .. } = options;
    // The same files are read once more, and whoever watches sees it from their beginning.
    progress.begin_stage();
    let finder = || Finder { again: &again, known, skips, found: Vec::new() };
    let visited = visit_some(inputs, chosen, threads, progress, &Unlisted, finder)?;
    if progress.cancelled() {
        return Err(MatchingError::Cancelled);
    }
    let mut found: Vec<Record> = visited.visitors.into_iter().flat_map(|finder| finder.found).collect();
    found.sort_unstable();
    found.chunk_by(|a, b| a.0 == b.0).for_each(|records| known.list(records, skips));
    Ok(())
}

impl Known<'_> {
    /// Whether a document of another segment with this hash of its id was counted.
    fn is_counted(&self, hash: u64) -> bool {
        self.counted.binary_search(&hash).is_ok()
    }

    /// Whether the record of target number `at` counts here.
    pub(super) fn counts_here(&self, at: usize) -> bool {
        self.paired[at] || !self.is_counted(id_hash(&self.targets[at].id))
    }

    /// Lists all records of one id but the one that counts, if one does.
    fn list(&self, records: &[Record], skips: &dyn SkipListener) {
        let (id, file, offset) = &records[0];
        let is_counted = self.is_counted(id_hash(id));
        let target = self.targets.binary_search_by(|target| target.id.cmp(id)).ok();
        let target = target.filter(|at| self.counts_here(*at)).map(|at| &self.targets[at]);
        // Records of one gzip member have one offset: one of them counts, not all.
        let mut left = match target {
            Some(target) => Some((target.file, target.offset)),
            None => (!is_counted).then_some((*file, *offset)),
        };
        for (id, file, offset) in records {
            if left.take_if(|counts| *counts == (*file, *offset)).is_none() {
                skips.skipped(Skipped::repeated(*file, *offset, id));
            }
        }
    }
}

struct Finder<'a> {
    /// Hashes of ids that come twice in the segment.
    again: &'a HashSet<u64>,
    known: Known<'a>,
    skips: &'a dyn SkipListener,
    found: Vec<Record>,
}

impl Visitor for Finder<'_> {
    fn document(&mut self, file: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        let hash = id_hash(document.id);
        let record = || (document.id.into(), file, document.offset);
        if self.again.contains(&hash) {
            self.found.push(record());
        } else if self.known.is_counted(hash) {
            // A segment may repeat another as a whole, so none of these is held in memory.
            self.known.list(&[record()], self.skips);
        }
        Ok(())
    }
}
