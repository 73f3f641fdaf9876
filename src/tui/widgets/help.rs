//! The keys of a screen, from the same table that makes them work; typing narrows them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use super::glyphs::{draw_text, width};
use crate::action::ScreenId;
use crate::bindings::{Bound, Keymap};
use crate::key::Key;
use crate::theme::Theme;

/// Columns that all keys with their screens take.
const WIDEST: u16 = 110;

/// What the help shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Help {
    /// First line shown.
    top: usize,
    /// What was typed; none until something is.
    filter: Option<String>,
    /// All bindings with their screens and who says so, instead of those of one screen.
    everywhere: bool,
}

/// What became of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Helped {
    /// The help stays.
    Stays,
    /// It is closed.
    Closed,
}

impl Help {
    /// All bindings.
    pub fn everywhere() -> Self {
        Self { everywhere: true, ..Self::default() }
    }

    /// Whether something is being typed.
    pub fn is_typed(&self) -> bool {
        self.filter.is_some()
    }

    /// Takes a key. While nothing is typed j and k scroll and q closes; `/` begins to type, as every other letter does.
    pub fn key(&mut self, key: Key, keymap: &Keymap, screen: ScreenId) -> Helped {
        match (key, &mut self.filter) {
            (Key::Esc | Key::Enter | Key::Ctrl('c' | 'g'), _) | (Key::Char('q' | '?'), None) => return Helped::Closed,
            (Key::Down, _) | (Key::Char('j'), None) => self.top += 1,
            (Key::Up, _) | (Key::Char('k'), None) => self.top = self.top.saturating_sub(1),
            (Key::PageDown | Key::Ctrl('d'), _) | (Key::Char(' '), None) => self.top += 10,
            (Key::PageUp, _) | (Key::Ctrl('u'), None) => self.top = self.top.saturating_sub(10),
            (Key::Char('/'), None) => self.filter = Some(String::new()),
            (Key::Char(c), filter) => {
                filter.get_or_insert_default().push(c);
                self.top = 0;
            }
            (Key::Backspace, Some(filter)) if !filter.is_empty() => drop(filter.pop()),
            (Key::Backspace | Key::Ctrl('u'), _) => self.filter = None,
            _ => {}
        }
        self.top = self.top.min(self.lines(keymap, screen).len().saturating_sub(1));
        Helped::Stays
    }

    /// The lines that are left: keys, what they do, the long name, and where or by whose word.
    fn lines(&self, keymap: &Keymap, screen: ScreenId) -> Vec<[String; 4]> {
        let wanted = self.filter.as_deref().unwrap_or_default().to_lowercase();
        let all: Vec<[String; 4]> = if self.everywhere {
            keymap.all().map(|(bound, on)| line(keymap, bound, format!("{} · {on}", bound.source.words()))).collect()
        } else {
            keymap.on(screen).map(|bound| line(keymap, bound, String::new())).collect()
        };
        all.into_iter().filter(|line| line.iter().any(|cell| cell.to_lowercase().contains(&wanted))).collect()
    }

    /// Columns for keys, for what they do, and for the long name.
    fn widths(&self, lines: &[[String; 4]], room: u16) -> [u16; 3] {
        match self.everywhere {
            true if room < WIDEST => [11, 20, 18],
            true => [12, 26, 20],
            false => {
                [0, 1, 2].map(|c| lines.iter().map(|line| width(&line[c])).max().unwrap_or_default().max(12) as u16)
            }
        }
    }

    /// Draws the help over what is there.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, keymap: &Keymap, screen: ScreenId, theme: &Theme) {
        let lines = self.lines(keymap, screen);
        // As high and wide as without a filter, so that nothing jumps while one types.
        let all = Self { filter: None, ..self.clone() }.lines(keymap, screen);
        let widths = self.widths(&all, area.width);
        let width = area.width.min(if self.everywhere { WIDEST } else { widths.iter().sum::<u16>() + 4 });
        let height = area.height.min(all.len() as u16 + 2);
        let x = area.x + (area.width - width) / 2;
        let place = Rect { x, y: area.y + (area.height - height) / 2, width, height };
        Clear.render(place, buffer);
        let name = if self.everywhere { "all keys".to_owned() } else { format!("keys on {}", screen.name()) };
        let title = match &self.filter {
            None => format!(" {name} · type to filter · j k scroll · q closes "),
            Some(filter) => format!(" {name} · with “{filter}” · Enter closes "),
        };
        Block::bordered().style(theme.text).render(place, buffer);
        draw_text(buffer, (place.x + 1, place.y), place.width.saturating_sub(2), &title, theme.text);
        let (left, top) = (place.x + 1, place.y + 1);
        if lines.is_empty() {
            draw_text(buffer, (left, top), place.width.saturating_sub(2), "no key or name has this", theme.dim);
        }
        let room = place.width.saturating_sub(2);
        for (i, line) in lines.iter().skip(self.top).take(usize::from(place.height.saturating_sub(2))).enumerate() {
            let y = top + i as u16;
            let mut x = 0;
            let styles = [theme.key, theme.text, theme.dim, theme.dim];
            for (cell, (wide, style)) in line.iter().zip(widths.into_iter().chain([u16::MAX]).zip(styles)) {
                draw_text(buffer, (left + x, y), wide.min(room.saturating_sub(x)), cell, style);
                x = x.saturating_add(wide).saturating_add(1).min(room);
            }
        }
    }
}

fn line(keymap: &Keymap, bound: &Bound, more: String) -> [String; 4] {
    let keys: Vec<String> = bound.keys.iter().map(|key| keymap.written(*key)).collect();
    [keys.join(" "), bound.help.to_owned(), bound.action.name().to_owned(), more]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_narrows_and_backspace_widens() {
        let keymap = Keymap::default();
        let mut help = Help::default();
        let all = help.lines(&keymap, ScreenId::Label).len();
        for c in "undo".chars() {
            assert_eq!(help.key(Key::Char(c), &keymap, ScreenId::Label), Helped::Stays);
        }
        let names: Vec<String> = help.lines(&keymap, ScreenId::Label).into_iter().map(|line| line[2].clone()).collect();
        assert_eq!(names, ["undo"]);
        for _ in 0..5 {
            help.key(Key::Backspace, &keymap, ScreenId::Label);
        }
        assert_eq!((help.lines(&keymap, ScreenId::Label).len(), help.filter.clone()), (all, None));
        assert_eq!(help.key(Key::Char('q'), &keymap, ScreenId::Label), Helped::Closed);
    }

    #[test]
    fn a_slash_lets_one_type_what_scrolls_otherwise() {
        let keymap = Keymap::default();
        let mut help = Help::default();
        for c in "/q".chars() {
            assert_eq!(help.key(Key::Char(c), &keymap, ScreenId::Home), Helped::Stays);
        }
        assert!(help.lines(&keymap, ScreenId::Home).iter().any(|line| line[2] == "quit"));
    }
}
