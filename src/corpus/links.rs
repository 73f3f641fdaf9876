//! The addresses that a web page links to.

use memchr::memmem;

use crate::urls::split_scheme;

/// The addresses that a page links to with `<a href>`: absolute, without fragments, in order. `address` is the page's own; a
/// `<base href>` takes its place. Without either, only absolute links are found.
pub fn links(html: &str, address: &str) -> Vec<String> {
    let base = hrefs(html, "base").next().and_then(|href| resolve(address, &href));
    let base = base.as_deref().unwrap_or(address);
    hrefs(html, "a").filter_map(|href| resolve(base, &href)).collect()
}

/// Values of `href` in the tags called `name`.
fn hrefs<'a>(html: &'a str, name: &'a str) -> impl Iterator<Item = String> + 'a {
    let bytes = html.as_bytes();
    memchr::memchr_iter(b'<', bytes).filter_map(move |at| {
        let inside = &bytes[at + 1..];
        let named = inside.get(..name.len())?.eq_ignore_ascii_case(name.as_bytes());
        if !named || !inside.get(name.len())?.is_ascii_whitespace() {
            return None;
        }
        // What is longer is no tag.
        let longest = &inside[..inside.len().min(4_096)];
        let tag = &longest[..memchr::memchr(b'>', longest)?];
        href(tag)
    })
}

fn href(tag: &[u8]) -> Option<String> {
    let lower = tag.to_ascii_lowercase();
    let at = memmem::find_iter(&lower, b"href").find(|&at| at > 0 && lower[at - 1].is_ascii_whitespace())?;
    let rest = tag[at + 4..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let value = match rest.first()? {
        quote @ (b'"' | b'\'') => rest[1..].split(|b| b == quote).next()?,
        _ => rest.split(u8::is_ascii_whitespace).next()?,
    };
    Some(String::from_utf8_lossy(value).trim().replace("&amp;", "&"))
}

/// The absolute address of a link on a page; `None` for what is no page: `mailto:`, `javascript:`.
fn resolve(base: &str, href: &str) -> Option<String> {
    let href = href.split('#').next().unwrap_or_default();
    if href.is_empty() {
        return None;
    }
    let scheme = href.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("http" | "https") => return Some(href.to_owned()),
        Some(other) if other.chars().all(|c| c.is_ascii_alphanumeric()) && !other.is_empty() => return None,
        _ => {}
    }
    let (scheme, rest) = Some(split_scheme(base)).filter(|(scheme, _)| !scheme.is_empty())?;
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if let Some(other) = href.strip_prefix("//") {
        return Some(format!("{scheme}://{other}"));
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let joined = match href.chars().next() {
        Some('/') => href.to_owned(),
        Some('?') => format!("{path}{href}"),
        _ => format!("{}/{href}", path.rsplit_once('/').map_or("", |(folder, _)| folder)),
    };
    Some(format!("{scheme}://{host}{}", without_dots(&joined)))
}

/// Resolves `.` and `..` in a path.
fn without_dots(path: &str) -> String {
    let (path, query) = path.split_at(path.find('?').unwrap_or(path.len()));
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').skip(1) {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if path.ends_with("/.") || path.ends_with("/..") {
        parts.push("");
    }
    format!("/{}{query}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_a_browser_sees_them() {
        let base = "http://a.org/x/y.html?q";
        for (href, expected) in [
            ("z.html", Some("http://a.org/x/z.html")),
            ("../z", Some("http://a.org/z")),
            ("./", Some("http://a.org/x/")),
            ("/z?b=1#f", Some("http://a.org/z?b=1")),
            ("?p=2", Some("http://a.org/x/y.html?p=2")),
            ("//b.org/c", Some("http://b.org/c")),
            ("https://b.org", Some("https://b.org")),
            ("mailto:a@b.org", None),
            ("javascript:void(0)", None),
            ("#top", None),
            ("../../../../z", Some("http://a.org/z")),
        ] {
            assert_eq!(resolve(base, href).as_deref(), expected, "{href}");
        }
        assert_eq!(resolve("", "z.html"), None);
    }

    #[test]
    fn links_of_a_page() {
        let html = "<A class=x HREF='b.html'>b</a> <a href=\"http://c.org/?a=1&amp;b=2\"> <a name=q> <abbr href=no> <a\nhref=d>";
        assert_eq!(links(html, "http://a.org/"), ["http://a.org/b.html", "http://c.org/?a=1&b=2", "http://a.org/d"]);
        assert_eq!(links("<base href=\"http://z.org/q/\"><a href=r>", "http://a.org/"), ["http://z.org/q/r"]);
        assert_eq!(links(&"<a ".repeat(10_000), "http://a.org/"), Vec::<String>::new());
    }
}
