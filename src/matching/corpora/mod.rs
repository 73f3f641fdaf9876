//! Which documents of the source may have a pair, where neither side fits in memory?
//!
//! Both sides are read once and sketched. What is kept of a document is a row for each of its keys, of each configuration:
//! the key, the sketch where it is short, and two hashes that say which document it is. Rows are sorted on disk
//! ([`SortedRuns`]), or by a cluster, so that those with one key come together, and only they are compared ([`Joiner`]).
//! Sketches that are the same are compared once, however many documents have them: copies of one page cost no more than
//! their rows.
//!
//! The answer may have documents too many, never too few: long sketches are not compared here, and documents are known by a
//! hash of their id. Whoever passes the target against the documents that are left finds the same pairs as against all.
//!
//! Memory: what is asked for, 8 bytes a document of the source, and the rows of one key.

mod joiner;
mod rows;
mod sketcher;

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

pub use joiner::{Joined, Joiner};
pub use rows::{Row, Side, each_row};
pub use sketcher::{RowSink, Sketched, SketchedSide, sketch_side};

use super::MatchingError;
use super::capped::CappedKey;
use super::reading::Unlisted;
use super::repeats;
use super::runs::SortedRuns;
use super::source::{Join, ReadOptions};
use dejaview_base::bytes::{ByteReader, ByteWriter};
use dejaview_base::hash;
use dejaview_corpus::Input;

/// How two corpora are joined.
#[derive(Debug, Clone, Copy)]
pub struct CorporaOptions<'a> {
    /// What makes a document of the target one of the source, which is not its pair.
    pub join: Join,
    /// Folder for sorted rows; made and removed.
    pub folder: &'a Path,
    /// Bytes of memory for rows.
    pub memory: usize,
    /// Different sketches of the source that may share a key.
    pub most_sketches: u64,
}

/// The documents of the source that may have a pair.
#[derive(Debug, Default)]
pub struct PairedSources {
    hashes: HashSet<u64>,
    /// Documents of the source, those that repeat the id of another left out.
    pub documents: u64,
    /// Numbers of the files of the source that were read.
    pub files: Vec<usize>,
    /// Keys that too many different sketches share.
    pub capped: Vec<CappedKey>,
    /// Bytes of rows that did not fit in memory.
    pub spilled: u64,
}

impl PairedSources {
    /// Reads both sides, the source as `options` say and as far as it is `wanted`, and finds the documents.
    pub fn find(
        options: ReadOptions<'_>,
        wanted: &(dyn Fn(&str) -> bool + Sync),
        target: &[Input],
        order: CorporaOptions<'_>,
    ) -> Result<Self, MatchingError> {
        let failed = |why| MatchingError::File { doing: "sorting sketches in", path: order.folder.to_owned(), why };
        let rows = Rows { runs: Mutex::new(Ok(SortedRuns::new(order.folder, order.memory).map_err(failed)?)) };
        let sketch = |side: SketchedSide<'_>| -> Result<Sketched, MatchingError> {
            let sketched = sketch_side(options, side, &rows)?;
            rows.failure().map_err(failed)?;
            if options.progress.cancelled() { Err(MatchingError::Cancelled) } else { Ok(sketched) }
        };
        let (join, side) = (order.join, Side::Source);
        let (inputs, skips, chosen) = (options.inputs, options.skips, &all(options.inputs));
        let source = sketch(SketchedSide { side, inputs, chosen, wanted, join, skips })?;
        let (side, inputs, chosen) = (Side::Target, target, &all(target));
        sketch(SketchedSide { side, inputs, chosen, wanted: &|_| true, join, skips: &Unlisted })?;
        let runs = rows.runs.into_inner().unwrap_or_else(PoisonError::into_inner).map_err(failed)?;
        let spilled = runs.written;
        let mut joiner = Joiner::new(options.configurations, order.most_sketches);
        runs.each(|row| joiner.add(row).ok_or(io::ErrorKind::InvalidData.into())).map_err(failed)?;
        Ok(Self { spilled, ..Self::of_joined(options, all(options.inputs), source.ids, joiner.finish())? })
    }

    /// What a join told, given the hashes of the ids of the source, and the numbers of the files that they are of; records
    /// that do not count because another has their id are listed.
    pub fn of_joined(
        options: ReadOptions<'_>,
        files: Vec<usize>,
        mut ids: Vec<u64>,
        joined: Joined,
    ) -> Result<Self, MatchingError> {
        ids.sort_unstable();
        repeats::list(options, &files, &ids, repeats::Known::default())?;
        ids.dedup();
        let documents = ids.len() as u64;
        let Joined { hashes, mut capped } = joined;
        capped.sort_unstable();
        Ok(Self { hashes, documents, files, capped, spilled: 0 })
    }

    /// Appends which documents they are.
    pub fn write(&self, out: &mut ByteWriter) {
        let mut hashes: Vec<u64> = self.hashes.iter().copied().collect();
        hashes.sort_unstable();
        out.size(hashes.len());
        hashes.iter().for_each(|hash| out.fixed(hash.to_le_bytes()));
    }

    /// Reads which documents they are; nothing else is known of them then.
    pub fn read(input: &mut ByteReader<'_>) -> Option<Self> {
        let hashes = input.list(|input| Some(u64::from_le_bytes(input.fixed()?)))?;
        Some(Self { hashes: hashes.into_iter().collect(), ..Self::default() })
    }

    /// Digest of which documents they are.
    pub fn digest(&self) -> String {
        let mut out = ByteWriter::new(b"");
        self.write(&mut out);
        hash::digest(&out.seal())
    }

    /// Whether a document may have a pair.
    pub fn contains(&self, id: &str) -> bool {
        self.hashes.contains(&repeats::id_hash(id))
    }
}

fn all(inputs: &[Input]) -> Vec<usize> {
    (0..inputs.len()).collect()
}

/// The rows of all threads, sorted on disk.
struct Rows {
    /// Or why they cannot be kept.
    runs: Mutex<io::Result<SortedRuns>>,
}

impl RowSink for Rows {
    fn take(&self, rows: &[u8]) -> bool {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(sorted) = &mut *runs else { return false };
        match each_row(rows).try_for_each(|row| sorted.add(row)) {
            Ok(()) => true,
            Err(why) => {
                *runs = Err(why);
                false
            }
        }
    }
}

impl Rows {
    fn failure(&self) -> io::Result<()> {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *runs {
            Ok(_) => Ok(()),
            Err(why) => Err(std::mem::replace(why, io::ErrorKind::Other.into())),
        }
    }
}
