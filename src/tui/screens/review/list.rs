//! The cases as a list, below what they add up to.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Bench, settled};
use crate::base::interval::Interval;
use crate::evaluation::agreement::Agreement;
use crate::labels::{Case, Review as Cases};
use crate::report::numbers::{count, plural};
use crate::tui::jobs::Reviewed;
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::Cursor;
use crate::tui::widgets::glyphs::draw_text;
use crate::tui::widgets::table::{self, Column};

/// Lines above the table.
const HEAD: u16 = 6;

fn rows(area: Rect) -> Rect {
    Rect { y: area.y + HEAD.min(area.height), height: area.height.saturating_sub(HEAD), ..area }
}

/// Rows that fit.
pub fn page(area: Rect) -> usize {
    table::page(rows(area))
}

/// Draws the list.
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    (reviewed, bench): (&Reviewed, &Bench<'_>),
    (shown, cursor, kind): (Vec<&Case>, Cursor, &str),
    theme: &Theme,
) {
    let cases = &reviewed.review;
    for (line, text) in (0u16..).zip(facts(reviewed, bench)).take_while(|(line, _)| *line < area.height) {
        draw_text(buffer, (area.x + 1, area.y + line), area.width.saturating_sub(2), &text, theme.text);
    }
    if shown.is_empty() {
        let none =
            if kind == "all" { nothing(cases) } else { format!("no case of the kind “{kind}”; Tab shows another") };
        draw_text(buffer, (area.x + 1, area.y + HEAD), area.width.saturating_sub(2), &none, theme.dim);
        return;
    }
    let columns = [
        Column::left(" why", 23),
        Column::right("said", 5),
        Column::right("notes", 6),
        Column::left("settled", 15),
        Column::ids("source"),
        Column::ids("target"),
    ];
    let cells = |row: usize| {
        let Some(case) = shown.get(row) else { return Vec::new() };
        let names: Vec<&str> = case.concerns.iter().map(|concern| concern.name()).collect();
        let more = if names.len() > 1 { format!(" +{}", names.len() - 1) } else { String::new() };
        let decided = case.opinions.iter().filter(|opinion| opinion.label.is_some()).count();
        let notes = case.opinions.iter().filter(|opinion| opinion.note.is_some()).count();
        let settled = settled(case, bench).map(|label| label.name()).unwrap_or_default();
        let why = format!(" {}{more}", names.first().copied().unwrap_or_default());
        let notes = if notes == 0 { String::new() } else { notes.to_string() };
        [why, decided.to_string(), notes, settled.to_owned(), case.source.clone(), case.target.clone()]
            .map(|cell| (cell, theme.text))
            .into()
    };
    table::draw(buffer, rows(area), &columns, (cursor, shown.len()), theme, cells);
}

/// What the journals add up to.
fn facts(reviewed: &Reviewed, bench: &Bench<'_>) -> Vec<String> {
    let cases = &reviewed.review;
    let who = match cases.annotators.len() {
        0 => "nobody has labelled yet".to_owned(),
        1 => format!("one annotator: {}", cases.annotators[0]),
        n => format!("{n} annotators: {}", cases.annotators.join(", ")),
    };
    let mut lines = vec![who];
    if cases.shared > 0 {
        let share = 100.0 * cases.equal as f64 / cases.shared as f64;
        lines.push(format!(
            "{} of {} decided by two or more: the same ({share:.1} %)",
            count(cases.equal as u64),
            plural(cases.shared as u64, "pair")
        ));
    }
    lines.extend(reviewed.agreement.as_ref().and_then(coefficients));
    let (asked, same) = cases.repeats;
    let again =
        if asked > 0 { format!("{same} of {asked} answers the same when asked again · ") } else { String::new() };
    let done = cases.cases.iter().filter(|case| settled(case, bench).is_some()).count();
    lines.push(format!("{again}{done} of {} settled", plural(cases.cases.len() as u64, "case")));
    lines.extend(reviewed.to_go.first().map(|first| match reviewed.to_go.len() {
        1 => first.clone(),
        all => format!("{first} · {} more on Home", plural(all as u64 - 1, "sample")),
    }));
    lines
}

/// Coefficients of agreement with their intervals, over the pairs that some configuration found.
fn coefficients(agreement: &Agreement) -> Option<String> {
    let words = |name: &str, interval: Option<Interval>| {
        interval.map(|i| format!("{name} {:.2} ({:.2}–{:.2})", i.value, i.low, i.high))
    };
    let kappa = if let [two] = &agreement.cohen[..] {
        words("Cohen's kappa", two.kappa)
    } else {
        words("Fleiss' kappa", agreement.pool.fleiss)
    };
    let parts = [words("alpha", agreement.pool.alpha), words("AC1", agreement.pool.ac1), kappa];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{} · 95 %", parts.join(" · ")))
}

fn nothing(cases: &Cases) -> String {
    match cases.annotators.len() {
        0 => "Nothing to settle: 5 (Label) draws a sample and asks for labels.",
        1 => "Nothing to settle. With a second annotator (--annotator NAME) their differences stand here.",
        _ => "Nothing to settle: all who decided agree.",
    }
    .to_owned()
}
