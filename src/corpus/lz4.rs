//! Frames of LZ4, as `lz4` writes them and warcio's readers expect them.
//!
//! Written after the frame and block descriptions of the LZ4 project (version 1.6.4 of the frame format). Checksums are
//! verified where a frame has them; frames with a dictionary of their own are refused, for nobody has it here.

use xxhash_rust::xxh32::{Xxh32, xxh32};

/// The first bytes of a frame.
pub(crate) const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];
/// A match reaches back that far at most.
const WINDOW: usize = 64 << 10;

/// What one step came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// That many bytes of input were used; there may be output.
    Used(usize),
    /// The input must hold at least that many bytes before anything can be done.
    Needs(usize),
    Damaged(&'static str),
}

/// Decompresses the frames of a file block by block.
#[derive(Default)]
pub(crate) struct Frames {
    frame: Option<Frame>,
    /// The end of what was decompressed, which the next block may refer to, and then that block.
    window: Vec<u8>,
    /// Bytes left of something between frames that means nothing here.
    passing: u64,
}

/// What the header of a frame says.
struct Frame {
    largest_block: usize,
    /// Blocks do not refer to those before them.
    independent: bool,
    block_checksums: bool,
    /// Of everything decompressed, where the frame ends with a checksum of it.
    content: Option<Xxh32>,
}

impl Frames {
    /// Whether a frame has begun and not ended.
    pub(crate) fn is_inside(&self) -> bool {
        self.frame.is_some() || self.passing > 0
    }

    /// Reads a header, a block or an end mark, and appends what was decompressed.
    pub(crate) fn step(&mut self, input: &[u8], into: &mut Vec<u8>) -> Step {
        match self.frame.take() {
            None if self.passing > 0 => self.pass(input),
            None => self.begin(input),
            Some(frame) => self.block(frame, input, into),
        }
    }

    fn pass(&mut self, input: &[u8]) -> Step {
        let part = self.passing.min(input.len() as u64);
        self.passing -= part;
        if part == 0 { Step::Needs(1) } else { Step::Used(part as usize) }
    }

    fn begin(&mut self, input: &[u8]) -> Step {
        let Some(magic) = input.first_chunk::<4>() else { return Step::Needs(4) };
        if let [0x50..=0x5f, 0x2a, 0x4d, 0x18] = magic {
            // A frame that is none of LZ4's; zstd has them, too.
            let Some(size) = number(input, 4) else { return Step::Needs(8) };
            self.passing = u64::from(size);
            return Step::Used(8);
        }
        if *magic != MAGIC {
            return Step::Damaged("no lz4 frame begins here");
        }
        let Some(&[flags, sizes]) = input.get(4..6).and_then(|bytes| bytes.first_chunk()) else {
            return Step::Needs(7);
        };
        let end = 6 + if flags & 0x08 == 0 { 0 } else { 8 };
        let Some(&checksum) = input.get(end) else { return Step::Needs(end + 1) };
        if flags >> 6 != 1 || flags & 0x03 != 0 || !(4..=7).contains(&(sizes >> 4)) {
            return Step::Damaged("a kind of lz4 frame that is not known, or one with a dictionary");
        }
        if (xxh32(&input[4..end], 0) >> 8) as u8 != checksum {
            return Step::Damaged("the checksum of an lz4 frame's header is wrong");
        }
        self.window.clear();
        self.frame = Some(Frame {
            largest_block: 1 << (8 + 2 * (sizes >> 4)),
            independent: flags & 0x20 != 0,
            block_checksums: flags & 0x10 != 0,
            content: (flags & 0x04 != 0).then(|| Xxh32::new(0)),
        });
        Step::Used(end + 1)
    }

    fn block(&mut self, mut frame: Frame, input: &[u8], into: &mut Vec<u8>) -> Step {
        let Some(size) = number(input, 0) else { return self.wait(frame, 4) };
        if size == 0 {
            return self.end(frame, input);
        }
        let (stored, length) = (size >> 31 == 1, (size & 0x7fff_ffff) as usize);
        if length > frame.largest_block {
            return Step::Damaged("a block of an lz4 frame is longer than its header allows");
        }
        let end = 4 + length;
        let whole = end + if frame.block_checksums { 4 } else { 0 };
        if input.len() < whole {
            return self.wait(frame, whole);
        }
        let data = &input[4..end];
        if frame.block_checksums && number(input, end) != Some(xxh32(data, 0)) {
            return Step::Damaged("the checksum of an lz4 block is wrong");
        }
        if frame.independent {
            self.window.clear();
        } else {
            self.window.drain(..self.window.len().saturating_sub(WINDOW));
        }
        let before = self.window.len();
        if stored {
            self.window.extend_from_slice(data);
        } else if expand(data, &mut self.window, before + frame.largest_block).is_none() {
            return Step::Damaged("an lz4 block cannot be decompressed");
        }
        let fresh = &self.window[before..];
        into.extend_from_slice(fresh);
        if let Some(content) = &mut frame.content {
            content.update(fresh);
        }
        self.frame = Some(frame);
        Step::Used(whole)
    }

