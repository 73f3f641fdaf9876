//! One case: two documents, the notes without names, and once it is settled who said what.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::adjudicator::{Adjudicator, contradiction_path, standing};
use crate::pane::PairPane;
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph::wrapped;
use dejaview_labels::{Case, Decider, Label as Decision, Standing};

/// Notes shown at most; more are counted.
const NOTES: usize = 4;

/// Lines of the header: the documents, the state of the case, the path of a contradiction and the notes.
pub(super) fn header_height(case: &Case, width: u16) -> u16 {
    (3 + contradiction_lines(case, width).len() + notes(case).len()) as u16
}

fn contradiction_lines(case: &Case, width: u16) -> Vec<String> {
    let words = contradiction_path(case)
        .map(|path| format!("Labelled near-duplicates: {}, but the two ends “not” (w shows all)", path.join(" ~ ")));
    words.map(|words| wrapped(&words, usize::from(width))).unwrap_or_default()
}

/// The notes, without the names of who wrote them.
fn notes(case: &Case) -> Vec<String> {
    let all: Vec<&str> = case.opinions.iter().filter_map(|opinion| opinion.note.as_deref()).collect();
    let mut lines: Vec<String> =
        all.iter().take(NOTES).map(|note| format!("note: {}", note.replace('\n', " / "))).collect();
    if all.len() > NOTES {
        lines.push(format!("and {} more notes", all.len() - NOTES));
    }
    lines
}

/// What everybody said, with names; for a case that is settled.
pub fn opinions(case: &Case) -> String {
    let word = |label: Option<Decision>| label.map_or("nothing", Decision::name);
    let mut parts: Vec<String> = case
        .opinions
        .iter()
        .map(|opinion| match opinion.again {
            Some(again) if Some(again) != opinion.label => {
                format!("{} {}, then {}", opinion.annotator, word(opinion.label), again.name())
            }
            _ => format!("{} {}", opinion.annotator, word(opinion.label)),
        })
        .collect();
    parts.sort();
    parts.join(", ")
}

/// Why the pair is a case, and whether it is settled.
fn state_line(case: &Case, adjudicator: &Adjudicator<'_>) -> String {
    let names: Vec<&str> = case.concerns.iter().map(|concern| concern.name()).collect();
    let names = names.join(", ");
    match standing(case, adjudicator) {
        Standing::Decided(label, Decider::Adjudicator(who)) => {
            let (who, overrides) = match who == adjudicator.name {
                true => ("you", ""),
                false => (who.as_str(), " · your decision overrides theirs"),
            };
            format!("Settled by {who}: {}{overrides} · {names} · {}", label.name(), opinions(case))
        }
        Standing::Disputed(votes) if !case.settlements.is_empty() => {
            let each: Vec<String> = votes.iter().map(|(who, label)| format!("{who} {}", label.name())).collect();
            format!("Adjudicators differ: {} · your decision overrides theirs", each.join(", "))
        }
        _ => format!("{names} · who said what is hidden until you settle it"),
    }
}

pub(super) fn draw_header(
    buffer: &mut Buffer,
    area: Rect,
    (case, adjudicator): (&Case, &Adjudicator<'_>),
    pane: &PairPane,
    theme: &Theme,
) {
    pane.draw_documents(buffer, Rect { height: area.height.min(2), ..area }, theme);
    let mut lines = vec![(state_line(case, adjudicator), theme.muted)];
    lines.extend(contradiction_lines(case, area.width).into_iter().map(|line| (line, theme.warning)));
    lines.extend(notes(case).into_iter().map(|note| (note, theme.text)));
    for (y, (text, style)) in (area.y + 2..area.bottom()).zip(lines) {
        draw_text(buffer, (area.x, y), area.width, &text, style);
    }
}
