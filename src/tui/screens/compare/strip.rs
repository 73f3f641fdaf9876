//! The verdict strip: every configuration's answer on a pair at a glance, in as many lines as there are.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::theme::Theme;
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::names::squeezed;

/// Columns between two answers.
const GAP: usize = 2;
/// Letters that names are squeezed to, one after the other, until all answers fit, and what stands in front of them.
const FORMS: [(&str, usize); 11] =
    [(" ", 15), (" ", 12), (" ", 10), (" ", 8), (" ", 7), (" ", 6), (" ", 5), ("", 6), ("", 5), ("", 4), ("", 3)];

/// One configuration's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict<'a> {
    pub(super) name: &'a str,
    pub(super) matches: bool,
    pub(super) distance: Option<u32>,
    /// Whether the answer would be another with all of the text.
    pub(super) turned: bool,
}

/// Lines that the strip takes: what the whole names need, but no more than a seventh of the screen. The same for every
/// pair, so that texts do not jump.
pub(super) fn lines(names: &[String], area: Rect) -> u16 {
    // A mark in front and a distance of one digit behind.
    let widths = names.iter().map(|name| width(name) + 4);
    let lines = places(widths, usize::from(area.width), GAP).last().map_or(1, |last| last + 1);
    (lines as u16).min((area.height / 7).max(1))
}

/// Draws the answers, behind the label if there is one. Names lose letters until all fit; when none of that helps, those
/// that found the pair come first and the rest is counted.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, label: &str, verdicts: &[Verdict<'_>], theme: &Theme) {
    let room = (usize::from(area.width), usize::from(area.height));
    let label = (!label.is_empty()).then(|| (format!("label: {label}"), theme.title));
    let style = |verdict: &Verdict<'_>| match (verdict.turned, verdict.matches) {
        (true, _) => theme.warning,
        (_, true) => theme.good,
        _ => theme.dim,
    };
    let (gap, cells) = fitted(label, verdicts, room, style, theme.dim);
    let lines = places(cells.iter().map(|(text, _)| width(text)), room.0, gap);
    let mut x = 0;
    for (i, (text, style)) in cells.iter().enumerate() {
        if i > 0 && lines[i] != lines[i - 1] {
            x = 0;
        }
        if lines[i] < room.1 {
            let at = (area.x + x, area.y + lines[i] as u16);
            x += draw_text(buffer, at, area.width.saturating_sub(x), text, *style) + gap as u16;
        }
    }
}

type Cell = (String, Style);

