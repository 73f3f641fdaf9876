//! Mail in an mbox file: a message begins with a line `From address date`, as RFC 4155 describes it.
//!
//! A document is the subject, an empty line, and the body: its first part that is plain text, else its first part of HTML,
//! with base64, quoted-printable and `>From ` undone. The id is the `Message-ID`, the URL that of `Archived-At`. Attached
//! files are no text and are left out; a message without any text is skipped.

mod encodings;
mod part;
mod subject;

use crate::cut::{Cut, Cutter, Edge};
use crate::format::{Format, Sign, front};
use crate::item::push_line;
use crate::mbox::part::find_text;
use crate::mbox::subject::with_subject;
use crate::record::{Buffers, Record};
use crate::warc::{field, header_end};
use crate::{CorpusItem, Document, LARGEST_BODY, SkipReason, SkippedRecord};

pub(crate) static FORMAT: Format = Format {
    sniff: |first| is_first_line(front(first)).then_some(Sign::FirstTag),
    clipped: true,
    ..Format::new("mbox", || Box::<MessageCutter>::default(), read)
};

/// Longest message that is held: attached files make messages much longer than their text.
const LONGEST: usize = 4 * LARGEST_BODY;
/// Longest line that begins a message.
const LONGEST_LINE: usize = 512;

/// Whether bytes begin with the line of a message: `From `, and a time of day and a year in it.
fn is_first_line(bytes: &[u8]) -> bool {
    let line = &bytes[..bytes.len().min(LONGEST_LINE)];
    let Some(line) = line.split(|&b| b == b'\n').next().and_then(|line| line.strip_prefix(b"From ")) else {
        return false;
    };
    let digit = |b: u8| b.is_ascii_digit();
    let has_time = line.windows(5).any(|w| digit(w[0]) && digit(w[1]) && w[2] == b':' && digit(w[3]) && digit(w[4]));
    let is_year = |word: &[u8]| word.len() == 4 && (word.starts_with(b"19") || word.starts_with(b"20"));
    has_time && line.split(u8::is_ascii_whitespace).any(|word| is_year(word) && word.iter().all(u8::is_ascii_digit))
}

/// Cuts a file into messages.
#[derive(Debug, Default)]
struct MessageCutter {
    /// Bytes in which no other message begins.
    scanned: usize,
    /// Whether bytes up to the next message belong to something that was reported.
    skipping: bool,
}

impl Cutter for MessageCutter {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        let blanks = bytes.iter().take_while(|b| b.is_ascii_whitespace()).count();
        if blanks > 0 && self.scanned == 0 && !self.skipping {
            return Cut::Drop(blanks);
        }
        let more = edge == Edge::More;
        if self.scanned == 0 && !self.skipping {
            if more && bytes.len() < LONGEST_LINE && memchr::memchr(b'\n', bytes).is_none() {
                return Cut::NeedMore;
            }
            if !is_first_line(bytes) {
                self.skipping = true;
                return Cut::Skip(0, SkipReason::NoRecord, String::new());
            }
        }
        let seen = &bytes[..bytes.len().min(LONGEST)];
        let from = std::mem::take(&mut self.scanned);
        match find_message(seen, from) {
            Some(at) if std::mem::take(&mut self.skipping) => Cut::Drop(at),
            Some(at) => Cut::Record(at),
            // The end of what was seen may belong to a line that begins a message, with the empty line before it.
            None if self.skipping && (more || seen.len() < bytes.len()) => {
                match seen.len().checked_sub(LONGEST_LINE + 4) {
                    Some(length @ 1..) => Cut::Drop(length),
                    _ => Cut::NeedMore,
                }
            }
            None if self.skipping => Cut::Drop(bytes.len()),
            None if seen.len() == LONGEST => {
                self.skipping = true;
                Cut::Skip(1, SkipReason::TooLarge, format!("a message of more than {LONGEST} bytes"))
            }
            None if more => {
                self.scanned = seen.len().saturating_sub(LONGEST_LINE).max(1);
                Cut::NeedMore
            }
            None if edge == Edge::Damage => Cut::Incomplete,
            None => Cut::Record(bytes.len()),
        }
    }
}

