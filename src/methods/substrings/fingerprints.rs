//! Karp–Rabin fingerprints of all substrings, and which of them are kept.

use dejaview_base::hash::{self, fmix64};

/// Modulus of the polynomial, a prime.
pub(super) const PRIME: u64 = (1 << 61) - 1;

/// What each byte is multiplied by when the next comes; fixed, so that sketches can be recomputed.
pub(super) const BASE: u64 = hash::M % PRIME;

/// Fingerprints that a document must have.
pub(super) const LEAST: usize = 8;

/// A configuration of substring fingerprints.
#[derive(Debug)]
pub(super) struct Substrings {
    pub(super) length: usize,
    pub(super) modulus: u64,
    pub(super) keep: usize,
    pub(super) agree: f64,
    /// For each byte what is added when it leaves the window.
    pub(super) leaving: [u64; 256],
}

impl Substrings {
    pub(super) fn new(length: usize, modulus: u64, keep: usize, agree: f64) -> Self {
        let power = (0..length).fold(1, |power, _| times(power, BASE));
        let leaving = std::array::from_fn(|byte| (PRIME - times(byte as u64, power)) % PRIME);
        Self { length, modulus, keep, agree, leaving }
    }

    /// Calls `take` with the place and the fingerprint of every substring.
    #[inline]
    pub(super) fn roll(&self, text: &[u8], mut take: impl FnMut(usize, u64)) {
        if text.len() < self.length {
            return;
        }
        let mut rest = text[..self.length].iter().fold(0, |rest, &byte| step(rest, u64::from(byte)));
        take(0, fmix64(rest));
        for (i, (&old, &new)) in text.iter().zip(&text[self.length..]).enumerate() {
            rest = step(rest, u64::from(new) + self.leaving[old as usize]);
            take(i + 1, fmix64(rest));
        }
    }

    /// The fingerprints kept of a preprocessed text, ascending.
    pub(super) fn kept(&self, text: &[u8]) -> Vec<u64> {
        let substrings = (text.len() + 1).saturating_sub(self.length).max(1) as u64;
        // Fingerprints are spread evenly: unless substrings repeat, about twice as many as are wanted lie up to here.
        let limit = (u64::MAX / substrings).saturating_mul(2 * self.keep as u64 * self.modulus);
        let mut kept = self.up_to(limit, text);
        if kept.len() < self.keep && limit < u64::MAX {
            kept = self.up_to(u64::MAX, text);
        }
        kept.truncate(self.keep);
        kept
    }

    /// The different fingerprints up to a limit that the modulus admits, ascending.
    pub(super) fn up_to(&self, limit: u64, text: &[u8]) -> Vec<u64> {
        let mut found = Vec::with_capacity(4 * self.keep);
        self.roll(text, |_, fingerprint| {
            if fingerprint <= limit && fingerprint.is_multiple_of(self.modulus) {
                found.push(fingerprint);
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// How many must be common when the larger sketch has so many. Never falls as it grows, which the keys rely on.
    pub(super) fn needed(&self, size: usize) -> usize {
        // A share such as 0.1 of 30 must not become 4 by rounding.
        ((self.agree * size as f64 - 1e-9).ceil() as usize).max(1)
    }
}

/// The product modulo the prime.
pub(super) fn times(a: u64, b: u64) -> u64 {
    reduced(u128::from(a) * u128::from(b))
}

/// One more byte at the end: `rest` times the base, and `add`.
#[inline]
pub(super) fn step(rest: u64, add: u64) -> u64 {
    reduced(u128::from(rest) * u128::from(BASE) + u128::from(add))
}

/// A number below 2^123 modulo the prime: 2^61 is 1, so the high bits are added to the low ones.
#[inline]
pub(super) fn reduced(number: u128) -> u64 {
    let sum = (number as u64 & PRIME) + (number >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}
