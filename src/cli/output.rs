//! Where results and messages are printed: a pipe or file gets the exact bytes, a terminal no control characters.

use std::borrow::Cow;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};

use anyhow::{Result, bail};
use crossterm::style::Stylize;
use serde::Serialize;

use dejaview_report::{Record, Report, Table, TableFormat};
use dejaview_study::OutputFile;
use dejaview_text::markdown::{self, Tone};
use dejaview_text::printable;

/// Columns that a page of the manual takes on a wide terminal; longer lines are hard to read.
const MOST_COLUMNS: usize = 100;

/// What takes the bytes of results.
pub enum Destination {
    Stream(Box<dyn Write + Send>),
    File(OutputFile),
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.write(bytes).map_err(of_standard_output),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(stream) => stream.flush().map_err(of_standard_output),
            Self::File(file) => file.flush(),
        }
    }
}

/// What failed where results are printed. Nothing is told of a reader who has gone.
fn of_standard_output(why: io::Error) -> io::Error {
    match why.kind() {
        ErrorKind::BrokenPipe | ErrorKind::Interrupted | ErrorKind::WouldBlock => why,
        _ => {
            io::Error::other(format!("writing to standard output: {why}; what was written into files before is there"))
        }
    }
}

impl Destination {
    /// Flushes what is buffered and puts a file in its place; what is only dropped would hide the error.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Stream(mut stream) => Ok(stream.flush().map_err(of_standard_output)?),
            Self::File(file) => Ok(file.finish()?),
        }
    }
}

/// The destination of results.
pub struct Output {
    out: Destination,
    terminal: bool,
    /// Columns of the terminal; `None` for pipes and files, and where the width is unknown.
    columns: Option<usize>,
    /// Whether `--json` was given.
    pub json: bool,
}

