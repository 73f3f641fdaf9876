//! Draws the state. `&App`: drawing cannot change anything, and costs what is visible.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::Action;
use super::app::App;
use super::book::Book;
use super::footer;
use super::keymap::Bound;
use super::screens::log::Log;
use super::shared::SMALLEST;
use super::study_run;
use super::theme::Theme;
use super::widgets::glyphs::{draw_text, width};
use super::widgets::tab_bar::{self, Tab};
use super::widgets::{bar, paragraph, plain};

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
    draw_head(app, buffer, Rect { height: 1, ..all });
    draw_screen(app, buffer, app.shared.area());
    footer::draw_message(app, buffer, app.shared.area());
    draw_tour(app, buffer);
    footer::draw_keys(app, buffer, Rect { y: all.height - 1, height: 1, ..all });
    if let Some(overlay) = app.overlays.last() {
        overlay.draw(buffer, app.shared.area(), &app.shared);
    }
    if let Some(hud) = app.hud.as_ref().filter(|_| app.shared.preferences.hud) {
        hud.draw(buffer, app.shared.area(), &app.shared.theme);
    }
}

/// The step of the tour, between the screen and the keys.
fn draw_tour(app: &App, buffer: &mut Buffer) {
    let (screen, all, theme) = (app.shared.area(), *buffer.area(), &app.shared.theme);
    let place = Rect { x: 0, y: screen.bottom(), width: all.width, height: all.height - 1 - screen.bottom() };
    let Some((title, words)) = app.tour_step().filter(|_| place.height > 0) else { return };
    let title_width = width(&title) as u16 + 3;
    buffer.set_style(place, theme.text);
    draw_text(buffer, (place.x + 1, place.y), title_width, &title, theme.accent);
    let room = place.width.saturating_sub(title_width + 2);
    for (y, line) in (place.y..place.bottom()).zip(paragraph::wrapped(&words, usize::from(room))) {
        draw_text(buffer, (place.x + 1 + title_width, y), room, line.trim_end(), theme.text);
    }
    draw_text(buffer, (place.x + 1, place.y + 1), title_width, "Stop: :tour", theme.muted);
    Theme::lay_under(buffer, place, theme.panel);
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

/// The first line: the tabs, or what the screen has in their place; at the right end what is wrong, or not yet saved.
fn draw_head(app: &App, buffer: &mut Buffer, row: Rect) {
    let (screen, theme) = (app.screen(), &app.shared.theme);
    let book = book(app);
    let wrong = book.trouble.is_some() || book.read_only.is_some();
    let always = screen.saved_style(&app.shared);
    let status = if always.is_some() || wrong || book.pending() > 0 {
        book.status(screen.saved(&app.shared))
    } else {
        String::new()
    };
    // However long the bad news are, where one is stays readable.
    let room = usize::from(row.width - (row.width / 2).min(PLACE));
    let status = if wrong && width(&status) > room { cut(&status, room) } else { status };
    let style = if wrong { theme.warning } else { always.unwrap_or(theme.muted) };
    match screen.title(&app.shared) {
        Some(title) => bar::title(buffer, row, &title, (&status, style), theme),
        None if status.is_empty() => {
            let mut stale = app.shared.damaged_chips();
            if let Some(data) = app.shared.data.as_ref().filter(|_| stale.is_empty()) {
                stale = study_run::stale_chips(&data.stale);
            }
            let news = match study_run::chip(&app.shared.run) {
                Some(run) => vec![(run, theme.warning)],
                None if !stale.is_empty() => stale.into_iter().map(|chip| (chip, theme.warning)).collect(),
                None => vec![(app.shared.title.clone(), theme.muted), (String::new(), theme.muted)],
            };
            tab_bar::draw(buffer, row, &tabs(app), &news, theme);
        }
        None => {
            // Only what is wrong may shorten the names: what is saved is in the frame of its pane as well.
            let news = [(status, style), (String::new(), style)];
            tab_bar::draw(buffer, row, &tabs(app), if wrong { &news[..1] } else { &news }, theme);
        }
    }
}

/// The journal whose state the title shows: the one that is written here, or one that has trouble or waits elsewhere.
fn book(app: &App) -> &Book {
    let troubled = |book: &&Book| book.trouble.is_some() || book.pending() > 0;
    let here = app.screen().book(&app.shared);
    let all = [here, &app.shared.book, &app.shared.adjudications];
    all.into_iter().find(troubled).unwrap_or(here)
}

/// All screens with the keys that lead to them.
fn tabs(app: &App) -> Vec<Tab> {
    let keymap = &app.shared.keymap;
    let first = keymap.screens().first().map(|screen| screen.id);
    let tab = |binding: &Bound| match binding.action {
        Action::Go(screen) => Some(Tab {
            key: binding.keys.first().map(|key| keymap.written(*key)).unwrap_or_default(),
            name: screen.title(),
            active: screen == app.shared.screen,
            marked: screen == Log::ID && app.shared.log.has_unseen_error(),
        }),
        _ => None,
    };
    first.into_iter().flat_map(|first| keymap.on(first)).filter_map(tab).collect()
}

fn draw_screen(app: &App, buffer: &mut Buffer, area: Rect) {
    if let Some(why) = app.trouble() {
        return draw_trouble(app, buffer, area, why);
    }
    let Some(view) = app.view() else {
        if !app.screen().needs_study() {
            return app.screen().draw_alone(buffer, area, &app.shared);
        }
        let place = (area.x + 1, area.y + 1);
        draw_text(buffer, place, area.width.saturating_sub(2), "reading the study…", app.shared.theme.muted);
        return;
    };
    app.screen().draw(buffer, area, &view);
}

/// Says why there is no study to show, and what to do about it.
fn draw_trouble(app: &App, buffer: &mut Buffer, area: Rect, why: &str) {
    let [run, log] = [Action::Run, Action::Go(Log::ID)].map(|action| app.shared.way_to(action));
    let what_to_do = format!(
        "Mend what is named: the study is read again as soon as its files change. {run} runs it, which makes damaged \
         results again. {log} lists what failed."
    );
    let text = format!("The study cannot be read: {why}\n \n{what_to_do}");
    paragraph::draw(buffer, area, &text, app.shared.theme.warning);
}
