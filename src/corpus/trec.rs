//! TREC web and TREC text: documents between `<DOC>` and `</DOC>`, in any case.
//!
//! The number is in `<DOCNO>`, or in the tag as in NTCIR's and Gigaword's `<DOC id="…">`, where WikiExtractor adds `url`.
//! TREC web has the URL and the HTTP header in `<DOCHDR>`; its first line is the URL alone or `URL IP date type length`.
//! TREC text has markup of its own (`<TEXT>`, `<HEADLINE>`), which is taken out like that of a page.

use crate::cut::{Cut, Cutter, Edge};
use crate::format::{Format, Sign, front};
use crate::item::{one_line, push_line};
use crate::warc::{MediaKind, field, media_kind, parameter, refusal};
use crate::{AcceptedStatus, CorpusItem, Document, LARGEST_BODY, Media, SkipReason, SkippedRecord, page};

pub(crate) static FORMAT: Format = Format {
    sniff,
    clipped: true,
    ..Format::new(
        "trecweb",
        || Box::<DocumentCutter>::default(),
        |record, _, visit| {
            read(record.bytes, record.offset, record.status, visit);
        },
    )
};

/// How the tag that opens a document begins.
const OPEN: &[u8] = b"<DOC";
const CLOSE: &[u8] = b"</DOC>";
/// What UTF-8 may begin with; where files were joined it stands between documents, too.
const BOM: &[u8] = b"\xef\xbb\xbf";
/// Longest tag that opens a document.
const LONGEST_TAG: usize = 4 << 10;

/// Whether bytes begin with a tag that opens a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    /// The tag has that many bytes.
    Tag(usize),
    /// The bytes end before that is certain.
    Unsure,
    Other,
}

/// `<DOC>`, or `<DOC …>` with an attribute that is the document's number.
fn opening(bytes: &[u8]) -> Opening {
    let known = bytes.len().min(OPEN.len());
    if !bytes[..known].eq_ignore_ascii_case(&OPEN[..known]) {
        return Opening::Other;
    }
    match bytes.get(OPEN.len()) {
        None => Opening::Unsure,
        Some(b'>') => Opening::Tag(OPEN.len() + 1),
        Some(b) if b.is_ascii_whitespace() => {
            let seen = &bytes[..bytes.len().min(LONGEST_TAG)];
            match memchr::memchr(b'>', seen) {
                Some(end) if attribute(&seen[..end], b"id").is_some() => Opening::Tag(end + 1),
                None if bytes.len() < LONGEST_TAG => Opening::Unsure,
                _ => Opening::Other,
            }
        }
        Some(_) => Opening::Other,
    }
}

/// The value of an attribute of a tag, in any case of its name.
fn attribute<'a>(tag: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    memchr::memchr_iter(b'=', tag).find_map(|equals| {
        let before = tag[..equals].trim_ascii_end();
        let start = before.len().checked_sub(name.len())?;
        let alone = before[..start].last().is_some_and(u8::is_ascii_whitespace);
        if !alone || !before[start..].eq_ignore_ascii_case(name) {
            return None;
        }
        let value = tag[equals + 1..].trim_ascii_start();
        let end = match value.first()? {
            quote @ (b'"' | b'\'') => return value[1..].split(|b| b == quote).next().filter(|v| !v.is_empty()),
            _ => value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len()),
        };
        Some(&value[..end])
    })
}

/// A file begins with a tag that opens a document, or it has one at the start of a line, followed by `<DOCNO>`, after a
/// declaration or the like.
fn sniff(first: &[u8]) -> Option<Sign> {
    let first = front(first);
    if matches!(opening(first), Opening::Tag(_)) {
        return Some(Sign::FirstTag);
    }
    let later = memchr::memmem::find_iter(first, b"\n<DOC>").any(|at| {
        let rest = first[at + 6..].trim_ascii_start();
        rest.get(..7).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<DOCNO>"))
    });
    later.then_some(Sign::LaterTag)
}

