//! A table as data, and its forms: text, TSV, CSV, LaTeX.

use strum::IntoStaticStr;

use super::fitting::{aligned, prose};
use super::plain_numbers::plain_numbers;
use dejaview_base::choice::{Choice, Choices};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum TableFormat {
    #[default]
    Text,
    Tsv,
    Csv,
    Latex,
}

impl Choice for TableFormat {
    const CHOICES: Choices<Self> = &[
        (Self::Text, "For people"),
        (Self::Tsv, "Tabs between cells"),
        (Self::Csv, "For spreadsheets"),
        (Self::Latex, "For papers"),
    ];
}

/// A table with its title; all cells are texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Used in file names and options: `dice`.
    pub name: &'static str,
    pub title: String,
    pub head: Vec<String>,
    /// Indices of the columns that are flush right, as numbers are.
    pub right: Vec<usize>,
    pub rows: Vec<Vec<String>>,
    /// Lines below the table that say what its numbers rest on.
    pub notes: Vec<String>,
}

impl Table {
    pub fn new(name: &'static str, title: impl Into<String>, head: &[&str]) -> Self {
        let head = head.iter().map(|name| (*name).to_owned()).collect();
        Self { name, title: title.into(), head, ..Self::default() }
    }

    #[must_use]
    pub fn right(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        self.right = columns.into_iter().collect();
        self
    }

    /// Takes the place of a table that cannot be made, and says why.
    pub fn unavailable(name: &'static str, title: impl Into<String>, why: impl Into<String>) -> Self {
        Self { name, title: title.into(), notes: vec![why.into()], ..Self::default() }
    }

    /// Whether this only says why a table cannot be made.
    pub fn is_unavailable(&self) -> bool {
        self.head.is_empty()
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The lines of the table in a format; `columns` are those of the screen, for text.
    pub fn lines(&self, format: TableFormat, columns: Option<usize>) -> Vec<String> {
        match format {
            TableFormat::Text => self.text(columns),
            TableFormat::Tsv => self.tsv(),
            TableFormat::Csv => self.csv(),
            TableFormat::Latex => self.latex(),
        }
    }

    /// For people: title, columns that line up, notes, on a screen of so many columns; `None` leaves it as wide as it is.
    pub fn text(&self, columns: Option<usize>) -> Vec<String> {
        let rows: Vec<Vec<String>> = self.head_and_rows().cloned().collect();
        let mut text = prose(&self.title, columns);
        let indented = |line: &String| format!("  {line}").trim_end().to_owned();
        text.extend(aligned(&rows, &self.right, columns.map(|columns| columns.saturating_sub(2))).iter().map(indented));
        text.extend(self.notes.iter().flat_map(|note| prose(note, columns)));
        text
    }

    /// For programs: tabs between cells, and numbers as programs read them.
    pub fn tsv(&self) -> Vec<String> {
        let clean = |cell: &String| cell.replace(['\t', '\n'], " ");
        self.plain().iter().map(|row| row.iter().map(clean).collect::<Vec<_>>().join("\t")).collect()
    }

    /// For spreadsheets (RFC 4180), with numbers as programs read them.
    pub fn csv(&self) -> Vec<String> {
        let quoted = |cell: &String| {
            let plain = !cell.contains(['"', ',', '\n', '\r']);
            if plain { cell.clone() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
        };
        self.plain().iter().map(|row| row.iter().map(quoted).collect::<Vec<_>>().join(",")).collect()
    }

    /// For papers: a tabular environment.
    pub fn latex(&self) -> Vec<String> {
        if self.is_unavailable() {
            return [&self.title].into_iter().chain(&self.notes).map(|line| format!("% {line}")).collect();
        }
        let columns: String = (0..self.head.len()).map(|c| if self.right.contains(&c) { 'r' } else { 'l' }).collect();
        let mut text =
            vec![format!("% {}", self.title), format!("\\begin{{tabular}}{{{columns}}}"), "\\hline".to_owned()];
        for (i, row) in self.head_and_rows().enumerate() {
            text.push(format!("{} \\\\", row.iter().map(|cell| latex_escaped(cell)).collect::<Vec<_>>().join(" & ")));
            if i == 0 {
                text.push("\\hline".to_owned());
            }
        }
        text.extend(["\\hline".to_owned(), "\\end{tabular}".to_owned()]);
        text.extend(self.notes.iter().map(|note| format!("% {note}")));
        text
    }

    /// Head and rows, with numbers as programs read them.
    fn plain(&self) -> Vec<Vec<String>> {
        plain_numbers(&self.head_and_rows().collect::<Vec<_>>(), &self.right)
    }

    fn head_and_rows(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.head).filter(|head| !head.is_empty()).chain(&self.rows)
    }
}

fn latex_escaped(cell: &str) -> String {
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
            '–' => out.push_str("--"),
            '·' => out.push_str("$\\cdot$"),
            '≥' => out.push_str("$\\geq$"),
            '×' => out.push_str("$\\times$"),
            '−' => out.push_str("$-$"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_cannot_be_made_says_why() {
        let table = Table::unavailable("t", "Title", "nothing is known");
        assert_eq!(table.text(None), ["Title", "nothing is known"]);
        assert_eq!(table.text(Some(80)), table.text(None));
        assert_eq!(table.latex(), ["% Title", "% nothing is known"]);
        assert!(table.csv().is_empty() && table.tsv().is_empty());
    }

    #[test]
    fn every_form() {
        let mut table = Table::new("t", "Title", &["name", "n"]).right([1]);
        table.row(["a_b", "1,000"]);
        table.note("note");
        assert_eq!(table.text(None), ["Title", "  name      n", "  a_b   1,000", "note"]);
        assert_eq!(table.text(Some(80)), table.text(None));
        assert_eq!(table.csv(), ["name,n", "a_b,1000"]);
        assert_eq!(table.tsv(), ["name\tn", "a_b\t1000"]);
        assert!(table.latex().contains(&"a\\_b & 1,000 \\\\".to_owned()), "{:?}", table.latex());
    }
}
