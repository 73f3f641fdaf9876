//! TREC web and TREC text: documents between `<DOC>` and `</DOC>`, in any case.
//!
//! TREC web has the URL and the HTTP header in `<DOCHDR>`; its first line is the URL alone or `URL IP date type length`.
//! TREC text has markup of its own (`<TEXT>`, `<HEADLINE>`), which is taken out like that of a page.

use crate::cut::{Cut, Cutter, Edge};
use crate::format::{Format, Sign, front};
use crate::item::{one_line, push_line};
use crate::warc::{Kind, field, kind, parameter, refused};
use crate::{Document, Item, LARGEST_BODY, Media, Reason, Skip, Status, page};

pub(crate) static FORMAT: Format = Format {
    sniff,
    ..Format::new(
        "trecweb",
        || Box::<Documents>::default(),
        |record, _, visit| {
            read(record.bytes, record.offset, record.status, visit);
        },
    )
};

const OPEN: &[u8] = b"<DOC>";
const CLOSE: &[u8] = b"</DOC>";

/// `<DOC>` at the front; or on a line of its own with `<DOCNO>` behind it, after a declaration or the like.
fn sniff(first: &[u8]) -> Option<Sign> {
    let first = front(first);
    if first.get(..OPEN.len()).is_some_and(|start| start.eq_ignore_ascii_case(OPEN)) {
        return Some(Sign::FirstTag);
    }
    let later = memchr::memmem::find_iter(first, b"\n<DOC>").any(|at| {
        let rest = first[at + 6..].trim_ascii_start();
        rest.get(..7).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<DOCNO>"))
    });
    later.then_some(Sign::LaterTag)
}

/// First place at or behind `from` where `tag` stands, in any case.
fn find(bytes: &[u8], tag: &[u8], from: usize) -> Option<usize> {
    let tail = bytes.get(from..)?;
    // The two first characters of a tag have no case where it closes, and one of them where it opens.
    memchr::memchr_iter(b'<', tail)
        .map(|at| from + at)
        .find(|&at| bytes.get(at..at + tag.len()).is_some_and(|found| found.eq_ignore_ascii_case(tag)))
}

/// Finds the ends of TREC documents.
#[derive(Debug, Default)]
struct Documents {
    /// Behind something that was reported: on the way to the next document.
    lost: bool,
    /// No `</DOC>` before here.
    scanned: usize,
}

impl Cutter for Documents {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        let more = edge == Edge::More;
        if self.lost {
            return match find(bytes, OPEN, 0) {
                Some(at) => {
                    self.lost = false;
                    if at == 0 { self.document(bytes, edge) } else { Cut::Drop(at) }
                }
                None if more && bytes.len() < OPEN.len() => Cut::Need,
                None => Cut::Drop(bytes.len() - if more { OPEN.len() - 1 } else { 0 }),
            };
        }
        let bom = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let blanks = bom + bytes[bom..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        if blanks > 0 {
            return Cut::Drop(blanks);
        }
        if bytes.len() < OPEN.len() && more {
            return Cut::Need;
        }
        if !bytes.get(..OPEN.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(OPEN)) {
            self.lost = true;
            return Cut::Skip(0, Reason::NoRecord, String::new());
        }
        self.document(bytes, edge)
    }
}

impl Documents {
    fn document(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        let most = LARGEST_BODY + (64 << 10);
        let seen = &bytes[..bytes.len().min(most)];
        let close = find(seen, CLOSE, self.scanned);
        self.scanned = 0;
        if let Some(close) = close {
            // A document that was not closed is told; the one behind it is read.
            return match next_open(&seen[..close]) {
                Some(open) => Cut::Skip(open, Reason::EndsEarly, "no </DOC>".to_owned()),
                None => Cut::Record(close + CLOSE.len()),
            };
        }
        if seen.len() == most {
            self.lost = true;
            return Cut::Skip(OPEN.len(), Reason::TooLarge, format!("no </DOC> within {most} bytes"));
        }
        if edge == Edge::More {
            self.scanned = seen.len().saturating_sub(CLOSE.len());
            return Cut::Need;
        }
        match next_open(seen) {
            Some(open) => Cut::Skip(open, Reason::EndsEarly, "no </DOC>".to_owned()),
            None => Cut::Early,
        }
    }
}

