//! A list to choose from; the screen below gets what was chosen.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::binding::OverlayKey;
use crate::contract::{Answer, Overlay, Request};
use crate::key::Key;
use crate::shared::Shared;
use crate::widgets::boxes::{centred, draw_box};
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::table;

/// What a key does.
#[derive(Debug, Clone, Copy)]
enum Does {
    Take,
    TakeNone,
    Up,
    Down,
}

/// The letter of an option picks it, and all other keys close.
const KEYS: &[OverlayKey<Option<Does>>] = &[
    OverlayKey::shown(&[Key::Enter], Some(Does::Take), "chooses"),
    OverlayKey::shown(&[Key::Backspace], Some(Does::TakeNone), "none"),
    OverlayKey::shown(&[Key::Up], Some(Does::Up), "move"),
    OverlayKey::shown(&[Key::Down], Some(Does::Down), "move"),
    OverlayKey::shown(&[Key::Char('q'), Key::Esc], None, "closes"),
];

#[derive(Debug)]
pub struct Choose {
    /// What is chosen, in one word.
    name: &'static str,
    options: Vec<String>,
    at: usize,
}

impl Choose {
    pub fn new(name: &'static str, options: &[String]) -> Self {
        Self { name, options: options.to_vec(), at: 0 }
    }

    fn picked(&self, at: Option<usize>) -> Answer {
        Answer::Closed(vec![Request::Picked(self.name, at.and_then(|at| self.options.get(at).cloned()))])
    }
}

impl Overlay for Choose {
    fn key(&mut self, event: &KeyEvent, _: &mut Shared) -> Answer {
        let Some(key) = Key::of(event) else { return Answer::Closed(Vec::new()) };
        match OverlayKey::resolve(KEYS, key).flatten() {
            Some(Does::Take) => return self.picked(Some(self.at)),
            Some(Does::TakeNone) => return self.picked(None),
            Some(Does::Up) => self.at = self.at.saturating_sub(1),
            Some(Does::Down) => self.at = (self.at + 1).min(self.options.len().saturating_sub(1)),
            None => {
                let place = letters(&self.options).iter().position(|letter| letter.map(Key::Char) == Some(key));
                return place.map_or(Answer::Closed(Vec::new()), |at| self.picked(Some(at)));
            }
        }
        Answer::Stays
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        OverlayKey::bar(KEYS)
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let (options, theme) = (&self.options, &shared.theme);
        let keys = "⏎ choose · ⌫ none · Esc close";
        let widest = options.iter().map(|option| width(option) + 8).chain([width(keys) + 6]).max().unwrap_or(0);
        let high = options.len() as u16 + 2;
        let title: String =
            self.name.chars().take(1).flat_map(char::to_uppercase).chain(self.name.chars().skip(1)).collect();
        let frame = Frame { position: keys.to_owned(), focused: true, ..Frame::new(title) };
        draw_box(buffer, centred(area, widest as u16, high), &frame, theme, |buffer, inside| {
            let page = usize::from(inside.height);
            let top = (self.at + 1).saturating_sub(page);
            let rows = options.iter().zip(letters(options)).enumerate().skip(top).take(page);
            for (y, (number, (option, letter))) in (inside.y..).zip(rows) {
                let letter = letter.map(String::from).unwrap_or_default();
                draw_text(buffer, (inside.x + 1, y), 1, &letter, theme.accent);
                draw_text(buffer, (inside.x + 4, y), inside.width.saturating_sub(4), option, theme.text);
                if number == self.at {
                    table::select(buffer, Rect { y, height: 1, ..inside }, true, theme);
                }
            }
        });
    }
}

/// The letter that chooses each option: the first of its letters that no earlier option has.
fn letters(options: &[String]) -> Vec<Option<char>> {
    let mut taken: Vec<char> = Vec::new();
    let mut letter = |option: &String| {
        let own = option.chars().flat_map(char::to_lowercase).chain('a'..='z');
        let free = own.filter(char::is_ascii_lowercase).find(|c| !taken.contains(c));
        taken.extend(free);
        free
    };
    options.iter().map(&mut letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_letter_of_its_own() {
        let options = ["same content", "same template", "excerpt", "revision", "Ü", "s"].map(str::to_owned);
        let found: Vec<char> = letters(&options).into_iter().flatten().collect();
        assert_eq!(found, ['s', 'a', 'e', 'r', 'b', 'c']);
        let many: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        assert_eq!(letters(&many).into_iter().flatten().count(), 26, "then arrows must do");
    }
}
