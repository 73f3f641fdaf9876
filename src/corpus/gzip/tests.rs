//! Headers, candidates, damage; and how fast members inflate.

use std::time::{Duration, Instant};

use flate2::Crc;

use super::header::NoHeader;
use super::member::inflate_whole;
use super::*;
use crate::tests::gzip as pack;
use crate::warc::is_start;

#[test]
fn headers() {
    assert_eq!(header_length(b"\x1f\x8b\x08\0\0\0\0\0\0\x03"), Ok(10));
    assert_eq!(header_length(b"\x1f\x8b"), Err(NoHeader::CutOff));
    assert_eq!(header_length(b"\x1f\x8c"), Err(NoHeader::NotGzip));
    assert_eq!(header_length(b"\x1f\x8b\x08\x1e\0\0\0\0\0\x03\x02\0xxname\0comment\0cc"), Ok(29));
    assert_eq!(header_length(b"\x1f\x8b\x08\x08\0\0\0\0\0\x03name"), Err(NoHeader::CutOff));
    assert_eq!(header_length(b"\x1f\x8b\x08\xe0\0\0\0\0\0\x03"), Err(NoHeader::NotGzip));
}

#[test]
fn candidates_must_inflate_to_a_record() {
    let bytes =
        [&pack(b"x")[..], &pack(b"WARC/1.0\r\nA: b"), b"\x1f\x8b\x08\0\0\0\0\0\0\x03zz", &pack(b"WARC/1.0\n")].concat();
    let first = next_member(&bytes, 0, is_start).unwrap();
    assert_eq!(first, pack(b"x").len());
    assert_eq!(next_member(&bytes, first + 1, is_start), Some(bytes.len() - pack(b"WARC/1.0\n").len()));
    assert!(!has_members(&bytes[first..], is_start));
}

#[test]
fn pages_are_inflated_as_far_as_they_go() {
    let text: Vec<u8> = (0..20_000u32).flat_map(|i| i.to_le_bytes()).collect();
    let (packed, mut out) = (pack(&text), Vec::new());
    assert!(page(&packed, &mut out) == Ok(None) && out == text);
    assert_eq!(page(&packed[..packed.len() / 2], &mut out), Ok(Some(SkipReason::CompressedEnd)));
    assert!(!out.is_empty() && text.starts_with(&out));
    assert_eq!(page(&packed[..12], &mut out), Err(SkipReason::Encoding));
    // Without all of its checksum, and with another one.
    for (end, damage) in [(packed.len() - 3, SkipReason::CompressedEnd), (packed.len(), SkipReason::CompressedDamage)] {
        let mut wrong = packed[..end].to_vec();
        wrong[packed.len() - 8] ^= 1;
        assert_eq!(page(&wrong, &mut out), Ok(Some(damage)));
        assert!(out == text);
    }
    let mut zlib = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut deflated = vec![0; 2 * text.len()];
    let length = zlib.zlib_compress(&text, &mut deflated).unwrap();
    assert!(deflated_page(&deflated[..length], &mut out) == Ok(None) && out == text);
    assert_eq!(deflated_page(&deflated[..length / 2], &mut out), Ok(Some(SkipReason::CompressedEnd)));
    deflated[length - 1] ^= 1;
    assert_eq!(deflated_page(&deflated[..length], &mut out), Ok(Some(SkipReason::CompressedDamage)));
    let bomb = pack(&vec![0; LARGEST_BODY + 1]);
    assert_eq!(page(&bomb, &mut out), Err(SkipReason::TooLarge));
}

/// Compares the two inflaters on real pages, and prints their times.
#[test]
fn inflaters() {
    let Some(folder) = crate::skipping::data() else { return };
    let data = std::fs::read(folder.join("bench/pages.warc.gz")).unwrap();
    let mut members = Vec::new();
    let mut at = 0;
    while at < data.len() {
        let end = next_member(&data, at + 1, is_start).unwrap_or(data.len());
        members.push(&data[at..end]);
        at = end;
    }
    let (mut fast, mut slow) = (Duration::MAX, Duration::MAX);
    let (mut decompressor, mut out, mut sizes) = (libdeflater::Decompressor::new(), Vec::new(), [0; 2]);
    let mut inflate = Decompress::new(false);
    for _ in 0..3 {
        sizes = [0; 2];
        let start = Instant::now();
        for member in &members {
            out.clear();
            assert!(inflate_whole(&mut decompressor, member, &mut out));
            sizes[0] += out.len();
        }
        fast = fast.min(start.elapsed());
        let start = Instant::now();
        for member in &members {
            out.clear();
            let size = member.last_chunk().map_or(0, |size| u32::from_le_bytes(*size) as usize);
            out.resize(size, 0);
            let mut crc = Crc::new();
            inflate.reset(false);
            inflate.decompress(&member[header_length(member).unwrap()..], &mut out, FlushDecompress::Finish).unwrap();
            crc.update(&out);
            assert_eq!(member[member.len() - 8..member.len() - 4], crc.sum().to_le_bytes());
            sizes[1] += out.len();
        }
        slow = slow.min(start.elapsed());
    }
    assert_eq!(sizes[0], sizes[1]);
    println!("{} members, {} bytes: libdeflate {fast:?}, zlib-rs {slow:?}", members.len(), sizes[0]);
}
