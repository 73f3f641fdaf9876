//! Where the scheme of a URL ends.

/// The scheme of a URL, empty without one, and what follows it. A URL may carry another one in its path or its query.
pub fn split_scheme(url: &str) -> (&str, &str) {
    let is_scheme = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    };
    url.split_once("://").filter(|(scheme, _)| is_scheme(scheme)).unwrap_or(("", url))
}
