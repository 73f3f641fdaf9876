//! Where in a file of pairs the columns of one side's documents lie.

use std::ops::Range;

use super::columns::{Cursor, u32_at, u64_at};
use dejaview_methods::measures::{LENGTHS, Profile};

/// Places of the columns of one side's documents.
#[derive(Debug)]
pub(super) struct Documents {
    pub(super) count: usize,
    ends: Range<usize>,
    ids: Range<usize>,
    words: Range<usize>,
    sizes: [Range<usize>; LENGTHS.len()],
    spaced: Range<usize>,
    norm: Range<usize>,
}

impl Documents {
    pub(super) fn read(cursor: &mut Cursor<'_>, count: usize) -> Option<Self> {
        let (ends, ids) = cursor.strings(count)?;
        let words = cursor.column(count, 4)?;
        let sizes = five(|| cursor.column(count, 4))?;
        let (spaced, norm) = (cursor.column(count, 4)?, cursor.column(count, 8)?);
        Some(Self { count, ends, ids, words, sizes, spaced, norm })
    }

    pub(super) fn id<'a>(&self, bytes: &'a [u8], i: usize) -> &'a str {
        let start = i.checked_sub(1).map_or(0, |before| u64_at(bytes, &self.ends, before) as usize);
        let end = u64_at(bytes, &self.ends, i) as usize;
        // Checked when the file was opened; checked again for want of a promise that the compiler knows.
        std::str::from_utf8(&bytes[self.ids.start + start..self.ids.start + end]).unwrap_or_default()
    }

    #[inline]
    pub(super) fn words(&self, bytes: &[u8], i: usize) -> u32 {
        u32_at(bytes, &self.words, i)
    }

    /// Size of the set of n-grams of the length with this number.
    #[inline]
    pub(super) fn size(&self, bytes: &[u8], length: usize, i: usize) -> u32 {
        u32_at(bytes, &self.sizes[length], i)
    }

    /// Distinct 8-grams of the words between white space.
    #[inline]
    pub(super) fn spaced(&self, bytes: &[u8], i: usize) -> u32 {
        u32_at(bytes, &self.spaced, i)
    }

    /// Σ tf² over the words.
    #[inline]
    pub(super) fn norm(&self, bytes: &[u8], i: usize) -> u64 {
        u64_at(bytes, &self.norm, i)
    }

    pub(super) fn profile(&self, bytes: &[u8], i: usize) -> Profile {
        Profile {
            words: self.words(bytes, i),
            sizes: [0, 1, 2, 3, 4].map(|length| self.size(bytes, length, i)),
            spaced: self.spaced(bytes, i),
            norm: self.norm(bytes, i),
        }
    }
}

pub(super) fn five<T>(mut make: impl FnMut() -> Option<T>) -> Option<[T; LENGTHS.len()]> {
    Some([make()?, make()?, make()?, make()?, make()?])
}
