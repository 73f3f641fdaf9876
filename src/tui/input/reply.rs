//! Do these bytes begin an answer of a terminal, whose Escape was heard as a key because the rest came so late?
//!
//! We never ask; but a program before us may have, and its answer comes to us. Nobody types the beginning of one: colours
//! (`]11;rgb:`), the clipboard (`]52;c;`), what the terminal is able to do (`P1+r`) and its name (`P>|`).

/// What bytes behind an Escape may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    /// Keys.
    No,
    /// Either.
    Perhaps,
    /// An answer.
    Surely,
}

/// Says so of the bytes behind the Escape.
pub(super) fn reply(bytes: &[u8]) -> Reply {
    match bytes.split_first() {
        Some((b']', rest)) => text(rest, &[b"rgb", b"c;", b"p;", b"?"], true),
        Some((b'P', rest)) => text(rest, &[b"+r", b"$r", b">|", b"!|"], false),
        _ => Reply::No,
    }
}

/// Whether a person may have typed so little of it within a moment.
pub(super) fn short(bytes: &[u8]) -> bool {
    bytes.iter().skip(1).all(u8::is_ascii_digit)
}

/// Numbers, then one of these; `closed` numbers are there and end with a semicolon.
fn text(bytes: &[u8], all: &[&[u8]], closed: bool) -> Reply {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit() || (closed && **byte == b';')).count();
    let (numbers, rest) = bytes.split_at(digits);
    if numbers.len() > 12 || (closed && numbers.first() == Some(&b';')) {
        return Reply::No;
    }
    if rest.is_empty() {
        return Reply::Perhaps;
    }
    if closed && !numbers.ends_with(b";") {
        return Reply::No;
    }
    if all.iter().any(|known| rest.starts_with(known)) {
        Reply::Surely
    } else if all.iter().any(|known| known.starts_with(rest)) {
        Reply::Perhaps
    } else {
        Reply::No
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_keys() {
        for bytes in ["]11;rgb", "]4;12;rgb:", "]52;c;", "P1+r", "P0$r", "P>|", "P+r"] {
            assert_eq!(reply(bytes.as_bytes()), Reply::Surely, "{bytes}");
            let before = &bytes[..bytes.trim_end_matches([':', 'b', ';', 'r', '|']).len().max(1)];
            assert_eq!(reply(before.as_bytes()), Reply::Perhaps, "{before}");
        }
        for bytes in ["]]", "]a", "]1a", "];", "]11;a", "Pa", "P1a", "[", "a", "", "]1234567890123"] {
            assert_eq!(reply(bytes.as_bytes()), Reply::No, "{bytes}");
        }
    }
}
