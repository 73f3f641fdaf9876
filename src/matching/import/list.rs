//! What a file of pairs gives, whatever its format.

use serde_json::Value;

use dejaview_base::cells::UnclosedQuote;

/// What one line of a file says.
#[derive(Debug, Clone, PartialEq)]
pub enum ListLine {
    Pair(ListedPair),
    /// Documents that are all near-duplicates of each other; nobody says which is the source.
    Group(Vec<String>),
}

/// A pair as written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ListedPair {
    pub source: String,
    pub target: String,
    /// Higher is more alike.
    pub score: Option<f64>,
    /// Lower is more alike.
    pub distance: Option<u16>,
}

impl ListedPair {
    /// The same pair with its documents turned round.
    #[must_use]
    pub fn turned(self) -> Self {
        Self { source: self.target, target: self.source, ..self }
    }
}

/// Why a line is no pair.
#[derive(Debug, thiserror::Error)]
pub(super) enum LineError {
    #[error(transparent)]
    Quote(#[from] UnclosedQuote),
    #[error("a document has no id")]
    NoId,
    #[error("no key source (or firstId, sourceDocument, …)")]
    NoSource,
    #[error("no key target (or secondId, targetId, …)")]
    NoTarget,
    #[error("a target is neither an object nor an id")]
    Target,
    #[error("a group of fewer than two documents")]
    SmallGroup,
    #[error("a member of the group is not an id")]
    Member,
    #[error("{0} is not a number")]
    Number(Value),
    #[error("the score {0:?} is not a number")]
    Score(String),
    /// As written, in quotes where the file has text.
    #[error("the distance {0} is not a whole number")]
    Distance(String),
    #[error("{0} columns, expected a source and a target")]
    Columns(usize),
}

/// A line that is no pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadLine {
    /// Counted from 1; the number of the record where there are no lines.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// What a file gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairList {
    /// In the order of the file.
    pub lines: Vec<ListLine>,
    /// Where each of them stands, counted like [`UnreadLine::line`].
    pub places: Vec<u64>,
    /// Lines that are no pair.
    pub unread: Vec<UnreadLine>,
}

impl PairList {
    pub(super) fn add(&mut self, line: usize, read: ListLine) {
        self.lines.push(read);
        self.places.push(line as u64);
    }

    pub(super) fn unread(&mut self, line: usize, reason: impl Into<String>) {
        self.unread.push(UnreadLine { line: line as u64, reason: reason.into() });
    }
}

pub(super) fn blank(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with('#')
}

/// Both ids and the score. Two documents may have one id, of which the sides tell more than the file does.
pub(super) fn edge(
    source: &str,
    target: &str,
    score: Option<f64>,
    distance: Option<u16>,
) -> Result<ListLine, LineError> {
    match (source.trim(), target.trim()) {
        ("", _) | (_, "") => Err(LineError::NoId),
        (a, b) => Ok(ListLine::Pair(ListedPair { source: a.to_owned(), target: b.to_owned(), score, distance })),
    }
}
