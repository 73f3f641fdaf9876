//! The keys of a screen, from the same table that makes them work.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use super::glyphs::draw_text;
use crate::tui::action::ScreenId;
use crate::tui::keymap::bindings;
use crate::tui::theme::Theme;

/// Number of lines that the help of a screen has.
pub fn lines(screen: ScreenId) -> usize {
    bindings(screen).count()
}

/// Draws the help over what is there, from line `top` on.
pub fn draw(buffer: &mut Buffer, area: Rect, screen: ScreenId, top: usize, theme: &Theme) {
    let width = area.width.min(64);
    let height = area.height.min(lines(screen) as u16 + 2);
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    Clear.render(place, buffer);
    let title = format!(" keys on {} · j k scroll · q closes ", screen.name());
    Block::bordered().title(title).style(theme.text).render(place, buffer);
    let inside = Rect {
        x: place.x + 1,
        y: place.y + 1,
        width: place.width.saturating_sub(2),
        height: place.height.saturating_sub(2),
    };
    for (line, binding) in bindings(screen).skip(top).take(usize::from(inside.height)).enumerate() {
        let y = inside.y + line as u16;
        let keys: Vec<String> = binding.keys.iter().map(|key| key.label()).collect();
        draw_text(buffer, (inside.x, y), inside.width.min(12), &keys.join(" "), theme.key);
        let rest = inside.width.saturating_sub(13);
        draw_text(buffer, (inside.x + 13, y), rest.min(26), binding.help, theme.text);
        let name = rest.saturating_sub(27);
        draw_text(buffer, (inside.x + 40, y), name, binding.action.name(), theme.dim);
    }
}