/// The first place from `from` on where a document opens, or, `Err`, where one may when more bytes follow.
fn find_opening(bytes: &[u8], from: usize) -> Result<usize, usize> {
    let tail = bytes.get(from..).unwrap_or_default();
    for at in memchr::memchr_iter(b'<', tail).map(|at| from + at) {
        match opening(&bytes[at..]) {
            Opening::Tag(_) => return Ok(at),
            Opening::Unsure => return Err(at),
            Opening::Other => {}
        }
    }
    Err(bytes.len())
}

/// The first place of `tag`, in upper or lower case, from `from` on.
fn find_tag(bytes: &[u8], tag: &[u8], from: usize) -> Option<usize> {
    let tail = bytes.get(from..)?;
    memchr::memchr_iter(b'<', tail)
        .map(|at| from + at)
        .find(|&at| bytes.get(at..at + tag.len()).is_some_and(|found| found.eq_ignore_ascii_case(tag)))
}

/// Cuts a file into TREC documents.
#[derive(Debug, Default)]
struct DocumentCutter {
    /// Whether bytes up to the next document belong to something that was reported.
    skipping: bool,
    /// Bytes that are known to contain no `</DOC>`.
    scanned: usize,
}

impl Cutter for DocumentCutter {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        let more = edge == Edge::More;
        if self.skipping {
            return match find_opening(bytes, 0) {
                Ok(at) => {
                    self.skipping = false;
                    if at == 0 { self.document(bytes, edge) } else { Cut::Drop(at) }
                }
                Err(0) if more => Cut::NeedMore,
                Err(at) if more => Cut::Drop(at),
                Err(_) => Cut::Drop(bytes.len()),
            };
        }
        if more && bytes.len() < BOM.len() && BOM.starts_with(bytes) {
            return Cut::NeedMore;
        }
        let bom = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let blanks = bom + bytes[bom..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        if blanks > 0 {
            return Cut::Drop(blanks);
        }
        match opening(bytes) {
            Opening::Tag(_) => {}
            Opening::Unsure if more => return Cut::NeedMore,
            _ => {
                self.skipping = true;
                return Cut::Skip(0, SkipReason::NoRecord, String::new());
            }
        }
        self.document(bytes, edge)
    }
}

impl DocumentCutter {
    fn document(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        let most = LARGEST_BODY + (64 << 10);
        let seen = &bytes[..bytes.len().min(most)];
        let close = find_tag(seen, CLOSE, self.scanned);
        self.scanned = 0;
        if let Some(close) = close {
            // A document that is not closed is reported; the next one is read.
            return match next_open(&seen[..close]) {
                Some(open) => Cut::Skip(open, SkipReason::EndsEarly, "no </DOC>".to_owned()),
                None => Cut::Record(close + CLOSE.len()),
            };
        }
        if seen.len() == most {
            self.skipping = true;
            return Cut::Skip(OPEN.len() + 1, SkipReason::TooLarge, format!("no </DOC> within {most} bytes"));
        }
        if edge == Edge::More {
            self.scanned = seen.len().saturating_sub(CLOSE.len());
            return Cut::NeedMore;
        }
        match next_open(seen) {
            Some(open) => Cut::Skip(open, SkipReason::EndsEarly, "no </DOC>".to_owned()),
            None => Cut::Incomplete,
        }
    }
}

