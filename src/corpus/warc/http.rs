//! What an HTTP header says about its page, and how chunks and encodings are undone.

use crate::gzip;
use crate::item::one_line;
use crate::{AcceptedStatus, LARGEST_BODY, Media, SkipReason, page};

/// Whether a media type is that of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MediaKind {
    Known(Media),
    /// Missing, malformed, or too general: the bytes decide.
    Sniff,
    /// No text that people read.
    Other,
}

/// Classifies a media type, with or without parameters. Style sheets, scripts, JSON and DNS answers are no pages.
pub(crate) fn media_kind(media_type: &[u8]) -> MediaKind {
    let name =
        media_type.split(|&b| b == b';' || b == b',').next().unwrap_or_default().trim_ascii().to_ascii_lowercase();
    let Some(slash) = memchr::memchr(b'/', &name) else { return MediaKind::Sniff };
    match (&name[..slash], &name[slash + 1..]) {
        (b"text", b"html") => MediaKind::Known(Media::Html),
        (b"text", b"css" | b"javascript" | b"ecmascript" | b"x-javascript" | b"dns" | b"calendar" | b"x-vcard") => {
            MediaKind::Other
        }
        (b"text" | b"application", sub) if sub.ends_with(b"xml") => MediaKind::Known(Media::Html),
        (b"text", b"plain") => MediaKind::Known(Media::Text),
        (b"application", b"octet-stream" | b"http" | b"unknown" | b"x-unknown" | b"force-download") => MediaKind::Sniff,
        (b"application" | b"image" | b"audio" | b"video" | b"font" | b"model" | b"multipart" | b"message", _) => {
            MediaKind::Other
        }
        _ => MediaKind::Sniff,
    }
}

/// Why the answer of a server is no document, by the first line of its header (`HTTP/1.1 404 Not Found`), and the rest of
/// this line. A line without a status number refuses nothing.
pub(crate) fn refusal(header: &[u8], wanted: AcceptedStatus) -> Option<(SkipReason, String)> {
    let line = header.split(|&b| b == b'\n').next().unwrap_or_default().trim_ascii();
    let (_, status) = line.split_at_checked(memchr::memchr(b' ', line)?)?;
    let number = status.trim_ascii_start().split(|b| !b.is_ascii_digit()).next().unwrap_or_default();
    let number: u32 = std::str::from_utf8(number).ok().filter(|digits| digits.len() == 3)?.parse().ok()?;
    let reason = match number {
        _ if wanted == AcceptedStatus::All => return None,
        200..300 => return None,
        300..400 => SkipReason::HttpRedirect,
        _ => SkipReason::HttpError,
    };
    Some((reason, one_line(status)))
}

/// How a page was found in its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unpacked {
    /// The body is the page.
    AsItIs,
    Whole,
    /// As far as it goes, and why it ends there; behind a damaged chunk size with what follows, as it is.
    Part(SkipReason),
}

impl Unpacked {
    fn new(damage: Option<SkipReason>) -> Self {
        damage.map_or(Self::Whole, Self::Part)
    }

    /// Why it is not whole.
    pub(crate) fn damage(self) -> Option<SkipReason> {
        match self {
            Self::Part(why) => Some(why),
            Self::AsItIs | Self::Whole => None,
        }
    }
}

/// Removes chunk sizes. As it is, and nothing in `into`, when the body does not begin with a chunk: the header was wrong. After
/// a later size that is no number the rest is appended as it is. A body that ends in a chunk, in a size, or before the last chunk, which is
/// empty, was cut.
pub(crate) fn unchunk(body: &[u8], into: &mut Vec<u8>) -> Unpacked {
    into.clear();
    let mut left = body;
    while let Some((size, start)) = chunk_size(left) {
        let (first, rest) = (left.len() == body.len(), &left[start..]);
        if size == 0 {
            return if !first || rest.trim_ascii().is_empty() { Unpacked::Whole } else { Unpacked::AsItIs };
        }
        if first && size > rest.len() && size > LARGEST_BODY {
            return Unpacked::AsItIs;
        }
        let end = size.min(rest.len());
        into.extend_from_slice(&rest[..end]);
        let after = &rest[end..];
        left = after.strip_prefix(b"\r\n").or_else(|| after.strip_prefix(b"\n")).unwrap_or(after);
        if left.is_empty() {
            return Unpacked::Part(SkipReason::EndsEarly);
        }
    }
    if left.len() == body.len() {
        return Unpacked::AsItIs;
    }
    let size = left.trim_ascii_end();
    if size.iter().all(u8::is_ascii_hexdigit) {
        let is_last = !size.is_empty() && size.iter().all(|&digit| digit == b'0');
        return if is_last { Unpacked::Whole } else { Unpacked::Part(SkipReason::EndsEarly) };
    }
    into.extend_from_slice(left);
    Unpacked::Part(SkipReason::ChunkDamage)
}

