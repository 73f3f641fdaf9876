//! The line at the top and the keys at the bottom.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::glyphs::{draw_text, width};
use crate::action::{Action, ScreenId};
use crate::key::Key;
use crate::keymap::Keymap;
use crate::theme::Theme;

/// Draws the title: where one is on the left, news on the right.
pub fn title(buffer: &mut Buffer, area: Rect, left: &str, right: (&str, Style), theme: &Theme) {
    let room = area.width.saturating_sub(width(right.0) as u16 + 1);
    draw_text(buffer, (area.x, area.y), room, left, theme.accent);
    let wide = (width(right.0) as u16).min(area.width);
    draw_text(buffer, (area.x + area.width - wide, area.y), wide, right.0, right.1);
}

/// Draws the keys of a screen, as many as fit; `?` always does.
pub fn keys(buffer: &mut Buffer, area: Rect, (keymap, screen): (&Keymap, ScreenId), theme: &Theme) {
    let shown = keymap.on(screen).filter(|b| b.bar && b.action != Action::Help);
    let key = |keys: &[Key]| keys.first().map(|key| keymap.written(*key)).unwrap_or_default();
    let pairs = shown.map(|b| (key(&b.keys), b.help.split(" (").next().unwrap_or_default()));
    draw(buffer, area, (keymap, screen), pairs, theme);
}

/// Draws the keys of some actions of a screen, each with what it does here.
pub fn some(
    buffer: &mut Buffer,
    area: Rect,
    (keymap, screen): (&Keymap, ScreenId),
    actions: &[(Action, &str)],
    theme: &Theme,
) {
    let pairs = actions.iter().filter_map(|(action, help)| Some((keymap.key_of(*action, screen)?, *help)));
    draw(buffer, area, (keymap, screen), pairs, theme);
}

/// Draws keys by their names, as many as fit: those of what lies over a screen, where `?` is a letter like any other.
pub fn named(buffer: &mut Buffer, area: Rect, keys: Vec<(String, &'static str)>, theme: &Theme) {
    put(buffer, area, keys.into_iter(), theme);
}

fn draw<'a>(
    buffer: &mut Buffer,
    area: Rect,
    (keymap, screen): (&Keymap, ScreenId),
    pairs: impl Iterator<Item = (String, &'a str)>,
    theme: &Theme,
) {
    let end = area.x + area.width;
    let help = format!("{} help", keymap.key_of(Action::Help, screen).unwrap_or_else(|| ":help".to_owned()));
    let last = end.saturating_sub(width(&help) as u16).max(area.x);
    put(buffer, Rect { width: last - area.x, ..area }, pairs, theme);
    draw_text(buffer, (last, area.y), end - last, &help, theme.accent);
}

fn put<'a>(buffer: &mut Buffer, area: Rect, pairs: impl Iterator<Item = (String, &'a str)>, theme: &Theme) {
    let mut x = area.x;
    for (key, short) in pairs {
        let wide = (width(&key) + 1 + width(short) + 2) as u16;
        if x + wide > area.x + area.width {
            break;
        }
        x += draw_text(buffer, (x, area.y), wide, &key, theme.accent) + 1;
        x += draw_text(buffer, (x, area.y), wide, short, theme.muted) + 2;
    }
}
