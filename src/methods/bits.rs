//! Counts for each of 64 bit positions how many hashes have the bit set, all positions at once.
//!
//! Plane `p` holds bit `p` of the 64 counters. Eight hashes at a time go through carry-save adders (seven of five
//! operations each); only their carry ripples into the higher planes. About 7 operations a hash where the plain loop
//! over 64 counters takes 300. Longer lists are counted in four lanes side by side, each of every fourth hash, which a processor with
//! wide registers does at once; the counts of the lanes are added at the end.

use dejaview_base::wide::{self, Work};

/// Lists of hashes that are counted side by side.
const LANES: usize = 4;
/// Hashes of a lane that go through the adders together.
const TOGETHER: usize = 8;
/// For fewer hashes than this, adding up the lanes takes longer than they save.
const MANY: usize = 256;
/// Enough planes for 2^40 hashes.
const PLANES: usize = 40;

/// Bit-sliced counters: for each of 64 bit positions, how many hashes had it set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitCounts {
    planes: [u64; PLANES],
    hashes: u64,
}

impl Default for BitCounts {
    fn default() -> Self {
        Self { planes: [0; PLANES], hashes: 0 }
    }
}

/// Adds three bits in each of 64 lanes: (sum, carry).
#[inline]
const fn add3(a: u64, b: u64, c: u64) -> (u64, u64) {
    let half = a ^ b;
    (half ^ c, (a & b) | (half & c))
}

/// The same in each of four lanes.
#[inline(always)]
fn add3_lanes(a: [u64; LANES], b: [u64; LANES], c: [u64; LANES]) -> ([u64; LANES], [u64; LANES]) {
    let (mut sum, mut carry) = ([0; LANES], [0; LANES]);
    for lane in 0..LANES {
        (sum[lane], carry[lane]) = add3(a[lane], b[lane], c[lane]);
    }
    (sum, carry)
}

/// Adds eight to counters whose three low planes are `low`; what is returned belongs into the plane above them.
#[inline(always)]
fn add8<T: Copy>(low: &mut [T; 3], eight: &[T; TOGETHER], add3: impl Fn(T, T, T) -> (T, T)) -> T {
    let [ones, twos, fours] = *low;
    let (ones, twos_a) = add3(ones, eight[0], eight[1]);
    let (ones, twos_b) = add3(ones, eight[2], eight[3]);
    let (twos, fours_a) = add3(twos, twos_a, twos_b);
    let (ones, twos_a) = add3(ones, eight[4], eight[5]);
    let (ones, twos_b) = add3(ones, eight[6], eight[7]);
    let (twos, fours_b) = add3(twos, twos_a, twos_b);
    let (fours, carry) = add3(fours, fours_a, fours_b);
    *low = [ones, twos, fours];
    carry
}

impl BitCounts {
    pub fn count_bits(hashes: &[u64]) -> Self {
        if hashes.len() < MANY { Self::one_by_one(hashes) } else { wide::run(SideBySide { hashes }) }
    }

    /// In one lane.
    fn one_by_one(hashes: &[u64]) -> Self {
        let mut counts = Self { hashes: hashes.len() as u64, ..Self::default() };
        let (eights, rest) = hashes.as_chunks::<TOGETHER>();
        let mut low = [0; 3];
        for eight in eights {
            let carry = add8(&mut low, eight, add3);
            counts.ripple(3, carry);
        }
        counts.planes[..3].copy_from_slice(&low);
        for &hash in rest {
            counts.ripple(0, hash);
        }
        counts
    }