/// Where another document begins inside one: `<DOC>` at the front of a line, with `<DOCNO>` behind it.
fn next_open(bytes: &[u8]) -> Option<usize> {
    let mut from = OPEN.len();
    while let Some(at) = find(bytes, OPEN, from) {
        let rest = bytes[at + OPEN.len()..].trim_ascii_start();
        let number = rest.get(..7).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<DOCNO>"));
        if number && bytes[at - 1] == b'\n' {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// What stands between `<name>` and `</name>`, and where the closing tag ends.
fn element<'a>(bytes: &'a [u8], open: &[u8], close: &[u8]) -> Option<(&'a [u8], usize)> {
    let start = find(bytes, open, 0)? + open.len();
    let end = find(bytes, close, start)?;
    Some((&bytes[start..end], end + close.len()))
}

/// Shows one document.
fn read(record: &[u8], offset: u64, status: Status, visit: &mut dyn FnMut(Item<'_>)) {
    let mut skip = |reason, detail| visit(Item::Skipped(Skip { offset, reason, detail }));
    let inside = &record[OPEN.len().min(record.len())..record.len().saturating_sub(CLOSE.len())];
    let (mut id, mut url, mut date) = (String::new(), String::new(), String::new());
    let Some((number, after)) = element(inside, b"<DOCNO>", b"</DOCNO>") else {
        return skip(Reason::NoId, one_line(inside));
    };
    push_line(&mut id, number);
    if id.is_empty() {
        return skip(Reason::NoId, one_line(inside));
    }
    // A header stands before the page: a page may talk about TREC itself.
    let rest = &inside[after..];
    let near = find(rest, b"<DOCHDR>", 0).is_some_and(|at| find(rest, b"<html", 0).is_none_or(|html| at < html));
    let (header, body) = match element(rest, b"<DOCHDR>", b"</DOCHDR>").filter(|_| near) {
        Some((header, end)) => (header.trim_ascii_start(), &rest[end..]),
        None => (&[][..], rest),
    };
    let body = without_line_end(body);
    if let Some((address, _)) =
        element(&rest[..rest.len().min(1024)], b"<URL>", b"</URL>").filter(|_| header.is_empty())
    {
        push_line(&mut url, address);
    }
    let (line, answer) = header.split_at(memchr::memchr(b'\n', header).map_or(header.len(), |at| at + 1));
    let answer = Some(answer.trim_ascii_start()).filter(|answer| answer.starts_with(b"HTTP/"));
    if let Some((reason, said)) = answer.and_then(|answer| refused(answer, status)) {
        return skip(reason, format!("{said}: {id}"));
    }
    let mut media_type = first_line(line, &mut url, &mut date);
    let named = field(header, "Content-Type").unwrap_or_default();
    if !named.is_empty() {
        media_type = &named;
    }
    let media = match kind(media_type) {
        _ if header.is_empty() => Media::Html,
        Kind::Known(media) => media,
        Kind::Sniff => match page::sniff(body) {
            Some(media) => media,
            None => return skip(Reason::Binary, id),
        },
        Kind::Other => return skip(Reason::MediaType, format!("{}: {id}", one_line(media_type))),
    };
    if body.trim_ascii().is_empty() {
        return skip(Reason::Empty, id);
    }
    let charset = parameter(media_type, "charset").map(one_line);
    let charset = charset.as_deref();
    visit(Item::Document(Document { id: &id, url: &url, date: &date, media, charset, body, offset }));
}

/// Reads `URL`, or `URL IP date type length`; returns the type.
fn first_line<'a>(line: &'a [u8], url: &mut String, date: &mut String) -> &'a [u8] {
    let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let digits = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    match words.as_slice() {
        [address @ .., _, stamp, media_type, length] if !address.is_empty() && digits(stamp) && digits(length) => {
            push_line(url, &address.join(&b' '));
            push_line(date, stamp);
            media_type
        }
        [address, ..] => {
            push_line(url, address);
            b""
        }
        [] => b"",
    }
}

/// Without the line end behind `</DOCHDR>` and the one before `</DOC>`.
fn without_line_end(body: &[u8]) -> &[u8] {
    let body = body.strip_prefix(b"\r\n").or_else(|| body.strip_prefix(b"\n")).unwrap_or(body);
    body.strip_suffix(b"\r\n").or_else(|| body.strip_suffix(b"\n")).unwrap_or(body)
}
