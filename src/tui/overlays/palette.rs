//! A line behind `:`, with what may be typed there.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::binding::OverlayKey;
use crate::command::candidates;
use crate::contract::{Answer, Overlay, Request};
use crate::key::Key;
use crate::shared::Shared;
use crate::widgets::completion;
use crate::widgets::prompt::{Edit, Prompt, Typed};

/// What a key does, besides typing.
#[derive(Debug, Clone, Copy)]
enum Does {
    Complete,
    Before,
    After,
}

const KEYS: &[OverlayKey<Does>] = &[
    OverlayKey::shown(&[Key::Tab], Does::Complete, "completes"),
    OverlayKey::shown(&[Key::Ctrl('p'), Key::Up], Does::Before, "lines before"),
    OverlayKey::shown(&[Key::Ctrl('n'), Key::Down], Does::After, "lines before"),
];

/// The line.
#[derive(Debug, Default)]
pub struct Palette {
    prompt: Prompt,
}

impl Palette {
    /// What Tab or the arrows put in the place of what was typed, if that is what the key is for.
    fn replaced(&self, event: &KeyEvent, shared: &mut Shared) -> Option<Option<String>> {
        let text = &self.prompt.text;
        if event.code == KeyCode::BackTab {
            let candidates = candidates(text, shared);
            return Some(shared.command_line.complete(text, &candidates, false));
        }
        Some(match Key::of(event).and_then(|key| OverlayKey::resolve(KEYS, key))? {
            Does::Complete => {
                let candidates = candidates(text, shared);
                shared.command_line.complete(text, &candidates, true)
            }
            Does::Before => shared.command_line.recall(text, true),
            Does::After => shared.command_line.recall(text, false),
        })
    }
}

impl Overlay for Palette {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        // What was said of the line holds until it changes.
        shared.message = None;
        if let Some(replaced) = self.replaced(event, shared) {
            if let Some(text) = replaced {
                self.prompt = Prompt::with(&text);
            }
            return Answer::Stays;
        }
        match self.prompt.key(event) {
            Typed::More => {
                shared.command_line.touched();
                Answer::Stays
            }
            Typed::Cancelled => {
                shared.command_line.touched();
                Answer::Closed(Vec::new())
            }
            Typed::Done => {
                let line = self.prompt.text.trim().to_owned();
                shared.command_line.finished(&line);
                Answer::Closed(vec![Request::Command(line)])
            }
        }
    }

    fn paste(&mut self, text: &str, shared: &mut Shared) -> bool {
        self.prompt.paste(text);
        shared.command_line.touched();
        true
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        let mut keys = vec![Edit::Finish.shown("does it")];
        keys.extend(OverlayKey::bar(KEYS));
        keys.extend([Edit::GiveUp.shown("closes"), Edit::Clear.shown("clears"), Edit::DropWord.shown("drops a word")]);
        keys
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let candidates = candidates(&self.prompt.text, shared);
        completion::draw(buffer, area, &candidates, shared.command_line.picked(), &shared.theme);
    }

    fn line(&self) -> Option<(&'static str, &Prompt)> {
        Some((":", &self.prompt))
    }
}
