//! A line that is typed for the screen below.

use crossterm::event::KeyEvent;

use crate::contract::{Answer, Overlay, Request};
use crate::question::Question;
use crate::shared::Shared;
use crate::widgets::prompt::{Edit, Prompt, Typed};

#[derive(Debug)]
pub struct Ask {
    question: Question,
    prompt: Prompt,
}

impl Ask {
    pub fn new(question: Question, prompt: Prompt) -> Self {
        Self { question, prompt }
    }
}

impl Overlay for Ask {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        // What was said of the line holds until it changes.
        shared.message = None;
        match self.prompt.key(event) {
            Typed::More => Answer::Stays,
            Typed::Cancelled => Answer::Closed(Vec::new()),
            Typed::Done => Answer::Closed(vec![Request::Typed(self.question, std::mem::take(&mut self.prompt.text))]),
        }
    }

    fn paste(&mut self, text: &str, _: &mut Shared) -> bool {
        self.prompt.paste(text);
        true
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        vec![
            Edit::Finish.shown(self.question.enter),
            Edit::Cancel.shown("closes"),
            Edit::Clear.shown("clears"),
            Edit::DeleteWord.shown("drops a word"),
        ]
    }

    fn line(&self) -> Option<(&'static str, &Prompt)> {
        Some((self.question.sign, &self.prompt))
    }
}
