//! Draws the state. `&App`: drawing cannot change anything, and costs what is visible.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::Action;
use super::app::App;
use super::book::Book;
use super::footer;
use super::keymap::{Bound, Keymap};
use super::shared::SMALLEST;
use super::widgets::glyphs::{draw_text, width};
use super::widgets::{bar, paragraph, plain};

/// Columns of the title that the list of screens leaves to what is on the left of it.
const TITLE: usize = 18;
/// Columns that say where one is beside bad news, at least.
const PLACE: u16 = 36;

/// Draws everything onto a buffer of the terminal's size, with the signs that the terminal has.
pub fn draw(app: &App, buffer: &mut Buffer) {
    paint(app, buffer);
    if app.shared.preferences.ascii {
        plain::replace(buffer);
    }
}

fn paint(app: &App, buffer: &mut Buffer) {
    let all = *buffer.area();
    buffer.set_style(all, app.shared.theme.text);
    if (all.width, all.height) != app.shared.size {
        return;
    }
    if !app.shared.fits() {
        return draw_too_small(app, buffer, all);
    }
    draw_title(app, buffer, Rect { height: 1, ..all });
    draw_screen(app, buffer, app.shared.area());
    let message = Rect { y: all.height - 2, height: 1, ..all };
    footer::draw_message(app, buffer, message);
    footer::draw_keys(app, buffer, Rect { y: all.height - 1, height: 1, ..all });
    if let Some(overlay) = app.overlays.last() {
        overlay.draw(buffer, app.shared.area(), &app.shared);
    }
    if let Some(hud) = app.hud.as_ref().filter(|_| app.shared.preferences.hud) {
        hud.draw(buffer, app.shared.area(), &app.shared.theme);
    }
}

/// Says what size is needed, in as many lines as that takes.
fn draw_too_small(app: &App, buffer: &mut Buffer, area: Rect) {
    let needed = format!("dejaview needs {}×{}", SMALLEST.0, SMALLEST.1);
    let note = format!("{}×{} is too small: {needed}", area.width, area.height);
    for (y, line) in (area.y..area.y + area.height).zip(paragraph::wrapped(&note, usize::from(area.width))) {
        draw_text(buffer, (area.x, y), area.width, line.trim_end(), app.shared.theme.text);
    }
}

/// The beginning of a text that fits.
fn cut(text: &str, room: usize) -> String {
    let first = paragraph::wrapped(text, room.saturating_sub(1)).into_iter().next().unwrap_or_default();
    format!("{}…", first.trim_end())
}

fn draw_title(app: &App, buffer: &mut Buffer, area: Rect) {
    let (screen, theme) = (app.screen(), &app.shared.theme);
    let book = book(app);
    let wrong = book.trouble.is_some() || book.read_only.is_some();
    let always = screen.saved_style(&app.shared);
    let status = match always {
        None if !wrong && book.pending() == 0 => tabs(&app.shared.keymap, usize::from(area.width)),
        _ => book.status(),
    };
    // However long the bad news are, where one is stays readable.
    let room = usize::from(area.width - (area.width / 2).min(PLACE));
    let status = if wrong && width(&status) > room { cut(&status, room) } else { status };
    let style = if wrong { theme.warning } else { always.unwrap_or(theme.dim) };
    bar::title(buffer, area, &screen.title(&app.shared), (&status, style), theme);
}

/// The journal whose state the title shows: the one that is written here, or one that has trouble or waits elsewhere.
fn book(app: &App) -> &Book {
    let troubled = |book: &&Book| book.trouble.is_some() || book.pending() > 0;
    let here = app.screen().book(&app.shared);
    let all = [here, &app.shared.book, &app.shared.adjudications];
    all.into_iter().find(troubled).unwrap_or(here)
}

/// The screens with their keys, in the longest form that fits: whole names, their first letters, the keys alone.
fn tabs(keymap: &Keymap, room: usize) -> String {
    let form = |letters: usize| {
        let tab = |binding: &Bound| match binding.action {
            Action::Go(screen) => {
                let name: String = screen.name().chars().take(letters).collect();
                let key = binding.keys.first().map(|key| keymap.written(*key)).unwrap_or_default();
                Some(format!("{key} {name}").trim_end().to_owned())
            }
            _ => None,
        };
        let first = keymap.screens().first().map(|screen| screen.id);
        first.into_iter().flat_map(|first| keymap.on(first)).filter_map(tab).collect::<Vec<_>>().join(" ")
    };
    [usize::MAX, 4, 0].map(form).into_iter().find(|tabs| width(tabs) + TITLE <= room).unwrap_or_default()
}

fn draw_screen(app: &App, buffer: &mut Buffer, area: Rect) {
    match app.view() {
        Some(view) => app.screen().draw(buffer, area, &view),
        None => {
            let place = (area.x + 1, area.y + 1);
            draw_text(buffer, place, area.width.saturating_sub(2), "reading the study…", app.shared.theme.dim);
        }
    }
}
