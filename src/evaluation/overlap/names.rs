//! Hosts and top-level domains by number, at most so many of them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

/// How often a host or top-level domain occurs in each of the counted sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NameCounts {
    /// A top-level domain or a host.
    pub name: String,
    /// Lines of the source.
    pub source: u64,
    /// Documents of interest.
    pub judged: u64,
    /// Those of them whose URL is in the target.
    pub judged_common: u64,
    /// Common URLs, each once.
    pub common: u64,
    /// Lines of the target.
    pub target: u64,
}

/// Places in a row of counts.
pub(super) const SOURCE: usize = 0;
pub(super) const JUDGED: usize = 1;
pub(super) const JUDGED_COMMON: usize = 2;
pub(super) const COMMON: usize = 3;
pub(super) const TARGET: usize = 4;

/// Hosts that are counted apart.
pub const MOST_HOSTS: usize = (1 << 20) - 1;
/// Top-level domains that are counted apart; there are about 1,500, and hosts with faults.
pub(super) const MOST_TOP_LEVELS: usize = (1 << 14) - 1;

/// A hasher for keys that are hashes already.
#[derive(Debug, Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Names in the order they first appear; the number behind the last stands for all that came too late.
#[derive(Debug)]
pub(super) struct Names {
    names: Vec<Box<str>>,
    numbers: HashMap<u64, u32, BuildHasherDefault<Itself>>,
    most: usize,
}

impl Names {
    pub(super) fn new(most: usize) -> Self {
        Self { names: Vec::new(), numbers: HashMap::default(), most }
    }

    /// The number of a name.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        let hash = xxh3_64(name.as_bytes());
        if let Some(&number) = self.numbers.get(&hash) {
            return number;
        }
        if self.names.len() == self.most {
            return self.most as u32;
        }
        self.names.push(name.into());
        self.numbers.insert(hash, self.names.len() as u32 - 1);
        self.names.len() as u32 - 1
    }

    /// Takes in the names of another list as far as there is room; returns the number here of each of its numbers, that
    /// of names that came too late last.
    pub(super) fn merge(&mut self, other: &Self) -> Vec<u32> {
        let mut numbers: Vec<u32> = other.names.iter().map(|name| self.number(name)).collect();
        numbers.resize(other.most, 0);
        numbers.push(self.most as u32);
        numbers
    }

    /// Numbers there may be, that of names that came too late included.
    pub(super) fn numbers(&self) -> usize {
        self.most + 1
    }

    /// The names with their counts, those with most lines of the source first.
    pub(super) fn counted(&self, counts: &[[u64; 5]]) -> Vec<NameCounts> {
        let named = |name: &str, row: &[u64; 5]| NameCounts {
            name: name.to_owned(),
            source: row[SOURCE],
            judged: row[JUDGED],
            judged_common: row[JUDGED_COMMON],
            common: row[COMMON],
            target: row[TARGET],
        };
        let mut all: Vec<NameCounts> = self.names.iter().zip(counts).map(|(name, row)| named(name, row)).collect();
        all.sort_by(|a, b| (b.source, b.target, &a.name).cmp(&(a.source, a.target, &b.name)));
        all
    }
}
