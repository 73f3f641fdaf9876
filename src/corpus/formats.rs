//! The list of all formats, in the order of the documentation.

use crate::format::{Format, Sign};
use crate::{arc, json_array, jsonl, mbox, mediawiki, page, table, trec, warc};

pub static FORMATS: &[&Format] = &[
    &warc::FORMAT,
    &arc::FORMAT,
    &trec::FORMAT,
    &jsonl::FORMAT,
    &json_array::FORMAT,
    &table::FORMAT,
    &mbox::FORMAT,
    &mediawiki::NEWEST,
    &mediawiki::OLDER,
    &mediawiki::ALL,
    &page::HTML,
    &page::TEXT,
];

/// The format that `study.toml` calls `name`.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}

/// The format that the first bytes of a file show most surely.
pub(crate) fn recognise(first: &[u8]) -> (&'static Format, Sign) {
    let signs = FORMATS.iter().filter_map(|format| Some((*format, (format.sniff)(first)?)));
    signs.reduce(|best, next| if next.1 > best.1 { next } else { best }).unwrap_or((&page::TEXT, Sign::Anything))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_content() {
        for (bytes, expected) in [
            (&b"WARC/1.0\r\n"[..], "warc"),
            (b"monkeys\nWARC/1.0\nWARC-Type: response\n\n", "warc"),
            (b"\xef\xbb\xbf<doc>\n<docno>", "trecweb"),
            (b"<?xml version='1.0'?>\n<DOC>\n<DOCNO> A", "trecweb"),
            (b"filedesc:// - - - 76\r\n", "arc"),
            (b"http://x/ 1.2.3.4 20140216050221 text/html 7\n", "arc"),
            (b"<DOC id=\"A\">\n", "trecweb"),
            (b" {\"id\": 1}", "jsonl"),
            (b"[{\"id\": 1}]", "json"),
            (b"[1] Dear reader", "text"),
            (b"From a@b Sat Jan  3 01:05:34 1996\nSubject: x\n", "mbox"),
            (b"From here on", "text"),
            (b"<mediawiki xmlns=\"x\">\n", "mediawiki"),
            (b"<?xml version=\"1.0\"?>\n<mediawiki>", "mediawiki"),
            (b"<!DOCTYPE html>", "html"),
            (b"Dear reader,", "text"),
            (b"", "text"),
        ] {
            assert_eq!(recognise(bytes).0.name, expected, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn every_name_finds_its_format() {
        for format in FORMATS {
            assert_eq!(find(format.name), Some(*format));
        }
        assert_eq!(find("zip"), None);
    }
}
