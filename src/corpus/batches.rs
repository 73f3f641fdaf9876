//! Cuts a file into batches and reads them.
//!
//! [`Batches::next`] does what must happen in order and is cheap: reading, finding the ends of records, and inflating
//! only where one compressed stream runs through the whole file. Where WARC records have gzip members of their own, a
//! batch is a stretch of the file as it lies on disk, and [`Batch::read`] inflates it. The documents are the same
//! whatever the size of batches and the number of threads.

use std::sync::Arc;

use crate::detect::{Detected, detect};
use crate::disk::Disk;
use crate::format::Format;
use crate::gzip::{self, Front, Members};
use crate::record::{Buffers, Record};
use crate::splitter::{Piece, Splitter};
use crate::stream::Stream;
use crate::{CorpusError, Input, Item, LARGEST_BODY, Reason, Skip, Status};

/// Bytes of a batch: of the file where members are inflated later, of records otherwise.
const BATCH: usize = 1 << 20;
/// A gzip member that is longer on disk is inflated in order, not by a worker.
const LONGEST_MEMBER: usize = LARGEST_BODY;

/// Cuts a file into batches, in file order.
pub struct Batches {
    name: Arc<str>,
    prologue: Arc<str>,
    format: &'static Format,
    status: Status,
    size: usize,
    /// Records before this offset are passed over.
    from: u64,
    source: Source,
    /// Bytes of the file told by batches so far.
    told: u64,
    failed: Option<Skip>,
}

enum Source {
    /// Records are found here and handed out whole.
    Records { stream: Box<Stream>, splitter: Splitter },
    /// Stretches of gzip members are handed out as they are; `data` is read and not handed out yet.
    Members { disk: Box<Disk>, data: Vec<u8>, front: Front },
    /// Between the two, and at the end.
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
        match &mut batches.source {
            Source::Members { disk, .. } => disk.seek(offset).map_err(read)?,
            Source::Records { stream, splitter } if stream.plain() => {
                stream.disk.seek(offset).map_err(read)?;
                *splitter = Splitter::new(batches.format, offset, Vec::new());
            }
            _ => batches.from = offset,
        }
        Ok(batches)
    }

    /// Like [`Batches::open`], with another size of batches.
    pub(crate) fn with_size(input: &Input, size: usize) -> Result<Self, CorpusError> {
        let Detected { compression, format, members, prologue } = detect(input)?;
        let disk = Disk::open(input)?;
        let source = if let Some(front) = members {
            Source::Members { disk: Box::new(disk), data: Vec::new(), front }
        } else {
            let stream = Stream::new(disk, compression, size)
                .map_err(|source| CorpusError::Read { path: input.path.clone(), source })?;
            Source::Records { stream: Box::new(stream), splitter: Splitter::new(format, 0, Vec::new()) }
        };
        let name = input.name.as_str().into();
        let prologue = prologue.into();
        Ok(Self { name, prologue, format, status: input.status, size, from: 0, source, told: 0, failed: None })
    }

    /// The format that was found or named.
    pub fn format(&self) -> &'static Format {
        self.format
    }

    /// The next batch; `None` at the end.
    #[expect(clippy::should_implement_trait, reason = "called under a lock by several threads, never as an iterator")]
    pub fn next(&mut self) -> Option<Batch> {
        loop {
            let work = match &mut self.source {
                Source::Records { .. } => self.records(),
                Source::Members { .. } => self.members(),
                Source::Done { .. } => return None,
            };
            match work {
                Next::Work(work) => return Some(self.batch(work)),
                Next::InOrder => self.go_on_in_order(),
                Next::End => {
                    self.finish();
                    if self.consumed() > self.told {
                        return Some(self.batch(Work::Records { bytes: Vec::new(), pieces: Vec::new() }));
                    }
                }
            }
        }
    }

    /// Bytes of the file on disk consumed so far.
    pub fn consumed(&self) -> u64 {
        match &self.source {
            Source::Records { stream, .. } => stream.disk.consumed(),
            Source::Members { disk, data, .. } => disk.consumed() - data.len() as u64,
            Source::Done { consumed, .. } => *consumed,
        }
    }

    /// XXH3-128 of the file's bytes as on disk; complete once [`Batches::next`] returned `None`.
    pub fn digest(&self) -> u128 {
        match &self.source {
            Source::Records { stream, .. } => stream.disk.digest(),
            Source::Members { disk, .. } => disk.digest(),
            Source::Done { digest, .. } => *digest,
        }
    }

    fn batch(&mut self, work: Work) -> Batch {
        let consumed = self.consumed();
        let disk_bytes = consumed.saturating_sub(std::mem::replace(&mut self.told, consumed));
        let (name, prologue) = (Arc::clone(&self.name), Arc::clone(&self.prologue));
        Batch { name, prologue, format: self.format, status: self.status, disk_bytes, work }
    }

    fn records(&mut self) -> Next {
        let Source::Records { stream, splitter } = &mut self.source else { return Next::End };
        let mut pieces = Vec::new();
        while splitter.cut_bytes() < self.size {
            match splitter.next(stream.as_mut()) {
                Some(piece) if piece.offset < self.from => {}
                Some(piece) => pieces.push(piece),
                None if splitter.cut_bytes() == 0 && pieces.is_empty() => return Next::End,
                None => break,
            }
        }
        Next::Work(Work::Records { bytes: splitter.take(), pieces })
    }

    fn members(&mut self) -> Next {
        let Source::Members { disk, data, front } = &mut self.source else { return Next::End };
        let mut from = self.size.max(1);
        let cut = loop {
            let before = data.len();
            let read = if self.failed.is_some() { Ok(0) } else { disk.read(data, self.size + gzip::LOOK) };
            if let Err(error) = &read {
                let offset = disk.consumed();
                self.failed = Some(Skip { offset, reason: Reason::Unreadable, detail: error.to_string() });
                data.truncate(before);
            }
            let ended = !matches!(read, Ok(n) if n > 0);
            // A candidate near the end is looked at again when enough bytes are behind it.
            let sure = data.len().saturating_sub(if ended { 0 } else { gzip::LOOK });
            match gzip::next_member(data, from, *front) {
                Some(at) if at < sure => break Some(at),
                _ if ended => break None,
                _ if data.len() > LONGEST_MEMBER => return Next::InOrder,
                _ => from = from.max(sure),
            }
        };
        let base = disk.consumed() - data.len() as u64;
        let rest = cut.map(|at| data.split_off(at)).unwrap_or_default();
        let data = std::mem::replace(data, rest);
        match self.failed.take_if(|_| data.is_empty()) {
            Some(skip) => {
                let piece = Piece { start: 0, end: 0, offset: skip.offset, skip: Some(skip) };
                self.finish();
                Next::Work(Work::Records { bytes: Vec::new(), pieces: vec![piece] })
            }
            None if data.is_empty() => Next::End,
            None => Next::Work(Work::Members { data, base, last: cut.is_none(), front: *front }),
        }
    }

    /// A member is too long to be handed out: from here on the file is inflated in order.
    fn go_on_in_order(&mut self) {
        let done = Source::Done { consumed: self.consumed(), digest: self.digest() };
        if let Source::Members { mut disk, data, front } = std::mem::replace(&mut self.source, done) {
            disk.unread(data);
            let stream = Stream::gzip_members(*disk, front);
            let splitter = Splitter::new(self.format, 0, Vec::new());
            self.source = Source::Records { stream: Box::new(stream), splitter };
        }
    }

    /// Reads what a damage left unread, for the digest, and closes the file.
    fn finish(&mut self) {
        let mut rest = Vec::new();
        if let Source::Records { stream, .. } = &mut self.source {
            while stream.disk.read(&mut rest, BATCH).is_ok_and(|n| n > 0) {
                rest.clear();
            }
        }
        self.source = Source::Done { consumed: self.consumed(), digest: self.digest() };
    }
}

