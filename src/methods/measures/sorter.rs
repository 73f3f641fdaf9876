//! Sorts hashes in linear time.

use std::cell::RefCell;

use dejaview_base::hash::Roll;

/// Buckets larger than this are not left to insertion.
const CROWDED: usize = 24;
/// Fewer are sorted as they are.
const FEW: usize = 64;
/// Threads keep what sorting needs for documents up to this many words.
const KEPT: usize = 1 << 16;

/// Sorts hashes in place, as [`Sorter`] does.
pub fn sort_hashes(hashes: &mut [u64]) {
    thread_local! {
        static SORTER: RefCell<Sorter> = RefCell::default();
    }
    if hashes.len() > KEPT {
        Sorter::default().sort_in_place(hashes);
    } else {
        SORTER.with_borrow_mut(|sorter| sorter.sort_in_place(hashes));
    }
}

/// Sorts hashes, whose high bits are as good as random: one counting pass puts each into its bucket, and buckets hold
/// one or none. Then nearly all are in their places, and the others are moved. Linear; crowded buckets, by words that repeat or
/// by somebody's intention, are sorted one by one.
#[derive(Debug, Default)]
pub struct Sorter {
    hashes: Vec<u64>,
    starts: Vec<u32>,
}

impl Sorter {
    /// Puts the hashes into `out`, ascending, in place of what was there.
    pub(super) fn sort(&mut self, hashes: Roll<'_>, out: &mut Vec<u64>) {
        if hashes.len() < FEW {
            out.clear();
            hashes.append_to(out);
            return out.sort_unstable();
        }
        self.hashes.clear();
        hashes.append_to(&mut self.hashes);
        out.resize(self.hashes.len(), 0);
        self.spread(out);
    }

    fn sort_in_place(&mut self, hashes: &mut [u64]) {
        if hashes.len() < FEW {
            return hashes.sort_unstable();
        }
        self.hashes.clear();
        self.hashes.extend_from_slice(hashes);
        self.spread(hashes);
    }

    /// Puts the hashes at hand into `out`, ascending; it has room for them.
    fn spread(&mut self, out: &mut [u64]) {
        let bits = self.hashes.len().ilog2() + 1;
        self.starts.clear();
        self.starts.resize((1 << bits) + 1, 0);
        let bucket = |hash: u64| (hash >> (64 - bits)) as usize;
        for &hash in &self.hashes {
            self.starts[bucket(hash) + 1] += 1;
        }
        let (mut sum, mut most) = (0, 0);
        for start in &mut self.starts {
            most = most.max(*start);
            sum += *start;
            *start = sum;
        }
        for &hash in &self.hashes {
            let place = &mut self.starts[bucket(hash)];
            out[*place as usize] = hash;
            *place += 1;
        }
        if most as usize <= CROWDED {
            return insert(out);
        }
        // Each start has become the end of its bucket.
        let mut start = 0;
        for &end in &self.starts[..1 << bits] {
            sort_bucket(&mut out[start as usize..end as usize]);
            start = end;
        }
    }
}

/// Sorts the hashes of a bucket.
fn sort_bucket(bucket: &mut [u64]) {
    if bucket.len() > CROWDED { bucket.sort_unstable() } else { insert(bucket) }
}

/// Sorts by moving each back to its place, from which it is not far.
#[inline]
fn insert(hashes: &mut [u64]) {
    let Some(&(mut last)) = hashes.first() else { return };
    for i in 1..hashes.len() {
        let hash = hashes[i];
        if last <= hash {
            last = hash;
            continue;
        }
        let mut j = i;
        while j > 0 && hashes[j - 1] > hash {
            hashes[j] = hashes[j - 1];
            j -= 1;
        }
        hashes[j] = hash;
    }
}
