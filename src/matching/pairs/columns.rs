//! Columns of little-endian numbers in a stretch of bytes, written and read without copying them into structures.

use std::ops::Range;

use crate::DocumentNumber;
use crate::groups::Groups;

/// Writes columns one after another.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) bytes: Vec<u8>,
}

impl Columns {
    pub(super) fn column<const N: usize>(&mut self, values: impl Iterator<Item = [u8; N]>) {
        for value in values {
            self.bytes.extend_from_slice(&value);
        }
    }

    /// Strings as a column of their ends, then their bytes.
    pub(super) fn strings<'a>(&mut self, values: impl Iterator<Item = &'a str> + Clone) {
        let mut end = 0u64;
        self.column(values.clone().map(|value| {
            end += value.len() as u64;
            end.to_le_bytes()
        }));
        for value in values {
            self.bytes.extend_from_slice(value.as_bytes());
        }
    }
}

/// Takes columns off one after another; none when the bytes do not suffice.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl Cursor<'_> {
    /// Place of a column of `rows` values of `width` bytes.
    pub(super) fn column(&mut self, rows: usize, width: usize) -> Option<Range<usize>> {
        let end = self.at.checked_add(rows.checked_mul(width)?)?;
        let range = self.at..end;
        self.bytes.get(range.clone())?;
        self.at = end;
        Some(range)
    }

    /// Places of the ends and the bytes of `rows` strings; none when an end lies before the one before it, or when the
    /// bytes are not text.
    pub(super) fn strings(&mut self, rows: usize) -> Option<(Range<usize>, Range<usize>)> {
        let ends = self.column(rows, 8)?;
        let length = rows.checked_sub(1).map_or(0, |last| u64_at(self.bytes, &ends, last));
        let bytes = self.column(usize::try_from(length).ok()?, 1)?;
        let text = std::str::from_utf8(&self.bytes[bytes.clone()]).ok()?;
        let mut before = 0;
        for row in 0..rows {
            let end = u64_at(self.bytes, &ends, row) as usize;
            if end < before || !text.is_char_boundary(end) {
                return None;
            }
            before = end;
        }
        Some((ends, bytes))
    }
}

pub(super) fn u16_at(bytes: &[u8], column: &Range<usize>, row: usize) -> u16 {
    u16::from_le_bytes(at(bytes, column, row))
}

#[inline]
pub(super) fn u32_at(bytes: &[u8], column: &Range<usize>, row: usize) -> u32 {
    u32::from_le_bytes(at(bytes, column, row))
}

#[inline]
pub(super) fn u64_at(bytes: &[u8], column: &Range<usize>, row: usize) -> u64 {
    u64::from_le_bytes(at(bytes, column, row))
}

#[inline]
fn at<const N: usize>(bytes: &[u8], column: &Range<usize>, row: usize) -> [u8; N] {
    let start = column.start + row * N;
    let mut value = [0; N];
    value.copy_from_slice(&bytes[start..start + N]);
    value
}

/// Groups of so many documents; none when they are not groups that hold each once.
pub(super) fn groups(cursor: &mut Cursor<'_>, documents: usize) -> Option<Groups> {
    let count = cursor.column(1, 4)?;
    let count = u32_at(cursor.bytes, &count, 0) as usize;
    let (sizes, members) = (cursor.column(count, 4)?, cursor.column(documents, 4)?);
    let (mut groups, mut start) = (Groups::default(), 0);
    let mut seen = vec![false; documents];
    for group in 0..count {
        let end = start + u32_at(cursor.bytes, &sizes, group) as usize;
        if end > documents || end == start {
            return None;
        }
        let of: Vec<DocumentNumber> = (start..end).map(|i| u32_at(cursor.bytes, &members, i).into()).collect();
        for &member in &of {
            let seen = seen.get_mut(member.index())?;
            if std::mem::replace(seen, true) {
                return None;
            }
        }
        if !of.is_sorted() {
            return None;
        }
        groups.push(of);
        start = end;
    }
    (start == documents).then_some(groups)
}
