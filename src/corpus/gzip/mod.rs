//! gzip members: how their beginnings are found in a file, and how they are inflated.
//!
//! Where every record has a member of its own, a [`Stretch`] of the file goes to a worker as it lies on disk and is
//! inflated there ([`Members`]). A stretch is only cut at a *candidate*: bytes that look like a member's header and
//! inflate to the beginning of a WARC record. Chance does not produce these. An archive inside an archive, stored
//! uncompressed, does; then its documents may be read too, but none is lost.
//!
//! A damaged member is read as far as it inflates; reading goes on at the next candidate.

mod header;
mod member;
mod members;
#[cfg(test)]
mod tests;

pub(crate) use member::{Member, Step};
pub(crate) use members::{Members, Stretch};

use flate2::{Decompress, FlushDecompress, Status};

use crate::{LARGEST_BODY, SkipReason};
use header::header_length;
use member::inflate_some;

/// Compressed bytes that always suffice to see how a candidate begins.
pub(crate) const LOOKAHEAD: usize = 64 << 10;

/// The first place from `from` on that looks like the header of a member: plausible flags, level and system.
pub(crate) fn candidate(bytes: &[u8], from: usize) -> Option<usize> {
    let tail = bytes.get(from..)?;
    memchr::memmem::find_iter(tail, b"\x1f\x8b\x08").map(|n| from + n).find(|&at| {
        bytes
            .get(at..at + 10)
            .is_some_and(|h| h[3] & 0xe0 == 0 && matches!(h[8], 0 | 2 | 4) && (h[9] <= 13 || h[9] == 255))
    })
}

/// Whether bytes are the beginning of what a member must contain.
pub(crate) type Front = fn(&[u8]) -> bool;

/// Whether a member begins here whose first 16 bytes satisfy `front`. False, too, when they cannot be seen yet.
pub(crate) fn begins_with(bytes: &[u8], front: Front) -> bool {
    let Ok(start) = header_length(bytes) else { return false };
    let mut out = [0u8; 16];
    let mut inflate = Decompress::new(false);
    let input = &bytes[start..bytes.len().min(start + LOOKAHEAD)];
    let done = inflate.decompress(input, &mut out, FlushDecompress::None);
    done.is_ok() && front(&out[..inflate.total_out() as usize])
}

/// The first candidate from `from` on whose first bytes satisfy `front`.
pub(crate) fn next_member(bytes: &[u8], mut from: usize, front: Front) -> Option<usize> {
    while let Some(at) = candidate(bytes, from) {
        if begins_with(&bytes[at..], front) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// Inflates a gzip page; what could be inflated counts when it is damaged, and what is wrong is returned. Fails when nothing could
/// be, or when there is more than [`LARGEST_BODY`].
pub(crate) fn page(bytes: &[u8], into: &mut Vec<u8>) -> Result<Option<SkipReason>, SkipReason> {
    into.clear();
    let (mut member, mut at) = (Member::new(), 0);
    loop {
        let before = into.len();
        let (used, step) = member.step(&bytes[at..], into);
        at += used;
        if into.len() > LARGEST_BODY {
            return Err(SkipReason::TooLarge);
        }
        let damage = match step {
            Step::Done => None,
            Step::Damaged(_) => Some(SkipReason::CompressedDamage),
            Step::Unfinished if used == 0 && into.len() == before => Some(SkipReason::CompressedEnd),
            Step::Unfinished => continue,
        };
        return inflated(into, damage);
    }
}

/// The same of a page that is deflated, with the header of zlib or without.
pub(crate) fn deflated_page(bytes: &[u8], into: &mut Vec<u8>) -> Result<Option<SkipReason>, SkipReason> {
    into.clear();
    let has_header = matches!(bytes, [first, second, ..] if first & 0x0f == 8
        && u16::from_be_bytes([*first, *second]).is_multiple_of(31));
    let mut inflate = Decompress::new(has_header);
    loop {
        let (used, before) = (inflate.total_in() as usize, into.len());
        let status = inflate_some(&mut inflate, &bytes[used..], into);
        if into.len() > LARGEST_BODY {
            return Err(SkipReason::TooLarge);
        }
        let stuck = inflate.total_in() as usize == used && into.len() == before;
        let damage = match status {
            Ok(Status::StreamEnd) => None,
            Err(_) => Some(SkipReason::CompressedDamage),
            Ok(_) if stuck => Some(SkipReason::CompressedEnd),
            Ok(_) => continue,
        };
        return inflated(into, damage);
    }
}

/// Nothing at all is no page.
fn inflated(page: &[u8], damage: Option<SkipReason>) -> Result<Option<SkipReason>, SkipReason> {
    if page.is_empty() { Err(SkipReason::Encoding) } else { Ok(damage) }
}

/// Whether the records of a file have members of their own, given its first MiB: another member with a record
/// follows where the first one ends, or, when the first one is damaged, anywhere.
pub(crate) fn has_members(head: &[u8], front: Front) -> bool {
    let (mut member, mut at, mut out) = (Member::new(), 0, Vec::new());
    loop {
        out.clear();
        match member.step(&head[at..], &mut out) {
            (used, Step::Done) => return begins_with(&head[at + used..], front),
            (0, Step::Unfinished) if out.is_empty() => return false,
            (used, Step::Unfinished) => at += used,
            (_, Step::Damaged(_)) => return next_member(head, 1, front).is_some(),
        }
    }
}
