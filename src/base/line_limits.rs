//! Lines that are held in memory as they are read, none of them longer than a limit.
//!
//! Every list that a person hands in, and every journal, is read through [`LineBuffer`]: a small file may unpack to one line of
//! any length. A line that is too long is passed over while it is read and never held; it is listed, and a blank line stands in
//! its place, so that all others keep their numbers.

use std::fmt;
use std::io::{self, Read};

use crate::lines::{self, MARK, NoText, TextFault};

/// Most bytes of a line, 1 MiB.
pub const LONGEST_LINE: usize = 1 << 20;

/// Most bytes of a line that begins with `{`: an object of JSON may hold notes, texts and groups.
pub const LONGEST_OBJECT: usize = 16 << 20;

/// Most commas of a line that is longer than [`LONGEST_LINE`]. Each value of an object takes many times its bytes when it is read.
const MOST_COMMAS: usize = 500_000;

/// Bytes of a file that are read at a time.
const CHUNK: u64 = 1 << 20;

/// A line that was passed over. As text it says why, without the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongLine {
    /// From 1.
    pub line: usize,
    exceeded: Exceeded,
    /// Whether carriage returns are in it.
    returns: bool,
}

/// The limit that a line is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exceeded {
    Bytes(usize),
    Commas,
}

impl fmt::Display for LongLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exceeded {
            Exceeded::Bytes(limit) => {
                write!(f, "it is longer than {} MiB, the most that a line may be; ", limit >> 20)?
            }
            Exceeded::Commas => {
                write!(f, "it has more than {MOST_COMMAS} commas, the most that a long line may have; ")?
            }
        }
        match self.returns {
            true => TextFault::CarriageReturns.fmt(f),
            false => f.write_str("see whether this is the right file, and break the line or remove it"),
        }
    }
}

/// What was read in lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    /// All lines, blank ones in the place of those that are too long.
    pub bytes: Vec<u8>,
    /// Those that are too long, in their order.
    pub long: Vec<LongLine>,
}

impl Lines {
    /// The lines of a file, a pipe or a slice.
    pub fn read(mut from: impl Read) -> io::Result<Self> {
        let mut buffer = LineBuffer::default();
        while buffer.fill(|into| from.by_ref().take(CHUNK).read_to_end(into))? > 0 {}
        Ok(buffer.into_lines())
    }
}

/// A list as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListText {
    /// Without a mark before it, blank lines in the place of those that are too long.
    pub text: String,
    /// Lines that are too long, in their order.
    pub long: Vec<LongLine>,
}

/// The text of a list. Bytes that are not UTF-8 become U+FFFD: ids and numbers are ASCII nearly everywhere, and one letter of
/// another charset shall not cost a whole list.
pub fn text(list: Lines) -> Result<ListText, NoText> {
    let Lines { mut bytes, long } = list;
    lines::check(&bytes)?;
    bytes.drain(..lines::mark_length(&bytes));
    let text = String::from_utf8(bytes).unwrap_or_else(|why| String::from_utf8_lossy(why.as_bytes()).into_owned());
    Ok(ListText { text, long })
}

/// Lines that are still being read.
#[derive(Debug, Default)]
pub struct LineBuffer {
    lines: Lines,
    /// The beginning of a line: none before it is too long.
    start: usize,
    /// Whether that line is too long, and its end has not come yet. Nothing of it is held.
    passing: bool,
    /// Lines that were let go of.
    gone: usize,
}

impl LineBuffer {
    /// Takes in the bytes that `more` appends, and returns its answer. It should append some MiB at most.
    pub fn fill<T, E>(&mut self, more: impl FnOnce(&mut Vec<u8>) -> Result<T, E>) -> Result<T, E> {
        let answer = more(&mut self.lines.bytes);
        if self.passing {
            self.pass();
        }
        while !self.passing && self.goes_on() {}
        answer
    }

    /// What is held.
    pub fn bytes(&self) -> &[u8] {
        &self.lines.bytes
    }

    /// Lines that were let go of.
    pub fn gone(&self) -> usize {
        self.gone
    }

    /// Lets go of the first bytes: of whole lines, or of a mark before the first one.
    pub fn let_go(&mut self, bytes: usize) {
        self.gone += count_lines(&self.lines.bytes[..bytes]);
        self.lines.bytes.drain(..bytes);
        self.start = self.start.saturating_sub(bytes);
    }

    pub fn into_lines(mut self) -> Lines {
        // The last line has no end, and nothing was said of it yet if it is within the limits by its length.
        let rest = &self.lines.bytes[self.start..];
        if rest.len() > LONGEST_LINE && has_too_many_commas(rest) {
            self.begin_to_pass(Exceeded::Commas);
        }
        self.lines
    }

    /// Looks at the next lines; false when nothing can be said of them before more has been read.
    fn goes_on(&mut self) -> bool {
        let rest = &self.lines.bytes[self.start..];
        if rest.len() <= LONGEST_LINE {
            return false;
        }
        // Wherever lines end before it, all of them are short enough.
        if let Some(end) = rest[..=LONGEST_LINE].iter().rposition(is_end) {
            self.start += end + 1;
            return true;
        }
        let limit = limit(rest);
        let end = rest[LONGEST_LINE..].iter().position(is_end).map(|end| LONGEST_LINE + end);
        match end {
            Some(end) if end <= limit && has_too_many_commas(&rest[..end]) => self.begin_to_pass(Exceeded::Commas),
            Some(end) if end <= limit => self.start += end + 1,
            None if rest.len() <= limit => return false,
            _ => self.begin_to_pass(Exceeded::Bytes(limit)),
        }
        true
    }

