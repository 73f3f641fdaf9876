//! Texts compared without regard to case. ASCII text is not copied, because millions of ids are searched.

/// Whether `text` contains `lower`, which is in lower case already.
pub fn contains(text: &str, lower: &str) -> bool {
    if text.is_ascii() && lower.is_ascii() {
        let (text, lower) = (text.as_bytes(), lower.as_bytes());
        return lower.is_empty() || text.windows(lower.len()).any(|window| window.eq_ignore_ascii_case(lower));
    }
    text.to_lowercase().contains(lower)
}

/// Whether `text` equals `lower`, which is in lower case already.
pub fn equals(text: &str, lower: &str) -> bool {
    if text.is_ascii() && lower.is_ascii() { text.eq_ignore_ascii_case(lower) } else { text.to_lowercase() == lower }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_case() {
        assert!(contains("ClueWeb09-en0001", "clueweb09") && !contains("ClueWeb09", "clueweb09-"));
        assert!(contains("GRÖSSE", "ös") && contains("x", "") && contains("", "") && !contains("", "x"));
        assert!(equals("Größe", "größe") && equals("ABC", "abc") && !equals("ABCD", "abc"));
    }
}