/// What [`Batches::next`] does next.
enum Next {
    Work(Work),
    InOrder,
    End,
}

/// A stretch of a file that holds whole records. It can be read on any thread.
pub struct Batch {
    name: Arc<str>,
    prologue: Arc<str>,
    format: &'static Format,
    status: Status,
    disk_bytes: u64,
    work: Work,
}

enum Work {
    Records { bytes: Vec<u8>, pieces: Vec<Piece> },
    Members { data: Vec<u8>, base: u64, last: bool, front: Front },
}

/// What a thread needs to read batches and uses again: an inflater and buffers.
#[derive(Default)]
pub struct Scratch {
    decompressor: libdeflater::Decompressor,
    members: Vec<u8>,
    buffers: Buffers,
}

impl Batch {
    /// Shows every document and everything that was not read, in file order.
    pub fn read(mut self, scratch: &mut Scratch, visit: &mut dyn FnMut(Item<'_>)) {
        let none = Work::Records { bytes: Vec::new(), pieces: Vec::new() };
        match std::mem::replace(&mut self.work, none) {
            Work::Records { bytes, pieces } => {
                for piece in pieces {
                    self.show(piece, &bytes, &mut scratch.buffers, visit);
                }
            }
            Work::Members { data, base, last, front } => {
                let mut splitter = Splitter::new(self.format, base, std::mem::take(&mut scratch.members));
                let mut feed = Members::new(&data, front, base, last, &mut scratch.decompressor);
                while let Some(piece) = splitter.next(&mut feed) {
                    self.show(piece, splitter.bytes(), &mut scratch.buffers, visit);
                    splitter.forget();
                }
                scratch.members = splitter.into_buffer();
            }
        }
    }

    fn show(&self, piece: Piece, bytes: &[u8], buffers: &mut Buffers, visit: &mut dyn FnMut(Item<'_>)) {
        if let Some(skip) = piece.skip {
            return visit(Item::Skipped(skip));
        }
        let (name, prologue, status) = (&*self.name, &*self.prologue, self.status);
        let bytes = &bytes[piece.start..piece.end];
        let record = Record { bytes, name, prologue, status, offset: piece.offset };
        (self.format.read)(&record, buffers, visit);
    }

    /// Bytes of the file on disk that this batch stands for; those of all batches add up to the file.
    pub fn disk_bytes(&self) -> u64 {
        self.disk_bytes
    }
}
