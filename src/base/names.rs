//! Names that people give to samples, annotators and configurations: they become words of commands and names of files.
//!
//! These rules are for new names. What has its name already is read as it is.

/// Whether a command would take a name for an option.
pub fn is_like_an_option(name: &str) -> bool {
    name.starts_with('-')
}

/// The first of the known names that differs from a new one in case alone: some file systems have one file for both.
/// `None` for a name that is known itself.
pub fn same_but_for_case<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    if known.iter().any(|known| known == name) {
        return None;
    }
    let lower = name.to_lowercase();
    known.iter().find(|known| known.to_lowercase() == lower).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_case_alone_are_found() {
        let known = ["first".to_owned(), "Zoë".to_owned()];
        assert_eq!(same_but_for_case("First", &known), Some("first"));
        assert_eq!(same_but_for_case("ZOË", &known), Some("Zoë"));
        assert_eq!(same_but_for_case("first", &known), None, "it is the same");
        assert_eq!(same_but_for_case("first2", &known), None);
        assert_eq!(same_but_for_case("A", &["a".to_owned(), "A".to_owned()]), None, "both are there already");
        assert!(is_like_an_option("-x") && !is_like_an_option("x-"));
    }
}
