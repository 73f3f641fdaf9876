//! How the dialog is drawn: a line for each field with its effect at the right, strata below the design, the command last.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Field, NewSample};
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::boxes::{centred, draw_box};
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::meter::meter;
use crate::widgets::table;
use dejaview_report::numbers::{count, plural};
use dejaview_study::{SampleDraw, SamplePreview};
use dejaview_text::shorten::shorten_title;

/// Columns of the dialog at most.
const WIDEST: u16 = 92;
/// Columns of the names of fields.
const NAMES: u16 = 13;
/// Columns of the meters of strata.
const METER: u16 = 15;
/// Half the width of an interval that says nothing.
const NOTHING_KNOWN: f64 = 0.5;
/// Strata that are listed at most.
const STRATA: usize = 8;

/// A line of the dialog.
#[derive(Default)]
struct Line {
    field: Option<Field>,
    name: &'static str,
    value: String,
    /// What the value means or does, at the right end.
    effect: String,
    /// Whether it can be left out where there are too few lines; the highest goes first.
    spare: u8,
}

impl Line {
    fn of(field: Field, name: &'static str, value: String, effect: String) -> Self {
        Self { field: Some(field), name, value, effect, spare: 0 }
    }

    fn fact(name: &'static str, value: String, effect: String) -> Self {
        Self { name, value, effect, ..Self::default() }
    }

    fn blank() -> Self {
        Self { spare: 3, ..Self::default() }
    }
}

impl NewSample {
    pub(super) fn draw_dialog(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let theme = &shared.theme;
        let asked = self.asked();
        let preview = asked.as_ref().ok().and_then(|draw| self.current_preview(draw, shared));
        let mut lines = match self.list {
            Some(at) => self.list_lines(at, usize::from(area.height.saturating_sub(4))),
            None => self.lines(&asked, preview),
        };
        let high = (lines.len() as u16 + 2).min(area.height);
        while lines.len() as u16 + 2 > high {
            let spare = lines.iter().map(|line| line.spare).max().filter(|spare| *spare > 0);
            match spare.and_then(|spare| lines.iter().rposition(|line| line.spare == spare)) {
                Some(at) => drop(lines.remove(at)),
                None => break,
            }
        }
        let title = if self.list.is_some() { "Configurations" } else { "New sample" };
        let frame = Frame { focused: true, ..Frame::new(title) };
        draw_box(buffer, centred(area, WIDEST, high), &frame, theme, |buffer, inside| {
            for (line, y) in lines.iter().zip(inside.y..inside.bottom()) {
                self.draw_line(buffer, Rect { y, height: 1, ..inside }, line, theme);
            }
        });
    }

