//! The matrix of Dice: a cell for each two configurations, moved under the window where not all fit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::grid::grid;
use super::{Methods, PENDING};
use crate::data::StudyData;
use crate::theme::Theme;
use crate::widgets::matrix::Matrix;
use crate::widgets::names::squeezed;
use dejaview_report::numbers::count;
use dejaview_study::Evaluation;

impl Methods {
    pub(super) fn draw_matrix(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, theme: &Theme) {
        let (names, order) = (data.table.configurations(), self.order(data));
        let grid = grid(area.width, names);
        let rows: Vec<&str> = order.iter().map(|&c| names[c].as_str()).collect();
        let heads: Vec<String> = rows.iter().map(|name| squeezed(name, usize::from(grid.cell))).collect();
        let cell = |row: usize, column: usize| {
            let style = if row == column { theme.dim } else { theme.text };
            (self.dice_cell(order[row], order[column]), style)
        };
        let matrix = Matrix { rows: &rows, heads: &heads, cell: &cell };
        matrix.draw(buffer, area, grid, (self.cursor, self.across), theme);
    }

    fn dice_cell(&self, a: usize, b: usize) -> String {
        match self.evaluation() {
            _ if a == b => "·".to_owned(),
            Some(evaluation) => dice(evaluation, a, b).map_or(String::new(), |dice| format!("{dice:.2}")),
            None => PENDING.to_owned(),
        }
    }

    /// The cell under the cursor, for the line below.
    pub(super) fn cell_words(&self, (a, b): (usize, usize), data: &StudyData) -> String {
        let name = |c: usize| &data.table.configurations()[c];
        let Some(evaluation) = self.evaluation() else {
            return if a == b { name(a).clone() } else { format!("{} and {}", name(a), name(b)) };
        };
        let pairs = |c: usize| evaluation.comparison.configurations.get(c).map_or(0, |quality| quality.pairs);
        if a == b {
            return format!("{}: {} pairs", name(a), count(pairs(a)));
        }
        let dice = dice(evaluation, a, b).unwrap_or_default();
        let (first, second) = only_in_each(dice, pairs(a), pairs(b));
        format!("Dice {dice:.3} · {} only {} · {} only {}", count(first), name(a), count(second), name(b))
    }
}

fn dice(evaluation: &Evaluation, a: usize, b: usize) -> Option<f64> {
    evaluation.comparison.dice.get(a).and_then(|row| row.get(b)).copied()
}

/// Pairs that only one of two sets holds, from their Dice and sizes.
fn only_in_each(dice: f64, a: u64, b: u64) -> (u64, u64) {
    let common = (dice * (a + b) as f64 / 2.0).round() as u64;
    (a.saturating_sub(common), b.saturating_sub(common))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_only_one_follow_from_dice() {
        for (a, b, common) in [(10u64, 7, 5u64), (340, 172, 160), (1, 1, 0), (1_000_000, 3, 3), (5, 5, 5)] {
            let dice = dejaview_base::similarity::dice(common, a, b);
            assert_eq!(only_in_each(dice, a, b), (a - common, b - common));
        }
        assert_eq!(only_in_each(0.0, 0, 0), (0, 0));
    }
}
