//! A bar chart with a row for each configuration and a column for each category; all bars have the same scale.

use super::writer::{Anchor, Svg, WIDTH, text_width};
use crate::numbers::count;
use dejaview_study::Figure;

const ROW: f64 = 17.0;
const HEAD: f64 = 22.0;

pub fn draw(figure: &Figure) -> String {
    let name_width = figure.series.iter().map(|series| text_width(&series.name)).fold(60.0, f64::max) + 10.0;
    let columns = figure.categories.len().max(1) as f64;
    let cell = ((WIDTH - name_width) / columns).min(260.0);
    let number_width = text_width(&count(figure.highest())) + 4.0;
    let has_numbers = cell > number_width + 30.0;
    let longest_bar = if has_numbers { cell - number_width - 8.0 } else { cell - 4.0 };
    let highest = figure.highest().max(1) as f64;
    let mut svg = Svg::new(WIDTH, HEAD + ROW * figure.series.len() as f64 + 4.0);
    for (c, category) in figure.categories.iter().enumerate() {
        let x = name_width + c as f64 * cell;
        svg.text(
            (x, 14.0),
            Anchor::Start,
            "small",
            &if c == 0 { format!("{} {category}", figure.x) } else { category.clone() },
        );
        svg.path(&[(x, HEAD - 2.0), (x, HEAD + ROW * figure.series.len() as f64)], "axis");
    }
    for (r, series) in figure.series.iter().enumerate() {
        let y = HEAD + r as f64 * ROW;
        svg.text((name_width - 6.0, y + 12.0), Anchor::End, "label", &series.name);
        for (c, (category, bar)) in figure.categories.iter().zip(&series.bars).enumerate() {
            let x = name_width + c as f64 * cell;
            let length = bar.value as f64 / highest * longest_bar;
            let hint = format!("{}, {} {category}: {} {}", series.name, figure.x, count(bar.value), figure.y);
            svg.bar([x, y + 2.0, length, ROW - 4.0], "fill", &hint);
            if has_numbers {
                svg.text((x + length + 4.0, y + 12.0), Anchor::Start, "small", &count(bar.value));
            }
        }
    }
    svg.finish(&figure.title)
}
