//! Charsets by the names that headers and pages give them.

use encoding_rs::Encoding;

/// The charset of a label, also of the misspelt ones that pages carry.
pub(super) fn by_label(label: &str) -> Option<&'static Encoding> {
    let label = label.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let encoding = Encoding::for_label(label.as_bytes()).or_else(|| {
        let bare: String = label.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let number = |prefix: &str| bare.strip_prefix(prefix).filter(|n| n.bytes().all(|b| b.is_ascii_digit()));
        let repaired = match bare.as_str() {
            "shiftjis" | "sjis" | "xshiftjis" => "shift_jis".into(),
            "koi8" => "koi8-r".into(),
            "gb" | "chinese" => "gbk".into(),
            "eucjp" | "euckr" => format!("euc-{}", &bare[3..]),
            "iso2022jp" => "iso-2022-jp".into(),
            "koi8r" | "koi8u" => format!("koi8-{}", &bare[4..]),
            _ => match (number("iso8859"), number("iso"), number("windows").or(number("win")).or(number("cp"))) {
                (Some(part), _, _) => format!("iso-8859-{part}"),
                (_, Some(part), _) => format!("iso-{}", part.replacen("8859", "8859-", 1)),
                (_, _, Some(page)) => format!("windows-{page}"),
                _ => bare,
            },
        };
        Encoding::for_label(repaired.as_bytes())
    });
    encoding.filter(|e| *e != encoding_rs::REPLACEMENT && *e != encoding_rs::X_USER_DEFINED)
}

/// A charset by the name that [`super::Decoded`] gives it.
pub fn charset_named(name: &str) -> Option<&'static str> {
    Encoding::for_label(name.as_bytes()).map(Encoding::name).filter(|known| *known == name)
}

/// The value of `charset=` in a `Content-Type`.
pub(super) fn parameter(content_type: &str) -> Option<&str> {
    let mut rest = content_type;
    loop {
        let at = rest.as_bytes().windows(7).position(|w| w.eq_ignore_ascii_case(b"charset"))?;
        rest = &rest[at + 7..];
        if let Some(value) = rest.trim_start().strip_prefix('=') {
            let value = value.trim_start().trim_start_matches(['"', '\'']);
            return value.split([';', ',', '"', '\'', ' ', '\t']).next().filter(|v| !v.is_empty());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_labels_are_understood() {
        for (label, charset) in [
            ("iso-88591", "windows-1252"),
            ("ISO 8859-2", "ISO-8859-2"),
            ("iso8859_15", "ISO-8859-15"),
            ("utf8", "UTF-8"),
            ("'utf-8';", "UTF-8"),
            ("UTF_8", "UTF-8"),
            ("win-1251", "windows-1251"),
            ("windows1252", "windows-1252"),
            ("cp_1250", "windows-1250"),
            ("shift-jis", "Shift_JIS"),
            ("x-sjis", "Shift_JIS"),
            ("EUC_JP", "EUC-JP"),
            ("koi8r", "KOI8-R"),
            ("gb_2312", "GBK"),
        ] {
            assert_eq!(by_label(label).map(|e| e.name()), Some(charset), "{label}");
        }
        for label in ["", "none", "text/html", "iso-2022-kr", "x-user-defined", "é", "iso8859", "cp"] {
            assert_eq!(by_label(label), None, "{label}");
        }
        assert_eq!(parameter("text/html; charset = 'utf-8'"), Some("utf-8"));
        assert_eq!(parameter("text/html; charset; CHARSET=x;y"), Some("x"));
        assert_eq!(parameter("text/html; charset="), None);
        assert_eq!(parameter("charsetcharset"), None);
    }
}
