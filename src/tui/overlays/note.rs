//! A note on the pair below, as it is typed.

use crossterm::event::KeyEvent;

use crate::contract::{Answer, Overlay, Request};
use crate::shared::Shared;
use crate::widgets::prompt::{Edit, Prompt, Typed};

/// Each key is stored in [`Shared::notes`] at once, so that the note survives as a draft.
#[derive(Debug)]
pub struct TypeNote {
    prompt: Prompt,
}

impl TypeNote {
    pub fn new(text: &str, shared: &mut Shared) -> Self {
        shared.notes.typed = Some(text.to_owned());
        Self { prompt: Prompt::with(text) }
    }
}

impl Overlay for TypeNote {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        // What was said of the line holds until it changes.
        shared.message = None;
        let typed = self.prompt.key(event);
        let text = self.prompt.text.clone();
        shared.notes.typed = None;
        match typed {
            Typed::More => {
                shared.notes.typed = Some(text);
                Answer::Stays
            }
            Typed::Cancelled => {
                shared.notes.given_up = Some((shared.notes.on.take(), text));
                Answer::Closed(Vec::new())
            }
            Typed::Done => Answer::Closed(vec![Request::NoteTyped(text)]),
        }
    }

    fn paste(&mut self, text: &str, shared: &mut Shared) -> bool {
        self.prompt.paste(text);
        shared.notes.typed = Some(self.prompt.text.clone());
        true
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        vec![
            Edit::Finish.shown("saves"),
            Edit::NewLine.shown("new line"),
            Edit::Cancel.shown("closes, keeps a draft"),
            Edit::Clear.shown("clears"),
            Edit::DeleteWord.shown("drops a word"),
        ]
    }

    fn leaves_texts(&self) -> bool {
        true
    }

    fn line(&self) -> Option<(&'static str, &Prompt)> {
        Some(("note: ", &self.prompt))
    }
}