/// The cells in the longest form that fits, and the gap between them.
fn fitted(
    label: Option<Cell>,
    verdicts: &[Verdict<'_>],
    room: (usize, usize),
    style: impl Fn(&Verdict<'_>) -> Style,
    dim: Style,
) -> (usize, Vec<Cell>) {
    let fits = |gap: usize, cells: &[Cell]| {
        places(cells.iter().map(|(text, _)| width(text)), room.0, gap).last().is_none_or(|last| *last < room.1)
    };
    let with = |form: &dyn Fn(&Verdict<'_>) -> String| -> Vec<Cell> {
        let answers = verdicts.iter().map(|verdict| (form(verdict), style(verdict)));
        label.clone().into_iter().chain(answers).collect()
    };
    let whole = with(&|verdict| match verdict.distance.filter(|_| verdict.matches) {
        Some(distance) => format!("{} {} {distance}", mark(verdict), verdict.name),
        None => format!("{} {}", mark(verdict), verdict.name),
    });
    if fits(GAP, &whole) {
        return (GAP, whole);
    }
    for (blank, letters) in FORMS {
        let cells = with(&|verdict| format!("{}{blank}{}", mark(verdict), short(verdict.name, letters)));
        if fits(1, &cells) {
            return (1, cells);
        }
    }
    let found: Vec<&Verdict<'_>> = verdicts.iter().filter(|verdict| verdict.matches).collect();
    let shortened = |kept: usize| {
        let first = found[..kept].iter().map(|verdict| (format!("✓ {}", verdict.name), style(verdict)));
        let more = (kept < found.len()).then(|| (format!("✓ {} more", found.len() - kept), dim));
        let missed = verdicts.len() - found.len();
        let missed = (missed > 0).then(|| (format!("✗ {missed} others"), dim));
        label.clone().into_iter().chain(first).chain(more).chain(missed).collect::<Vec<Cell>>()
    };
    let cells = (0..=found.len()).rev().map(shortened).find(|cells| fits(1, cells));
    (1, cells.unwrap_or_else(|| shortened(0)))
}

/// A name in so many letters; SimHash keeps a trace of its own where there is room.
fn short(name: &str, letters: usize) -> String {
    match name.strip_prefix("simhash-") {
        Some(rest) if letters > 6 => squeezed(&format!("sim-{rest}"), letters),
        _ => squeezed(name, letters),
    }
}

fn mark(verdict: &Verdict<'_>) -> char {
    if verdict.matches { '✓' } else { '✗' }
}

/// The line on which each thing of these widths stands when they follow one another.
fn places(widths: impl Iterator<Item = usize>, room: usize, gap: usize) -> Vec<usize> {
    let (mut line, mut used) = (0, 0);
    let place = |wide: usize| {
        if used > 0 && used + gap + wide > room {
            (line, used) = (line + 1, 0);
        }
        used += wide + if used > 0 { gap } else { 0 };
        line
    };
    widths.map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_study::standard_set;

    fn answers(names: &[String]) -> Vec<Verdict<'_>> {
        let answer = |(i, name): (usize, &'_ String)| -> (usize, bool) { (name.len(), i % 3 > 0) };
        let made = names.iter().enumerate().map(|(i, name)| Verdict {
            name,
            matches: answer((i, name)).1,
            distance: Some(1),
            turned: false,
        });
        made.collect()
    }

    fn shown(names: &[String], room: (u16, u16)) -> String {
        let area = Rect::new(0, 0, room.0, room.1);
        let mut buffer = Buffer::empty(area);
        let theme = Theme::new(crate::theme::Palette::Mono);
        draw(&mut buffer, area, "near", &answers(names), &theme);
        let row = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
        buffer.content().chunks(usize::from(room.0)).map(row).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn things_flow_onto_lines_that_hold_them() {
        assert_eq!(places([5, 5, 7, 3].into_iter(), 80, 2), [0, 0, 0, 0]);
        assert_eq!(places([5, 5, 7, 3].into_iter(), 12, 2), [0, 0, 1, 1]);
        assert_eq!(places([5, 5, 7, 3].into_iter(), 1, 2), [0, 1, 2, 3], "what is too long has a line of its own");
        assert_eq!(places([].into_iter(), 1, 2), [] as [usize; 0]);
    }

    #[test]
    fn the_standard_set_and_more_fit_eighty_columns() {
        let mut names: Vec<String> = standard_set().into_iter().map(|recipe| recipe.name).collect();
        names.extend(["exact-jaccard", "best"].map(str::to_owned));
        assert!(names.len() >= 22, "{}", names.len());
        let area = Rect::new(0, 1, 80, 21);
        let lines = lines(&names, area);
        assert!(lines <= 3);
        let text = shown(&names, (80, lines));
        let marks = text.chars().filter(|c| "✓✗".contains(*c)).count();
        assert_eq!(marks, names.len(), "{text}");
        assert!(text.starts_with("label: near ") && !text.contains("others"), "{text}");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let names: Vec<String> = (0..60).map(|i| format!("configuration-{i}")).collect();
        let text = shown(&names, (60, 1));
        assert!(text.contains("more") && text.contains("✗ 20 others"), "{text}");
        assert!(!shown(&names[..1], (10, 1)).is_empty());
    }
}
