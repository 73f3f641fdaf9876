#![allow(unsafe_code, reason = "AVX2 loads and stores, and the call that the run-time check of the CPU makes sound")]
//! Min-wise sampling: the first shingle of a document in each of r shuffled orders of all shingles.
//!
//! Two documents have the same first shingle with a probability that is the Jaccard similarity of their shingle sets
//! (Broder, On the resemblance and containment of documents, 1997), so the share of equal minima estimates it, with the
//! standard error of [`super::curves::standard_error`]. Repeated shingles change nothing.
//!
//! **The functions (ours, fixed, so that anyone can recompute a sketch).** x is the high half of the 64-bit shingle
//! hash, and function i = 0, 1, 2, … is the permutation πᵢ(x) = aᵢ·x + bᵢ modulo 2^32. With
//! cᵢ = fmix64(fmix64(seed) + (i + 1)·M) modulo 2^64, fmix64 and M of [`dejaview_base::hash`], aᵢ is the high half of cᵢ
//! with its lowest bit set, and bᵢ the low half. So function i does not depend on r. The permutations are linear: they
//! expect hashes whose high half is well mixed, as all of [`super::family`] are.
//!
//! Cost: r multiplications, additions and comparisons a shingle. With AVX2, found at run time, eight functions go
//! through one instruction and up to 96 minima stay in registers; otherwise a plain loop does the same, by a property
//! test.

use dejaview_base::hash::{M, fmix64};

/// Functions that go through one instruction.
const LANES: usize = 8;
/// Most lanes that are worked on together: their minima, a shingle and one value between fit into 16 registers.
const WIDEST: usize = 12;

/// The most functions that may be asked for.
pub const MOST: usize = 4096;

/// Multipliers and summands of eight neighbouring functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lane {
    times: [u32; LANES],
    plus: [u32; LANES],
}

/// The r seeded min-wise functions of a sketch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minima {
    /// The last lane is filled up with the functions that would follow.
    lanes: Vec<Lane>,
    functions: usize,
}

/// aᵢ and bᵢ.
const fn coefficients(seed: u64, i: u64) -> (u32, u32) {
    let c = fmix64(fmix64(seed).wrapping_add((i + 1).wrapping_mul(M)));
    ((c >> 32) as u32 | 1, c as u32)
}

impl Minima {
    /// The first `functions` functions of `seed`.
    ///
    /// # Panics
    ///
    /// When they are not 1 to [`MOST`].
    pub fn new(functions: usize, seed: u64) -> Self {
        assert!((1..=MOST).contains(&functions), "{functions} min-wise functions; 1 to {MOST} are possible");
        let lane = |lane: usize| {
            let both = std::array::from_fn(|k| coefficients(seed, (lane * LANES + k) as u64));
            Lane { times: both.map(|(times, _)| times), plus: both.map(|(_, plus)| plus) }
        };
        Self { lanes: (0..functions.div_ceil(LANES)).map(lane).collect(), functions }
    }

    /// Number of functions, and of minima of a document.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one function")]
    pub fn len(&self) -> usize {
        self.functions
    }

    /// Appends the minimum of each function over all shingles; nothing when there is no shingle.
    pub fn append_to(&self, shingles: &[u64], out: &mut Vec<u32>) {
        if shingles.is_empty() {
            return;
        }
        let end = out.len() + self.functions;
        for lanes in self.lanes.chunks(WIDEST) {
            run(lanes, shingles, out);
        }
        out.truncate(end);
    }

    /// The value of function `i`, below [`Minima::len`], for one shingle.
    pub fn value(&self, i: usize, shingle: u64) -> u32 {
        let lane = &self.lanes[i / LANES];
        permute(lane.times[i % LANES], lane.plus[i % LANES], shingle)
    }

    /// Position of the first shingle that gives minimum `i`; 0 when there is no shingle.
    pub fn position(&self, shingles: &[u64], i: usize) -> usize {
        let values = shingles.iter().map(|&shingle| self.value(i, shingle));
        values.enumerate().min_by_key(|&(_, value)| value).map_or(0, |(at, _)| at)
    }
}

#[inline(always)]
const fn permute(times: u32, plus: u32, shingle: u64) -> u32 {
    ((shingle >> 32) as u32).wrapping_mul(times).wrapping_add(plus)
}

/// Appends the minima of at most [`WIDEST`] lanes.
fn run(lanes: &[Lane], shingles: &[u64], out: &mut Vec<u32>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        return unsafe { avx2(lanes, shingles, out) };
    }
    scalar(lanes, shingles, out);
}

fn scalar(lanes: &[Lane], shingles: &[u64], out: &mut Vec<u32>) {
    for lane in lanes {
        let mut minima = [u32::MAX; LANES];
        for &shingle in shingles {
            for ((minimum, &times), &plus) in minima.iter_mut().zip(&lane.times).zip(&lane.plus) {
                *minimum = permute(times, plus, shingle).min(*minimum);
            }
        }
        out.extend(minima);
    }
}

