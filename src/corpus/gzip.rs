//! gzip members: where one may begin, and inflating one.
//!
//! Where every record has a member of its own, a stretch of the file is handed to a worker as it lies on disk and
//! inflated there ([`Members`]). A stretch is only cut at a *candidate*: bytes that look like a member's header and
//! inflate to the beginning of a WARC record. Chance does not produce these; an archive inside an archive, stored
//! uncompressed, does, and then its documents may be shown too, but none is lost.
//!
//! A damaged member is read as far as it inflates; reading goes on at the next candidate.

use flate2::{Crc, Decompress, DecompressError, FlushDecompress, Status};

use crate::corpus::splitter::{Fed, Feed};
use crate::corpus::warc::is_start;
use crate::corpus::{LARGEST_BODY, Reason, Skip};

/// The shortest member: header 10, empty block 2, trailer 8.
const SHORTEST: usize = 20;
/// Compressed bytes that always suffice to see how a candidate begins.
pub(crate) const LOOK: usize = 64 << 10;
/// Output of one step of [`Member`].
const STEP: usize = 256 << 10;

/// Length of the gzip header at the front: `Err(true)` if it may be one but is cut off, `Err(false)` if it is none.
fn header(bytes: &[u8]) -> Result<usize, bool> {
    let magic = [0x1f, 0x8b, 8];
    if bytes.len() < 10 {
        return Err(magic.starts_with(&bytes[..bytes.len().min(3)]));
    }
    let flags = bytes[3];
    if bytes[..3] != magic || flags & 0xe0 != 0 {
        return Err(false);
    }
    let mut at = 10;
    if flags & 4 != 0 {
        let extra = bytes.get(at..at + 2).ok_or(true)?;
        at += 2 + usize::from(u16::from_le_bytes([extra[0], extra[1]]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += 1 + memchr::memchr(0, bytes.get(at..).ok_or(true)?).ok_or(true)?;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    if at > bytes.len() { Err(true) } else { Ok(at) }
}

/// Next place at or behind `from` that looks like the header of a member: plausible flags, level and system.
pub(crate) fn candidate(bytes: &[u8], from: usize) -> Option<usize> {
    let tail = bytes.get(from..)?;
    memchr::memmem::find_iter(tail, b"\x1f\x8b\x08").map(|n| from + n).find(|&at| {
        bytes
            .get(at..at + 10)
            .is_some_and(|h| h[3] & 0xe0 == 0 && matches!(h[8], 0 | 2 | 4) && (h[9] <= 13 || h[9] == 255))
    })
}

/// What must stand at the front of a member.
pub(crate) type Front = fn(&[u8]) -> bool;

/// Whether a member begins here whose first 16 bytes are what they must be. False too when they cannot be seen yet.
pub(crate) fn begins_with(bytes: &[u8], front: Front) -> bool {
    let Ok(start) = header(bytes) else { return false };
    let mut out = [0u8; 16];
    let mut inflate = Decompress::new(false);
    let input = &bytes[start..bytes.len().min(start + LOOK)];
    let done = inflate.decompress(input, &mut out, FlushDecompress::None);
    done.is_ok() && front(&out[..inflate.total_out() as usize])
}

/// Next candidate at or behind `from` that inflates to the right front.
pub(crate) fn next_member(bytes: &[u8], mut from: usize, front: Front) -> Option<usize> {
    while let Some(at) = candidate(bytes, from) {
        if begins_with(&bytes[at..], front) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// What a step of [`Member`] came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// More input is needed, or there is more output.
    Going,
    /// The member is whole and its checksum right.
    Done,
    /// It is not gzip, cannot be inflated, or its checksum is wrong.
    Damaged(&'static str),
}

/// Inflates one member piece by piece.
pub(crate) struct Member {
    inflate: Decompress,
    crc: Crc,
    stage: Stage,
}

#[derive(PartialEq, Eq)]
enum Stage {
    Header,
    Blocks,
    Trailer,
}

impl Member {
    pub(crate) fn new() -> Self {
        Self { inflate: Decompress::new(false), crc: Crc::new(), stage: Stage::Header }
    }

    /// Appends what can be inflated, 256 KiB at most. Returns how many bytes of `input` were used.
    pub(crate) fn step(&mut self, input: &[u8], into: &mut Vec<u8>) -> (usize, Step) {
        let mut used = 0;
        if self.stage == Stage::Header {
            match header(input) {
                Ok(length) => used = length,
                Err(true) => return (0, Step::Going),
                Err(false) => return (0, Step::Damaged("no gzip member begins here")),
            }
            self.stage = Stage::Blocks;
        }
        if self.stage == Stage::Blocks {
            let before = (self.inflate.total_in(), into.len());
            let status = inflate_some(&mut self.inflate, &input[used..], into);
            used += (self.inflate.total_in() - before.0) as usize;
            self.crc.update(&into[before.1..]);
            match status {
                Ok(Status::StreamEnd) => self.stage = Stage::Trailer,
                Ok(_) => return (used, Step::Going),
                Err(_) => return (used, Step::Damaged("the gzip member cannot be inflated")),
            }
        }
        let Some(trailer) = input[used..].first_chunk::<8>() else { return (used, Step::Going) };
        let [a, b, c, d, e, f, g, h] = *trailer;
        let right = u32::from_le_bytes([a, b, c, d]) == self.crc.sum()
            && u32::from_le_bytes([e, f, g, h]) == self.inflate.total_out() as u32;
        (used + 8, if right { Step::Done } else { Step::Damaged("the gzip member's checksum is wrong") })
    }
}

/// Appends up to [`STEP`] bytes. Only as many are cleared first, however large the buffer is.
fn inflate_some(inflate: &mut Decompress, input: &[u8], into: &mut Vec<u8>) -> Result<Status, DecompressError> {
    let (before, written) = (into.len(), inflate.total_out());
    into.resize(before + STEP, 0);
    let status = inflate.decompress(input, &mut into[before..], FlushDecompress::None);
    into.truncate(before + (inflate.total_out() - written) as usize);
    status
}

/// Length of the member at the front, if it is whole and its checksum right.
fn measure(bytes: &[u8]) -> Option<usize> {
    let (mut member, mut at, mut out) = (Member::new(), 0, Vec::new());
    loop {
        out.clear();
        match member.step(&bytes[at..], &mut out) {
            (used, Step::Done) => return Some(at + used),
            (0, Step::Going) if out.is_empty() => return None,
            (used, Step::Going) => at += used,
            (_, Step::Damaged(_)) => return None,
        }
    }
}

/// The fast way: the whole member `bytes` at once. Nothing is appended when it fails.
///
/// Measured on 4,320 members, 23 MB on disk and 110 MB inflated, checksums included, one thread of a busy machine:
/// libdeflate 1.26 0.23 s, flate2 1.1 with zlib-rs 0.46 s, best of three. `DEJAVIEW_DATA=… cargo test --release --lib
/// corpus::gzip::tests::inflaters -- --nocapture` measures it again.
fn whole(decompressor: &mut libdeflater::Decompressor, bytes: &[u8], into: &mut Vec<u8>) -> bool {
    let Some(size) = bytes.last_chunk::<4>().map(|size| u32::from_le_bytes(*size) as usize) else { return false };
    // Deflate cannot do better than 1032:1; more is not the size of a member.
    if size > LARGEST_BODY + (1 << 20) || size > bytes.len().saturating_mul(1032) {
        return false;
    }
    let before = into.len();
    into.resize(before + size, 0);
    let good = decompressor.gzip_decompress(bytes, &mut into[before..]).is_ok_and(|n| n == size);
    if !good {
        into.truncate(before);
    }
    good
}

/// The members in a stretch of a file whose records have members of their own.
pub(crate) struct Members<'a> {
    data: &'a [u8],
    at: usize,
    /// Place of `data` in the file.
    base: u64,
    /// Whether the file ends with `data`.
    last: bool,
    decompressor: &'a mut libdeflater::Decompressor,
    /// A member that is inflated piece by piece, and where it must end.
    slow: Option<(Member, usize)>,
    /// Damage to be told before going on.
    torn: Option<Skip>,
    /// A place where a record is known to begin, and this has been told.
    border: Option<usize>,
}

impl<'a> Members<'a> {
    pub(crate) fn new(data: &'a [u8], base: u64, last: bool, decompressor: &'a mut libdeflater::Decompressor) -> Self {
        Self { data, at: 0, base, last, decompressor, slow: None, torn: None, border: None }
    }

    /// No member begins here: goes to the next one. Zeros, as tapes and block devices leave them, are not told.
    fn stray(&mut self) -> Fed {
        let start = self.at;
        self.at = next_member(self.data, start + 1, is_start).unwrap_or(self.data.len());
        if self.data[start..self.at].iter().all(|&b| b == 0) {
            return Fed::Bytes { member: None };
        }
        Fed::Torn(self.damage(start, Reason::CompressedDamage, "no gzip member begins here"))
    }

    /// Whether a border here is still to be told. Every damaged member has one before it, as every batch has behind it:
    /// where batches are cut must not matter.
    fn at_border(&mut self) -> bool {
        self.border.replace(self.at) != Some(self.at)
    }

    fn damage(&self, at: usize, reason: Reason, detail: &str) -> Skip {
        Skip { offset: self.base + at as u64, reason, detail: detail.to_owned() }
    }

    fn slow_step(&mut self, mut member: Member, end: usize, into: &mut Vec<u8>) -> Fed {
        let before = into.len();
        let (used, step) = member.step(&self.data[self.at..end], into);
        let start = self.at;
        self.at += used;
        match step {
            Step::Done => {}
            Step::Going if used > 0 || into.len() > before => self.slow = Some((member, end)),
            Step::Going if end == self.data.len() && self.last => {
                self.torn = Some(self.damage(start, Reason::CompressedEnd, "the gzip member ends early"));
                self.at = end;
            }
            Step::Going => {
                self.torn = Some(self.damage(start, Reason::CompressedDamage, "the gzip member ends early"));
                self.at = end;
            }
            Step::Damaged(detail) => {
                self.torn = Some(self.damage(start, Reason::CompressedDamage, detail));
                self.at = end;
            }
        }
        Fed::Bytes { member: None }
    }
}

impl Feed for Members<'_> {
    fn more(&mut self, into: &mut Vec<u8>) -> Fed {
        if let Some(skip) = self.torn.take() {
            return Fed::Torn(skip);
        }
        if let Some((member, end)) = self.slow.take() {
            return self.slow_step(member, end, into);
        }
        let (start, rest) = (self.at, &self.data[self.at..]);
        if rest.is_empty() {
            return if self.last || !self.at_border() { Fed::End } else { Fed::Follows };
        }
        if header(rest) == Err(false) {
            return self.stray();
        }
        let member = Some(self.base + start as u64);
        let end = candidate(self.data, start + SHORTEST).unwrap_or(self.data.len());
        if whole(self.decompressor, &self.data[start..end], into) {
            self.at = end;
        } else {
            // The next candidate was none, or the member is damaged or has something behind it.
            let end = measure(rest).map(|length| start + length);
            if end.is_none() && begins_with(rest, is_start) && self.at_border() {
                return Fed::Follows;
            }
            let end = end.or_else(|| next_member(self.data, start + 1, is_start)).unwrap_or(self.data.len());
            self.slow_step(Member::new(), end, into);
        }
        Fed::Bytes { member }
    }
}

/// Inflates a gzip or zlib page, at most [`LARGEST_BODY`] bytes of it; what could be inflated counts when it is damaged.
/// `None` when nothing could, or when there is more.
pub(crate) fn page(bytes: &[u8], zlib: bool, into: &mut Vec<u8>) -> Option<()> {
    into.clear();
    let start = if zlib { 0 } else { header(bytes).ok()? };
    let raw = !zlib
        || bytes.first()? & 0x0f != 8
        || bytes.len() < 2
        || !u16::from_be_bytes([bytes[0], bytes[1]]).is_multiple_of(31);
    let mut inflate = Decompress::new(!raw);
    loop {
        let (used, had) = (inflate.total_in() as usize, into.len());
        let status = inflate_some(&mut inflate, &bytes[start + used..], into);
        if into.len() > LARGEST_BODY {
            return None;
        }
        let stuck = inflate.total_in() as usize == used && into.len() == had;
        if stuck || !matches!(status, Ok(Status::Ok | Status::BufError)) {
            return if into.is_empty() { None } else { Some(()) };
        }
    }
}

/// Whether the records of a WARC file have members of their own, given its first MiB: another member with a record
/// follows where the first one ends, or, when the first one is damaged, anywhere.
pub(crate) fn has_members(head: &[u8]) -> bool {
    let (mut member, mut at, mut out) = (Member::new(), 0, Vec::new());
    loop {
        out.clear();
        match member.step(&head[at..], &mut out) {
            (used, Step::Done) => return begins_with(&head[at + used..], is_start),
            (0, Step::Going) if out.is_empty() => return false,
            (used, Step::Going) => at += used,
            (_, Step::Damaged(_)) => return next_member(head, 1, is_start).is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::corpus::tests::gzip as pack;

    #[test]
    fn headers() {
        assert_eq!(header(b"\x1f\x8b\x08\0\0\0\0\0\0\x03"), Ok(10));
        assert_eq!(header(b"\x1f\x8b"), Err(true));
        assert_eq!(header(b"\x1f\x8c"), Err(false));
        assert_eq!(header(b"\x1f\x8b\x08\x1e\0\0\0\0\0\x03\x02\0xxname\0comment\0cc"), Ok(29));
        assert_eq!(header(b"\x1f\x8b\x08\x08\0\0\0\0\0\x03name"), Err(true));
        assert_eq!(header(b"\x1f\x8b\x08\xe0\0\0\0\0\0\x03"), Err(false));
    }

    #[test]
    fn candidates_must_inflate_to_a_record() {
        let bytes =
            [&pack(b"x")[..], &pack(b"WARC/1.0\r\nA: b"), b"\x1f\x8b\x08\0\0\0\0\0\0\x03zz", &pack(b"WARC/1.0\n")]
                .concat();
        let first = next_member(&bytes, 0, is_start).unwrap();
        assert_eq!(first, pack(b"x").len());
        assert_eq!(next_member(&bytes, first + 1, is_start), Some(bytes.len() - pack(b"WARC/1.0\n").len()));
        assert!(!has_members(&bytes[first..]));
    }

    #[test]
    fn pages_are_inflated_as_far_as_they_go() {
        let text: Vec<u8> = (0..20_000u32).flat_map(|i| i.to_le_bytes()).collect();
        let (packed, mut out) = (pack(&text), Vec::new());
        assert!(page(&packed, false, &mut out).is_some() && out == text);
        assert!(page(&packed[..packed.len() / 2], false, &mut out).is_some());
        assert!(!out.is_empty() && text.starts_with(&out));
        assert!(page(&packed[..12], false, &mut out).is_none());
        let bomb = pack(&vec![0; LARGEST_BODY + 1]);
        assert!(page(&bomb, false, &mut out).is_none());
    }

    /// Compares the two inflaters on real pages, and prints their times.
    #[test]
    fn inflaters() {
        let Some(folder) = std::env::var_os("DEJAVIEW_DATA") else {
            println!("skipped: DEJAVIEW_DATA is not set");
            return;
        };
        let data = std::fs::read(std::path::Path::new(&folder).join("bench/pages.warc.gz")).unwrap();
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
                assert!(whole(&mut decompressor, member, &mut out));
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
                inflate.decompress(&member[header(member).unwrap()..], &mut out, FlushDecompress::Finish).unwrap();
                crc.update(&out);
                assert_eq!(member[member.len() - 8..member.len() - 4], crc.sum().to_le_bytes());
                sizes[1] += out.len();
            }
            slow = slow.min(start.elapsed());
        }
        assert_eq!(sizes[0], sizes[1]);
        println!("{} members, {} bytes: libdeflate {fast:?}, zlib-rs {slow:?}", members.len(), sizes[0]);
    }
}
