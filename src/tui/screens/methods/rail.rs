//! The threshold rail: a cut-off that is moved, what precision and recall become, and the labelled pairs that change
//! sides on the way.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Methods;
use crate::evaluation::estimates::Cut;
use crate::report::evaluation::share;
use crate::report::numbers::count;
use crate::tui::action::Action;
use crate::tui::asks::Ask;
use crate::tui::data::{Flipped, Rail, StudyData};
use crate::tui::jobs::Effect;
use crate::tui::theme::Theme;
use crate::tui::widgets::glyphs::draw_text;

/// Lines below the chart: marks, numbers, pairs that change sides.
const BELOW: u16 = 7;

/// The rail of a configuration and where the cut-off is.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Number of the last wish, the configuration it was about, and whether it is still to be answered.
    asked: (u64, usize, bool),
    rail: Option<(usize, Result<Arc<Rail>, String>)>,
    /// Number of the cut-off.
    at: usize,
}

impl Methods {
    /// Asks for the rail of the configuration under the cursor; always, since labels may have changed.
    pub(super) fn ask_rail(&mut self, data: &Arc<StudyData>) -> Vec<Effect> {
        let Some(&c) = self.order(data).get(self.cursor.at) else { return Vec::new() };
        self.rail.asked = (self.rail.asked.0 + 1, c, true);
        let configuration = data.table.configurations()[c].clone();
        vec![Effect::Ask(Ask::Rail { generation: self.rail.asked.0, data: data.clone(), configuration })]
    }

    /// Takes a rail, unless it is late.
    pub fn railed(&mut self, generation: u64, result: Result<Box<Rail>, String>) {
        if generation == self.rail.asked.0 {
            self.rail.asked.2 = false;
            self.rail.rail = Some((self.rail.asked.1, result.map(Arc::from)));
        }
    }

    fn shown_rail(&self, data: &StudyData) -> Option<&Result<Arc<Rail>, String>> {
        let c = *self.order(data).get(self.cursor.at)?;
        self.rail.rail.as_ref().filter(|(of, _)| *of == c).map(|(_, rail)| rail)
    }

    fn cut(&self, data: &StudyData) -> Option<(Arc<Rail>, usize)> {
        let rail = self.shown_rail(data)?.as_ref().ok()?.clone();
        let at = self.rail.at.min(rail.cuts.len().checked_sub(1)?);
        Some((rail, at))
    }

    /// Moves the cut-off, or goes to another configuration.
    pub(super) fn update_rail(&mut self, action: Action, data: &Arc<StudyData>, page: usize) -> Option<Vec<Effect>> {
        match action {
            Action::Left | Action::Right => {
                let last = self.cut(data).map_or(0, |(rail, _)| rail.cuts.len().saturating_sub(1));
                let step = if action == Action::Left { self.rail.at.saturating_sub(1) } else { self.rail.at + 1 };
                self.rail.at = step.min(last);
                Some(Vec::new())
            }
            _ => {
                let moved = self.cursor.go(action, data.table.configurations().len(), page);
                moved.then(|| self.ask_rail(data))
            }
        }
    }

    /// The filter that admits the pairs that change sides at the cut-off.
    pub(super) fn flipped(&self, data: &StudyData) -> Option<String> {
        let (rail, at) = self.cut(data)?;
        let pair = |flip: &Flipped| format!("(source=\"{}\" & target=\"{}\")", flip.source, flip.target);
        let pairs: Vec<String> = rail.flips.get(at)?.iter().map(pair).collect();
        (!pairs.is_empty()).then(|| pairs.join(" | "))
    }

    pub(super) fn draw_rail(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, theme: &Theme) {
        let mut note = |line: u16, text: &str, style| {
            if line < area.height {
                draw_text(buffer, (area.x + 1, area.y + line), area.width.saturating_sub(2), text, style);
            }
        };
        let names = data.table.configurations();
        let name = self.order(data).get(self.cursor.at).map_or("", |&c| names[c].as_str());
        let (rail, at) = match (self.shown_rail(data), self.cut(data)) {
            (Some(Err(why)), _) => {
                note(0, name, theme.title);
                return note(2, why, theme.warning);
            }
            (_, Some(cut)) => cut,
            _ => {
                note(0, name, theme.title);
                return note(2, "measuring…", theme.dim);
            }
        };
        note(
            0,
            &format!("{name} · sample {} · ← → moves the cut-off · ↑ ↓ another configuration", rail.sample),
            theme.title,
        );
        let chart = Rect { y: area.y + 1, height: area.height.saturating_sub(1 + BELOW), ..area };
        draw_plot(buffer, chart, &rail.cuts, at, theme);
        self.draw_cut(
            buffer,
            Rect { y: chart.y + chart.height, height: BELOW.min(area.height), ..area },
            &rail,
            at,
            theme,
        );
    }

