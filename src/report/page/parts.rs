//! The parts of a page, and what they are made from.

use crate::Table;
use dejaview_study::{PairTable, Snapshot, Truth};

/// What the page shall hold.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether texts of pages may stand in it: corpora are licensed.
    pub with_text: bool,
    /// What decides whether a pair is a near-duplicate.
    pub truth: Truth,
    /// Segments to which accumulated counts are carried on.
    pub segments: Option<usize>,
    /// Tables about URLs, which take one more reading of the documents; none where nobody asked.
    pub urls: Vec<Table>,
}

/// What sections are made from.
pub struct Material<'a> {
    pub study: &'a Snapshot,
    pub table: &'a PairTable,
    pub options: &'a Options,
}

/// A part of the page.
#[derive(Debug, Clone)]
pub struct Section {
    /// Short, for links and names of files.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Debug, Clone)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A table.
    Table(Table),
    /// A chart, with its numbers.
    Chart {
        /// The drawing.
        svg: String,
        /// The numbers; their title and notes are those of the chart.
        table: Table,
    },
    /// Markup that is ready.
    Markup(String),
}
