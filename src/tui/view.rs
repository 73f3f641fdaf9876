//! Draws the state. `&App`: drawing cannot change anything, and costs what is visible.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::{Action, ScreenId};
use super::app::{App, Overlay, Question};
use super::bindings::{Bound, Keymap};
use super::book::Book;
use super::data::Seen;
use super::footer;
use super::screens::compare::Compare;
use super::screens::corpus::Corpus;
use super::screens::figures::Figures;
use super::screens::home::Home;
use super::screens::judgments::Judgments;
use super::screens::label::{Label, choose};
use super::screens::log::Log;
use super::screens::methods::Methods;
use super::screens::pairs::Pairs;
use super::screens::review::{Bench, Review};
use super::shared::SMALLEST;
use super::widgets::glyphs::{draw_text, width};
use super::widgets::{bar, completion, paragraph, plain};

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
    draw_overlay(app, buffer);
    if let Some(hud) = app.hud.as_ref().filter(|_| app.shared.preferences.hud) {
        hud.draw(buffer, app.shared.area(), &app.shared.theme);
    }
}

fn draw_overlay(app: &App, buffer: &mut Buffer) {
    match app.overlays.last() {
        Some(Overlay::Help(help)) => {
            help.draw(buffer, app.shared.area(), &app.shared.keymap, app.shared.screen, &app.shared.theme)
        }
        Some(Overlay::Ask(Question::Palette, prompt)) => {
            completion::draw(
                buffer,
                app.shared.area(),
                &app.candidates(&prompt.text),
                app.command_line.picked(),
                &app.shared.theme,
            );
        }
        Some(Overlay::Guidelines(top)) => {
            let title = " guidelines · j k scroll · q closes ";
            paragraph::draw_box(buffer, app.shared.area(), (title, &app.guidelines()), *top, &app.shared.theme);
        }
        Some(Overlay::Choose(choice, at)) => {
            let options = app.shared.data.as_ref().map(|data| choice.options(&data.recipe)).unwrap_or_default();
            choose::draw(buffer, app.shared.area(), *choice, (options, *at), &app.shared.theme);
        }
        Some(Overlay::Copy | Overlay::Ask(..)) | None => {}
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
    let (name, theme) = (app.shared.screen.name().to_uppercase(), &app.shared.theme);
    let left = match (app.shared.screen, app.screens.get::<Label>().sample()) {
        (ScreenId::Label, _) if app.screens.get::<Label>().deck.is_some() => {
            format!("{name} {}", app.screens.get::<Label>().place(&app.shared.book.decisions))
        }
        (ScreenId::Label, Some(sample)) => {
            let place = app.screens.get::<Label>().place(&app.shared.book.decisions);
            format!("{name} {place} · {} · sample {} (seed {})", app.shared.book.annotator, sample.name, sample.seed)
        }
        _ => format!("{name} · {}", app.shared.title),
    };
    let book = written(app);
    let wrong = book.trouble.is_some() || book.read_only.is_some();
    let style = if wrong { theme.warning } else { theme.good };
    let status = match app.shared.screen {
        ScreenId::Label => book.status(),
        ScreenId::Review if app.shared.bench.has_begun() => book.status(),
        _ if wrong || book.pending() > 0 => book.status(),
        _ => tabs(&app.shared.keymap, usize::from(area.width)),
    };
    // However long the bad news are, where one is stays readable.
    let room = usize::from(area.width - (area.width / 2).min(PLACE));
    let status = if wrong && width(&status) > room { cut(&status, room) } else { status };
    let style = if app.shared.screen == ScreenId::Label || wrong { style } else { theme.dim };
    bar::title(buffer, area, &left, (&status, style), theme);
}

/// The journal whose state the title shows: the one that is written here, or one that has trouble or waits elsewhere.
fn written(app: &App) -> &Book {
    let (here, other) = if app.shared.screen == ScreenId::Review {
        (&app.shared.bench, &app.shared.book)
    } else {
        (&app.shared.book, &app.shared.bench)
    };
    let troubled = |book: &Book| book.trouble.is_some() || book.pending() > 0;
    if troubled(other) && !troubled(here) { other } else { here }
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
        keymap.on(ScreenId::Home).filter_map(tab).collect::<Vec<_>>().join(" ")
    };
    [usize::MAX, 4, 0].map(form).into_iter().find(|tabs| width(tabs) + TITLE <= room).unwrap_or_default()
}

fn draw_screen(app: &App, buffer: &mut Buffer, area: Rect) {
    let Some(data) = app.shown() else {
        draw_text(
            buffer,
            (area.x + 1, area.y + 1),
            area.width.saturating_sub(2),
            "reading the study…",
            app.shared.theme.dim,
        );
        return;
    };
    match app.shared.screen {
        ScreenId::Home => {
            app.screens.get::<Home>().draw(buffer, area, data, &app.sample_lines(data), &app.shared.theme);
        }
        ScreenId::Judgments => app.screens.get::<Judgments>().draw(buffer, area, data, &app.shared.theme),
        ScreenId::Pairs => {
            let own = &app.shared.book.decisions;
            let label = |source: &str, target: &str| data.others.seen(own, source, target).map_or("", Seen::word);
            app.screens.get::<Pairs>().draw(buffer, area, data, label, &app.shared.theme);
        }
        ScreenId::Compare => {
            let ids = &app.screens.get::<Compare>().pane.ids;
            let label = app.shared.book.word(&ids.source, &ids.target);
            app.screens.get::<Compare>().draw(buffer, area, data, (label, &app.shared.theme));
        }
        ScreenId::Label => {
            app.screens.get::<Label>().draw(
                buffer,
                area,
                (&app.shared.book.decisions, data, &app.shared.keymap),
                &app.shared.theme,
            );
        }
        ScreenId::Methods => app.screens.get::<Methods>().draw(buffer, area, data, &app.shared.theme),
        ScreenId::Review => {
            app.screens.get::<Review>().draw(buffer, area, &Bench::of(&app.shared.bench), &app.shared.theme)
        }
        ScreenId::Figures => app.screens.get::<Figures>().draw(buffer, area, data, &app.shared.theme),
        ScreenId::Corpus => app.screens.get::<Corpus>().draw(buffer, area, data, &app.shared.theme),
        ScreenId::Log => app.screens.get::<Log>().draw(buffer, area, &app.shared.theme),
    }
}
