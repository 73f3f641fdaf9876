//! How deep the elements of a page nest, without building a tree: a guard before those who build one.
//!
//! Elements that close themselves when the next of their kind begins (paragraphs, list items, table rows, …) are not
//! counted; they stand in others that are, so the true depth is at most a few times the count. An end tag closes what
//! is open inside its element, as in browsers: that of a block everything, any other nothing beyond a block.

use memchr::memchr;

use super::raw;
use super::tags::{self, Tag};

/// Elements that hold nothing, or end where the next begins.
const UNCOUNTED: [&str; 39] = [
    "area", "base", "basefont", "bgsound", "body", "br", "caption", "col", "colgroup", "dd", "dt", "embed", "frame",
    "head", "hr", "html", "image", "img", "input", "isindex", "keygen", "li", "link", "meta", "optgroup", "option",
    "p", "param", "rp", "rt", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr",
];

/// Whether elements nest more than `limit` deep. Stops at the first place where they do.
pub(super) fn is_deeper(html: &str, limit: usize) -> bool {
    let html = html.as_bytes();
    let mut open = Open::default();
    let mut at = 0;
    while let Some(found) = memchr(b'<', &html[at..]) {
        at += found;
        at = match html.get(at + 1) {
            Some(b'a'..=b'z' | b'A'..=b'Z') => open.start_tag(html, at + 1),
            Some(b'/') if html.get(at + 2).is_some_and(u8::is_ascii_alphabetic) => {
                let (tag, to) = tags::name(html, at + 2);
                open.close(tag, &html[at + 2..to]);
                tags::skip_attributes(html, to).0
            }
            Some(b'!') if html[at..].starts_with(b"<!--") => raw::comment_end(html, at + 4),
            Some(b'!' | b'?' | b'/') => raw::bogus_end(html, at + 2),
            _ => at + 1,
        };
        if open.elements.len() > limit {
            return true;
        }
    }
    false
}

#[derive(Default)]
struct Open<'a> {
    elements: Vec<(Tag, &'a [u8])>,
    /// How many of them are pictures or formulas, where an element may close itself.
    foreign: usize,
}

impl<'a> Open<'a> {
    /// Reads the start tag whose name begins at `from`; returns where to read on.
    fn start_tag(&mut self, html: &'a [u8], from: usize) -> usize {
        let (tag, to) = tags::name(html, from);
        let (end, closes_itself) = tags::skip_attributes(html, to);
        let name = &html[from..to];
        match tag {
            Tag::Script => return raw::script_end(html, end).1,
            Tag::Plaintext => return html.len(),
            Tag::Title | Tag::Textarea | Tag::Hidden | Tag::Xmp if self.foreign == 0 => {
                return raw::end_tag(html, end, name).1;
            }
            _ => {}
        }
        let closed = closes_itself && (self.foreign > 0 || tag == Tag::Foreign);
        if !closed && !UNCOUNTED.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes())) {
            self.foreign += usize::from(tag == Tag::Foreign);
            self.elements.push((tag, name));
        }
        end
    }

    fn close(&mut self, tag: Tag, name: &[u8]) {
        for at in (0..self.elements.len()).rev() {
            let (open, its_name) = self.elements[at];
            if its_name.eq_ignore_ascii_case(name) {
                let closed = self.elements.drain(at..);
                self.foreign -= closed.filter(|(tag, _)| *tag == Tag::Foreign).count();
                return;
            }
            if tag == Tag::Inline && open != Tag::Inline {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(html: &str) -> usize {
        (0..).find(|&limit| !is_deeper(html, limit)).unwrap()
    }

    #[test]
    fn depths_by_example() {
        for (html, expected) in [
            ("", 0),
            ("text < 3 <!-- <div> --> <?x <div>", 0),
            ("<html><body><p>a<p>b<br><ul><li>c<li>d</ul>", 1),
            ("<div><DIV><b>x</b></div></Div><div></div>", 3),
            ("<div></span><div></b></div></div>", 2),
            ("<span><div></span><span><div></span>", 4),
            ("<div><b><i></div><div><b></div>", 3),
            ("<script>'<div><div>'</script><style><div></style><title><div></title><b>", 1),
            ("<svg><path/><path/><g/></svg><div/><div/>", 2),
            ("<table><tr><td><table><tr><td>x</table></table>", 2),
            ("<div x='<div><div>'><plaintext><div>", 1),
            ("<div", 1),
            ("</", 0),
        ] {
            assert_eq!(depth(html), expected, "{html}");
        }
        assert!(is_deeper(&"<x-y>".repeat(3000), 2999) && !is_deeper(&"<x-y>".repeat(3000), 3000));
    }
}