    /// Adds one to the counters whose bit is set in `carry`, at the weight of plane `from`.
    #[inline]
    fn ripple(&mut self, from: usize, mut carry: u64) {
        for plane in &mut self.planes[from..] {
            if carry == 0 {
                return;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    /// Adds the counts of `other`: several n-gram lengths share one set of counters this way.
    pub fn add(&mut self, other: &Self) {
        self.hashes += other.hashes;
        let used = self.used();
        let mut carry = 0;
        for (mine, theirs) in self.planes[..used].iter_mut().zip(&other.planes) {
            (*mine, carry) = add3(*mine, *theirs, carry);
        }
    }

    /// Planes that counts of so many hashes can reach; the others are empty.
    fn used(&self) -> usize {
        PLANES.min((u64::BITS - self.hashes.leading_zeros()) as usize)
    }

    /// Number of hashes counted.
    pub fn hashes(&self) -> u64 {
        self.hashes
    }

    /// How many hashes had `bit` set; bit 0 is the lowest.
    pub fn count(&self, bit: usize) -> u64 {
        self.planes.iter().enumerate().map(|(p, plane)| ((plane >> bit) & 1) << p).sum()
    }

    /// Ones minus zeros at `bit`: the sum whose sign is the bit of a SimHash.
    pub fn margin(&self, bit: usize) -> i64 {
        2 * self.count(bit) as i64 - self.hashes as i64
    }

    /// The bits that more than half of the hashes have set. A tie gives 0.
    pub fn majority(&self) -> u64 {
        let half = self.hashes / 2;
        let (mut greater, mut equal) = (0u64, !0u64);
        for (p, &plane) in self.planes[..self.used()].iter().enumerate().rev() {
            if (half >> p) & 1 == 0 {
                greater |= equal & plane;
                equal &= !plane;
            } else {
                equal &= plane;
            }
        }
        greater
    }
}

/// Counts many hashes in lanes.
struct SideBySide<'a> {
    hashes: &'a [u64],
}

impl Work for SideBySide<'_> {
    type Output = BitCounts;

    #[inline(always)]
    fn run(self) -> BitCounts {
        let (blocks, _) = self.hashes.as_chunks::<LANES>().0.as_chunks::<TOGETHER>();
        let mut planes = [[0; LANES]; PLANES];
        let mut low = [[0; LANES]; 3];
        for block in blocks {
            let mut carry = add8(&mut low, block, add3_lanes);
            for plane in &mut planes[3..] {
                if carry == [0; LANES] {
                    break;
                }
                for (bits, carry) in plane.iter_mut().zip(&mut carry) {
                    (*bits, *carry) = (*bits ^ *carry, *bits & *carry);
                }
            }
        }
        planes[..3].copy_from_slice(&low);
        let mut counts = BitCounts::one_by_one(&self.hashes[blocks.len() * TOGETHER * LANES..]);
        counts.hashes = self.hashes.len() as u64;
        let used = counts.used();
        let mut carries = [0; LANES];
        for (plane, lanes) in counts.planes[..used].iter_mut().zip(&planes) {
            for (carry, bits) in carries.iter_mut().zip(lanes) {
                (*plane, *carry) = add3(*plane, *bits, *carry);
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_base::hash::fmix64;
    use proptest::prelude::*;

    /// The definition: one signed counter a bit.
    fn plain(hashes: &[u64]) -> (Vec<i64>, u64) {
        let sums: Vec<i64> =
            (0..64).map(|b| hashes.iter().map(|h| if (h >> b) & 1 == 1 { 1 } else { -1 }).sum()).collect();
        let bits = (0..64).filter(|&b| sums[b] > 0).fold(0, |bits, b| bits | (1u64 << b));
        (sums, bits)
    }

    proptest! {
        #[test]
        fn equals_one_counter_a_bit(
            a in proptest::collection::vec(any::<u64>(), 0..700),
            b in proptest::collection::vec(any::<u64>(), 0..90),
            all_ones in 0usize..700,
        ) {
            let a: Vec<u64> = a.into_iter().chain(std::iter::repeat_n(u64::MAX, all_ones)).collect();
            prop_assert_eq!(BitCounts::one_by_one(&a), SideBySide { hashes: &a }.run());
            let mut counts = BitCounts::count_bits(&a);
            let (sums, bits) = plain(&a);
            prop_assert_eq!(counts.majority(), bits);
            for (bit, &sum) in sums.iter().enumerate() {
                prop_assert_eq!(counts.margin(bit), sum);
            }
            counts.add(&BitCounts::count_bits(&b));
            let joined: Vec<u64> = a.iter().chain(&b).copied().collect();
            prop_assert_eq!(counts.majority(), plain(&joined).1);
            prop_assert_eq!(counts, BitCounts::count_bits(&joined));
        }
    }

    #[test]
    fn a_tie_and_nothing_give_zero() {
        assert_eq!(BitCounts::count_bits(&[]).majority(), 0);
        assert_eq!(BitCounts::count_bits(&[0b11, 0b01]).majority(), 0b01);
    }

    #[test]
    fn many_equal_hashes_carry_all_the_way() {
        let hashes = vec![fmix64(3); 100_003];
        assert_eq!(BitCounts::count_bits(&hashes).majority(), fmix64(3));
        assert_eq!(BitCounts::count_bits(&hashes).count(fmix64(3).trailing_zeros() as usize), 100_003);
    }
}
