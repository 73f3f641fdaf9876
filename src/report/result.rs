//! What every result can do: serialised it is the JSON of the command line, and its tables become text, TSV, CSV, LaTeX
//! and HTML.

use serde::{Serialize, Serializer};

use crate::charts::curves::Curves;
use crate::table::Table;

/// The result of a command. One that consists of tables returns them; any other (an explanation, the summary of a run)
/// returns its text.
pub trait Report: Serialize {
    /// In the order in which they are printed.
    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    /// Charts of some of the tables, which follow them as text.
    fn curves(&self) -> Vec<Curves> {
        Vec::new()
    }

    /// The lines that people read, on a screen of so many columns; `None` leaves lines as long as they are.
    fn text(&self, columns: Option<usize>) -> Vec<String> {
        let mut text = tables_as_text(&self.tables(), columns);
        for curves in self.curves() {
            text.push(String::new());
            text.extend(curves.text(columns));
        }
        text
    }
}

/// One of many results that stream: a row of TSV, or a line of JSON.
pub trait Record: Serialize {
    const HEAD: &'static [&'static str];

    /// One cell for each column of `HEAD`.
    fn cells(&self) -> Vec<String>;
}

/// Tables one below the other, with an empty line between.
pub fn tables_as_text(tables: &[Table], columns: Option<usize>) -> Vec<String> {
    let mut text = Vec::new();
    for (i, table) in tables.iter().enumerate() {
        if i > 0 {
            text.push(String::new());
        }
        text.extend(table.text(columns));
    }
    text
}

/// Serialises names with their values as one object that keeps their order.
pub fn serialize_in_order<V: Serialize, S: Serializer>(
    pairs: &[(String, V)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

pub fn serialize_path<S: Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}
