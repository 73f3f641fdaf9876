//! Waits for the key that says which part of the pair to copy.

use crossterm::event::KeyEvent;

use crate::action::Action;
use crate::binding::OverlayKey;
use crate::contract::{Answer, Overlay, Request};
use crate::key::Key::{self, Char};
use crate::shared::Shared;

/// What each key copies; every other key closes.
const KEYS: &[OverlayKey<Option<Action>>] = &[
    OverlayKey::shown(&[Char('a')], Some(Action::CopySource), "source id"),
    OverlayKey::shown(&[Char('b')], Some(Action::CopyTarget), "target id"),
    OverlayKey::shown(&[Char('p')], Some(Action::CopyPair), "both"),
    OverlayKey::shown(&[Char('u')], Some(Action::CopyUrl), "URL of the source"),
    OverlayKey::shown(&[Key::Esc], None, "closes"),
];

#[derive(Debug)]
pub struct Copy;

impl Copy {
    /// Lists the keys as a message.
    pub fn open(shared: &mut Shared) -> Self {
        let keys = Self.keys(shared);
        let parts: Vec<String> = keys.iter().take(keys.len() - 1).map(|(key, what)| format!("{key} {what}")).collect();
        shared.message = Some(format!("copy: {}", parts.join(" · ")));
        Self
    }
}

impl Overlay for Copy {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        let action = Key::of(event).and_then(|key| OverlayKey::resolve(KEYS, key)).flatten();
        if action.is_none() {
            shared.message = None;
        }
        Answer::Closed(action.map(Request::Act).into_iter().collect())
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        OverlayKey::bar(KEYS)
    }
}
