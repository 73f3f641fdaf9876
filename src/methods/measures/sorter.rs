//! Sorts hashes in linear time.

use dejaview_base::hash::Roll;

/// Buckets larger than this are not left to insertion.
const CROWDED: usize = 24;

/// Sorts hashes, whose high bits are as good as random: one counting pass puts each into its bucket, and buckets hold
/// about one. Linear; buckets that someone has crowded on purpose are sorted by comparison.
#[derive(Debug, Default)]
pub struct Sorter {
    hashes: Vec<u64>,
    starts: Vec<u32>,
}

impl Sorter {
    /// Puts the hashes into `out`, ascending, in place of what was there.
    pub(super) fn sort(&mut self, hashes: Roll<'_>, out: &mut Vec<u64>) {
        let count = hashes.len();
        if count < 64 {
            out.clear();
            hashes.append_to(out);
            return out.sort_unstable();
        }
        self.hashes.clear();
        hashes.append_to(&mut self.hashes);
        let bits = count.ilog2();
        self.starts.clear();
        self.starts.resize((1 << bits) + 1, 0);
        let bucket = |hash: u64| (hash >> (64 - bits)) as usize;
        for &hash in &self.hashes {
            self.starts[bucket(hash) + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        out.clear();
        out.resize(count, 0);
        for &hash in &self.hashes {
            let place = &mut self.starts[bucket(hash)];
            out[*place as usize] = hash;
            *place += 1;
        }
        // Each start has become the end of its bucket.
        let mut start = 0;
        for &end in &self.starts[..1 << bits] {
            sort_bucket(&mut out[start as usize..end as usize]);
            start = end;
        }
    }
}

/// Sorts the few hashes of a bucket.
#[inline]
fn sort_bucket(bucket: &mut [u64]) {
    if bucket.len() > CROWDED {
        return bucket.sort_unstable();
    }
    for i in 1..bucket.len() {
        let hash = bucket[i];
        let mut j = i;
        while j > 0 && bucket[j - 1] > hash {
            bucket[j] = bucket[j - 1];
            j -= 1;
        }
        bucket[j] = hash;
    }
}
