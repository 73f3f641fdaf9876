//! The first and the last pairs of a large file, without reading the rest of it.
//!
//! Nothing but the places that are asked for is read, so nothing but those is checked: what is shown of it is shown until
//! the whole file has been read and found in order, or not.

use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::path::Path;

use super::FoundPair;
use super::file::PairsFile;
use super::write::{GROUPS, HEADER, IMPORTED, MAGIC, PairRows, Side as Written, VERSION};
use crate::DocumentNumber;
use crate::import::Imported;
use dejaview_base::system::{self, FileExt};
use dejaview_methods::measures::{Common, LENGTHS, Profile};

/// Bytes read at once: neighbours are asked for next.
const BLOCK: usize = 1 << 14;

/// The first and the last rows of a file as a file of their own, in memory.
#[derive(Debug)]
pub struct Ends {
    pub file: PairsFile,
    /// How many of them are the first of the whole file; those behind them are its last.
    pub first: usize,
    /// Rows of the whole file.
    pub rows: u64,
}

/// A file of which blocks are read when they are first asked for.
struct Blocks {
    file: File,
    read: RefCell<HashMap<u64, Vec<u8>>>,
}

impl Blocks {
    /// Fills a buffer from a place on; none where the file ends before it is full.
    fn fill(&self, buffer: &mut [u8], at: u64) -> Option<()> {
        let mut done = 0;
        while done < buffer.len() {
            let place = at.checked_add(done as u64)?;
            let (number, start) = (place / BLOCK as u64, (place % BLOCK as u64) as usize);
            let mut read = self.read.borrow_mut();
            let block = match read.entry(number) {
                Entry::Occupied(block) => block.into_mut(),
                Entry::Vacant(none) => none.insert(self.block(number)?),
            };
            let there = block.get(start..).filter(|there| !there.is_empty())?;
            let length = there.len().min(buffer.len() - done);
            buffer[done..done + length].copy_from_slice(&there[..length]);
            done += length;
        }
        Some(())
    }

    fn block(&self, number: u64) -> Option<Vec<u8>> {
        let mut block = vec![0; BLOCK];
        let mut length = 0;
        while length < BLOCK {
            match self.file.read_at(&mut block[length..], number * BLOCK as u64 + length as u64).ok()? {
                0 => break,
                more => length += more,
            }
        }
        block.truncate(length);
        Some(block)
    }
}

/// Reads places of a file.
struct Places {
    file: Blocks,
    sources: Side,
    targets: Side,
    rows: u64,
    /// Where the columns of pairs begin.
    start: u64,
    imported: bool,
}

/// Where the columns of one side's documents are.
#[derive(Clone, Copy)]
struct Side {
    count: u64,
    ends: u64,
    ids: u64,
    numbers: u64,
}

impl PairsFile {
    /// The first `most` and the last `most` pairs of a file; none when it is not a file of pairs.
    pub fn ends(path: &Path, most: usize) -> Option<Ends> {
        let places = Places::open(path)?;
        let most = most as u64;
        let first = if places.rows <= 2 * most { places.rows } else { most };
        let rows = || (0..first).chain((places.rows - most.min(places.rows)).max(first)..places.rows);
        let found: Vec<FoundPair<DocumentNumber>> = rows().map(|row| places.found(row)).collect::<Option<_>>()?;
        let distances: Vec<u16> = rows().map(|row| places.distance(row)).collect::<Option<_>>()?;
        let hits: Vec<(u32, u16)> =
            distances.into_iter().enumerate().map(|(i, distance)| (i as u32, distance)).collect();
        let nothing = Imported { score: None, rank: 0 };
        let imported = vec![nothing; if places.imported { found.len() } else { 0 }];
        let documents = |side: Side, number: fn(&FoundPair<DocumentNumber>) -> DocumentNumber| {
            let numbers = found.iter().map(number);
            let different = numbers.collect::<BTreeSet<DocumentNumber>>().into_iter();
            different
                .map(|i| Some((i, places.document(side, i)?)))
                .collect::<Option<BTreeMap<DocumentNumber, (String, Profile)>>>()
        };
        let sources = documents(places.sources, |pair| pair.source)?;
        let targets = documents(places.targets, |pair| pair.target)?;
        let bytes = PairRows { imported: &imported, ..PairRows::found(&found, &hits) }.encode(
            |i| written(&sources, i),
            |i| written(&targets, i),
            |_, _| 0,
        );
        Some(Ends { file: Self::of_bytes(path, bytes).ok()?, first: first as usize, rows: places.rows })
    }
}

