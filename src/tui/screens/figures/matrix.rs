//! A figure with a number for each row and column.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::width;
use crate::widgets::matrix::{Grid, Matrix};
use dejaview_report::numbers::count;
use dejaview_study::Figure;

/// How the matrix of a figure is cut to an area.
pub(super) fn grid(area: Rect, figure: &Figure) -> Grid {
    let numbers = figure.series.iter().flat_map(|series| &series.bars).map(|bar| width(&count(bar.value)));
    Grid::new(area, &rows(figure), &heads(figure), numbers.max().unwrap_or(1) as u16)
}

fn rows(figure: &Figure) -> Vec<&str> {
    figure.series.iter().map(|series| series.name.as_str()).collect()
}

/// Of a range the lower end: the next column says the upper one.
fn heads(figure: &Figure) -> Vec<&str> {
    figure.categories.iter().map(|category| category.split('–').next().unwrap_or(category)).collect()
}

/// Draws numbers in the colours of their share of the highest one.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, figure: &Figure, at: (Cursor, Cursor), theme: &Theme) {
    let highest = figure.highest().max(1) as f64;
    let cell = |row: usize, column: usize| {
        let value = figure.series[row].bars.get(column).map_or(0, |bar| bar.value);
        match value {
            0 if figure.categories[column] == figure.series[row].name => ("–".to_owned(), theme.faint),
            0 => ("·".to_owned(), theme.faint),
            // Counts spread over orders of magnitude.
            value => (count(value), theme.heat((value as f64).ln_1p() / highest.ln_1p())),
        }
    };
    let (rows, heads) = (rows(figure), heads(figure));
    Matrix { rows: &rows, heads: &heads, cell: &cell }.draw(buffer, area, grid(area, figure), at, theme);
}
