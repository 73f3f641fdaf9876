//! The parts of the HTML page, and what its sections are made from.

use crate::Table;
use dejaview_study::{PairTable, Snapshot, Truth};

#[derive(Debug, Clone)]
pub struct PageOptions {
    /// Whether the page may contain texts of documents: corpora are licensed.
    pub with_text: bool,
    /// What decides whether a pair is a near-duplicate.
    pub truth: Truth,
    /// Number of segments for which accumulated counts are forecast; `None` takes twice those read.
    pub segments: Option<usize>,
    /// Tables about URLs; empty where they were not asked for, since they take one more reading of the documents.
    pub urls: Vec<Table>,
}

/// What sections are made from.
pub struct Material<'a> {
    pub study: &'a Snapshot,
    pub table: &'a PairTable,
    pub options: &'a PageOptions,
}

#[derive(Debug, Clone)]
pub struct Section {
    /// Used in links and file names.
    pub id: &'static str,
    pub title: &'static str,
    pub blocks: Vec<Block>,
}

impl Section {
    /// Title of a section that could not be made.
    pub(super) const NOT_MADE: &'static str = "Not made";

    /// Whether it could not be made, and says why.
    pub fn is_missing(&self) -> bool {
        self.title == Self::NOT_MADE
    }
}

#[derive(Debug, Clone)]
pub enum Block {
    Text(String),
    Table(Table),
    Chart {
        svg: String,
        /// The numbers of the chart; their title and notes belong to both.
        table: Table,
    },
    /// HTML that is inserted as it is.
    Markup(String),
}

impl Block {
    /// The table that is written into files, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Self::Table(table) | Self::Chart { table, .. } => Some(table).filter(|table| !table.is_unavailable()),
            Self::Text(_) | Self::Markup(_) => None,
        }
    }
}
