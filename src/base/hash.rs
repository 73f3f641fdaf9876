//! The published hash functions: anyone can recompute a sketch from the tokens of a page with these.
//!
//! All arithmetic is modulo 2^64. A token's hash is XXH3-64 of its UTF-8 bytes with seed 0. The hash of an n-gram is
//! `fmix64(Σ tᵢ·M^(n−i) + n·S)`: it rolls, so every further n-gram costs one multiplication ([`Roll`]).

use std::hint::select_unpredictable;
use std::io::{self, Read};
use std::path::Path;

use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128};

use crate::system;

/// Multiplier of the rolling n-gram hash.
pub const M: u64 = 0x9E37_79B9_7F4A_7C15;
/// Added once for each word of an n-gram, so that equal sums of different lengths differ.
pub const S: u64 = 0xD1B5_4A32_D192_ED03;

/// Hash of one token, given its case-folded UTF-8 bytes.
#[inline]
pub fn token(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// How many bytes must follow from the beginning of a token on, so that [`token_within`] is fast.
pub const AHEAD: usize = 8;

/// [`token`] of `text[start..end]`. The usual word is hashed without a branch on its length, which no processor foresees:
/// that reads [`AHEAD`] bytes, whatever belongs to the word.
#[inline(always)]
pub fn token_within(text: &[u8], start: u32, end: u32) -> u64 {
    let (from, len) = (start as usize, end.wrapping_sub(start));
    match text.get(from..from + AHEAD).and_then(<[u8]>::first_chunk) {
        Some(&head) if len.wrapping_sub(1) < AHEAD as u32 => up_to_eight(u64::from_le_bytes(head), len),
        _ => longer(&text[from..end as usize]),
    }
}

/// [`token`], apart.
#[inline(never)]
fn longer(bytes: &[u8]) -> u64 {
    token(bytes)
}

/// XXH3-64 of the first `len` of eight bytes, 1 to 8, by the specification of XXH3 in xxHash's `xxhash_spec.md`: inputs of
/// 1 to 3 and of 4 to 8 bytes are hashed in two ways, of which both are computed here and one is taken.
#[inline(always)]
fn up_to_eight(bytes: u64, len: u32) -> u64 {
    // Of the default secret the XOR of its words of four bytes at 0 and 4, and of those of eight at 8 and 16.
    const SECRET: [u64; 2] = [0x8727_5A9B, 0xC73A_B174_C5EC_D5A2];
    let byte = |at: u32| u64::from(bytes.wrapping_shr(8 * at) as u8);
    let combined = byte(0) << 16 | byte(len / 2) << 24 | byte(len - 1) | u64::from(len) << 8;
    let mut three = combined ^ SECRET[0];
    three = (three ^ three >> 33).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    three = (three ^ three >> 29).wrapping_mul(0x1656_67B1_9E37_79F9);
    three ^= three >> 32;
    let last = u64::from(bytes.wrapping_shr((8 * len).wrapping_sub(32)) as u32);
    let mut eight = (bytes << 32 | last) ^ SECRET[1];
    eight ^= eight.rotate_left(49) ^ eight.rotate_left(24);
    eight = eight.wrapping_mul(0x9FB2_1C65_1E98_DF25);
    eight = (eight ^ (eight >> 35).wrapping_add(u64::from(len))).wrapping_mul(0x9FB2_1C65_1E98_DF25);
    eight ^= eight >> 28;
    select_unpredictable(len < 4, three, eight)
}

/// The 64-bit finaliser of MurmurHash3: a bijection that lets every input bit reach every output bit.
#[inline]
pub const fn fmix64(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    x ^= x >> 33;
    x = x.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    x ^ (x >> 33)
}

/// Word `j` of a hash wider than 64 bits whose first word is `g`.
#[inline]
pub const fn widen(g: u64, j: u64) -> u64 {
    if j == 0 { g } else { fmix64(g ^ j.wrapping_mul(M)) }
}

/// XXH3-128 of bytes: wide enough to tell any two apart.
pub fn digest_bits(bytes: &[u8]) -> u128 {
    xxh3_128(bytes)
}

/// Digest of a file that is kept on disk, as [`digest`] writes it.
pub fn digest_of_file(path: &Path) -> io::Result<String> {
    Ok(format!("{:032x}", hashed(&mut system::open_file(path)?)?.digest128()))
}

/// XXH3-64 of everything that is read.
pub fn checksum_of_reader(reader: &mut impl Read) -> io::Result<u64> {
    Ok(hashed(reader)?.digest())
}

fn hashed(reader: &mut impl Read) -> io::Result<Xxh3> {
    let (mut hasher, mut buffer) = (Xxh3::new(), vec![0; 1 << 20]);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(hasher),
            Ok(read) => hasher.update(&buffer[..read]),
            Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
            Err(why) => return Err(why),
        }
    }
}

