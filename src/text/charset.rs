//! From bytes to text: which charset is it, and what makes us think so?
//!
//! Asked in this order: byte order mark, HTTP header, the page's own declaration, detection. Bytes that are UTF-8 are
//! read as UTF-8 whatever is declared (other charsets all but never form valid UTF-8 by chance), so the usual page costs
//! one validation; and a declaration that the bytes contradict is passed over.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::{memchr, memchr_iter};

use super::charset_names::{by_label, parameter};
use super::prescan::prescan;

/// Bytes that detection looks at.
const DETECTION: usize = 1 << 18;
/// A text may hold this many malformed places for each hundred well-formed characters beyond ASCII and still be what it
/// says it is: pages cut in the middle, a comment pasted in another charset.
const PERCENT_MALFORMED: usize = 5;

/// What decided the charset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// A byte order mark.
    Bom,
    /// The bytes are ASCII or UTF-8, whatever is declared.
    Bytes,
    Http,
    /// The page's own `meta` element or XML declaration.
    Meta,
    /// Nothing but the frequencies of bytes.
    Detected,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text, without a byte order mark.
    pub text: Cow<'a, str>,
    /// Name of the charset as the Encoding standard spells it.
    pub charset: &'static str,
    pub evidence: Evidence,
    /// Whether some bytes meant nothing in this charset; they became U+FFFD.
    pub malformed: bool,
}

/// Decodes the body of a document. `http` is the charset of the HTTP header, or the whole `Content-Type`; `html` says
/// that the bytes may declare a charset themselves.
pub fn decode<'a>(bytes: &'a [u8], http: Option<&str>, html: bool) -> Decoded<'a> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let decoded = decoded(encoding, &bytes[length..], Evidence::Bom);
        if !decoded.malformed || encoding != UTF_8 || mostly_utf8(&bytes[length..]) {
            return decoded;
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let (text, evidence) = (Cow::Borrowed(text), Evidence::Bytes);
        return seven_bit(bytes, http).unwrap_or(Decoded { text, charset: UTF_8.name(), evidence, malformed: false });
    }
    if mostly_utf8(bytes) {
        return decoded(UTF_8, bytes, Evidence::Bytes);
    }
    let http = http.and_then(|h| by_label(parameter(h).unwrap_or(h))).map(|e| (e, Evidence::Http));
    let meta = || if html { prescan(bytes).map(|e| (e, Evidence::Meta)) } else { None };
    for (encoding, evidence) in http.into_iter().chain(std::iter::from_fn(meta).take(1)) {
        let decoded = decoded(encoding, bytes, evidence);
        if !contradicted(encoding, &decoded) {
            return decoded;
        }
    }
    decoded(detected(bytes), bytes, Evidence::Detected)
}

/// Bytes taken for Windows-1252, which has a character for each.
pub fn windows_1252(bytes: &[u8]) -> Cow<'_, str> {
    WINDOWS_1252.decode_without_bom_handling(bytes).0
}

fn decoded<'a>(encoding: &'static Encoding, bytes: &'a [u8], evidence: Evidence) -> Decoded<'a> {
    let (text, malformed) = encoding.decode_without_bom_handling(bytes);
    Decoded { text, charset: encoding.name(), evidence, malformed }
}

/// Charsets whose texts look like ASCII: ISO-2022-JP has escapes in it, UTF-16 without its mark has zeros.
fn seven_bit<'a>(bytes: &'a [u8], http: Option<&str>) -> Option<Decoded<'a>> {
    let begins = |at: usize| matches!(bytes.get(at + 1..at + 3), Some(b"$@" | b"$B" | b"(J" | b"(I"));
    if memchr_iter(0x1B, bytes).any(begins) && bytes.is_ascii() {
        let named = http.and_then(|h| by_label(parameter(h).unwrap_or(h))) == Some(ISO_2022_JP);
        let evidence = if named { Evidence::Http } else { Evidence::Detected };
        return Some(decoded(ISO_2022_JP, bytes, evidence)).filter(|d| !contradicted(ISO_2022_JP, d));
    }
    let head = &bytes[..bytes.len().min(512)];
    if head.len() < 16 {
        return None;
    }
    memchr(0, head)?;
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let most = head.len() / 2 * 9 / 10;
    match (even, odd) {
        (0, odd) if odd > most => Some(decoded(UTF_16LE, bytes, Evidence::Detected)),
        (even, 0) if even > most => Some(decoded(UTF_16BE, bytes, Evidence::Detected)),
        _ => None,
    }
}

/// Whether all but a few characters beyond ASCII are UTF-8; a character cut off at the end does not count.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0usize, 0usize);
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        let text = chunk.valid();
        good += text.bytes().filter(|b| *b >= 0xC0).count();
        at += text.len() + chunk.invalid().len();
        bad += usize::from(!chunk.invalid().is_empty() && at < bytes.len());
    }
    good > 0 && bad * 100 <= good * PERCENT_MALFORMED
}

/// Whether a text is so full of malformed places that it cannot be in this charset.
fn contradicted(encoding: &'static Encoding, decoded: &Decoded<'_>) -> bool {
    if !decoded.malformed || encoding.is_single_byte() {
        return false;
    }
    if encoding == UTF_8 {
        return true; // Asked and answered by `mostly_utf8`.
    }
    let (mut good, mut bad) = (0usize, 0usize);
    for c in decoded.text.chars().filter(|c| !c.is_ascii()) {
        if c == char::REPLACEMENT_CHARACTER { bad += 1 } else { good += 1 }
    }
    bad * 100 > good * PERCENT_MALFORMED
}

