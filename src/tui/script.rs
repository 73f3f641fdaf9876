//! Keys as words, so that what was pressed can be written down and pressed again.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Keys with a name.
const NAMED: [(&str, KeyCode); 14] = [
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("space", KeyCode::Char(' ')),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
];

/// The keys of a script: names and letters apart by blanks, as in `2 j j enter`, `C-r`, `/`. `"some words"` are typed letter
/// by letter, `_` in them being a blank, too. A quote by itself is that key.
pub fn keys(script: &str) -> Result<Vec<KeyEvent>, UnknownKey> {
    let mut keys = Vec::new();
    let mut rest = script.trim_start();
    while let Some((word, behind)) = next(rest) {
        rest = behind.trim_start();
        match word {
            Word::Typed(text) => {
                keys.extend(text.chars().map(|c| press(KeyCode::Char(if c == '_' { ' ' } else { c }))));
            }
            Word::Key(word) => keys.push(named(word).ok_or_else(|| UnknownKey(word.to_owned()))?),
        }
    }
    Ok(keys)
}

/// A word of a script that is no key.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownKey(String);

impl fmt::Display for UnknownKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = NAMED.map(|(name, _)| name).join(", ");
        let word = dejaview_text::printable(&self.0);
        write!(
            f,
            "“{word}” is no key. Keys are single characters, C- and a letter, or {names}; write text to be typed in quotes: \
             \"{word}\""
        )
    }
}

impl std::error::Error for UnknownKey {}

/// A part of a script.
enum Word<'a> {
    Key(&'a str),
    /// What stands in quotes.
    Typed(&'a str),
}

/// The first word of a script that begins with one, and what is behind it. Quotes close before a blank or at the end, in
/// the same line.
fn next(script: &str) -> Option<(Word<'_>, &str)> {
    let ends = |at: usize| script[at..].chars().next().is_none_or(char::is_whitespace);
    if script.starts_with('"') && !ends(1) {
        let line = script.find('\n').map_or(script, |end| &script[..end]);
        let close = line.char_indices().skip(1).find(|&(at, c)| c == '"' && ends(at + 1));
        if let Some((at, _)) = close {
            return Some((Word::Typed(&script[1..at]), &script[at + 1..]));
        }
    }
    let end = script.find(char::is_whitespace).unwrap_or(script.len());
    (end > 0).then(|| (Word::Key(&script[..end]), &script[end..]))
}

/// A key as a word of a script; none for one that has no such word.
pub fn written(key: &KeyEvent) -> Option<String> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let plain = (key.modifiers - KeyModifiers::SHIFT).is_empty();
    let name = NAMED.iter().find(|(_, code)| *code == key.code).map(|(name, _)| (*name).to_owned());
    match key.code {
        KeyCode::Char(c) if control && key.modifiers == KeyModifiers::CONTROL && c.is_ascii_graphic() => {
            Some(format!("C-{c}"))
        }
        KeyCode::Char(c) if plain && !c.is_whitespace() => Some(c.to_string()),
        _ => name.filter(|_| plain),
    }
}

fn press(code: KeyCode) -> KeyEvent {
    KeyEvent::new(code, KeyModifiers::NONE)
}

/// The key of a word, whether it is written large or small.
fn named(word: &str) -> Option<KeyEvent> {
    if let Some((_, code)) = NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
        return Some(press(*code));
    }
    match (word.strip_prefix("C-").and_then(only_character), only_character(word)) {
        (Some(c), _) => Some(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)),
        (None, Some(c)) => Some(press(KeyCode::Char(c))),
        (None, None) => None,
    }
}

fn only_character(word: &str) -> Option<char> {
    let mut characters = word.chars();
    characters.next().filter(|_| characters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_pressed_again() {
        let all = NAMED.iter().map(|(_, code)| press(*code));
        let letters = (' '..='~').chain("äß漢✓_\"".chars()).map(|c| press(KeyCode::Char(c)));
        let control = ('a'..='z').map(|c| KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
        for key in all.chain(letters).chain(control) {
            let word = written(&key).unwrap();
            assert_eq!(keys(&word).unwrap(), [key], "{word}");
        }
        for lost in [KeyEvent::new(KeyCode::Char('a'), KeyModifiers::ALT), press(KeyCode::F(3))] {
            assert_eq!(written(&lost), None);
        }
    }

    #[test]
    fn words_are_typed() {
        let typed: String =
            keys("/ \"two_words\" Enter").unwrap().iter().filter_map(|key| key.code.as_char()).collect();
        assert_eq!(typed, "/two words");
        let typed = |script: &str| {
            keys(script).unwrap().iter().map(|key| key.code.as_char().unwrap_or('⏎')).collect::<String>()
        };
        assert_eq!(typed("3 & \"best & tf\" enter j"), "3&best & tf⏎j");
        assert_eq!(typed("\"a  b\"\n\"c\" \"d e\"  "), "a  bcd e");
        assert_eq!(typed("& \"url:\"x y\"\" enter"), "&url:\"x y\"⏎", "quotes inside");
        assert_eq!(typed("\" a b \" \" x"), "\"ab\"\"x", "quotes that were pressed");
        assert_eq!(typed("\"\" q \"é ü\""), "qé ü");
    }

    #[test]
    fn a_word_that_is_no_key_is_named() {
        for (script, word) in
            [("3 simhash-9 enter", "simhash-9"), ("3&best", "3&best"), ("C-rr", "C-rr"), ("\"open x", "\"open")]
        {
            let unknown = keys(script).unwrap_err();
            assert_eq!(unknown, UnknownKey(word.to_owned()));
            assert!(unknown.to_string().contains(&format!("\"{word}\"")), "{unknown}");
        }
    }
}
