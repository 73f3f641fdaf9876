//! Which lines of a page are its own, and which recur on many pages of its host?
//!
//! Menus, imprints and notices are the same on page after page of a site; so they can be known without looking at the
//! markup: by counting on how many pages of a host each line stands ([`LineCounts`]). The lines that recur
//! ([`Recurring`]) can then be taken out of a page, and what is left is its own.
//!
//! Two lines are the same when their words are ([`Tokens`]): case, punctuation and white space do not count. Lines
//! without a word are not looked at.
//!
//! Memory is bounded: when more lines are counted than a limit allows, only every second page goes on counting, then
//! every fourth, and so on; which page counts is decided by a hash of its text. Counts of these pages stay exact, and
//! since the fraction depends on all the pages alone, the result is the same in whatever order and by however many
//! threads pages were added.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::tokens::Tokens;
use crate::base::hash;

/// Words that a page must keep.
const FEWEST: usize = 20;
/// Lines that are counted at once unless told otherwise.
const LIMIT: usize = 1 << 23;
/// Bits of a line's key that hold the level of its pages.
const LEVEL: u64 = 63;

/// Counts on how many pages of a host each line stands.
///
/// A counted line takes 16 bytes and its place in a hash table, 20 to 40 bytes in all: 330 MB at most with the usual
/// limit of 8,388,608 lines, and about 100 bytes for each host.
#[derive(Debug, Clone)]
pub struct LineCounts {
    hosts: HashMap<u64, Host, Mixed>,
    /// Lines counted, over all hosts and levels.
    lines: usize,
    limit: usize,
    /// Only pages whose text's hash ends in so many zeros count.
    level: u32,
    tokens: Tokens,
    distinct: Vec<u64>,
}

/// What is counted of one host, by the level of the pages: the zeros at the end of their hashes.
#[derive(Debug, Clone, Default)]
struct Host {
    /// Pages of each level.
    pages: Vec<u32>,
    /// On how many pages of a level a line stands; the level is in the key's last bits.
    lines: HashMap<u64, u32, Mixed>,
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
struct Mix(u64);

type Mixed = BuildHasherDefault<Mix>;

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

/// Tells each line that has a word: where it stands, how many words it has, and a hash of them.
fn each_line(text: &str, tokens: &Tokens, mut tell: impl FnMut(Range<usize>, usize, u64)) {
    let (mut start, mut next) = (0, 0);
    for line in text.split('\n') {
        let end = start + line.len();
        let first = next;
        let mut sum = 0u64;
        while next < tokens.len() && tokens.span(next).start < end {
            sum = hash::fmix64(sum.wrapping_mul(hash::M).wrapping_add(tokens.hashes()[next]));
            next += 1;
        }
        if next > first {
            tell(start..end, next - first, sum);
        }
        start = end + 1;
    }
}

/// A line of a host; `line` without the bits of its level.
fn key(host: u64, line: u64) -> u64 {
    hash::fmix64(host.wrapping_mul(hash::M) ^ line)
}

/// The lines that recur on the pages of their hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recurring {
    /// Hashes of host and line, ascending.
    keys: Vec<u64>,
}

/// Why bytes are no [`Recurring`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoLines {
    /// They do not begin as they should.
    #[error("these are not recurring lines, or of another version")]
    Foreign,
    /// They are cut off or changed.
    #[error("the recurring lines are damaged")]
    Damaged,
}

/// What stored lines begin with; the last byte is the version.
const MAGIC: [u8; 8] = *b"dvlines\x01";

