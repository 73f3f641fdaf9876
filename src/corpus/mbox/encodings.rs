//! base64 and quoted-printable, as mail writes them (RFC 2045), read tolerantly.

/// The bytes that base64 stands for. Characters that do not belong to it are passed over; the end may lack its filling.
pub(super) fn base64(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for &byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

/// The bytes that quoted-printable stands for: `=C3=BC`, and `=` at the end of a line that goes on. In a subject `_` is a
/// blank.
pub(super) fn quoted_printable(text: &[u8], in_subject: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after) {
            (b'=', [b'\r', b'\n', tail @ ..] | [b'\n', tail @ ..]) => rest = tail,
            (b'=', [a, b, tail @ ..]) if let (Some(a), Some(b)) = (hex(*a), hex(*b)) => {
                out.push(a << 4 | b);
                rest = tail;
            }
            (b'_', _) if in_subject => out.push(b' '),
            _ => out.push(byte),
        }
    }
    out
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings() {
        // The examples of RFC 4648, section 10, and of RFC 2045, section 6.7.
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9v\r\nYmFy")] {
            assert_eq!(base64(coded.as_bytes()), plain.as_bytes());
        }
        assert_eq!(base64(b"Zg"), b"f");
        let coded = b"Now's the time =\r\nfor all folk to come=\n to the aid of their country.";
        assert_eq!(quoted_printable(coded, false), b"Now's the time for all folk to come to the aid of their country.");
        assert_eq!(quoted_printable(b"a=C3=bc_=4 =", true), "a\u{fc} =4 =".as_bytes());
    }
}
