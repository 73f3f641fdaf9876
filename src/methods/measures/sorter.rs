//! Sorts hashes in linear time.

use std::cell::RefCell;
use std::mem;

use dejaview_base::hash::Roll;

/// Bits of a digit at most: counts of more would not stay near the processor.
const WIDEST: u32 = 12;
/// Steps back for each hash, on average, from which on hashes are not as good as random.
const STEPS: usize = 8;
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

/// Sorts hashes, whose high bits are as good as random, by two digits of these, the lower one first, which needs no guess
/// about any hash. The digits are so wide that few hashes share both; these are moved. Linear; where many share them, by
/// somebody's intention, all are sorted by comparison.
#[derive(Debug, Default)]
pub struct Sorter {
    other: Vec<u64>,
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Sorter {
    /// Puts the hashes into `out`, ascending, in place of what was there.
    pub(super) fn sort(&mut self, hashes: Roll<'_>, out: &mut Vec<u64>) {
        out.clear();
        hashes.append_to(out);
        self.sort_in_place(out);
    }

    fn sort_in_place(&mut self, hashes: &mut [u64]) {
        if hashes.len() < FEW {
            return hashes.sort_unstable();
        }
        if self.other.len() < hashes.len() {
            self.other.resize(hashes.len(), 0);
        }
        let other = &mut self.other[..hashes.len()];
        let bits = (hashes.len().ilog2() - 1).min(WIDEST);
        let high = |hash: u64| (hash >> (64 - bits)) as usize;
        let low = |hash: u64| high(hash << bits);
        for counts in [&mut self.low, &mut self.high] {
            counts.clear();
            counts.resize(1 << bits, 0);
        }
        for &hash in &*hashes {
            self.low[low(hash)] += 1;
            self.high[high(hash)] += 1;
        }
        place(hashes, other, &mut self.low, low);
        place(other, hashes, &mut self.high, high);
        insert(hashes);
    }
}

/// Copies hashes in the order of a digit, each value of which occurs so often; equal digits stay in their order.
#[inline(always)]
fn place(from: &[u64], to: &mut [u64], counts: &mut [u32], digit: impl Fn(u64) -> usize) {
    let mut sum = 0;
    for count in &mut *counts {
        sum += mem::replace(count, sum);
    }
    for &hash in from {
        let next = &mut counts[digit(hash)];
        to[*next as usize] = hash;
        *next += 1;
    }
}

/// Sorts by moving each back to its place, from which it is not far; by comparison where many are.
fn insert(hashes: &mut [u64]) {
    let Some(&(mut last)) = hashes.first() else { return };
    let mut steps = STEPS * hashes.len();
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
        if steps < i - j {
            return hashes.sort_unstable();
        }
        steps -= i - j;
    }
}

/// Leaves one of each run of equal hashes, without a branch on any.
pub(super) fn drop_repeats(hashes: &mut Vec<u64>) {
    let Some(&(mut last)) = hashes.first() else { return };
    let mut kept = 1;
    for i in 1..hashes.len() {
        let hash = hashes[i];
        hashes[kept] = hash;
        kept += usize::from(hash != last);
        last = hash;
    }
    hashes.truncate(kept);
}
