//! How a file is cut into batches in order, and a batch is read on any thread.
//!
//! [`Batches::next`] does what must happen in order and is cheap: reading, finding the ends of records, and inflating
//! only where one compressed stream runs through the whole file. Where WARC records have gzip members of their own, a
//! batch is a stretch of the file as it lies on disk, and [`Batch::read`] inflates it. The documents are the same
//! whatever the size of batches and the number of threads.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::detect::{Detected, detect};
use crate::disk::Disk;
use crate::format::Format;
use crate::gzip::{self, Front, Members, Stretch};
use crate::item::read_nevertheless;
use crate::record::{Buffers, Record};
use crate::splitter::{Next, Piece, Splitter};
use crate::stream::Stream;
use crate::table::Table;
use crate::{AcceptedStatus, CorpusError, CorpusItem, Input, SkipReason, SkippedRecord, addresses};

/// Bytes of a batch: of the file where members are inflated later, of records otherwise.
const BATCH: usize = 1 << 20;
/// A gzip member that is longer on disk is inflated in order, not by a worker, for each worker would hold one.
const LONGEST_MEMBER: usize = 32 << 20;
/// Records and faults of a batch: a file may hold a fault every few bytes.
const MOST_PIECES: usize = 1 << 14;
/// A buffer that one record has made larger is not kept for the next.
const LARGEST_BUFFER: usize = 4 << 20;

/// Cuts a file into batches, in file order.
pub struct Batches {
    path: PathBuf,
    name: Arc<str>,
    prologue: Arc<str>,
    format: &'static Format,
    status: AcceptedStatus,
    size: usize,
    /// Records before this offset are passed over.
    first_offset: u64,
    /// What is said of a compressed file that holds nothing, until it is said.
    empty: Option<SkippedRecord>,
    reading: Reading,
    /// Bytes of the file that the batches so far stand for.
    reported: u64,
}

/// How the next batch is made.
enum Reading {
    /// Records are found here and handed out whole.
    Records { stream: Box<Stream>, splitter: Splitter },
    /// Stretches of gzip members are handed out as they are; `data` is read and not handed out yet.
    Members { disk: Box<Disk>, data: Vec<u8>, front: Front },
    /// Rows are read here and handed out; `disk` is read at the end, for the digest.
    Rows { table: Box<Table>, disk: Box<Disk>, size: u64 },
    /// At the end of the file, and for a moment between the other two.
    Done { consumed: u64, digest: u128 },
}

impl Batches {
    /// Opens a file; compression and format are seen from its bytes.
    pub fn open(input: &Input) -> Result<Self, CorpusError> {
        Self::with_size(input, BATCH)
    }

    /// Opens a file at the offset of a document (see [`crate::Document::offset`]): the document is the first, or
    /// among the first where several share a gzip member. In a file that is one compressed stream the way there is
    /// decompressed and passed over. [`Batches::digest`] is then not the file's.
    pub fn open_at(input: &Input, offset: u64) -> Result<Self, CorpusError> {
        let mut batches = Self::with_size(input, BATCH)?;
        let read = |source| CorpusError::Read { path: input.path.clone(), source };
        match &mut batches.reading {
            Reading::Members { disk, .. } => disk.seek(offset).map_err(read)?,
            Reading::Records { stream, splitter } if stream.is_plain() => {
                stream.disk.seek(offset).map_err(read)?;
                *splitter = Splitter::new(batches.format, offset, Vec::new());
            }
            _ => batches.first_offset = offset,
        }
        Ok(batches)
    }

    /// Like [`Batches::open`], with another size of batches, which changes nothing but the work of one [`Batch`].
    pub fn with_size(input: &Input, size: usize) -> Result<Self, CorpusError> {
        Self::of_disk(input, size, &|| Disk::open(input))
    }

    /// Like [`Batches::with_size`], with the bytes that `open` supplies.
    pub(crate) fn of_disk(
        input: &Input,
        size: usize,
        open: &dyn Fn() -> Result<Disk, CorpusError>,
    ) -> Result<Self, CorpusError> {
        let Detected { compression, format, members, prologue, holds_nothing } = detect(input, open()?)?;
        let detail = "nothing was compressed".to_owned();
        let empty = holds_nothing.then_some(SkippedRecord { offset: 0, reason: SkipReason::EmptyFile, detail });
        if format.is_table && addresses::is_address(&input.path) {
            let (path, kind) = (input.path.clone(), "a table at an address, which cannot be read from front to back");
            return Err(CorpusError::Unsupported { path, kind, advice: "copy it to a folder, and name that" });
        }
        let disk = open()?;
        let reading = if format.is_table {
            Reading::Rows { table: Box::new(Table::open(input)?), disk: Box::new(disk), size: input.size }
        } else if let Some(front) = members {
            Reading::Members { disk: Box::new(disk), data: Vec::new(), front }
        } else {
            let stream = Stream::new(disk, compression, size)
                .map_err(|source| CorpusError::Read { path: input.path.clone(), source })?;
            Reading::Records { stream: Box::new(stream), splitter: Splitter::new(format, 0, Vec::new()) }
        };
        let name = input.name.as_str().into();
        let prologue = prologue.into();
        let (path, status) = (input.path.clone(), input.status);
        Ok(Self { path, name, prologue, format, status, size, first_offset: 0, empty, reading, reported: 0 })
    }