/// The size of a chunk, from a line with a hexadecimal number, and where the chunk begins.
fn chunk_size(body: &[u8]) -> Option<(usize, usize)> {
    let end = memchr::memchr(b'\n', &body[..body.len().min(256)])?;
    let digits = body[..end].split(|&b| b == b';').next().unwrap_or_default().trim_ascii();
    let digits = std::str::from_utf8(digits).ok().filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
    Some((usize::from_str_radix(digits, 16).ok()?, end + 1))
}

/// Undoes a content encoding: the page is in `into`, unless `body` is the page already. A page that was compressed by a server and by
/// the program behind it is inflated again, up to [`MOST_LAYERS`] times.
pub(crate) fn decode(encoding: &[u8], body: &[u8], into: &mut Vec<u8>) -> Result<Unpacked, SkipReason> {
    let mut unpacked = decode_once(encoding, body, into)?;
    for _ in 1..MOST_LAYERS {
        if unpacked == Unpacked::AsItIs || !is_packed(into) {
            return Ok(unpacked);
        }
        let outer = std::mem::take(into);
        let inner = decode_once(encoding, &outer, into)?;
        unpacked = Unpacked::new(unpacked.damage().or(inner.damage()));
    }
    if unpacked != Unpacked::AsItIs && is_packed(into) { Err(SkipReason::Encoding) } else { Ok(unpacked) }
}

/// Encodings that a page may have one inside another.
const MOST_LAYERS: usize = 3;

/// Whether the bytes begin as gzip or zstd does.
fn is_packed(body: &[u8]) -> bool {
    body.starts_with(GZIP) || body.starts_with(ZSTD)
}

const GZIP: &[u8] = b"\x1f\x8b\x08";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

/// The announced encoding is not trusted: gzip and zstd are recognised by their first bytes, `deflate` is tried, and any
/// other body is only refused when its bytes do not look like text.
fn decode_once(encoding: &[u8], body: &[u8], into: &mut Vec<u8>) -> Result<Unpacked, SkipReason> {
    if body.starts_with(GZIP) {
        return gzip::page(body, into).map(Unpacked::new);
    }
    if body.starts_with(ZSTD) {
        return unzstd(body, into).map(Unpacked::new);
    }
    if encoding.is_empty() || !page::looks_binary(body) {
        return Ok(Unpacked::AsItIs);
    }
    if encoding.eq_ignore_ascii_case(b"deflate") {
        match gzip::deflated_page(body, into) {
            Ok(damage) => return Ok(Unpacked::new(damage)),
            Err(SkipReason::TooLarge) => return Err(SkipReason::TooLarge),
            Err(_) => {}
        }
    }
    let known = [&b"identity"[..], b"none", b"gzip", b"x-gzip", b"utf-8"];
    match known.iter().any(|name| encoding.eq_ignore_ascii_case(name)) {
        true => Ok(Unpacked::AsItIs),
        false => Err(SkipReason::Encoding),
    }
}

fn unzstd(body: &[u8], into: &mut Vec<u8>) -> Result<Option<SkipReason>, SkipReason> {
    use std::io::Read;
    into.clear();
    let mut frames = body;
    let mut context = zstd::zstd_safe::DCtx::create();
    while begins_frame(frames) {
        let mut decoder = zstd::stream::read::Decoder::with_context(frames, &mut context).single_frame();
        let room = LARGEST_BODY + 1 - into.len();
        match decoder.by_ref().take(room as u64).read_to_end(into) {
            _ if into.len() > LARGEST_BODY => return Err(SkipReason::TooLarge),
            Err(_) if into.is_empty() => return Err(SkipReason::Encoding),
            Err(why) if why.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(Some(SkipReason::CompressedEnd)),
            Err(_) => return Ok(Some(SkipReason::CompressedDamage)),
            Ok(_) => frames = decoder.finish(),
        }
    }
    // Blanks behind the last frame say nothing, as with gzip.
    Ok((!frames.trim_ascii().is_empty()).then_some(SkipReason::CompressedDamage))
}

