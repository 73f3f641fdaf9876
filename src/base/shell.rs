//! Commands that a person can copy into a shell.

use std::path::Path;

/// A path as a shell takes it, and no command takes for an option.
pub fn quoted_path(path: &Path) -> String {
    let path = path.display().to_string();
    quoted(&if path.starts_with('-') { format!("./{path}") } else { path })
}

/// An argument as a shell takes it.
pub fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=,:@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.to_owned();
    }
    if argument.contains(char::is_control) {
        return with_control_characters(argument);
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

/// Control characters are written as bash, zsh and ksh read them: on a terminal they would be another name, or other lines.
fn with_control_characters(argument: &str) -> String {
    let mut quoted = "$'".to_owned();
    for c in argument.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| quoted.push_str(&format!("\\x{byte:02x}")));
            }
            c => quoted.push(c),
        }
    }
    quoted + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_plain_stays_as_it_is() {
        assert_eq!(quoted("study/simhash-3+5"), "study/simhash-3+5");
        assert_eq!(quoted("my study"), "'my study'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a\nb\u{1b}it's\\"), r"$'a\nb\x1bit\'s\\'");
        assert_eq!(quoted_path(Path::new("--fresh")), "./--fresh");
    }
}
