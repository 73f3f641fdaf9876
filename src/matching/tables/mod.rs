//! Which fingerprints lie within distance k of a given one? Exact, by the tables of a [`Layout`].
//!
//! Equal fingerprints are kept once. Each table is an array of buckets, one after another (offsets, then entries), with
//! each fingerprint folded to half its width beside its entry. What is near is near when folded, too, so that a probe looks at
//! eight folded ones at once, and at whole fingerprints only where one of them is near. A pair is reported from the
//! first table in which it meets, so there is no set of seen pairs. Cost: one bucket a table; a bucket holds 2^(l−l')
//! entries for 2^l uniform fingerprints and keys of l' bits, several times that for real ones.

#[cfg(test)]
mod tests;

use std::array;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::ops::Range;

use crate::GroupNumber;
use crate::capped::TableKey;
use dejaview_base::hash::fmix64;
use dejaview_base::wide;
use dejaview_methods::layout::{Layout, Table};

/// Keys up to this width address a bucket directly; wider ones are hashed to about one bucket a fingerprint.
const DIRECT_BITS: u32 = 18;

/// From this many different fingerprints on, the two-level layout pays where it applies.
const LARGE: usize = 1 << 22;

/// Entries of a bucket that are looked at together. The 155,419 judged documents of the study make 2.4 a bucket.
const TOGETHER: usize = 8;

/// The fingerprints of one side, looked up by nearness.
#[derive(Debug)]
pub struct Tables {
    layout: Layout,
    /// Different fingerprints, `words` of 64 bits each, ascending.
    fingerprints: Vec<u64>,
    /// Groups with fingerprint `i` are `members[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    members: Vec<GroupNumber>,
    buckets: Vec<Buckets>,
    /// Keys by which only equal fingerprints are found.
    capped: HashSet<TableKey>,
}

#[derive(Debug)]
struct Buckets {
    /// Number of bits of a bucket's number; 0 bits is one bucket.
    bits: u32,
    direct: bool,
    /// Where the key stands in a fingerprint of one word, when it is one stretch of bits that addresses directly.
    shift: Option<u32>,
    starts: Vec<u32>,
    /// Number of the fingerprint in [`Tables::fingerprints`].
    entries: Vec<u32>,
    /// The fingerprint folded, where it is one word, and [`TOGETHER`] zeros behind all of them; empty otherwise.
    folds: Vec<u32>,
}

/// A group of documents near the one asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Near {
    /// Its number on the indexed side.
    pub group: GroupNumber,
    /// Differing bits.
    pub distance: u16,
}

impl Tables {
    /// Indexes `(group, fingerprint)`; every fingerprint has the width of the layout.
    pub fn new(layout: &Layout, sketches: &[(GroupNumber, &[u64])]) -> Self {
        Self::with_capped(layout, sketches, HashSet::new())
    }

    /// The same where some keys are capped.
    pub fn with_capped(layout: &Layout, sketches: &[(GroupNumber, &[u64])], capped: HashSet<TableKey>) -> Self {
        let words = layout.words();
        let mut sorted: Vec<&(GroupNumber, &[u64])> = sketches.iter().collect();
        sorted.sort_unstable_by(|a, b| (a.1, a.0).cmp(&(b.1, b.0)));
        let (mut fingerprints, mut starts, mut members) = (Vec::new(), Vec::new(), Vec::new());
        for (group, fingerprint) in sorted {
            if fingerprints.len() < words || fingerprints[fingerprints.len() - words..] != **fingerprint {
                fingerprints.extend_from_slice(fingerprint);
                starts.push(members.len() as u32);
            }
            members.push(*group);
        }
        starts.push(members.len() as u32);
        // Keys are capped in the tables of the layout as it is.
        let layout = if capped.is_empty() { fitting(layout, starts.len() - 1) } else { layout.clone() };
        let buckets = layout.tables().iter().map(|table| Buckets::new(table, &fingerprints, words)).collect();
        Self { layout, fingerprints, starts, members, buckets, capped }
    }

