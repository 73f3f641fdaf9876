//! The matrix of Dice: a cell for each two configurations, moved under the window where not all fit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Methods, PENDING};
use crate::data::StudyData;
use crate::theme::Theme;
use crate::widgets::glyphs::width;
use crate::widgets::matrix::{Grid, Matrix};
use crate::widgets::names::{short, squeezed};
use dejaview_report::numbers::count;
use dejaview_study::Evaluation;

/// Columns of a cell: two decimals fit the narrowest; the widest that scrolls still has heads that can be read.
const NARROWEST: usize = 4;
const SCROLLED: usize = 6;
const WIDEST: usize = 12;

/// How the matrix of these configurations is cut to a screen of this width.
pub(super) fn grid(room: u16, names: &[String]) -> Grid {
    let room = usize::from(room);
    let longest = names.iter().map(|name| width(name)).max().unwrap_or_default();
    let name = (longest + 1).min(room / 3);
    let head = names.iter().map(|name| width(short(name))).max().unwrap_or_default().clamp(NARROWEST, WIDEST);
    let all = (room - name) / names.len().max(1);
    let cell = if all > NARROWEST { head.min(all - 1) } else { head.min(SCROLLED) };
    let columns = ((room - name) / (cell + 1)).clamp(1, names.len().max(1));
    Grid { name: name as u16, cell: cell as u16, columns }
}

impl Methods {
    pub(super) fn draw_matrix(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, theme: &Theme) {
        let (names, order) = (data.table.configurations(), self.order(data));
        let grid = grid(area.width, names);
        let rows: Vec<&str> = order.iter().map(|&c| names[c].as_str()).collect();
        let heads: Vec<String> = rows.iter().map(|name| squeezed(name, usize::from(grid.cell))).collect();
        let cell = |row: usize, column: usize| {
            let style = if row == column { theme.dim } else { theme.text };
            (self.dice_of(order[row], order[column]), style)
        };
        let matrix = Matrix { rows: &rows, heads: &heads, cell: &cell };
        matrix.draw(buffer, area, grid, (self.cursor, self.across), theme);
    }

    fn dice_of(&self, a: usize, b: usize) -> String {
        match self.evaluation() {
            _ if a == b => "·".to_owned(),
            Some(evaluation) => dice(evaluation, a, b).map_or(String::new(), |dice| format!("{dice:.2}")),
            None => PENDING.to_owned(),
        }
    }

    /// The cell under the cursor, for the line below.
    pub(super) fn cell_in_words(&self, (a, b): (usize, usize), data: &StudyData) -> String {
        let name = |c: usize| &data.table.configurations()[c];
        let Some(evaluation) = self.evaluation() else {
            return if a == b { name(a).clone() } else { format!("{} and {}", name(a), name(b)) };
        };
        let pairs = |c: usize| evaluation.comparison.configurations.get(c).map_or(0, |quality| quality.pairs);
        if a == b {
            return format!("{}: {} pairs", name(a), count(pairs(a)));
        }
        let dice = dice(evaluation, a, b).unwrap_or_default();
        let (first, second) = apart(dice, pairs(a), pairs(b));
        format!("Dice {dice:.3} · {} only {} · {} only {}", count(first), name(a), count(second), name(b))
    }
}

fn dice(evaluation: &Evaluation, a: usize, b: usize) -> Option<f64> {
    evaluation.comparison.dice.get(a).and_then(|row| row.get(b)).copied()
}

/// Pairs that only one of two sets holds, from their Dice and sizes.
fn apart(dice: f64, a: u64, b: u64) -> (u64, u64) {
    let common = (dice * (a + b) as f64 / 2.0).round() as u64;
    (a.saturating_sub(common), b.saturating_sub(common))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize, like: &str) -> Vec<String> {
        (0..count).map(|n| format!("{like}{n}")).collect()
    }

    #[test]
    fn few_configurations_have_room_for_their_names() {
        let grid = grid(80, &names(5, "sentences-"));
        assert_eq!(grid.columns, 5);
        assert_eq!(grid.cell, 11);
    }

    #[test]
    fn many_scroll_on_a_narrow_screen_and_fit_a_wide_one() {
        let names = names(30, "sentences-wo");
        let narrow = grid(80, &names);
        assert!(narrow.columns < 30 && usize::from(narrow.cell) == SCROLLED);
        assert_eq!(grid(200, &names).columns, 30);
    }

    #[test]
    fn the_grid_never_leaves_the_screen() {
        for count in [0, 1, 2, 5, 30, 64] {
            for like in ["s", "simhash-", "a-name-that-is-longer-than-all-others-of-its-kind-"] {
                for room in 60..=300 {
                    let grid = grid(room, &names(count, like));
                    assert!(grid.columns >= 1);
                    assert!(
                        grid.name + grid.columns as u16 * (grid.cell + 1) <= room,
                        "{count} {like} {room}: {grid:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_apart_follows_from_dice() {
        for (a, b, common) in [(10u64, 7, 5u64), (340, 172, 160), (1, 1, 0), (1_000_000, 3, 3), (5, 5, 5)] {
            let dice = dejaview_base::similarity::dice(common, a, b);
            assert_eq!(apart(dice, a, b), (a - common, b - common));
        }
        assert_eq!(apart(0.0, 0, 0), (0, 0));
    }
}
