//! The lookup tables that find every fingerprint within distance k.
//!
//! The f bits are cut into B blocks, counted from the highest bit. Two fingerprints that differ in at most k bits
//! agree in at least B−k blocks (pigeonhole), so the C(B, B−k) tables keyed by every choice of B−k blocks miss none.
//! Manku, Jain and Das Sarma (WWW 2007) add a second level for large collections: one of 4 blocks agrees, and one of 4
//! parts of what remains, which makes 16 tables with longer keys and shorter buckets.
//!
//! A pair is reported from the first table in which it meets ([`Layout::first_meeting`]), so that no set of seen pairs is
//! needed.

use super::MethodError;

/// Words of 64 bits in the widest fingerprint.
pub const WIDEST: usize = 8;

/// More tables than this cost more than a scan.
const MOST_TABLES: u64 = 4096;

/// Consecutive bits inside one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BitRange {
    word: usize,
    shift: u32,
    width: u32,
}

/// One lookup table: the bits that form its key.
#[derive(Debug, Clone)]
pub struct Table {
    /// Numbers of its blocks, counted from 1 at the highest bits.
    pub blocks: Vec<usize>,
    pieces: Vec<BitRange>,
    mask: [u64; WIDEST],
    key_bits: u32,
}

/// The tables of a configuration.
#[derive(Debug, Clone)]
pub struct Layout {
    bits: usize,
    distance: u16,
    tables: Vec<Table>,
}

impl Layout {
    /// Every choice of `blocks − distance` blocks.
    pub fn new(bits: usize, distance: u16, blocks: usize) -> Result<Self, MethodError> {
        let keep = blocks.saturating_sub(usize::from(distance));
        let tables = choose(blocks as u64, keep as u64);
        if keep == 0 || blocks > bits || tables > MOST_TABLES {
            return Err(MethodError::Value {
                name: "blocks",
                found: blocks.to_string(),
                expected: format!(
                    "more than the distance ({distance}), at most the bits ({bits}), with at most {MOST_TABLES} tables"
                ),
            });
        }
        let cuts = cut(bits, blocks);
        let all: Vec<usize> = (0..bits).rev().collect();
        let tables = choices(blocks, keep)
            .into_iter()
            .map(|chosen| {
                let positions: Vec<usize> = chosen.iter().flat_map(|&b| all[cuts[b].clone()].to_vec()).collect();
                Table::new(chosen.iter().map(|b| b + 1).collect(), &positions)
            })
            .collect();
        Ok(Self { bits, distance, tables })
    }

    /// Manku's second level: `distance + 1` blocks, and as many parts of the bits outside the chosen block.
    pub fn two_level(bits: usize, distance: u16) -> Result<Self, MethodError> {
        let blocks = usize::from(distance) + 1;
        let outer = Self::new(bits, distance, blocks)?;
        let cuts = cut(bits, blocks);
        let mut tables = Vec::with_capacity(blocks * blocks);
        for (chosen, table) in cuts.iter().zip(&outer.tables) {
            let inside: Vec<usize> = (0..bits).rev().collect::<Vec<_>>()[chosen.clone()].to_vec();
            let outside: Vec<usize> = (0..bits).rev().filter(|b| !inside.contains(b)).collect();
            for (part, inner) in cut(outside.len(), blocks).into_iter().enumerate() {
                let positions: Vec<usize> = inside.iter().chain(&outside[inner]).copied().collect();
                tables.push(Table::new(vec![table.blocks[0], part + 1], &positions));
            }
        }
        Ok(Self { bits, distance, tables })
    }

    /// Width of a fingerprint in bits.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Width of a fingerprint in words.
    pub fn words(&self) -> usize {
        self.bits.div_ceil(64)
    }

    /// Largest distance at which two fingerprints agree.
    pub fn distance(&self) -> u16 {
        self.distance
    }

    /// The tables, in the order of [`Layout::first_meeting`].
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// The first table in which two fingerprints with this difference meet.
    pub fn first_meeting(&self, difference: &[u64]) -> Option<usize> {
        self.tables.iter().position(|table| table.meets(difference))
    }

    /// Number of differing bits.
    #[inline]
    pub fn hamming(a: &[u64], b: &[u64]) -> u32 {
        a.iter().zip(b).map(|(x, y)| (x ^ y).count_ones()).sum()
    }

    /// Candidates that one probe is expected to meet among `documents` uniform fingerprints, over all tables.
    pub fn expected_candidates(&self, documents: u64) -> f64 {
        self.tables.iter().map(|t| documents as f64 * (-f64::from(t.key_bits)).exp2()).sum()
    }
}

impl Table {
    fn new(blocks: Vec<usize>, positions: &[usize]) -> Self {
        let mut pieces: Vec<BitRange> = Vec::new();
        let mut mask = [0; WIDEST];
        for &position in positions {
            let (word, bit) = (position / 64, (position % 64) as u32);
            mask[word] |= 1 << bit;
            match pieces.last_mut() {
                Some(last) if last.word == word && last.shift == bit + 1 => {
                    last.shift -= 1;
                    last.width += 1;
                }
                _ => pieces.push(BitRange { word, shift: bit, width: 1 }),
            }
        }
        Self { blocks, pieces, mask, key_bits: positions.len() as u32 }
    }

