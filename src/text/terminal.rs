//! The one door to the terminal: no character of a page may move the cursor, change colours, reorder or hide text.
//!
//! Controls become control pictures (ESC is ␛) or their number (⟨U+0085⟩); characters that reorder or have no width
//! become their name (⟨RLO⟩). Line feed and tab stay, and so do the variation selectors of emoji. Only what is shown
//! changes: a [`Printable`] knows where each byte of the source went.

use std::borrow::Cow;
use std::fmt::Write;

use super::classes::{CLASSES, IGNORED};

/// The text as it may reach a terminal; borrowed when nothing has to change.
pub fn printable(text: &str) -> Cow<'_, str> {
    match text.find(unsafe_to_show) {
        None => Cow::Borrowed(text),
        Some(_) => Cow::Owned(Printable::new(text).text),
    }
}

/// A text as it may reach a terminal, with the way from places in the source to places in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printable {
    /// What may be shown.
    pub text: String,
    /// Every replaced character, ascending.
    changes: Vec<Change>,
}

/// One replaced character: where it stood, and where its replacement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Change {
    source: usize,
    source_end: usize,
    shown: usize,
    shown_end: usize,
}

impl Printable {
    pub fn new(source: &str) -> Self {
        let mut this = Self { text: String::with_capacity(source.len()), changes: Vec::new() };
        let mut copied = 0;
        for (at, c) in source.char_indices().filter(|&(_, c)| unsafe_to_show(c)) {
            this.text.push_str(&source[copied..at]);
            copied = at + c.len_utf8();
            let shown = this.text.len();
            show(c, &mut this.text);
            this.changes.push(Change { source: at, source_end: copied, shown, shown_end: this.text.len() });
        }
        this.text.push_str(&source[copied..]);
        this
    }

    /// Where byte `source` of the source stands in the text. Never decreases as `source` grows; a place inside a
    /// replaced character is the beginning of its replacement, and one behind the source is the end of the text.
    pub fn place(&self, source: usize) -> usize {
        let after = self.changes.partition_point(|c| c.source <= source);
        let place = match after.checked_sub(1).map(|i| self.changes[i]) {
            None => source,
            Some(change) if source < change.source_end => change.shown,
            Some(change) => change.shown_end.saturating_add(source - change.source_end),
        };
        place.min(self.text.len())
    }
}

fn unsafe_to_show(c: char) -> bool {
    match c {
        '\n' | '\t' | ' '..='~' => false,
        '\u{A0}'..='\u{AC}' | '\u{FE00}'..='\u{FE0F}' => false,
        _ if c.is_control() => true,
        '\u{200B}' | '\u{2028}' | '\u{2029}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}' => true,
        _ => CLASSES.class(c as u32) == IGNORED,
    }
}

fn show(c: char, out: &mut String) {
    const NAMES: [(char, &str); 24] = [
        ('\u{AD}', "SHY"),
        ('\u{34F}', "CGJ"),
        ('\u{61C}', "ALM"),
        ('\u{180E}', "MVS"),
        ('\u{200B}', "ZWSP"),
        ('\u{200C}', "ZWNJ"),
        ('\u{200D}', "ZWJ"),
        ('\u{200E}', "LRM"),
        ('\u{200F}', "RLM"),
        ('\u{2028}', "LSEP"),
        ('\u{2029}', "PSEP"),
        ('\u{202A}', "LRE"),
        ('\u{202B}', "RLE"),
        ('\u{202C}', "PDF"),
        ('\u{202D}', "LRO"),
        ('\u{202E}', "RLO"),
        ('\u{2060}', "WJ"),
        ('\u{2066}', "LRI"),
        ('\u{2067}', "RLI"),
        ('\u{2068}', "FSI"),
        ('\u{2069}', "PDI"),
        ('\u{3164}', "HF"),
        ('\u{FEFF}', "BOM"),
        ('\u{E0001}', "TAG"),
    ];
    match c {
        '\0'..='\u{1F}' => out.extend(char::from_u32(0x2400 + c as u32)),
        '\u{7F}' => out.push('␡'),
        _ => match NAMES.binary_search_by_key(&c, |n| n.0) {
            Ok(i) => {
                out.push('⟨');
                out.push_str(NAMES[i].1);
                out.push('⟩');
            }
            // Writing into a string cannot fail.
            Err(_) => drop(write!(out, "⟨U+{:04X}⟩", c as u32)),
        },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_harms_becomes_visible() {
        assert_eq!(printable("\u{1b}[31mred\u{1b}]0;x\u{7}\0\u{7f}"), "␛[31mred␛]0;x␇␀␡");
        assert_eq!(printable("a\r\nb\tc\u{85}\u{9b}31m"), "a␍\nb\tc⟨U+0085⟩⟨U+009B⟩31m");
        assert_eq!(printable("\u{FEFF}a\u{202E}b\u{2066}\u{200B}\u{AD}"), "⟨BOM⟩a⟨RLO⟩b⟨LRI⟩⟨ZWSP⟩⟨SHY⟩");
        assert_eq!(printable("x\u{E0061}\u{E0100}\u{2028}"), "x⟨U+E0061⟩⟨U+E0100⟩⟨LSEP⟩");
    }

    #[test]
    fn what_is_harmless_is_borrowed() {
        for text in ["", "Größe, 漢字 한국 हिन्दी\n\tx", "❤\u{FE0F} 😀 e\u{301} \u{A0}"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn places_follow_the_text() {
        let shown = Printable::new("a\u{202E}b");
        assert_eq!(shown.text, "a⟨RLO⟩b");
        assert_eq!((0..7).map(|i| shown.place(i)).collect::<Vec<_>>(), [0, 1, 1, 1, 10, 11, 11]);
        assert_eq!(shown.place(usize::MAX), 11);
    }

    proptest! {
        #[test]
        fn the_map_is_total_and_monotone(text in "([a-zé\\x00-\\x1f\u{202E}\u{FEFF}\u{85}]|\\PC|\\pC){0,60}") {
            let shown = Printable::new(&text);
            prop_assert_eq!(&shown.text, &printable(&text));
            prop_assert!(!shown.text.contains(unsafe_to_show));
            let places: Vec<usize> = (0..=text.len()).map(|i| shown.place(i)).collect();
            prop_assert!(places.is_sorted());
            prop_assert_eq!(places[text.len()], shown.text.len());
            for (at, c) in text.char_indices() {
                prop_assert!(shown.text.is_char_boundary(places[at]));
                if !unsafe_to_show(c) {
                    prop_assert!(shown.text[places[at]..].starts_with(c));
                }
            }
        }
    }
}
