//! Which characters make words, and what they fold to: `assets/unicode.tsv`, unpacked once.
//!
//! The facts are kept as data, not taken from the standard library, so that the tokens of a page, and with them every
//! hash, do not change with the compiler's version of Unicode. Characters of the basic plane cost one look into a table
//! of 64 KiB, others a binary search.

use std::sync::LazyLock;

pub(super) const SEPARATOR: u8 = 0;
/// Begins or continues a word.
pub(super) const WORD: u8 = 1;
/// Continues a word or an ideograph, begins nothing.
pub(super) const MARK: u8 = 2;
/// Neither splits a word nor is part of its folded form.
pub(super) const IGNORED: u8 = 3;
/// Han, Hiragana, Katakana: read as pairs.
pub(super) const CJK: u8 = 4;
/// Set beside the class when case folding changes the character.
pub(super) const FOLDS: u8 = 0x80;

/// The tables, unpacked at first use.
pub(super) static CLASSES: LazyLock<Classes> =
    LazyLock::new(|| Classes::unpack(include_str!("../../assets/unicode.tsv")));

/// Character classes and case foldings.
pub(super) struct Classes {
    basic: Box<[u8]>,
    /// First and last code point and class of ranges above the basic plane, ascending.
    above: Vec<(u32, u32, u8)>,
    /// Ascending by first code point, never overlapping.
    folds: Vec<Fold>,
}

struct Fold {
    first: u32,
    last: u32,
    step: u32,
    to: Folded,
}

enum Folded {
    Difference(i32),
    Text(String),
}

impl Classes {
    /// Class of a code point, with [`FOLDS`] beside it.
    #[inline]
    pub(super) fn class(&self, code: u32) -> u8 {
        match self.basic.get(code as usize) {
            Some(&class) => class,
            None => self.class_above(code),
        }
    }

    /// Appends the full case folding of one character.
    pub(super) fn fold(&self, c: char, out: &mut String) {
        match self.folding(c as u32) {
            Some((Folded::Text(text), _)) => out.push_str(text),
            Some((Folded::Difference(d), code)) => out.push(char::from_u32(code.wrapping_add_signed(*d)).unwrap_or(c)),
            None => out.push(c),
        }
    }

    fn folding(&self, code: u32) -> Option<(&Folded, u32)> {
        let after = self.folds.partition_point(|f| f.first <= code);
        let fold = &self.folds[after.checked_sub(1)?];
        (code <= fold.last && (code - fold.first).is_multiple_of(fold.step)).then_some((&fold.to, code))
    }

    #[cold]
    fn class_above(&self, code: u32) -> u8 {
        let after = self.above.partition_point(|r| r.0 <= code);
        let class = match after.checked_sub(1).map(|i| self.above[i]) {
            Some((_, last, class)) if code <= last => class,
            _ => SEPARATOR,
        };
        if class == WORD && self.folding(code).is_some() { class | FOLDS } else { class }
    }

    fn unpack(asset: &str) -> Self {
        let mut this = Self { basic: vec![SEPARATOR; 0x1_0000].into(), above: Vec::new(), folds: Vec::new() };
        for line in asset.lines().filter(|l| !l.starts_with('#')) {
            let mut fields = line.split('\t');
            let kind = fields.next().unwrap_or_default();
            let mut code = || fields.next().and_then(|f| u32::from_str_radix(f, 16).ok());
            let (Some(first), Some(last)) = (code(), code()) else { continue };
            match kind {
                "word" => this.set_class(first, last, WORD),
                "mark" => this.set_class(first, last, MARK),
                "ignored" => this.set_class(first, last, IGNORED),
                "cjk" => this.set_class(first, last, CJK),
                _ => {
                    let step = fields.next().and_then(|f| f.parse().ok()).unwrap_or(1);
                    this.folding_line(first, last, step, fields.next().unwrap_or_default());
                }
            }
        }
        this
    }

    fn set_class(&mut self, first: u32, last: u32, class: u8) {
        match self.basic.get_mut(first as usize..=last as usize) {
            Some(range) => range.fill(class),
            None => self.above.push((first, last, class)),
        }
    }

    fn folding_line(&mut self, first: u32, last: u32, step: u32, to: &str) {
        let to = match to.parse::<i32>() {
            Ok(difference) if to.starts_with(['+', '-']) => Folded::Difference(difference),
            _ => Folded::Text(to.split(' ').filter_map(|c| char::from_u32(u32::from_str_radix(c, 16).ok()?)).collect()),
        };
        for code in (first..=last).step_by(step as usize) {
            if let Some(class) = self.basic.get_mut(code as usize) {
                *class |= FOLDS;
            }
        }
        self.folds.push(Fold { first, last, step, to });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        text.chars().for_each(|c| CLASSES.fold(c, &mut out));
        out
    }

    /// The version named at the head of the asset.
    const VERSION: (u8, u8, u8) = (18, 0, 0);

    /// One direction holds for every version of the standard library, since a newer Unicode only adds characters.
    #[test]
    fn letters_and_digits_are_those_of_the_standard_library() {
        let mut differing = Vec::new();
        for c in '\0'..=char::MAX {
            let class = CLASSES.class(c as u32) & !FOLDS;
            let ours = matches!(class, WORD | CJK);
            let wrong = if char::UNICODE_VERSION <= VERSION {
                c.is_alphanumeric() && !ours
            } else {
                ours && !c.is_alphanumeric()
            };
            if wrong && class != IGNORED {
                differing.push(c);
            }
        }
        assert!(differing.is_empty(), "{differing:?}");
    }

    #[test]
    fn every_folding_letter_is_a_word_character() {
        for c in '\u{80}'..=char::MAX {
            let class = CLASSES.class(c as u32);
            assert_eq!(class & FOLDS != 0, folded(&c.to_string()) != c.to_string(), "{c:?}");
            assert!(class & FOLDS == 0 || class & !FOLDS == WORD, "{c:?}");
        }
    }

    /// What the standard library calls upper and lower case of one letter must fold together; the Turkish dotless i
    /// and dotted I are the known exceptions of the untailored folding.
    #[test]
    fn cases_of_a_letter_fold_together() {
        let fold = |text: String| folded(&text.to_ascii_lowercase());
        for c in ('\0'..=char::MAX).filter(|c| !matches!(c, 'ı' | 'İ')) {
            let upper: String = c.to_uppercase().collect();
            assert_eq!(fold(upper.clone()), fold(c.to_string()), "{c:?} and {upper:?}");
        }
        assert_eq!(
            (folded("ß"), folded("ẞ"), folded("İ"), folded("ı")),
            ("ss".into(), "ss".into(), "i\u{307}".into(), "ı".into())
        );
        assert_eq!((folded("ΣΊΣΥΦΟς"), folded("ﬃ")), ("σίσυφοσ".into(), "ffi".into()));
    }

    #[test]
    fn classes_by_example() {
        let of = |c: char| CLASSES.class(c as u32);
        assert_eq!((of('a'), of('é'), of('É'), of('𐐀')), (WORD, WORD, WORD | FOLDS, WORD | FOLDS));
        assert_eq!((of('\u{301}'), of('\u{AD}'), of('\u{200D}'), of('\u{200B}')), (MARK, IGNORED, IGNORED, SEPARATOR));
        assert_eq!((of('漢'), of('ー'), of('ｶ'), of('𠀀'), of('한'), of('々')), (CJK, CJK, CJK, CJK, WORD, CJK));
        assert_eq!((of('_'), of('-'), of('\''), of('・'), of('😀')), (0, 0, 0, 0, 0));
    }
}
