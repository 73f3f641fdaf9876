//! The list of cases, below a summary of the journals.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::adjudicator::{Adjudicator, settled};
use super::reading::ReviewData;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph::wrapped;
use crate::widgets::table::{self, Column};
use dejaview_evaluation::agreement::Agreement;
use dejaview_labels::{Case, Review as Cases};
use dejaview_report::agreement;
use dejaview_report::numbers::{count, plural};

/// Lines of the summary, and an empty one.
fn head(area: Rect, reviewed: &ReviewData) -> u16 {
    // With the longest line possible, so that the table does not move while cases are settled.
    let lines = summary(reviewed, reviewed.review.cases.len(), area.width);
    (lines.len() as u16 + 1).min(area.height)
}

fn rows(area: Rect, reviewed: &ReviewData) -> Rect {
    let head = head(area, reviewed);
    Rect { y: area.y + head, height: area.height - head, ..area }
}

pub fn page(area: Rect, reviewed: &ReviewData) -> usize {
    table::page(rows(area, reviewed))
}

pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    (reviewed, adjudicator): (&ReviewData, &Adjudicator<'_>),
    (shown, cursor, kind): (Vec<&Case>, Cursor, &str),
    theme: &Theme,
) {
    let cases = &reviewed.review;
    let done = cases.cases.iter().filter(|case| settled(case, adjudicator).is_some()).count();
    let head = head(area, reviewed);
    for (line, text) in (0..head).zip(summary(reviewed, done, area.width)) {
        draw_text(buffer, (area.x + 1, area.y + line), area.width.saturating_sub(2), &text, theme.text);
    }
    if shown.is_empty() {
        let none =
            if kind == "all" { nothing(cases) } else { format!("no case of the kind “{kind}”; Tab shows another") };
        draw_text(buffer, (area.x + 1, area.y + head), area.width.saturating_sub(2), &none, theme.dim);
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
        let settled = settled(case, adjudicator).map(|label| label.name()).unwrap_or_default();
        let why = format!(" {}{more}", names.first().copied().unwrap_or_default());
        let notes = if notes == 0 { String::new() } else { notes.to_string() };
        [why, decided.to_string(), notes, settled.to_owned(), case.source.clone(), case.target.clone()]
            .map(|cell| (cell, theme.text))
            .into()
    };
    table::draw(buffer, rows(area, reviewed), &columns, (cursor, shown.len()), theme, cells);
}

fn summary(reviewed: &ReviewData, done: usize, width: u16) -> Vec<String> {
    let cases = &reviewed.review;
    let who = match cases.annotators.len() {
        0 => "nobody has labelled yet".to_owned(),
        1 => format!("one annotator: {}", cases.annotators[0]),
        n => format!("{n} annotators: {}", cases.annotators.join(", ")),
    };
    let mut lines = vec![who];
    let mut again = String::new();
    match &reviewed.agreement {
        Ok(agreement) => {
            lines.extend(agreement::unanimity(agreement));
            lines.extend(agreement::coefficients(agreement));
            again = asked_again(agreement);
        }
        Err(why) => lines.push(why.clone()),
    }
    lines.push(format!("{again}{done} of {} settled", plural(cases.cases.len() as u64, "case")));
    lines.extend(reviewed.labels_needed.first().map(|first| match reviewed.labels_needed.len() {
        1 => first.clone(),
        all => format!("{first} · {} more on Home", plural(all as u64 - 1, "sample")),
    }));
    let columns = usize::from(width.saturating_sub(2));
    lines.iter().flat_map(|line| wrapped(line, columns)).collect()
}

/// How often annotators answered the same when a pair came again.
fn asked_again(agreement: &Agreement) -> String {
    let (asked, same) = agreement.repeats.iter().fold((0, 0), |(n, same), one| (n + one.pairs, same + one.same));
    if asked == 0 {
        return String::new();
    }
    format!("{} of {} answers the same when asked again · ", count(same), count(asked))
}

fn nothing(cases: &Cases) -> String {
    match cases.annotators.len() {
        0 => "Nothing to settle yet: 5 (Label) asks for labels.",
        1 => "Nothing to settle. With a second annotator (--annotator NAME) their differences stand here.",
        _ => "Nothing to settle: all who decided agree.",
    }
    .to_owned()
}
