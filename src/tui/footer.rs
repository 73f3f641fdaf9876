//! The bottom of the screen: what is said or typed, and which keys do something at this moment.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::action::{Action, ScreenId};
use super::app::{App, Overlay, Question};
use super::screens::compare::Compare;
use super::screens::corpus::Corpus;
use super::screens::figures::Figures;
use super::screens::home::Home;
use super::screens::judgments::Judgments;
use super::screens::label::Label;
use super::screens::log::Log;
use super::screens::methods::Methods;
use super::screens::pairs::Pairs;
use super::screens::review::{Bench, Review};
use super::widgets::bar;
use super::widgets::glyphs::draw_text;

/// What keys do in Why, by the action that they have otherwise.
const IN_WHY: &[(Action, &str)] = &[
    (Action::Open, "open, jump"),
    (Action::Not, "what if"),
    (Action::Left, "close"),
    (Action::NextPane, "texts"),
    (Action::ZoomIn, "more room"),
    (Action::Why, "close why"),
    (Action::NextPair, "next pair"),
    (Action::Back, "back"),
];

/// What keys do in a duel.
const IN_DUEL: &[(Action, &str)] = &[
    (Action::Back, "leave the duel"),
    (Action::NextConfiguration, "next set"),
    (Action::Right, "opponent"),
    (Action::Duel, "other two"),
    (Action::Open, "open"),
    (Action::Filter, "filter"),
    (Action::Sort, "sort"),
];

/// Keys by their names, and what they do.
type Keys = &'static [(&'static str, &'static str)];

/// What keys do while a line is typed.
fn typing(question: Question) -> Keys {
    match question {
        Question::Search => &[("Enter", "finds it"), ("Esc", "closes"), ("C-u", "clears"), ("C-w", "drops a word")],
        Question::Filter => &[
            ("Enter", "filters; an empty line shows all"),
            ("Esc", "closes"),
            ("C-u", "clears"),
            ("C-w", "drops a word"),
        ],
        Question::Duel => &[
            ("Enter", "begins; an empty line ends the duel"),
            ("Esc", "closes"),
            ("C-u", "clears"),
            ("C-w", "drops a word"),
        ],
        Question::Palette => &[
            ("Enter", "does it"),
            ("Tab", "completes"),
            ("C-p C-n", "lines before"),
            ("Esc", "closes"),
            ("C-u", "clears"),
            ("C-w", "drops a word"),
        ],
        Question::Note => &[
            ("Enter", "saves"),
            ("C-j", "new line"),
            ("Esc", "closes, keeps a draft"),
            ("C-u", "clears"),
            ("C-w", "drops a word"),
        ],
    }
}

/// What keys do while something lies over the screen.
fn over(overlay: &Overlay) -> Keys {
    match overlay {
        Overlay::Ask(question, _) => typing(*question),
        Overlay::Help(help) if help.is_typed() => {
            &[("Enter", "closes"), ("C-u", "all keys again"), ("PgUp PgDn", "scroll")]
        }
        Overlay::Help(_) => &[("j k", "scroll"), ("/", "filters"), ("q", "closes")],
        Overlay::Copy => {
            &[("a", "source id"), ("b", "target id"), ("p", "both"), ("u", "URL of the source"), ("Esc", "closes")]
        }
        Overlay::Guidelines(_) => &[("j k", "scroll"), ("space PgUp", "pages"), ("g G", "ends"), ("q", "closes")],
        Overlay::Choose(..) => &[("Enter", "takes it"), ("Bksp", "none"), ("↑ ↓", "move"), ("q", "closes")],
    }
}

/// Draws the keys that do something now.
pub(super) fn draw_keys(app: &App, buffer: &mut Buffer, area: Rect) {
    let here = (&app.shared.keymap, app.shared.screen);
    match app.overlays.last() {
        Some(overlay) => bar::named(buffer, area, over(overlay), &app.shared.theme),
        None if app.shared.screen == ScreenId::Compare && app.screens.get::<Compare>().in_why() => {
            bar::some(buffer, area, here, IN_WHY, &app.shared.theme);
        }
        None if app.shared.screen == ScreenId::Pairs && app.screens.get::<Pairs>().in_duel() => {
            bar::some(buffer, area, here, IN_DUEL, &app.shared.theme);
        }
        None => bar::keys(buffer, area, here, &app.shared.theme),
    }
}

/// Draws what is typed, below what is wrong with it; else what is said, else where one is.
pub(super) fn draw_message(app: &App, buffer: &mut Buffer, area: Rect) {
    let said = app.said();
    if let Some(Overlay::Ask(question, prompt)) = app.overlays.last() {
        draw_said(buffer, Rect { y: area.y.saturating_sub(1), ..area }, &said, app);
        return prompt.draw(buffer, area, question.sign(), &app.shared.theme);
    }
    if said.is_empty() {
        draw_text(buffer, (area.x, area.y), area.width, &status(app), app.shared.theme.dim);
    }
    draw_said(buffer, area, &said, app);
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

/// Where one is, when there is nothing to say.
fn status(app: &App) -> String {
    let Some(data) = app.shown() else { return String::new() };
    let way = &|action| app.shared.way_to(action);
    match app.shared.screen {
        ScreenId::Home => app.screens.get::<Home>().status(data, &app.sample_lines(data), &app.shared.book.annotator),
        ScreenId::Judgments => app.screens.get::<Judgments>().status(data),
        ScreenId::Pairs => match data.partial {
            Some(partial) => app.screens.get::<Pairs>().partial_status(data, partial),
            None => app.screens.get::<Pairs>().status(data),
        },
        ScreenId::Compare => app.screens.get::<Compare>().status(app.kept_here(), way),
        ScreenId::Label => app.screens.get::<Label>().status(data, &app.shared.book.decisions, way),
        ScreenId::Methods => app.screens.get::<Methods>().status(data),
        ScreenId::Review => app.screens.get::<Review>().status(&Bench::of(&app.shared.bench), way),
        ScreenId::Figures => app.screens.get::<Figures>().status(),
        ScreenId::Corpus => app.screens.get::<Corpus>().status(),
        ScreenId::Log => app.screens.get::<Log>().status(),
    }
}
