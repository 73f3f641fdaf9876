//! Rows in the order of a key, on all cores: a counting sort by the high bits of keys, then a sort within its buckets.

use rayon::prelude::*;

/// Bits of a key that choose the bucket of a row.
const BUCKET_BITS: u32 = 11;
/// Bits that a key may have: those of its bucket, and 32 that are packed with the number of the row into one.
const KEY_BITS: u32 = BUCKET_BITS + 32;
/// Rows that are worth a thread.
const PART: usize = 1 << 14;
/// Rows of a bucket that are worth several: one key, such as a Jaccard of 1, may have most of them.
const LARGE_BUCKET: usize = 1 << 17;

/// A fraction as a key. Those that differ by less than 2⁻⁴² may be one; two whose denominators are under a million never are.
/// What is no fraction, as a file that somebody changed may have it, is 0 or 1.
pub(super) fn fraction_key(value: f64) -> u64 {
    (value.clamp(0.0, 1.0) * (1u64 << (KEY_BITS - 1)) as f64) as u64
}

/// Lowest key first, or highest; those of one key by their numbers. Keys have up to 43 bits.
pub(super) fn sort_by_key(rows: &mut [u32], reverse: bool, key: impl Fn(usize) -> u64 + Sync) {
    let mut keys: Vec<u64> = rows.par_iter().map(|row| key(*row as usize)).collect();
    let highest = keys.par_iter().copied().max().unwrap_or(0);
    debug_assert!(highest >> KEY_BITS == 0, "{highest} has more than {KEY_BITS} bits");
    if reverse {
        keys.par_iter_mut().for_each(|key| *key = highest - *key);
    }
    let shift = (u64::BITS - highest.leading_zeros()).saturating_sub(BUCKET_BITS);
    let (mut packed, sizes) = in_buckets(rows, &keys, shift);
    drop(keys);
    let mut left = &mut packed[..];
    let buckets: Vec<&mut [u64]> =
        sizes.into_iter().map(|size| left.split_off_mut(..size).unwrap_or_default()).collect();
    buckets.into_par_iter().for_each(|bucket| match bucket.len() < LARGE_BUCKET {
        true => bucket.sort_unstable(),
        false => bucket.par_sort_unstable(),
    });
    rows.par_iter_mut().zip(&packed).for_each(|(row, packed)| *row = *packed as u32);
}

/// The low 32 bits of each key with the number of its row, by buckets; and the sizes of buckets.
fn in_buckets(rows: &[u32], keys: &[u64], shift: u32) -> (Vec<u64>, Vec<usize>) {
    let part = keys.len().div_ceil(rayon::current_num_threads()).max(PART);
    let bucket = |key: u64| (key >> shift) as usize;
    let count = |keys: &[u64]| {
        let mut counts = vec![0usize; 1 << BUCKET_BITS];
        keys.iter().for_each(|key| counts[bucket(*key)] += 1);
        counts
    };
    let counts: Vec<Vec<usize>> = keys.par_chunks(part).map(count).collect();
    let mut packed = vec![0; keys.len()];
    // Each part of the keys has a stretch of its own in each bucket.
    let mut stretches: Vec<Vec<_>> = counts.iter().map(|_| Vec::with_capacity(1 << BUCKET_BITS)).collect();
    let mut left = &mut packed[..];
    for bucket in 0..1 << BUCKET_BITS {
        for (stretches, counts) in stretches.iter_mut().zip(&counts) {
            stretches.push(left.split_off_mut(..counts[bucket]).unwrap_or_default().iter_mut());
        }
    }
    rows.par_chunks(part).zip(keys.par_chunks(part)).zip(stretches).for_each(|((rows, keys), mut stretches)| {
        for (row, key) in rows.iter().zip(keys) {
            if let Some(slot) = stretches[bucket(*key)].next() {
                *slot = key << 32 | u64::from(*row);
            }
        }
    });
    let size = |bucket: usize| counts.iter().map(|counts| counts[bucket]).sum();
    (packed, (0..1 << BUCKET_BITS).map(size).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Among keys that are equal, near and far apart, of many rows and few, in whatever order they came.
        #[test]
        fn rows_are_sorted_as_their_keys(
            keys in prop_oneof![
                proptest::collection::vec(0u64..1 << KEY_BITS, 0..80),
                proptest::collection::vec(prop_oneof![0u64..4, 4000u64..4010, (1u64 << 42)..(1 << 42) + 3], 0..300),
                proptest::collection::vec((0u32..9).prop_map(|n| fraction_key(f64::from(n) / 8.0)), PART..3 * PART),
            ],
            reverse in any::<bool>(),
            turned in any::<bool>(),
        ) {
            let mut rows: Vec<u32> = (0..keys.len() as u32).collect();
            if turned {
                rows.reverse();
            }
            let mut expected: Vec<u32> = (0..keys.len() as u32).collect();
            match reverse {
                true => expected.sort_by_key(|row| std::cmp::Reverse(keys[*row as usize])),
                false => expected.sort_by_key(|row| keys[*row as usize]),
            }
            sort_by_key(&mut rows, reverse, |row| keys[row]);
            prop_assert!(rows == expected);
        }

        /// Fractions of whole numbers under a million are told apart however near they are.
        #[test]
        fn fractions_keep_their_order(a in 0u32..1_000_000, b in 1u32..1_000_000, c in 0u32..1_000_000, d in 1u32..1_000_000) {
            let (a, c) = (a.min(b), c.min(d));
            let exact = (u64::from(a) * u64::from(d)).cmp(&(u64::from(c) * u64::from(b)));
            let keys = [f64::from(a) / f64::from(b), f64::from(c) / f64::from(d)].map(fraction_key);
            prop_assert_eq!(keys[0].cmp(&keys[1]), exact);
        }
    }

    #[test]
    fn neighbours_among_fractions_are_told_apart() {
        let near = [(999_997u32, 999_998u32), (999_998, 999_999), (499_999, 999_999), (499_998, 999_997)];
        let keys = near.map(|(a, b)| fraction_key(f64::from(a) / f64::from(b)));
        assert!(keys[0] < keys[1] && keys[3] < keys[2], "{keys:?}");
        assert_eq!([-1.0, f64::NAN, 7.0].map(fraction_key), [0, 0, fraction_key(1.0)]);
    }
}
