//! The line that an ARC record begins with.

use crate::cutting::FirstLine;

/// Longest line that is taken for the beginning of a record: URLs have 2,000 characters, seldom more.
pub(super) const LONGEST: usize = 8 << 10;

/// What URLs in archives begin with.
const SCHEMES: [&[u8]; 9] =
    [b"filedesc:", b"http:", b"https:", b"dns:", b"ftp:", b"gopher:", b"whois:", b"mms:", b"rtsp:"];

/// Whether bytes begin like the URL of a record. The first bytes of a gzip member are enough to see it.
pub(super) fn begins_with_scheme(bytes: &[u8]) -> bool {
    SCHEMES.iter().any(|scheme| starts_ignoring_case(bytes, scheme))
}

fn starts_ignoring_case(bytes: &[u8], with: &[u8]) -> bool {
    bytes.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
}

/// Whether a line begins a record.
pub(super) fn first_line(bytes: &[u8]) -> FirstLine {
    if bytes.len() < 9 && SCHEMES.iter().any(|s| s.len() > bytes.len() && starts_ignoring_case(s, bytes)) {
        return FirstLine::Unsure;
    }
    if !begins_with_scheme(bytes) {
        return FirstLine::Other;
    }
    let seen = &bytes[..bytes.len().min(LONGEST)];
    match memchr::memchr(b'\n', seen) {
        Some(end) if Line::parse(&seen[..end]).is_some() => FirstLine::Start,
        None if bytes.len() < LONGEST => FirstLine::Unsure,
        _ => FirstLine::Other,
    }
}

/// The fields of a line that matter here.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// As written; blanks inside are kept.
    pub(super) url: Vec<u8>,
    pub(super) date: &'a [u8],
    pub(super) media_type: &'a [u8],
    pub(super) length: Option<u64>,
}

impl<'a> Line<'a> {
    /// Reads a line of version 1 or 2. URLs may have blanks, and so may media types: the date after an address, and the
    /// length at the end, show what is what. The line of a file's description may have dashes in place of them.
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        let line = line.split(|&b| b == b'\n').next()?;
        let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let length = number(words.last()?)?;
        let describes = starts_ignoring_case(line, b"filedesc:");
        let date = (2..words.len().saturating_sub(2)).find(|&at| {
            is_date(words[at]) && is_address(words[at - 1]) || describes && words[at] == b"-" && words[at - 1] == b"-"
        })?;
        Some(Self {
            url: words[..date - 1].join(&b' '),
            date: words[date],
            media_type: words[date + 1],
            length: Some(length),
        })
    }
}

fn number(word: &[u8]) -> Option<u64> {
    if !word.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// `YYYYMMDDhhmmss`, with or without the seconds.
fn is_date(word: &[u8]) -> bool {
    matches!(word.len(), 12 | 14) && word.iter().all(u8::is_ascii_digit)
}

/// An IP address of either version, or a dash.
fn is_address(word: &[u8]) -> bool {
    let separated = memchr::memchr2(b'.', b':', word).is_some();
    word == b"-" || separated && word.iter().all(|b| b.is_ascii_hexdigit() || matches!(b, b'.' | b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Option<String> {
        let line = Line::parse(line.as_bytes())?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Some(format!("{}|{}|{}|{:?}", text(&line.url), text(line.date), text(line.media_type), line.length))
    }

    #[test]
    fn lines_of_both_versions() {
        let one = "http://x/a b 1.2.3.4 20140216050221 text/html 1591\n";
        assert_eq!(shown(one).unwrap(), "http://x/a b|20140216050221|text/html|Some(1591)");
        // From the description of ARC 2 by Burner and Kahle, 1996.
        let two = "http://www.dryswamp.edu:80/index.html 127.10.100.2 19961104142103 text/html 200 \
                   fac069150613fe55599cc7fa88aa089d - 209 IA-001102.arc 202";
        assert_eq!(shown(two).unwrap(), "http://www.dryswamp.edu:80/index.html|19961104142103|text/html|Some(202)");
        assert_eq!(shown("filedesc:// - - - 76\r").unwrap(), "filedesc://|-|-|Some(76)");
        assert_eq!(shown("http://x/ 1.2.3.4 20140216050221 text/html ?"), None);
        assert_eq!(shown("http://x/ in 20140216050221 we 7"), None);
    }

    #[test]
    fn beginnings_of_lines() {
        let line = b"dns:x 1.2.3.4 20140216050221 text/dns 5\n";
        assert_eq!(first_line(line), FirstLine::Start);
        for end in 1..line.len() {
            assert_eq!(first_line(&line[..end]), FirstLine::Unsure, "{end}");
        }
        assert_eq!(first_line(b"http://x/ is a page\n"), FirstLine::Other);
        assert_eq!(first_line(b"Dear reader"), FirstLine::Other);
        assert!(begins_with_scheme(b"HTTP://x/") && !begins_with_scheme(b"<html>"));
    }
}
