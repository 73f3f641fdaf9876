//! The members of a stretch of a file, one after another, whatever is wrong with them.

use super::header::header;
use super::member::{Member, Step, measure, whole};
use super::{Front, begins_with, candidate, next_member};
use crate::splitter::{Fed, Feed};
use crate::{Reason, Skip};

/// The shortest member: header 10, empty block 2, trailer 8.
const SHORTEST: usize = 20;

/// The members in a stretch of a file whose records have members of their own.
pub(crate) struct Members<'a> {
    data: &'a [u8],
    /// How a record begins.
    front: Front,
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
    pub(crate) fn new(
        data: &'a [u8],
        front: Front,
        base: u64,
        last: bool,
        decompressor: &'a mut libdeflater::Decompressor,
    ) -> Self {
        Self { data, front, at: 0, base, last, decompressor, slow: None, torn: None, border: None }
    }

    /// No member begins here: goes to the next one. Zeros, as tapes and block devices leave them, are not told.
    fn stray(&mut self) -> Fed {
        let start = self.at;
        self.at = next_member(self.data, start + 1, self.front).unwrap_or(self.data.len());
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
            if end.is_none() && begins_with(rest, self.front) && self.at_border() {
                return Fed::Follows;
            }
            let end = end.or_else(|| next_member(self.data, start + 1, self.front)).unwrap_or(self.data.len());
            self.slow_step(Member::new(), end, into);
        }
        Fed::Bytes { member }
    }
}
