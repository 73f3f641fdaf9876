//! What an HTTP header says about the page behind it, and undoing what was done to it on the way.

use crate::gzip;
use crate::item::one_line;
use crate::{LARGEST_BODY, Media, Reason, Status, page};

/// What a media type stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A page.
    Known(Media),
    /// Missing, odd, or said of everything: the bytes decide.
    Sniff,
    /// Not a text that people read.
    Other,
}

/// Judges a media type, with or without parameters. Style sheets, scripts, JSON and DNS answers are no pages.
pub(crate) fn kind(media_type: &[u8]) -> Kind {
    let name =
        media_type.split(|&b| b == b';' || b == b',').next().unwrap_or_default().trim_ascii().to_ascii_lowercase();
    let Some(slash) = memchr::memchr(b'/', &name) else { return Kind::Sniff };
    match (&name[..slash], &name[slash + 1..]) {
        (b"text", b"html") => Kind::Known(Media::Html),
        (b"text", b"css" | b"javascript" | b"ecmascript" | b"x-javascript" | b"dns" | b"calendar" | b"x-vcard") => {
            Kind::Other
        }
        (b"text" | b"application", sub) if sub.ends_with(b"xml") => Kind::Known(Media::Html),
        (b"text", b"plain") => Kind::Known(Media::Text),
        (b"application", b"octet-stream" | b"http" | b"unknown" | b"x-unknown" | b"force-download") => Kind::Sniff,
        (b"application" | b"image" | b"audio" | b"video" | b"font" | b"model" | b"multipart" | b"message", _) => {
            Kind::Other
        }
        _ => Kind::Sniff,
    }
}

/// Why the answer of a server is no document, by the first line of its header (`HTTP/1.1 404 Not Found`), and what the
/// line says. A number that is none says nothing.
pub(crate) fn refused(header: &[u8], wanted: Status) -> Option<(Reason, String)> {
    let line = header.split(|&b| b == b'\n').next().unwrap_or_default().trim_ascii();
    let (_, said) = line.split_at_checked(memchr::memchr(b' ', line)?)?;
    let number = said.trim_ascii_start().split(|b| !b.is_ascii_digit()).next().unwrap_or_default();
    let number: u32 = std::str::from_utf8(number).ok().filter(|digits| digits.len() == 3)?.parse().ok()?;
    let reason = match number {
        _ if wanted == Status::All => return None,
        200..300 => return None,
        300..400 => Reason::HttpRedirect,
        _ => Reason::HttpError,
    };
    Some((reason, one_line(said)))
}

/// Takes chunk sizes out. False, and nothing in `into`, when the first chunk is none: the announcement was wrong. When
/// a later one is wrong, the rest follows as it stands.
pub(crate) fn unchunk(mut body: &[u8], into: &mut Vec<u8>) -> bool {
    into.clear();
    let mut first = true;
    while let Some((size, start)) = chunk_size(body) {
        let rest = &body[start..];
        if size == 0 {
            return !first || rest.trim_ascii().is_empty();
        }
        if first && size > rest.len() && size > LARGEST_BODY {
            return false;
        }
        first = false;
        let end = size.min(rest.len());
        into.extend_from_slice(&rest[..end]);
        body = &rest[end..];
        body = body.strip_prefix(b"\r\n").or_else(|| body.strip_prefix(b"\n")).unwrap_or(body);
        if body.is_empty() {
            return true;
        }
    }
    if first {
        return false;
    }
    into.extend_from_slice(body);
    true
}

/// A line with a hexadecimal number: the number, and where the chunk begins.
fn chunk_size(body: &[u8]) -> Option<(usize, usize)> {
    let end = memchr::memchr(b'\n', &body[..body.len().min(256)])?;
    let digits = body[..end].split(|&b| b == b';').next().unwrap_or_default().trim_ascii();
    let digits = std::str::from_utf8(digits).ok().filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
    Some((usize::from_str_radix(digits, 16).ok()?, end + 1))
}

