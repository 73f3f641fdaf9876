//! What a format of documents is: its name, and how it is recognised, cut into records and read.
//!
//! Each format is a value in the file that implements it; [`crate::formats`] lists them.

use std::fmt;

use crate::CorpusItem;
use crate::cut::Cutter;
use crate::record::{Buffers, Record};

/// Reads one record: calls the visitor for each document in it, and for what is not read.
pub(crate) type ReadRecord = fn(&Record<'_>, &mut Buffers, &mut dyn FnMut(CorpusItem<'_>));

/// A format of files of documents, apart from their compression.
pub struct Format {
    /// As `study.toml` writes it.
    pub name: &'static str,
    /// How surely the first bytes of a file show the format; `None` if they do not.
    pub(crate) sniff: fn(&[u8]) -> Option<Sign>,
    /// A new cutter, which has seen no bytes.
    pub(crate) cutter: fn() -> Box<dyn Cutter>,
    pub(crate) read: ReadRecord,
    /// What reading a record needs to know from the head of the file; empty for most formats.
    pub(crate) prologue: fn(&[u8]) -> String,
    /// Whether bytes begin a record, for a format whose records may have gzip members of their own.
    pub(crate) record_start: Option<fn(&[u8]) -> bool>,
    /// Whether a record that the end of the file clips is read as far as it goes.
    pub(crate) clipped: bool,
    /// Whether the file is a table, whose rows are read by [`crate::table`] and not cut out of its bytes.
    pub(crate) is_table: bool,
}

/// How surely the first bytes of a file show its format; the surest sign decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sign {
    /// Any file may be of this format.
    Anything,
    /// The file begins with a tag, as web pages do.
    Markup,
    /// A record begins after bytes that belong to none.
    AfterGarbage,
    /// The file begins with a character that the format begins with.
    FirstCharacter,
    /// A record begins after a declaration or the like.
    LaterTag,
    /// The file begins with the name of the format, or with its first tag.
    FirstTag,
}

/// The first bytes of a file without byte order mark and leading blanks.
pub(crate) fn front(first: &[u8]) -> &[u8] {
    first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii_start()
}

impl Format {
    /// A format that is never recognised, and only read where a study names it.
    pub(crate) const fn new(name: &'static str, cutter: fn() -> Box<dyn Cutter>, read: ReadRecord) -> Self {
        Self {
            name,
            sniff: |_| None,
            cutter,
            read,
            prologue: |_| String::new(),
            record_start: None,
            clipped: false,
            is_table: false,
        }
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
