//! A matrix of shaded cells with named rows and columns.

use super::writer::{Anchor, Svg, WIDTH, text_width};

const ROW: f64 = 18.0;

#[derive(Debug, Clone)]
pub struct Cell {
    /// How dark, from 0 to 1.
    pub shade: f64,
    pub text: String,
    /// Shown when the pointer is on the cell.
    pub hint: String,
}

#[derive(Debug, Clone)]
pub struct Grid {
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    pub cells: Vec<Vec<Cell>>,
}

pub fn draw(grid: &Grid, title: &str) -> String {
    let longest = |names: &[String]| names.iter().map(|name| text_width(name)).fold(40.0, f64::max);
    let (left, top) = (longest(&grid.rows) + 10.0, longest(&grid.columns) * 0.78 + 16.0);
    let slant = longest(&grid.columns) * 0.66;
    let cell = ((WIDTH - left - slant) / grid.columns.len().max(1) as f64).clamp(20.0, 60.0);
    let width = (left + slant + cell * grid.columns.len() as f64).max(WIDTH);
    let mut svg = Svg::new(width, top + ROW * grid.rows.len() as f64 + 4.0);
    for (c, name) in grid.columns.iter().enumerate() {
        svg.slanted_text((left + (c as f64 + 0.55) * cell, top - 5.0), name);
    }
    for (r, (name, cells)) in grid.rows.iter().zip(&grid.cells).enumerate() {
        let y = top + r as f64 * ROW;
        svg.text((left - 6.0, y + 13.0), Anchor::End, "label", name);
        for (c, drawn) in cells.iter().enumerate() {
            let x = left + c as f64 * cell;
            svg.shaded_rect([x + 0.5, y + 0.5, cell - 1.0, ROW - 1.0], drawn.shade, &drawn.hint);
            let class = if drawn.text.chars().count() as f64 * 5.6 > cell { "cell tiny" } else { "cell" };
            svg.text((x + cell / 2.0, y + 13.0), Anchor::Middle, class, &drawn.text);
        }
    }
    svg.finish(title)
}
