//! The part of a message that people read.

use std::borrow::Cow;

use crate::Media;
use crate::mbox::encodings::{base64, quoted_printable};
use crate::warc::{MediaKind, field, header_end, media_kind, parameter};

/// Messages in messages in messages: parts below this depth are not looked for.
const DEEPEST: usize = 8;

/// The text of a message.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) media: Media,
    /// As the part names it; `None` where it does not.
    pub(super) charset: Option<String>,
    pub(super) text: Cow<'a, [u8]>,
}

/// The first part that is plain text, or else the first of HTML.
pub(super) fn find_text<'a>(header: &[u8], body: &'a [u8]) -> Option<Part<'a>> {
    let mut found = Vec::new();
    collect(header, body, DEEPEST, &mut found);
    let plain = found.iter().position(|part| part.media == Media::Text).unwrap_or(0);
    if found.is_empty() { None } else { Some(found.swap_remove(plain)) }
}

fn collect<'a>(header: &[u8], body: &'a [u8], depth: usize, found: &mut Vec<Part<'a>>) {
    let named = field(header, "Content-Type").unwrap_or_default();
    let kind = named.trim_ascii_start().to_ascii_lowercase();
    if let (true, Some(boundary)) = (kind.starts_with(b"multipart/"), parameter(&named, "boundary")) {
        if depth > 0 {
            for part in parts(body, boundary) {
                let (header, body) = part.split_at(header_end(part).unwrap_or(part.len()));
                collect(header, body, depth - 1, found);
            }
        }
        return;
    }
    let attached = field(header, "Content-Disposition")
        .is_some_and(|value| value.trim_ascii_start().to_ascii_lowercase().starts_with(b"attachment"));
    let media = match media_kind(if kind.is_empty() { b"text/plain" } else { &kind }) {
        MediaKind::Known(media) if !attached => media,
        _ => return,
    };
    let charset = parameter(&named, "charset").map(|name| String::from_utf8_lossy(name).into_owned());
    found.push(Part { media, charset, text: decoded(header, body) });
}

/// What lies between lines of two hyphens and the boundary. The line before is kept with each part, for [`field`] passes
/// over the first line of a header.
fn parts<'a>(body: &'a [u8], boundary: &[u8]) -> Vec<&'a [u8]> {
    let mark = [b"--", boundary].concat();
    let starts: Vec<usize> =
        memchr::memmem::find_iter(body, &mark).filter(|&at| at == 0 || body[at - 1] == b'\n').collect();
    let ends = starts.iter().skip(1).copied().chain([body.len()]);
    let pieces = starts.iter().zip(ends).map(|(&start, end)| &body[start..end]);
    // The last mark has two more hyphens, and nothing that counts follows it.
    pieces.filter(|piece| !piece[mark.len()..].starts_with(b"--")).collect()
}

fn decoded<'a>(header: &[u8], body: &'a [u8]) -> Cow<'a, [u8]> {
    let encoding = field(header, "Content-Transfer-Encoding").unwrap_or_default().to_ascii_lowercase();
    match encoding.as_slice() {
        b"base64" => Cow::Owned(base64(body)),
        b"quoted-printable" => unquoted(Cow::Owned(quoted_printable(body, false))),
        _ => unquoted(Cow::Borrowed(body)),
    }
}

/// `From ` at the start of a line was written as `>From `, and `>From ` as `>>From `.
fn unquoted(body: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if memchr::memmem::find(&body, b">From ").is_none() {
        return body;
    }
    let mut out = Vec::with_capacity(body.len());
    for line in body.split_inclusive(|&b| b == b'\n') {
        let marks = line.iter().take_while(|&&b| b == b'>').count();
        let is_quoted = marks > 0 && line[marks..].starts_with(b"From ");
        out.extend_from_slice(if is_quoted { &line[1..] } else { line });
    }
    Cow::Owned(out)
}