    fn draw_cut(&self, buffer: &mut Buffer, area: Rect, rail: &Rail, at: usize, theme: &Theme) {
        let cut = &rail.cuts[at];
        let recall = cut.recall.map_or("–".to_owned(), |recall| format!("{recall:.3}"));
        let flips = &rail.flips[at];
        let (near, not): (Vec<_>, Vec<_>) = flips.iter().partition(|flip| flip.truth);
        let mut lines = vec![
            (format!("take pairs with a Jaccard of {:.2} or more", cut.at), theme.key),
            (format!("precision (Wilson, 95 %): {}", share(cut.precision)), theme.text),
            (format!("recall, of the true pairs that the sample stands for: {recall}"), theme.text),
            (format!("{} pairs · {} of them labelled", count(cut.pairs), cut.labelled), theme.dim),
            (
                format!(
                    "{} change sides at this step: {} near-duplicates lost, {} others shut out",
                    flips.len(),
                    near.len(),
                    not.len()
                ),
                theme.text,
            ),
        ];
        lines.extend(flips.iter().map(|flip| {
            let word = if flip.truth { "near" } else { "not" };
            (format!("  {:.3} {word:<5} {} {}", flip.score, flip.source, flip.target), theme.dim)
        }));
        for (line, (text, style)) in (0..area.height).zip(lines) {
            draw_text(buffer, (area.x + 1, area.y + line), area.width.saturating_sub(2), &text, style);
        }
    }

    pub(super) fn rail_status(&self, data: &StudyData) -> String {
        match self.cut(data) {
            Some((rail, at)) => {
                let cut = &rail.cuts[at];
                format!(
                    "cut-off {:.2} · {} of {} · Enter opens the labelled pairs that change sides",
                    cut.at,
                    at + 1,
                    rail.cuts.len()
                )
            }
            None => String::new(),
        }
    }
}

/// Precision `P` and recall `R` at each cut-off, `*` where they meet, with the interval of precision.
fn draw_plot(buffer: &mut Buffer, area: Rect, cuts: &[Cut], at: usize, theme: &Theme) {
    if area.height < 4 || area.width < 30 || cuts.is_empty() {
        return;
    }
    let (left, high) = (area.x + 6, area.height - 2);
    let wide = ((area.width - 8) / cuts.len() as u16).clamp(1, 8);
    let y = |value: f64| area.y + high - 1 - (value.clamp(0.0, 1.0) * f64::from(high - 1)).round() as u16;
    for (value, text) in [(1.0, "1.0"), (0.5, "0.5"), (0.0, "0.0")] {
        draw_text(buffer, (area.x + 2, y(value)), 3, text, theme.dim);
    }
    for (place, cut) in cuts.iter().enumerate() {
        let x = left + place as u16 * wide;
        let style = if place == at { theme.key } else { theme.text };
        if let Some(interval) = cut.precision {
            for line in y(interval.high)..=y(interval.low) {
                draw_text(buffer, (x, line), 1, "│", theme.dim);
            }
            draw_text(buffer, (x, y(interval.value)), 1, "P", style);
        }
        if let Some(recall) = cut.recall {
            let met = cut.precision.is_some_and(|interval| y(interval.value) == y(recall));
            draw_text(buffer, (x, y(recall)), 1, if met { "*" } else { "R" }, style);
        }
        let mark = if place == at { "▴" } else { "·" };
        draw_text(buffer, (x, area.y + high), 1, mark, if place == at { theme.selected } else { theme.dim });
        if place % 4 == 0 || place == at {
            let style = if place == at { theme.selected } else { theme.dim };
            draw_text(buffer, (x, area.y + high + 1), 4, &format!("{:.2}", cut.at), style);
        }
    }
}
