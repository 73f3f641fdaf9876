//! The rows of a table that is written as text: what stands between its columns, and which cells a row has.
//!
//! In CSV a cell may be quoted, and then hold commas, line ends and, doubled, quotes (RFC 4180); a quote in the middle of a
//! cell is a character like any other. Tables with tabs have no quotes. Cells are read as [`crate::escaping`] writes them.

use std::fmt;

use crate::escaping::unescape;

/// What separates the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    Tab,
    Comma,
    /// Any number of blanks and tabs.
    Blanks,
}

impl Separator {
    /// The separator of a line: a tab if there is one, else a comma, else blanks.
    pub fn detect(line: &str) -> Self {
        match line {
            line if line.contains('\t') => Self::Tab,
            line if line.contains(',') => Self::Comma,
            _ => Self::Blanks,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Number of the line in which it begins, from 1.
    pub line: usize,
    /// Its cells without blanks around them, or why it has none.
    pub cells: Result<Vec<String>, UnclosedQuote>,
}

/// Why a row has no cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnclosedQuote;

impl fmt::Display for UnclosedQuote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a quote is opened and never closed; close it, or double the quotes inside a cell")
    }
}

impl std::error::Error for UnclosedQuote {}

/// The rows of `text`; lines with nothing but blanks are none.
pub fn rows(text: &str, separator: Separator) -> Rows<'_> {
    Rows { rest: text, line: 1, separator }
}

/// See [`rows`].
#[derive(Debug, Clone)]
pub struct Rows<'a> {
    rest: &'a str,
    line: usize,
    separator: Separator,
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        while !self.rest.is_empty() {
            let line = self.line;
            let end = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
            let first = &self.rest[..end];
            let (cells, used) = match self.separator {
                _ if first.trim().is_empty() => (Ok(Vec::new()), end),
                Separator::Comma if first.contains('"') => match quoted(self.rest) {
                    Some((cells, used)) => (Ok(cells), used),
                    None => (Err(UnclosedQuote), end),
                },
                separator => (Ok(plain(first, separator)), end),
            };
            self.line += self.rest[..used].matches('\n').count();
            self.rest = &self.rest[used..];
            if cells.as_ref().is_ok_and(Vec::is_empty) {
                continue;
            }
            return Some(Row { line, cells });
        }
        None
    }
}

fn plain(line: &str, separator: Separator) -> Vec<String> {
    let cell = |cell: &str| unescape(cell.trim()).into_owned();
    match separator {
        Separator::Tab => line.split('\t').map(cell).collect(),
        Separator::Comma => line.split(',').map(cell).collect(),
        Separator::Blanks => line.split_whitespace().map(cell).collect(),
    }
}

/// The cells of the first row of CSV and how many bytes it has; none when a quote is not closed.
fn quoted(text: &str) -> Option<(Vec<String>, usize)> {
    let mut cells = Vec::new();
    let mut rest = text;
    loop {
        let inside = rest.trim_start_matches([' ', '\t']).strip_prefix('"');
        let cell = match inside {
            Some(inside) => {
                let (cell, used) = unquoted(inside)?;
                rest = &inside[used..];
                cell
            }
            None => String::new(),
        };
        // What stands behind a closing quote belongs to the cell as it is.
        let end = rest.find([',', '\n']).unwrap_or(rest.len());
        cells.push(unescape(&(cell + rest[..end].trim())).into_owned());
        let separator = rest[end..].chars().next();
        rest = &rest[(end + 1).min(rest.len())..];
        if separator != Some(',') {
            return Some((cells, text.len() - rest.len()));
        }
    }
}

/// The text up to the closing quote, and how many bytes there are up to behind it.
fn unquoted(text: &str) -> Option<(String, usize)> {
    let (mut cell, mut from) = (String::new(), 0);
    loop {
        let quote = from + text[from..].find('"')?;
        cell.push_str(&text[from..quote]);
        if !text[quote + 1..].starts_with('"') {
            return Some((cell, quote + 1));
        }
        cell.push('"');
        from = quote + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, separator: Separator) -> Vec<(usize, Vec<String>)> {
        rows(text, separator).map(|row| (row.line, row.cells.unwrap_or_default())).collect()
    }

    #[test]
    fn cells_of_every_kind() {
        assert_eq!(all("a,\"b \"\"c\"\", d\",e\r\n", Separator::Comma)[0].1, ["a", "b \"c\", d", "e"]);
        assert_eq!(all("a , \"b\",", Separator::Comma)[0].1, ["a", "b", ""]);
        assert_eq!(all("a\t\t\"b\t\n", Separator::Tab)[0].1, ["a", "", "\"b", ""]);
        assert_eq!(all("a  b\tc \n", Separator::Blanks)[0].1, ["a", "b", "c"]);
        assert_eq!(all("5\" disk,x\n3\" disk,y\n", Separator::Comma)[1].1, ["3\" disk", "y"]);
    }

    #[test]
    fn a_quoted_cell_may_go_over_lines() {
        let text = "a,\"one\ntwo, \"\"three\"\"\n\",b\n\nc,d,e\n";
        let expected = [["a", "one\ntwo, \"three\"\n", "b"], ["c", "d", "e"]];
        let rows = all(text, Separator::Comma);
        assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), [1, 5]);
        assert_eq!([&rows[0].1, &rows[1].1], expected.each_ref());
    }

    #[test]
    fn a_quote_that_is_never_closed_costs_its_line() {
        let rows: Vec<Row> = rows("a,b\nc,\"d\ne,f\n", Separator::Comma).collect();
        assert_eq!(
            rows.iter().map(|row| (row.line, row.cells.is_ok())).collect::<Vec<_>>(),
            [(1, true), (2, false), (3, true)]
        );
    }
}
