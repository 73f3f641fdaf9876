//! The digests that the papers name: MD5 (RFC 1321), SHA-1 (RFC 3174) and CRC-32 (IEEE 802.3).
//!
//! They repeat published set-ups and let anyone check a signature with `md5sum`, `sha1sum` or `gzip`. MD5 and SHA-1 are
//! broken as cryptography: nothing may rest on them that someone would gain by forging.

use flate2::Crc;
use md5::{Digest, Md5};
use sha1::Sha1;

pub fn md5(bytes: &[u8]) -> [u8; 16] {
    Md5::digest(bytes).into()
}

pub fn sha1(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}

/// CRC-32 of bytes, as in gzip and zip.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
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