/// Where another document begins inside one: at the start of a line, with its number in the tag or in `<DOCNO>` after it.
fn next_open(bytes: &[u8]) -> Option<usize> {
    let mut from = OPEN.len();
    while let Ok(at) = find_opening(bytes, from) {
        let Opening::Tag(length) = opening(&bytes[at..]) else { return None };
        let rest = bytes[at + length..].trim_ascii_start();
        let number = rest.get(..7).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<DOCNO>"));
        if (number || length > OPEN.len() + 1) && bytes[at - 1] == b'\n' {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// The content between two tags, and where the closing tag ends.
fn element<'a>(bytes: &'a [u8], open: &[u8], close: &[u8]) -> Option<(&'a [u8], usize)> {
    let start = find_tag(bytes, open, 0)? + open.len();
    let end = find_tag(bytes, close, start)?;
    Some((&bytes[start..end], end + close.len()))
}

fn read(record: &[u8], offset: u64, status: AcceptedStatus, visit: &mut dyn FnMut(CorpusItem<'_>)) {
    let mut skip = |reason, detail| visit(CorpusItem::Skipped(SkippedRecord { offset, reason, detail }));
    let Opening::Tag(start) = opening(record) else { return skip(SkipReason::NoRecord, one_line(record)) };
    let (tag, inside) = record.split_at(start);
    let tag = &tag[..tag.len() - 1];
    let inside = match inside.len().checked_sub(CLOSE.len()) {
        Some(end) if inside[end..].eq_ignore_ascii_case(CLOSE) => &inside[..end],
        _ => inside,
    };
    let (mut id, mut url, mut date) = (String::new(), String::new(), String::new());
    let number = element(inside, b"<DOCNO>", b"</DOCNO>");
    let (number, after) = match (number, attribute(tag, b"id")) {
        (Some((number, after)), _) => (number, after),
        (None, Some(number)) => (number, 0),
        (None, None) => return skip(SkipReason::NoId, one_line(inside)),
    };
    push_line(&mut id, number);
    if id.is_empty() {
        return skip(SkipReason::NoId, one_line(inside));
    }
    if let Some(address) = attribute(tag, b"url") {
        push_line(&mut url, address);
    }
    // A header comes before the page; inside the page `<DOCHDR>` is text about TREC.
    let rest = &inside[after..];
    let has_header =
        find_tag(rest, b"<DOCHDR>", 0).is_some_and(|at| find_tag(rest, b"<html", 0).is_none_or(|html| at < html));
    let (header, body) = match element(rest, b"<DOCHDR>", b"</DOCHDR>").filter(|_| has_header) {
        Some((header, end)) => (header.trim_ascii_start(), &rest[end..]),
        None => (&[][..], rest),
    };
    let body = without_line_end(body);
    if let Some((address, _)) =
        element(&rest[..rest.len().min(1024)], b"<URL>", b"</URL>").filter(|_| header.is_empty() && url.is_empty())
    {
        push_line(&mut url, address);
    }
    let (line, answer) = header.split_at(memchr::memchr(b'\n', header).map_or(header.len(), |at| at + 1));
    let answer = Some(answer.trim_ascii_start()).filter(|answer| answer.starts_with(b"HTTP/"));
    if let Some((reason, status_line)) = answer.and_then(|answer| refusal(answer, status)) {
        return skip(reason, format!("{status_line}: {id}"));
    }
    let mut media_type = parse_first_line(line, &mut url, &mut date);
    let named = field(header, "Content-Type").unwrap_or_default();
    if !named.is_empty() {
        media_type = &named;
    }
    let media = match media_kind(media_type) {
        _ if header.is_empty() => Media::Html,
        MediaKind::Known(media) => media,
        MediaKind::Sniff => match page::sniff(body) {
            Some(media) => media,
            None => return skip(SkipReason::Binary, id),
        },
        MediaKind::Other => return skip(SkipReason::MediaType, format!("{}: {id}", one_line(media_type))),
    };
    if body.trim_ascii().is_empty() {
        return skip(SkipReason::Empty, id);
    }
    let charset = parameter(media_type, "charset").map(one_line);
    let charset = charset.as_deref();
    visit(CorpusItem::Document(Document { id: &id, url: &url, date: &date, media, charset, body, offset }));
}

/// Reads `URL`, or `URL IP date type length`; returns the type.
fn parse_first_line<'a>(line: &'a [u8], url: &mut String, date: &mut String) -> &'a [u8] {
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

/// A body without the line ends after `</DOCHDR>` and before `</DOC>`.
fn without_line_end(body: &[u8]) -> &[u8] {
    let body = body.strip_prefix(b"\r\n").or_else(|| body.strip_prefix(b"\n")).unwrap_or(body);
    body.strip_suffix(b"\r\n").or_else(|| body.strip_suffix(b"\n")).unwrap_or(body)
}