/// Whether the bytes begin as a frame of zstd does, or as one that holds something else and is passed over.
fn begins_frame(bytes: &[u8]) -> bool {
    bytes.starts_with(ZSTD) || matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunked(body: &str) -> Option<String> {
        let mut out = Vec::new();
        let unpacked = unchunk(body.as_bytes(), &mut out);
        (unpacked != Unpacked::AsItIs).then(|| String::from_utf8_lossy(&out).into_owned())
    }

    #[test]
    fn a_chunk_that_was_cut_is_said() {
        let mut out = Vec::new();
        assert_eq!(unchunk(b"3\r\nabc\r\n0\r\n\r\n", &mut out), Unpacked::Whole);
        assert_eq!(unchunk(b"3\r\nabc\r\n0", &mut out), Unpacked::Whole);
        assert_eq!(unchunk(b"3\r\nabc\r\n9\r\nde", &mut out), Unpacked::Part(SkipReason::EndsEarly));
        assert_eq!(out, b"abcde");
        for cut in ["3\r\nabc\r\n", "3\r\nabc", "3\r\nabc\r\nff", "3\r\nabc\r\n1f\r"] {
            assert_eq!(unchunk(cut.as_bytes(), &mut out), Unpacked::Part(SkipReason::EndsEarly), "{cut}");
            assert_eq!(out, b"abc");
        }
        assert_eq!(unchunk(b"3\r\nabc\r\nno size\r\nde", &mut out), Unpacked::Part(SkipReason::ChunkDamage));
        assert_eq!(out, b"abcno size\r\nde", "nothing is thrown away");
    }

    #[test]
    fn what_stands_behind_a_page_of_zstd_is_no_damage() {
        let frame = |text: &str| zstd::encode_all(text.as_bytes(), 1).unwrap();
        let mut out = Vec::new();
        for (body, damage) in [
            ([frame("page"), b"\n".to_vec()].concat(), None),
            ([frame("pa"), frame("ge")].concat(), None),
            ([frame("page"), frame("more")[..8].to_vec()].concat(), Some(SkipReason::CompressedEnd)),
            ([frame("pa"), b"\x51\x2a\x4d\x18\x02\0\0\0xy".to_vec(), frame("ge")].concat(), None),
            ([frame("page"), frame("more")[1..].to_vec()].concat(), Some(SkipReason::CompressedDamage)),
            ([frame("page"), frame("").repeat(100_000)].concat(), None),
        ] {
            assert_eq!(unzstd(&body, &mut out), Ok(damage));
            assert!(out.starts_with(b"page"));
        }
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
        let reason = |line: &str| refusal(line.as_bytes(), AcceptedStatus::Ok);
        for fine in
            ["", "HTTP/1.1 200 OK\r\nA: 404\r\n\r\n", "HTTP/1.0 203", "HTTP/1.1 fine", "HTTP/1.1", "HTTP/1.1 20"]
        {
            assert_eq!(reason(fine), None, "{fine}");
        }
        assert_eq!(reason("HTTP/1.1 404 Not Found\r\n\r\n"), Some((SkipReason::HttpError, "404 Not Found".to_owned())));
        assert_eq!(reason("http/1.0  503\n\n"), Some((SkipReason::HttpError, "503".to_owned())));
        assert_eq!(reason("HTTP/1.1 301 Moved\n\n"), Some((SkipReason::HttpRedirect, "301 Moved".to_owned())));
        assert_eq!(refusal(b"HTTP/1.1 404 Not Found\r\n\r\n", AcceptedStatus::All), None);
    }

    #[test]
    fn media_types() {
        assert_eq!(media_kind(b"Text/HTML; charset=x"), MediaKind::Known(Media::Html));
        assert_eq!(media_kind(b"application/xhtml+xml"), MediaKind::Known(Media::Html));
        assert_eq!(media_kind(b"text/plain"), MediaKind::Known(Media::Text));
        assert_eq!(media_kind(b"html"), MediaKind::Sniff);
        assert_eq!(media_kind(b""), MediaKind::Sniff);
        assert_eq!(media_kind(b"image/png"), MediaKind::Other);
        assert_eq!(media_kind(b"application/pdf"), MediaKind::Other);
        assert_eq!(media_kind(b"text/css"), MediaKind::Other);
    }

    #[test]
    fn what_was_compressed_twice_is_inflated_twice() {
        let mut page = b"<html>".to_vec();
        for layer in 1..=MOST_LAYERS + 1 {
            page = zstd::stream::encode_all(&page[..], 1).unwrap();
            let mut out = Vec::new();
            match decode(b"gzip, gzip", &page, &mut out) {
                Ok(unpacked) => {
                    assert!(unpacked == Unpacked::Whole && out == b"<html>" && layer <= MOST_LAYERS, "{layer}");
                }
                Err(why) => assert!(layer > MOST_LAYERS && why == SkipReason::Encoding, "{layer}"),
            }
        }
    }

    #[test]
    fn encodings_are_recognised_by_their_bytes() {
        let mut out = Vec::new();
        assert_eq!(decode(b"gzip", b"<html>", &mut out), Ok(Unpacked::AsItIs));
        assert_eq!(decode(b"br", b"<html>", &mut out), Ok(Unpacked::AsItIs));
        assert_eq!(decode(b"br", b"\x0b\x02\x80<html>\x03", &mut out), Err(SkipReason::Encoding));
        let packed = zstd::stream::encode_all(&b"<html>"[..], 1).unwrap();
        assert_eq!(decode(b"", &packed, &mut out), Ok(Unpacked::Whole));
        assert_eq!(out, b"<html>");
        let mut zlib = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
        let mut packed = vec![0; 100];
        let n = zlib.zlib_compress(b"<html>\n<html>\n<html>\n", &mut packed).unwrap();
        assert_eq!(decode(b"deflate", &packed[..n], &mut out), Ok(Unpacked::Whole));
        assert_eq!(out, b"<html>\n<html>\n<html>\n");
        let n = zlib.deflate_compress(b"<html>\n<html>\n<html>\n", &mut packed).unwrap();
        assert!(decode(b"deflate", &packed[..n], &mut out).is_ok());
    }
}
