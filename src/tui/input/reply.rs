//! Do these bytes begin an answer of a terminal, whose Escape was heard as a key because the rest came so late?
//!
//! We ask for the colour of the background alone; but a program before us may have asked for more, and its answer comes
//! to us. Nobody types the beginning of one: colours (`]11;rgb:`), the clipboard (`]52;c;`), what the terminal is able to do (`P1+r`) and its name (`P>|`).

use crate::theme::Background;

/// What the terminal says of its background: `]11;rgb:RRRR/GGGG/BBBB` and the end of a string, with one to four digits a
/// part. None when the answer is another, or none that can be understood.
pub(super) fn background(bytes: &[u8]) -> Option<Background> {
    let colour = std::str::from_utf8(bytes).ok()?.strip_prefix("]11;rgb:")?;
    let colour = colour.trim_end_matches(['\u{7}', '\u{1b}', '\\']);
    let part = |digits: &str| {
        let most = (1_u32 << (4 * digits.len().clamp(1, 4))) - 1;
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() <= 4)?;
        Some(f64::from(value) / f64::from(most))
    };
    let parts: Vec<f64> = colour.split('/').map(part).collect::<Option<_>>()?;
    let [red, green, blue] = parts[..] else { return None };
    // How bright the three look to the eye (ITU-R BT.601).
    let bright = 0.299 * red + 0.587 * green + 0.114 * blue;
    Some(if bright < 0.5 { Background::Dark } else { Background::Light })
}

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
    fn the_background_is_dark_or_light() {
        let said = |answer: &str| background(answer.as_bytes());
        assert_eq!(said("]11;rgb:1c1c/1f1f/2626\u{7}"), Some(Background::Dark));
        assert_eq!(said("]11;rgb:fd/f6/e3\u{1b}\\"), Some(Background::Light));
        assert_eq!(said("]11;rgb:f/f/f\u{7}"), Some(Background::Light));
        for answer in [
            "]10;rgb:0/0/0\u{7}",
            "]11;rgb:0/0\u{7}",
            "]11;rgb:0/0/0/0\u{7}",
            "]11;rgb:x/0/0\u{7}",
            "]11;rgb:00000/0/0",
            "]11;#000",
            "",
        ] {
            assert_eq!(said(answer), None, "{answer}");
        }
    }

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
