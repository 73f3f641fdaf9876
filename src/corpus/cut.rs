//! The contract of cutters: each format has one, which finds where a record ends and the next begins.

use std::fmt::Debug;

use crate::SkipReason;

/// What follows the bytes that a cutter sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    More,
    /// The beginning of another record, in another gzip member or in another batch.
    NextRecord,
    /// Damaged data.
    Damage,
    End,
}

/// A cutter's decision on the first of the bytes it sees. `NeedMore` is only allowed before [`Edge::More`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    NeedMore,
    /// That many bytes are a record.
    Record(usize),
    /// That many bytes mean nothing: blanks between records, the rest of something already reported.
    Drop(usize),
    /// That many bytes are not read, and why.
    Skip(usize, SkipReason, String),
    /// All bytes belong to a record whose end is missing.
    Incomplete,
}

/// Finds where the records of a format end.
pub(crate) trait Cutter: Debug + Send {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut;
}
