//! Cuts a stream of bytes into records. A [`Cutter`] decides what a record is; a [`Feed`], where bytes come from.
//!
//! A cutter is asked again with more bytes until it can decide, so what it decides depends on the bytes alone, never
//! on how they arrived: any batch size gives the same records.

use crate::cut::{Cut, Cutter, Edge};
use crate::format::Format;
use crate::item::one_line;
use crate::{Reason, Skip};

/// What a feed did.
#[derive(Debug)]
pub(crate) enum Fed {
    /// Appended bytes, maybe none; `member` is the place on disk of the gzip member that begins with them.
    Bytes { member: Option<u64> },
    /// Came to a damaged place; what follows is not the continuation of what was.
    Torn(Skip),
    /// Appended nothing; a record is known to begin here, in what comes next or in the next batch.
    Follows,
    /// There is no more.
    End,
}

/// Where bytes come from.
pub(crate) trait Feed {
    /// Appends the next bytes.
    fn more(&mut self, into: &mut Vec<u8>) -> Fed;
}

/// A stretch of [`Splitter::bytes`].
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) offset: u64,
    /// Set when the piece is not a record but something that was not read.
    pub(crate) skip: Option<Skip>,
}

/// Joins a feed and a cutter.
#[derive(Debug)]
pub(crate) struct Splitter {
    format: &'static Format,
    cutter: Box<dyn Cutter>,
    bytes: Vec<u8>,
    /// Everything before has been cut.
    at: usize,
    /// Position in the stream of `bytes[0]`.
    base: u64,
    edge: Edge,
    torn: Option<Skip>,
    /// Beginnings of gzip members in `bytes`, with their place on disk; empty when offsets count in the stream.
    members: Vec<(usize, u64)>,
}

impl Splitter {
    pub(crate) fn new(format: &'static Format, base: u64, mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        let cutter = (format.cutter)();
        Self { format, cutter, bytes: buffer, at: 0, base, edge: Edge::More, torn: None, members: Vec::new() }
    }

    /// Everything cut since the last [`Splitter::take`] or [`Splitter::forget`], and what is still to be cut.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The buffer, to be used again.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        self.bytes
    }

    /// How many bytes have been cut since the last [`Splitter::take`].
    pub(crate) fn cut_bytes(&self) -> usize {
        self.at
    }

    /// Hands over all bytes that have been cut; pieces refer to them.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let rest = self.bytes.split_off(self.at);
        let taken = std::mem::replace(&mut self.bytes, rest);
        self.moved(taken.len());
        taken
    }

    /// Throws away all bytes that have been cut, when that costs little.
    pub(crate) fn forget(&mut self) {
        if self.at == self.bytes.len() || self.at > 1 << 20 {
            let n = self.at;
            self.bytes.drain(..n);
            self.moved(n);
        }
    }

    fn moved(&mut self, n: usize) {
        self.base += n as u64;
        self.at = 0;
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

    /// The next piece; `None` at the end.
    pub(crate) fn next(&mut self, feed: &mut dyn Feed) -> Option<Piece> {
        loop {
            if self.at == self.bytes.len() {
                match self.edge {
                    Edge::More => self.feed(feed),
                    Edge::Follows => self.edge = Edge::More,
                    Edge::End => return None,
                    Edge::Torn => {
                        self.mend();
                        if let Some(skip) = self.torn.take() {
                            return Some(Piece { start: self.at, end: self.at, offset: skip.offset, skip: Some(skip) });
                        }
                    }
                }
                continue;
            }
            let cut = self.cutter.cut(&self.bytes[self.at..], self.edge);
            if cut == Cut::Need && self.edge == Edge::More {
                self.feed(feed);
            } else if let Some(piece) = self.piece(cut) {
                return Some(piece);
            }
        }
    }

    fn piece(&mut self, cut: Cut) -> Option<Piece> {
        let (start, offset) = (self.at, self.offset(self.at));
        let left = self.bytes.len() - start;
        let (length, skip) = match cut {
            Cut::Drop(length) => {
                self.at += length.clamp(1, left);
                return None;
            }
            Cut::Record(length) => (length.max(1), None),
            Cut::Skip(length, reason, detail) => (length, Some(Skip { offset, reason, detail })),
            Cut::Early | Cut::Need => (left, Some(self.early(offset))),
        };
        self.at += length.min(left);
        Some(Piece { start, end: self.at, offset, skip })
    }

    /// A record that is not whole: because of the damage if there is one, and then the damage is told with it.
    fn early(&mut self, offset: u64) -> Skip {
        let line = one_line(self.bytes[self.at..].split(|&b| b == b'\n').next().unwrap_or_default());
        match self.torn.take() {
            Some(skip) => Skip { offset, detail: format!("{}, in the record {line}", skip.detail), ..skip },
            None => Skip { offset, reason: Reason::EndsEarly, detail: line },
        }
    }

    fn feed(&mut self, feed: &mut dyn Feed) {
        let before = self.bytes.len();
        match feed.more(&mut self.bytes) {
            Fed::Bytes { member } => {
                if let Some(place) = member {
                    // A member without bytes leaves no mark: the next one begins at the same place.
                    if self.members.last().is_some_and(|&(start, _)| start == before) {
                        self.members.pop();
                    }
                    self.members.push((before, place));
                }
            }
            Fed::Torn(skip) => {
                self.torn = Some(skip);
                self.edge = Edge::Torn;
            }
            Fed::Follows => self.edge = Edge::Follows,
            Fed::End => self.edge = Edge::End,
        }
    }

    /// Goes on behind a damage, with nothing known of the bytes before it.
    fn mend(&mut self) {
        self.cutter = (self.format.cutter)();
        self.edge = Edge::More;
    }
}
