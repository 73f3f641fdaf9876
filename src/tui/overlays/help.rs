//! The keys of a screen, from the same table that makes them work; typing narrows them.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use crate::action::{Action, ScreenId};
use crate::binding::OverlayKey;
use crate::contract::{Answer, Effect, Overlay};
use crate::key::Key::{self, Char, Ctrl};
use crate::keymap::{Bound, Keymap};
use crate::shared::Shared;
use crate::widgets::glyphs::{draw_text, width};

/// Lines that a page moves by.
const PAGE: usize = 10;

/// Columns that all keys with their screens take.
const WIDEST: u16 = 110;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Help {
    /// First line shown.
    top: usize,
    /// None until something is typed.
    filter: Option<String>,
    /// All bindings with their screens and origins (built in, profile, settings), instead of those of one screen.
    everywhere: bool,
}

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Close,
    Down,
    Up,
    PageDown,
    PageUp,
    /// Begins to filter.
    Filter,
    /// Ends filtering.
    All,
    /// Takes the last letter away.
    Shorten,
}

/// Keys while nothing is typed; every other letter begins to filter.
const READING: &[OverlayKey<Does>] = &[
    OverlayKey::shown(&[Char('j'), Key::Down], Does::Down, "scroll"),
    OverlayKey::shown(&[Char('k'), Key::Up], Does::Up, "scroll"),
    OverlayKey::hidden(&[Char(' '), Key::PageDown, Ctrl('d')], Does::PageDown),
    OverlayKey::hidden(&[Key::PageUp, Ctrl('u')], Does::PageUp),
    OverlayKey::shown(&[Char('/')], Does::Filter, "filters"),
    OverlayKey::shown(&[Char('q'), Char('?'), Key::Esc, Key::Enter, Ctrl('c'), Ctrl('g')], Does::Close, "closes"),
];

/// Keys while a filter is typed.
const FILTERING: &[OverlayKey<Does>] = &[
    OverlayKey::shown(&[Key::Enter, Key::Esc, Ctrl('c'), Ctrl('g')], Does::Close, "closes"),
    OverlayKey::shown(&[Ctrl('u')], Does::All, "all keys again"),
    OverlayKey::shown(&[Key::PageUp], Does::PageUp, "scroll"),
    OverlayKey::shown(&[Key::PageDown, Ctrl('d')], Does::PageDown, "scroll"),
    OverlayKey::hidden(&[Key::Down], Does::Down),
    OverlayKey::hidden(&[Key::Up], Does::Up),
    OverlayKey::hidden(&[Key::Backspace], Does::Shorten),
];

impl Help {
    pub fn everywhere() -> Self {
        Self { everywhere: true, ..Self::default() }
    }

    /// The keys that hold now.
    fn own_keys(&self) -> &'static [OverlayKey<Does>] {
        if self.filter.is_some() { FILTERING } else { READING }
    }

    /// Takes a key; false when it closes the help.
    fn press(&mut self, key: Key, keymap: &Keymap, screen: ScreenId) -> bool {
        match (OverlayKey::resolve(self.own_keys(), key), key) {
            (Some(Does::Close), _) => return false,
            (Some(Does::Down), _) => self.top += 1,
            (Some(Does::Up), _) => self.top = self.top.saturating_sub(1),
            (Some(Does::PageDown), _) => self.top += PAGE,
            (Some(Does::PageUp), _) => self.top = self.top.saturating_sub(PAGE),
            (Some(Does::Filter), _) => self.filter = Some(String::new()),
            (Some(Does::All), _) => self.filter = None,
            (Some(Does::Shorten), _) => {
                if self.filter.as_mut().and_then(String::pop).is_none() {
                    self.filter = None;
                }
            }
            (None, Char(c)) => {
                self.filter.get_or_insert_default().push(c);
                self.top = 0;
            }
            (None, _) => {}
        }
        self.top = self.top.min(self.lines(keymap, screen).len().saturating_sub(1));
        true
    }

    /// The lines that the filter leaves: keys, what they do, the action's name, and where the binding comes from.
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

    fn title(&self, screen: ScreenId) -> String {
        let name = if self.everywhere { "all keys".to_owned() } else { format!("keys on {}", screen.name()) };
        match &self.filter {
            None => format!(" {name} · type to filter · j k scroll · q closes "),
            Some(filter) => format!(" {name} · with “{filter}” · Enter closes "),
        }
    }
}

impl Overlay for Help {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        let Some(key) = Key::of(event) else { return Answer::Stays };
        if matches!(key, Ctrl(_)) && shared.keymap.resolve(key, shared.screen) == Some(Action::Quit) {
            return Answer::Closed(vec![Effect::Quit.into()]);
        }
        if self.press(key, &shared.keymap, shared.screen) { Answer::Stays } else { Answer::Closed(Vec::new()) }
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        OverlayKey::bar(self.own_keys())
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let (keymap, screen, theme) = (&shared.keymap, shared.screen, &shared.theme);
        let lines = self.lines(keymap, screen);
        // As high and wide as without a filter, so that nothing jumps while one types.
        let all = Self { filter: None, ..self.clone() }.lines(keymap, screen);
        let widths = self.widths(&all, area.width);
        let width = area.width.min(if self.everywhere { WIDEST } else { widths.iter().sum::<u16>() + 4 });
        let height = area.height.min(all.len() as u16 + 2);
        let x = area.x + (area.width - width) / 2;
        let place = Rect { x, y: area.y + (area.height - height) / 2, width, height };
        Clear.render(place, buffer);
        Block::bordered().style(theme.text).render(place, buffer);
        draw_text(buffer, (place.x + 1, place.y), place.width.saturating_sub(2), &self.title(screen), theme.text);
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
    [keys.join(" "), bound.help.clone(), bound.action.name().to_owned(), more]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screens::home::Home;
    use crate::screens::keys;
    use crate::screens::label::Label;

    #[test]
    fn typing_narrows_and_backspace_widens() {
        let keymap = Keymap::built_in(&keys());
        let mut help = Help::default();
        let all = help.lines(&keymap, Label::ID).len();
        for c in "undo".chars() {
            assert!(help.press(Char(c), &keymap, Label::ID));
        }
        let names: Vec<String> = help.lines(&keymap, Label::ID).into_iter().map(|line| line[2].clone()).collect();
        assert_eq!(names, ["undo"]);
        for _ in 0..5 {
            help.press(Key::Backspace, &keymap, Label::ID);
        }
        assert_eq!((help.lines(&keymap, Label::ID).len(), help.filter.clone()), (all, None));
        assert!(!help.press(Char('q'), &keymap, Label::ID));
    }

    #[test]
    fn a_slash_lets_one_type_what_scrolls_otherwise() {
        let keymap = Keymap::built_in(&keys());
        let mut help = Help::default();
        for c in "/q".chars() {
            assert!(help.press(Char(c), &keymap, Home::ID));
        }
        assert!(help.lines(&keymap, Home::ID).iter().any(|line| line[2] == "quit"));
    }
}
