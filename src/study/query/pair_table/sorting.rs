//! Rows in the order of a key, on all cores, by counting.
//!
//! Ten million rows are 40 MB, and memory that is touched for the first time costs more than what is done with it. So as little
//! as can be is held beside the rows: narrow keys, which need one pass, or one packed number a row; and all rows are no list at all.

use std::ops::Range;

use rayon::prelude::*;

/// Keys of so many bits have a bucket each.
const NARROW_BITS: u32 = 17;
/// Bits of a wider key that choose the bucket of a row.
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
    (value.clamp(0.0, 1.0) * HIGHEST_FRACTION as f64) as u64
}

/// The key of 1.
pub(super) const HIGHEST_FRACTION: u64 = 1 << (KEY_BITS - 1);

/// Numbers of rows, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rows {
    /// The first so many: all of them.
    All(usize),
    Some(Vec<u32>),
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Some(rows) => rows.len(),
        }
    }

    #[inline]
    fn at(&self, i: usize) -> u32 {
        match self {
            Self::All(_) => i as u32,
            Self::Some(rows) => rows[i],
        }
    }

    /// As they are, or turned round.
    pub(super) fn in_order(self, reverse: bool) -> Vec<u32> {
        match self {
            Self::All(count) if reverse => (0..count as u32).rev().collect(),
            Self::All(count) => (0..count as u32).collect(),
            Self::Some(mut rows) => {
                if reverse {
                    rows.reverse();
                }
                rows
            }
        }
    }

    /// Lowest key first, or highest; those of one key by their numbers. No key is above `highest`, which has up to 43 bits.
    pub(super) fn by_key(&self, highest: u64, reverse: bool, key: impl Fn(usize) -> u64 + Sync) -> Vec<u32> {
        let bits = u64::BITS - highest.leading_zeros();
        debug_assert!(bits <= KEY_BITS, "{highest} has more than {KEY_BITS} bits");
        let key = |i: usize| {
            let row = self.at(i);
            let key = key(row as usize).min(highest);
            (row, if reverse { highest - key } else { key })
        };
        match bits <= NARROW_BITS {
            true => self.by_narrow_key(bits, &key),
            false => self.by_wide_key(bits, &key),
        }
    }

    /// Each row is put where it belongs.
    fn by_narrow_key(&self, bits: u32, key: &(impl Fn(usize) -> (u32, u64) + Sync)) -> Vec<u32> {
        let keys: Vec<u32> = (0..self.len()).into_par_iter().map(|i| key(i).1 as u32).collect();
        let mut sorted = vec![0; self.len()];
        self.scatter(&mut sorted, 1 << bits, &|i| (keys[i] as usize, self.at(i)));
        sorted
    }

    /// Rows are put into buckets, packed with what their keys have beside the bucket, and buckets are sorted. Keys are asked for
    /// twice, which costs less than holding them.
    fn by_wide_key(&self, bits: u32, key: &(impl Fn(usize) -> (u32, u64) + Sync)) -> Vec<u32> {
        let shift = bits - BUCKET_BITS;
        let mut packed = vec![0u64; self.len()];
        let sizes = self.scatter(&mut packed, 1 << BUCKET_BITS, &|i| {
            let (row, key) = key(i);
            ((key >> shift) as usize, key << 32 | u64::from(row))
        });
        let mut left = &mut packed[..];
        let buckets: Vec<&mut [u64]> =
            sizes.into_iter().map(|size| left.split_off_mut(..size).unwrap_or_default()).collect();
        buckets.into_par_iter().for_each(|bucket| match bucket.len() < LARGE_BUCKET {
            true => bucket.sort_unstable(),
            false => bucket.par_sort_unstable(),
        });
        packed.into_par_iter().map(|packed| packed as u32).collect()
    }

    /// Puts what stands for each row into its bucket, in the order of the rows; returns the sizes of buckets.
    fn scatter<T: Copy + Send>(
        &self,
        out: &mut [T],
        buckets: usize,
        place: &(impl Fn(usize) -> (usize, T) + Sync),
    ) -> Vec<usize> {
        // Each part counts all buckets, which should be few beside its rows.
        let part = self.len().div_ceil(rayon::current_num_threads()).max(PART).max(8 * buckets);
        let parts: Vec<Range<usize>> =
            (0..self.len()).step_by(part).map(|start| start..(start + part).min(self.len())).collect();
        let count = |part: &Range<usize>| {
            let mut counts = vec![0u32; buckets];
            part.clone().for_each(|i| counts[place(i).0] += 1);
            counts
        };
        let counts: Vec<Vec<u32>> = parts.par_iter().map(count).collect();
        // Each part has a stretch of its own in each bucket.
        let mut stretches: Vec<Vec<_>> = parts.iter().map(|_| Vec::with_capacity(buckets)).collect();
        let mut left = out;
        for bucket in 0..buckets {
            for (stretches, counts) in stretches.iter_mut().zip(&counts) {
                stretches.push(left.split_off_mut(..counts[bucket] as usize).unwrap_or_default().iter_mut());
            }
        }
        parts.into_par_iter().zip(stretches).for_each(|(part, mut stretches)| {
            for i in part {
                let (bucket, what) = place(i);
                if let Some(slot) = stretches[bucket].next() {
                    *slot = what;
                }
            }
        });
        (0..buckets).map(|bucket| counts.iter().map(|counts| counts[bucket] as usize).sum()).collect()
    }
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
                proptest::collection::vec(0u64..1 << NARROW_BITS, 0..300),
                proptest::collection::vec((0u32..9).prop_map(|n| fraction_key(f64::from(n) / 8.0)), PART..3 * PART),
            ],
            reverse in any::<bool>(),
            each in 1..4usize,
            above in prop_oneof![Just(0u64), Just(1), Just(1 << 41)],
        ) {
            let mut expected: Vec<u32> = (0..keys.len() as u32).step_by(each).collect();
            let rows = if each == 1 { Rows::All(keys.len()) } else { Rows::Some(expected.clone()) };
            let highest = (keys.iter().max().copied().unwrap_or(0) + above).min((1 << KEY_BITS) - 1);
            match reverse {
                true => expected.sort_by_key(|row| std::cmp::Reverse(keys[*row as usize])),
                false => expected.sort_by_key(|row| keys[*row as usize]),
            }
            prop_assert!(rows.by_key(highest, reverse, |row| keys[row]) == expected);
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
    fn rows_as_they_are_and_turned_round() {
        assert_eq!(Rows::All(3).in_order(false), [0, 1, 2]);
        assert_eq!(Rows::All(3).in_order(true), [2, 1, 0]);
        assert_eq!(Rows::Some(vec![2, 5]).in_order(false), [2, 5]);
        assert_eq!(Rows::Some(vec![2, 5]).in_order(true), [5, 2]);
    }

    #[test]
    fn neighbours_among_fractions_are_told_apart() {
        let near = [(999_997u32, 999_998u32), (999_998, 999_999), (499_999, 999_999), (499_998, 999_997)];
        let keys = near.map(|(a, b)| fraction_key(f64::from(a) / f64::from(b)));
        assert!(keys[0] < keys[1] && keys[3] < keys[2], "{keys:?}");
        assert_eq!([-1.0, f64::NAN, 7.0].map(fraction_key), [0, 0, fraction_key(1.0)]);
    }
}
