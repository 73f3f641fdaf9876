//! How WARC records are told apart; where they end is decided by [`crate::cutting::RecordCutter`].

use crate::cutting::{Dialect, FirstLine, Header};
use crate::warc::header::{LONGEST, field};

/// The first line of a record is `WARC/` in any case, digits, `.`, digits, blanks.
fn first_line(bytes: &[u8]) -> FirstLine {
    let magic = b"WARC/";
    let known = bytes.len().min(magic.len());
    if !bytes[..known].eq_ignore_ascii_case(&magic[..known]) {
        return FirstLine::Other;
    }
    if known < magic.len() {
        return FirstLine::Unsure;
    }
    let version = &bytes[magic.len()..bytes.len().min(magic.len() + 10)];
    let end = version.iter().position(|&b| b == b'\n');
    let text = version[..end.unwrap_or(version.len())].trim_ascii_end();
    let plausible = text.iter().enumerate().all(|(i, &b)| b.is_ascii_digit() || b == b'.' && i > 0);
    match end {
        Some(_) if plausible && memchr::memchr(b'.', text).is_some_and(|dot| dot + 1 < text.len()) => FirstLine::Start,
        None if plausible && version.len() < 10 => FirstLine::Unsure,
        _ => FirstLine::Other,
    }
}

/// Whether bytes begin with a record.
pub(crate) fn is_start(bytes: &[u8]) -> bool {
    first_line(bytes) == FirstLine::Start
}

/// The first line after a line end at `from` or later that begins a record; `Err` is the place from which to search again
/// when there are more bytes.
pub(crate) fn find_start(bytes: &[u8], from: usize) -> Result<usize, usize> {
    let tail = &bytes[from.min(bytes.len())..];
    for at in memchr::memmem::find_iter(tail, b"\nWARC/").map(|at| from + at) {
        match first_line(&bytes[at + 1..]) {
            FirstLine::Start => return Ok(at + 1),
            FirstLine::Unsure => return Err(at),
            FirstLine::Other => {}
        }
    }
    // The last bytes may be the beginning of such a line.
    Err(bytes.len().saturating_sub(5).max(from))
}

/// The header that bytes begin with. It is read once, however often `WARC/1.0` is repeated in place of a record.
fn header(bytes: &[u8]) -> Header {
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    for at in memchr::memchr_iter(b'\n', bytes) {
        match &bytes[at + 1..] {
            [b'\n', ..] => return Header::Whole(at + 2),
            [b'\r', b'\n', ..] => return Header::Whole(at + 3),
            line if is_start(line) => return Header::Interrupted(at + 1),
            _ => {}
        }
    }
    Header::Unfinished
}

/// How WARC records are told apart.
#[derive(Debug, Default)]
pub(super) struct Warc;

impl Dialect for Warc {
    const FIRST_LINE: usize = 16;
    const LONGEST_HEADER: usize = LONGEST;

    fn first_line(bytes: &[u8]) -> FirstLine {
        first_line(bytes)
    }

    fn find_start(bytes: &[u8], from: usize) -> Result<usize, usize> {
        find_start(bytes, from)
    }

    fn header(bytes: &[u8]) -> Header {
        header(bytes)
    }

    fn content_length(header: &[u8]) -> Option<u64> {
        content_length(header)
    }

    fn is_trailer(after: &[u8]) -> bool {
        after.starts_with(b"\r\n\r\n") || after.starts_with(b"\n\n")
    }
}

