//! Character references of HTML: `&eacute;`, `&#233;`, `&#xE9;`, with the rules for text (not attributes).
//!
//! The names are those of the HTML standard, `assets/entities.tsv`, put into a hash table at first use; a look-up reads
//! at most 32 bytes ahead. Names that the standard allows without a semicolon match by the longest prefix.

use std::sync::LazyLock;

use dejaview_base::hash;
use hashbrown::HashTable;

/// Longest name, without its semicolon.
const LONGEST: usize = 31;
/// Longest name that may stand without a semicolon.
const LONGEST_BARE: usize = 6;

static NAMES: LazyLock<Names> = LazyLock::new(|| Names::unpack(include_str!("../../assets/entities.tsv")));

/// One or two characters.
type Characters = (char, Option<char>);

struct Names {
    /// Indices into `names`, which are smaller than the names themselves.
    table: HashTable<u16>,
    names: Vec<(&'static [u8], Characters)>,
}

/// What the reference at the head of `text`, which follows an `&`, stands for, and its length; `None` when the `&` is
/// just that.
pub(super) fn reference(text: &[u8]) -> Option<(Characters, usize)> {
    match text {
        [b'#', b'x' | b'X', ..] => numeric(text, 2, 16),
        [b'#', ..] => numeric(text, 1, 10),
        [b'n', b'b', b's', b'p', b';', ..] => Some((('\u{A0}', None), 5)),
        [b'l', b't', b';', ..] => Some((('<', None), 3)),
        [b'g', b't', b';', ..] => Some((('>', None), 3)),
        [b'a', b'm', b'p', b';', ..] => Some((('&', None), 4)),
        _ => named(text),
    }
}

fn named(text: &[u8]) -> Option<(Characters, usize)> {
    let len = text.iter().take(LONGEST + 1).take_while(|b| b.is_ascii_alphanumeric()).count();
    if text.get(len) == Some(&b';')
        && let Some(found) = NAMES.find(&text[..=len])
    {
        return Some((found, len + 1));
    }
    (2..=len.min(LONGEST_BARE)).rev().find_map(|len| Some((NAMES.find(&text[..len])?, len)))
}

fn numeric(text: &[u8], from: usize, radix: u32) -> Option<(Characters, usize)> {
    let mut code = 0u32;
    let mut len = from;
    while let Some(digit) = text.get(len).and_then(|&b| (b as char).to_digit(radix)) {
        code = code.saturating_mul(radix).saturating_add(digit);
        len += 1;
    }
    if len == from {
        return None;
    }
    len += usize::from(text.get(len) == Some(&b';'));
    Some(((character(code), None), len))
}

/// The standard reads C1 controls as the windows-1252 bytes that their authors meant.
fn character(code: u32) -> char {
    const WINDOWS_1252: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', //
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];
    match code {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9F => WINDOWS_1252[code as usize - 0x80],
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

impl Names {
    fn unpack(asset: &'static str) -> Self {
        let mut names = Vec::with_capacity(2231);
        for (name, codes) in asset.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split_once('\t')) {
            let mut characters = codes.split(' ').filter_map(|c| char::from_u32(u32::from_str_radix(c, 16).ok()?));
            let Some(first) = characters.next() else { continue };
            names.push((name.as_bytes(), (first, characters.next())));
        }
        let mut table = HashTable::with_capacity(names.len());
        for (index, (name, _)) in (0u16..).zip(&names) {
            table.insert_unique(hash::token(name), index, |&index| hash::token(names[usize::from(index)].0));
        }
        Self { table, names }
    }

    fn find(&self, name: &[u8]) -> Option<Characters> {
        let index = self.table.find(hash::token(name), |&index| self.names[usize::from(index)].0 == name)?;
        Some(self.names[usize::from(*index)].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, &str)> {
        let ((first, second), len) = reference(text.as_bytes())?;
        Some(([Some(first), second].into_iter().flatten().collect(), &text[len..]))
    }

    #[test]
    fn the_table_is_whole() {
        assert_eq!(NAMES.names.len(), 2231);
        assert_eq!(NAMES.names.iter().filter(|n| !n.0.ends_with(b";")).count(), 106);
        assert_eq!(NAMES.names.iter().map(|n| n.0.len()).max(), Some(LONGEST + 1));
        let bare = NAMES.names.iter().filter(|n| !n.0.ends_with(b";")).map(|n| n.0.len());
        assert_eq!(bare.max(), Some(LONGEST_BARE));
        for &(name, characters) in &NAMES.names {
            assert_eq!(reference(name), Some((characters, name.len())), "{}", String::from_utf8_lossy(name));
        }
    }

    #[test]
    fn the_longest_name_wins() {
        assert_eq!(read("notit;"), Some(("¬".into(), "it;")));
        assert_eq!(read("notin; x"), Some(("∉".into(), " x")));
        assert_eq!(read("amplt;"), Some(("&".into(), "lt;")));
        assert_eq!(read("eacute caf"), Some(("é".into(), " caf")));
        assert_eq!(read("acE;"), Some(("∾̳".into(), "")));
        assert_eq!(read("CounterClockwiseContourIntegral;"), Some(("∳".into(), "")));
        for just_text in ["", " ", "x", "hellip", "nosuchname;", ";", "#", "#x", "#;", "#xg;", "a&b"] {
            assert_eq!(read(just_text), None, "{just_text}");
        }
    }

    #[test]
    fn numbers_are_read_as_browsers_do() {
        assert_eq!(read("#233;x"), Some(("é".into(), "x")));
        assert_eq!(read("#xE9x"), Some(("é".into(), "x")));
        assert_eq!(read("#X1F600;"), Some(("😀".into(), "")));
        assert_eq!(read("#150;"), Some(("–".into(), "")));
        assert_eq!(read("#x81;"), Some(("\u{81}".into(), "")));
        for replaced in ["#0;", "#xD800;", "#x110000;", "#99999999999999999999;"] {
            assert_eq!(read(replaced), Some(("\u{FFFD}".into(), "")), "{replaced}");
        }
    }
}
