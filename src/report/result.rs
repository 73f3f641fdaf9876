//! A result is one value. Serialised it is the JSON of the command line; text, TSV, CSV, LaTeX and HTML are made from
//! its tables.

use serde::{Serialize, Serializer};

use crate::table::Table;

/// What an analysis says. A result that is made of tables names them; one that is none (an explanation, what a run did)
/// says what people read.
pub trait Report: Serialize {
    /// Its tables, in the order in which they are printed.
    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    /// The lines that people read, on a screen of so many columns; none: as long as they are.
    fn text(&self, columns: Option<usize>) -> Vec<String> {
        text_of(&self.tables(), columns)
    }
}

/// One of many results of the same kind that come one after the other: a row of TSV, or a line of JSON.
pub trait Record: Serialize {
    /// Names of the columns.
    const HEAD: &'static [&'static str];

    /// A cell for each of the columns.
    fn cells(&self) -> Vec<String>;
}

/// Tables for people, one below the other.
pub fn text_of(tables: &[Table], columns: Option<usize>) -> Vec<String> {
    let mut text = Vec::new();
    for (place, table) in tables.iter().enumerate() {
        if place > 0 {
            text.push(String::new());
        }
        text.extend(table.text_in(columns));
    }
    text
}

/// Serialises names with their values as one object that keeps their order.
pub fn in_order<V: Serialize, S: Serializer>(pairs: &[(String, V)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// A path as people write it.
pub fn path<S: Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}
