//! Subject and body as one text.
//!
//! A document has one charset, that of its body. The words of a subject may name another (RFC 2047); where that makes a
//! difference the body's counts, and characters of the subject that it cannot be read in become question marks.

use crate::Media;
use crate::mbox::encodings::{base64, quoted_printable};
use crate::mbox::part::Part;

/// Writes subject and body to `out`; returns the charset of both.
pub(super) fn with_subject(subject: &[u8], part: &Part<'_>, out: &mut Vec<u8>) -> Option<String> {
    out.clear();
    let words = words(subject);
    let mut charset = part.charset.clone();
    if part.text.is_ascii() {
        // Nothing in the body depends on its charset, so that the subject may choose.
        let foreign = words.iter().find(|word| !word.text.is_ascii()).and_then(|word| word.charset.clone());
        charset = foreign.or(charset);
    }
    let same = |other: &Option<String>| match (other, &charset) {
        (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
        (other, _) => other.is_none(),
    };
    let (before, after): (&[u8], &[u8]) =
        if part.media == Media::Html { (b"<title>", b"</title>\n") } else { (b"", b"\n\n") };
    if !subject.is_empty() {
        out.extend_from_slice(before);
        for word in &words {
            let fits = same(&word.charset);
            out.extend(word.text.iter().map(|&b| if b.is_ascii() || fits { b } else { b'?' }));
        }
        out.extend_from_slice(after);
    }
    out.extend_from_slice(&part.text);
    charset
}

/// A stretch of a subject.
struct Word {
    text: Vec<u8>,
    /// `None` for text that stands there as it is.
    charset: Option<String>,
}

/// The words of a subject, with `=?charset?B?…?=` and `=?charset?Q?…?=` undone. Blanks between two such words are none.
fn words(subject: &[u8]) -> Vec<Word> {
    let (mut words, mut rest): (Vec<Word>, &[u8]) = (Vec::new(), subject);
    loop {
        let start = memchr::memmem::find(rest, b"=?");
        let coded = start.and_then(|start| Some((start, coded_word(&rest[start..])?)));
        let Some((start, (word, length))) = coded else {
            // What looks like the beginning of a coded word and is none stands as it is.
            let end = start.map_or(rest.len(), |start| start + 2);
            words.push(Word { text: rest[..end].to_vec(), charset: None });
            rest = &rest[end..];
            if rest.is_empty() {
                return words;
            }
            continue;
        };
        let between = &rest[..start];
        let follows_coded = words.last().is_some_and(|word| word.charset.is_some());
        if !(follows_coded && between.trim_ascii().is_empty()) {
            words.push(Word { text: between.to_vec(), charset: None });
        }
        words.push(word);
        rest = &rest[start + length..];
        if rest.is_empty() {
            return words;
        }
    }
}

/// The coded word that bytes begin with, and its length.
fn coded_word(bytes: &[u8]) -> Option<(Word, usize)> {
    let mut fields = bytes[2..].splitn(4, |&b| b == b'?');
    let (charset, kind, text) = (fields.next()?, fields.next()?, fields.next()?);
    let length = 2 + charset.len() + 1 + kind.len() + 1 + text.len() + 2;
    if !fields.next()?.starts_with(b"=") || charset.is_empty() || text.iter().any(u8::is_ascii_whitespace) {
        return None;
    }
    let text = match kind {
        b"B" | b"b" => base64(text),
        b"Q" | b"q" => quoted_printable(text, true),
        _ => return None,
    };
    // A language may follow the charset after an asterisk (RFC 2231).
    let charset = charset.split(|&b| b == b'*').next().unwrap_or_default();
    Some((Word { text, charset: Some(String::from_utf8_lossy(charset).into_owned()) }, length))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn shown(subject: &str, body: &[u8], charset: Option<&str>) -> (String, Option<String>) {
        let part = Part { media: Media::Text, charset: charset.map(str::to_owned), text: Cow::Borrowed(body) };
        let mut out = Vec::new();
        let charset = with_subject(subject.as_bytes(), &part, &mut out);
        (String::from_utf8_lossy(&out).into_owned(), charset)
    }

    #[test]
    fn subjects_with_coded_words() {
        // The examples of RFC 2047, section 8.
        for (subject, expected) in [
            ("=?ISO-8859-1?Q?a?= b", "a b"),
            ("=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=", "ab"),
            ("=?ISO-8859-1?Q?a_b?=", "a b"),
            ("Re: =?x", "Re: =?x"),
            ("plain", "plain"),
        ] {
            assert_eq!(shown(subject, b"x", None).0, format!("{expected}\n\nx"));
        }
    }

    #[test]
    fn the_charset_of_both() {
        assert_eq!(
            shown("=?UTF-8?B?w7w=?=", b"x", Some("us-ascii")),
            ("\u{fc}\n\nx".to_owned(), Some("UTF-8".to_owned()))
        );
        let body = "\u{fc}".as_bytes();
        assert_eq!(shown("=?utf-8?q?=C3=BC?=", body, Some("UTF-8")).0, "\u{fc}\n\n\u{fc}");
        assert_eq!(shown("=?koi8-r?q?=C3=BC?=", body, Some("UTF-8")).0, "??\n\n\u{fc}");
        assert_eq!(shown("", body, Some("UTF-8")).0, "\u{fc}");
    }
}