/// Picks the loop that is unrolled for this number of lanes.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(lanes: &[Lane], shingles: &[u64], out: &mut Vec<u32>) {
    match lanes.len() {
        1 => registers::<1>(lanes, shingles, out),
        2 => registers::<2>(lanes, shingles, out),
        3 => registers::<3>(lanes, shingles, out),
        4 => registers::<4>(lanes, shingles, out),
        5 => registers::<5>(lanes, shingles, out),
        6 => registers::<6>(lanes, shingles, out),
        7 => registers::<7>(lanes, shingles, out),
        8 => registers::<8>(lanes, shingles, out),
        9 => registers::<9>(lanes, shingles, out),
        10 => registers::<10>(lanes, shingles, out),
        11 => registers::<11>(lanes, shingles, out),
        _ => registers::<12>(lanes, shingles, out),
    }
}

/// The minima of `N` lanes, each in a register of its own.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn registers<const N: usize>(lanes: &[Lane], shingles: &[u64], out: &mut Vec<u32>) {
    use std::arch::x86_64::*;
    let lanes: &[Lane; N] = lanes.first_chunk().expect("N lanes");
    // SAFETY: 32 readable bytes; an unaligned load asks no more.
    let load = |from: &[u32; LANES]| unsafe { _mm256_loadu_si256(from.as_ptr().cast()) };
    let mut minima = [_mm256_set1_epi32(-1); N];
    for &shingle in shingles {
        let x = _mm256_set1_epi32((shingle >> 32) as i32);
        for (minimum, lane) in minima.iter_mut().zip(lanes) {
            let value = _mm256_add_epi32(_mm256_mullo_epi32(x, load(&lane.times)), load(&lane.plus));
            *minimum = _mm256_min_epu32(*minimum, value);
        }
    }
    for minimum in minima {
        let mut values = [0u32; LANES];
        // SAFETY: 32 writable bytes; an unaligned store asks no more.
        unsafe { _mm256_storeu_si256(values.as_mut_ptr().cast(), minimum) };
        out.extend(values);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::curves::{groups_agree, standard_error};

    fn minima_of(minima: &Minima, shingles: &[u64]) -> Vec<u32> {
        let mut out = Vec::new();
        minima.append_to(shingles, &mut out);
        out
    }

    /// One pass over the rows of a set: every slot keeps the least value of its function.
    fn one_pass<V: Ord + Copy>(set: &[u64], functions: &[impl Fn(u64) -> V]) -> Vec<V> {
        let mut slots = vec![None; functions.len()];
        for &row in set {
            for (slot, function) in slots.iter_mut().zip(functions) {
                let value = function(row);
                *slot = Some(slot.map_or(value, |least| value.min(least)));
            }
        }
        slots.into_iter().flatten().collect()
    }

    /// The functions as the head of the file states them, with nothing of the rest of it.
    fn stated(r: u64, seed: u64) -> Vec<impl Fn(u64) -> u32> {
        let function = move |i: u64| {
            let c = fmix64(fmix64(seed).wrapping_add((i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
            let (a, b) = ((c >> 32) | 1, c % (1 << 32));
            move |shingle: u64| ((a * (shingle >> 32) + b) % (1 << 32)) as u32
        };
        (0..r).map(function).collect()
    }

    #[test]
    fn the_one_pass_table_of_the_lecture() {
        let functions: [fn(u64) -> u64; 2] = [|x| x % 5, |x| (2 * x + 1) % 5];
        assert_eq!(one_pass(&[1, 3, 4], &functions), [1, 2]);
        assert_eq!(one_pass(&[2, 3, 5], &functions), [0, 0]);
    }

    /// There the signature names the first row of each order that a column has.
    #[test]
    fn the_permutations_of_the_lecture() {
        let orders = [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1], [3, 4, 5, 1, 2]];
        let signature = |column: &[u64]| {
            let places = orders.map(|order| move |row: u64| order.iter().position(|&o| o == row));
            let first = one_pass(column, &places);
            [0, 1, 2].map(|i| orders[i][first[i].unwrap()])
        };
        assert_eq!(signature(&[1, 3, 4]), [1, 4, 3]);
        assert_eq!(signature(&[2, 5]), [2, 5, 5]);
        assert_eq!(signature(&[1, 2, 4]), [1, 4, 4]);
    }

    #[test]
    fn equal_and_disjoint_sets() {
        let minima = Minima::new(200, 5);
        let set: Vec<u64> = (0..300).map(fmix64).collect();
        let other: Vec<u64> = (300..600).map(fmix64).collect();
        let twice: Vec<u64> = set.iter().rev().chain(&set).copied().collect();
        assert_eq!(minima_of(&minima, &set), minima_of(&minima, &twice), "order and repetition do not matter");
        let equal = minima_of(&minima, &set).iter().zip(minima_of(&minima, &other)).filter(|(a, b)| **a == *b).count();
        assert_eq!(equal, 0);
    }

    #[test]
    fn minima_as_another_program_finds_them() {
        let shingles: Vec<u64> = (1..=20).map(fmix64).collect();
        assert_eq!(minima_of(&Minima::new(4, 1), &shingles), [0x05B9_6507, 0x1B6D_46B5, 0x08D2_CFAA, 0x05C3_F651]);
    }

    #[test]
    fn no_shingle_no_minima() {
        let mut out = vec![9];
        Minima::new(84, 1).append_to(&[], &mut out);
        assert_eq!(out, [9]);
        Minima::new(84, 1).append_to(&[3], &mut out);
        assert_eq!(out.len(), 85);
    }

    #[test]
    fn a_function_does_not_depend_on_their_number() {
        let shingles: Vec<u64> = (0..50).map(fmix64).collect();
        let most = minima_of(&Minima::new(MOST, 7), &shingles);
        for r in [1, 7, 8, 9, 36, 84, 96, 97, 200, 1000] {
            assert_eq!(minima_of(&Minima::new(r, 7), &shingles), most[..r], "r = {r}");
        }
        assert_ne!(minima_of(&Minima::new(36, 8), &shingles), most[..36]);
    }

    #[test]
    #[should_panic(expected = "0 min-wise functions")]
    fn there_must_be_a_function() {
        Minima::new(0, 1);
    }

    proptest! {
        #[test]
        fn registers_the_plain_loop_and_the_definition_agree(
            shingles in prop::collection::vec(any::<u64>(), 1..40), r in 1..230usize, seed: u64
        ) {
            let minima = Minima::new(r, seed);
            let found = minima_of(&minima, &shingles);
            let mut plain = Vec::new();
            scalar(&minima.lanes, &shingles, &mut plain);
            plain.truncate(r);
            prop_assert_eq!(&found, &plain);
            prop_assert_eq!(&found, &one_pass(&shingles, &stated(r as u64, seed)));
            for (i, &minimum) in found.iter().enumerate() {
                let which = minima.position(&shingles, i);
                prop_assert_eq!(minima.value(i, shingles[which]), minimum);
                prop_assert!(shingles[..which].iter().all(|&earlier| minima.value(i, earlier) > minimum));
            }
        }
    }

    /// Exact Jaccard of two random sets of `size` shingles, `common` of them in both, and which of their minima agree.
    fn trial(minima: &Minima, number: u64, size: u64, common: u64) -> (f64, Vec<bool>) {
        let shingle = |i: u64| fmix64(fmix64(number) ^ i);
        let a: Vec<u64> = (0..size).map(shingle).collect();
        let b: Vec<u64> = (size - common..2 * size - common).map(shingle).collect();
        let equal = minima_of(minima, &a).iter().zip(minima_of(minima, &b)).map(|(a, b)| *a == b).collect();
        (common as f64 / (2 * size - common) as f64, equal)
    }

    fn share(which: &[bool]) -> f64 {
        which.iter().filter(|&&yes| yes).count() as f64 / which.len() as f64
    }

    /// 1,200 pairs: the relative error of such a root mean square is 2 %, that of the mean 3 % of one error.
    #[test]
    fn estimates_err_as_much_as_theory_says() {
        for (r, size, seed) in [(84, 60, 1), (84, 500, 2), (200, 200, 3)] {
            let minima = Minima::new(r, seed);
            let (mut squares, mut sum) = (0.0, 0.0);
            let trials = 1200;
            for number in 0..trials {
                let (jaccard, equal) = trial(&minima, number, size, size / 10 + number * size * 17 / 20 / trials);
                let error = (share(&equal) - jaccard) / standard_error(jaccard, r);
                squares += error * error;
                sum += error;
            }
            let (rms, mean) = ((squares / trials as f64).sqrt(), sum / trials as f64);
            assert!((0.9..1.1).contains(&rms), "r = {r}, sets of {size}: {rms} standard errors");
            assert!(mean.abs() < 0.15, "r = {r}, sets of {size}: the mean is off by {mean} standard errors");
        }
    }

    /// Whole groups agree as often as independent functions would, so no function leans on another.
    #[test]
    fn groups_agree_as_often_as_the_curve_says() {
        for (size, common, agree) in [(6, 160, 2), (6, 160, 3), (14, 175, 2)] {
            let minima = Minima::new(6 * size, 11);
            let mut jaccard = 0.0;
            let matches = |number| {
                let equal;
                (jaccard, equal) = trial(&minima, number, 180, common);
                equal.chunks(size).filter(|group| group.iter().all(|&yes| yes)).count() >= agree
            };
            let measured = share(&(0..1500).map(matches).collect::<Vec<_>>());
            let stated = groups_agree(jaccard, size, 6, agree);
            let error = standard_error(stated, 1500);
            assert!((measured - stated).abs() < 4.0 * error, "{agree} of 6 by {size}: {measured}, {stated}");
        }
    }
}
