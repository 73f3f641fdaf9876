//! The canonical text of a plain-text document: its own, with line breaks as LF.

use memchr::memchr;

/// Writes `text` into `out`, which is cleared first, with CRLF and CR as LF. Nothing else changes.
pub fn normalize(text: &str, out: &mut String) {
    out.clear();
    let mut rest = text;
    while let Some(at) = memchr(b'\r', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        out.push('\n');
        rest = &rest[at + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_become_lf() {
        let mut out = String::from("old");
        normalize("a\r\nb\rc\n\r\r\nd\0\u{1b}é\r", &mut out);
        assert_eq!(out, "a\nb\nc\n\n\nd\0\u{1b}é\n");
        normalize("", &mut out);
        assert_eq!(out, "");
    }
}
