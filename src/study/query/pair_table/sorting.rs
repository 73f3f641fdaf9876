//! Rows in the order of a key, on all cores, by counting.
//!
//! Ten million rows are 40 MB, and memory that is touched for the first time costs more than what is done with it. So as little
//! as can be is held beside the rows: narrow keys, which need one pass, or a key and then one packed number a row; and all rows are no list
//! at all.

use std::ops::Range;

use rayon::prelude::*;

use super::TOGETHER;

/// Keys of so many bits have a bucket each.
const NARROW_BITS: u32 = 17;
/// Bits of a wider key that choose the bucket of a row.
const BUCKET_BITS: u32 = 11;
/// Bits that a key may have: those of its bucket, and 32 that are packed with the number of the row into one.
const KEY_BITS: u32 = BUCKET_BITS + 32;
/// Rows that are worth a thread.
const PART: usize = 1 << 14;
/// Rows of a bucket that are compared with each other; more are counted by digits.
const FEW: usize = 256;
/// Bits of a digit.
const DIGIT_BITS: u32 = 11;

/// A fraction as a key. Those that differ by less than 2⁻⁴² may be one; two whose denominators are under a million never are.
/// What is no fraction, as a file that somebody changed may have it, is 0 or 1.
pub(super) fn fraction_key(value: f64) -> u64 {
    (value.clamp(0.0, 1.0) * HIGHEST_FRACTION as f64) as u64
}

/// The key of 1.
pub(super) const HIGHEST_FRACTION: u64 = 1 << (KEY_BITS - 1);

/// Takes rows and their keys.
type Show<'s> = &'s mut dyn FnMut(&[u32], &[u64]);

/// Shows the rows of a stretch and their keys, some at a time.
trait Keyed: Fn(Range<usize>, Show<'_>) + Sync {}
impl<T: Fn(Range<usize>, Show<'_>) + Sync> Keyed for T {}

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

    /// Lowest key first, or highest; those of one key by their numbers. `keys` appends those of some rows; none is above
    /// `highest`, which has up to 43 bits.
    pub(super) fn by_key(&self, highest: u64, reverse: bool, keys: impl Fn(&[u32], &mut Vec<u64>) + Sync) -> Vec<u32> {
        let bits = u64::BITS - highest.leading_zeros();
        debug_assert!(bits <= KEY_BITS, "{highest} has more than {KEY_BITS} bits");
        let keyed = |part: Range<usize>, show: Show<'_>| {
            self.show(part, show, |_, rows, found| {
                keys(rows, found);
                for key in found {
                    *key = (*key).min(highest);
                    if reverse {
                        *key = highest - *key;
                    }
                }
            });
        };
        match bits <= NARROW_BITS {
            true => self.by_narrow_key(bits, &keyed),
            false => self.by_wide_key(&keyed),
        }
    }

    /// Shows the rows of a stretch, some at a time, with the keys that are found for them.
    fn show(&self, part: Range<usize>, show: Show<'_>, keys: impl Fn(Range<usize>, &[u32], &mut Vec<u64>)) {
        let (mut rows, mut found) = (Vec::with_capacity(TOGETHER), Vec::with_capacity(TOGETHER));
        for start in part.clone().step_by(TOGETHER) {
            let together = start..(start + TOGETHER).min(part.end);
            rows.clear();
            rows.extend(together.clone().map(|i| self.at(i)));
            found.clear();
            keys(together, &rows, &mut found);
            show(&rows, &found);
        }
    }

    /// Keys, held once they are found: finding one costs more than reading it again.
    fn held<K: Default + Copy + Send + Sync + Into<u64> + TryFrom<u64>>(&self, keyed: &impl Keyed) -> Vec<K> {
        let mut keys = vec![K::default(); self.len()];
        keys.par_chunks_mut(PART).enumerate().for_each(|(part, mut keys)| {
            let start = part * PART;
            keyed(start..start + keys.len(), &mut |_, found| {
                let of_these = keys.split_off_mut(..found.len()).unwrap_or_default();
                of_these.iter_mut().zip(found).for_each(|(key, found)| *key = K::try_from(*found).unwrap_or_default());
            });
        });
        keys
    }

    /// Shows rows with keys that are held.
    fn again<K: Copy + Sync + Into<u64>>(&self, keys: &[K]) -> impl Keyed {
        move |part: Range<usize>, show: Show<'_>| {
            self.show(part, show, |together, _, found| found.extend(keys[together].iter().map(|key| (*key).into())));
        }
    }

    /// Each row is put where it belongs.
    fn by_narrow_key(&self, bits: u32, keyed: &impl Keyed) -> Vec<u32> {
        let keys: Vec<u32> = self.held(keyed);
        let mut sorted = vec![0; self.len()];
        self.scatter(&mut sorted, 1 << bits, &self.again(&keys), &|row, key| (key as usize, row));
        sorted
    }

    /// Rows are put into buckets, packed with what their keys have beside the bucket, and buckets are sorted. The buckets
    /// divide what lies between the lowest key and the highest.
    fn by_wide_key(&self, keyed: &impl Keyed) -> Vec<u32> {
        let keys: Vec<u64> = self.held(keyed);
        let ends = keys.par_iter().map(|key| (*key, *key)).reduce_with(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (lowest, highest) = ends.unwrap_or_default();
        let shift = (u64::BITS - (highest - lowest).leading_zeros()).saturating_sub(BUCKET_BITS);
        let mut packed = vec![0u64; self.len()];
        let sizes = self.scatter(&mut packed, 1 << BUCKET_BITS, &self.again(&keys), &|row, key| {
            let key = key - lowest;
            ((key >> shift) as usize, key << 32 | u64::from(row))
        });
        drop(keys);
        let mut left = &mut packed[..];
        let buckets: Vec<&mut [u64]> =
            sizes.into_iter().map(|size| left.split_off_mut(..size).unwrap_or_default()).collect();
        buckets.into_par_iter().for_each_init(Vec::new, |room, bucket| sort_by_upper_half(bucket, shift, room));
        packed.into_par_iter().map(|packed| packed as u32).collect()
    }

    /// Puts what stands for each row into its bucket, in the order of the rows; returns the sizes of buckets.
    fn scatter<T: Copy + Send>(
        &self,
        out: &mut [T],
        buckets: usize,
        keyed: &impl Keyed,
        place: &(impl Fn(u32, u64) -> (usize, T) + Sync),
    ) -> Vec<usize> {
        // Each part counts all buckets, which should be few beside its rows.
        let part = self.len().div_ceil(rayon::current_num_threads()).max(PART).max(8 * buckets);
        let parts: Vec<Range<usize>> =
            (0..self.len()).step_by(part).map(|start| start..(start + part).min(self.len())).collect();
        let count = |part: &Range<usize>| {
            let mut counts = vec![0u32; buckets];
            keyed(part.clone(), &mut |rows, keys| {
                rows.iter().zip(keys).for_each(|(row, key)| counts[place(*row, *key).0] += 1);
            });
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
            keyed(part, &mut |rows, keys| {
                for (row, key) in rows.iter().zip(keys) {
                    let (bucket, what) = place(*row, *key);
                    if let Some(slot) = stretches[bucket].next() {
                        *slot = what;
                    }
                }
            });
        });
        (0..buckets).map(|bucket| counts.iter().map(|counts| counts[bucket] as usize).sum()).collect()
    }
}