    /// Keeps the frame until the input has `least` bytes.
    fn wait(&mut self, frame: Frame, least: usize) -> Step {
        self.frame = Some(frame);
        Step::Needs(least)
    }

    fn end(&mut self, frame: Frame, input: &[u8]) -> Step {
        let Some(content) = &frame.content else { return Step::Used(4) };
        match number(input, 4) {
            None => self.wait(frame, 8),
            Some(stated) if stated == content.digest() => Step::Used(8),
            Some(_) => Step::Damaged("the checksum of an lz4 frame is wrong"),
        }
    }
}

fn number(input: &[u8], at: usize) -> Option<u32> {
    input.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

/// Appends the sequences of a block: literals, then a copy of what came before, and so on. `None` if they mean nothing,
/// or if `out` would become longer than `most`.
fn expand(mut block: &[u8], out: &mut Vec<u8>, most: usize) -> Option<()> {
    loop {
        let (&token, rest) = block.split_first()?;
        block = rest;
        let literals = length(token >> 4, &mut block)?;
        let (text, rest) = block.split_at_checked(literals)?;
        out.extend_from_slice(text);
        block = rest;
        if block.is_empty() {
            return (out.len() <= most).then_some(());
        }
        let (back, rest) = block.split_first_chunk::<2>()?;
        block = rest;
        let back = usize::from(u16::from_le_bytes(*back));
        let mut left = length(token & 15, &mut block)? + 4;
        let start = out.len().checked_sub(back).filter(|_| back > 0)?;
        if out.len() + left > most {
            return None;
        }
        // A copy may overlap what it writes: it then repeats the last bytes.
        while left > 0 {
            let part = left.min(out.len() - start);
            out.extend_from_within(start..start + part);
            left -= part;
        }
    }
}

/// A length of four bits, with further bytes after 15.
fn length(nibble: u8, block: &mut &[u8]) -> Option<usize> {
    let mut total = usize::from(nibble);
    if nibble < 15 {
        return Some(total);
    }
    loop {
        let (&more, rest) = block.split_first()?;
        *block = rest;
        total += usize::from(more);
        if more < 255 {
            return Some(total);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything in a file, given `at_once` bytes at a time; `Err` is what was wrong.
    fn frames(file: &[u8], at_once: usize) -> Result<Vec<u8>, &'static str> {
        let (mut frames, mut out, mut at, mut there) = (Frames::default(), Vec::new(), 0, 0);
        while at < file.len() {
            match frames.step(&file[at..there], &mut out) {
                Step::Used(n) => at += n,
                Step::Needs(_) if there == file.len() => return Err("ends early"),
                Step::Needs(_) => there = (there + at_once).min(file.len()),
                Step::Damaged(why) => return Err(why),
            }
        }
        if frames.is_inside() { Err("no end") } else { Ok(out) }
    }

    /// Written by `lz4` 1.9.4 of `abcabcabcabcabcabcabcabc\n`, with `-BX --content-size`: checksums everywhere.
    const SMALL: [u8; 43] = [
        0x04, 0x22, 0x4d, 0x18, 0x7c, 0x40, 0x19, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xb1, 0x0c, 0x00, 0x00,
        0x00, 0x3d, 0x61, 0x62, 0x63, 0x03, 0x00, 0x50, 0x63, 0x61, 0x62, 0x63, 0x0a, 0xaa, 0x3c, 0x24, 0x32, 0x00,
        0x00, 0x00, 0x00, 0x5c, 0xa3, 0x20, 0xf2,
    ];

    #[test]
    fn a_frame_with_every_checksum() {
        for at_once in [1, 5, 100] {
            assert_eq!(frames(&SMALL, at_once), Ok(b"abcabcabcabcabcabcabcabc\n".to_vec()));
            let nothing = b"\x53\x2a\x4d\x18\x03\0\0\0abc";
            assert_eq!(frames(&[&SMALL[..], nothing, &SMALL].concat(), at_once).map(|out| out.len()), Ok(50));
        }
        for end in 1..SMALL.len() {
            assert!(frames(&SMALL[..end], 100).is_err(), "{end}");
        }
        for spoiled in 0..SMALL.len() {
            let mut bytes = SMALL;
            bytes[spoiled] ^= 0x10;
            assert!(frames(&bytes, 100).is_err(), "byte {spoiled}");
        }
    }

    #[test]
    fn lengths_that_lie_are_refused() {
        let mut out = Vec::new();
        assert_eq!(expand(b"\x10a\x00\x00", &mut out, 100), None, "a copy from nowhere");
        assert_eq!(expand(b"\x1fa\x01\x00\xff\xff\x00\x00", &mut Vec::new(), 100), None, "longer than allowed");
        assert_eq!(expand(b"\x1fa\x01\x00\x05\x10b", &mut out, 100), Some(()));
        assert_eq!(out.iter().filter(|&&b| b == b'a').count(), 26);
    }
}
