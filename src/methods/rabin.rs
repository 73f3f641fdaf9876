//! Rabin fingerprints: the bytes of a phrase as a polynomial over GF(2), modulo a fixed irreducible one of degree 64.
//!
//! Slower than the default hash (one table step a byte) and offered so that the papers' set-up can be repeated. Source:
//! M. O. Rabin, Fingerprinting by random polynomials, 1981. A leading one keeps leading zero bytes apart.

/// x^64 + x^4 + x^3 + x + 1, irreducible over GF(2); the x^64 is implied.
const POLYNOMIAL: u64 = 0b1_1011;

/// What the byte that leaves at the top adds again at the bottom.
static TABLE: [u64; 256] = table();

const fn table() -> [u64; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = (byte as u64) << 56;
        let mut bit = 0;
        while bit < 8 {
            rest = if rest >> 63 == 1 { (rest << 1) ^ POLYNOMIAL } else { rest << 1 };
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
}

/// A fingerprint under way.
#[derive(Debug, Clone, Copy)]
pub struct Rabin(u64);

impl Default for Rabin {
    fn default() -> Self {
        Self(1)
    }
}

impl Rabin {
    /// Appends bytes.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = ((self.0 << 8) | u64::from(byte)) ^ TABLE[(self.0 >> 56) as usize];
        }
    }

    /// The fingerprint of what was pushed.
    #[inline]
    pub fn value(self) -> u64 {
        self.0
    }
}

/// Residue of a number modulo a prime: the lecture's variant of the fingerprint.
pub const fn residue(number: u64, prime: u64) -> u64 {
    number % prime
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> u64 {
        let mut rabin = Rabin::default();
        rabin.push(bytes);
        rabin.value()
    }

    /// Long division, one bit at a time.
    fn by_bits(bytes: &[u8]) -> u64 {
        let mut rest = 1u64;
        for byte in bytes {
            for bit in (0..8).rev() {
                let top = rest >> 63;
                rest = (rest << 1) | u64::from((byte >> bit) & 1);
                if top == 1 {
                    rest ^= POLYNOMIAL;
                }
            }
        }
        rest
    }

    #[test]
    fn equals_long_division() {
        for text in ["", "a", "near-duplicate", "a rose is a rose is a rose", "\0\0\0\0\0\0\0\0\0\0"] {
            assert_eq!(of(text.as_bytes()), by_bits(text.as_bytes()), "{text:?}");
        }
        assert_ne!(of(b"\0"), of(b"\0\0"));
    }

    #[test]
    fn residues_of_the_lecture() {
        assert_eq!([residue(347, 173), residue(859, 173), residue(91, 173)], [1, 167, 91]);
    }
}
