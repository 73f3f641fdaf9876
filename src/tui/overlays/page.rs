//! A page to read over a screen: the study's guidelines for annotators, or a page of the manual.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::binding::in_groups;
use crate::contract::{Answer, Overlay, Request};
use crate::key::Key;
use crate::shared::Shared;
use crate::widgets::cursor::moved;
use crate::widgets::paragraph;
use dejaview_report::manual::Topic;

/// What the keys of the screen below do here; every other key closes.
const ACTIONS: &[(Action, &str)] = &[
    (Action::Down, "scroll"),
    (Action::Up, "scroll"),
    (Action::PageDown, "pages"),
    (Action::PageUp, "pages"),
    (Action::Top, "ends"),
    (Action::Bottom, "ends"),
    (Action::Back, "closes"),
];

#[derive(Debug)]
pub struct Page {
    content: Content,
    /// First line shown.
    top: usize,
}

#[derive(Debug)]
enum Content {
    /// Looked up in the study each time, since they come with its data.
    Guidelines,
    Manual {
        title: String,
        text: String,
    },
}

impl Page {
    pub fn guidelines() -> Self {
        Self { content: Content::Guidelines, top: 0 }
    }

    pub fn manual(topic: &Topic) -> Self {
        Self { content: Content::Manual { title: topic.name.to_owned(), text: topic.for_terminal() }, top: 0 }
    }

    fn title(&self) -> &str {
        match &self.content {
            Content::Guidelines => "guidelines",
            Content::Manual { title, .. } => title,
        }
    }

    /// The text, or why there is none.
    fn text<'a>(&'a self, shared: &'a Shared) -> &'a str {
        match &self.content {
            Content::Manual { text, .. } => text,
            Content::Guidelines => match shared.data.as_ref().and_then(|data| data.guidelines.as_ref()) {
                Some(Ok(text) | Err(text)) => text,
                None => "This study names no guidelines: guidelines = FILE below [labels] in study.toml does.",
            },
        }
    }
}

impl Overlay for Page {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        let (last, page) = paragraph::reach(self.text(shared), shared.area());
        let action = Key::of(event).and_then(|key| shared.keymap.resolve(key, shared.screen));
        match action.and_then(|action| moved(action, self.top, page, last)) {
            Some(top) => {
                self.top = top;
                Answer::Stays
            }
            None if action == Some(Action::Quit) => Answer::Closed(vec![Request::Act(Action::Quit)]),
            None => Answer::Closed(Vec::new()),
        }
    }

    fn keys(&self, shared: &Shared) -> Vec<(String, &'static str)> {
        let key = |action| shared.keymap.key_of(action, shared.screen);
        in_groups(ACTIONS.iter().filter_map(|(action, help)| Some((key(*action)?, *help))))
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let title = format!(" {} · j k scroll · q closes ", self.title());
        paragraph::draw_box(buffer, area, (&title, self.text(shared)), self.top, &shared.theme);
    }
}
