//! Where one record ends and the next begins, decided on the bytes at the front.

use std::fmt::Debug;

use crate::Reason;

/// What stands behind the bytes a cutter sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    /// More bytes.
    More,
    /// The beginning of another record, seen but not part of this batch.
    Follows,
    /// A place where the data is damaged.
    Torn,
    /// The end of the file.
    End,
}

/// A cutter's decision on the bytes at the front. `Need` is only answered before [`Edge::More`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Cannot be decided without more bytes.
    Need,
    /// So many bytes are a record.
    Record(usize),
    /// So many bytes mean nothing: blanks between records, the rest of something already reported.
    Drop(usize),
    /// So many bytes are not read, and why.
    Skip(usize, Reason, String),
    /// All bytes belong to a record that is not whole.
    Early,
}

/// Finds where the records of a format end.
pub(crate) trait Cutter: Debug + Send {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut;
}
