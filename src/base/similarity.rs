//! What two lists have in common, and ratios that are defined for every input, the empty one included.

use std::cmp::Ordering;

use crate::wide::{self, Work};

/// Numbers that a processor compares at once, where it can.
const BLOCK: usize = 4;
/// Lists that are walked in parts at the same time: one step waits for the one before, the steps of other parts do not.
const LANES: usize = 3;
/// Shorter lists are walked in one.
const SHORT: usize = 64;

/// How many numbers two ascending lists have in common; one that stands several times counts one to one.
#[inline]
pub fn common(a: &[u64], b: &[u64]) -> usize {
    let mut common = 0;
    walk(a, b, |_, _, equal| common += usize::from(equal));
    common
}

/// The same; none as soon as it cannot be `least` any more.
pub fn common_if_enough(a: &[u64], b: &[u64], least: usize) -> Option<usize> {
    // Numbers of either list that may still be without a partner.
    let (mut spare_a, mut spare_b) = (a.len().checked_sub(least)?, b.len().checked_sub(least)?);
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
        match x.cmp(&y) {
            Ordering::Equal => common += 1,
            Ordering::Less => spare_a = spare_a.checked_sub(1)?,
            Ordering::Greater => spare_b = spare_b.checked_sub(1)?,
        }
    }
    (common >= least).then_some(common)
}

/// How many two sets must have in common for a Jaccard of `jaccard`, given the sum of their sizes.
pub fn least_for_jaccard(jaccard: f64, sum: usize) -> usize {
    (jaccard / (1.0 + jaccard) * sum as f64 - 1e-9).ceil() as usize
}

/// How many numbers two ascending lists have in common, neither of which has a number twice.
pub fn common_of_sets(a: &[u64], b: &[u64]) -> usize {
    wide::run(CommonOfSets { a, b })
}

/// What two lists of different words have in common, each ascending and with the times that a word occurs: how many,
/// and the sum of the products of their times.
pub fn common_times(a: (&[u64], &[u32]), b: (&[u64], &[u32])) -> (u32, u64) {
    wide::run(CommonTimes { a, b })
}

/// The work of [`common_of_sets`].
struct CommonOfSets<'a> {
    a: &'a [u64],
    b: &'a [u64],
}

impl Work for CommonOfSets<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        common(self.a, self.b)
    }

    #[inline(always)]
    fn run_wide(self) -> usize {
        let Self { a, b } = self;
        let mut counts = [0u64; BLOCK];
        let mut rest = walk_blocks(a, b, |_, _, equal| {
            for (i, count) in counts.iter_mut().enumerate() {
                *count = count.wrapping_add((equal[0][i] | equal[1][i] | equal[2][i] | equal[3][i]) & 1);
            }
        });
        let mut common = counts.iter().sum::<u64>() as usize;
        rest.walk(a, b, &mut |_, _, equal| common += usize::from(equal));
        common
    }
}

/// The work of [`common_times`].
struct CommonTimes<'a> {
    a: (&'a [u64], &'a [u32]),
    b: (&'a [u64], &'a [u32]),
}

impl CommonTimes<'_> {
    /// What a number that stands in both adds to the sum.
    #[inline(always)]
    fn product(&self, i: usize, j: usize) -> u64 {
        u64::from(self.a.1[i]) * u64::from(self.b.1[j])
    }
}

impl Work for CommonTimes<'_> {
    type Output = (u32, u64);

    #[inline(always)]
    fn run(self) -> (u32, u64) {
        let (mut common, mut dot) = (0, 0);
        walk(self.a.0, self.b.0, |i, j, equal| {
            common += u32::from(equal);
            dot += u64::from(equal) * self.product(i, j);
        });
        (common, dot)
    }

    #[inline(always)]
    fn run_wide(self) -> (u32, u64) {
        let (times_a, times_b) = (self.a.1.as_chunks::<BLOCK>().0, self.b.1.as_chunks::<BLOCK>().0);
        let (mut counts, mut dots) = ([0u64; BLOCK], [0u64; BLOCK]);
        let mut rest = walk_blocks(self.a.0, self.b.0, |i, j, equal| {
            let (of_a, of_b) = (times_a[i].map(u64::from), times_b[j].map(u64::from));
            for (turn, equal) in equal.iter().enumerate() {
                let of_b = turned(&of_b, turn);
                for k in 0..BLOCK {
                    counts[k] = counts[k].wrapping_add(equal[k] & 1);
                    dots[k] = dots[k].wrapping_add(equal[k] & of_a[k].wrapping_mul(of_b[k]));
                }
            }
        });
        let (mut common, mut dot) = (counts.iter().sum::<u64>() as u32, dots.iter().sum());
        rest.walk(self.a.0, self.b.0, &mut |i, j, equal| {
            common += u32::from(equal);
            dot += u64::from(equal) * self.product(i, j);
        });
        (common, dot)
    }
}

