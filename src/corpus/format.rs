//! What a format of documents is: its name, and how it is recognised, cut into records and read.
//!
//! Each format is a value in the file that implements it; [`crate::formats`] lists them.

use std::fmt;

use crate::Item;
use crate::cut::Cutter;
use crate::record::{Buffers, Record};

/// Makes an item of a record, or of each part of it that is one.
pub(crate) type ReadRecord = fn(&Record<'_>, &mut Buffers, &mut dyn FnMut(Item<'_>));

/// How documents lie in a file, compression aside.
pub struct Format {
    /// The word used in `study.toml`.
    pub name: &'static str,
    /// Whether the first bytes of a file show it.
    pub(crate) sniff: fn(&[u8]) -> Option<Sign>,
    /// A new cutter, which knows nothing of any bytes.
    pub(crate) cutter: fn() -> Box<dyn Cutter>,
    /// Shows the documents of one record, and what in it is not read.
    pub(crate) read: ReadRecord,
    /// What the head of a file says that its records need; empty when there is nothing.
    pub(crate) prologue: fn(&[u8]) -> String,
    /// How a record begins, for a format whose records may have gzip members of their own.
    pub(crate) record_start: Option<fn(&[u8]) -> bool>,
}

/// How surely the first bytes of a file show its format; the surest sign decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sign {
    /// Nothing speaks against it.
    Anything,
    /// It begins with a tag, as pages do.
    Markup,
    /// A record begins behind bytes that are none.
    AfterGarbage,
    /// It begins with a character that the format begins with.
    FirstCharacter,
    /// A record begins behind a declaration or the like.
    LaterTag,
    /// It begins with the name of the format, or with its first tag.
    FirstTag,
}

/// The first bytes of a file without byte order mark and leading blanks.
pub(crate) fn front(first: &[u8]) -> &[u8] {
    first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii_start()
}

impl Format {
    /// A format that is only read where a study names it; others say how they are recognised.
    pub(crate) const fn new(name: &'static str, cutter: fn() -> Box<dyn Cutter>, read: ReadRecord) -> Self {
        Self { name, sniff: |_| None, cutter, read, prologue: |_| String::new(), record_start: None }
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}
