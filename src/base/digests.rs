//! The digests that the papers name: MD5 (RFC 1321), SHA-1 (RFC 3174) and CRC-32 (IEEE 802.3).
//!
//! They repeat published set-ups and let anyone check a signature with `md5sum`, `sha1sum` or `gzip`. MD5 and SHA-1 are
//! broken as cryptography: nothing may rest on them that someone would gain by forging.

use flate2::Crc;

/// Bytes of a block of MD5 and SHA-1.
const BLOCK: usize = 64;

/// The integer part of 2^32·|sin(i + 1)|, the angle in radians.
const SINES: [u32; 64] = [
    0xD76A_A478,
    0xE8C7_B756,
    0x2420_70DB,
    0xC1BD_CEEE,
    0xF57C_0FAF,
    0x4787_C62A,
    0xA830_4613,
    0xFD46_9501,
    0x6980_98D8,
    0x8B44_F7AF,
    0xFFFF_5BB1,
    0x895C_D7BE,
    0x6B90_1122,
    0xFD98_7193,
    0xA679_438E,
    0x49B4_0821,
    0xF61E_2562,
    0xC040_B340,
    0x265E_5A51,
    0xE9B6_C7AA,
    0xD62F_105D,
    0x0244_1453,
    0xD8A1_E681,
    0xE7D3_FBC8,
    0x21E1_CDE6,
    0xC337_07D6,
    0xF4D5_0D87,
    0x455A_14ED,
    0xA9E3_E905,
    0xFCEF_A3F8,
    0x676F_02D9,
    0x8D2A_4C8A,
    0xFFFA_3942,
    0x8771_F681,
    0x6D9D_6122,
    0xFDE5_380C,
    0xA4BE_EA44,
    0x4BDE_CFA9,
    0xF6BB_4B60,
    0xBEBF_BC70,
    0x289B_7EC6,
    0xEAA1_27FA,
    0xD4EF_3085,
    0x0488_1D05,
    0xD9D4_D039,
    0xE6DB_99E5,
    0x1FA2_7CF8,
    0xC4AC_5665,
    0xF429_2244,
    0x432A_FF97,
    0xAB94_23A7,
    0xFC93_A039,
    0x655B_59C3,
    0x8F0C_CC92,
    0xFFEF_F47D,
    0x8584_5DD1,
    0x6FA8_7E4F,
    0xFE2C_E6E0,
    0xA301_4314,
    0x4E08_11A1,
    0xF753_7E82,
    0xBD3A_F235,
    0x2AD7_D2BB,
    0xEB86_D391,
];
/// Left rotations of MD5, four a round.
const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// MD5 of bytes.
pub fn md5(bytes: &[u8]) -> [u8; 16] {
    let mut state = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476];
    blocks(bytes, u64::to_le_bytes, |block| md5_block(&mut state, block));
    join(state.map(u32::to_le_bytes))
}

fn md5_block(state: &mut [u32; 4], block: &[[u8; 4]; 16]) {
    let words = block.map(u32::from_le_bytes);
    let [mut a, mut b, mut c, mut d] = *state;
    for i in 0..64 {
        let (mixed, word) = match i / 16 {
            0 => ((b & c) | (!b & d), i),
            1 => ((d & b) | (!d & c), (5 * i + 1) % 16),
            2 => (b ^ c ^ d, (3 * i + 5) % 16),
            _ => (c ^ (b | !d), 7 * i % 16),
        };
        let sum = a.wrapping_add(mixed).wrapping_add(SINES[i]).wrapping_add(words[word]);
        (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(SHIFTS[i / 16][i % 4])));
    }
    add(state, [a, b, c, d]);
}

/// SHA-1 of bytes.
pub fn sha1(bytes: &[u8]) -> [u8; 20] {
    let mut state = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
    blocks(bytes, u64::to_be_bytes, |block| sha1_block(&mut state, block));
    join(state.map(u32::to_be_bytes))
}

