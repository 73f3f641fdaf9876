//! One line that a person types.
//!
//! Own rather than a crate's: ratatui-textarea steps by code points, so that Backspace takes an accent off its letter, and
//! binds keys that the guard against stray input does not know; tui-input steps by graphemes, but Ctrl-W ends at other
//! places in it, and neither shows hidden characters by their names. What a crate could do here is a few lines.

use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_segmentation::UnicodeSegmentation;

use super::glyphs::{draw_text, glyphs};
use crate::binding::OverlayKey;
use crate::key::Key;
use crate::theme::Theme;

/// What a key did to the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// The line goes on.
    More,
    Done,
    Cancelled,
}

/// What a key does to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    Finish,
    Cancel,
    Clear,
    DeleteWord,
    DeletePrevious,
    NewLine,
    ToStart,
    ToEnd,
    Left,
    Right,
}

/// The keys of every line that is typed; all others are letters.
const KEYS: &[OverlayKey<Edit>] = &[
    OverlayKey::hidden(&[Key::Enter], Edit::Finish),
    OverlayKey::hidden(&[Key::Esc, Key::Ctrl('c'), Key::Ctrl('g')], Edit::Cancel),
    OverlayKey::hidden(&[Key::Ctrl('u')], Edit::Clear),
    OverlayKey::hidden(&[Key::Ctrl('w')], Edit::DeleteWord),
    OverlayKey::hidden(&[Key::Backspace], Edit::DeletePrevious),
    OverlayKey::hidden(&[Key::Ctrl('j')], Edit::NewLine),
    OverlayKey::hidden(&[Key::Home, Key::Ctrl('a')], Edit::ToStart),
    OverlayKey::hidden(&[Key::End, Key::Ctrl('e')], Edit::ToEnd),
    OverlayKey::hidden(&[Key::Left], Edit::Left),
    OverlayKey::hidden(&[Key::Right], Edit::Right),
];

impl Edit {
    /// Its key with what it does, for the key bar.
    pub fn shown(self, help: &'static str) -> (String, &'static str) {
        let keys = KEYS.iter().find(|one| one.does == self).and_then(|one| one.keys.first());
        (keys.map(|key| key.name()).unwrap_or_default(), help)
    }
}

/// The line, and the place of the cursor in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    pub text: String,
    /// Byte of the cursor; between graphemes.
    at: usize,
}

impl Prompt {
    /// With a text to begin from, and the cursor after it.
    pub fn with(text: &str) -> Self {
        Self::at(text, text.len())
    }

    /// The byte of the cursor.
    pub fn cursor(&self) -> usize {
        self.at
    }

    /// With the cursor at a byte of the text.
    pub fn at(text: &str, byte: usize) -> Self {
        let ends = text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]);
        Self { text: text.to_owned(), at: ends.take_while(|at| *at <= byte).last().unwrap_or_default() }
    }

    pub fn key(&mut self, event: &KeyEvent) -> Typed {
        match Key::of(event).and_then(|key| OverlayKey::resolve(KEYS, key)) {
            Some(Edit::Finish) => return Typed::Done,
            Some(Edit::Cancel) => return Typed::Cancelled,
            Some(Edit::Clear) => *self = Self::default(),
            Some(Edit::DeleteWord) => {
                let kept = self.text[..self.at].trim_end().rfind(' ').map_or(0, |space| space + 1);
                self.remove(kept);
            }
            Some(Edit::NewLine) => self.insert("\n"),
            Some(Edit::ToStart) => self.at = 0,
            Some(Edit::ToEnd) => self.at = self.text.len(),
            Some(Edit::Left) => self.at = self.previous(),
            Some(Edit::Right) => self.at = self.next(),
            Some(Edit::DeletePrevious) => self.remove(self.previous()),
            None => self.type_letter(event),
        }
        Typed::More
    }

    fn type_letter(&mut self, event: &KeyEvent) {
        match event.code {
            KeyCode::Delete => {
                self.text.replace_range(self.at..self.next(), "");
            }
            KeyCode::Char(c) if !event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                self.insert(c.encode_utf8(&mut [0; 4]));
            }
            _ => {}
        }
    }

    /// The byte one grapheme before the cursor.
    fn previous(&self) -> usize {
        self.text[..self.at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    /// The byte one grapheme after the cursor.
    fn next(&self) -> usize {
        self.at + self.text[self.at..].graphemes(true).next().map_or(0, str::len)
    }

    /// Deletes from a byte to the cursor.
    fn remove(&mut self, from: usize) {
        self.text.replace_range(from..self.at, "");
        self.at = from;
    }

    fn insert(&mut self, text: &str) {
        self.text.insert_str(self.at, text);
        self.at += text.len();
    }

    /// Pasted text only ever goes into a line like this one.
    pub fn paste(&mut self, text: &str) {
        self.insert(text);
    }

    /// Draws the line with its sign and a cursor, which stays visible; the bytes that are wrong are underlined.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, sign: &str, wrong: Range<usize>, theme: &Theme) {
        let used = draw_text(buffer, (area.x, area.y), area.width, sign, theme.accent.add_modifier(Modifier::BOLD));
        let room = usize::from(area.width.saturating_sub(used + 1));
        let wide = |text: &str| glyphs(text).iter().map(|glyph| glyph.width).sum::<usize>();
        let room = room - wide(&self.text[self.at..]).min(room / 2);
        // As much of what is before the cursor as fits.
        let starts = self.text[..self.at].grapheme_indices(true).map(|(at, _)| at).rev();
        let from = starts.take_while(|at| wide(&self.text[*at..self.at]) <= room).last().unwrap_or(self.at);
        let mut x = area.x + used;
        let mut put = |text: &str, style| {
            x += draw_text(buffer, (x, area.y), (area.x + area.width).saturating_sub(x), text, style);
        };
        for (at, letter) in self.text[from..].grapheme_indices(true).map(|(at, letter)| (from + at, letter)) {
            let style = if wrong.contains(&at) { theme.error.add_modifier(Modifier::UNDERLINED) } else { theme.text };
            put(letter, if at == self.at { style.add_modifier(Modifier::REVERSED) } else { style });
        }
        if self.at == self.text.len() {
            put(" ", theme.text.add_modifier(Modifier::REVERSED));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(prompt: &mut Prompt, keys: &[KeyCode]) {
        for key in keys {
            prompt.key(&KeyEvent::new(*key, KeyModifiers::NONE));
        }
    }

    #[test]
    fn one_types_where_the_cursor_is() {
        let mut prompt = Prompt::at("a size>3", 6);
        typed(&mut prompt, &[KeyCode::Backspace, KeyCode::Backspace, KeyCode::Char('é'), KeyCode::Right]);
        assert_eq!(prompt, Prompt::at("a sié>3", 7));
        typed(&mut prompt, &[KeyCode::Delete, KeyCode::Delete, KeyCode::Home, KeyCode::Char('x'), KeyCode::End]);
        assert_eq!(prompt, Prompt::with("xa sié>"));
        typed(&mut prompt, &[KeyCode::Left, KeyCode::Left, KeyCode::Backspace]);
        assert_eq!((prompt.text.as_str(), prompt.at), ("xa sé>", 4));
        assert_eq!(Prompt::at("e\u{301}x", 1).at, 0, "never within a grapheme");
    }
}
