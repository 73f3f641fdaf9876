//! Where the contents of an element end that hold no markup: scripts, styles, comments and their like.
//!
//! Every function looks at each byte once and answers with the end of the page when the end is missing.

use memchr::{memchr, memchr_iter, memchr2_iter};

/// Place of the end tag `</name` at or after `from`, and the place after its name; for both the end of the page when it
/// is missing.
pub(super) fn end_tag(html: &[u8], from: usize, name: &[u8]) -> (usize, usize) {
    for less in memchr_iter(b'<', &html[from..]) {
        let at = from + less;
        if html.get(at + 1) == Some(&b'/') && is_named(html, at + 2, name) {
            return (at, at + 2 + name.len());
        }
    }
    (html.len(), html.len())
}

/// The same for a script, which may hide its end tag: `<!-- … <script> … </script> … -->`.
pub(super) fn script_end(html: &[u8], from: usize) -> (usize, usize) {
    #[derive(PartialEq)]
    enum In {
        Script,
        Comment(usize),
        Nested(usize),
    }
    let name = b"script";
    let mut state = In::Script;
    for found in memchr2_iter(b'<', b'>', &html[from..]) {
        let at = from + found;
        let dashes = |since: usize| at >= since + 2 && &html[at - 2..at] == b"--";
        let end = html.get(at + 1) == Some(&b'/') && is_named(html, at + 2, name);
        state = match state {
            In::Comment(since) | In::Nested(since) if html[at] == b'>' && dashes(since) => In::Script,
            In::Script | In::Comment(_) if html[at] == b'<' && end => return (at, at + 2 + name.len()),
            In::Script if html[at..].starts_with(b"<!--") => In::Comment(at + 2),
            In::Comment(since) if html[at] == b'<' && is_named(html, at + 1, name) => In::Nested(since),
            In::Nested(since) if html[at] == b'<' && end => In::Comment(since),
            same => same,
        };
    }
    (html.len(), html.len())
}

/// End of a comment whose text begins at `from`, after `<!--`.
pub(super) fn comment_end(html: &[u8], from: usize) -> usize {
    for greater in memchr_iter(b'>', &html[from..]) {
        let text = &html[from..from + greater];
        // `<!-->` and `<!--->` are comments, too.
        if text.ends_with(b"--") || text.ends_with(b"--!") || text.is_empty() || text == b"-" {
            return from + greater + 1;
        }
    }
    html.len()
}

/// Place after the next `>`.
pub(super) fn bogus_end(html: &[u8], from: usize) -> usize {
    memchr(b'>', &html[from..]).map_or(html.len(), |len| from + len + 1)
}

/// Whether `name` in any case stands at `at` and ends there.
fn is_named(html: &[u8], at: usize, name: &[u8]) -> bool {
    html.get(at..at + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
        && matches!(html.get(at + name.len()), Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' | b'/' | b'>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_end_where_browsers_end_them() {
        for (script, rest) in [
            ("a</script>b", ">b"),
            ("a</SCRIPT >b", " >b"),
            ("a</scripts></script/>b", "/>b"),
            ("if (a < b) '<p>' </script>b", ">b"),
            ("<!-- a </script>b", ">b"),
            ("<!-- <script> </script> --> </script>b", ">b"),
            ("<!-- <script> --> </script>b", ">b"),
            ("<!-- <script> </script> </script>b", ">b"),
            ("<!--><script></script>b", ">b"),
            ("<!-- <script> </script> <script x> b", ""),
            ("<!-- <script> </script>", ""),
            ("a </script", ""),
            ("", ""),
        ] {
            assert_eq!(&script[script_end(script.as_bytes(), 0).1..], rest, "{script}");
        }
    }

    #[test]
    fn comments_end_where_browsers_end_them() {
        for (comment, rest) in
            [(" a > b -->c", "c"), (">c", "c"), ("->c", "c"), ("-->c", "c"), (" --!>c", "c"), ("-- >c", ""), ("", "")]
        {
            assert_eq!(&comment[comment_end(comment.as_bytes(), 0)..], rest, "{comment}");
        }
    }
}
