//! A table as data, and the forms in which people take it away: text, TSV, CSV, LaTeX.

use strum::IntoStaticStr;

use super::fitting::{HANGING, fitted, lines};
use dejaview_base::choice::{Choice, Choices};
use dejaview_text::wrapped;

/// The forms in which tables are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Format {
    #[default]
    Text,
    Tsv,
    Csv,
    Latex,
}

impl Choice for Format {
    const CHOICES: Choices<Self> = &[
        (Self::Text, "For people"),
        (Self::Tsv, "Tabs between cells"),
        (Self::Csv, "For spreadsheets"),
        (Self::Latex, "For papers"),
    ];
}

/// A table with its title. Cells are texts; columns of numbers are flush right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Short, for files and options: `dice`.
    pub name: &'static str,
    /// One line above it.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Numbers of the columns that are flush right.
    pub right: Vec<usize>,
    /// The cells.
    pub rows: Vec<Vec<String>>,
    /// Lines below it: what the numbers rest on.
    pub notes: Vec<String>,
}

impl Table {
    /// An empty table.
    pub fn new(name: &'static str, title: impl Into<String>, head: &[&str]) -> Self {
        let head = head.iter().map(|name| (*name).to_owned()).collect();
        Self { name, title: title.into(), head, ..Self::default() }
    }

    /// The same with these columns flush right.
    #[must_use]
    pub fn right(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.right = columns.into_iter().collect();
        self
    }

    /// In the place of a table that would have no rows: its title, and why there is nothing to show.
    pub fn without_rows(name: &'static str, title: impl Into<String>, why: impl Into<String>) -> Self {
        Self { name, title: title.into(), notes: vec![why.into()], ..Self::default() }
    }

    /// Whether it only says why there is nothing to show.
    pub fn is_left_out(&self) -> bool {
        self.head.is_empty()
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Adds a line below.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Its lines in the form asked for; text for a screen of so many columns.
    pub fn lines(&self, format: Format, columns: Option<usize>) -> Vec<String> {
        match format {
            Format::Text => self.text_in(columns),
            Format::Tsv => self.tsv(),
            Format::Csv => self.csv(),
            Format::Latex => self.latex(),
        }
    }

    /// For people: title, columns that line up, notes.
    pub fn text(&self) -> Vec<String> {
        let rows: Vec<Vec<String>> = self.all().cloned().collect();
        let mut text = vec![self.title.clone()];
        text.extend(lines(&rows, &self.right).into_iter().map(|line| format!("  {line}").trim_end().to_owned()));
        text.extend(self.notes.iter().cloned());
        text
    }

    /// For people whose screen has this many columns; none: as wide as it is.
    pub fn text_in(&self, columns: Option<usize>) -> Vec<String> {
        let Some(columns) = columns else { return self.text() };
        let rows: Vec<Vec<String>> = self.all().cloned().collect();
        let mut text = wrapped(&self.title, columns, HANGING);
        for (place, block) in fitted(&rows, &self.right, columns.saturating_sub(2)).into_iter().enumerate() {
            if place > 0 {
                text.push(String::new());
            }
            text.extend(block.into_iter().map(|line| format!("  {line}").trim_end().to_owned()));
        }
        text.extend(self.notes.iter().flat_map(|note| wrapped(note, columns, HANGING)));
        text
    }

    /// For programs: tabs between cells.
    pub fn tsv(&self) -> Vec<String> {
        let clean = |cell: &String| cell.replace(['\t', '\n'], " ");
        self.all().map(|row| row.iter().map(clean).collect::<Vec<_>>().join("\t")).collect()
    }

    /// For spreadsheets (RFC 4180).
    pub fn csv(&self) -> Vec<String> {
        let quoted = |cell: &String| {
            let plain = !cell.contains(['"', ',', '\n', '\r']);
            if plain { cell.clone() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
        };
        self.all().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",")).collect()
    }

    /// For papers: a tabular environment.
    pub fn latex(&self) -> Vec<String> {
        if self.is_left_out() {
            return [&self.title].into_iter().chain(&self.notes).map(|line| format!("% {line}")).collect();
        }
        let columns: String = (0..self.head.len()).map(|c| if self.right.contains(&c) { 'r' } else { 'l' }).collect();
        let mut text =
            vec![format!("% {}", self.title), format!("\\begin{{tabular}}{{{columns}}}"), "\\hline".to_owned()];
        for (i, row) in self.all().enumerate() {
            text.push(format!("{} \\\\", row.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" & ")));
            if i == 0 {
                text.push("\\hline".to_owned());
            }
        }
        text.extend(["\\hline".to_owned(), "\\end{tabular}".to_owned()]);
        text.extend(self.notes.iter().map(|note| format!("% {note}")));
        text
    }

    /// The head and the rows; none where it was left out.
    fn all(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.head).filter(|head| !head.is_empty()).chain(&self.rows)
    }
}

/// What LaTeX would take for a command, written so that it does not.
fn escaped(cell: &str) -> String {
    let mut out = String::new();
    for c in cell.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_are_no_rows_it_says_why() {
        let table = Table::without_rows("t", "Title", "nothing is known");
        assert_eq!(table.text(), ["Title", "nothing is known"]);
        assert_eq!(table.text_in(Some(80)), table.text());
        assert_eq!(table.latex(), ["% Title", "% nothing is known"]);
        assert!(table.csv().is_empty() && table.tsv().is_empty());
    }

    #[test]
    fn every_form() {
        let mut table = Table::new("t", "Title", &["name", "n"]).right([1]);
        table.row(["a_b", "1,000"]);
        table.note("note");
        assert_eq!(table.text(), ["Title", "  name      n", "  a_b   1,000", "note"]);
        assert_eq!(table.text_in(None), table.text());
        assert_eq!(table.text_in(Some(80)), table.text());
        assert_eq!(table.csv(), ["name,n", "a_b,\"1,000\""]);
        assert_eq!(table.tsv(), ["name\tn", "a_b\t1,000"]);
        assert!(table.latex().contains(&"a\\_b & 1,000 \\\\".to_owned()), "{:?}", table.latex());
    }
}
