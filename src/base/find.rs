//! Does a text have another in it, whatever the case? Makes no copy of ASCII text: millions of ids are asked.

/// Whether `text` has `lower` in it, which is in lower case already.
pub fn has(text: &str, lower: &str) -> bool {
    if text.is_ascii() && lower.is_ascii() {
        let (text, lower) = (text.as_bytes(), lower.as_bytes());
        return lower.is_empty() || text.windows(lower.len()).any(|window| window.eq_ignore_ascii_case(lower));
    }
    text.to_lowercase().contains(lower)
}

/// Whether `text` is `lower`, which is in lower case already.
pub fn is(text: &str, lower: &str) -> bool {
    if text.is_ascii() && lower.is_ascii() { text.eq_ignore_ascii_case(lower) } else { text.to_lowercase() == lower }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_case() {
        assert!(has("ClueWeb09-en0001", "clueweb09") && !has("ClueWeb09", "clueweb09-"));
        assert!(has("GRÖSSE", "ös") && has("x", "") && has("", "") && !has("", "x"));
        assert!(is("Größe", "größe") && is("ABC", "abc") && !is("ABCD", "abc"));
    }
}
