//! Published numbers beside those of this study.

use crate::Table;
use crate::page::Block;

/// A table of published numbers, each beside the one that this study gives.
pub struct Beside {
    table: Table,
}

impl Beside {
    /// `name` is that of its files; `title` names the table or figure of the publication.
    pub fn new(name: &'static str, title: &str) -> Self {
        let title = format!("{title}: published, and here");
        Self { table: Table::new(name, title, &["what", "published", "here"]).right([1, 2]) }
    }

    /// A number that this study does not give is a dash.
    pub fn row(&mut self, what: impl Into<String>, published: impl Into<String>, here: Option<String>) {
        self.table.row([what.into(), published.into(), here.unwrap_or_else(|| "–".to_owned())]);
    }

    /// The table, with a word on what differs.
    pub fn block(mut self, differs: &str) -> Block {
        self.table.note(format!("what differs: {differs}"));
        Block::Table(self.table)
    }
}