/// Sorts by the lowest bits of the upper half, of which there are so many; what is equal there stays in its order.
fn sort_by_upper_half(numbers: &mut [u64], bits: u32, room: &mut Vec<u64>) {
    if numbers.len() <= FEW {
        numbers.sort_by_key(|number| number >> 32);
        return;
    }
    room.clear();
    room.resize(numbers.len(), 0);
    let (mut from, mut to, mut is_in_room) = (numbers, &mut room[..], false);
    for digit in (0..bits).step_by(DIGIT_BITS as usize) {
        let place = |number: u64| (number >> (32 + digit)) as usize & ((1 << DIGIT_BITS) - 1);
        let mut starts = [0usize; 1 << DIGIT_BITS];
        from.iter().for_each(|number| starts[place(*number)] += 1);
        if starts.contains(&from.len()) {
            continue;
        }
        let mut start = 0;
        for count in &mut starts {
            start += std::mem::replace(count, start);
        }
        for number in from.iter() {
            let start = &mut starts[place(*number)];
            to[*start] = *number;
            *start += 1;
        }
        (from, to, is_in_room) = (to, from, !is_in_room);
    }
    if is_in_room {
        to.copy_from_slice(from);
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
                // Most of them in one bucket, told apart by one digit, two and three.
                proptest::collection::vec(prop_oneof![9 => 0u64..1 << 9, 1 => Just(1u64 << 19)], FEW..4 * FEW),
                proptest::collection::vec(prop_oneof![9 => 0u64..1 << 16, 1 => Just(1u64 << 27)], FEW..4 * FEW),
                proptest::collection::vec(prop_oneof![9 => 0u64..1 << 32, 1 => Just(1u64 << 42)], FEW..8 * FEW),
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
            let found = |rows: &[u32], out: &mut Vec<u64>| out.extend(rows.iter().map(|row| keys[*row as usize]));
            prop_assert!(rows.by_key(highest, reverse, found) == expected);
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
