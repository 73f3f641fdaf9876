//! A file as a stream of decompressed bytes: plain, gzip, zstd, bzip2, xz, lz4 or compress.

use std::io;

use bzip2::{Decompress as Bunzip, Status};
use xz4rust::{XzDecoder as Unxz, XzError};
use zstd::stream::raw::{Decoder as Unzstd, InBuffer, Operation, OutBuffer};

use crate::disk::Disk;
use crate::gzip::{Front, LOOKAHEAD, Member, Step, next_member};
use crate::lz4::{self, Frames};
use crate::lzw::Lzw;
use crate::splitter::{Fed, Feed};
use crate::{SkipReason, SkippedRecord};

/// Compressed bytes read at a time. It is fixed because it decides how much of a damaged file is read.
const CHUNK: usize = 256 << 10;

/// Largest dictionary of an xz file, twice that of `xz -9`: a file must not be able to ask for any amount of memory. Of a
/// window of zstd the library takes as much.
const XZ_DICTIONARY: usize = 128 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Lz4,
    /// UNIX compress.
    Lzw,
}

pub(crate) struct Stream {
    pub(crate) disk: Disk,
    decoder: Decoder,
    input: Vec<u8>,
    /// Bytes of `input` already used.
    used: usize,
    /// Bytes of a plain file read at a time.
    chunk: usize,
    /// Decompressed bytes so far.
    position: u64,
    /// Damage that is reported next.
    damage: Option<SkippedRecord>,
    ended: bool,
    /// Tells the beginning of a record, where offsets are those of gzip members on disk.
    members: Option<Front>,
}

