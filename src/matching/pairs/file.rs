//! Reads one file of pairs: whole, and checked.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::Pair;
use super::columns::{Cursor, u16_at, u32_at, u64_at};
use super::documents::{Documents, five};
use super::write::{BOTH, HEADER, IMPORTED, MAGIC, VERSION};
use crate::matching::MatchingError;
use crate::matching::import::Imported;
use crate::methods::measures::{Common, LENGTHS};

const CHECKSUM: usize = 8;

/// A file of pairs in memory.
#[derive(Debug)]
pub struct PairsFile {
    path: PathBuf,
    bytes: Vec<u8>,
    rows: usize,
    sources: Documents,
    targets: Documents,
    source: Range<usize>,
    target: Range<usize>,
    distance: Range<usize>,
    same_url: Range<usize>,
    grams: [Range<usize>; LENGTHS.len()],
    spaced: Range<usize>,
    dot: Range<usize>,
    /// Score and place of each pair, where they were imported.
    imported: Option<[Range<usize>; 2]>,
    /// Of each side's documents whether they stand on both, where any does.
    both: Option<[Range<usize>; 2]>,
}

impl PairsFile {
    /// Reads and checks a file.
    pub fn open(path: &Path) -> Result<Self, MatchingError> {
        let bytes =
            fs::read(path).map_err(|why| MatchingError::File { doing: "reading", path: path.to_owned(), why })?;
        Self::of_bytes(path, bytes)
    }

    /// Checks what a file holds.
    pub(super) fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, MatchingError> {
        let damaged = |what| MatchingError::Damaged { path: path.to_owned(), what };
        let body = bytes.len().checked_sub(CHECKSUM).filter(|&b| b >= HEADER).ok_or(damaged("it is too short"))?;
        if bytes[..8] != *MAGIC {
            return Err(damaged("it does not begin as one"));
        }
        if u32_at(&bytes, &(8..12), 0) != VERSION {
            return Err(damaged("another version wrote it"));
        }
        if u64_at(&bytes, &(body..bytes.len()), 0) != xxh3_64(&bytes[..body]) {
            return Err(damaged("its checksum is wrong"));
        }
        Self::columns(path, bytes, body).ok_or(damaged("its columns do not fit"))
    }

    fn columns(path: &Path, bytes: Vec<u8>, body: usize) -> Option<Self> {
        let counts = [12, 16].map(|at| u32_at(&bytes, &(at..at + 4), 0) as usize);
        let rows = usize::try_from(u64_at(&bytes, &(20..28), 0)).ok()?;
        let mut cursor = Cursor { bytes: &bytes[..body], at: HEADER };
        let sources = Documents::read(&mut cursor, counts[0])?;
        let targets = Documents::read(&mut cursor, counts[1])?;
        let (source, target) = (cursor.column(rows, 4)?, cursor.column(rows, 4)?);
        let (distance, same_url) = (cursor.column(rows, 2)?, cursor.column(rows, 1)?);
        let grams = five(|| cursor.column(rows, 4))?;
        let (spaced, dot) = (cursor.column(rows, 4)?, cursor.column(rows, 8)?);
        let flags = u32_at(&bytes, &(28..32), 0);
        if flags & !(IMPORTED | BOTH) != 0 {
            return None;
        }
        let imported = match flags & IMPORTED {
            0 => None,
            _ => Some([cursor.column(rows, 8)?, cursor.column(rows, 4)?]),
        };
        let both = match flags & BOTH {
            0 => None,
            _ => Some([cursor.column(counts[0], 1)?, cursor.column(counts[1], 1)?]),
        };
        let inside =
            |column: &Range<usize>, count: usize| (0..rows).all(|i| (u32_at(&bytes, column, i) as usize) < count);
        if cursor.at != body || !inside(&source, counts[0]) || !inside(&target, counts[1]) {
            return None;
        }
        let path = path.to_owned();
        Some(Self {
            path,
            bytes,
            rows,
            sources,
            targets,
            source,
            target,
            distance,
            same_url,
            grams,
            spaced,
            dot,
            imported,
            both,
        })
    }

    /// Where it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Different source documents.
    pub fn sources(&self) -> usize {
        self.sources.count
    }

    /// Different target documents.
    pub fn targets(&self) -> usize {
        self.targets.count
    }

    /// Id of the `i`th source document; ascending.
    pub fn source_id(&self, i: usize) -> &str {
        self.sources.id(&self.bytes, i)
    }

    /// Id of the `i`th target document; ascending.
    pub fn target_id(&self, i: usize) -> &str {
        self.targets.id(&self.bytes, i)
    }

    /// Numbers of the source and the target document of pair `i`.
    pub fn numbers(&self, i: usize) -> (u32, u32) {
        (u32_at(&self.bytes, &self.source, i), u32_at(&self.bytes, &self.target, i))
    }

    /// Distance of pair `i`.
    pub fn distance(&self, i: usize) -> u16 {
        u16_at(&self.bytes, &self.distance, i)
    }

    /// The `i`th pair.
    pub fn pair(&self, i: usize) -> Pair<'_> {
        let (source, target) = self.numbers(i);
        let (source, target) = (source as usize, target as usize);
        Pair {
            source: self.source_id(source),
            target: self.target_id(target),
            distance: u16_at(&self.bytes, &self.distance, i),
            same_url: self.bytes[self.same_url.start + i] == 1,
            source_profile: self.sources.profile(&self.bytes, source),
            target_profile: self.targets.profile(&self.bytes, target),
            common: Common {
                grams: [0, 1, 2, 3, 4].map(|n: usize| u32_at(&self.bytes, &self.grams[n], i)),
                spaced: u32_at(&self.bytes, &self.spaced, i),
                dot: u64_at(&self.bytes, &self.dot, i),
            },
            both: [self.stands_on_both(0, source), self.stands_on_both(1, target)],
            imported: self.imported(i),
        }
    }

    /// Whether a document of the source (0) or the target (1) stands on both sides.
    fn stands_on_both(&self, side: usize, i: usize) -> bool {
        self.both.as_ref().is_some_and(|both| self.bytes[both[side].start + i] == 1)
    }

    /// Whether any document stands on both sides.
    pub fn joins_itself(&self) -> bool {
        self.both.is_some()
    }

    fn imported(&self, i: usize) -> Option<Imported> {
        let [score, rank] = self.imported.as_ref()?;
        let score = f64::from_bits(u64_at(&self.bytes, score, i));
        Some(Imported { score: (!score.is_nan()).then_some(score), rank: u32_at(&self.bytes, rank, i) })
    }

    /// All pairs, by source id, then target id.
    pub fn pairs(&self) -> impl Iterator<Item = Pair<'_>> {
        (0..self.rows).map(|i| self.pair(i))
    }

    /// The pairs of one source document, as a range of rows.
    pub fn rows_of_source(&self, id: &str) -> Range<usize> {
        let start = self.first_row(|source| source >= id);
        start..self.first_row(|source| source > id).max(start)
    }

    /// The first row whose source passes; those behind it pass too.
    fn first_row(&self, passes: impl Fn(&str) -> bool) -> usize {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let middle = (low + high) / 2;
            if passes(self.source_id(self.numbers(middle).0 as usize)) { high = middle } else { low = middle + 1 }
        }
        low
    }
}