    /// The preview of what is asked for, once it is there; another name does not change it.
    fn current_preview<'s>(&self, draw: &SampleDraw, shared: &'s Shared) -> Option<&'s Result<SamplePreview, String>> {
        let (of, preview) = shared.sample_preview.as_ref()?;
        (SampleDraw { name: draw.name.clone(), ..of.clone() } == *draw).then_some(preview)
    }

    fn draw_line(&self, buffer: &mut Buffer, row: Rect, line: &Line, theme: &Theme) {
        let (x, end) = (row.x + 1, row.right());
        draw_text(buffer, (x, row.y), NAMES, line.name, theme.muted);
        let at = if line.name.is_empty() { x } else { x + NAMES };
        let effect = shorten_title(&line.effect, usize::from(end.saturating_sub(at)) / 2 + 12);
        let value_room = end.saturating_sub(at + 1 + width(&effect) as u16);
        let style: Style = if line.field.is_some() { theme.strong } else { theme.text };
        let used = draw_text(buffer, (at, row.y), value_room, &line.value, style);
        let room = end.saturating_sub(at + used + 1);
        let effect_wide = (width(&effect) as u16).min(room);
        draw_text(buffer, (end - effect_wide, row.y), effect_wide, &effect, theme.muted);
        if line.field == Some(self.field) {
            table::select(buffer, Rect { width: row.width, ..row }, true, theme);
        }
    }

    fn lines(&self, asked: &Result<SampleDraw, String>, preview: Option<&Result<SamplePreview, String>>) -> Vec<Line> {
        let known = preview.and_then(|preview| preview.as_ref().ok());
        let chosen: Vec<&str> =
            self.configurations.iter().filter(|listed| listed.chosen).map(|listed| listed.name.as_str()).collect();
        let all = chosen.len() == self.configurations.len();
        let names = if all { "all configurations".to_owned() } else { chosen.join(", ") };
        let number = format!("{} of {}", chosen.len(), self.configurations.len());
        let population = known.map_or("…".to_owned(), |preview| plural(preview.population, "pair"));
        let mut lines = vec![
            Line::blank(),
            Line::of(Field::Configurations, "Pairs of", names, number),
            Line::fact("Population", population, format!("of {} found by any", count(self.found))),
            Line::of(Field::Size, "Size", self.size.text.clone(), precision(known)),
            Line::of(
                Field::Design,
                "Design",
                format!("{} ▾", self.design.name()),
                self.design.description().to_owned(),
            ),
        ];
        lines.extend(strata(known));
        lines.push(Line::blank());
        let audit = "pairs that they did not find, for recall";
        lines.push(Line::of(Field::Audit, "Audit", self.audit.text.clone(), audit.to_owned()));
        let repeats = match self.repeats {
            0 => "no pair comes again".to_owned(),
            repeats => format!("{repeats} of each 100 come again, unannounced"),
        };
        lines.push(Line { spare: 1, ..Line::fact("Repeats", repeats, String::new()) });
        lines.push(Line::of(
            Field::Seed,
            "Seed",
            self.seed.text.clone(),
            "the same seed draws the same pairs".to_owned(),
        ));
        lines.push(Line::of(Field::Name, "Name", self.name.text.clone(), String::new()));
        lines.push(Line::blank());
        lines.push(match (asked, preview) {
            (Err(why), _) => Line { value: format!("✗ {why}"), ..Line::default() },
            (Ok(_), Some(Err(why))) => Line { value: format!("✗ {why}"), ..Line::default() },
            (Ok(_), Some(Ok(preview))) => Line {
                value: format!("⏎ Draw {} and start   Esc Cancel", plural(preview.pairs, "pair")),
                ..Line::default()
            },
            (Ok(_), None) => Line { value: "⏎ Draw and start   Esc Cancel".to_owned(), ..Line::default() },
        });
        if let Ok(draw) = asked {
            lines.push(Line::blank());
            lines.push(Line { value: format!("same as {}", self.command(draw)), spare: 2, ..Line::default() });
        }
        lines
    }

    /// The list of configurations, as many around the cursor as fit.
    fn list_lines(&self, at: usize, page: usize) -> Vec<Line> {
        let top = (at + 1).saturating_sub(page.max(1));
        let listed = self.configurations.iter().enumerate().skip(top).take(page.max(1));
        let line = |(number, listed): (usize, &super::Listed)| Line {
            field: (number == at).then_some(self.field),
            value: format!("{} {}", if listed.chosen { "[x]" } else { "[ ]" }, listed.name),
            effect: plural(listed.pairs, "pair"),
            ..Line::default()
        };
        listed.map(line).collect()
    }
}

/// What precision the sample will give.
fn precision(preview: Option<&SamplePreview>) -> String {
    let points = |half: f64| format!("±{:.0}", (100.0 * half).max(1.0));
    let widths = preview.map(|preview| &preview.half_widths[..]).unwrap_or_default();
    let least = widths.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let most = widths.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    match (widths, least, most) {
        ([(name, half)], ..) => format!("precision of {name} to about {} points", points(*half)),
        (_, Some(least), Some(most)) if most.1 >= NOTHING_KNOWN => {
            format!("precision to about {} points at best", points(least.1))
        }
        (_, Some(least), Some(most)) if points(least.1) == points(most.1) => {
            format!("precision to about {} points", points(least.1))
        }
        (_, Some(least), Some(most)) => {
            format!("precision to about {} to {} points", points(least.1), points(most.1))
        }
        _ => String::new(),
    }
}

/// The strata with their pairs, where there is more than one.
fn strata(preview: Option<&SamplePreview>) -> Vec<Line> {
    let Some(preview) = preview.filter(|preview| preview.strata.len() > 1) else { return Vec::new() };
    let most = preview.strata.iter().map(|stratum| stratum.drawn).max().unwrap_or_default();
    let row = |name: &str, pairs: &str, drawn: &str, bar: &str| {
        let name = shorten_title(name, 34);
        let pad = " ".repeat(34usize.saturating_sub(width(&name)));
        Line { value: format!("{name}{pad} {pairs:>9} {drawn:>6} {bar}"), spare: 1, ..Line::default() }
    };
    let mut lines = vec![Line::blank(), row("stratum", "pairs", "drawn", "")];
    lines.extend(preview.strata.iter().take(STRATA).map(|stratum| {
        let bar = meter(stratum.drawn as f64, most as f64, METER);
        row(&stratum.name, &count(stratum.population), &count(stratum.drawn), &bar)
    }));
    if let more @ 1.. = preview.strata.len().saturating_sub(STRATA) {
        lines.push(row(&format!("… and {more} more"), "", "", ""));
    }
    lines
}
