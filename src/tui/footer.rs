//! The bottom of the screen: what is said or typed, and which keys do something at this moment.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::app::App;
use super::widgets::{bar, toast};

/// Draws the keys that do something now.
pub(super) fn draw_keys(app: &App, buffer: &mut Buffer, area: Rect) {
    let (here, theme) = ((&app.shared.keymap, app.shared.screen), &app.shared.theme);
    match (app.overlays.last(), app.screen().keys_now()) {
        (Some(overlay), _) => bar::named(buffer, area, overlay.keys(&app.shared), theme),
        (None, Some(keys)) => bar::some(buffer, area, here, keys, theme),
        (None, None) => bar::keys(buffer, area, here, theme),
    }
}

/// Draws what is typed, below what is wrong with it, or what is said, at the bottom of an area.
pub(super) fn draw_message(app: &App, buffer: &mut Buffer, area: Rect) {
    let (message, theme) = (app.shared.message_lines(), &app.shared.theme);
    let above = Rect { height: area.height.saturating_sub(1), ..area };
    match app.overlays.last().and_then(|overlay| overlay.line()) {
        Some((sign, prompt)) => {
            toast::draw(buffer, above, &message, theme);
            let row = Rect { y: above.bottom(), height: 1, ..area };
            Clear.render(row, buffer);
            buffer.set_style(row, theme.text);
            prompt.draw(buffer, row, sign, 0..0, theme);
        }
        None => toast::draw(buffer, area, &message, theme),
    }
}
