//! A key as a person presses it, names it and reads it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key as a person presses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A character, shift included.
    Char(char),
    /// A character with Control.
    Ctrl(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    Backspace,
    Tab,
    /// Shift and Tab.
    BackTab,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow to the left.
    Left,
    /// Arrow to the right.
    Right,
    PageUp,
    PageDown,
    /// To the beginning.
    Home,
    End,
}

impl Key {
    /// The key of an event; none for those that are never bound.
    pub fn of(event: &KeyEvent) -> Option<Self> {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        if !event.modifiers.difference(KeyModifiers::SHIFT | KeyModifiers::CONTROL).is_empty() {
            return None;
        }
        Some(match event.code {
            KeyCode::Char(c) if control => Self::Ctrl(c.to_ascii_lowercase()),
            KeyCode::Char(c) => Self::Char(c),
            KeyCode::Enter => Self::Enter,
            KeyCode::Esc => Self::Esc,
            KeyCode::Backspace => Self::Backspace,
            KeyCode::Tab => Self::Tab,
            KeyCode::BackTab => Self::BackTab,
            KeyCode::Up => Self::Up,
            KeyCode::Down => Self::Down,
            KeyCode::Left => Self::Left,
            KeyCode::Right => Self::Right,
            KeyCode::PageUp => Self::PageUp,
            KeyCode::PageDown => Self::PageDown,
            KeyCode::Home => Self::Home,
            KeyCode::End => Self::End,
            _ => return None,
        })
    }

    /// As the bar and the help show it.
    pub fn label(self) -> String {
        match self {
            Self::Char(' ') => "space".to_owned(),
            Self::Char(c) => c.to_string(),
            Self::Ctrl(c) => format!("C-{c}"),
            Self::Enter => "⏎".to_owned(),
            Self::Esc => "Esc".to_owned(),
            Self::Backspace => "⌫".to_owned(),
            Self::Tab => "Tab".to_owned(),
            Self::BackTab => "Shift-Tab".to_owned(),
            Self::Up => "↑".to_owned(),
            Self::Down => "↓".to_owned(),
            Self::Left => "←".to_owned(),
            Self::Right => "→".to_owned(),
            Self::PageUp => "PgUp".to_owned(),
            Self::PageDown => "PgDn".to_owned(),
            Self::Home => "Home".to_owned(),
            Self::End => "End".to_owned(),
        }
    }

    /// In words, where the sign cannot be shown.
    pub fn word(self) -> String {
        match self {
            Self::Up => "Up".to_owned(),
            Self::Down => "Down".to_owned(),
            Self::Left => "Left".to_owned(),
            Self::Right => "Right".to_owned(),
            other => other.name(),
        }
    }

    /// As sentences name it, and the keys of what lies over a screen.
    pub fn name(self) -> String {
        match self {
            Self::Enter => "Enter".to_owned(),
            Self::Backspace => "Bksp".to_owned(),
            other => other.label(),
        }
    }

    /// The key that a person names in the settings or behind `:help`: `a`, `space`, `C-d`, `PgUp`, `⏎`.
    pub fn named(name: &str) -> Option<Self> {
        let mut chars = name.chars();
        if let (Some(c), None) = (chars.next(), chars.next()) {
            return Some(Self::of_sign(c).unwrap_or(Self::Char(c)));
        }
        let lower = name.to_lowercase();
        if let Some(rest) = lower.strip_prefix("c-").or_else(|| lower.strip_prefix("ctrl-")) {
            let mut chars = rest.chars();
            return match (chars.next(), chars.next()) {
                (Some(c), None) => Some(Self::Ctrl(c)),
                _ => None,
            };
        }
        Some(match lower.as_str() {
            "space" => Self::Char(' '),
            "enter" | "return" => Self::Enter,
            "esc" | "escape" => Self::Esc,
            "backspace" | "bksp" => Self::Backspace,
            "tab" => Self::Tab,
            "shift-tab" | "backtab" => Self::BackTab,
            "up" => Self::Up,
            "down" => Self::Down,
            "left" => Self::Left,
            "right" => Self::Right,
            "pgup" | "pageup" => Self::PageUp,
            "pgdn" | "pagedown" => Self::PageDown,
            "home" => Self::Home,
            "end" => Self::End,
            _ => return None,
        })
    }

    /// The key that a sign stands for in the bar and the help.
    fn of_sign(c: char) -> Option<Self> {
        [Self::Enter, Self::Backspace, Self::Up, Self::Down, Self::Left, Self::Right]
            .into_iter()
            .find(|key| key.label().chars().eq([c]))
    }

    /// Whether the byte may be left over from a sequence of the terminal's that was split on its way. Such a key may write
    /// labels only while the guard watches.
    pub fn may_be_left_over(self) -> bool {
        match self {
            Self::Char(c) => {
                matches!(c, '0'..='9' | 'A'..='H' | 'P'..='S' | 'Z' | 'u' | '[' | 'O' | '~' | 'm' | 'M' | ';')
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_named_as_they_are_shown() {
        let keys = [Key::Char('a'), Key::Char('A'), Key::Char(' '), Key::Char(':'), Key::Char('é'), Key::Ctrl('d')];
        let more =
            [Key::Enter, Key::Esc, Key::Backspace, Key::Tab, Key::BackTab, Key::Up, Key::Down, Key::Left, Key::Right];
        for key in keys.into_iter().chain(more).chain([Key::PageUp, Key::PageDown, Key::Home, Key::End]) {
            assert_eq!(Key::named(&key.label()), Some(key));
        }
        assert_eq!(Key::named("ctrl-R"), Some(Key::Ctrl('r')));
        assert_eq!(Key::named("Enter"), Some(Key::Enter));
        assert_eq!((Key::named("hyper"), Key::named(""), Key::named("C-")), (None, None, None));
    }
}
