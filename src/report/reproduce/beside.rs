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
        Self::of_columns(name, title, &["published", "here"])
    }

    /// The same with several numbers a row: for each of these a published one and one of this study.
    pub fn of_measures(name: &'static str, title: &str, measures: &[&str]) -> Self {
        let columns: Vec<String> =
            measures.iter().flat_map(|what| [format!("{what}, published"), format!("{what}, here")]).collect();
        Self::of_columns(name, title, &columns.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// The same with these columns of numbers.
    pub fn of_columns(name: &'static str, title: &str, columns: &[&str]) -> Self {
        let head = [&["what"], columns].concat();
        let title = format!("{title}: published, and here");
        Self { table: Table::new(name, title, &head).right(1..head.len()) }
    }

    /// A number that this study does not give is a dash.
    pub fn row(&mut self, what: impl Into<String>, published: impl Into<String>, here: Option<String>) {
        self.numbers(what, [Some(published.into()), here]);
    }

    /// A row of as many numbers as there are columns. One that nobody gives is a dash.
    pub fn numbers(&mut self, what: impl Into<String>, numbers: impl IntoIterator<Item = Option<String>>) {
        let numbers = numbers.into_iter().map(|number| number.unwrap_or_else(|| "–".to_owned()));
        self.table.row([what.into()].into_iter().chain(numbers));
    }

    /// The table, with a word on what differs.
    pub fn block(mut self, differs: &str) -> Block {
        self.table.note(format!("what differs: {differs}"));
        Block::Table(self.table)
    }
}
