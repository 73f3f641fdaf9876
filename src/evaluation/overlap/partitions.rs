//! Records in partitions by their hash, in memory as far as the budget goes, else on disk.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

/// Partitions of each side.
const PARTS: usize = 512;
/// Bytes of a record on disk.
const RECORD: usize = 24;
/// Number of a document that has none.
const NOBODY: u32 = (1 << 30) - 1;

/// A URL by its hash, with 20 bits for its host, 14 for its top-level domain and 30 for its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Record {
    high: u64,
    low: u64,
    beside: u64,
}

impl Record {
    pub(super) fn new(key: u128, host: u32, top_level: u32, number: Option<u32>) -> Self {
        let number = number.unwrap_or(NOBODY).min(NOBODY);
        let beside = u64::from(host) << 44 | u64::from(top_level) << 30 | u64::from(number);
        Self { high: (key >> 64) as u64, low: key as u64, beside }
    }

    pub(super) fn host(&self) -> usize {
        (self.beside >> 44) as usize
    }

    pub(super) fn top_level(&self) -> usize {
        (self.beside >> 30) as usize & ((1 << 14) - 1)
    }

    pub(super) fn number(&self) -> Option<u32> {
        let number = self.beside as u32 & NOBODY;
        (number != NOBODY).then_some(number)
    }

    fn same(&self, other: &Self) -> bool {
        (self.high, self.low) == (other.high, other.low)
    }

    fn part(&self) -> usize {
        (self.high >> (64 - PARTS.ilog2())) as usize
    }

    fn bytes(&self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        for (at, word) in [self.high, self.low, self.beside].into_iter().enumerate() {
            bytes[8 * at..8 * at + 8].copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    fn read(bytes: &[u8; RECORD]) -> Self {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[8 * at..8 * at + 8]);
            u64::from_le_bytes(word)
        };
        Self { high: word(0), low: word(1), beside: word(2) }
    }
}

/// Records of one list by the first bits of their hash.
#[derive(Debug)]
pub(super) struct Partitions {
    parts: Vec<Vec<Record>>,
    /// Number of records in memory.
    held: usize,
    /// Records that may be.
    most: usize,
    folder: PathBuf,
    spilled: bool,
}

impl Partitions {
    /// Empty ones; `memory` is in bytes, `folder` is made when more is needed.
    pub(super) fn new(folder: PathBuf, memory: usize) -> Self {
        Self { parts: vec![Vec::new(); PARTS], held: 0, most: memory / RECORD, folder, spilled: false }
    }

    pub(super) fn push(&mut self, record: Record) -> io::Result<()> {
        self.parts[record.part()].push(record);
        self.held += 1;
        if self.held > self.most { self.spill() } else { Ok(()) }
    }

    fn path(&self, part: usize) -> PathBuf {
        self.folder.join(format!("{part:03}"))
    }

    /// Everything in memory to disk.
    fn spill(&mut self) -> io::Result<()> {
        if !self.spilled {
            fs::create_dir_all(&self.folder)?;
            self.spilled = true;
        }
        let mut bytes = Vec::new();
        for part in 0..PARTS {
            let records = std::mem::take(&mut self.parts[part]);
            if records.is_empty() {
                continue;
            }
            bytes.clear();
            records.iter().for_each(|record| bytes.extend_from_slice(&record.bytes()));
            File::options().create(true).append(true).open(self.path(part))?.write_all(&bytes)?;
        }
        self.held = 0;
        Ok(())
    }

    /// The records of a partition, sorted; its memory and file are given up.
    fn take(&mut self, part: usize) -> io::Result<Vec<Record>> {
        let mut records = std::mem::take(&mut self.parts[part]);
        let path = self.path(part);
        if self.spilled && path.exists() {
            let bytes = fs::read(&path)?;
            let (whole, _) = bytes.as_chunks::<RECORD>();
            records.extend(whole.iter().map(Record::read));
            fs::remove_file(&path)?;
        }
        records.sort_unstable();
        Ok(records)
    }

    /// Shows every different URL of two lists once, with all its records of both, one of which may be empty.
    pub(super) fn join(mut self, mut other: Self, meet: &mut dyn FnMut(&[Record], &[Record])) -> io::Result<()> {
        for part in 0..PARTS {
            let (source, target) = rayon::join(|| self.take(part), || other.take(part));
            let (source, target) = (source?, target?);
            let (mut a, mut b) = (&source[..], &target[..]);
            while let Some(key) = least(a, b) {
                // Few lines share a URL: counting them is faster than searching for where they end.
                let first = a.iter().take_while(|record| record.same(&key)).count();
                let second = b.iter().take_while(|record| record.same(&key)).count();
                meet(&a[..first], &b[..second]);
                (a, b) = (&a[first..], &b[second..]);
            }
        }
        Ok(())
    }
}

/// The lesser of the first records.
fn least(a: &[Record], b: &[Record]) -> Option<Record> {
    [a.first(), b.first()].into_iter().flatten().min_by_key(|record| (record.high, record.low)).copied()
}

impl Drop for Partitions {
    fn drop(&mut self) {
        if self.spilled {
            let _ = fs::remove_dir_all(&self.folder);
            // The folder of both lists, once neither needs it.
            let _ = self.folder.parent().map(fs::remove_dir);
        }
    }
}
