//! The charset that a page names in itself: the prescan of the HTML standard, and `<?xml encoding=…?>`.

use encoding_rs::Encoding;

use super::charset_names::{by_label, parameter};
use super::raw;

/// How far a page is read for its charset. The standard asks for 1,024 bytes; pages and browsers go further.
const LIMIT: usize = 4096;

/// The charset named by a `meta` element or an XML declaration at the head of the page.
pub(super) fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(LIMIT)];
    let mut at = 0;
    while let Some(less) = memchr::memchr(b'<', &head[at..]) {
        at += less;
        let rest = &head[at..];
        at = match rest {
            [b'<', b'!', b'-', b'-', ..] => raw::comment_end(head, at + 4),
            [b'<', b'?', ..] => {
                let end = raw::bogus_end(head, at + 2);
                if let Some(found) = xml_declaration(&head[at..end]) {
                    return Some(found);
                }
                end
            }
            [b'<', b'!', ..] => raw::bogus_end(head, at + 2),
            [b'<', b'/', letter, ..] | [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                let mut tag = Attributes::new(head, at + 1);
                let found = if tag.name.eq_ignore_ascii_case(b"meta") { meta(&mut tag) } else { None };
                if found.is_some() {
                    return found;
                }
                tag.by_ref().for_each(drop);
                tag.at
            }
            [b'<', b'/', ..] => raw::bogus_end(head, at + 2),
            _ => at + 1,
        };
    }
    None
}

fn xml_declaration(declaration: &[u8]) -> Option<&'static Encoding> {
    if !declaration.get(..5)?.eq_ignore_ascii_case(b"<?xml") {
        return None;
    }
    let mut attributes = Attributes::new(declaration, 1);
    declared(attributes.find(|(name, _)| name.eq_ignore_ascii_case(b"encoding"))?.1)
}

fn meta(tag: &mut Attributes<'_>) -> Option<&'static Encoding> {
    let (mut charset, mut content, mut is_type) = (None, None, false);
    for (name, value) in tag {
        if name.eq_ignore_ascii_case(b"charset") {
            charset = charset.or_else(|| declared(value));
        } else if name.eq_ignore_ascii_case(b"content") {
            content = content.or_else(|| std::str::from_utf8(value).ok().and_then(parameter));
        } else if name.eq_ignore_ascii_case(b"http-equiv") {
            is_type |= value.eq_ignore_ascii_case(b"content-type");
        }
    }
    charset.or_else(|| declared(content.filter(|_| is_type)?.as_bytes()))
}

/// A page whose ASCII could be read to find this cannot be UTF-16, whatever it says.
fn declared(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = by_label(std::str::from_utf8(label).ok()?)?;
    Some(if encoding.is_ascii_compatible() || encoding == encoding_rs::ISO_2022_JP {
        encoding
    } else {
        encoding_rs::UTF_8
    })
}

/// Name and value of each attribute of a tag; `at` is behind the tag when all are read.
pub(super) struct Attributes<'a> {
    html: &'a [u8],
    name: &'a [u8],
    at: usize,
    ended: bool,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(html: &'a [u8], name: usize) -> Self {
        let at = name + html[name..].iter().take_while(|b| !b.is_ascii_whitespace() && !b"/>".contains(b)).count();
        Self { html, name: &html[name..at], at, ended: false }
    }

    /// Moves over bytes that satisfy the condition and returns them.
    fn over(&mut self, condition: impl Fn(u8) -> bool) -> &'a [u8] {
        let from = self.at;
        self.at += self.html[from..].iter().take_while(|&&b| condition(b)).count();
        &self.html[from..self.at]
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.over(|b| b.is_ascii_whitespace() || b == b'/' || b == b'?');
        if matches!(self.html.get(self.at), None | Some(b'>')) {
            self.at = (self.at + 1).min(self.html.len());
            self.ended = true;
            return None;
        }
        let from = self.at;
        self.at += 1;
        self.over(|b| !b.is_ascii_whitespace() && !b"/>=".contains(&b));
        let name = &self.html[from..self.at];
        self.over(|b| b.is_ascii_whitespace());
        if self.html.get(self.at) != Some(&b'=') {
            return Some((name, b""));
        }
        self.at += 1;
        self.over(|b| b.is_ascii_whitespace());
        match self.html.get(self.at) {
            Some(&quote @ (b'"' | b'\'')) => {
                self.at += 1;
                let value = self.over(|b| b != quote);
                self.at = (self.at + 1).min(self.html.len());
                Some((name, value))
            }
            _ => Some((name, self.over(|b| !b.is_ascii_whitespace() && b != b'>'))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found() {
        for (page, charset) in [
            ("<meta charset=koi8-r>", Some("KOI8-R")),
            ("<!-- <meta charset=utf-8> --><META CHARSET='windows-1251' />", Some("windows-1251")),
            ("<meta http-equiv=Content-Type content='text/html; charset=iso-8859-2'>", Some("ISO-8859-2")),
            ("<meta content=\"text/html;charset = 'Shift_JIS'\" http-equiv=\"content-type\">", Some("Shift_JIS")),
            ("<meta content='text/html; charset=utf-8'>", None),
            ("<?xml version='1.0' encoding='euc-jp'?><html>", Some("EUC-JP")),
            ("<title a='<meta charset=koi8-r>'><meta charset=gbk>", Some("GBK")),
            ("<meta charset=utf-16>", Some("UTF-8")),
            ("<meta charset=no-such><meta charset=big5>", Some("Big5")),
            ("<p>charset=utf-8", None),
            ("<meta charset=", None),
            ("<meta", None),
            ("<", None),
            ("", None),
        ] {
            assert_eq!(prescan(page.as_bytes()).map(|e| e.name()), charset, "{page}");
        }
    }
}
