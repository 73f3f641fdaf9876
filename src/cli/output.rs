//! Standard output as a user meets it: whole bytes into a pipe or file, nothing hostile onto a terminal.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Write};

use anyhow::{Result, bail};
use serde::Serialize;

use dejaview_report::{Format, Record, Report, Table};
use dejaview_text::printable;

/// Where results go.
pub struct Output {
    out: Box<dyn Write + Send>,
    terminal: bool,
    /// Columns of the terminal; none where nobody looks, or nobody knows.
    columns: Option<usize>,
    /// Whether results are printed as JSON (`--json`).
    pub json: bool,
}

impl Output {
    /// Standard output.
    pub fn stdout(json: bool) -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let columns = terminal.then(columns).flatten();
        Self { out: Box::new(BufWriter::with_capacity(1 << 16, stdout)), terminal, columns, json }
    }

    /// Another place, a file for one.
    pub fn to(out: Box<dyn Write + Send>, json: bool) -> Self {
        Self { out, terminal: false, columns: None, json }
    }

    /// Whether a person looks at it directly.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Prints a result: JSON with `--json`, otherwise text for people.
    pub fn report(&mut self, result: &impl Report) -> Result<()> {
        self.report_as(result, Format::Text, None)
    }

    /// Prints a result: JSON with `--json`, otherwise its tables in a format, or only the table of a name.
    pub fn report_as(&mut self, result: &impl Report, format: Format, table: Option<&str>) -> Result<()> {
        if self.json {
            return self.json(result);
        }
        if format == Format::Text && table.is_none() {
            return result.text(self.columns).iter().try_for_each(|line| self.line(line));
        }
        let mut tables = result.tables();
        if let Some(name) = table {
            known(&tables, name)?;
            tables.retain(|table| table.name == name);
        }
        let mut first = true;
        for table in &tables {
            if table.is_left_out() && matches!(format, Format::Tsv | Format::Csv) {
                say(&format!("{}: {}", table.title, table.notes.join("; ")));
                continue;
            }
            if !std::mem::take(&mut first) {
                self.line("")?;
            }
            table.lines(format, self.columns).iter().try_for_each(|line| self.line(line))?;
        }
        Ok(())
    }

    /// The header line above records; JSON has none.
    pub fn head_of<R: Record>(&mut self) -> Result<()> {
        if self.json { Ok(()) } else { self.line(R::HEAD.join("\t")) }
    }

    /// Prints one of many results: a line of JSON with `--json`, otherwise a row of TSV.
    pub fn record<R: Record>(&mut self, record: &R) -> Result<()> {
        if self.json { self.json(record) } else { self.line(record.cells().join("\t")) }
    }

    /// One line of results.
    pub fn line(&mut self, line: impl AsRef<str>) -> Result<()> {
        self.text(line.as_ref())?;
        Ok(self.out.write_all(b"\n")?)
    }

    /// Text without a line end of its own.
    pub fn text(&mut self, text: &str) -> Result<()> {
        let text = if self.terminal { printable(text) } else { Cow::Borrowed(text) };
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// Bytes as they are; onto a terminal only what may reach it.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        if self.terminal {
            return self.text(&String::from_utf8_lossy(bytes));
        }
        Ok(self.out.write_all(bytes)?)
    }

    /// A JSON document on one line.
    pub fn json<T: Serialize>(&mut self, value: &T) -> Result<()> {
        let line = serde_json::to_string(value)?;
        self.line(line)
    }

    /// The writer itself, for binary formats.
    pub fn into_writer(self) -> Box<dyn Write + Send> {
        self.out
    }

    /// Everything out.
    pub fn finish(mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// An error where no table has this name.
pub fn known(tables: &[Table], name: &str) -> Result<()> {
    let mut known: Vec<&str> = Vec::new();
    for table in tables {
        if !known.contains(&table.name) {
            known.push(table.name);
        }
    }
    match known.contains(&name) {
        true => Ok(()),
        false => bail!(
            "no table is called “{name}”; choose one of {} for --table, or leave --table out to print all of them",
            known.join(", ")
        ),
    }
}

/// Columns of the terminal: those that the person says there are, else those that it says it has.
fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|said| said.parse().ok());
    let has = || crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns));
    said.or_else(has).filter(|columns| *columns > 0)
}

/// Whether the locale says that nothing beyond ASCII can be shown. One that says nothing, as in a pipe of a service, is
/// taken for UTF-8.
pub fn ascii_only() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    locale.is_some_and(|l| !l.to_lowercase().replace('-', "").contains("utf8"))
}

/// Whether an error says only that nobody reads on.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}

/// Arguments that contradict each other in a way that clap cannot express; the exit code is 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Misuse(pub String);

/// Says on standard error what failed.
pub fn complain(error: &anyhow::Error) {
    let message = format!("dejaview: {}", said_once(error));
    let _ = writeln!(io::stderr(), "{}", printable(&message));
}

/// An error with its causes, without those that it has said itself already.
fn said_once(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

/// Says something on standard error.
pub fn say(message: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(message));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let cause = io::Error::new(io::ErrorKind::NotFound, "no such file");
        let error = dejaview_corpus::CorpusError::Open { path: "x.run".into(), source: cause };
        let error = anyhow::Error::from(error).context("thinning x.run");
        assert_eq!(said_once(&error), "thinning x.run: x.run: cannot be opened: no such file");
    }
}