/// Where the next message begins: after an empty line. A line that ends the bytes is judged when more follow.
fn find_message(bytes: &[u8], from: usize) -> Option<usize> {
    memchr::memmem::find_iter(&bytes[from..], b"\nFrom ").map(|at| from + at).find_map(|at| {
        let is_empty_before = bytes[..at].ends_with(b"\n") || bytes[..at].ends_with(b"\n\r");
        let line = &bytes[at + 1..];
        let is_whole = line.len() >= LONGEST_LINE || memchr::memchr(b'\n', line).is_some();
        (is_empty_before && is_whole && is_first_line(line)).then_some(at + 1)
    })
}

fn read(record: &Record<'_>, buffers: &mut Buffers, visit: &mut dyn FnMut(CorpusItem<'_>)) {
    let Record { bytes, name, offset, .. } = *record;
    let bytes = without_empty_line(bytes);
    let (header, body) = bytes.split_at(header_end(bytes).unwrap_or(bytes.len()));
    for text in [&mut buffers.id, &mut buffers.url, &mut buffers.date, &mut buffers.charset] {
        text.clear();
    }
    for (text, field_name) in
        [(&mut buffers.id, "Message-ID"), (&mut buffers.url, "Archived-At"), (&mut buffers.date, "Date")]
    {
        push_line(text, without_brackets(&field(header, field_name).unwrap_or_default()));
    }
    if buffers.id.is_empty() {
        buffers.id = format!("{name}@{offset}");
    }
    let id = buffers.id.clone();
    let mut skip = |reason, detail| visit(CorpusItem::Skipped(SkippedRecord { offset, reason, detail }));
    let Some(part) = find_text(header, body) else { return skip(SkipReason::MediaType, id) };
    let subject = field(header, "Subject").unwrap_or_default();
    let charset = with_subject(&subject, &part, &mut buffers.decoded);
    if buffers.decoded.trim_ascii().is_empty() {
        return skip(SkipReason::Empty, id);
    }
    if buffers.decoded.len() > LARGEST_BODY {
        return skip(SkipReason::TooLarge, id);
    }
    visit(CorpusItem::Document(Document {
        id: &buffers.id,
        url: &buffers.url,
        date: &buffers.date,
        media: part.media,
        charset: charset.as_deref(),
        body: &buffers.decoded,
        offset,
    }));
}

/// A message without the empty line that separates it from the next.
fn without_empty_line(message: &[u8]) -> &[u8] {
    let shorter = message.strip_suffix(b"\r\n").or_else(|| message.strip_suffix(b"\n")).unwrap_or(message);
    if shorter.ends_with(b"\n") { shorter } else { message }
}

fn without_brackets(value: &[u8]) -> &[u8] {
    let value = value.trim_ascii();
    value.strip_prefix(b"<").and_then(|rest| rest.split(|&b| b == b'>').next()).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_begin_a_message() {
        assert!(is_first_line(b"From a@b Sat Jan  3 01:05:34 1996\nSubject: x"));
        assert!(is_first_line(b"From MAILER-DAEMON Thu Jul 12 00:00 2001"));
        assert!(!is_first_line(b"From here on it was dark.\n"));
        assert!(!is_first_line(b"From: a@b 01:05\n"));
    }

    #[test]
    fn messages_are_cut_as_they_arrive() {
        let text =
            b"From a Sat Jan  3 01:05:34 1996\nA: b\n\nFrom 10:20 on\nFrom a Sat 01:05 1996 not after an empty line\n\n\
                     From b Sat Jan  3 01:05:34 1996\n\nx\n";
        for step in [1, 7, 100, 1000] {
            let (mut cutter, mut at, mut there, mut out) = (MessageCutter::default(), 0, 0, Vec::new());
            while at < text.len() {
                let edge = if there < text.len() { Edge::More } else { Edge::End };
                let cut = if at == there { Cut::NeedMore } else { cutter.cut(&text[at..there], edge) };
                match cut {
                    Cut::NeedMore => there = (there + step).min(text.len()),
                    Cut::Drop(n) => at += n,
                    Cut::Record(n) => {
                        out.push(n);
                        at += n;
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!(out, [99, 35], "{step} bytes at a time");
        }
    }
}