impl Recurring {
    /// Number of lines.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether no line recurs.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Writes `text` without the lines that recur on `host` into `out`, which is cleared first. The other lines stay as
    /// they are, those without a word too. A page of which fewer than 20 words would be left keeps all its text.
    pub fn strip(&self, host: &str, text: &str, out: &mut String) {
        out.clear();
        let mut tokens = Tokens::new();
        tokens.read(text);
        let host = hash::token(host.as_bytes());
        let mut left = tokens.len();
        let mut dropped: Vec<Range<usize>> = Vec::new();
        each_line(text, &tokens, |span, words, line| {
            if self.keys.binary_search(&key(host, line & !LEVEL)).is_ok() {
                left -= words;
                dropped.push(span);
            }
        });
        if left < FEWEST {
            out.push_str(text);
            return;
        }
        let mut from = 0;
        for span in dropped {
            out.push_str(&text[from..span.start]);
            from = (span.end + 1).min(text.len());
        }
        out.push_str(&text[from..]);
        // The last line has no line break after it; when it goes, the one before it must go as well.
        if from == text.len() && !text.ends_with('\n') && out.ends_with('\n') {
            out.pop();
        }
    }

    /// As bytes: the magic, the number of lines, their hashes in order, and a checksum of all that, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 * (self.keys.len() + 3));
        bytes.extend(MAGIC);
        bytes.extend((self.keys.len() as u64).to_le_bytes());
        bytes.extend(self.keys.iter().flat_map(|key| key.to_le_bytes()));
        bytes.extend(hash::token(&bytes).to_le_bytes());
        bytes
    }

    /// From the bytes of [`Self::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NoLines> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NoLines::Foreign);
        }
        let (words, rest) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let [_, count, keys @ .., sum] = &words[..] else { return Err(NoLines::Damaged) };
        let is_whole = rest.is_empty() && *count == keys.len() as u64 && *sum == hash::token(&bytes[..bytes.len() - 8]);
        if !is_whole || !keys.is_sorted() {
            return Err(NoLines::Damaged);
        }
        Ok(Self { keys: keys.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn counted(pages: &[(String, String)], limit: usize) -> LineCounts {
        let mut counts = LineCounts::with_limit(limit);
        for (host, text) in pages {
            counts.add(host, text);
            assert!(counts.lines <= limit || counts.level == LEVEL as u32);
            assert_eq!(counts.lines, counts.hosts.values().map(|host| host.lines.len()).sum::<usize>());
        }
        counts
    }

    fn stripped(recurring: &Recurring, host: &str, text: &str) -> String {
        let mut out = String::from("old");
        recurring.strip(host, text, &mut out);
        out
    }

    /// The words of a line of simple words.
    fn simple(line: &str) -> Vec<String> {
        line.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// The definition: which lines of simple words stay.
    fn expected(pages: &[(String, String)], host: &str, text: &str, min_pages: u32, share: f64) -> String {
        let of_host: Vec<BTreeSet<Vec<String>>> =
            pages.iter().filter(|page| page.0 == host).map(|page| page.1.lines().map(simple).collect()).collect();
        let mut on: BTreeMap<&Vec<String>, u32> = BTreeMap::new();
        of_host.iter().flatten().for_each(|line| *on.entry(line).or_default() += 1);
        let recurs = |line: &str| {
            let on = on.get(&simple(line)).copied().unwrap_or(0);
            !simple(line).is_empty() && on >= min_pages && f64::from(on) >= share * of_host.len() as f64
        };
        let left: Vec<&str> = text.split('\n').filter(|line| !recurs(line)).collect();
        if left.iter().map(|line| simple(line).len()).sum::<usize>() < FEWEST {
            text.to_owned()
        } else {
            left.join("\n")
        }
    }

    const OWN: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
        seventeen eighteen nineteen twenty";

    #[test]
    fn what_recurs_is_taken_out() {
        let page = |i: usize| ("a.example".to_owned(), format!("Title {i}\nHome | News\n\n--\n{OWN} {i}\nImprint."));
        let pages: Vec<_> = (0..5).map(page).collect();
        let recurring = counted(&pages, 1000).finish(5, 0.5);
        assert_eq!(recurring.len(), 2);
        assert_eq!(stripped(&recurring, "a.example", &pages[3].1), format!("Title 3\n\n--\n{OWN} 3"));
        assert_eq!(stripped(&recurring, "a.example", &format!("HOME news\n{OWN}\n")), format!("{OWN}\n"));
        assert_eq!(stripped(&recurring, "b.example", &pages[3].1), pages[3].1);
        assert_eq!(
            stripped(&recurring, "a.example", "Imprint.\nHome | News\nfew words"),
            "Imprint.\nHome | News\nfew words"
        );
        assert_eq!(stripped(&recurring, "a.example", ""), "");
        assert!(counted(&pages, 1000).finish(6, 0.0).is_empty());
        assert!(counted(&pages[..4], 1000).finish(5, 0.0).is_empty());
    }

    #[test]
    fn damage_is_said() {
        let pages: Vec<_> = (0..9).map(|i| ("a".to_owned(), format!("same\n{i}"))).collect();
        let recurring = counted(&pages, 1000).finish(1, 0.0);
        let bytes = recurring.to_bytes();
        assert_eq!((recurring.len(), bytes.len()), (10, 8 * 13));
        assert_eq!(Recurring::from_bytes(&bytes), Ok(recurring));
        for cut in 0..bytes.len() {
            let why = if cut < 8 { NoLines::Foreign } else { NoLines::Damaged };
            assert_eq!(Recurring::from_bytes(&bytes[..cut]), Err(why), "{cut}");
        }
        for at in 8..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            assert_eq!(Recurring::from_bytes(&changed), Err(NoLines::Damaged), "{at}");
        }
        assert_eq!(Recurring::from_bytes(&Recurring::default().to_bytes()), Ok(Recurring::default()));
    }

    #[test]
    fn a_part_of_the_pages_tells_the_same() {
        let page = |i: usize| {
            (
                "a".to_owned(),
                format!("Menu\n{}\nonly here {i}\n{OWN} {i}", if i.is_multiple_of(2) { "Half" } else { "" }),
            )
        };
        let pages: Vec<_> = (0..2000).map(page).collect();
        let counts = counted(&pages, 500);
        assert!((0.05..0.3).contains(&counts.fraction()), "{}", counts.fraction());
        for (share, lines) in [(0.9, 1), (0.4, 2)] {
            assert_eq!(counts.finish(5, share).len(), lines);
            assert_eq!(counts.finish(5, share), counted(&pages, 1_000_000).finish(5, share));
        }
    }

    fn pages() -> impl Strategy<Value = Vec<(String, String)>> {
        let line = prop::sample::select(vec!["Menu", "menu!", "a b", "A  b.", "", "-", "c", "d", OWN, "e\tf"]);
        let text = prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n"));
        prop::collection::vec((prop::sample::select(vec!["x".to_owned(), "y".to_owned()]), text), 0..30)
    }

    proptest! {
        #[test]
        fn lines_recur_by_definition(pages in pages(), min_pages in 1u32..6, share in 0.0f64..1.0) {
            let recurring = counted(&pages, 1000).finish(min_pages, share);
            for (host, text) in &pages {
                prop_assert_eq!(stripped(&recurring, host, text), expected(&pages, host, text, min_pages, share));
            }
        }

        #[test]
        fn order_and_threads_do_not_matter(pages in pages(), limit in 1usize..30, parts in 1usize..5, turn in 0usize..30) {
            let whole = counted(&pages, limit);
            let mut turned = pages.clone();
            turned.rotate_left(turn.min(pages.len()));
            let mut merged = LineCounts::with_limit(limit);
            for part in turned.chunks(pages.len().div_ceil(parts).max(1)).rev() {
                merged.merge(counted(part, limit));
            }
            prop_assert_eq!((whole.level, whole.lines), (merged.level, merged.lines));
            for (min_pages, share) in [(1, 0.0), (2, 0.3), (5, 0.1)] {
                prop_assert_eq!(whole.finish(min_pages, share).to_bytes(), merged.finish(min_pages, share).to_bytes());
            }
        }
    }
}
