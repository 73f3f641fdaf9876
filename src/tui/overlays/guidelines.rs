//! The study's guidelines, which annotators read before they decide.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::binding::in_groups;
use crate::contract::{Answer, Effect, Overlay};
use crate::key::Key;
use crate::shared::Shared;
use crate::widgets::cursor::moved;
use crate::widgets::paragraph;

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

#[derive(Debug, Default)]
pub struct Guidelines {
    /// First line shown.
    top: usize,
}

/// The text, or why it is not there.
fn text(shared: &Shared) -> String {
    match shared.data.as_ref().and_then(|data| data.guidelines.as_ref()) {
        Some(Ok(text)) => text.clone(),
        Some(Err(why)) => why.clone(),
        None => "This study names no guidelines: guidelines = FILE below [labels] in study.toml does.".to_owned(),
    }
}

impl Overlay for Guidelines {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        let (last, page) = paragraph::reach(&text(shared), shared.area());
        let action = Key::of(event).and_then(|key| shared.keymap.resolve(key, shared.screen));
        match action.and_then(|action| moved(action, self.top, page, last)) {
            Some(top) => {
                self.top = top;
                Answer::Stays
            }
            None if action == Some(Action::Quit) => Answer::Closed(vec![Effect::Quit.into()]),
            None => Answer::Closed(Vec::new()),
        }
    }

    fn keys(&self, shared: &Shared) -> Vec<(String, &'static str)> {
        let key = |action| shared.keymap.key_of(action, shared.screen);
        in_groups(ACTIONS.iter().filter_map(|(action, help)| Some((key(*action)?, *help))))
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let title = " guidelines · j k scroll · q closes ";
        paragraph::draw_box(buffer, area, (title, &text(shared)), self.top, &shared.theme);
    }
}
