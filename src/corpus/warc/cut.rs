//! Where a WARC record ends.
//!
//! `Content-Length` is believed when another record, or the end, stands where it says. Otherwise the record ends at the
//! next line that begins a record: before the stated end (it was too long), or behind it (too short), unless a
//! well-formed trailer shows that the length was right and garbage follows. A length beyond [`LARGEST_BODY`] is skipped
//! to the next such line without being held in memory.

use crate::cut::{Cut, Cutter, Edge};
use crate::warc::header::{LONGEST, field, header_end};
use crate::{LARGEST_BODY, Reason};

/// Line ends between two records that are looked over, and the bytes needed behind a record to decide.
const MOST_NEWLINES: usize = 32;
const LOOK: usize = MOST_NEWLINES + 16;

/// Whether bytes are the first line of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Start,
    /// So far, but the bytes end.
    Unsure,
    Other,
}

/// `WARC/` in any case, digits, `.`, digits, blanks, line end.
fn line(bytes: &[u8]) -> Line {
    let magic = b"WARC/";
    let known = bytes.len().min(magic.len());
    if !bytes[..known].eq_ignore_ascii_case(&magic[..known]) {
        return Line::Other;
    }
    if known < magic.len() {
        return Line::Unsure;
    }
    let version = &bytes[magic.len()..bytes.len().min(magic.len() + 10)];
    let end = version.iter().position(|&b| b == b'\n');
    let text = version[..end.unwrap_or(version.len())].trim_ascii_end();
    let plausible = text.iter().enumerate().all(|(i, &b)| b.is_ascii_digit() || b == b'.' && i > 0);
    match end {
        Some(_) if plausible && memchr::memchr(b'.', text).is_some_and(|dot| dot + 1 < text.len()) => Line::Start,
        None if plausible && version.len() < 10 => Line::Unsure,
        _ => Line::Other,
    }
}

/// Whether a record begins at the front.
pub(crate) fn is_start(bytes: &[u8]) -> bool {
    line(bytes) == Line::Start
}

/// The first line at or behind `from` (a line end, or the line itself behind one) that begins a record: `Ok` its
/// place, `Err` from where to look again when more bytes are there.
pub(crate) fn find_start(bytes: &[u8], from: usize) -> Result<usize, usize> {
    let tail = &bytes[from.min(bytes.len())..];
    for at in memchr::memmem::find_iter(tail, b"\nWARC/").map(|at| from + at) {
        match line(&bytes[at + 1..]) {
            Line::Start => return Ok(at + 1),
            Line::Unsure => return Err(at),
            Line::Other => {}
        }
    }
    // The last bytes may be the beginning of such a line.
    Err(bytes.len().saturating_sub(5).max(from))
}

/// Finds the ends of WARC records.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// Behind something that was reported: on the way to the next record.
    lost: bool,
    /// In a record whose end is searched: no record begins before here.
    scanned: usize,
}

impl Cutter for Records {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        if self.lost {
            return self.resynchronise(bytes, edge);
        }
        let blanks = bytes.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0).count();
        if blanks > 0 {
            return Cut::Drop(blanks);
        }
        match line(bytes) {
            Line::Start => {}
            Line::Unsure if edge == Edge::More => return Cut::Need,
            Line::Unsure if edge != Edge::End => return Cut::Early,
            _ => return self.lose(0, Reason::NoRecord, String::new()),
        }
        match header_end(bytes) {
            Some(header) => {
                let cut = self.record(bytes, header, edge);
                if cut != Cut::Need {
                    self.scanned = 0;
                }
                cut
            }
            None if bytes.len() >= LONGEST => self.lose(1, Reason::NoRecord, "its header does not end".to_owned()),
            None if edge == Edge::More => Cut::Need,
            None => self.headless(bytes, edge),
        }
    }
}

impl Records {
    /// The bytes end before the header does.
    fn headless(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        match find_start(bytes, 1) {
            Ok(at) => Cut::Skip(at, Reason::EndsEarly, "its header does not end".to_owned()),
            Err(_) if edge == Edge::Follows => {
                Cut::Skip(bytes.len(), Reason::EndsEarly, "its header does not end".to_owned())
            }
            Err(_) => Cut::Early,
        }
    }