    /// Appends every indexed group within the layout's distance, each once; the order follows from the index alone.
    pub fn probe(&self, fingerprint: &[u64], found: &mut Vec<Near>) {
        match fingerprint {
            _ if !self.capped.is_empty() => self.probe_capped(fingerprint, found),
            [one] => wide::run(Probe { tables: self, fingerprint: *one, found }),
            _ => self.probe_wide(fingerprint, found),
        }
    }

    /// The common distances have a loop of their own, in which the test for nearness has no branch.
    #[inline(always)]
    fn probe_one(&self, fingerprint: u64, found: &mut Vec<Near>) {
        match self.layout.distance() {
            0 => self.scan(fingerprint, found, beyond::<0>),
            1 => self.scan(fingerprint, found, beyond::<1>),
            2 => self.scan(fingerprint, found, beyond::<2>),
            3 => self.scan(fingerprint, found, beyond::<3>),
            4 => self.scan(fingerprint, found, beyond::<4>),
            5 => self.scan(fingerprint, found, beyond::<5>),
            most => self.scan(fingerprint, found, |bits| bits.count_ones().saturating_sub(u32::from(most))),
        }
    }

    /// Looks at four tables at a time, then at those that are left. `beyond` is 0 for differences that are near.
    #[inline(always)]
    fn scan(&self, fingerprint: u64, found: &mut Vec<Near>, beyond: impl Fn(u32) -> u32) {
        let (fours, rest) = self.buckets.as_chunks::<4>();
        for (i, four) in fours.iter().enumerate() {
            self.scan_tables(4 * i, four, fingerprint, found, &beyond);
        }
        for (i, one) in rest.iter().enumerate() {
            self.scan_tables(4 * fours.len() + i, array::from_ref(one), fingerprint, found, &beyond);
        }
    }

    /// Looks at the beginnings of the buckets of some tables with one branch for all of them: hardly any entry is near,
    /// and few buckets are longer. As it is hardly ever guessed wrong, the processor goes on while it waits for memory.
    #[inline(always)]
    fn scan_tables<const N: usize>(
        &self,
        first: usize,
        buckets: &[Buckets; N],
        fingerprint: u64,
        found: &mut Vec<Near>,
        beyond: &impl Fn(u32) -> u32,
    ) {
        let mut ranges = [(0, 0); N];
        for (i, (range, bucket)) in ranges.iter_mut().zip(buckets).enumerate() {
            *range = bucket.range(bucket.number_of(fingerprint, || self.key(first + i, fingerprint)));
        }
        let (folded, mut least, mut longer) = (fold(fingerprint), [u32::MAX; TOGETHER], false);
        for (&(start, end), bucket) in ranges.iter().zip(buckets) {
            // Behind a short bucket stand entries of the next one; such an entry costs a second look.
            for (least, other) in least.iter_mut().zip(&bucket.folds[start..start + TOGETHER]) {
                *least = (*least).min(beyond(folded ^ other));
            }
            longer |= end - start > TOGETHER;
        }
        if least.iter().fold(longer, |look, least| look | (*least == 0)) {
            for (i, (start, end)) in ranges.into_iter().enumerate() {
                self.scan_bucket(first + i, start..end, fingerprint, found, beyond);
            }
        }
    }

    /// Looks at all entries of a bucket, some at once.
    #[inline(always)]
    fn scan_bucket(
        &self,
        table: usize,
        range: Range<usize>,
        fingerprint: u64,
        found: &mut Vec<Near>,
        beyond: &impl Fn(u32) -> u32,
    ) {
        let (folds, folded) = (&self.buckets[table].folds, fold(fingerprint));
        for start in range.clone().step_by(TOGETHER) {
            let some = &folds[start..start + TOGETHER];
            if some.iter().fold(false, |any, other| any | (beyond(folded ^ other) == 0)) {
                self.look(table, start..range.end.min(start + TOGETHER), fingerprint, found, beyond);
            }
        }
    }

