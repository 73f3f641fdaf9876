//! One line that a person types.
//!
//! Own rather than a crate's: ratatui-textarea steps by code points, so that Backspace takes an accent off its letter, and
//! binds keys that the guard against stray input does not know; tui-input steps by graphemes, but Ctrl-W ends at other
//! places in it, and neither shows hidden characters by their names. What a crate could do here is a few lines.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;

use super::glyphs::{draw_text, glyphs};
use crate::binding::OverlayKey;
use crate::key::Key;
use crate::theme::Theme;

/// What became of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// It changed the line, or did nothing.
    More,
    /// The line is finished.
    Done,
    /// The line is given up.
    Cancelled,
}

/// What a key does to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    Finish,
    /// It is given up.
    GiveUp,
    /// It is empty again.
    Clear,
    /// The word before the cursor goes.
    DropWord,
    /// The character before the cursor goes.
    DropBefore,
    /// A line begins.
    NewLine,
    /// To its beginning.
    ToStart,
    ToEnd,
    /// One character to the left.
    Left,
    /// One character to the right.
    Right,
}

/// The keys of every line that is typed; all others are letters.
const KEYS: &[OverlayKey<Edit>] = &[
    OverlayKey::hidden(&[Key::Enter], Edit::Finish),
    OverlayKey::hidden(&[Key::Esc, Key::Ctrl('c'), Key::Ctrl('g')], Edit::GiveUp),
    OverlayKey::hidden(&[Key::Ctrl('u')], Edit::Clear),
    OverlayKey::hidden(&[Key::Ctrl('w')], Edit::DropWord),
    OverlayKey::hidden(&[Key::Backspace], Edit::DropBefore),
    OverlayKey::hidden(&[Key::Ctrl('j')], Edit::NewLine),
    OverlayKey::hidden(&[Key::Home, Key::Ctrl('a')], Edit::ToStart),
    OverlayKey::hidden(&[Key::End, Key::Ctrl('e')], Edit::ToEnd),
    OverlayKey::hidden(&[Key::Left], Edit::Left),
    OverlayKey::hidden(&[Key::Right], Edit::Right),
];

impl Edit {
    /// Its key with what it does, for the bar.
    pub fn shown(self, help: &'static str) -> (String, &'static str) {
        let keys = KEYS.iter().find(|one| one.does == self).and_then(|one| one.keys.first());
        (keys.map(|key| key.name()).unwrap_or_default(), help)
    }
}

/// The line, and where in it one types.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    /// What was typed.
    pub text: String,
    /// Byte that the cursor is on; between graphemes.
    at: usize,
}

impl Prompt {
    /// With a text to begin from, behind it.
    pub fn with(text: &str) -> Self {
        Self::at(text, text.len())
    }

    /// With the cursor at a byte of the text.
    pub fn at(text: &str, byte: usize) -> Self {
        let ends = text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]);
        Self { text: text.to_owned(), at: ends.take_while(|at| *at <= byte).last().unwrap_or_default() }
    }

    /// Takes a key.
    pub fn key(&mut self, event: &KeyEvent) -> Typed {
        match Key::of(event).and_then(|key| OverlayKey::resolve(KEYS, key)) {
            Some(Edit::Finish) => return Typed::Done,
            Some(Edit::GiveUp) => return Typed::Cancelled,
            Some(Edit::Clear) => *self = Self::default(),
            Some(Edit::DropWord) => {
                let kept = self.text[..self.at].trim_end().rfind(' ').map_or(0, |space| space + 1);
                self.remove(kept);
            }
            Some(Edit::NewLine) => self.insert("\n"),
            Some(Edit::ToStart) => self.at = 0,
            Some(Edit::ToEnd) => self.at = self.text.len(),
            Some(Edit::Left) => self.at = self.before(),
            Some(Edit::Right) => self.at = self.after(),
            Some(Edit::DropBefore) => self.remove(self.before()),
            None => self.typed(event),
        }
        Typed::More
    }

    fn typed(&mut self, event: &KeyEvent) {
        match event.code {
            KeyCode::Delete => {
                self.text.replace_range(self.at..self.after(), "");
            }
            KeyCode::Char(c) if !event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) => {
                self.insert(c.encode_utf8(&mut [0; 4]));
            }
            _ => {}
        }
    }

    /// The place one grapheme before the cursor.
    fn before(&self) -> usize {
        self.text[..self.at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    /// The place one grapheme behind the cursor.
    fn after(&self) -> usize {
        self.at + self.text[self.at..].graphemes(true).next().map_or(0, str::len)
    }

    /// Takes away what stands between a place and the cursor.
    fn remove(&mut self, from: usize) {
        self.text.replace_range(from..self.at, "");
        self.at = from;
    }

    fn insert(&mut self, text: &str) {
        self.text.insert_str(self.at, text);
        self.at += text.len();
    }

    /// Takes a paste: text only ever goes into a field like this one.
    pub fn paste(&mut self, text: &str) {
        self.insert(text);
    }

    /// Draws the line with its sign and a cursor, which stays visible.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, sign: &str, theme: &Theme) {
        let used = draw_text(buffer, (area.x, area.y), area.width, sign, theme.key);
        let room = usize::from(area.width.saturating_sub(used + 1));
        let (before, after) = (glyphs(&self.text[..self.at]), glyphs(&self.text[self.at..]));
        let behind: usize = after.iter().map(|glyph| glyph.width).sum();
        let room = room - behind.min(room / 2);
        let (mut from, mut wide) = (before.len(), 0);
        while from > 0 && wide + before[from - 1].width <= room {
            from -= 1;
            wide += before[from].width;
        }
        let mut x = area.x + used;
        let mut put = |text: &str, style| {
            x += draw_text(buffer, (x, area.y), (area.x + area.width).saturating_sub(x), text, style);
        };
        put(&before[from..].iter().map(|glyph| glyph.text.as_ref()).collect::<String>(), theme.text);
        put(after.first().map_or(" ", |glyph| glyph.text.as_ref()), theme.selected);
        put(&after.iter().skip(1).map(|glyph| glyph.text.as_ref()).collect::<String>(), theme.text);
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