/// Digest of bytes for manifests and journals, 128 bits as 32 hex digits.
pub fn digest(bytes: &[u8]) -> String {
    format!("{:032x}", digest_bits(bytes))
}

/// Rolls the hashes of all n-grams of one length over a sequence of token hashes.
#[derive(Debug, Clone, Copy)]
pub struct Roll<'a> {
    tokens: &'a [u64],
    n: usize,
    next: usize,
    sum: u64,
    /// `M^n`: what the token that leaves the window has been multiplied by.
    out: u64,
}

impl<'a> Roll<'a> {
    /// All n-grams of `n` tokens; none when there are fewer than `n` tokens or `n` is 0.
    pub fn new(tokens: &'a [u64], n: usize) -> Self {
        let (mut sum, mut out) = (0u64, 1u64);
        let next = if n == 0 || tokens.len() < n { tokens.len() + 1 } else { n };
        if next == n {
            for &t in &tokens[..n - 1] {
                sum = sum.wrapping_mul(M).wrapping_add(t);
            }
        }
        for _ in 0..n {
            out = out.wrapping_mul(M);
        }
        Self { tokens, n, next, sum, out }
    }

    /// Appends all hashes that are left, faster than one by one.
    pub fn append_to(mut self, out: &mut Vec<u64>) {
        let Some(first) = self.next() else { return };
        out.push(first);
        let length = (self.n as u64).wrapping_mul(S);
        let (start, power, mut sum) = (self.next - 1, self.out, self.sum);
        let (newest, oldest) = (&self.tokens[start..], &self.tokens[start - self.n..]);
        out.extend(newest.iter().zip(oldest).map(|(&new, &old)| {
            sum = sum.wrapping_mul(M).wrapping_add(new).wrapping_sub(old.wrapping_mul(power));
            fmix64(sum.wrapping_add(length))
        }));
    }
}

impl Iterator for Roll<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let newest = *self.tokens.get(self.next.wrapping_sub(1))?;
        self.sum = self.sum.wrapping_mul(M).wrapping_add(newest);
        if self.next > self.n {
            let oldest = self.tokens[self.next - 1 - self.n];
            self.sum = self.sum.wrapping_sub(oldest.wrapping_mul(self.out));
        }
        self.next += 1;
        Some(fmix64(self.sum.wrapping_add((self.n as u64).wrapping_mul(S))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.tokens.len() + 1).saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for Roll<'_> {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, without rolling.
    fn direct(tokens: &[u64]) -> u64 {
        let n = tokens.len();
        let mut sum = (n as u64).wrapping_mul(S);
        for (i, &t) in tokens.iter().enumerate() {
            let mut power = 1u64;
            for _ in 0..n - 1 - i {
                power = power.wrapping_mul(M);
            }
            sum = sum.wrapping_add(t.wrapping_mul(power));
        }
        fmix64(sum)
    }

    #[test]
    fn rolling_equals_the_definition() {
        let tokens: Vec<u64> = (0..40u64).map(|i| token(&i.to_le_bytes())).collect();
        for n in 1..=9 {
            let rolled: Vec<u64> = Roll::new(&tokens, n).collect();
            let expected: Vec<u64> = tokens.windows(n).map(direct).collect();
            assert_eq!(rolled, expected, "n = {n}");
            let mut appended = vec![7];
            Roll::new(&tokens, n).append_to(&mut appended);
            assert_eq!(appended[1..], expected, "n = {n}");
            assert_eq!(Roll::new(&tokens, n).len(), expected.len());
        }
    }

    #[test]
    fn too_few_tokens_give_no_ngram() {
        assert_eq!(Roll::new(&[], 1).count(), 0);
        assert_eq!(Roll::new(&[1, 2], 3).count(), 0);
        assert_eq!(Roll::new(&[1, 2], 0).count(), 0);
        assert_eq!(Roll::new(&[1, 2], 2).count(), 1);
        let mut none = Vec::new();
        Roll::new(&[1, 2], 3).append_to(&mut none);
        assert!(none.is_empty());
    }

    proptest! {
        #[test]
        fn tokens_in_a_text_hash_alike(text in prop::collection::vec(any::<u8>(), 0..80), start in 0..80usize) {
            let start = start.min(text.len());
            for end in start..=text.len() {
                prop_assert_eq!(token_within(&text, start as u32, end as u32), token(&text[start..end]), "{} bytes", end - start);
            }
        }
    }

    #[test]
    fn known_values() {
        // XXH3-64 of the empty input with seed 0, as published with the function.
        assert_eq!(token(b""), 0x2D06_8005_38D3_94C2);
        assert_eq!(fmix64(0), 0);
        assert_eq!(fmix64(1), 0xB456_BCFC_34C2_CB2C);
        assert_eq!(widen(7, 0), 7);
        assert_eq!(widen(7, 1), fmix64(7 ^ M));
    }
}
