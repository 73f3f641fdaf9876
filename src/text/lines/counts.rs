//! On how many pages of a host does each line stand?

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::{LEVEL, Recurring, each_line, key};
use crate::tokens::Tokens;
use dejaview_base::hash;

/// Lines that are counted at once unless told otherwise.
const LIMIT: usize = 1 << 23;

/// Counts on how many pages of a host each line stands.
///
/// A counted line takes 16 bytes and its place in a hash table, 20 to 40 bytes in all: 330 MB at most with the usual
/// limit of 8,388,608 lines, and about 100 bytes for each host.
#[derive(Debug, Clone)]
pub struct LineCounts {
    pub(super) hosts: HashMap<u64, Host, Mixed>,
    /// Lines counted, over all hosts and levels.
    pub(super) lines: usize,
    pub(super) limit: usize,
    /// Only pages whose text's hash ends in so many zeros count.
    pub(super) level: u32,
    pub(super) tokens: Tokens,
    pub(super) distinct: Vec<u64>,
}

/// What is counted of one host, by the level of the pages: the zeros at the end of their hashes.
#[derive(Debug, Clone, Default)]
pub(super) struct Host {
    /// Pages of each level.
    pub(super) pages: Vec<u32>,
    /// On how many pages of a level a line stands; the level is in the key's last bits.
    pub(super) lines: HashMap<u64, u32, Mixed>,
}

impl Host {
    fn count(&mut self, level: u32, pages: u32) {
        let level = level as usize;
        if self.pages.len() <= level {
            self.pages.resize(level + 1, 0);
        }
        self.pages[level] += pages;
    }
}

/// Keys are hashes already; this only lets all bits reach all others.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mix(u64);

pub(super) type Mixed = BuildHasherDefault<Mix>;

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash::token(bytes);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = hash::fmix64(key);
    }
}

impl Default for LineCounts {
    fn default() -> Self {
        Self::new()
    }
}

impl LineCounts {
    /// No page counted yet, with the usual limit.
    pub fn new() -> Self {
        Self::with_limit(LIMIT)
    }

    /// The same with a limit of its own for the lines counted at once. Counts are merged with those of equal limits.
    pub fn with_limit(lines: usize) -> Self {
        Self {
            hosts: HashMap::default(),
            lines: 0,
            limit: lines,
            level: 0,
            tokens: Tokens::new(),
            distinct: Vec::new(),
        }
    }

    /// Counts each distinct line of one page once.
    pub fn add(&mut self, host: &str, text: &str) {
        let page = hash::fmix64(hash::token(text.as_bytes()));
        let level = page.trailing_zeros().min(LEVEL as u32);
        if level < self.level {
            return;
        }
        self.tokens.read(text);
        self.distinct.clear();
        let distinct = &mut self.distinct;
        each_line(text, &self.tokens, |_, _, line| distinct.push(line));
        distinct.sort_unstable();
        distinct.dedup();
        let host = self.hosts.entry(hash::token(host.as_bytes())).or_default();
        host.count(level, 1);
        for line in distinct {
            let count = host.lines.entry(*line & !LEVEL | u64::from(level)).or_insert(0);
            self.lines += usize::from(*count == 0);
            *count += 1;
        }
        self.keep_limit();
    }

    /// Adds what another has counted, of other pages.
    pub fn merge(&mut self, mut other: Self) {
        let level = self.level.max(other.level);
        self.raise(level);
        other.raise(level);
        for (name, theirs) in other.hosts {
            let host = self.hosts.entry(name).or_default();
            for (level, pages) in (0..).zip(theirs.pages) {
                host.count(level, pages);
            }
            for (line, pages) in theirs.lines {
                let count = host.lines.entry(line).or_insert(0);
                self.lines += usize::from(*count == 0);
                *count += pages;
            }
        }
        self.keep_limit();
    }

    /// The lines that stand on at least `min_pages` pages of their host and on at least `share` of them.
    ///
    /// When only a fraction of the pages counted, so much fewer pages are enough, but never fewer than two.
    pub fn finish(&self, min_pages: u32, share: f64) -> Recurring {
        let enough = if self.level == 0 { min_pages } else { min_pages.checked_shr(self.level).unwrap_or(0).max(2) };
        let mut keys = Vec::new();
        for (name, host) in &self.hosts {
            let pages: u32 = host.pages.iter().sum();
            let mut counts: Vec<(u64, u32)> = host.lines.iter().map(|(line, pages)| (line & !LEVEL, *pages)).collect();
            counts.sort_unstable();
            for same in counts.chunk_by(|a, b| a.0 == b.0) {
                let on: u32 = same.iter().map(|line| line.1).sum();
                if on >= enough && f64::from(on) >= share * f64::from(pages) {
                    keys.push(key(*name, same[0].0));
                }
            }
        }
        keys.sort_unstable();
        keys.dedup();
        Recurring { keys }
    }

    /// What fraction of the pages counts: 1, ½, ¼, …
    pub fn fraction(&self) -> f64 {
        0.5f64.powi(self.level as i32)
    }

    /// Raises the level until the limit is kept.
    fn keep_limit(&mut self) {
        while self.lines > self.limit && u64::from(self.level) < LEVEL {
            self.raise(self.level + 1);
        }
    }

    /// Forgets the pages below a level.
    fn raise(&mut self, level: u32) {
        if level == self.level {
            return;
        }
        self.level = level;
        self.lines = 0;
        self.hosts.retain(|_, host| {
            host.pages.iter_mut().take(level as usize).for_each(|pages| *pages = 0);
            host.lines.retain(|line, _| line & LEVEL >= u64::from(level));
            host.lines.shrink_to_fit();
            self.lines += host.lines.len();
            host.pages.iter().any(|pages| *pages > 0)
        });
    }
}
