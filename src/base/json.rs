//! What is wrong with a line of JSON, as it is told with the number of that line in its file.

/// Why a line of a file is not what was expected. What serde adds, that this is line 1, would be read as the first line of the
/// file.
pub fn fault_in_line(why: &serde_json::Error) -> String {
    let said = why.to_string();
    let place = format!(" at line {} column {}", why.line(), why.column());
    match said.strip_suffix(&place) {
        Some(said) => format!("{said} at column {}", why.column()),
        None => said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_columns_and_no_lines() {
        let cut = serde_json::from_str::<Vec<u8>>("[1, 2").unwrap_err();
        assert_eq!(fault_in_line(&cut), "EOF while parsing a list at column 5");
        let other = serde_json::from_str::<u8>("\"x\"").unwrap_err();
        assert_eq!(fault_in_line(&other), "invalid type: string \"x\", expected u8 at column 3");
    }
}