    /// Reports those of some entries of a bucket that are near and meet the fingerprint in its table first.
    #[inline(never)]
    fn look(
        &self,
        table: usize,
        range: Range<usize>,
        fingerprint: u64,
        found: &mut Vec<Near>,
        beyond: &impl Fn(u32) -> u32,
    ) {
        let bucket = &self.buckets[table];
        for (other, &entry) in bucket.folds[range.clone()].iter().zip(&bucket.entries[range]) {
            if beyond(fold(fingerprint) ^ other) != 0 {
                continue;
            }
            let difference = fingerprint ^ self.fingerprints[entry as usize];
            let distance = difference.count_ones();
            let near = distance <= u32::from(self.layout.distance());
            if near && self.layout.first_meeting(&[difference]) == Some(table) {
                self.report(entry, distance as u16, found);
            }
        }
    }

    /// The key of a fingerprint of one word. Not inlined, so that the loops above stay short where no key is put together.
    #[inline(never)]
    fn key(&self, table: usize, fingerprint: u64) -> u64 {
        self.layout.tables()[table].key(&[fingerprint])
    }

    fn probe_wide(&self, fingerprint: &[u64], found: &mut Vec<Near>) {
        let words = self.layout.words();
        let mut difference = vec![0; words];
        for (i, (bucket, table)) in self.buckets.iter().zip(self.layout.tables()).enumerate() {
            let (start, end) = bucket.range(bucket.number(table.key(fingerprint)));
            for &entry in &bucket.entries[start..end] {
                let other = &self.fingerprints[entry as usize * words..][..words];
                let distance = Layout::hamming(fingerprint, other);
                if distance > u32::from(self.layout.distance()) {
                    continue;
                }
                for ((d, a), b) in difference.iter_mut().zip(fingerprint).zip(other) {
                    *d = a ^ b;
                }
                if self.layout.first_meeting(&difference) == Some(i) {
                    self.report(entry, distance as u16, found);
                }
            }
        }
    }

    /// Passes over capped keys; equal fingerprints are found all the same.
    fn probe_capped(&self, fingerprint: &[u64], found: &mut Vec<Near>) {
        let (words, tables) = (self.layout.words(), self.layout.tables());
        let keys: Vec<u64> = tables.iter().map(|table| table.key(fingerprint)).collect();
        let is_open: Vec<bool> = (0..).zip(&keys).map(|(table, key)| !self.capped.contains(&(table, *key))).collect();
        if let Some(entry) = self.equal(fingerprint) {
            self.report(entry, 0, found);
        }
        for (i, bucket) in self.buckets.iter().enumerate().filter(|(i, _)| is_open[*i]) {
            let (start, end) = bucket.range(bucket.number(keys[i]));
            for &entry in &bucket.entries[start..end] {
                let other = &self.fingerprints[entry as usize * words..][..words];
                let distance = Layout::hamming(fingerprint, other);
                let meets = |table: &usize| is_open[*table] && tables[*table].key(other) == keys[*table];
                let near = distance > 0 && distance <= u32::from(self.layout.distance());
                if near && (0..=i).find(meets) == Some(i) {
                    self.report(entry, distance as u16, found);
                }
            }
        }
    }

    /// The number of a fingerprint that is there.
    fn equal(&self, fingerprint: &[u64]) -> Option<u32> {
        let words = self.layout.words();
        let (mut low, mut high) = (0, self.starts.len() - 1);
        while low < high {
            let middle = low.midpoint(high);
            match self.fingerprints[middle * words..][..words].cmp(fingerprint) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle as u32),
            }
        }
        None
    }

    fn report(&self, entry: u32, distance: u16, found: &mut Vec<Near>) {
        let (start, end) = (self.starts[entry as usize] as usize, self.starts[entry as usize + 1] as usize);
        found.extend(self.members[start..end].iter().map(|&group| Near { group, distance }));
    }

    /// Bytes held in memory.
    pub fn bytes(&self) -> usize {
        let own = 8 * self.fingerprints.len() + 4 * (self.starts.len() + self.members.len());
        let tables: usize = self.buckets.iter().map(Buckets::bytes).sum();
        own + tables
    }

    /// For each table its buckets that are not empty: key and groups, by key. For tests and teaching.
    pub fn buckets(&self) -> Vec<Vec<(u64, Vec<GroupNumber>)>> {
        let words = self.layout.words();
        let all = (0..self.starts.len() - 1).map(|i| (i, &self.fingerprints[i * words..(i + 1) * words]));
        let by_key = |table: &Table| {
            let mut rows = std::collections::BTreeMap::<u64, Vec<GroupNumber>>::new();
            for (i, fingerprint) in all.clone() {
                let groups = &self.members[self.starts[i] as usize..self.starts[i + 1] as usize];
                rows.entry(table.key(fingerprint)).or_default().extend(groups);
            }
            rows.into_iter()
                .map(|(key, mut groups)| {
                    groups.sort_unstable();
                    (key, groups)
                })
                .collect()
        };
        self.layout.tables().iter().map(by_key).collect()
    }
}

