//! Headers of WARC and HTTP: lines `name: value`, read tolerantly.

use std::borrow::Cow;

/// Longest header: bytes without a blank line this far are none.
pub(crate) const LONGEST: usize = 64 << 10;

/// Length of the header that bytes begin with, its closing blank line included; lines end in CRLF or LF.
pub(crate) fn header_end(bytes: &[u8]) -> Option<usize> {
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    memchr::memchr_iter(b'\n', bytes).find_map(|at| match &bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// The fields of a header in order, without its first line.
///
/// A line that is indented or does not begin with a field name continues the value before it.
pub(crate) fn fields(header: &[u8]) -> Fields<'_> {
    let first = memchr::memchr(b'\n', header).map_or(header.len(), |at| at + 1);
    Fields { rest: &header[first..] }
}

/// The first field called `name`, in any case; empty values count as missing.
pub(crate) fn field<'a>(header: &'a [u8], name: &str) -> Option<Cow<'a, [u8]>> {
    let is_wanted = |other: &[u8], value: &[u8]| other.eq_ignore_ascii_case(name.as_bytes()) && !value.is_empty();
    fields(header).find(|(other, value)| is_wanted(other, value)).map(|(_, value)| value)
}

pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn line(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest).map_or(self.rest.len(), |at| at + 1);
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(line)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (&'a [u8], Cow<'a, [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = loop {
            if let Some(found) = split_field(self.line()?) {
                break found;
            }
        };
        let mut value = Cow::Borrowed(value);
        loop {
            let before = self.rest;
            let Some(line) = self.line() else { break };
            let text = line.trim_ascii();
            if split_field(line).is_some() || text.is_empty() {
                self.rest = before;
                if text.is_empty() {
                    self.rest = &[];
                }
                break;
            }
            if value.is_empty() {
                value = Cow::Borrowed(text);
            } else {
                // An indented line continues the value after a blank; another line continues a value that was broken.
                let owned = value.to_mut();
                if line[0].is_ascii_whitespace() {
                    owned.push(b' ');
                }
                owned.extend_from_slice(text);
            }
        }
        Some((name, value))
    }
}

/// The name and value of a line; `None` if it does not begin with a field name.
fn split_field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', line)?;
    let name = line[..colon].trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    // The rest of a broken URL may begin with `http://`.
    let is_url = line[colon + 1..].starts_with(b"//");
    (is_name && !is_url).then(|| (name, line[colon + 1..].trim_ascii()))
}

/// A parameter of a field value, such as `charset` of `text/html; charset="utf-8"`.
pub(crate) fn parameter<'a>(value: &'a [u8], name: &str) -> Option<&'a [u8]> {
    value.split(|&b| b == b';' || b == b',').skip(1).find_map(|part| {
        let equals = memchr::memchr(b'=', part)?;
        let found = part[..equals].trim_ascii().eq_ignore_ascii_case(name.as_bytes());
        let value = part[equals + 1..].trim_ascii();
        let value = value.strip_prefix(b"\"").or_else(|| value.strip_prefix(b"'")).unwrap_or(value);
        let value = value.strip_suffix(b"\"").or_else(|| value.strip_suffix(b"'")).unwrap_or(value).trim_ascii();
        (found && !value.is_empty()).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(header: &str, name: &str) -> Option<String> {
        field(header.as_bytes(), name).map(|value| String::from_utf8_lossy(&value).into_owned())
    }

    #[test]
    fn values_over_lines() {
        let header =
            "WARC/0.18\nWARC-Target-URI: http://a.org/x\ny z\nhttp://b\nWARC-Type: \r\n response\r\nX: a\n\tb\n\n";
        assert_eq!(value(header, "warc-target-uri").unwrap(), "http://a.org/xy zhttp://b");
        assert_eq!(value(header, "WARC-TYPE").unwrap(), "response");
        assert_eq!(value(header, "x").unwrap(), "a b");
        assert_eq!(value(header, "y"), None);
    }

    #[test]
    fn the_first_counts_and_empty_is_missing() {
        assert_eq!(value("WARC/1.0\r\nA: 1\r\nA: 2\r\n\r\n", "a").unwrap(), "1");
        assert_eq!(value("WARC/1.0\r\nA:\r\nA: 2\r\n\r\n", "a").unwrap(), "2");
        assert_eq!(value("WARC/1.0\r\nA:\r\n\r\nB: 1\r\n", "b"), None);
    }

    #[test]
    fn the_end_of_a_header() {
        assert_eq!(header_end(b"a\n\nb"), Some(3));
        assert_eq!(header_end(b"a\r\n\r\nb"), Some(5));
        assert_eq!(header_end(b"a\r\nb"), None);
    }

    #[test]
    fn parameters() {
        assert_eq!(parameter(b"text/html;charset=Big5_Solaris", "charset"), Some(&b"Big5_Solaris"[..]));
        assert_eq!(parameter(b"text/html; x=1; Charset = \"utf-8\" ", "charset"), Some(&b"utf-8"[..]));
        assert_eq!(parameter(b"text/html; charset=", "charset"), None);
    }
}