enum Decoder {
    Plain,
    Gzip(Option<Box<Member>>),
    /// With whether it is between two frames.
    Zstd(Box<Unzstd<'static>>, bool),
    Bzip2(Option<Bunzip>),
    /// With whether it is between two streams.
    Xz(Box<Unxz<'static>>, bool),
    Lz4(Frames),
    Lzw(Box<Lzw>),
}

impl Stream {
    pub(crate) fn new(disk: Disk, compression: Compression, chunk: usize) -> io::Result<Self> {
        let decoder = match compression {
            Compression::None => Decoder::Plain,
            Compression::Gzip => Decoder::Gzip(None),
            Compression::Zstd => Decoder::Zstd(Box::new(Unzstd::new()?), true),
            Compression::Bzip2 => Decoder::Bzip2(None),
            Compression::Xz => Decoder::Xz(Unxz::in_heap_with_alloc_dict_size(0, XZ_DICTIONARY), false),
            Compression::Lz4 => Decoder::Lz4(Frames::default()),
            Compression::Lzw => Decoder::Lzw(Box::default()),
        };
        let (input, damage) = (Vec::new(), None);
        Ok(Self { disk, decoder, input, used: 0, chunk, position: 0, damage, ended: false, members: None })
    }

    /// A gzip file from the position of `disk` on, whose offsets are those of members on disk.
    pub(crate) fn gzip_members(disk: Disk, front: Front) -> Self {
        let (decoder, input, damage) = (Decoder::Gzip(None), Vec::new(), None);
        Self { disk, decoder, input, used: 0, chunk: CHUNK, position: 0, damage, ended: false, members: Some(front) }
    }

    /// Whether the file is not compressed: positions in the stream are positions on disk.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.decoder, Decoder::Plain)
    }

    /// Refills the input when it is used up; false at the end of the file.
    fn refill(&mut self, least: usize) -> io::Result<bool> {
        while self.input.len() - self.used < least {
            self.input.drain(..self.used);
            self.used = 0;
            if self.disk.read(&mut self.input, CHUNK)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Notes damage, which is reported after the bytes that could still be decompressed.
    fn note_damage(&mut self, reason: SkipReason, detail: impl Into<String>) {
        let offset = if self.members.is_some() { self.disk.consumed() } else { self.position };
        self.damage = Some(SkippedRecord { offset, reason, detail: detail.into() });
    }

    fn gzip(&mut self, member: Option<Box<Member>>, into: &mut Vec<u8>) -> io::Result<Option<u64>> {
        let mut place = None;
        if member.is_none() {
            self.refill(1)?;
            if self.input[self.used..].iter().all(|&b| b == 0) {
                // The end, or zeros as tapes and block devices leave them.
                self.used = self.input.len();
                self.ended = !self.refill(1)?;
                return Ok(None);
            }
            place = Some(self.disk.consumed() - (self.input.len() - self.used) as u64);
        }
        let mut member = member.unwrap_or_else(|| Box::new(Member::new()));
        let before = into.len();
        let (used, step) = member.step(&self.input[self.used..], into);
        self.used += used;
        match step {
            Step::Done => {}
            Step::Unfinished => {
                if used == 0 && into.len() == before && !self.refill(self.input.len() - self.used + 1)? {
                    self.note_damage(SkipReason::CompressedEnd, "the gzip data ends early");
                    self.ended = true;
                } else {
                    self.decoder = Decoder::Gzip(Some(member));
                }
            }
            Step::Damaged(detail) => {
                self.note_damage(SkipReason::CompressedDamage, detail);
                self.find_member()?;
            }
        }
        Ok(place)
    }

    /// Goes to the next place where a gzip member begins.
    fn find_member(&mut self) -> io::Result<()> {
        self.used += usize::from(self.used < self.input.len());
        loop {
            let more = self.refill(2 * LOOKAHEAD)?;
            let front: Front = self.members.unwrap_or(|_| true);
            // A candidate near the end of the input is judged again when more has been read.
            let window = self.input.len() - if more { LOOKAHEAD } else { 0 };
            match next_member(&self.input, self.used, front) {
                Some(at) if at < window => {
                    self.used = at;
                    return Ok(());
                }
                _ if !more => {
                    self.used = self.input.len();
                    self.ended = true;
                    return Ok(());
                }
                _ => self.used = window,
            }
        }
    }

    fn zstd(&mut self, into: &mut Vec<u8>) -> io::Result<()> {
        let more = self.refill(1)?;
        let Decoder::Zstd(decoder, between) = &mut self.decoder else { return Ok(()) };
        let before = into.len();
        into.resize(before + CHUNK, 0);
        let mut input = InBuffer::around(&self.input[self.used..]);
        let mut output = OutBuffer::around(&mut into[before..]);
        let result = decoder.run(&mut input, &mut output);
        let (used, written) = (input.pos(), output.pos());
        into.truncate(before + written);
        self.used += used;
        match result {
            Ok(hint) => {
                let idle = used == 0 && written == 0;
                if used > 0 || written > 0 {
                    *between = hint == 0;
                }
                if !more && idle {
                    self.ended = true;
                    if !*between {
                        self.note_damage(SkipReason::CompressedEnd, "the zstd data ends early");
                    }
                }
            }
            Err(error) => {
                self.ended = true;
                let error = error.to_string();
                let needs_memory = error.contains("too much memory");
                let reason = if needs_memory { SkipReason::CompressedMemory } else { SkipReason::CompressedDamage };
                self.note_damage(reason, format!("zstd: {error}; the rest of the file is not read"));
            }
        }
        Ok(())
    }

    fn bzip2(&mut self, stream: Option<Bunzip>, into: &mut Vec<u8>) -> io::Result<()> {
        let more = self.refill(1)?;
        let Some(mut stream) = stream else {
            self.ended = !more;
            self.decoder = Decoder::Bzip2(more.then(|| Bunzip::new(false)));
            return Ok(());
        };
        let before = (stream.total_in(), into.len());
        into.reserve(CHUNK);
        let status = stream.decompress_vec(&self.input[self.used..], into);
        let used = (stream.total_in() - before.0) as usize;
        self.used += used;
        match status {
            Ok(Status::StreamEnd) => {}
            Ok(_) if !more && used == 0 && into.len() == before.1 => {
                self.ended = true;
                self.note_damage(SkipReason::CompressedEnd, "the bzip2 data ends early");
            }
            Ok(_) => self.decoder = Decoder::Bzip2(Some(stream)),
            Err(error) => {
                self.ended = true;
                self.note_damage(
                    SkipReason::CompressedDamage,
                    format!("bzip2: {error}; the rest of the file is not read"),
                );
            }
        }
        Ok(())
    }

    fn xz(&mut self, into: &mut Vec<u8>) -> io::Result<()> {
        let more = self.refill(1)?;
        let Decoder::Xz(decoder, between) = &mut self.decoder else { return Ok(()) };
        if *between {
            // Zeros may pad the space between streams.
            self.used += self.input[self.used..].iter().take_while(|&&b| b == 0).count();
            self.ended = !more;
            if self.used < self.input.len() {
                decoder.reset();
                (*between, self.ended) = (false, false);
            }
            return Ok(());
        }
        let before = into.len();
        into.resize(before + CHUNK, 0);
        let result = decoder.decode(&self.input[self.used..], &mut into[before..]);
        into.truncate(before + result.as_ref().map_or(0, |step| step.output_produced()));
        let idle = match result {
            Ok(step) => {
                self.used += step.input_consumed();
                *between = step.is_end_of_stream();
                !more && !step.made_progress() && !*between
            }
            Err(XzError::NeedsLargerInputBuffer) => !self.refill(self.input.len() - self.used + 1)?,
            Err(error) => {
                self.ended = true;
                let (reason, why) = match error {
                    XzError::DictionaryTooLarge(size) => {
                        let most = XZ_DICTIONARY >> 20;
                        (
                            SkipReason::CompressedMemory,
                            format!("a dictionary of {} MiB, and {most} MiB at most are read", size >> 20),
                        )
                    }
                    _ => (SkipReason::CompressedDamage, format!("{error:?}")),
                };
                self.note_damage(reason, format!("xz: {why}; the rest of the file is not read"));
                return Ok(());
            }
        };
        if idle {
            self.ended = true;
            self.note_damage(SkipReason::CompressedEnd, "the xz data ends early");
        }
        Ok(())
    }

    fn lz4(&mut self, into: &mut Vec<u8>) -> io::Result<()> {
        let more = self.refill(1)?;
        let Decoder::Lz4(frames) = &mut self.decoder else { return Ok(()) };
        if !more && !frames.is_inside() {
            self.ended = true;
            return Ok(());
        }
        match frames.step(&self.input[self.used..], into) {
            lz4::Step::Used(used) => self.used += used,
            lz4::Step::Needs(least) => {
                if !self.refill(least)? {
                    self.ended = true;
                    self.note_damage(SkipReason::CompressedEnd, "the lz4 data ends early");
                }
            }
            lz4::Step::Damaged(why) => {
                self.ended = true;
                self.note_damage(SkipReason::CompressedDamage, format!("{why}; the rest of the file is not read"));
            }
        }
        Ok(())
    }

    fn lzw(&mut self, into: &mut Vec<u8>) -> io::Result<()> {
        let more = self.refill(1)?;
        let Decoder::Lzw(decoder) = &mut self.decoder else { return Ok(()) };
        let before = into.len();
        match decoder.step(&self.input[self.used..], into) {
            Ok(used) => {
                self.used += used;
                let idle = used == 0 && into.len() == before;
                self.ended = idle && !(more && self.refill(self.input.len() - self.used + 1)?);
            }
            Err(why) => {
                self.ended = true;
                self.note_damage(SkipReason::CompressedDamage, format!("{why}; the rest of the file is not read"));
            }
        }
        Ok(())
    }

    fn step(&mut self, into: &mut Vec<u8>) -> io::Result<Option<u64>> {
        match &mut self.decoder {
            Decoder::Plain => {
                self.ended = self.disk.read(into, self.chunk)? == 0;
                Ok(None)
            }
            Decoder::Gzip(member) => {
                let member = member.take();
                self.gzip(member, into)
            }
            Decoder::Zstd(..) => self.zstd(into).map(|()| None),
            Decoder::Xz(..) => self.xz(into).map(|()| None),
            Decoder::Lz4(..) => self.lz4(into).map(|()| None),
            Decoder::Lzw(..) => self.lzw(into).map(|()| None),
            Decoder::Bzip2(stream) => {
                let stream = stream.take();
                self.bzip2(stream, into).map(|()| None)
            }
        }
    }
}

impl Feed for Stream {
    fn more(&mut self, into: &mut Vec<u8>) -> io::Result<Fed> {
        if let Some(skip) = self.damage.take() {
            return Ok(Fed::Damage(skip));
        }
        if self.ended {
            return Ok(Fed::End);
        }
        let before = into.len();
        let place = self.step(into)?;
        self.position += (into.len() - before) as u64;
        Ok(Fed::Bytes { member: place.filter(|_| self.members.is_some()) })
    }
}

/// All bytes of a stream, for small files.
pub(crate) fn read_all(mut stream: Stream) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        match stream.more(&mut bytes)? {
            Fed::Bytes { .. } | Fed::NextRecord => {}
            Fed::Damage(skip) => return Err(io::Error::new(io::ErrorKind::InvalidData, skip.detail)),
            Fed::End => return Ok(bytes),
        }
    }
}