/// The length of the block that its header states.
pub(crate) fn content_length(header: &[u8]) -> Option<u64> {
    std::str::from_utf8(&field(header, "Content-Length")?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut::{Cut, Cutter, Edge};
    use crate::cutting::RecordCutter;

    /// All cuts of `text`, arriving `step` bytes at a time, as `R12 D2 S(reason)3`.
    fn cuts(text: &[u8], step: usize, last: Edge) -> String {
        let (mut cutter, mut at, mut there, mut out) = (RecordCutter::<Warc>::default(), 0, 0, Vec::new());
        while at < text.len() {
            let edge = if there < text.len() { Edge::More } else { last };
            let cut = if at == there { Cut::NeedMore } else { cutter.cut(&text[at..there], edge) };
            match cut {
                Cut::NeedMore => there = (there + step).min(text.len()),
                Cut::Drop(n) => at += n,
                Cut::Record(n) => {
                    out.push(format!("R{n}"));
                    at += n;
                }
                Cut::Skip(n, reason, _) => {
                    out.push(format!("S{n}({reason})"));
                    at += n;
                }
                Cut::Incomplete => {
                    out.push(format!("E{}", there - at));
                    at = there;
                }
            }
        }
        out.join(" ")
    }

    fn check(text: &[u8], expected: &str) {
        for step in [1, 7, 100, 1 << 20] {
            assert_eq!(cuts(text, step, Edge::End), expected, "{step} bytes at a time");
        }
    }

    #[test]
    fn right_lengths() {
        check(
            b"WARC/1.0\r\nContent-Length: 3\r\n\r\nabc\r\n\r\nWARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
            "R34 R31",
        );
        check(b"WARC/0.18\nContent-Length: 3\n\na\n\nWARC/0.18\nContent-Length: 0\n\n\n", "R32 R29");
    }

    #[test]
    fn a_page_may_quote_a_record() {
        check(b"WARC/1.0\nContent-Length: 12\n\nx\nWARC/1.0\nz\n\nWARC/1.1\nContent-Length: 0\n\n", "R41 R28");
    }

    #[test]
    fn wrong_lengths_end_at_the_next_record() {
        let next = "WARC/1.0\nContent-Length: 0\n\n";
        check(format!("WARC/1.0\nContent-Length: 9\n\nabc\n\n{next}").as_bytes(), "R33 R28");
        check(format!("WARC/1.0\nContent-Length: 1\n\nabc\n\n{next}").as_bytes(), "R33 R28");
        check(format!("WARC/1.0\nContent-Length: 99\n\nabc\n\n{next}").as_bytes(), "R34 R28");
        check(format!("WARC/1.0\nContent-Length: x\n\nabc\n\n{next}").as_bytes(), "R33 R28");
        check(format!("WARC/1.0\nWARC-Type: warcinfo\n\nabc\n\n{next}").as_bytes(), "R35 R28");
    }

    #[test]
    fn garbage_between_records() {
        let text = b"monkeys\nWARC/1.0\r\nContent-Length: 1\r\n\r\na\r\n\r\n\r\nDonkey\r\nWARC/x\nWARC/1.0\nContent-Length: 0\n\n";
        check(text, "S0(no record begins here) R32 S0(no record begins here) R28");
        check(b"monkeys", "S0(no record begins here)");
        check(b"", "");
    }

    #[test]
    fn the_end_inside_a_record() {
        check(b"WARC/1.0\nContent-Length: 9\n\nabc", "E31");
        check(b"WARC/1.0\nContent-Len", "E20");
        check(b"WARC/1.0\nContent-Length: 9\n\nabc\nWARC/1.0\nContent-Length: 0\n\n", "R32 R28");
        assert_eq!(cuts(b"WARC/1.0\nContent-Length: 9\n\nabc", 9, Edge::NextRecord), "R31");
        assert_eq!(cuts(b"WARC/1.0\nContent-Length: x\n\nabc", 9, Edge::Damage), "E31");
    }

    #[test]
    fn a_record_in_place_of_a_header_begins_anew() {
        let whole = "WARC/1.0\nContent-Length: 0\n\n";
        let text = format!("WARC/1.0\nWARC-Type: response\nWARC/1.0\nWARC/1.1\n{whole}");
        check(text.as_bytes(), "S29(record ends early) S9(record ends early) S9(record ends early) R28");
    }

    #[test]
    fn absurd_lengths_are_not_believed() {
        let text = b"WARC/1.0\nContent-Length: 99999999999999\n\nabc\nWARC/1.0\nContent-Length: 0\n\n";
        check(text, "S40(body too large) R28");
    }
}
