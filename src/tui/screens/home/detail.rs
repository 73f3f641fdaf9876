//! The configuration under the cursor: what it does, how its pairs spread, and who else found them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::Dashboard;
use super::state::CONFIGURATIONS;
use crate::screens::figures::Figures;
use crate::screens::methods::Methods;
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::width;
use crate::widgets::meter;
use crate::widgets::paragraph::wrapped;
use crate::widgets::pieces::Piece;
use crate::widgets::size::{split_columns, split_lines};
use dejaview_report::numbers::count;

impl Dashboard<'_> {
    /// Draws what the configuration under the cursor does, and how its pairs spread.
    pub(super) fn draw_detail(&self, buffer: &mut Buffer, area: Rect) {
        let Some(&c) = self.order.get(self.state.cursors[CONFIGURATIONS].at.min(self.order.len().saturating_sub(1)))
        else {
            return;
        };
        let configuration = &self.data.recipe.configurations[c];
        let Some(inside) = self.card(buffer, area, Frame::new(&configuration.name)) else { return };
        let columns = usize::from(inside.width.saturating_sub(2)).max(1);
        let mut lines: Vec<Vec<Piece>> = wrapped(configuration.algorithm().about, columns)
            .into_iter()
            .map(|line| vec![(line, self.theme.text)])
            .collect();
        lines.push(Vec::new());
        let above = (lines.len() as u16).min(inside.height);
        self.draw_lines(buffer, inside, &lines);
        let [_, below] = split_lines(inside, above);
        let [left, right] = split_columns(below, below.width / 2);
        self.draw_lines(buffer, left, &self.spread_lines(&configuration.name, left.width));
        self.draw_lines(buffer, right, &self.also_found_by(c, right));
    }

    /// The pairs of a configuration by their Jaccard and by segment.
    fn spread_lines(&self, configuration: &str, columns: u16) -> Vec<Vec<Piece>> {
        let mut lines = Vec::new();
        let figures = self.screens.get::<Figures>();
        for (figure, title) in [("jaccard", "Jaccard of its pairs"), ("pairs", "Pairs per segment")] {
            let Some(figure) = figures.named(figure) else { continue };
            let Some(series) = figure.series.iter().find(|series| series.name == configuration) else { continue };
            lines.push(vec![(title.to_owned(), self.theme.muted)]);
            let most = series.bars.iter().map(|bar| bar.value).max().unwrap_or(0) as f64;
            let names = figure.categories.iter().map(|name| width(name)).max().unwrap_or(0);
            let cells = columns.saturating_sub(names as u16 + 12).min(60);
            lines.extend(figure.categories.iter().zip(&series.bars).map(|(name, bar)| {
                vec![
                    (format!("{name:<names$}  "), self.theme.muted),
                    (meter::meter(bar.value as f64, most, cells), self.theme.heat(0.9)),
                    (format!(" {}", count(bar.value)), self.theme.text),
                ]
            }));
            lines.push(Vec::new());
        }
        lines
    }

    /// How many of the pairs of a configuration each other one found, too, the most first.
    fn also_found_by(&self, c: usize, area: Rect) -> Vec<Vec<Piece>> {
        let methods = self.screens.get::<Methods>();
        let configurations = &self.data.recipe.configurations;
        let mut others: Vec<(u64, &str)> = (0..configurations.len())
            .filter(|&other| other != c)
            .filter_map(|other| {
                Some((methods.found_by_both(c, other, self.data)?, configurations[other].name.as_str()))
            })
            .collect();
        others.sort_by_key(|(both, _)| std::cmp::Reverse(*both));
        others.truncate(usize::from(area.height).saturating_sub(1));
        if others.is_empty() {
            return Vec::new();
        }
        let names = others.iter().map(|(_, name)| width(name)).max().unwrap_or(0);
        let (pairs, _) = self.data.counts.get(c).copied().unwrap_or_default();
        let cells = area.width.saturating_sub(names as u16 + 12).min(40);
        let mut lines = vec![vec![("Found also by".to_owned(), self.theme.muted)]];
        lines.extend(others.into_iter().map(|(both, name)| {
            vec![
                (format!("{name:<names$} "), self.theme.text),
                (format!("{:>7} ", count(both)), self.theme.text),
                (meter::meter(both as f64, pairs as f64, cells), self.theme.heat(0.9)),
            ]
        }));
        lines
    }
}
