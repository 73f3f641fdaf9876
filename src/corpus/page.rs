//! Files that are one document each, and how markup, text and binary data are told apart by their first bytes.

use crate::cut::{Cut, Cutter, Edge};
use crate::format::{Format, Sign};
use crate::record::Record;
use crate::{CorpusItem, Document, LARGEST_BODY, Media, SkipReason, SkippedRecord};

pub(crate) static HTML: Format = Format {
    sniff: |first| (sniff(first) == Some(Media::Html)).then_some(Sign::Markup),
    clipped: true,
    ..Format::new(
        "html",
        || Box::<WholeFileCutter>::default(),
        |record, _, visit| read(Some(Media::Html), record, visit),
    )
};

pub(crate) static TEXT: Format = Format {
    sniff: |_| Some(Sign::Anything),
    clipped: true,
    ..Format::new(
        "text",
        || Box::<WholeFileCutter>::default(),
        |record, _, visit| {
            read(sniff(record.bytes).map(|_| Media::Text), record, visit);
        },
    )
};

/// Makes the whole file one record.
#[derive(Debug, Default)]
struct WholeFileCutter {
    /// Whether the file was too large, so that the rest is dropped.
    skipping: bool,
}

impl Cutter for WholeFileCutter {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        if self.skipping {
            Cut::Drop(bytes.len())
        } else if bytes.len() > LARGEST_BODY {
            self.skipping = true;
            Cut::Skip(LARGEST_BODY, SkipReason::TooLarge, format!("more than {LARGEST_BODY} bytes"))
        } else {
            match edge {
                Edge::More => Cut::NeedMore,
                Edge::Damage => Cut::Incomplete,
                Edge::NextRecord | Edge::End => Cut::Record(bytes.len()),
            }
        }
    }
}

/// Reads the file as a document that is called like the file; without a media type it is binary and skipped.
fn read(media: Option<Media>, record: &Record<'_>, visit: &mut dyn FnMut(CorpusItem<'_>)) {
    let Record { bytes: body, name, offset, .. } = *record;
    match media {
        Some(_) if body.trim_ascii().is_empty() => {
            visit(CorpusItem::Skipped(SkippedRecord { offset, reason: SkipReason::Empty, detail: name.to_owned() }));
        }
        Some(media) => {
            visit(CorpusItem::Document(Document { id: name, url: "", date: "", media, charset: None, body, offset }));
        }
        None => {
            visit(CorpusItem::Skipped(SkippedRecord { offset, reason: SkipReason::Binary, detail: name.to_owned() }))
        }
    }
}

/// Whether bytes without a media type are markup or text; `None` if neither.
///
/// Markup begins with `<` and a letter, `!`, `?` or `/`, after blanks and a byte order mark. Bytes with a NUL in the
/// first KiB are neither, unless a byte order mark of UTF-16 explains it.
pub(crate) fn sniff(bytes: &[u8]) -> Option<Media> {
    let head = &bytes[..bytes.len().min(1024)];
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        let ascii: Vec<u8> = head[2..].iter().copied().filter(|&b| b != 0).collect();
        return Some(if begins_with_tag(&ascii) { Media::Html } else { Media::Text });
    }
    if memchr::memchr(0, head).is_some() {
        return None;
    }
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    Some(if begins_with_tag(head) { Media::Html } else { Media::Text })
}

fn begins_with_tag(bytes: &[u8]) -> bool {
    match bytes.trim_ascii_start() {
        [b'<', second, ..] => second.is_ascii_alphabetic() || matches!(second, b'!' | b'?' | b'/'),
        _ => false,
    }
}

/// Whether the first KiB holds control characters that no charset for text uses (escape, for ISO-2022-JP, is one
/// that is used).
pub(crate) fn looks_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1024)];
    head.iter().any(|&b| b < 0x09 || (0x0e..0x20).contains(&b) && b != 0x1b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sniffing() {
        assert_eq!(sniff(b"\xef\xbb\xbf  \n<!doctype html>"), Some(Media::Html));
        assert_eq!(sniff(b"<p>x"), Some(Media::Html));
        assert_eq!(sniff(b"1 < 2"), Some(Media::Text));
        assert_eq!(sniff(b"< 2"), Some(Media::Text));
        assert_eq!(sniff(b"a\0b"), None);
        assert_eq!(sniff(b"\xff\xfe<\0p\0>\0"), Some(Media::Html));
        assert_eq!(sniff(b""), Some(Media::Text));
        assert!(looks_binary(b"\x0b\x02\x80abc") && !looks_binary("ein Äpfel\t\x1b$B\r\n".as_bytes()));
    }

    #[test]
    fn too_large_a_page_is_reported_once() {
        let mut cutter = WholeFileCutter::default();
        let large = vec![b'a'; LARGEST_BODY + 1];
        assert!(matches!(cutter.cut(&large, Edge::More), Cut::Skip(LARGEST_BODY, SkipReason::TooLarge, _)));
        assert_eq!(cutter.cut(b"a", Edge::End), Cut::Drop(1));
    }
}