    /// Width of the key.
    pub fn key_bits(&self) -> u32 {
        self.key_bits
    }

    /// How far to shift a fingerprint so that the key is in its lowest bits, when the key is one range of bits.
    pub fn shift(&self) -> Option<u32> {
        match self.pieces[..] {
            [piece] => Some(piece.shift),
            _ => None,
        }
    }

    /// Whether two fingerprints with this difference have the same key.
    #[inline]
    pub fn meets(&self, difference: &[u64]) -> bool {
        difference.iter().zip(&self.mask).all(|(d, m)| d & m == 0)
    }

    /// The key: the table's bits side by side. A key wider than 64 bits is folded, which may add candidates to a
    /// bucket and never takes one away.
    #[inline]
    pub fn key(&self, fingerprint: &[u64]) -> u64 {
        let mut key = 0u64;
        for piece in &self.pieces {
            let bits = (fingerprint[piece.word] >> piece.shift) & (!0u64 >> (64 - piece.width));
            key = key.rotate_left(piece.width) ^ bits;
        }
        key
    }
}

/// Cuts `bits` into `blocks` ranges, the first ones wider where it does not divide.
fn cut(bits: usize, blocks: usize) -> Vec<std::ops::Range<usize>> {
    let (width, wider) = (bits / blocks, bits % blocks);
    let mut start = 0;
    (0..blocks)
        .map(|b| {
            let end = start + width + usize::from(b < wider);
            let range = start..end;
            start = end;
            range
        })
        .collect()
}

/// n over k, saturating.
fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1u64, |c, i| c.saturating_mul(n - i) / (i + 1))
}

/// All choices of `keep` numbers below `blocks`, in lexicographic order.
fn choices(blocks: usize, keep: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut current: Vec<usize> = (0..keep).collect();
    loop {
        all.push(current.clone());
        let Some(i) = (0..keep).rev().find(|&i| current[i] < blocks - keep + i) else {
            return all;
        };
        current[i] += 1;
        for j in i + 1..keep {
            current[j] = current[j - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_of_tables() {
        for (b, k, expected) in [(4, 3, 4), (4, 2, 6), (6, 3, 20), (10, 5, 252), (1, 0, 1)] {
            assert_eq!(Layout::new(64, k, b).unwrap().tables().len(), expected, "B = {b}, k = {k}");
        }
        assert_eq!(Layout::two_level(64, 3).unwrap().tables().len(), 16);
        assert!(Layout::two_level(64, 3).unwrap().tables().iter().all(|t| t.key_bits() == 28));
    }

    #[test]
    fn blocks_count_from_the_highest_bit() {
        let layout = Layout::new(8, 2, 4).unwrap();
        let blocks: Vec<_> = layout.tables().iter().map(|t| t.blocks.clone()).collect();
        assert_eq!(blocks, [[1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]]);
        assert_eq!(layout.tables()[1].key(&[0b1110_0100]), 0b1101);
        assert_eq!(Layout::new(10, 2, 4).unwrap().tables()[0].key_bits(), 6, "the first two blocks are 3 wide");
    }

    #[test]
    fn impossible_blocks_are_refused() {
        assert!(Layout::new(64, 3, 3).is_err());
        assert!(Layout::new(8, 3, 9).is_err());
        assert!(Layout::new(512, 20, 60).is_err());
    }

    #[test]
    fn expected_candidates_of_the_plan() {
        let layout = Layout::new(64, 3, 4).unwrap();
        assert!((layout.expected_candidates(1 << 20) - 64.0).abs() < 1e-9);
    }

    fn layouts() -> impl Strategy<Value = Layout> {
        (8usize..=200, 0u16..6, 1usize..5, any::<bool>()).prop_filter_map("impossible", |(bits, k, more, two)| {
            if two { Layout::two_level(bits, k).ok() } else { Layout::new(bits, k, usize::from(k) + more).ok() }
        })
    }

    proptest! {
        #[test]
        fn whoever_is_near_meets_and_keys_agree_there(layout in layouts(), flips in proptest::collection::vec(any::<usize>(), 0..9), seed in any::<u64>()) {
            let a: Vec<u64> = (0..layout.words() as u64).map(|j| dejaview_base::hash::widen(seed, j)).collect();
            let mut b = a.clone();
            for flip in flips {
                let bit = flip % layout.bits();
                b[bit / 64] ^= 1 << (bit % 64);
            }
            let difference: Vec<u64> = a.iter().zip(&b).map(|(x, y)| x ^ y).collect();
            if Layout::hamming(&a, &b) <= u32::from(layout.distance()) {
                prop_assert!(layout.first_meeting(&difference).is_some());
            }
            for table in layout.tables() {
                if table.meets(&difference) {
                    prop_assert_eq!(table.key(&a), table.key(&b));
                } else if table.key_bits() <= 64 {
                    prop_assert_ne!(table.key(&a), table.key(&b));
                }
            }
        }
    }
}