    fn lose(&mut self, length: usize, reason: Reason, detail: String) -> Cut {
        self.lost = true;
        Cut::Skip(length, reason, detail)
    }

    fn resynchronise(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        let found = find_start(bytes, 0);
        match found {
            Ok(at) => {
                self.lost = false;
                Cut::Drop(at)
            }
            Err(at) if edge == Edge::More => {
                if at == 0 {
                    Cut::Need
                } else {
                    Cut::Drop(at)
                }
            }
            Err(_) => {
                self.lost = false;
                Cut::Drop(bytes.len())
            }
        }
    }

    fn record(&mut self, bytes: &[u8], header: usize, edge: Edge) -> Cut {
        let Some(length) = content_length(&bytes[..header]) else {
            return self.up_to_next(bytes, header, edge);
        };
        if length > LARGEST_BODY as u64 {
            return self.lose(header - 1, Reason::TooLarge, format!("Content-Length {length}"));
        }
        let end = header + length as usize;
        if bytes.len() < end {
            return match edge {
                Edge::More => Cut::Need,
                Edge::Follows => self.up_to_next(bytes, header, edge),
                Edge::Torn | Edge::End => match find_start(bytes, header - 1) {
                    Ok(at) => Cut::Record(at),
                    Err(_) => Cut::Early,
                },
            };
        }
        if bytes.len() < end + LOOK && edge == Edge::More {
            return Cut::Need;
        }
        let after = &bytes[end..];
        let newlines = after.iter().take(MOST_NEWLINES).take_while(|b| matches!(b, b'\r' | b'\n')).count();
        if newlines == MOST_NEWLINES || after.len() == newlines || line(&after[newlines..]) != Line::Other {
            return Cut::Record(end);
        }
        match find_start(&bytes[..end + 1], header - 1) {
            Ok(at) if at < end => Cut::Record(at),
            _ if after.starts_with(b"\r\n\r\n") || after.starts_with(b"\n\n") => Cut::Record(end),
            _ => self.up_to_next(bytes, header, edge),
        }
    }

    /// The record's length is not known: it ends where the next one begins.
    fn up_to_next(&mut self, bytes: &[u8], header: usize, edge: Edge) -> Cut {
        let most = header + LARGEST_BODY + LOOK;
        let seen = &bytes[..bytes.len().min(most)];
        match find_start(seen, self.scanned.max(header - 1)) {
            Ok(at) => Cut::Record(at),
            Err(_) if seen.len() == most => {
                self.lose(header - 1, Reason::TooLarge, format!("more than {LARGEST_BODY} bytes to the next record"))
            }
            Err(at) if edge == Edge::More => {
                self.scanned = at;
                Cut::Need
            }
            Err(_) if edge == Edge::Torn => Cut::Early,
            Err(_) => Cut::Record(bytes.len()),
        }
    }
}

/// The stated length of the block behind a header.
pub(crate) fn content_length(header: &[u8]) -> Option<u64> {
    std::str::from_utf8(&field(header, "Content-Length")?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All cuts of `text`, arriving `step` bytes at a time, as `R12 D2 S(reason)3`.
    fn cuts(text: &[u8], step: usize, last: Edge) -> String {
        let (mut cutter, mut at, mut there, mut out) = (Records::default(), 0, 0, Vec::new());
        while at < text.len() {
            let edge = if there < text.len() { Edge::More } else { last };
            let cut = if at == there { Cut::Need } else { cutter.cut(&text[at..there], edge) };
            match cut {
                Cut::Need => there = (there + step).min(text.len()),
                Cut::Drop(n) => at += n,
                Cut::Record(n) => {
                    out.push(format!("R{n}"));
                    at += n;
                }
                Cut::Skip(n, reason, _) => {
                    out.push(format!("S{n}({reason})"));
                    at += n;
                }
                Cut::Early => {
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
        assert_eq!(cuts(b"WARC/1.0\nContent-Length: 9\n\nabc", 9, Edge::Follows), "R31");
        assert_eq!(cuts(b"WARC/1.0\nContent-Length: x\n\nabc", 9, Edge::Torn), "E31");
    }

    #[test]
    fn absurd_lengths_are_not_believed() {
        let text = b"WARC/1.0\nContent-Length: 99999999999999\n\nabc\nWARC/1.0\nContent-Length: 0\n\n";
        check(text, "S40(body too large) R28");
    }
}
