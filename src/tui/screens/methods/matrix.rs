//! The matrix of Dice: a cell for each two configurations, moved under the window where not all fit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Methods, PENDING};
use crate::report::numbers::count;
use crate::study::Evaluation;
use crate::tui::data::StudyData;
use crate::tui::theme::Theme;
use crate::tui::widgets::glyphs::{draw_text, width};
use crate::tui::widgets::names::{short, squeezed};
use crate::tui::widgets::table;

/// Columns of a cell: two decimals fit the narrowest; the widest that scrolls still has heads that can be read.
const NARROWEST: usize = 4;
const SCROLLED: usize = 6;
const WIDEST: usize = 12;

/// How the matrix is cut to the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grid {
    /// Columns of the screen for the names of the rows.
    name: u16,
    /// For one cell, without the gap in front of it.
    cell: u16,
    /// Cells that fit beside each other.
    pub(super) columns: usize,
}

impl Grid {
    /// For a screen of this width.
    pub(super) fn of(room: u16, names: &[String]) -> Self {
        let room = usize::from(room);
        let longest = names.iter().map(|name| width(name)).max().unwrap_or_default();
        let name = (longest + 1).min(room / 3);
        let head = names.iter().map(|name| width(short(name))).max().unwrap_or_default().clamp(NARROWEST, WIDEST);
        let all = (room - name) / names.len().max(1);
        let cell = if all > NARROWEST { head.min(all - 1) } else { head.min(SCROLLED) };
        let columns = ((room - name) / (cell + 1)).clamp(1, names.len().max(1));
        Self { name: name as u16, cell: cell as u16, columns }
    }
}

impl Methods {
    pub(super) fn draw_matrix(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, theme: &Theme) {
        let (names, order) = (data.table.configurations(), self.order(data));
        if area.height == 0 || order.is_empty() {
            return;
        }
        let grid = Grid::of(area.width, names);
        let (mut down, mut across) = (self.cursor, self.across);
        // The screen may have shrunk since the cursor moved.
        down.keep(order.len(), table::page(area));
        across.keep(order.len(), grid.columns);
        let columns = across.top..(across.top + grid.columns).min(order.len());
        let mark = |here: bool, style: Style| if here { theme.selected } else { style };
        let corner = hidden(columns.start, order.len() - columns.end);
        draw_text(buffer, (area.x + 1, area.y), grid.name.saturating_sub(1), &corner, theme.dim);
        let mut cell = |column: usize, y: u16, text: &str, style: Style| {
            let x = area.x + grid.name + (column - columns.start) as u16 * (grid.cell + 1) + 1;
            let room = grid.cell.min((area.x + area.width).saturating_sub(x));
            let pad = room.saturating_sub(width(text) as u16);
            draw_text(buffer, (x + pad, y), room - pad, text, style);
        };
        for column in columns.clone() {
            let head = squeezed(&names[order[column]], usize::from(grid.cell));
            cell(column, area.y, &head, mark(column == across.at, theme.title));
        }
        let rows = down.top..(down.top + table::page(area)).min(order.len());
        for (row, y) in rows.clone().zip(area.y + 1..) {
            for column in columns.clone() {
                let text = self.dice_of(order[row], order[column]);
                let style = if row == column { theme.dim } else { theme.text };
                cell(column, y, &text, mark((row, column) == (down.at, across.at), style));
            }
        }
        for (row, y) in rows.zip(area.y + 1..) {
            let style = mark(row == down.at, theme.text);
            draw_text(buffer, (area.x, y), grid.name, &format!(" {}", names[order[row]]), style);
        }
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

/// How many columns lie left and right of those shown.
fn hidden(left: usize, right: usize) -> String {
    match (left, right) {
        (0, 0) => String::new(),
        (0, right) => format!("{right} more ›"),
        (left, 0) => format!("‹ {left} more"),
        (left, right) => format!("‹ {left} · {right} ›"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize, like: &str) -> Vec<String> {
        (0..count).map(|n| format!("{like}{n}")).collect()
    }

    #[test]
    fn few_configurations_have_room_for_their_names() {
        let grid = Grid::of(80, &names(5, "sentences-"));
        assert_eq!(grid.columns, 5);
        assert_eq!(grid.cell, 11);
    }

    #[test]
    fn many_scroll_on_a_narrow_screen_and_fit_a_wide_one() {
        let names = names(30, "sentences-wo");
        let narrow = Grid::of(80, &names);
        assert!(narrow.columns < 30 && usize::from(narrow.cell) == SCROLLED);
        assert_eq!(Grid::of(200, &names).columns, 30);
    }

    #[test]
    fn the_grid_never_leaves_the_screen() {
        for count in [0, 1, 2, 5, 30, 64] {
            for like in ["s", "simhash-", "a-name-that-is-longer-than-all-others-of-its-kind-"] {
                for room in 60..=300 {
                    let grid = Grid::of(room, &names(count, like));
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
            let dice = crate::base::similarity::dice(common as u32, a as u32, b as u32);
            assert_eq!(apart(dice, a, b), (a - common, b - common));
        }
        assert_eq!(apart(0.0, 0, 0), (0, 0));
    }
}
