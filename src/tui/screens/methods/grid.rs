//! How the matrix of Dice is cut to the screen.

use crate::widgets::glyphs::width;
use crate::widgets::matrix::Grid;
use crate::widgets::names::short;

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
}
