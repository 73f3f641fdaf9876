//! How ids and other texts are written into columns, and read again.
//!
//! A column ends at a tab or a blank, a row at a line end, so an id must hold neither; file names, which serve as ids, may
//! hold anything. A character that cannot stand is written as `\u{20}`, with its number in hexadecimal. Every other
//! character is written as it is: an id without such characters, a backslash among them, is the same on both sides. Only a
//! `\u{` of the text itself is written as `\u{5c}u{`, so that what is read is what was written.

use std::borrow::Cow;

/// An id for a column of any file: it holds no white space and no control character.
pub fn escape_id(id: &str) -> Cow<'_, str> {
    escape(id, |c| c.is_control() || c.is_whitespace())
}

/// A text for a column between tabs: it holds no tab, no line end and no other control character.
pub fn escape_text(text: &str) -> Cow<'_, str> {
    escape(text, |c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'))
}

const OPEN: &str = "\\u{";

fn escape(text: &str, is_special: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_special) && !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        match c {
            '\\' if text[at..].starts_with(OPEN) => out.push_str("\\u{5c}"),
            c if is_special(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The text that [`escape_id`] or [`escape_text`] was given. What is no escape stays as it is.
pub fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains(OPEN) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(OPEN) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = match character(rest) {
            Some((c, end)) => {
                out.push(c);
                end
            }
            None => {
                out.push_str(OPEN);
                OPEN.len()
            }
        };
        rest = &rest[end..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character that an escape at the beginning of a text stands for, and the length of the escape.
fn character(text: &str) -> Option<(char, usize)> {
    let digits = &text[OPEN.len()..];
    let digits = &digits[..digits.find('}').filter(|length| (1..=6).contains(length))?];
    let known = digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| known)?;
    Some((char::from_u32(number)?, OPEN.len() + digits.len() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_cannot_stand_is_changed() {
        for same in ["clueweb09-en0000-00-00000", "http://x/a%20b?c=d#e", r"C:\new\temp\u0041.html", "Übergrößenträger"]
        {
            assert_eq!((escape_id(same), unescape(same)), (Cow::Borrowed(same), Cow::Borrowed(same)));
        }
        assert_eq!(escape_id("my page\t2\n.html"), r"my\u{20}page\u{9}2\u{a}.html");
        assert_eq!(escape_text("my page\t2\u{1b}[31m"), r"my page\u{9}2\u{1b}[31m");
        assert_eq!(escape_id(r"\u{20}"), r"\u{5c}u{20}");
        assert_eq!(unescape(r"\u{110000}\u{}\u{20"), r"\u{110000}\u{}\u{20");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(id in r"(\\|u|\{|\}|[0-9a-f]|[ \t\r\n]|\PC|\p{C}|\u{2028}){0,12}") {
            for written in [escape_id(&id), escape_text(&id)] {
                prop_assert_eq!(&*unescape(&written), &*id);
                prop_assert!(!written.contains(|c: char| c.is_control()));
            }
            prop_assert!(!escape_id(&id).contains(char::is_whitespace));
        }
    }
}
