//! The threshold rail: a cut-off that is moved, what precision and recall become, and the labelled pairs that change
//! sides on the way.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::contract::Request;
use crate::data::{CutOffs, FlippedPair, StudyData};
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph::wrapped;
use dejaview_base::interval::Interval;
use dejaview_evaluation::estimates::Cut;
use dejaview_report::numbers::{count, plural, share};
use dejaview_study::spelling;

/// Lines below the chart: the cut-off, its numbers, pairs that change sides.
pub(super) const BELOW: u16 = 7;
/// Columns before the chart, for its scale.
const SCALE: u16 = 6;

/// Measures what moving a cut-off does to a configuration.
#[derive(Debug)]
pub struct MeasureCutOffs {
    pub(super) data: Arc<StudyData>,
    /// Number of the configuration.
    pub(super) number: usize,
    /// Its name.
    pub(super) configuration: String,
}

/// The rail of a configuration and where the cut-off is.
#[derive(Debug, Default)]
pub(super) struct Threshold {
    rail: Option<(usize, Result<Arc<CutOffs>, String>)>,
    /// Number of the cut-off.
    at: usize,
}

impl Threshold {
    /// Asks for the rail of a configuration; always, since labels may have changed.
    pub fn ask(&self, c: usize, data: &Arc<StudyData>) -> Vec<Request> {
        let Some(configuration) = data.table.configurations().get(c).cloned() else { return Vec::new() };
        vec![Request::job(MeasureCutOffs { data: data.clone(), number: c, configuration })]
    }

    /// Takes the rail of a configuration.
    pub fn take(&mut self, c: usize, result: Result<Box<CutOffs>, String>) {
        self.rail = Some((c, result.map(Arc::from)));
    }

    fn rail(&self, c: usize) -> Option<&Result<Arc<CutOffs>, String>> {
        self.rail.as_ref().filter(|(of, _)| *of == c).map(|(_, rail)| rail)
    }

    fn cut(&self, c: usize) -> Option<(&CutOffs, usize)> {
        let rail = self.rail(c)?.as_ref().ok()?;
        Some((rail, self.at.min(rail.cuts.len().checked_sub(1)?)))
    }

    /// Moves the cut-off by a step.
    pub fn step(&mut self, up: bool, c: usize) {
        if let Some((rail, at)) = self.cut(c) {
            self.at = if up { (at + 1).min(rail.cuts.len() - 1) } else { at.saturating_sub(1) };
        }
    }

    /// The filter that admits the pairs that change sides at the cut-off, or why there are none.
    pub fn filter_of_changed_sides(&self, c: usize) -> Result<String, &'static str> {
        let (rail, at) = self.cut(c).ok_or("there is no cut-off before pairs are labelled")?;
        let pair = |flip: &FlippedPair| {
            let [source, target] = [("source", &flip.source), ("target", &flip.target)];
            format!("({} & {})", spelling::exactly(source.0, source.1), spelling::exactly(target.0, target.1))
        };
        let pairs: Vec<String> = rail.flips[at].iter().map(pair).collect();
        if pairs.is_empty() { Err("no labelled pair changes sides at this cut-off") } else { Ok(pairs.join(" | ")) }
    }

    /// Draws the rail of a configuration, or why there is none.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, (c, name): (usize, &str), theme: &Theme) {
        let mut note = |line: u16, text: &str, style| {
            if line < area.height {
                draw_text(buffer, (area.x + 1, area.y + line), area.width.saturating_sub(2), text, style);
            }
        };
        let (rail, at) = match (self.rail(c), self.cut(c)) {
            (_, Some(cut)) => cut,
            (Some(Err(why)), None) => {
                note(0, name, theme.title);
                for (line, text) in (2u16..).zip(wrapped(why, usize::from(area.width.saturating_sub(2)).max(1))) {
                    note(line, &text, theme.warning);
                }
                return;
            }
            (_, None) => {
                note(0, name, theme.title);
                return note(2, "measuring…", theme.dim);
            }
        };
        note(0, &format!("{name} · precision P and recall R, by cut-off"), theme.title);
        let chart = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        draw_plot(buffer, chart, &rail.cuts, at, theme);
    }

    /// Draws what the cut-off does.
    pub fn draw_cut(&self, buffer: &mut Buffer, area: Rect, c: usize, theme: &Theme) {
        let Some((rail, at)) = self.cut(c) else { return };
        for (line, (text, style)) in (0..area.height).zip(cut_off_words(rail, at, theme)) {
            draw_text(buffer, (area.x + 1, area.y + line), area.width.saturating_sub(2), &text, style);
        }
    }

    /// The cut-off in words.
    pub fn status(&self, c: usize) -> String {
        let Some((rail, at)) = self.cut(c) else { return String::new() };
        let enter = if rail.flips[at].is_empty() { "" } else { " · Enter opens the pairs that change sides" };
        format!("cut-off {:.2} · {} of {}{enter}", rail.cuts[at].at, at + 1, rail.cuts.len())
    }
}