    /// Lists the next line, and drops what is there of it.
    fn begin_to_pass(&mut self, exceeded: Exceeded) {
        let line = self.gone + count_lines(&self.lines.bytes[..self.start]) + 1;
        self.lines.long.push(LongLine { line, exceeded, returns: false });
        self.pass();
    }

    /// Drops what is there of a line that is too long.
    fn pass(&mut self) {
        let rest = &self.lines.bytes[self.start..];
        let end = rest.iter().position(is_end);
        let dropped = &rest[..end.unwrap_or(rest.len())];
        // One at its end belongs to the end.
        let returns = dropped.iter().position(|byte| *byte == b'\r').is_some_and(|at| at + 1 < dropped.len());
        if let Some(long) = self.lines.long.last_mut() {
            long.returns |= returns;
        }
        let end_of_dropped = self.start + dropped.len();
        self.lines.bytes.drain(self.start..end_of_dropped);
        self.passing = end.is_none();
        self.start += usize::from(end.is_some());
    }
}

/// Most bytes of the line that these begin.
fn limit(line: &[u8]) -> usize {
    let line = line.strip_prefix(MARK).unwrap_or(line);
    if line.trim_ascii_start().starts_with(b"{") { LONGEST_OBJECT } else { LONGEST_LINE }
}

fn has_too_many_commas(line: &[u8]) -> bool {
    line.iter().filter(|byte| **byte == b',').count() > MOST_COMMAS
}

fn is_end(byte: &u8) -> bool {
    *byte == b'\n'
}

fn count_lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| is_end(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(buffer: &mut LineBuffer, piece: &[u8]) {
        let taken = buffer.fill(|into| {
            into.extend_from_slice(piece);
            Ok::<_, io::Error>(())
        });
        assert!(taken.is_ok());
    }

    /// What is held of a text that comes in pieces of this size, and the lines that are too long.
    fn read(text: &str, piece: usize) -> (String, Vec<usize>) {
        let mut buffer = LineBuffer::default();
        for piece in text.as_bytes().chunks(piece) {
            take(&mut buffer, piece);
            assert!(buffer.bytes().len() <= text.len().min(2 * LONGEST_OBJECT));
        }
        let lines = buffer.into_lines();
        (String::from_utf8(lines.bytes).unwrap(), lines.long.iter().map(|long| long.line).collect())
    }

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_the_others_keep_their_numbers() {
        let just = "x".repeat(LONGEST_LINE);
        let long = format!("{just}x");
        let object = format!("{{{just}{just}}}");
        for piece in [1 << 16, 999_983, 1 << 21, 1 << 26] {
            assert_eq!(
                read(&format!("a\n{long}\nb\n{just}\n{long}"), piece),
                (format!("a\n\nb\n{just}\n"), vec![2, 5])
            );
            assert_eq!(read(&format!("{long}\r\n{long}{long}\n\nc"), piece), ("\n\n\nc".to_owned(), vec![1, 2]));
            assert_eq!(read(&format!(" {object}\n{long}\n"), piece), (format!(" {object}\n\n"), vec![2]));
            assert_eq!(read(&format!("\u{feff}{object}\n"), piece), (format!("\u{feff}{object}\n"), vec![]));
            let objects = format!("{{{}\nb\n", "x".repeat(LONGEST_OBJECT));
            assert_eq!(read(&objects, piece), ("\nb\n".to_owned(), vec![1]));
            assert_eq!(read("a\nb", piece), ("a\nb".to_owned(), vec![]));
        }
    }

    #[test]
    fn a_line_of_more_values_than_memory_takes_is_left_out() {
        let line = |commas: usize| format!("{{{}{}}}", ",".repeat(commas), "x".repeat(LONGEST_LINE));
        let (most, more) = (line(MOST_COMMAS), line(MOST_COMMAS + 1));
        assert_eq!(read(&format!("{more}\n{most}\n{more}"), 1 << 20), (format!("\n{most}\n"), vec![1, 3]));
        let why = Lines::read(more.as_bytes()).unwrap().long[0].to_string();
        assert!(why.starts_with("it has more than 500000 commas"), "{why}");
    }

    #[test]
    fn lines_that_are_let_go_of_are_counted() {
        let mut buffer = LineBuffer::default();
        let long = "x".repeat(LONGEST_LINE + 1);
        for text in ["a\nb\n", &long, &long, "\nc\nd"] {
            take(&mut buffer, text.as_bytes());
            let whole = buffer.bytes().iter().rposition(is_end).map_or(0, |at| at + 1);
            buffer.let_go(whole);
        }
        assert_eq!((buffer.gone(), buffer.bytes()), (4, &b"d"[..]));
        assert_eq!(buffer.into_lines().long[0].line, 3);
    }

    #[test]
    fn why_is_said() {
        let said = |text: &str| Lines::read(text.as_bytes()).unwrap().long[0].to_string();
        let long = "x".repeat(LONGEST_LINE);
        assert!(said(&format!("{long}xx")).starts_with("it is longer than 1 MiB, the most that a line may be; see"));
        assert!(said(&format!("{long}xx\r\n")).contains("break the line"));
        assert!(said(&format!("a\r{long}")).contains("lines end in CR alone; save the file with LF"));
        assert!(said(&format!("{{{}", "x".repeat(LONGEST_OBJECT))).contains("16 MiB"));
    }
}
