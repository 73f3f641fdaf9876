//! Lists of URLs, and when two URLs count as the same.

mod field;
mod layout;
mod list;
mod rules;
mod scheme;

use std::path::Path;

use crate::CorpusError;

pub use list::{ListedUrl, WithoutUrl, for_each_url};
pub use rules::{NoRules, Rule, Rules};
pub use scheme::split_scheme;

/// Reads a whole list into memory; see [`for_each_url`].
pub fn read(path: &Path) -> Result<Vec<(String, String)>, CorpusError> {
    let mut all = Vec::new();
    for_each_url(path, &mut |line| all.push((line.id.to_owned(), line.url.to_owned())))?;
    Ok(all)
}

/// Whether two URLs name the same page after [`normal`]. A document without a URL shares it with nobody.
pub fn same(a: &str, b: &str) -> bool {
    !a.is_empty() && !b.is_empty() && (a == b || normal(a) == normal(b))
}

/// The host of a URL as [`normal`] writes it; empty without one.
pub fn host(url: &str) -> String {
    let url = normal(url);
    host_of(&url).to_owned()
}

/// The host of a URL that was normalised by any rules, without scheme and user.
pub fn host_of(normal: &str) -> &str {
    let (_, rest) = split_scheme(normal);
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    authority.rsplit('@').next().unwrap_or_default()
}

/// The top-level domain of a host; `(address)` for an IP address, `(none)` for a host without a dot.
pub fn top_level(host: &str) -> &str {
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    match host.trim_end_matches('.').rsplit_once('.') {
        Some((_, last)) if !last.is_empty() && last.bytes().all(|b| b.is_ascii_digit()) => "(address)",
        Some((_, last)) if !last.is_empty() => last,
        _ => "(none)",
    }
}

/// How deep in its host a URL lies: the parts of its path.
pub fn depth(url: &str) -> usize {
    let url = normal(url);
    let behind = url.get(host_of(&url).len()..).unwrap_or_default();
    let path = behind.split(['?', '#']).next().unwrap_or_default();
    path.split('/').filter(|part| !part.is_empty()).count()
}

/// A URL in the form in which it is compared by the default rules: without scheme (`http` and `https` are one), user, `www.`,
/// the default port, a fragment and slashes at the end; the host in small letters. Path and query keep their case;
/// nothing is decoded.
pub fn normal(url: &str) -> String {
    let mut out = String::new();
    Rules::default().write(url, &mut out);
    out
}

/// The absolute form of a URL on a page at `base`, if it is absolute, without scheme, or relative to the root of the host.
/// `None` for other relative URLs: the page may name another base for them.
pub fn resolve(base: &str, url: &str) -> Option<String> {
    if url.starts_with("//") {
        return Some(format!("http:{url}"));
    }
    if !split_scheme(url).0.is_empty() {
        return Some(url.to_owned());
    }
    let start = base.len() - split_scheme(base).1.len();
    let end = base[start..].find(['/', '?', '#']).map_or(base.len(), |at| start + at);
    url.starts_with('/').then(|| format!("{}{url}", &base[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_of_paths() {
        for (url, expected) in [
            ("http://x.org", 0),
            ("http://www.x.org/", 0),
            ("https://x.org/a", 1),
            ("http://u@x.org:80/a/b/?q=/c/d", 2),
            ("", 0),
        ] {
            assert_eq!(depth(url), expected, "{url}");
        }
    }

    #[test]
    fn a_url_within_a_url_is_not_taken_for_it() {
        for (url, expected) in [
            ("http://attic.example.org/web/2004/http://www.inner.net/x", "attic.example.org"),
            ("attic.example.org/web/2004/http://www.inner.net/x", "attic.example.org"),
            ("https://bar.org/go?u=http://evil.net/y", "bar.org"),
            ("bar.org?http://evil.net", "bar.org"),
            ("bar.org#http://evil.net", "bar.org"),
            ("ftp://u@files.org/a", "ftp://files.org"),
        ] {
            assert!(normal(url).starts_with(expected), "{url}: {}", normal(url));
            let host = expected.trim_start_matches("ftp://");
            assert_eq!((host_of(&normal(url)), host_of(url)), (host, host), "{url}");
        }
        assert!(same("http://a.org/http://b.org/", "https://www.a.org/http://b.org"));
        assert!(!same("http://a.org/http://b.org/", "http://b.org/"));
        assert_eq!(depth("http://a.org/web/http://b.org/x"), 4);
        assert_eq!(
            resolve("http://a.org/p", "/go?u=http://b.org/").as_deref(),
            Some("http://a.org/go?u=http://b.org/")
        );
        assert_eq!(resolve("http://a.org/p", "http://b.org/").as_deref(), Some("http://b.org/"));
    }

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
    fn rules_can_be_chosen() {
        let by = |rules: &str, url: &str| {
            let mut out = String::new();
            rules.parse::<Rules>().unwrap().write(url, &mut out);
            out
        };
        let url = "HTTP://u@WWW.Example.org:80/A/Index.html?q=1#top";
        assert_eq!(by("exact", url), url);
        assert_eq!(by("default", url), "example.org/A/Index.html?q=1");
        assert_eq!(by("default,query", url), "example.org/A/Index.html");
        assert_eq!(by("default,query,index,case", url), "example.org/a");
        assert_eq!(by("fragment", url), "http://u@WWW.Example.org:80/A/Index.html?q=1");
        assert_eq!(by("host,scheme", url), "u@www.example.org:80/A/Index.html?q=1#top");
        assert_eq!(Rules::default().to_string(), "scheme,user,port,www,host,fragment,slash");
        assert_eq!(Rules::default().to_string().parse(), Ok(Rules::default()));
        assert!("luck".parse::<Rules>().is_err());
    }

    #[test]
    fn hosts_and_domains() {
        assert_eq!(host_of("http://u@a.org:8080/x"), "a.org:8080");
        assert_eq!([top_level("a.org"), top_level("b.co.uk:81"), top_level("localhost")], ["org", "uk", "(none)"]);
        assert_eq!(
            [top_level("127.0.0.1"), top_level("10.0.0.1:80"), top_level("")],
            ["(address)", "(address)", "(none)"]
        );
        assert_eq!(resolve("http://a.org/x/y", "/z").as_deref(), Some("http://a.org/z"));
        assert_eq!(resolve("http://a.org", "//b.org/z").as_deref(), Some("http://b.org/z"));
        assert_eq!(resolve("http://a.org/x", "https://c.org/").as_deref(), Some("https://c.org/"));
        assert_eq!(resolve("http://a.org/x", "y.html"), None);
    }

    #[test]
    fn long_lists_are_read_in_pieces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("urls.txt");
        let all: Vec<String> = (0..60_000).map(|i| format!("d{i}\thttp://host{}.org/page/{i}", i % 97)).collect();
        std::fs::write(&path, all.join("\n")).unwrap();
        let mut found = Vec::new();
        let without = for_each_url(&path, &mut |line| found.push(format!("{}\t{}", line.id, line.url))).unwrap();
        assert_eq!((found == all, without), (true, WithoutUrl::default()));
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