fn detected(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[..bytes.len().min(DETECTION)], bytes.len() <= DETECTION);
    detector.guess(None, Utf8Detection::Deny)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{KOI8_R, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};
    use proptest::prelude::*;

    use super::*;

    const RUSSIAN: &str = "<p>Почти одинаковые страницы встречаются в сети очень часто, и их надо уметь находить.";
    const JAPANESE: &str = "<p>ほとんど同じページはウェブにたくさんあります。それを見つける必要があります。";
    const FRENCH: &str = "<p>Les pages presque identiques sont très fréquentes : déjà vu, où êtes-vous ?";

    fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
        encoding.encode(text).0.into_owned()
    }

    fn read(bytes: &[u8], http: Option<&str>) -> (String, &'static str, Evidence, bool) {
        let d = decode(bytes, http, true);
        (d.text.into_owned(), d.charset, d.evidence, d.malformed)
    }

    #[test]
    fn marks_come_first() {
        let utf16: Vec<u8> = "\u{FEFF}aé漢".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&utf16, Some("utf-8")), ("aé漢".into(), "UTF-16LE", Evidence::Bom, false));
        assert_eq!(read(b"\xEF\xBB\xBFa", Some("latin1")), ("a".into(), "UTF-8", Evidence::Bom, false));
        let wrong = [b"\xEF\xBB\xBF".to_vec(), encoded(WINDOWS_1252, FRENCH)].concat();
        assert_eq!(read(&wrong, None).1, "windows-1252");
    }

    #[test]
    fn declarations_hold_when_the_bytes_agree() {
        let koi = encoded(KOI8_R, RUSSIAN);
        assert_eq!(read(&koi, Some("KOI8-R")), (RUSSIAN.into(), "KOI8-R", Evidence::Http, false));
        assert_eq!(read(&koi, Some("text/html; charset=\"koi8-r\";")).1, "KOI8-R");
        let declared = format!("<meta charset=windows-1251>{RUSSIAN}");
        let bytes = encoded(WINDOWS_1251, &declared);
        assert_eq!(read(&bytes, None), (declared.clone(), "windows-1251", Evidence::Meta, false));
        assert_eq!(decode(&bytes, None, false).evidence, Evidence::Detected);
    }

    #[test]
    fn declarations_fall_when_the_bytes_contradict_them() {
        let latin = encoded(WINDOWS_1252, FRENCH);
        assert_eq!(read(&latin, Some("utf-8")), (FRENCH.into(), "windows-1252", Evidence::Detected, false));
        let meta = encoded(WINDOWS_1252, &format!("<meta charset=iso-8859-15>{FRENCH}"));
        assert_eq!(read(&meta, Some("utf8")).2, Evidence::Meta);
        assert_eq!(read(FRENCH.as_bytes(), Some("iso-8859-1")), (FRENCH.into(), "UTF-8", Evidence::Bytes, false));
        assert_eq!(read(&encoded(SHIFT_JIS, JAPANESE), Some("euc-jp")).1, "Shift_JIS");
    }

    #[test]
    fn a_cut_or_a_slip_does_not_contradict() {
        let cut = &RUSSIAN.as_bytes()[..RUSSIAN.len() - 2];
        assert_eq!(read(cut, Some("utf-8")).1, "UTF-8");
        assert_eq!(read(cut, Some("iso-8859-1")).1, "UTF-8");
        let slip = [RUSSIAN.as_bytes(), b" \xE9 ", RUSSIAN.as_bytes()].concat();
        let (text, charset, _, malformed) = read(&slip, None);
        assert_eq!((text, charset, malformed), (format!("{RUSSIAN} \u{FFFD} {RUSSIAN}"), "UTF-8", true));
    }

    #[test]
    fn undeclared_charsets_are_detected() {
        let koi = read(&encoded(KOI8_R, RUSSIAN), None);
        assert!(koi.0 == RUSSIAN && koi.1.starts_with("KOI8") && koi.2 == Evidence::Detected, "{koi:?}");
        assert_eq!(read(&encoded(WINDOWS_1251, RUSSIAN), None).0, RUSSIAN);
        assert_eq!(read(&encoded(SHIFT_JIS, JAPANESE), None).0, JAPANESE);
        assert_eq!(read(&encoded(encoding_rs::EUC_JP, JAPANESE), None).0, JAPANESE);
        assert_eq!(read(&encoded(WINDOWS_1252, FRENCH), None).0, FRENCH);
        let jis = encoded(ISO_2022_JP, JAPANESE);
        assert!(jis.is_ascii());
        assert_eq!(read(&jis, None), (JAPANESE.into(), "ISO-2022-JP", Evidence::Detected, false));
        assert_eq!(read(&jis, Some("iso-2022-jp")).2, Evidence::Http);
        assert_eq!(read(b"\x1b[31mred", None), ("\x1b[31mred".into(), "UTF-8", Evidence::Bytes, false));
        let utf16: Vec<u8> = "<p>no mark".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(read(&utf16, None), ("<p>no mark".into(), "UTF-16BE", Evidence::Detected, false));
        assert_eq!(read(b"\0<3", None), ("\0<3".into(), "UTF-8", Evidence::Bytes, false));
    }

    proptest! {
        #[test]
        fn any_bytes_are_decoded(bytes in prop::collection::vec(any::<u8>(), 0..200), label in "\\PC{0,12}", html: bool) {
            decode(&bytes, Some(&label), html);
        }

        #[test]
        fn valid_utf8_is_never_changed(text in "[^\0\u{1b}\u{feff}]\\PC{0,60}") {
            let decoded = decode(text.as_bytes(), Some("windows-1252"), true);
            prop_assert_eq!(&decoded.text, &text);
        }
    }
}
