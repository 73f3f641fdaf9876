//! Which fingerprints lie within distance k of a given one? Exact, by the tables of a [`Layout`].
//!
//! Equal fingerprints are kept once. Each table is an array of buckets, one after another (offsets, then entries), with
//! the fingerprint inline: a probe computes the bucket of every table first, so that their cache misses overlap, then
//! looks at the beginning of each without a branch on its length, and scans those that are longer or hold a near one. A pair
//! is reported from the first table in which it meets, so there is no set of seen pairs. Cost: one bucket a table; a bucket
//! holds 2^(l−l') entries for 2^l uniform fingerprints and keys of l' bits, several times that for
//! real ones.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hint::black_box;
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

/// Entries of a bucket that are looked at in any case. The 155,419 judged documents of the study make 2.4 a bucket.
const BEGINNING: usize = 4;

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
    /// The fingerprint itself where it is one word, and [`BEGINNING`] zeros behind all of them; empty otherwise.
    inline: Vec<u64>,
}

/// A group of documents near the one asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Near {
    /// Its number on the indexed side.
    pub group: GroupNumber,
    /// Differing bits.
    pub distance: u16,
}

/// Memory that a probe reads, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ahead {
    /// Where buckets begin.
    Buckets,
    /// What buckets have, which is known once their beginnings are there.
    Entries,
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

    /// Reads what [`Tables::probe`] will read, so that it need not wait for it. Who has several fingerprints reads ahead for all of
    /// them, first the one and then the other: memory that is far away is waited for once, not once for each.
    pub fn read_ahead(&self, fingerprint: &[u64], what: Ahead) {
        let [one] = fingerprint else { return };
        let mut read = 0;
        for (bucket, table) in self.buckets.iter().zip(self.layout.tables()) {
            let start = bucket.starts[bucket.number_of(*one, || table.key(fingerprint))];
            read ^= match what {
                Ahead::Buckets => u64::from(start),
                // They may lie on two lines of memory.
                Ahead::Entries => bucket.inline[start as usize] ^ bucket.inline[start as usize + BEGINNING - 1],
            };
        }
        black_box(read);
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
            0 => self.scan(fingerprint, found, within::<0>),
            1 => self.scan(fingerprint, found, within::<1>),
            2 => self.scan(fingerprint, found, within::<2>),
            3 => self.scan(fingerprint, found, within::<3>),
            4 => self.scan(fingerprint, found, within::<4>),
            5 => self.scan(fingerprint, found, within::<5>),
            most => self.scan(fingerprint, found, |difference| difference.count_ones() <= u32::from(most)),
        }
    }

    /// Finds the bucket of every table first, then looks at the beginning of each without a branch: hardly any entry is
    /// near, and few buckets are longer.
    #[inline(always)]
    fn scan(&self, fingerprint: u64, found: &mut Vec<Near>, near: impl Fn(u64) -> bool) {
        const AT_ONCE: usize = 8;
        for (chunk, buckets) in self.buckets.chunks(AT_ONCE).enumerate() {
            let first = chunk * AT_ONCE;
            let mut ranges = [(0, 0); AT_ONCE];
            for (i, (range, bucket)) in ranges.iter_mut().zip(buckets).enumerate() {
                *range =
                    bucket.range(bucket.number_of(fingerprint, || self.layout.tables()[first + i].key(&[fingerprint])));
            }
            for (i, (bucket, (start, end))) in buckets.iter().zip(ranges).enumerate() {
                // Behind a short bucket stand entries of the next one; such an entry costs a second look.
                let beginning = &bucket.inline[start..start + BEGINNING];
                let look = beginning.iter().fold(end - start > BEGINNING, |any, other| any | near(fingerprint ^ other));
                if look {
                    self.scan_bucket(first + i, start..end, fingerprint, found, &near);
                }
            }
        }
    }

    /// Reports the near entries of a bucket that meet the fingerprint in its table first.
    #[inline(never)]
    fn scan_bucket(
        &self,
        table: usize,
        range: Range<usize>,
        fingerprint: u64,
        found: &mut Vec<Near>,
        near: impl Fn(u64) -> bool,
    ) {
        let bucket = &self.buckets[table];
        for (other, &entry) in bucket.inline[range.clone()].iter().zip(&bucket.entries[range]) {
            let difference = fingerprint ^ other;
            if near(difference) && self.layout.first_meeting(&[difference]) == Some(table) {
                self.report(entry, difference.count_ones() as u16, found);
            }
        }
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

/// Whether at most `MOST` bits are set: clears the lowest set bit that many times. Faster than counting all bits where
/// the processor's instruction for it cannot be taken for granted.
#[inline]
fn within<const MOST: usize>(mut difference: u64) -> bool {
    for _ in 0..MOST {
        difference &= difference.wrapping_sub(1);
    }
    difference == 0
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
            inline: Vec::new(),
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
            let inline = buckets.entries.iter().map(|&i| fingerprints[i as usize]);
            buckets.inline = inline.chain([0; BEGINNING]).collect();
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
        4 * (self.starts.len() + self.entries.len()) + 8 * self.inline.len()
    }
}
