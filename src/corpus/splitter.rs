//! Cuts a stream of bytes into records: a [`Feed`] supplies the bytes, a [`Cutter`] decides where records end.
//!
//! A cutter is asked again with more bytes until it can decide, so what it decides depends on the bytes alone, never
//! on how they arrived: any batch size gives the same records.

use std::io;

use crate::cut::{Cut, Cutter, Edge};
use crate::format::Format;
use crate::item::one_line;
use crate::{SkipReason, SkippedRecord};

/// The answer of a feed.
#[derive(Debug)]
pub(crate) enum Fed {
    /// Appended bytes, maybe none; `member` is the place on disk of the gzip member that begins with them.
    Bytes {
        member: Option<u64>,
    },
    /// Damaged data; what follows does not continue what came before.
    Damage(SkippedRecord),
    /// Appended nothing; a record is known to begin here, in the next bytes or in the next batch.
    NextRecord,
    End,
}

/// A supply of bytes.
pub(crate) trait Feed {
    /// Appends the next bytes. An error is one of the disk; damaged data is no error.
    fn more(&mut self, into: &mut Vec<u8>) -> io::Result<Fed>;
}

/// Bytes of a member that always suffice to see whether a record begins with them.
const FRONT: usize = 16;

/// Bytes that are cut without a record before the caller is asked to let them go.
const DROPPED: usize = 1 << 20;

/// What [`Splitter::next`] came to.
#[derive(Debug)]
pub(crate) enum Next {
    Piece(Piece),
    /// Many bytes mean nothing, and more may follow: the caller lets go of what was cut and asks again, so that they are
    /// never held.
    Dropped,
    End,
}

/// A part of [`Splitter::bytes`].
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) offset: u64,
    /// Set when the piece is no record but something that was not read.
    pub(crate) skip: Option<SkippedRecord>,
    /// Whether that is a record whose end is missing because the file ends, and that is read as far as it goes.
    pub(crate) clipped: bool,
}

/// Joins a feed and a cutter.
#[derive(Debug)]
pub(crate) struct Splitter {
    format: &'static Format,
    cutter: Box<dyn Cutter>,
    bytes: Vec<u8>,
    /// Everything before this index has been cut.
    at: usize,
    /// Position in the stream of `bytes[0]`.
    base: u64,
    edge: Edge,
    /// Where a record is known to begin: what is still to be cut before it ends there.
    next_record: Option<usize>,
    /// Where a member begins of which it is not yet known whether a record begins with it.
    unjudged: Option<usize>,
    damage: Option<SkippedRecord>,
    /// Beginnings of gzip members in `bytes`, with their place on disk; empty when offsets count in the stream.
    members: Vec<(usize, u64)>,
}

impl Splitter {
    pub(crate) fn new(format: &'static Format, base: u64, mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        let cutter = (format.cutter)();
        Self {
            format,
            cutter,
            bytes: buffer,
            at: 0,
            base,
            edge: Edge::More,
            next_record: None,
            unjudged: None,
            damage: None,
            members: Vec::new(),
        }
    }