/// Undoes a content encoding. `Ok(true)`: the page is in `into`; `Ok(false)`: `body` is the page already.
///
/// What is announced is not believed: gzip and zstd are recognised by their first bytes, `deflate` is tried, and
/// anything else is only given up when the bytes do not look like text.
pub(crate) fn decode(encoding: &[u8], body: &[u8], into: &mut Vec<u8>) -> Result<bool, Reason> {
    if body.starts_with(b"\x1f\x8b\x08") {
        return gzip::page(body, false, into).map(|()| true).ok_or(Reason::Encoding);
    }
    if body.starts_with(b"\x28\xb5\x2f\xfd") {
        return unzstd(body, into).map(|()| true).ok_or(Reason::Encoding);
    }
    if encoding.is_empty() || !page::looks_binary(body) {
        return Ok(false);
    }
    if encoding.eq_ignore_ascii_case(b"deflate") && gzip::page(body, true, into).is_some() {
        return Ok(true);
    }
    let known = [&b"identity"[..], b"none", b"gzip", b"x-gzip", b"utf-8"];
    if known.iter().any(|name| encoding.eq_ignore_ascii_case(name)) { Ok(false) } else { Err(Reason::Encoding) }
}

fn unzstd(body: &[u8], into: &mut Vec<u8>) -> Option<()> {
    use std::io::Read;
    into.clear();
    let decoder = zstd::stream::read::Decoder::with_buffer(body).ok()?;
    let result = decoder.take(LARGEST_BODY as u64 + 1).read_to_end(into);
    (into.len() <= LARGEST_BODY && (result.is_ok() || !into.is_empty())).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunked(body: &str) -> Option<String> {
        let mut out = Vec::new();
        unchunk(body.as_bytes(), &mut out).then(|| String::from_utf8_lossy(&out).into_owned())
    }

    #[test]
    fn chunks() {
        assert_eq!(chunked("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n").unwrap(), "abcde");
        assert_eq!(chunked("3\nabc\nnot a chunk").unwrap(), "abcnot a chunk");
        assert_eq!(chunked("9\r\nabc").unwrap(), "abc");
        assert_eq!(chunked("<html>\n"), None);
        assert_eq!(chunked(""), None);
        assert_eq!(chunked("fffffffffffffff\r\nabc"), None);
    }

    #[test]
    fn answers_that_are_no_documents() {
        let reason = |line: &str| refused(line.as_bytes(), Status::Ok);
        for fine in
            ["", "HTTP/1.1 200 OK\r\nA: 404\r\n\r\n", "HTTP/1.0 203", "HTTP/1.1 fine", "HTTP/1.1", "HTTP/1.1 20"]
        {
            assert_eq!(reason(fine), None, "{fine}");
        }
        assert_eq!(reason("HTTP/1.1 404 Not Found\r\n\r\n"), Some((Reason::HttpError, "404 Not Found".to_owned())));
        assert_eq!(reason("http/1.0  503\n\n"), Some((Reason::HttpError, "503".to_owned())));
        assert_eq!(reason("HTTP/1.1 301 Moved\n\n"), Some((Reason::HttpRedirect, "301 Moved".to_owned())));
        assert_eq!(refused(b"HTTP/1.1 404 Not Found\r\n\r\n", Status::All), None);
    }

    #[test]
    fn media_types() {
        assert_eq!(kind(b"Text/HTML; charset=x"), Kind::Known(Media::Html));
        assert_eq!(kind(b"application/xhtml+xml"), Kind::Known(Media::Html));
        assert_eq!(kind(b"text/plain"), Kind::Known(Media::Text));
        assert_eq!(kind(b"html"), Kind::Sniff);
        assert_eq!(kind(b""), Kind::Sniff);
        assert_eq!(kind(b"image/png"), Kind::Other);
        assert_eq!(kind(b"application/pdf"), Kind::Other);
        assert_eq!(kind(b"text/css"), Kind::Other);
    }

    #[test]
    fn encodings_are_seen_not_believed() {
        let mut out = Vec::new();
        assert_eq!(decode(b"gzip", b"<html>", &mut out), Ok(false));
        assert_eq!(decode(b"br", b"<html>", &mut out), Ok(false));
        assert_eq!(decode(b"br", b"\x0b\x02\x80<html>\x03", &mut out), Err(Reason::Encoding));
        let packed = zstd::stream::encode_all(&b"<html>"[..], 1).unwrap();
        assert_eq!(decode(b"", &packed, &mut out), Ok(true));
        assert_eq!(out, b"<html>");
        let mut zlib = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
        let mut packed = vec![0; 100];
        let n = zlib.zlib_compress(b"<html>\n<html>\n<html>\n", &mut packed).unwrap();
        assert_eq!(decode(b"deflate", &packed[..n], &mut out), Ok(true));
        assert_eq!(out, b"<html>\n<html>\n<html>\n");
        let n = zlib.deflate_compress(b"<html>\n<html>\n<html>\n", &mut packed).unwrap();
        assert!(decode(b"deflate", &packed[..n], &mut out).is_ok());
    }
}
