//! The gzip members in a stretch of a file, one after another, past whatever is damaged.

use std::io;

use super::header::{NoHeader, header_length};
use super::member::{Member, Step, inflate_whole, member_length};
use super::{Front, begins_with, candidate, next_member};
use crate::splitter::{Fed, Feed};
use crate::{SkipReason, SkippedRecord};

/// The shortest member: header 10, empty block 2, trailer 8.
const SHORTEST: usize = 20;

/// A stretch of a file whose records have members of their own, as it lies on disk.
pub(crate) struct Stretch {
    pub(crate) data: Vec<u8>,
    /// Offset of `data` in the file.
    pub(crate) base: u64,
    /// Whether the file ends with `data`.
    pub(crate) last: bool,
    /// Tells the beginning of a record.
    pub(crate) front: Front,
}

/// Inflates the members of a stretch.
pub(crate) struct Members<'a> {
    stretch: &'a Stretch,
    at: usize,
    decompressor: &'a mut libdeflater::Decompressor,
    /// A member that is inflated piece by piece, and where it must end.
    unfinished: Option<(Member, usize)>,
    /// Damage that is reported next.
    damage: Option<SkippedRecord>,
    /// The last place that was reported as the beginning of a record.
    reported_start: Option<usize>,
}

impl<'a> Members<'a> {
    pub(crate) fn new(stretch: &'a Stretch, decompressor: &'a mut libdeflater::Decompressor) -> Self {
        Self { stretch, at: 0, decompressor, unfinished: None, damage: None, reported_start: None }
    }

    /// Goes to the next member, since none begins here. Zeros, as tapes and block devices leave them, are not reported.
    fn skip_to_next_member(&mut self) -> Fed {
        let (start, data) = (self.at, &self.stretch.data);
        self.at = next_member(data, start + 1, self.stretch.front).unwrap_or(data.len());
        if data[start..self.at].iter().all(|&b| b == 0) {
            return Fed::Bytes { member: None };
        }
        Fed::Damage(self.damage_at(start, SkipReason::CompressedDamage, "no gzip member begins here"))
    }

    /// Whether it is still to be reported that a record begins here. That is done before every damaged member, as it is done
    /// at the end of every batch, so that the result does not depend on where batches are cut.
    fn is_unreported_start(&mut self) -> bool {
        self.reported_start.replace(self.at) != Some(self.at)
    }

    fn damage_at(&self, at: usize, reason: SkipReason, detail: &str) -> SkippedRecord {
        SkippedRecord { offset: self.stretch.base + at as u64, reason, detail: detail.to_owned() }
    }

    fn inflate_step(&mut self, mut member: Member, end: usize, into: &mut Vec<u8>) -> Fed {
        let before = into.len();
        let data = &self.stretch.data;
        let (used, step) = member.step(&data[self.at..end], into);
        let start = self.at;
        self.at += used;
        match step {
            Step::Done => {}
            Step::Unfinished if used > 0 || into.len() > before => self.unfinished = Some((member, end)),
            Step::Unfinished if end == data.len() && self.stretch.last => {
                self.damage = Some(self.damage_at(start, SkipReason::CompressedEnd, "the gzip member ends early"));
                self.at = end;
            }
            Step::Unfinished => {
                self.damage = Some(self.damage_at(start, SkipReason::CompressedDamage, "the gzip member ends early"));
                self.at = end;
            }
            Step::Damaged(detail) => {
                self.damage = Some(self.damage_at(start, SkipReason::CompressedDamage, detail));
                self.at = end;
            }
        }
        Fed::Bytes { member: None }
    }
}

impl Feed for Members<'_> {
    fn more(&mut self, into: &mut Vec<u8>) -> io::Result<Fed> {
        if let Some(skip) = self.damage.take() {
            return Ok(Fed::Damage(skip));
        }
        if let Some((member, end)) = self.unfinished.take() {
            return Ok(self.inflate_step(member, end, into));
        }
        let Stretch { data, base, last, front } = self.stretch;
        let (start, rest) = (self.at, &data[self.at..]);
        if rest.is_empty() {
            return Ok(if *last || !self.is_unreported_start() { Fed::End } else { Fed::NextRecord });
        }
        if header_length(rest) == Err(NoHeader::NotGzip) {
            return Ok(self.skip_to_next_member());
        }
        let member = Some(base + start as u64);
        let end = candidate(data, start + SHORTEST).unwrap_or(data.len());
        if inflate_whole(self.decompressor, &data[start..end], into) {
            self.at = end;
        } else {
            // No member begins at the next candidate, or this one is damaged or has something after it.
            let end = member_length(rest).map(|length| start + length);
            if end.is_none() && begins_with(rest, *front) && self.is_unreported_start() {
                return Ok(Fed::NextRecord);
            }
            let end = end.or_else(|| next_member(data, start + 1, *front)).unwrap_or(data.len());
            self.inflate_step(Member::new(), end, into);
        }
        Ok(Fed::Bytes { member })
    }
}
