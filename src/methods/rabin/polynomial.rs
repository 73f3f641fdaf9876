//! The bytes of a string as a polynomial over GF(2), divided by an irreducible one of degree 64.
//!
//! Each byte costs one step through a table. A leading one keeps leading zero bytes apart. Whether a polynomial is
//! irreducible is decided by Rabin's test (Probabilistic algorithms in finite fields, 1980).

use std::sync::LazyLock;

use super::{Fingerprint, POWERS, powers};
use dejaview_base::hash::{M, fmix64};

/// x^64 + x^4 + x^3 + x + 1, the first irreducible polynomial of degree 64; the x^64 is implied.
const STANDARD: u64 = 0b1_1011;

/// Fingerprints by an irreducible polynomial of degree 64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polynomial {
    /// Its coefficients below x^64; bit i is that of x^i.
    low: u64,
    /// What the byte that leaves at the top adds again at the bottom.
    table: Box<[u64; 256]>,
    powers: Box<[u64; POWERS]>,
}

impl Polynomial {
    /// How many there are to draw from: (2^64 − 2^32) / 64.
    pub const CHOICES: f64 = ((1u64 << 58) - (1 << 26)) as f64;

    /// x^64 plus the polynomial whose coefficients are the bits of `low`; `None` unless it is irreducible.
    pub fn new(low: u64) -> Option<Self> {
        irreducible(1 << 64 | u128::from(low)).then(|| Self::make(low))
    }

    /// The published polynomial, x^64 + x^4 + x^3 + x + 1.
    pub fn standard() -> &'static Self {
        static CACHE: LazyLock<Polynomial> = LazyLock::new(|| Polynomial::make(STANDARD));
        &CACHE
    }

    /// One drawn evenly from all: the first irreducible of fmix64(fmix64(seed) + k·M), k = 1, 2, …, lowest bit set.
    pub fn seeded(seed: u64) -> Self {
        let mut state = fmix64(seed);
        loop {
            state = state.wrapping_add(M);
            if let Some(polynomial) = Self::new(fmix64(state) | 1) {
                return polynomial;
            }
        }
    }

    /// Its coefficients below x^64; bit i is that of x^i.
    pub fn coefficients(&self) -> u64 {
        self.low
    }

    fn make(low: u64) -> Self {
        let mut table = Box::new([0; 256]);
        for (byte, rest) in table.iter_mut().enumerate() {
            *rest = (0..8).fold((byte as u64) << 56, |rest, _| times_x(rest, low));
        }
        let powers = powers(1, |power| (power << 8) ^ table[(power >> 56) as usize]);
        Self { low, table, powers }
    }
}

/// One step of long division: `rest` times x.
#[inline]
const fn times_x(rest: u64, low: u64) -> u64 {
    (rest << 1) ^ (low & (rest >> 63).wrapping_neg())
}

impl Fingerprint for Polynomial {
    const EMPTY: u64 = 1;

    #[inline]
    fn append(&self, value: u64, bytes: &[u8]) -> u64 {
        bytes.iter().fold(value, |rest, &byte| ((rest << 8) | u64::from(byte)) ^ self.table[(rest >> 56) as usize])
    }

    /// Four bits of `a` at a time: the sixteen multiples of `b` first, then Horner's rule.
    #[inline]
    fn product(&self, a: u64, b: u64) -> u64 {
        let mut multiples = [0; 16];
        let mut multiple = b;
        for bit in 0..4 {
            for i in 0..1 << bit {
                multiples[i | 1 << bit] = multiples[i] ^ multiple;
            }
            multiple = times_x(multiple, self.low);
        }
        (0..16).rev().fold(0, |rest: u64, nibble| {
            // The table's first sixteen entries are what four bits that leave at the top add.
            (rest << 4) ^ self.table[(rest >> 60) as usize] ^ multiples[(a >> (4 * nibble)) as usize & 15]
        })
    }

    #[inline]
    fn difference(&self, a: u64, b: u64) -> u64 {
        a ^ b
    }

    fn powers(&self) -> &[u64; POWERS] {
        &self.powers
    }
}

/// Degree of a polynomial that is not zero.
const fn degree(f: u128) -> u32 {
    f.ilog2()
}

/// The rest of `a` divided by `f`, which is not zero.
const fn remainder(mut a: u128, f: u128) -> u128 {
    while a != 0 && degree(a) >= degree(f) {
        a ^= f << (degree(a) - degree(f));
    }
    a
}

/// The square of `a` modulo `f`, both of degree 64 at most: over GF(2) its bits stand twice as far apart.
fn square(a: u128, f: u128) -> u128 {
    let a = remainder(a, f) as u64;
    let spread = (0..64).fold(0u128, |spread, bit| spread | u128::from((a >> bit) & 1) << (2 * bit));
    remainder(spread, f)
}

const fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, remainder(a, b));
    }
    a
}

/// Rabin's test for a polynomial of degree d, 1 to 64: x^(2^d) = x modulo it, and for every prime q that divides d, it
/// has no factor in common with x^(2^(d/q)) − x.
fn irreducible(f: u128) -> bool {
    let d = degree(f);
    let x = remainder(0b10, f);
    let mut power = x;
    for step in 1..=d {
        power = square(power, f);
        let proper = step < d && d.is_multiple_of(step) && is_prime(d / step);
        if proper && greatest_common_divisor(f, power ^ x) != 1 {
            return false;
        }
    }
    power == x
}

fn is_prime(q: u32) -> bool {
    q > 1 && (2..q).all(|divisor| !q.is_multiple_of(divisor))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Long division, one bit at a time.
    fn by_bits(bytes: &[u8], low: u64) -> u64 {
        let mut rest = 1u64;
        for byte in bytes {
            for bit in (0..8).rev() {
                let top = rest >> 63;
                rest = (rest << 1) | u64::from((byte >> bit) & 1);
                if top == 1 {
                    rest ^= low;
                }
            }
        }
        rest
    }

    #[test]
    fn equals_long_division() {
        for polynomial in [Polynomial::standard(), &Polynomial::seeded(0), &Polynomial::seeded(u64::MAX)] {
            for text in ["", "a", "near-duplicate", "a rose is a rose is a rose", "\0\0\0\0\0\0\0\0\0\0"] {
                assert_eq!(
                    polynomial.fingerprint(text.as_bytes()),
                    by_bits(text.as_bytes(), polynomial.low),
                    "{text:?}"
                );
            }
            assert_ne!(polynomial.fingerprint(b"\0"), polynomial.fingerprint(b"\0\0"));
        }
    }

    /// Every polynomial of low degree against division by all smaller ones.
    #[test]
    fn rabins_test_equals_trial_division() {
        for f in 0b10..1u128 << 11 {
            let divided = (0b10..f).take_while(|g| degree(*g) * 2 <= degree(f)).any(|g| remainder(f, g) == 0);
            assert_eq!(irreducible(f), !divided, "{f:b}");
        }
    }

    /// Gauss's formula counts them.
    #[test]
    fn there_are_as_many_as_gauss_says() {
        for (d, expected) in [(1, 2), (2, 1), (3, 2), (4, 3), (6, 9), (8, 30), (9, 56), (10, 99), (12, 335)] {
            assert_eq!((1u128 << d..2 << d).filter(|&f| irreducible(f)).count(), expected, "degree {d}");
        }
    }

    #[test]
    fn known_polynomials_of_degree_64() {
        assert_eq!((1..64u64).step_by(2).find(|&low| Polynomial::new(low).is_some()), Some(STANDARD));
        // That of ECMA-182 has an even number of terms, so x + 1 divides it; without the last term x does.
        assert_eq!(Polynomial::new(0x42F0_E1EB_A9EA_3693), None);
        assert_eq!(Polynomial::new(STANDARD ^ 1), None);
        // x^(2^64) = x holds for a product of two different ones of degree 32: only the other half of the test sees it.
        let mut halves = (1u128 << 32..).filter(|&f| irreducible(f));
        let (a, b) = (halves.next().unwrap(), halves.next().unwrap());
        let product = (0..33).filter(|bit| (a >> bit) & 1 == 1).fold(0, |sum, bit| sum ^ b << bit);
        assert_eq!((0..64).fold(0b10, |power, _| square(power, product)), 0b10);
        assert!(!irreducible(product));
    }

    #[test]
    fn seeds_draw_different_irreducible_polynomials() {
        let drawn: Vec<u64> = (0..20).map(|seed| Polynomial::seeded(seed).coefficients()).collect();
        assert!(drawn.iter().all(|&low| Polynomial::new(low).is_some() && low > 1 << 48));
        assert_eq!(drawn.iter().collect::<std::collections::BTreeSet<_>>().len(), 20);
        assert_eq!(Polynomial::seeded(3), Polynomial::seeded(3));
    }

    proptest! {
        #[test]
        fn products_are_those_of_long_multiplication(a: u64, b: u64, seed in 0..4u64) {
            let polynomial = Polynomial::seeded(seed);
            let f = 1u128 << 64 | u128::from(polynomial.low);
            let expected = (0..64).filter(|bit| (a >> bit) & 1 == 1).fold(0, |sum, bit| sum ^ u128::from(b) << bit);
            prop_assert_eq!(u128::from(polynomial.product(a, b)), remainder(expected, f));
            prop_assert_eq!(u128::from(polynomial.product(a, a)), square(u128::from(a), f));
        }
    }
}