fn written(all: &BTreeMap<DocumentNumber, (String, Profile)>, i: DocumentNumber) -> Written<'_> {
    let (id, profile) = all.get(&i).map(|(id, profile)| (id.as_str(), *profile)).unwrap_or_default();
    Written { id, profile, both: false }
}

/// Bytes of a row, over all columns.
const ROW: u64 = 11 + 4 * LENGTHS.len() as u64 + 12;

impl Places {
    fn open(path: &Path) -> Option<Self> {
        let file = Blocks { file: system::open_file(path).ok()?, read: RefCell::default() };
        let mut header = [0; HEADER];
        file.fill(&mut header, 0)?;
        let number =
            |at: usize| u64::from(u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]));
        // Rows that are pairs of groups take no time to read.
        if header[..8] != *MAGIC || number(8) != u64::from(VERSION) || number(28) & u64::from(GROUPS) != 0 {
            return None;
        }
        let rows = number(20) | number(24) << 32;
        // Forged numbers are no places in the file.
        let length = file.file.metadata().ok()?.len();
        let (sources, start) = Side::at(&file, HEADER as u64, number(12)).filter(|(_, end)| *end <= length)?;
        let (targets, start) = Side::at(&file, start, number(16)).filter(|(_, end)| *end <= length)?;
        if rows.checked_mul(ROW)?.checked_add(start)? > length {
            return None;
        }
        Some(Self { file, sources, targets, rows, start, imported: number(28) & u64::from(IMPORTED) != 0 })
    }

    fn bytes<const N: usize>(&self, at: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.file.fill(&mut bytes, at)?;
        Some(bytes)
    }

    fn number(&self, at: u64) -> Option<u32> {
        self.bytes(at).map(u32::from_le_bytes)
    }

    fn distance(&self, row: u64) -> Option<u16> {
        self.bytes(self.start + 8 * self.rows + 2 * row).map(u16::from_le_bytes)
    }

    fn found(&self, row: u64) -> Option<FoundPair<DocumentNumber>> {
        let column = |before: u64, width: u64| self.start + before * self.rows + width * row;
        let grams =
            (0..LENGTHS.len()).map(|n| self.number(column(11 + 4 * n as u64, 4))).collect::<Option<Vec<_>>>()?;
        let behind = 11 + 4 * LENGTHS.len() as u64;
        let common = Common {
            grams: grams.try_into().ok()?,
            spaced: self.number(column(behind, 4))?,
            dot: self.bytes(column(behind + 4, 8)).map(u64::from_le_bytes)?,
        };
        let same_url = self.bytes::<1>(column(10, 1))? == [1];
        let (source, target) = (self.number(column(0, 4))?.into(), self.number(column(4, 4))?.into());
        Some(FoundPair { source, target, same_url, common })
    }

    fn document(&self, side: Side, number: DocumentNumber) -> Option<(String, Profile)> {
        let i = number.index() as u64;
        let end = |i: u64| self.bytes(side.ends + 8 * i).map(u64::from_le_bytes);
        let start = if i == 0 { 0 } else { end(i - 1)? };
        let mut id = vec![0; usize::try_from(end(i)?.checked_sub(start)?).ok().filter(|length| *length < 1 << 16)?];
        self.file.fill(&mut id, side.ids.checked_add(start)?)?;
        let column = |before: u64, width: u64| side.numbers + before * side.count + width * i;
        let sizes = (0..LENGTHS.len()).map(|n| self.number(column(4 + 4 * n as u64, 4))).collect::<Option<Vec<_>>>()?;
        let behind = 4 + 4 * LENGTHS.len() as u64;
        let profile = Profile {
            words: self.number(column(0, 4))?,
            sizes: sizes.try_into().ok()?,
            spaced: self.number(column(behind, 4))?,
            norm: self.bytes(column(behind + 4, 8)).map(u64::from_le_bytes)?,
        };
        Some((String::from_utf8(id).ok()?, profile))
    }
}

impl Side {
    /// The columns of `count` documents from a place on, and what follows them.
    fn at(file: &Blocks, ends: u64, count: u64) -> Option<(Self, u64)> {
        let ids = ends + 8 * count;
        let mut last = [0; 8];
        if count > 0 {
            file.fill(&mut last, ids - 8)?;
        }
        let numbers = ids.checked_add(u64::from_le_bytes(last))?;
        let width = 4 + 4 * LENGTHS.len() as u64 + 4 + 8;
        Some((Self { count, ends, ids, numbers }, numbers.checked_add(width * count)?))
    }
}
