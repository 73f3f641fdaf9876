//! Small charts side by side, one for each configuration, each with its own scale.

use super::writer::{Anchor, Svg, WIDTH};
use crate::numbers::count;
use dejaview_evaluation::figures::Forecast;
use dejaview_study::{Figure, Series};

const COLUMNS: usize = 4;
const PANEL_WIDTH: f64 = 215.0;
const PANEL_HEIGHT: f64 = 104.0;
/// Offset of the plot inside its panel.
const LEFT: f64 = 34.0;
const TOP: f64 = 20.0;
const PLOT_WIDTH: f64 = 172.0;
const PLOT_HEIGHT: f64 = 62.0;

/// Upper left corner of a panel.
fn corner(i: usize, above: f64) -> (f64, f64) {
    let between = (WIDTH - COLUMNS as f64 * PANEL_WIDTH) / (COLUMNS - 1) as f64;
    ((i % COLUMNS) as f64 * (PANEL_WIDTH + between), above + (i / COLUMNS) as f64 * PANEL_HEIGHT)
}

fn height(panels: usize, above: f64) -> f64 {
    above + panels.div_ceil(COLUMNS) as f64 * PANEL_HEIGHT
}

/// Draws the name of a panel, the number at the top of its scale, and its axes with their ends.
fn frame(svg: &mut Svg, (x, y): (f64, f64), name: &str, top: &str, ends: [&str; 2]) {
    svg.text((x, y + 12.0), Anchor::Start, "label", name);
    svg.text((x + LEFT - 4.0, y + TOP + 8.0), Anchor::End, "small", top);
    let floor = y + TOP + PLOT_HEIGHT;
    svg.path(&[(x + LEFT, y + TOP), (x + LEFT, floor), (x + LEFT + PLOT_WIDTH, floor)], "axis");
    svg.text((x + LEFT, floor + 12.0), Anchor::Start, "small", ends[0]);
    svg.text((x + LEFT + PLOT_WIDTH, floor + 12.0), Anchor::End, "small", ends[1]);
}

pub fn histograms(figure: &Figure) -> String {
    let mut svg = Svg::new(WIDTH, height(figure.series.len(), 0.0).max(PANEL_HEIGHT));
    let ends = [figure.categories.first(), figure.categories.last()].map(|c| c.map_or("", String::as_str));
    for (i, series) in figure.series.iter().enumerate() {
        let (x, y) = corner(i, 0.0);
        let highest = series.bars.iter().map(|bar| bar.value).max().unwrap_or_default();
        let sum: u64 = series.bars.iter().map(|bar| bar.value).sum();
        frame(&mut svg, (x, y), &format!("{} · {}", series.name, count(sum)), &count(highest), ends);
        let step = PLOT_WIDTH / series.bars.len().max(1) as f64;
        for (b, (category, bar)) in figure.categories.iter().zip(&series.bars).enumerate() {
            let height = bar.value as f64 / highest.max(1) as f64 * PLOT_HEIGHT;
            let height = if bar.value > 0 { height.max(1.0) } else { 0.0 };
            let hint = format!("{}, {} {category}: {} {}", series.name, figure.x, count(bar.value), figure.y);
            svg.bar(
                [x + LEFT + b as f64 * step + 1.0, y + TOP + PLOT_HEIGHT - height, step - 2.0, height],
                "fill",
                &hint,
            );
        }
    }
    svg.finish(&figure.title)
}

/// An accumulated curve for each series, and its forecasts for more segments.
pub fn curves(figure: &Figure) -> String {
    let legend_height = 20.0;
    let mut svg = Svg::new(WIDTH, height(figure.series.len(), legend_height).max(PANEL_HEIGHT));
    svg.path(&[(0.0, 9.0), (24.0, 9.0)], "curve");
    svg.text((30.0, 13.0), Anchor::Start, "small", "read");
    svg.path(&[(80.0, 9.0), (104.0, 9.0)], "curve dashed");
    svg.text((110.0, 13.0), Anchor::Start, "small", "saturating, with its 95 % interval");
    svg.path(&[(330.0, 9.0), (354.0, 9.0)], "curve dotted");
    svg.text((360.0, 13.0), Anchor::Start, "small", "linear, as in the study");
    for (i, series) in figure.series.iter().enumerate() {
        curve(&mut svg, corner(i, legend_height), series, &figure.x);
    }
    svg.finish(&figure.title)
}

fn lower_end(forecast: &Forecast) -> f64 {
    forecast.interval.map_or(forecast.value, |interval| interval.low)
}

fn upper_end(forecast: &Forecast) -> f64 {
    forecast.interval.map_or(forecast.value, |interval| interval.high)
}

fn curve(svg: &mut Svg, (x, y): (f64, f64), series: &Series, unit: &str) {
    let none: &[Forecast] = &[];
    let (linear, saturating) =
        series.extrapolation.as_ref().map_or((none, none), |e| (&e.linear[..], &e.saturating[..]));
    let last =
        linear.iter().chain(saturating).map(|forecast| forecast.segments).max().unwrap_or(series.bars.len()).max(2);
    let tops = saturating.iter().map(upper_end).chain(linear.iter().map(|forecast| forecast.value));
    let read = series.bars.last().map_or(0, |bar| bar.value);
    let highest = tops.fold(read as f64, f64::max).max(1.0);
    let place = |segments: f64, value: f64| {
        let across = (segments - 1.0) / (last - 1) as f64 * PLOT_WIDTH;
        (x + LEFT + across, y + TOP + PLOT_HEIGHT * (1.0 - value / highest))
    };
    let ends = ["1".to_owned(), format!("{last} {unit}").replace(" segments read", " segments")];
    frame(
        svg,
        (x, y),
        &format!("{} · {}", series.name, count(read)),
        &count(highest.round() as u64),
        [&ends[0], &ends[1]],
    );
    let lows = saturating.iter().map(|forecast| place(forecast.segments as f64, lower_end(forecast)));
    let highs = saturating.iter().rev().map(|forecast| place(forecast.segments as f64, upper_end(forecast)));
    let outline: Vec<(f64, f64)> = lows.chain(highs).collect();
    if outline.len() > 2 {
        svg.area(&outline, "band");
    }
    let line = |forecasts: &[Forecast]| -> Vec<(f64, f64)> {
        forecasts.iter().map(|forecast| place(forecast.segments as f64, forecast.value)).collect()
    };
    svg.path(&line(saturating), "curve dashed");
    svg.path(&line(linear), "curve dotted");
    let points: Vec<(f64, f64)> =
        series.bars.iter().enumerate().map(|(i, bar)| place((i + 1) as f64, bar.value as f64)).collect();
    svg.path(&points, "curve");
    for (point, bar) in points.iter().zip(&series.bars) {
        svg.dot(*point, "fill", &format!("{}: {}", series.name, count(bar.value)));
    }
}
