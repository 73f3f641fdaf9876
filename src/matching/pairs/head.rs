//! The first pairs of a large file, without reading the rest of it.
//!
//! Nothing but the places that are asked for is read, so nothing but those is checked: what is shown of it is shown until
//! the whole file has been read and found in order, or not.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::Found;
use super::file::PairsFile;
use super::write::{HEADER, MAGIC, Rows, VERSION};
use crate::matching::import::Imported;
use crate::methods::measures::{Common, LENGTHS, Profile};

/// The first rows of a file as a file of their own, in memory.
#[derive(Debug)]
pub struct Head {
    /// The rows.
    pub file: PairsFile,
    /// Rows of the whole file.
    pub rows: u64,
}

/// Reads places of a file.
struct Places {
    file: File,
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
    /// The first `most` pairs of a file; none when it is not a file of pairs.
    pub fn head(path: &Path, most: usize) -> Option<Head> {
        let places = Places::open(path)?;
        let count = places.rows.min(most as u64);
        let found: Vec<Found> = (0..count).map(|row| places.found(row)).collect::<Option<_>>()?;
        let distances: Vec<u16> = (0..count).map(|row| places.distance(row)).collect::<Option<_>>()?;
        let hits: Vec<(u32, u16)> =
            distances.into_iter().enumerate().map(|(i, distance)| (i as u32, distance)).collect();
        let nothing = Imported { score: None, rank: 0 };
        let imported = vec![nothing; if places.imported { found.len() } else { 0 }];
        let documents = |side: Side, number: fn(&Found) -> u32| {
            let numbers = found.iter().map(number);
            numbers.map(|i| Some((i, places.document(side, i)?))).collect::<Option<BTreeMap<u32, (String, Profile)>>>()
        };
        let sources = documents(places.sources, |pair| pair.source)?;
        let targets = documents(places.targets, |pair| pair.target)?;
        let of = |all: &'_ BTreeMap<u32, (String, Profile)>, i: u32| {
            all.get(&i).map(|(_, profile)| *profile).unwrap_or_default()
        };
        let bytes = Rows { found: &found, hits: &hits, imported: &imported }.encode(
            |i| (sources.get(&i).map_or("", |(id, _)| id), of(&sources, i)),
            |i| (targets.get(&i).map_or("", |(id, _)| id), of(&targets, i)),
        );
        Some(Head { file: Self::of_bytes(path, bytes).ok()?, rows: places.rows })
    }
}

impl Places {
    fn open(path: &Path) -> Option<Self> {
        let file = File::open(path).ok()?;
        let mut header = [0; HEADER];
        file.read_exact_at(&mut header, 0).ok()?;
        let number =
            |at: usize| u64::from(u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]));
        if header[..8] != *MAGIC || number(8) != u64::from(VERSION) {
            return None;
        }
        let rows = number(20) | number(24) << 32;
        let (sources, start) = Side::at(&file, HEADER as u64, number(12))?;
        let (targets, start) = Side::at(&file, start, number(16))?;
        Some(Self { file, sources, targets, rows, start, imported: number(28) != 0 })
    }

    fn bytes<const N: usize>(&self, at: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        self.file.read_exact_at(&mut bytes, at).ok()?;
        Some(bytes)
    }

    fn number(&self, at: u64) -> Option<u32> {
        self.bytes(at).map(u32::from_le_bytes)
    }

    fn distance(&self, row: u64) -> Option<u16> {
        self.bytes(self.start + 8 * self.rows + 2 * row).map(u16::from_le_bytes)
    }

    fn found(&self, row: u64) -> Option<Found> {
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
        Some(Found { source: self.number(column(0, 4))?, target: self.number(column(4, 4))?, same_url, common })
    }

    fn document(&self, side: Side, i: u32) -> Option<(String, Profile)> {
        let i = u64::from(i);
        let end = |i: u64| self.bytes(side.ends + 8 * i).map(u64::from_le_bytes);
        let start = if i == 0 { 0 } else { end(i - 1)? };
        let mut id = vec![0; usize::try_from(end(i)?.checked_sub(start)?).ok().filter(|length| *length < 1 << 16)?];
        self.file.read_exact_at(&mut id, side.ids + start).ok()?;
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
    fn at(file: &File, ends: u64, count: u64) -> Option<(Self, u64)> {
        let ids = ends + 8 * count;
        let mut last = [0; 8];
        if count > 0 {
            file.read_exact_at(&mut last, ids - 8).ok()?;
        }
        let numbers = ids.checked_add(u64::from_le_bytes(last))?;
        let width = 4 + 4 * LENGTHS.len() as u64 + 4 + 8;
        Some((Self { count, ends, ids, numbers }, numbers.checked_add(width * count)?))
    }
}
