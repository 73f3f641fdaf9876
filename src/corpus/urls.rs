//! Lists of URLs, and when two URLs count as the same.

use std::path::Path;

use crate::corpus::{CorpusError, text_file};

/// Reads a list `id<TAB>url`, or of URLs alone (then the id is empty). Blank lines and lines that begin with `#` are
/// passed over; the order of the file is kept.
pub fn read(path: &Path) -> Result<Vec<(String, String)>, CorpusError> {
    let bytes = text_file::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let line = |line: &str| match line.split_once('\t') {
        Some((id, rest)) => (id.trim().to_owned(), rest.split('\t').next().unwrap_or_default().trim().to_owned()),
        None => (String::new(), line.trim().to_owned()),
    };
    Ok(text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')).map(line).collect())
}

/// Whether two URLs name the same page after [`normal`]. A document without a URL shares it with nobody.
pub fn same(a: &str, b: &str) -> bool {
    !a.is_empty() && !b.is_empty() && (a == b || normal(a) == normal(b))
}

/// The host of a URL as [`normal`] has it; empty without one.
pub fn host(url: &str) -> String {
    let url = normal(url);
    url.split(['/', '?']).next().unwrap_or_default().to_owned()
}

/// A URL in the form it is compared in: without scheme (`http` and `https` are one), user, `www.`, the default port,
/// a fragment and slashes at the end; the host in small letters. Path and query keep their case; nothing is decoded.
pub fn normal(url: &str) -> String {
    let url = url.trim().trim_start_matches('<').trim_end_matches('>');
    let url = url.split('#').next().unwrap_or_default();
    let scheme = url.find("://").map_or("", |at| &url[..at]);
    let rest = if scheme.is_empty() { url } else { &url[scheme.len() + 3..] };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or_default().to_lowercase();
    let port = if scheme.eq_ignore_ascii_case("https") { ":443" } else { ":80" };
    let host = host.strip_suffix(port).unwrap_or(&host);
    let host = host.strip_prefix("www.").unwrap_or(host);
    let web = scheme.is_empty() || scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let scheme = if web { String::new() } else { format!("{}://", scheme.to_ascii_lowercase()) };
    let mut out = format!("{scheme}{}{path}", host.trim_end_matches('.'));
    out.truncate(out.trim_end_matches('/').len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_as_the_same() {
        assert!(same("http://www.Example.org:80/a/", "https://example.org/a"));
        assert!(same("HTTPS://example.org:443", "http://example.org/#top"));
        assert!(same("<http://example.org/a?b>", "example.org/a?b"));
        assert!(same("http://u:p@example.org./a", "http://example.org/a"));
        assert!(!same("http://example.org/A", "http://example.org/a"));
        assert!(!same("http://example.org:8080/", "http://example.org/"));
        assert!(!same("ftp://example.org/", "http://example.org/"));
        assert!(!same("http://example.org/?a", "http://example.org/"));
        assert!(!same("", ""));
    }

    #[test]
    fn lists() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("urls.tsv");
        std::fs::write(&path, "\u{feff}a\thttp://a/\textra\r\n\n# x\nhttp://b/\n").unwrap();
        let pair = |id: &str, url: &str| (id.to_owned(), url.to_owned());
        assert_eq!(read(&path).unwrap(), [pair("a", "http://a/"), pair("", "http://b/")]);
    }
}
