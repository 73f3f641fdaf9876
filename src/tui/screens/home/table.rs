//! The table of configurations on Home.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::draw::{Dashboard, estimate};
use super::overview::Precision;
use super::state::CONFIGURATIONS;
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::width;
use crate::widgets::meter;
use crate::widgets::table::{self, Column, Rows};
use dejaview_report::numbers::count;

/// Columns of a configuration's name, at most.
const NAME: u16 = 30;
/// Columns of a meter, at most, and of an interval, at least and at most.
const METER: u16 = 20;
const INTERVAL: (u16, u16) = (12, 40);

impl Dashboard<'_> {
    pub(super) fn draw_configurations(&self, buffer: &mut Buffer, area: Rect) {
        let focused = self.state.focus.is_on(CONFIGURATIONS);
        let page = usize::from(Frame::inside(area, self.size).height.saturating_sub(1));
        let (cursor, scroll) = self.scrolled(CONFIGURATIONS, self.order.len(), page);
        let differ = self.state.overview.as_ref().is_some_and(|overview| overview.different_samples);
        let legend = if differ { "precision by different samples, not comparable: see Methods" } else { "" };
        let frame = Frame {
            qualifier: "pairs found, judged documents found, precision by labels".to_owned(),
            legend: legend.to_owned(),
            right: format!("{} ▾", self.state.sort.name()),
            position: format!("{}/{}", cursor.at + 1, self.order.len()),
            focused,
            scroll,
            ..Frame::new("Configurations")
        };
        let Some(inside) = self.card(buffer, area, frame) else { return };
        let names = self.data.recipe.configurations.iter().map(|c| width(&c.name) as u16).max().unwrap_or(0);
        let widths = Widths::new(inside.width, names.clamp(13, NAME));
        let judged = self.data.judged_documents().map_or(0, |judged| judged.documents);
        let columns = [
            Column::left(" configuration", widths.name + 1),
            Column::right("pairs", 7),
            Column::left("", widths.pairs),
            Column::left(if judged > 0 { "judged found" } else { "found" }, 12),
            Column::left("", widths.found),
            Column::left("precision (labels)", 6 + widths.interval),
        ];
        let most = self.data.counts.iter().map(|(pairs, _)| *pairs).max().unwrap_or(0) as f64;
        let cells = |row: usize| {
            let c = self.order[row];
            let (pairs, found) = self.data.counts.get(c).copied().unwrap_or_default();
            let share = found as f64 / judged.max(1) as f64;
            let percent = if judged > 0 { format!("{:.0}%", 100.0 * share) } else { String::new() };
            let (precision, style) = self.precision_cell(c, widths.interval);
            vec![
                (format!(" {}", self.data.recipe.configurations[c].name), self.theme.text),
                (count(pairs), self.theme.text),
                (meter::meter(pairs as f64, most, widths.pairs), self.theme.heat(0.6)),
                (format!("{:>6} {percent:>4}", count(found)), self.theme.text),
                (meter::meter(share, 1.0, widths.found), self.theme.heat(0.9)),
                (precision, style),
            ]
        };
        let rows = Rows { cursor, len: self.order.len(), focused };
        table::draw(buffer, inside, &columns, rows, self.theme, cells);
    }

    fn precision_cell(&self, c: usize, interval: u16) -> (String, Style) {
        let name = &self.data.recipe.configurations[c].name;
        match self.state.precision(name) {
            Precision::NoLabels => ("no labels".to_owned(), self.theme.muted),
            Precision::Hidden => ("after your labels".to_owned(), self.theme.muted),
            Precision::Known(known) => {
                (format!("{:.2}  {}", known.value, meter::interval(Some(estimate(known)), interval)), self.theme.strong)
            }
        }
    }
}

/// How the table of configurations shares its columns: the interval comes first, then the meters.
struct Widths {
    name: u16,
    pairs: u16,
    found: u16,
    interval: u16,
}

impl Widths {
    fn new(columns: u16, name: u16) -> Self {
        // The name with its blank, pairs, found, the value, and a gap between each two columns.
        let fixed = name + 1 + 7 + 12 + 6 + 5;
        let rest = columns.saturating_sub(fixed);
        let interval = (rest / 2).clamp(INTERVAL.0, INTERVAL.1).min(rest);
        let meters = (rest - interval).min(2 * METER);
        Self { name, pairs: meters / 2, found: meters - meters / 2, interval }
    }
}
