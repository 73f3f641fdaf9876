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
use dejaview_base::progress::Progress;
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

/// How many records are no further documents.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Repeats {
    /// Records that do not count, because another has their id. They are listed.
    pub(super) skipped: u64,
    /// Records with a pair whose document was counted in another segment, where it has none.
    pub(super) counted_before: u64,
}

impl Repeats {
    fn add(&mut self, other: Self) {
        self.skipped += other.skipped;
        self.counted_before += other.counted_before;
    }
}

/// A record: its id, the number of its file, and where in it.
type Record = (Box<str>, usize, u64);

/// Lists the records of the `chosen` files, by their numbers, that do not count because another has their id, given the
/// hashes of all ids, ascending. The first counts, by file and offset, and one with a pair before one without. Of a document
/// of another segment only a record with a pair counts, and is no further document.
pub(super) fn find(
    options: ReadOptions<'_>,
    chosen: &[usize],
    ids: &[u64],
    known: Known<'_>,
) -> Result<Repeats, MatchingError> {
    let again: HashSet<u64> = ids.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
    if again.is_empty() && known.counted.is_empty() {
        return Ok(Repeats::default());
    }
    let (progress, skips) = (Progress::default(), options.skips);
    let finder = || Finder { again: &again, known, skips, found: Vec::new(), repeats: Repeats::default() };
    let visited = visit_some(options.inputs, chosen, options.threads, &progress, &Unlisted, finder)?;
    let (mut repeats, mut found) = (Repeats::default(), Vec::new());
    for finder in visited.visitors {
        repeats.add(finder.repeats);
        found.extend(finder.found);
    }
    found.sort_unstable();
    found.chunk_by(|a: &Record, b| a.0 == b.0).for_each(|records| repeats.add(known.settle(records, skips)));
    Ok(repeats)
}

impl Known<'_> {
    /// Whether a document of another segment with this hash of its id was counted.
    fn is_counted(&self, hash: u64) -> bool {
        self.counted.binary_search(&hash).is_ok()
    }

    /// Lists all records of one id but the one that counts, if one does.
    fn settle(&self, records: &[Record], skips: &dyn SkipListener) -> Repeats {
        let (id, file, offset) = &records[0];
        let is_counted = self.is_counted(id_hash(id));
        let target = self.targets.binary_search_by(|target| target.id.cmp(id)).ok();
        let target = target.filter(|at| !is_counted || self.paired[*at]).map(|at| &self.targets[at]);
        // Records of one gzip member have one offset: one of them counts, not all.
        let mut left = match target {
            Some(target) => Some((target.file, target.offset)),
            None => (!is_counted).then_some((*file, *offset)),
        };
        let mut repeats = Repeats { skipped: 0, counted_before: u64::from(is_counted && left.is_some()) };
        for (id, file, offset) in records {
            if left.take_if(|counts| *counts == (*file, *offset)).is_none() {
                skips.skipped(Skipped::repeated(*file, *offset, id));
                repeats.skipped += 1;
            }
        }
        repeats
    }
}

struct Finder<'a> {
    /// Hashes of ids that come twice in the segment.
    again: &'a HashSet<u64>,
    known: Known<'a>,
    skips: &'a dyn SkipListener,
    found: Vec<Record>,
    repeats: Repeats,
}

impl Visitor for Finder<'_> {
    fn document(&mut self, file: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        let hash = id_hash(document.id);
        let record = || (document.id.into(), file, document.offset);
        if self.again.contains(&hash) {
            self.found.push(record());
        } else if self.known.is_counted(hash) {
            // A segment may repeat another as a whole, so none of these is held in memory.
            self.repeats.add(self.known.settle(&[record()], self.skips));
        }
        Ok(())
    }
}