fn sha1_block(state: &mut [u32; 5], block: &[[u8; 4]; 16]) {
    let mut words = [0; 80];
    words[..16].copy_from_slice(&block.map(u32::from_be_bytes));
    for i in 16..80 {
        words[i] = (words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16]).rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (i, &word) in words.iter().enumerate() {
        let (mixed, constant) = match i / 20 {
            0 => ((b & c) | (!b & d), 0x5A82_7999),
            1 => (b ^ c ^ d, 0x6ED9_EBA1),
            2 => ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC),
            _ => (b ^ c ^ d, 0xCA62_C1D6u32),
        };
        let sum = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e).wrapping_add(constant).wrapping_add(word);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, sum);
    }
    add(state, [a, b, c, d, e]);
}

/// CRC-32 of bytes, as in gzip and zip.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Hands out `bytes` in blocks of 16 words, filled up as MD5 and SHA-1 ask: one bit, zeros, and the length in bits.
fn blocks(bytes: &[u8], length: fn(u64) -> [u8; 8], mut each: impl FnMut(&[[u8; 4]; 16])) {
    let mut words = |block: &[u8; BLOCK]| {
        let (words, _) = block.as_chunks();
        each(words.first_chunk().expect("16 words a block"));
    };
    let (whole, rest) = bytes.as_chunks::<BLOCK>();
    whole.iter().for_each(&mut words);
    let mut last = [[0; BLOCK]; 2];
    last[0][..rest.len()].copy_from_slice(rest);
    last[0][rest.len()] = 0x80;
    let used = if rest.len() < BLOCK - 8 { 1 } else { 2 };
    last[used - 1][BLOCK - 8..].copy_from_slice(&length((bytes.len() as u64).wrapping_mul(8)));
    last[..used].iter().for_each(&mut words);
}

fn add<const N: usize>(state: &mut [u32; N], more: [u32; N]) {
    for (word, more) in state.iter_mut().zip(more) {
        *word = word.wrapping_add(more);
    }
}

fn join<const N: usize, const BYTES: usize>(words: [[u8; 4]; N]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    bytes.copy_from_slice(words.as_flattened());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The test suite of RFC 1321, appendix A.5.
    #[test]
    fn md5_of_the_rfc() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        let digits = "1234567890".repeat(8);
        for (text, expected) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (alphabet, "d174ab98d277d9f5a5611c2c9f419d9f"),
            (&digits, "57edf4a22be3c955ac49da2e2107b67a"),
        ] {
            assert_eq!(hex(&md5(text.as_bytes())), expected, "{text:?}");
        }
    }

    /// The test cases of RFC 3174, section 7.3, and the empty input.
    #[test]
    fn sha1_of_the_rfc() {
        for (text, times, expected) in [
            ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
            ("a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
            (
                "0123456701234567012345670123456701234567012345670123456701234567",
                10,
                "dea356a2cddd90c7a7ecedc5ebb563934f460452",
            ),
        ] {
            assert_eq!(hex(&sha1(text.repeat(times).as_bytes())), expected, "{times} times {text:?}");
        }
    }

    #[test]
    fn crc32_of_the_catalogues() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
    }

    /// Where the length no longer fits into the last block: the digest of all digests, by md5sum and sha1sum.
    #[test]
    fn every_length_about_the_end_of_a_block() {
        let all = |digest: fn(&[u8]) -> String| (0..=130).map(|n| digest("x".repeat(n).as_bytes())).collect::<String>();
        let (md5s, sha1s) = (all(|bytes| hex(&md5(bytes))), all(|bytes| hex(&sha1(bytes))));
        assert_eq!(hex(&md5(md5s.as_bytes())), "861e4a9e76c88ae6267e22fd76384596");
        assert_eq!(hex(&sha1(sha1s.as_bytes())), "264556ac95806d1e869b3f1fad8691f6633bcdfa");
    }
}
