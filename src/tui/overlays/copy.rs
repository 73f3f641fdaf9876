//! Waits for the key that says which part of the pair to copy, and lists those that can follow.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::binding::OverlayKey;
use crate::contract::{Answer, Overlay, Request};
use crate::key::Key::{self, Char};
use crate::shared::Shared;
use crate::widgets::boxes::draw_box;
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::draw_text;

/// What each key copies; every other key closes.
const KEYS: &[OverlayKey<Option<Action>>] = &[
    OverlayKey::shown(&[Char('a')], Some(Action::CopySource), "id of A (source)"),
    OverlayKey::shown(&[Char('b')], Some(Action::CopyTarget), "id of B (target)"),
    OverlayKey::shown(&[Char('p')], Some(Action::CopyPair), "both ids"),
    OverlayKey::shown(&[Char('u')], Some(Action::CopyUrl), "URL of A"),
    OverlayKey::shown(&[Char('U')], Some(Action::CopyTargetUrl), "URL of B"),
    OverlayKey::hidden(&[Key::Esc], None),
];

/// Columns of the box.
const WIDE: u16 = 34;

#[derive(Debug)]
pub struct Copy;

impl Overlay for Copy {
    fn key(&mut self, event: &KeyEvent, _: &mut Shared) -> Answer {
        let action = Key::of(event).and_then(|key| OverlayKey::resolve(KEYS, key)).flatten();
        Answer::Closed(action.map(Request::Act).into_iter().collect())
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        OverlayKey::bar(KEYS)
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let keys = self.keys(shared);
        let (wide, high) = (WIDE.min(area.width), (keys.len() as u16 + 2).min(area.height));
        let place = Rect { x: area.right() - wide, y: area.bottom() - high, width: wide, height: high };
        let frame = Frame { position: "Esc closes".to_owned(), focused: true, ..Frame::new("Copy") };
        let theme = &shared.theme;
        draw_box(buffer, place, &frame, theme, |buffer, inside| {
            for (y, (key, what)) in (inside.y..inside.bottom()).zip(keys) {
                draw_text(buffer, (inside.x + 1, y), 2, &key, theme.accent);
                draw_text(buffer, (inside.x + 4, y), inside.width.saturating_sub(4), what, theme.text);
            }
        });
    }
}
