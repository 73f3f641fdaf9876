//! One line that a person types.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;

use super::glyphs::{draw_text, glyphs};
use crate::tui::theme::Theme;

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

/// The line; the cursor is at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    /// What was typed.
    pub text: String,
}

impl Prompt {
    /// With a text to begin from.
    pub fn with(text: &str) -> Self {
        Self { text: text.to_owned() }
    }

    /// Takes a key.
    pub fn key(&mut self, event: &KeyEvent) -> Typed {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        match event.code {
            KeyCode::Enter => return Typed::Done,
            KeyCode::Esc => return Typed::Cancelled,
            KeyCode::Char('c' | 'g') if control => return Typed::Cancelled,
            KeyCode::Char('u') if control => self.text.clear(),
            KeyCode::Char('w') if control => {
                let kept = self.text.trim_end().rfind(' ').map_or(0, |space| space + 1);
                self.text.truncate(kept);
            }
            KeyCode::Char('j') if control => self.text.push('\n'),
            KeyCode::Backspace => {
                let last = self.text.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
                self.text.truncate(last);
            }
            KeyCode::Char(c) if !control && !event.modifiers.contains(KeyModifiers::ALT) => self.text.push(c),
            _ => {}
        }
        Typed::More
    }

    /// Takes a paste: text only ever goes into a field like this one.
    pub fn paste(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Draws the line with its sign and a cursor; the end stays visible.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, sign: &str, theme: &Theme) {
        let used = draw_text(buffer, (area.x, area.y), area.width, sign, theme.key);
        let room = usize::from(area.width.saturating_sub(used + 1));
        let all = glyphs(&self.text);
        let mut from = all.len();
        let mut wide = 0;
        while from > 0 && wide + all[from - 1].width <= room {
            from -= 1;
            wide += all[from].width;
        }
        let shown: String = all[from..].iter().map(|glyph| glyph.text.as_ref()).collect();
        let x = area.x + used;
        let end = draw_text(buffer, (x, area.y), room as u16, &shown, theme.text);
        if x + end < area.x + area.width {
            draw_text(buffer, (x + end, area.y), 1, " ", theme.selected);
        }
    }
}