    /// The format that was found or named.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// The next batch; `None` at the end. An error is one of the disk: nobody knows what would have followed.
    #[expect(clippy::should_implement_trait, reason = "called under a lock by several threads, never as an iterator")]
    pub fn next(&mut self) -> Result<Option<Batch>, CorpusError> {
        self.next_batch().map_err(|source| CorpusError::ReadFailed {
            path: self.path.clone(),
            at: self.consumed(),
            source,
        })
    }

    fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        loop {
            let step = match &mut self.reading {
                Reading::Records { .. } => self.next_records()?,
                Reading::Members { .. } => self.next_members()?,
                Reading::Rows { .. } => self.next_rows()?,
                Reading::Done { .. } => return Ok(None),
            };
            match step {
                Step::Work(work) => return Ok(Some(self.batch(work))),
                Step::TooLongMember => self.inflate_in_order(),
                Step::End => {
                    self.finish()?;
                    if self.consumed() > self.reported {
                        return Ok(Some(self.batch(Work::Records { bytes: Vec::new(), pieces: Vec::new() })));
                    }
                }
            }
        }
    }

    /// Bytes of the file on disk consumed so far.
    pub fn consumed(&self) -> u64 {
        match &self.reading {
            Reading::Records { stream, .. } => stream.disk.consumed(),
            Reading::Members { disk, data, .. } => disk.consumed() - data.len() as u64,
            Reading::Rows { table, size, .. } => table.consumed(*size),
            Reading::Done { consumed, .. } => *consumed,
        }
    }

    /// XXH3-128 of the file's bytes as on disk; complete once [`Batches::next`] returned `None`.
    pub fn digest(&self) -> u128 {
        match &self.reading {
            Reading::Records { stream, .. } => stream.disk.digest(),
            Reading::Members { disk, .. } | Reading::Rows { disk, .. } => disk.digest(),
            Reading::Done { digest, .. } => *digest,
        }
    }

    fn batch(&mut self, work: Work) -> Batch {
        let consumed = self.consumed();
        let disk_bytes = consumed.saturating_sub(std::mem::replace(&mut self.reported, consumed));
        let (name, prologue) = (Arc::clone(&self.name), Arc::clone(&self.prologue));
        Batch { name, prologue, format: self.format, status: self.status, disk_bytes, work }
    }

    fn next_records(&mut self) -> io::Result<Step> {
        let Reading::Records { stream, splitter } = &mut self.reading else { return Ok(Step::End) };
        let mut pieces = Vec::new();
        while splitter.cut_length() < self.size && pieces.len() < MOST_PIECES {
            match splitter.next(stream.as_mut())? {
                Next::Piece(piece) if piece.offset < self.first_offset => {}
                Next::Piece(piece) => pieces.push(piece),
                Next::Dropped => break,
                Next::End if splitter.cut_length() == 0 && pieces.is_empty() => match self.empty.take() {
                    None => return Ok(Step::End),
                    skip => pieces.push(Piece { start: 0, end: 0, offset: 0, skip, clipped: false }),
                },
                Next::End => break,
            }
        }
        Ok(Step::Work(Work::Records { bytes: splitter.take(), pieces }))
    }

    fn next_rows(&mut self) -> io::Result<Step> {
        let Reading::Rows { table, .. } = &mut self.reading else { return Ok(Step::End) };
        let (bytes, mut pieces) = table.next(self.size)?;
        if bytes.is_empty() && pieces.is_empty() {
            return Ok(Step::End);
        }
        pieces.retain(|piece| piece.offset >= self.first_offset);
        Ok(Step::Work(Work::Records { bytes, pieces }))
    }

    fn next_members(&mut self) -> io::Result<Step> {
        let Reading::Members { disk, data, front } = &mut self.reading else { return Ok(Step::End) };
        let mut from = self.size.max(1);
        let cut = loop {
            let ended = disk.read(data, self.size + gzip::LOOKAHEAD)? == 0;
            // A candidate near the end is judged again when enough bytes follow it.
            let sure = data.len().saturating_sub(if ended { 0 } else { gzip::LOOKAHEAD });
            match gzip::next_member(data, from, *front) {
                Some(at) if at < sure => break Some(at),
                _ if ended => break None,
                _ if data.len() > LONGEST_MEMBER => return Ok(Step::TooLongMember),
                _ => from = from.max(sure),
            }
        };
        let base = disk.consumed() - data.len() as u64;
        let rest = cut.map(|at| data.split_off(at)).unwrap_or_default();
        let data = std::mem::replace(data, rest);
        if data.is_empty() {
            return Ok(Step::End);
        }
        Ok(Step::Work(Work::Members(Stretch { data, base, last: cut.is_none(), front: *front })))
    }

    /// From here on the file is inflated in order, since a member is too long for a batch.
    fn inflate_in_order(&mut self) {
        let done = Reading::Done { consumed: self.consumed(), digest: self.digest() };
        if let Reading::Members { mut disk, data, front } = std::mem::replace(&mut self.reading, done) {
            disk.unread(data);
            let stream = Stream::gzip_members(*disk, front);
            let splitter = Splitter::new(self.format, 0, Vec::new());
            self.reading = Reading::Records { stream: Box::new(stream), splitter };
        }
    }

    /// Reads the bytes that damage left unread, so that the digest is that of the whole file, and closes the file.
    fn finish(&mut self) -> io::Result<()> {
        let disk = match &mut self.reading {
            Reading::Records { stream, .. } => Some(&mut stream.disk),
            Reading::Rows { disk, .. } => Some(&mut **disk),
            Reading::Members { .. } | Reading::Done { .. } => None,
        };
        let mut rest = Vec::new();
        if let Some(disk) = disk {
            while disk.read(&mut rest, BATCH)? > 0 {
                rest.clear();
            }
        }
        self.reading = Reading::Done { consumed: self.consumed(), digest: self.digest() };
        Ok(())
    }
}

