//! What a whole sequence of a terminal means.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The meaning of a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A key was pressed.
    Key(KeyEvent),
    /// The wheel was turned down, or up.
    Scroll(bool),
    /// The terminal has the focus again.
    Focus,
    /// A paste begins.
    Paste,
    /// Nothing that we want: a report, a click, the focus lost.
    Nothing,
    /// Nothing that we know.
    Unknown,
}

/// A key with the modifiers that a parameter of a sequence stands for.
fn key(code: KeyCode, parameter: u32) -> Meaning {
    let bits = parameter.saturating_sub(1);
    let mut modifiers = KeyModifiers::NONE;
    for (bit, modifier) in [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL)] {
        if bits & bit != 0 {
            modifiers |= modifier;
        }
    }
    Meaning::Key(KeyEvent::new(code, modifiers))
}

/// Of `ESC [ parameters final`.
pub(super) fn csi(parameters: &[u8], last: u8) -> Meaning {
    let text = std::str::from_utf8(parameters).unwrap_or_default();
    if let Some(mouse) = text.strip_prefix('<') {
        return wheel(mouse, last);
    }
    let numbers: Vec<u32> = text.split(';').map(|number| number.parse().unwrap_or(0)).collect();
    let first = numbers.first().copied().unwrap_or(0);
    let second = numbers.get(1).copied().unwrap_or(0);
    if !text.bytes().all(|b| b.is_ascii_digit() || b == b';') {
        return Meaning::Nothing;
    }
    match last {
        b'A'..=b'D' | b'F' | b'H' => arrow(last).map_or(Meaning::Unknown, |code| key(code, second)),
        b'a'..=b'd' if text.is_empty() => {
            arrow(last.to_ascii_uppercase()).map_or(Meaning::Unknown, |code| key(code, 2))
        }
        b'Z' => key(KeyCode::BackTab, 2),
        b'P' | b'Q' | b'S' if first <= 1 => key(KeyCode::F(last - b'P' + 1), second),
        b'R' if text.is_empty() || (first == 1 && second > 1 && numbers.len() == 2) => key(KeyCode::F(3), second),
        b'I' if text.is_empty() => Meaning::Focus,
        b'~' => numbered(first, second),
        b'O' | b'R' | b'c' | b'n' | b'y' | b't' | b'u' | b'M' => Meaning::Nothing,
        _ => Meaning::Unknown,
    }
}

/// Of `ESC O final`.
pub(super) fn ss3(last: u8) -> Meaning {
    match last {
        b'A'..=b'D' | b'F' | b'H' => arrow(last).map_or(Meaning::Unknown, |code| key(code, 0)),
        b'a'..=b'd' => arrow(last.to_ascii_uppercase()).map_or(Meaning::Unknown, |code| key(code, 5)),
        b'P'..=b'S' => key(KeyCode::F(last - b'P' + 1), 0),
        b'M' => key(KeyCode::Enter, 0),
        // The keypad of a terminal whose keypad was switched over, before us and not by us.
        b'j'..=b'y' => key(KeyCode::Char(char::from(last - 0x40)), 0),
        _ => Meaning::Unknown,
    }
}

fn arrow(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        _ => return None,
    })
}

fn numbered(number: u32, modifiers: u32) -> Meaning {
    let code = match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F((number - 10) as u8),
        17..=21 => KeyCode::F((number - 11) as u8),
        23..=26 => KeyCode::F((number - 12) as u8),
        200 => return Meaning::Paste,
        201 => return Meaning::Nothing,
        _ => return Meaning::Unknown,
    };
    key(code, modifiers)
}

fn wheel(mouse: &str, last: u8) -> Meaning {
    let button = mouse.split(';').next().and_then(|button| button.parse::<u32>().ok());
    match (button, last) {
        (Some(64), b'M') => Meaning::Scroll(false),
        (Some(65), b'M') => Meaning::Scroll(true),
        (Some(_), b'M' | b'm') => Meaning::Nothing,
        _ => Meaning::Unknown,
    }
}
