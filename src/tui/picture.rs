//! A screen as an SVG picture: text in a fixed grid, readable in light and dark.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// Size of a cell in the picture.
const CELL: (usize, usize) = (8, 17);

/// Draws a buffer.
pub fn svg(buffer: &Buffer) -> String {
    let area = buffer.area();
    let (width, height) = (usize::from(area.width) * CELL.0 + 16, usize::from(area.height) * CELL.1 + 16);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#1c1f26\"/>\n\
         <g font-family=\"ui-monospace,Menlo,Consolas,monospace\" font-size=\"13\" xml:space=\"preserve\">\n"
    );
    let columns = usize::from(area.width).max(1);
    for (y, row) in buffer.content().chunks(columns).enumerate() {
        let mut x = 0;
        while x < row.len() {
            let end = (x..row.len()).find(|&i| !alike(&row[i], &row[x])).unwrap_or(row.len());
            run(&mut out, (x, y), &row[x..end]);
            x = end;
        }
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn alike(a: &Cell, b: &Cell) -> bool {
    (a.fg, a.modifier) == (b.fg, b.modifier)
}

/// One stretch of cells in one style.
fn run(out: &mut String, (x, y): (usize, usize), cells: &[Cell]) {
    let text: String = cells.iter().map(Cell::symbol).collect();
    let modifier = cells[0].modifier;
    let reversed = modifier.contains(Modifier::REVERSED);
    if text.trim().is_empty() && !reversed {
        return;
    }
    let (left, top, wide) = (8 + x * CELL.0, 8 + y * CELL.1, cells.len() * CELL.0);
    let colour = colour(cells[0].fg, modifier.contains(Modifier::DIM));
    let (ink, paper) = if reversed { ("#1c1f26", Some(colour)) } else { (colour, None) };
    if let Some(paper) = paper {
        out.push_str(&format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{}\" fill=\"{paper}\"/>\n",
            CELL.1
        ));
    }
    let bold = if modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let line = if modifier.contains(Modifier::UNDERLINED) { " text-decoration=\"underline\"" } else { "" };
    out.push_str(&format!(
        "<text x=\"{left}\" y=\"{}\" fill=\"{ink}\" textLength=\"{wide}\"{bold}{line}>{}</text>\n",
        top + 13,
        escaped(&text)
    ));
}

fn colour(colour: Color, dim: bool) -> &'static str {
    match colour {
        Color::Cyan | Color::LightCyan => "#56b6c2",
        Color::Blue | Color::LightBlue => "#61afef",
        Color::Magenta => "#d19a66",
        Color::Red | Color::LightYellow => "#e5c07b",
        Color::Green | Color::LightGreen => "#98c379",
        _ if dim => "#7f8694",
        _ => "#d7dae0",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