/// One step of [`Batches::next`].
enum Step {
    Work(Work),
    TooLongMember,
    End,
}

/// A part of a file that consists of whole records. It can be read on any thread.
pub struct Batch {
    name: Arc<str>,
    prologue: Arc<str>,
    format: &'static Format,
    status: AcceptedStatus,
    disk_bytes: u64,
    work: Work,
}

enum Work {
    Records { bytes: Vec<u8>, pieces: Vec<Piece> },
    Members(Stretch),
}

/// What a thread uses again for each batch that it reads: an inflater and buffers.
#[derive(Default)]
pub struct Scratch {
    decompressor: libdeflater::Decompressor,
    members: Vec<u8>,
    buffers: Buffers,
}

impl Scratch {
    /// Lets go of buffers that a large record has left behind.
    fn shrink(&mut self) {
        let Buffers { unchunked, decoded, .. } = &mut self.buffers;
        for buffer in [&mut self.members, unchunked, decoded] {
            if buffer.capacity() > LARGEST_BUFFER {
                *buffer = Vec::new();
            }
        }
    }
}

impl Batch {
    /// Calls `visit` for every document and every record that was not read, in file order.
    pub fn read(mut self, scratch: &mut Scratch, visit: &mut dyn FnMut(CorpusItem<'_>)) {
        let nothing = Work::Records { bytes: Vec::new(), pieces: Vec::new() };
        scratch.shrink();
        match std::mem::replace(&mut self.work, nothing) {
            Work::Records { bytes, pieces } => {
                for piece in pieces {
                    self.read_piece(piece, &bytes, &mut scratch.buffers, visit);
                }
            }
            Work::Members(stretch) => {
                let mut splitter = Splitter::new(self.format, stretch.base, std::mem::take(&mut scratch.members));
                let mut feed = Members::new(&stretch, &mut scratch.decompressor);
                // Bytes in memory cannot fail to be read.
                while let Ok(next @ (Next::Piece(_) | Next::Dropped)) = splitter.next(&mut feed) {
                    if let Next::Piece(piece) = next {
                        self.read_piece(piece, splitter.bytes(), &mut scratch.buffers, visit);
                    }
                    splitter.forget();
                }
                scratch.members = splitter.into_buffer();
            }
        }
    }

    fn read_piece(&self, piece: Piece, bytes: &[u8], buffers: &mut Buffers, visit: &mut dyn FnMut(CorpusItem<'_>)) {
        let (name, prologue, status) = (&*self.name, &*self.prologue, self.status);
        let bytes = &bytes[piece.start..piece.end];
        let record = Record { bytes, name, prologue, status, offset: piece.offset };
        let Some(mut skip) = piece.skip else { return (self.format.read)(&record, buffers, visit) };
        if piece.clipped {
            (self.format.read)(&record, buffers, &mut |item| {
                if let CorpusItem::Document(document) = &item {
                    skip.detail = read_nevertheless(skip.reason, document.id);
                    visit(item);
                }
            });
        }
        visit(CorpusItem::Skipped(skip));
    }

    /// Bytes of the file on disk that this batch stands for; over all batches they add up to the size of the file.
    pub fn disk_bytes(&self) -> u64 {
        self.disk_bytes
    }
}
