//! Counts for each of 64 bit positions how many hashes have the bit set, all positions at once.
//!
//! Plane `p` holds bit `p` of the 64 counters. Eight hashes at a time go through carry-save adders (seven of five
//! operations each); only their carry ripples into the higher planes. About 7 operations a hash where the plain loop
//! over 64 counters takes 300, without `unsafe` and without any CPU feature.

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

impl BitCounts {
    pub fn count_bits(hashes: &[u64]) -> Self {
        let mut counts = Self { hashes: hashes.len() as u64, ..Self::default() };
        let (mut ones, mut twos, mut fours) = (0, 0, 0);
        let mut eights = hashes.chunks_exact(8);
        for chunk in &mut eights {
            let (s, twos_a) = add3(ones, chunk[0], chunk[1]);
            let (s, twos_b) = add3(s, chunk[2], chunk[3]);
            let (t, fours_a) = add3(twos, twos_a, twos_b);
            let (s, twos_a) = add3(s, chunk[4], chunk[5]);
            let (s, twos_b) = add3(s, chunk[6], chunk[7]);
            let (t, fours_b) = add3(t, twos_a, twos_b);
            let (f, carry) = add3(fours, fours_a, fours_b);
            (ones, twos, fours) = (s, t, f);
            counts.ripple(3, carry);
        }
        (counts.planes[0], counts.planes[1], counts.planes[2]) = (ones, twos, fours);
        for &hash in eights.remainder() {
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
        let mut carry = 0;
        for (mine, theirs) in self.planes.iter_mut().zip(&other.planes) {
            (*mine, carry) = add3(*mine, *theirs, carry);
        }
        self.hashes += other.hashes;
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
        for (p, &plane) in self.planes.iter().enumerate().rev() {
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
        fn equals_one_counter_a_bit(a in proptest::collection::vec(any::<u64>(), 0..90), b in proptest::collection::vec(any::<u64>(), 0..90)) {
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