impl Output {
    pub fn stdout(json: bool) -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let columns = terminal.then(terminal_columns).flatten();
        let out = Destination::Stream(Box::new(BufWriter::with_capacity(1 << 16, stdout)));
        Self { out, terminal, columns, json }
    }

    /// Results go into a file.
    pub fn to_file(file: OutputFile, json: bool) -> Self {
        Self { out: Destination::File(file), terminal: false, columns: None, json }
    }

    /// Results go nowhere.
    pub fn to_nowhere() -> Self {
        Self { out: Destination::Stream(Box::new(io::sink())), terminal: false, columns: None, json: false }
    }

    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Prints a result: JSON with `--json`, otherwise text for people.
    pub fn report(&mut self, result: &impl Report) -> Result<()> {
        self.report_as(result, TableFormat::Text, None)
    }

    /// The same of a result that is a text of the corpus: a pipe gets every character of it.
    pub fn report_exactly(&mut self, result: &impl Report) -> Result<()> {
        if self.json {
            return self.json(result);
        }
        result.text(self.columns).iter().try_for_each(|line| self.line(line))
    }

    /// Prints a result: JSON with `--json`, otherwise its tables in a format, or only the one called `table`.
    pub fn report_as(&mut self, result: &impl Report, format: TableFormat, table: Option<&str>) -> Result<()> {
        if self.json {
            return self.json(result);
        }
        if format == TableFormat::Text && table.is_none() {
            // Text is for people, and what stands behind the pipe may be their terminal.
            return result.text(self.columns).iter().try_for_each(|line| self.line(printable(line)));
        }
        let mut tables = result.tables();
        if let Some(name) = table {
            check_table_name(&tables, name)?;
            tables.retain(|table| table.name == name);
        }
        let mut first = true;
        for table in &tables {
            if table.is_unavailable() && matches!(format, TableFormat::Tsv | TableFormat::Csv) {
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

    /// Prints the header line above records; JSON has none.
    pub fn header<R: Record>(&mut self) -> Result<()> {
        if self.json { Ok(()) } else { self.line(R::HEAD.join("\t")) }
    }

    /// Prints one of many results: a line of JSON with `--json`, otherwise a row of TSV.
    pub fn record<R: Record>(&mut self, record: &R) -> Result<()> {
        if self.json { self.json(record) } else { self.line(record.cells().join("\t")) }
    }

    pub fn line(&mut self, line: impl AsRef<str>) -> Result<()> {
        self.text(line.as_ref())?;
        Ok(self.out.write_all(b"\n")?)
    }

    /// Text without a line end of its own.
    pub fn text(&mut self, text: &str) -> Result<()> {
        let text = if self.terminal { printable(text) } else { Cow::Borrowed(text) };
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// A page of Markdown: on a terminal laid out for reading, elsewhere as it is written.
    pub fn page(&mut self, page: &str) -> Result<()> {
        let Some(columns) = self.columns else { return self.text(page) };
        let plain = std::env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
        for line in markdown::lines(page, columns.min(MOST_COLUMNS)) {
            for (tone, words) in line.runs() {
                match tone {
                    Tone::Heading | Tone::Strong if !plain => write!(self.out, "{}", words.bold())?,
                    _ => self.out.write_all(words.as_bytes())?,
                }
            }
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Bytes as they are; on a terminal, as text without control characters.
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

    /// The underlying writer, for binary formats.
    pub fn into_writer(self) -> Destination {
        self.out
    }

    /// As [`Destination::finish`].
    pub fn finish(self) -> Result<()> {
        self.out.finish()
    }
}

/// Fails where no table has this name, and lists the names there are.
pub fn check_table_name(tables: &[Table], name: &str) -> Result<()> {
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

/// Columns of the terminal: `COLUMNS` where the user set it, else what the terminal reports.
fn terminal_columns() -> Option<usize> {
    let wanted = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let reported = || crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns));
    wanted.or_else(reported).filter(|columns| *columns > 0)
}

/// Whether the locale says that only ASCII can be shown. Without a locale, as in a service, UTF-8 is assumed.
pub fn ascii_only() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    locale.is_some_and(|locale| !locale.to_lowercase().replace('-', "").contains("utf8"))
}

/// Whether an error only says that the reader of the pipe has gone.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}

/// Arguments that contradict each other in a way that clap cannot express; the exit code is 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Misuse(pub String);

/// Prints on standard error what failed.
pub fn print_error(error: &anyhow::Error) {
    let message = format!("dejaview: {}", message_with_causes(error));
    let _ = writeln!(io::stderr(), "{}", printable(&message));
}

/// An error with its causes, without those that its own message already names, and what to do where the system refused.
fn message_with_causes(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    let refusal = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    match refusal.and_then(remedy) {
        Some(remedy) => format!("{message}; {remedy}"),
        None => message,
    }
}

/// What helps where the system refuses for such a reason.
fn remedy(refusal: ErrorKind) -> Option<&'static str> {
    match refusal {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Some("make room there and try again: what was there before is as it was")
        }
        ErrorKind::FileTooLarge => Some("`ulimit -f` says how large a file may be"),
        ErrorKind::PermissionDenied => Some("its owner can allow that, with `chmod` for one"),
        ErrorKind::ReadOnlyFilesystem => Some("that disk takes no changes: copy the study to one that does"),
        _ => None,
    }
}

/// Prints a message on standard error; that nobody reads it is no failure.
pub fn say(message: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(message));
}

/// Messages about single lines of a file, or single pairs, that are printed before the rest is only counted.
const MESSAGES: usize = 20;

/// Prints the first messages of a long list on standard error, and how many more there are.
pub fn say_first(messages: impl ExactSizeIterator<Item = String>) {
    let more = messages.len().saturating_sub(MESSAGES);
    messages.take(MESSAGES).for_each(|message| say(&message));
    if more > 0 {
        say(&format!("… and {more} more"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_printed_once() {
        let cause = io::Error::new(io::ErrorKind::NotFound, "no such file");
        let error = dejaview_corpus::CorpusError::Open { path: "x.run".into(), source: cause };
        let error = anyhow::Error::from(error).context("thinning x.run");
        assert_eq!(message_with_causes(&error), "thinning x.run: x.run: cannot be opened: no such file");
    }
}
