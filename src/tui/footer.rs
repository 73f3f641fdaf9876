//! The bottom of the screen: what is said or typed, and which keys do something at this moment.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::app::App;
use super::widgets::bar;
use super::widgets::glyphs::draw_text;

/// Draws the keys that do something now.
pub(super) fn draw_keys(app: &App, buffer: &mut Buffer, area: Rect) {
    let (here, theme) = ((&app.shared.keymap, app.shared.screen), &app.shared.theme);
    match (app.overlays.last(), app.screen().keys_now()) {
        (Some(overlay), _) => bar::named(buffer, area, overlay.keys(&app.shared), theme),
        (None, Some(keys)) => bar::some(buffer, area, here, keys, theme),
        (None, None) => bar::keys(buffer, area, here, theme),
    }
}

/// Draws what is typed, below what is wrong with it; else what is said, else where one is.
pub(super) fn draw_message(app: &App, buffer: &mut Buffer, area: Rect) {
    let message = app.shared.message_lines();
    if let Some((sign, prompt)) = app.overlays.last().and_then(|overlay| overlay.line()) {
        draw_said(buffer, Rect { y: area.y.saturating_sub(1), ..area }, &message, app);
        return prompt.draw(buffer, area, sign, &app.shared.theme);
    }
    if message.is_empty() {
        let status = app.view().map(|view| app.screen().status(&view)).unwrap_or_default();
        draw_text(buffer, (area.x, area.y), area.width, &status, app.shared.theme.dim);
    }
    draw_said(buffer, area, &message, app);
}

/// Draws a message. One that is too long for its line grows upwards; what lies below it is covered until the next key.
fn draw_said(buffer: &mut Buffer, area: Rect, lines: &[String], app: &App) {
    let high = (lines.len() as u16).min(area.y);
    let place = Rect { y: area.y + 1 - high, height: high, ..area };
    Clear.render(place, buffer);
    buffer.set_style(place, app.shared.theme.text);
    for (y, line) in (place.y..).zip(lines).take(usize::from(high)) {
        draw_text(buffer, (area.x, y), area.width, line, app.shared.theme.warning);
    }
}
