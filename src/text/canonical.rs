//! The address that a page gives itself: `<link rel="canonical_link" href="…">`.

use super::prescan::Attributes;

/// Bytes of a page in which the link is looked for; it belongs into the head.
const LOOK: usize = 64 << 10;

/// The address in the first canonical link of a page, `&amp;` decoded; may be relative. None when it has no such link.
pub fn canonical_link(html: &[u8]) -> Option<String> {
    let html = &html[..html.len().min(LOOK)];
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'<', &html[from..]).map(|at| from + at + 1) {
        from = at;
        if html[at..].starts_with(b"!--") {
            from = memchr::memmem::find(&html[at..], b"-->").map(|end| at + end)?;
        } else if html.get(at..at + 4).is_some_and(|name| name.eq_ignore_ascii_case(b"link"))
            && let Some(href) = href(Attributes::new(html, at))
        {
            return Some(href);
        }
    }
    None
}

fn href(attributes: Attributes<'_>) -> Option<String> {
    let (mut canonical, mut href) = (false, None);
    for (name, value) in attributes {
        if name.eq_ignore_ascii_case(b"rel") {
            canonical = value.split(u8::is_ascii_whitespace).any(|word| word.eq_ignore_ascii_case(b"canonical"));
        } else if name.eq_ignore_ascii_case(b"href") {
            href = Some(String::from_utf8_lossy(value).trim().replace("&amp;", "&"));
        }
    }
    href.filter(|href| canonical && !href.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_canonical_link_counts() {
        let page = b"<html><!-- <link rel=canonical href=no> --><head><LINK href='x.css' rel=stylesheet>\
            <link href=\"http://a.org/?x=1&amp;y=2\" REL='alternate Canonical'><link rel=canonical href=second>";
        assert_eq!(canonical_link(page).as_deref(), Some("http://a.org/?x=1&y=2"));
        assert_eq!(canonical_link(b"<link rel=canonical href='/a'>").as_deref(), Some("/a"));
        for none in [&b"<link rel=canonical>"[..], b"<link href=a>", b"<linkage rel=x href=y", b"<!-- <link", b"<", b""]
        {
            assert_eq!(canonical_link(none), None);
        }
    }
}
