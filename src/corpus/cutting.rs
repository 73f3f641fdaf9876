//! Where a record of an archive ends, for formats that state a length and may state it wrongly: WARC and ARC.
//!
//! The length is believed when another record, or the end, stands where it says. Otherwise the record ends at the next
//! line that begins a record: before the stated end (it was too long), or behind it (too short), unless a well-formed
//! trailer shows that the length was right and garbage follows. A length beyond [`LARGEST_BODY`] is skipped to the next
//! such line without being held in memory.

use std::fmt::Debug;
use std::marker::PhantomData;

use crate::cut::{Cut, Cutter, Edge};
use crate::{LARGEST_BODY, SkipReason};

/// Most line ends between two records.
const MOST_NEWLINES: usize = 32;

/// Whether a line begins a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FirstLine {
    Start,
    /// It may, but the bytes end before that is certain.
    Unsure,
    Other,
}

/// The header of a record.
pub(crate) enum Header {
    /// It has that many bytes, its end included.
    Whole(usize),
    /// Another record begins there, before it ends.
    Interrupted(usize),
    /// Its end is not among these bytes.
    Unfinished,
}

/// What tells the records of a format apart.
pub(crate) trait Dialect: Debug + Default + Send {
    /// Bytes of a line after a record that are needed to see whether it begins another.
    const FIRST_LINE: usize;
    /// Bytes without the end of a header this far have none.
    const LONGEST_HEADER: usize;

    /// Whether the line that bytes begin with begins a record.
    fn first_line(bytes: &[u8]) -> FirstLine;

    /// The first line after a line end at `from` or later that begins a record; `Err` is the place from which to search
    /// again when there are more bytes.
    fn find_start(bytes: &[u8], from: usize) -> Result<usize, usize>;

    /// The header that bytes begin with.
    fn header(bytes: &[u8]) -> Header;

    /// The length of the block that its header states.
    fn content_length(header: &[u8]) -> Option<u64>;

    /// Whether bytes begin like what closes a record.
    fn is_trailer(after: &[u8]) -> bool;
}

/// Cuts a file into records.
#[derive(Debug, Default)]
pub(crate) struct RecordCutter<D> {
    /// Whether bytes up to the next record belong to something that was reported.
    skipping: bool,
    /// Bytes of a record in which no other record begins.
    scanned: usize,
    dialect: PhantomData<D>,
}

impl<D: Dialect> Cutter for RecordCutter<D> {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        if self.skipping {
            return self.find_next_record(bytes, edge);
        }
        let blanks = bytes.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0).count();
        if blanks > 0 {
            return Cut::Drop(blanks);
        }
        match D::first_line(bytes) {
            FirstLine::Start => {}
            FirstLine::Unsure if edge == Edge::More => return Cut::NeedMore,
            FirstLine::Unsure if edge != Edge::End => return Cut::Incomplete,
            _ => return self.skip_record(0, SkipReason::NoRecord, String::new()),
        }
        let no_end = || "its header does not end".to_owned();
        match D::header(bytes) {
            Header::Whole(header) => {
                let cut = self.record(bytes, header, edge);
                if cut != Cut::NeedMore {
                    self.scanned = 0;
                }
                cut
            }
            Header::Interrupted(next) => Cut::Skip(next, SkipReason::EndsEarly, no_end()),
            Header::Unfinished if bytes.len() >= D::LONGEST_HEADER => {
                self.skip_record(1, SkipReason::NoRecord, no_end())
            }
            Header::Unfinished if edge == Edge::More => Cut::NeedMore,
            Header::Unfinished if edge == Edge::NextRecord => Cut::Skip(bytes.len(), SkipReason::EndsEarly, no_end()),
            Header::Unfinished => Cut::Incomplete,
        }
    }
}

impl<D: Dialect> RecordCutter<D> {
    /// The bytes after a record that are needed to decide.
    const LOOKAHEAD: usize = MOST_NEWLINES + D::FIRST_LINE;

    /// Skips bytes and everything up to the next record.
    fn skip_record(&mut self, length: usize, reason: SkipReason, detail: String) -> Cut {
        self.skipping = true;
        Cut::Skip(length, reason, detail)
    }

    fn find_next_record(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        let found = D::find_start(bytes, 0);
        match found {
            Ok(at) => {
                self.skipping = false;
                Cut::Drop(at)
            }
            Err(at) if edge == Edge::More => {
                if at == 0 {
                    Cut::NeedMore
                } else {
                    Cut::Drop(at)
                }
            }
            Err(_) => {
                self.skipping = false;
                Cut::Drop(bytes.len())
            }
        }
    }

    fn record(&mut self, bytes: &[u8], header: usize, edge: Edge) -> Cut {
        let Some(length) = D::content_length(&bytes[..header]) else {
            return self.cut_at_next_record(bytes, header, edge);
        };
        if length > LARGEST_BODY as u64 {
            return self.skip_record(header - 1, SkipReason::TooLarge, format!("Content-Length {length}"));
        }
        let end = header + length as usize;
        if bytes.len() < end {
            return match edge {
                Edge::More => Cut::NeedMore,
                Edge::NextRecord => self.cut_at_next_record(bytes, header, edge),
                Edge::Damage | Edge::End => match D::find_start(bytes, header - 1) {
                    Ok(at) => Cut::Record(at),
                    Err(_) => Cut::Incomplete,
                },
            };
        }
        if bytes.len() < end + Self::LOOKAHEAD && edge == Edge::More {
            return Cut::NeedMore;
        }
        let after = &bytes[end..bytes.len().min(end + Self::LOOKAHEAD)];
        let newlines = after.iter().take(MOST_NEWLINES).take_while(|b| matches!(b, b'\r' | b'\n')).count();
        if newlines == MOST_NEWLINES || after.len() == newlines || D::first_line(&after[newlines..]) != FirstLine::Other
        {
            return Cut::Record(end);
        }
        match D::find_start(&bytes[..end + 1], header - 1) {
            Ok(at) if at < end => Cut::Record(at),
            _ if D::is_trailer(after) => Cut::Record(end),
            _ => self.cut_at_next_record(bytes, header, edge),
        }
    }

    /// A record of unknown length ends where the next one begins.
    fn cut_at_next_record(&mut self, bytes: &[u8], header: usize, edge: Edge) -> Cut {
        let most = header + LARGEST_BODY + Self::LOOKAHEAD;
        let seen = &bytes[..bytes.len().min(most)];
        match D::find_start(seen, self.scanned.max(header - 1)) {
            Ok(at) => Cut::Record(at),
            Err(_) if seen.len() == most => self.skip_record(
                header - 1,
                SkipReason::TooLarge,
                format!("more than {LARGEST_BODY} bytes to the next record"),
            ),
            Err(at) if edge == Edge::More => {
                self.scanned = at;
                Cut::NeedMore
            }
            Err(_) if edge == Edge::Damage => Cut::Incomplete,
            Err(_) => Cut::Record(bytes.len()),
        }
    }
}