/// What a cut-off does, line by line.
fn cut_off_words(rail: &CutOffs, at: usize, theme: &Theme) -> Vec<(String, Style)> {
    let (cut, flips) = (&rail.cuts[at], &rail.flips[at]);
    let lost = flips.iter().filter(|flip| flip.near_duplicate).count();
    let pairs = format!("{} · {} of them labelled", plural(cut.pairs, "pair"), count(cut.labelled));
    let near = if lost == 1 { "near-duplicate" } else { "near-duplicates" };
    let from = at.checked_sub(1).map_or(String::new(), |before| format!("since {:.2}, ", rail.cuts[before].at));
    let sides = match flips.len() {
        0 => format!("{from}no labelled pair changed sides"),
        all => {
            let pairs = plural(all as u64, "labelled pair");
            format!("{from}{pairs} changed sides: {lost} {near}, {} others", all - lost)
        }
    };
    let mut lines = vec![
        (format!("take pairs with a Jaccard of {:.2} or more: {pairs}", cut.at), theme.key),
        (format!("precision {} · recall {}", share(cut.precision), share(cut.recall)), theme.text),
        (
            format!("95 %, as in the tables; recall is of the true pairs that sample {} stands for", rail.sample),
            theme.dim,
        ),
        (sides, theme.text),
    ];
    lines.extend(flips.iter().map(|flip| {
        let word = if flip.near_duplicate { "near" } else { "not" };
        (format!("  {:.3} {word:<5} {} {}", flip.jaccard, flip.source, flip.target), theme.dim)
    }));
    lines
}

/// Precision `P` and recall `R` at each cut-off with their intervals, side by side. Where there is less room, intervals are
/// those of the cut-off in hand; where there is none, the two lie over each other, and `*` is where they meet.
fn draw_plot(buffer: &mut Buffer, area: Rect, cuts: &[Cut], at: usize, theme: &Theme) {
    if area.height < 4 || area.width < SCALE + cuts.len() as u16 || cuts.is_empty() {
        return;
    }
    let (left, high) = (area.x + SCALE, area.height - 2);
    let wide = ((area.width - SCALE) / cuts.len() as u16).clamp(1, 8);
    let y = |value: f64| area.y + high - 1 - (value.clamp(0.0, 1.0) * f64::from(high - 1)).round() as u16;
    for (value, text) in [(1.0, "1.0"), (0.5, "0.5"), (0.0, "0.0")] {
        draw_text(buffer, (area.x + 2, y(value)), 3, text, theme.dim);
    }
    let mut bar = |x: u16, interval: Option<Interval>, sign: &str, (style, whole): (Style, bool)| {
        let Some(interval) = interval else { return };
        for line in (y(interval.high)..=y(interval.low)).filter(|_| whole) {
            draw_text(buffer, (x, line), 1, "│", theme.dim);
        }
        draw_text(buffer, (x, y(interval.value)), 1, sign, style);
    };
    let beside = (wide / 2).min(2);
    for (place, cut) in cuts.iter().enumerate() {
        let x = left + place as u16 * wide;
        let style = (if place == at { theme.key } else { theme.text }, wide > 2 || place == at);
        let level = |interval: Option<Interval>| interval.map(|interval| y(interval.value));
        let meet = beside == 0 && level(cut.precision) == level(cut.recall);
        bar(x, cut.precision, "P", style);
        bar(x + beside, cut.recall, if meet { "*" } else { "R" }, style);
    }
    for (place, cut) in cuts.iter().enumerate() {
        let (x, here) = (left + place as u16 * wide, place == at);
        let style = if here { theme.selected } else { theme.dim };
        draw_text(buffer, (x, area.y + high), 1, if here { "▴" } else { "·" }, style);
        // The number of the cut-off in hand is written whole; its neighbours keep away from it.
        let room = |other: usize| other.abs_diff(at) * usize::from(wide) > 4;
        if here || (place % 5 == 0 && room(place)) {
            draw_text(buffer, (x, area.y + high + 1), 4, &format!("{:.2}", cut.at), style);
        }
    }
}
