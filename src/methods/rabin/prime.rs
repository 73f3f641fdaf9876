//! The bytes of a string as a number in base 256, divided by a prime below 2^61.
//!
//! Seven bytes cost one division. Whether a number is prime is decided by the test of Miller and Rabin with the first
//! twelve primes as witnesses, which is exact below 3.1·10^23 (Sorenson and Webster, Strong pseudoprimes to twelve
//! prime bases, 2017).

use std::sync::LazyLock;

use super::{Fingerprint, POWERS, powers};
use dejaview_base::hash::{M, fmix64};

/// Primes are below this.
const LIMIT: u64 = 1 << 61;
/// Enough witnesses for every 64-bit number.
const WITNESSES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
/// Bytes of a number that go into one division.
const CHUNK: usize = 7;

/// Fingerprints by a prime modulus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prime {
    modulus: u64,
    powers: Box<[u64; POWERS]>,
}

impl Prime {
    /// How many there are to draw from: π(2^61) − π(2^60).
    pub const CHOICES: f64 = (55_890_484_045_084_135_u64 - 28_423_094_496_953_330) as f64;

    /// Rests modulo `modulus`; `None` unless it is a prime below 2^61.
    pub fn new(modulus: u64) -> Option<Self> {
        let make = || Self { modulus, powers: powers(1 % modulus, |power| multiply(power, 256, modulus)) };
        (modulus < LIMIT && is_prime(modulus)).then(make)
    }

    /// The published prime: the one of seed 0.
    pub fn standard() -> &'static Self {
        static CACHE: LazyLock<Prime> = LazyLock::new(|| Prime::seeded(0));
        &CACHE
    }

    /// One drawn evenly from the primes of 61 bits: the first among 2^60 + fmix64(fmix64(seed) + k·M) / 16, lowest bit
    /// set, k = 1, 2, ….
    pub fn seeded(seed: u64) -> Self {
        let mut state = fmix64(seed);
        loop {
            state = state.wrapping_add(M);
            if let Some(prime) = Self::new((LIMIT / 2 + (fmix64(state) >> 4)) | 1) {
                return prime;
            }
        }
    }

    pub fn modulus(&self) -> u64 {
        self.modulus
    }
}

impl Fingerprint for Prime {
    const EMPTY: u64 = 0;

    #[inline]
    fn append(&self, value: u64, bytes: &[u8]) -> u64 {
        bytes.chunks(CHUNK).fold(value, |rest, chunk| {
            let number = chunk.iter().fold(u128::from(rest), |number, &byte| number << 8 | u128::from(byte));
            (number % u128::from(self.modulus)) as u64
        })
    }

    #[inline]
    fn product(&self, a: u64, b: u64) -> u64 {
        multiply(a, b, self.modulus)
    }

    #[inline]
    fn difference(&self, a: u64, b: u64) -> u64 {
        if a >= b { a - b } else { a + self.modulus - b }
    }

    fn powers(&self) -> &[u64; POWERS] {
        &self.powers
    }
}

#[inline]
fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64
}

fn raise(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut power = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = multiply(power, base, modulus);
        }
        base = multiply(base, base, modulus);
        exponent /= 2;
    }
    power
}

/// The test of Miller and Rabin: with n − 1 = odd·2^twos, a prime n has witness^odd = 1, or −1 after some squarings.
fn is_prime(n: u64) -> bool {
    if n < 2 {
        return false;
    }
    if let Some(divisor) = WITNESSES.iter().find(|&divisor| n.is_multiple_of(*divisor)) {
        return n == *divisor;
    }
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    WITNESSES.iter().all(|&witness| {
        let mut power = raise(witness, odd, n);
        power == 1
            || (0..twos).any(|_| {
                let before = power;
                power = multiply(power, power, n);
                before == n - 1
            })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fingerprints_of_the_lecture() {
        let prime = Prime::new(173).unwrap();
        let of = |number: u16| prime.fingerprint(&number.to_be_bytes());
        assert_eq!([of(347), of(859), of(91)], [1, 167, 91]);
        assert_eq!([prime.fingerprint(&[91]), prime.fingerprint(b"")], [91, 0]);
    }

    #[test]
    fn primality_equals_the_sieve() {
        let mut composite = vec![false; 20_000];
        for n in 2..composite.len() {
            assert_eq!(is_prime(n as u64), !composite[n], "{n}");
            (n * n..composite.len()).step_by(n).for_each(|multiple| composite[multiple] = true);
        }
        assert!(!is_prime(0) && !is_prime(1));
    }

    /// Numbers that deceive weaker tests: strong pseudoprimes to the first 1, 4 and 11 prime bases, a Carmichael
    /// number, a Fermat number; and the primes next to powers of two.
    #[test]
    fn primality_of_hard_numbers() {
        let composites =
            [2047, 3_215_031_751, 3_825_123_056_546_413_051, 561, (1 << 32) + 1, (1 << 59) - 1, (1 << 61) + 1];
        for n in composites {
            assert!(!is_prime(n), "{n}");
        }
        for n in [(1 << 31) - 1, (1 << 61) - 1, (1 << 61) - 31, u64::MAX - 58] {
            assert!(is_prime(n), "{n}");
        }
    }

    #[test]
    fn only_primes_below_the_limit_are_taken() {
        assert!(Prime::new((1 << 61) - 1).is_some());
        assert_eq!([0, 1, 4, (1 << 61) + 15, u64::MAX - 58].map(Prime::new), [const { None }; 5]);
    }

    #[test]
    fn seeds_draw_different_primes_of_61_bits() {
        let drawn: std::collections::BTreeSet<u64> = (0..20).map(|seed| Prime::seeded(seed).modulus()).collect();
        assert_eq!(drawn.len(), 20);
        assert!(drawn.iter().all(|&p| is_prime(p) && p.ilog2() == 60));
        // As another program draws it.
        assert_eq!(Prime::standard().modulus(), 0x1229_5674_CA6A_1E89);
    }

    proptest! {
        #[test]
        fn equals_one_byte_at_a_time(bytes: Vec<u8>, modulus in prop::sample::select(vec![2, 173, 65_537, (1 << 61) - 1])) {
            let expected = bytes.iter().fold(0, |rest, &byte| (rest * 256 + u128::from(byte)) % u128::from(modulus));
            prop_assert_eq!(u128::from(Prime::new(modulus).unwrap().fingerprint(&bytes)), expected);
        }
    }
}
