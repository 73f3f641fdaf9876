//! Text in lines, as other programs write it: which bytes are such a text, and what to do about others.
//!
//! Every list that a person hands in is read through here (judgments, runs, topics, URLs, pairs, labels), so that all of them
//! take and refuse the same files.

use std::fmt;

/// What some programs write before UTF-8. It belongs to no line.
pub const MARK: &[u8] = "\u{feff}".as_bytes();

/// Why bytes are no text in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoText {
    /// From 1.
    pub line: u32,
    pub fault: TextFault,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextFault {
    Utf16,
    Nul,
    /// Bytes that are not UTF-8, where others than letters of ASCII matter.
    NotUtf8,
    /// Lines end in a carriage return and nothing else.
    CarriageReturns,
}

impl fmt::Display for TextFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let utf8 = "save it as UTF-8 (in a spreadsheet: CSV UTF-8)";
        match self {
            Self::Utf16 => write!(f, "the file is in UTF-16; {utf8}"),
            Self::Nul => write!(f, "there is a NUL byte, so this is no table in UTF-8; {utf8}"),
            Self::NotUtf8 => write!(f, "there are bytes that are not UTF-8; {utf8}"),
            Self::CarriageReturns => {
                f.write_str("lines end in CR alone; save the file with LF or CRLF at the end of each line")
            }
        }
    }
}

/// The text of a list of which every letter counts, without a mark before it.
pub fn exact_text(bytes: &[u8]) -> Result<&str, NoText> {
    check(bytes)?;
    let at = |place: usize, fault| NoText { line: line_of(bytes, place), fault };
    if let Some(place) = bytes.iter().position(|byte| *byte == 0) {
        return Err(at(place, TextFault::Nul));
    }
    let text = std::str::from_utf8(bytes).map_err(|why| at(why.valid_up_to(), TextFault::NotUtf8))?;
    Ok(without_mark(text))
}

/// Whether bytes are no text in lines, whatever their letters.
pub fn check(bytes: &[u8]) -> Result<(), NoText> {
    if is_utf16(bytes) {
        return Err(NoText { line: 1, fault: TextFault::Utf16 });
    }
    // One at the end of a single line hides nothing.
    let inside = bytes.trim_ascii_end();
    if inside.contains(&b'\r') && !bytes.contains(&b'\n') {
        return Err(NoText { line: 1, fault: TextFault::CarriageReturns });
    }
    Ok(())
}

/// A text without the mark before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Bytes of the mark that these begin with: none or three.
pub fn mark_length(bytes: &[u8]) -> usize {
    if bytes.starts_with(MARK) { MARK.len() } else { 0 }
}

/// By its mark, or by the zero beside a first letter of ASCII.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [first, second, ..] => (*first == 0) != (*second == 0),
        _ => false,
    }
}

/// The line of a place, from 1.
fn line_of(bytes: &[u8], place: usize) -> u32 {
    1 + bytes[..place].iter().filter(|byte| **byte == b'\n').count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: Vec<u8>) -> Result<String, NoText> {
        crate::line_limits::text(crate::line_limits::Lines { bytes, long: Vec::new() }).map(|list| list.text)
    }

    #[test]
    fn the_mark_belongs_to_no_line() {
        for given in ["\u{feff}a\nb", "a\nb"] {
            assert_eq!(text(given.into()).as_deref(), Ok("a\nb"));
            assert_eq!(exact_text(given.as_bytes()), Ok("a\nb"));
        }
        assert_eq!(text(b"caf\xe9\n".to_vec()).as_deref(), Ok("caf\u{fffd}\n"));
        assert_eq!(exact_text(b"a\ncaf\xe9\n"), Err(NoText { line: 2, fault: TextFault::NotUtf8 }));
        assert_eq!(text(Vec::new()).as_deref(), Ok(""));
    }

    #[test]
    fn what_is_no_text_in_lines_says_what_to_do() {
        for (bytes, said) in [
            (&b"\xff\xfea\0\n\0"[..], "UTF-16; save it as UTF-8"),
            (b"\xfe\xff\0a\0\n", "UTF-16; save it as UTF-8"),
            (b"a\0\n\0", "UTF-16; save it as UTF-8"),
            (b"a b\rc d\r", "CR alone; save the file with LF"),
        ] {
            let why = text(bytes.to_vec()).unwrap_err();
            assert!(why.line == 1 && why.fault.to_string().contains(said), "{}", why.fault);
            assert_eq!(exact_text(bytes), Err(why));
        }
        for one in ["a b\r", "a b\r\nc\r\n", "a\rb\nc\n"] {
            assert_eq!(text(one.into()).as_deref(), Ok(one), "a line end there is");
        }
    }
}