    /// Everything cut since the last [`Splitter::take`] or [`Splitter::forget`], and what is still to be cut.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.bytes
    }

    /// How many bytes have been cut since the last [`Splitter::take`].
    pub(crate) fn cut_length(&self) -> usize {
        self.at
    }

    /// Hands over all bytes that have been cut; pieces refer to them.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let rest = self.bytes.split_off(self.at);
        let taken = std::mem::replace(&mut self.bytes, rest);
        self.shift(taken.len());
        taken
    }

    /// Drops all bytes that have been cut, when that costs little.
    pub(crate) fn forget(&mut self) {
        if self.at == self.bytes.len() || self.at > 1 << 20 {
            let n = self.at;
            self.bytes.drain(..n);
            self.shift(n);
        }
    }

    /// Moves all positions after the first `n` bytes were removed.
    fn shift(&mut self, n: usize) {
        self.base += n as u64;
        self.at = 0;
        for place in [&mut self.next_record, &mut self.unjudged].into_iter().flatten() {
            *place = place.saturating_sub(n);
        }
        let last_before = self.members.partition_point(|&(start, _)| start <= n).saturating_sub(1);
        self.members.drain(..last_before);
        for member in &mut self.members {
            member.0 = member.0.saturating_sub(n);
        }
    }

    fn offset(&self, at: usize) -> u64 {
        match self.members.partition_point(|&(start, _)| start <= at) {
            0 => self.base + at as u64,
            n => self.members[n - 1].1,
        }
    }

    /// The next piece.
    pub(crate) fn next(&mut self, feed: &mut dyn Feed) -> io::Result<Next> {
        let start = self.at;
        loop {
            if self.at - start >= DROPPED {
                return Ok(Next::Dropped);
            }
            let end = self.end();
            if self.at == end {
                match self.edge {
                    Edge::More => self.feed(feed)?,
                    Edge::NextRecord => (self.edge, self.next_record) = (Edge::More, None),
                    Edge::End => return Ok(Next::End),
                    Edge::Damage => {
                        self.resume_after_damage();
                        if let Some(skip) = self.damage.take() {
                            let (start, end, offset) = (self.at, self.at, skip.offset);
                            return Ok(Next::Piece(Piece { start, end, offset, skip: Some(skip), clipped: false }));
                        }
                    }
                }
                continue;
            }
            let cut = self.cutter.cut(&self.bytes[self.at..end], self.edge);
            if cut == Cut::NeedMore && self.edge == Edge::More {
                self.feed(feed)?;
            } else if let Some(piece) = self.piece(cut) {
                return Ok(Next::Piece(piece));
            }
        }
    }

    /// The end of what may be cut now.
    fn end(&self) -> usize {
        self.next_record.unwrap_or(self.bytes.len())
    }

    fn piece(&mut self, cut: Cut) -> Option<Piece> {
        let (start, offset) = (self.at, self.offset(self.at));
        let left = self.end() - start;
        let mut clipped = false;
        let (length, skip) = match cut {
            Cut::Drop(length) => {
                self.at += length.clamp(1, left);
                return None;
            }
            Cut::Record(length) => (length.max(1), None),
            Cut::Skip(length, reason, detail) => (length, Some(SkippedRecord { offset, reason, detail })),
            Cut::Incomplete | Cut::NeedMore => {
                let skip = self.incomplete_record(offset);
                clipped =
                    self.format.clipped && matches!(skip.reason, SkipReason::EndsEarly | SkipReason::CompressedEnd);
                (left, Some(skip))
            }
        };
        self.at += length.min(left);
        Some(Piece { start, end: self.at, offset, skip, clipped })
    }

    /// Why a record has no end: damage if there is any, which is then reported with the record.
    fn incomplete_record(&mut self, offset: u64) -> SkippedRecord {
        let line = one_line(self.bytes[self.at..].split(|&b| b == b'\n').next().unwrap_or_default());
        match self.damage.take() {
            Some(skip) => SkippedRecord { offset, detail: format!("{}, in the record {line}", skip.detail), ..skip },
            None => SkippedRecord { offset, reason: SkipReason::EndsEarly, detail: line },
        }
    }

    fn feed(&mut self, feed: &mut dyn Feed) -> io::Result<()> {
        let before = self.bytes.len();
        match feed.more(&mut self.bytes)? {
            Fed::Bytes { member } => {
                if let Some(place) = member {
                    // An empty member is forgotten: the next one begins at the same place.
                    if self.members.last().is_some_and(|&(start, _)| start == before) {
                        self.members.pop();
                    }
                    self.members.push((before, place));
                    self.unjudged = Some(before);
                }
                self.judge_member();
            }
            Fed::Damage(skip) => {
                self.damage = Some(skip);
                self.edge = Edge::Damage;
            }
            Fed::NextRecord => self.edge = Edge::NextRecord,
            Fed::End => self.edge = Edge::End,
        }
        Ok(())
    }

    /// A record ends where a member begins with another one, whatever length it claims: its batch may end there as well.
    fn judge_member(&mut self) {
        let Some((start, front)) = self.unjudged.and_then(|start| Some((start, self.bytes.get(start..start + FRONT)?)))
        else {
            return;
        };
        self.unjudged = None;
        if self.at < start && self.format.record_start.is_some_and(|begins| begins(front)) {
            (self.edge, self.next_record) = (Edge::NextRecord, Some(start));
        }
    }

    /// Continues after damage with a new cutter, which knows nothing of the bytes before.
    fn resume_after_damage(&mut self) {
        self.cutter = (self.format.cutter)();
        self.edge = Edge::More;
    }
}