/// Walks two ascending lists in blocks, each of which is compared with each number of the other's at once. Tells of every
/// two blocks which numbers are equal: `equal[turn][i]` is all ones where number `i` of the first is number `i + turn` of the
/// second, counted round. Gives back what is left: less than a block of one list.
#[inline(always)]
fn walk_blocks(a: &[u64], b: &[u64], mut met: impl FnMut(usize, usize, &[[u64; BLOCK]; BLOCK])) -> Lane {
    let (blocks_a, blocks_b) = (a.as_chunks::<BLOCK>().0, b.as_chunks::<BLOCK>().0);
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (blocks_a.get(i), blocks_b.get(j)) {
        met(i, j, &[0, 1, 2, 3].map(|turn| equal(x, &turned(y, turn))));
        let (last_x, last_y) = (x[BLOCK - 1], y[BLOCK - 1]);
        i += usize::from(last_x <= last_y);
        j += usize::from(last_y <= last_x);
    }
    Lane { i: i * BLOCK, j: j * BLOCK, end: (a.len(), b.len()) }
}

/// A block that begins with its number `turn`, the ones before it at the end.
#[inline(always)]
fn turned<T: Copy>(block: &[T; BLOCK], turn: usize) -> [T; BLOCK] {
    [block[turn % BLOCK], block[(turn + 1) % BLOCK], block[(turn + 2) % BLOCK], block[(turn + 3) % BLOCK]]
}

/// All ones where the numbers are equal, zero elsewhere. A loop and no closure over the numbers: that is
/// compiled number by number, ten times as slow. So are sums that are checked for overflow, as in tests.
#[inline(always)]
fn equal(x: &[u64; BLOCK], y: &[u64; BLOCK]) -> [u64; BLOCK] {
    let mut equal = [0; BLOCK];
    for (equal, (x, y)) in equal.iter_mut().zip(x.iter().zip(y)) {
        *equal = if x == y { u64::MAX } else { 0 };
    }
    equal
}

/// A stretch of each of two lists that is still to be walked.
#[derive(Clone, Copy, Default)]
struct Lane {
    i: usize,
    j: usize,
    end: (usize, usize),
}

impl Lane {
    /// So many steps stay within both stretches.
    #[inline]
    fn sure_steps(&self) -> usize {
        (self.end.0 - self.i).min(self.end.1 - self.j)
    }

    /// No branch hangs on the numbers: which list goes on cannot be foreseen.
    #[inline]
    fn step(&mut self, a: &[u64], b: &[u64], met: &mut impl FnMut(usize, usize, bool)) {
        let (x, y) = (a[self.i], b[self.j]);
        met(self.i, self.j, x == y);
        self.i += usize::from(x <= y);
        self.j += usize::from(y <= x);
    }

    /// All steps that are left.
    #[inline]
    fn walk(&mut self, a: &[u64], b: &[u64], met: &mut impl FnMut(usize, usize, bool)) {
        while self.sure_steps() > 0 {
            self.step(a, b, met);
        }
    }
}

/// Walks two ascending lists and tells of every step where it is in both, and whether the same number stands there.
#[inline]
fn walk(a: &[u64], b: &[u64], mut met: impl FnMut(usize, usize, bool)) {
    let mut lanes = lanes(a, b);
    loop {
        let steps = lanes.iter().map(Lane::sure_steps).min().unwrap_or(0);
        if steps == 0 {
            break;
        }
        for _ in 0..steps {
            for lane in &mut lanes {
                lane.step(a, b, &mut met);
            }
        }
    }
    for lane in &mut lanes {
        lane.walk(a, b, &mut met);
    }
}

/// Both lists, cut at the same numbers.
fn lanes(a: &[u64], b: &[u64]) -> [Lane; LANES] {
    let mut lanes = [Lane::default(); LANES];
    let mut start = (0, 0);
    for (k, lane) in lanes.iter_mut().enumerate() {
        let end = match a.get(a.len() * (k + 1) / LANES) {
            Some(number) if a.len().min(b.len()) >= SHORT => {
                (a.partition_point(|x| x < number), b.partition_point(|y| y < number))
            }
            _ => (a.len(), b.len()),
        };
        *lane = Lane { i: start.0, j: start.1, end };
        start = end;
    }
    lanes
}

/// `part / whole`, and 0 when there is no whole: an empty document resembles nothing.
#[inline]
pub fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Jaccard of two sets, from their sizes and the size of their intersection. Sizes that contradict each other, as a file that
/// somebody changed may have them, give some number, too.
#[inline]
pub fn jaccard(common: u32, a: u32, b: u32) -> f64 {
    let common = u64::from(common);
    ratio(common, (u64::from(a) + u64::from(b)).saturating_sub(common))
}