/// A look for what is near a fingerprint of one word.
struct Probe<'a> {
    tables: &'a Tables,
    fingerprint: u64,
    found: &'a mut Vec<Near>,
}

impl wide::Work for Probe<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.tables.probe_one(self.fingerprint, self.found);
    }
}

/// The layout itself, or the two-level one with the same answers where the side is large.
fn fitting(layout: &Layout, fingerprints: usize) -> Layout {
    let one_block_each = layout.tables().len() == usize::from(layout.distance()) + 1;
    match Layout::two_level(layout.bits(), layout.distance()) {
        Ok(two) if fingerprints >= LARGE && one_block_each => two,
        _ => layout.clone(),
    }
}

/// The halves of a fingerprint over each other. Two that differ in `n` bits differ in at most `n` when folded.
#[inline(always)]
fn fold(fingerprint: u64) -> u32 {
    fingerprint as u32 ^ (fingerprint >> 32) as u32
}

/// What is left of some bits without the lowest `MOST`: 0 where there are no more. Faster than counting all bits where
/// the processor's instruction for it cannot be taken for granted.
#[inline(always)]
fn beyond<const MOST: usize>(mut bits: u32) -> u32 {
    for _ in 0..MOST {
        bits &= bits.wrapping_sub(1);
    }
    bits
}

impl Buckets {
    fn new(table: &Table, fingerprints: &[u64], words: usize) -> Self {
        let count = fingerprints.len() / words;
        let direct = table.key_bits() <= DIRECT_BITS;
        let bits = if direct { table.key_bits() } else { count.max(2).ilog2().min(26) };
        let mut buckets = Self {
            bits,
            direct,
            shift: table.shift().filter(|_| direct && words == 1),
            starts: vec![0; (1 << bits) + 1],
            entries: vec![0; count],
            folds: Vec::new(),
        };
        let numbers: Vec<usize> =
            fingerprints.chunks_exact(words).map(|fingerprint| buckets.number(table.key(fingerprint))).collect();
        for &number in &numbers {
            buckets.starts[number + 1] += 1;
        }
        for i in 0..1 << bits {
            buckets.starts[i + 1] += buckets.starts[i];
        }
        let mut next = buckets.starts.clone();
        for (i, &number) in numbers.iter().enumerate() {
            buckets.entries[next[number] as usize] = i as u32;
            next[number] += 1;
        }
        if words == 1 {
            let folds = buckets.entries.iter().map(|&i| fold(fingerprints[i as usize]));
            buckets.folds = folds.chain([0; TOGETHER]).collect();
        }
        buckets
    }

    #[inline]
    fn number(&self, key: u64) -> usize {
        if self.direct { key as usize } else { (fmix64(key) >> (64 - self.bits)) as usize }
    }

    /// The bucket of a fingerprint of one word.
    #[inline]
    fn number_of(&self, fingerprint: u64, key: impl Fn() -> u64) -> usize {
        match self.shift {
            Some(shift) => (fingerprint >> shift) as usize & (self.starts.len() - 2),
            None => self.number(key()),
        }
    }

    /// The entries of a bucket.
    #[inline]
    fn range(&self, number: usize) -> (usize, usize) {
        (self.starts[number] as usize, self.starts[number + 1] as usize)
    }

    fn bytes(&self) -> usize {
        4 * (self.starts.len() + self.entries.len() + self.folds.len())
    }
}