/// Length of the shorter by length of the longer.
#[inline]
pub fn length_ratio(a: u32, b: u32) -> f64 {
    ratio(a.min(b).into(), a.max(b).into())
}

/// Dice of two sets, from their sizes and the size of their intersection.
#[inline]
pub fn dice(common: u64, a: u64, b: u64) -> f64 {
    ratio(2 * common, a + b)
}

/// `dot / √(a·b)`, and 0 when either norm is 0. `a` and `b` are squared norms.
///
/// One root of the product, not a product of two roots: √(a·a) is `a` whatever is rounded, so equal texts have exactly 1 and
/// no texts have more.
#[inline]
pub fn cosine(dot: f64, a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { dot / (a * b).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn empty_is_a_case() {
        assert_eq!(ratio(0, 0), 0.0);
        assert_eq!(jaccard(0, 0, 0), 0.0);
        assert_eq!(dice(0, 0, 0), 0.0);
        assert_eq!(cosine(0.0, 0.0, 4.0), 0.0);
    }

    #[test]
    fn by_hand() {
        assert_eq!([common(&[1, 3, 3, 5], &[3, 3, 3, 5, 8]), common(&[], &[1]), common(&[2], &[1, 3])], [3, 0, 0]);
        assert_eq!(common_times((&[1, 3, 5], &[2, 3, 1]), (&[3, 4, 5], &[2, 9, 7])), (2, 13));
        assert_eq!(jaccard(1, 2, 2), 1.0 / 3.0);
        assert_eq!(dice(1, 2, 2), 0.5);
        assert_eq!(cosine(1.0, 2.0, 2.0), 0.5);
    }

    #[test]
    fn equal_texts_have_a_cosine_of_exactly_one() {
        for norm in (1..10_000).chain([(1 << 53) - 1, 1u64 << 60]) {
            let norm = norm as f64;
            assert_eq!(cosine(norm, norm, norm), 1.0, "{norm}");
            assert!(cosine(norm, norm, norm + 1.0) <= 1.0, "{norm}");
        }
    }

    /// The lists as sets of how often each number stands in both.
    fn plainly(a: &[u64], b: &[u64]) -> usize {
        let mut left = b.to_vec();
        a.iter().filter(|x| left.iter().position(|y| y == *x).map(|at| left.remove(at)).is_some()).count()
    }

    proptest! {
        #[test]
        fn enough_in_common_is_having_so_many(
            mut a in proptest::collection::vec(0u64..60, 0..80),
            mut b in proptest::collection::vec(0u64..60, 0..80),
            least in 0usize..80,
            hundredths in 0u32..=100,
        ) {
            a.sort_unstable();
            b.sort_unstable();
            let all = common(&a, &b);
            prop_assert_eq!(common_if_enough(&a, &b, least), (all >= least).then_some(all));
            let (sum, asked) = (a.len() + b.len(), f64::from(hundredths) / 100.0);
            if ratio(all as u64, (sum - all) as u64) >= asked {
                prop_assert!(all >= least_for_jaccard(asked, sum));
            }
        }

        #[test]
        fn walking_in_lanes_misses_nothing(
            a in proptest::collection::vec(0u64..300, 0..400),
            b in proptest::collection::vec(0u64..300, 0..400),
        ) {
            let sorted = |mut list: Vec<u64>| { list.sort_unstable(); list };
            let (a, b) = (sorted(a), sorted(b));
            prop_assert_eq!(common(&a, &b), plainly(&a, &b));
            let words = |list: &[u64]| -> (Vec<u64>, Vec<u32>) {
                list.chunk_by(|x, y| x == y).map(|run| (run[0], run.len() as u32)).unzip()
            };
            let (of_a, of_b) = (words(&a), words(&b));
            let both = of_a.0.iter().filter(|word| of_b.0.contains(word));
            let times = |list: &[u64], word: u64| list.iter().filter(|x| **x == word).count() as u64;
            let dot: u64 = both.clone().map(|word| times(&a, *word) * times(&b, *word)).sum();
            let expected = (both.count() as u32, dot);
            let (of_a, of_b) = ((&of_a.0[..], &of_a.1[..]), (&of_b.0[..], &of_b.1[..]));
            prop_assert_eq!(common_times(of_a, of_b), expected);
            prop_assert_eq!(common_of_sets(of_a.0, of_b.0), expected.0 as usize);
            // The same on any processor, and in blocks whether or not this one compares them at once.
            for times in [CommonTimes::run, CommonTimes::run_wide] {
                prop_assert_eq!(times(CommonTimes { a: of_a, b: of_b }), expected);
            }
            for sets in [CommonOfSets::run, CommonOfSets::run_wide] {
                prop_assert_eq!(sets(CommonOfSets { a: of_a.0, b: of_b.0 }), expected.0 as usize);
            }
        }
    }
}
