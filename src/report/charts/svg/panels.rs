//! Small charts side by side, one a configuration, each with its own scale and the number at its top.

use super::writer::{Anchor, Svg, WIDTH};
use crate::numbers::count;
use dejaview_evaluation::figures::Forecast;
use dejaview_study::{Figure, Series};

const COLUMNS: usize = 4;
const WIDE: f64 = 215.0;
const HIGH: f64 = 104.0;
/// The part of a panel that is drawn on.
const LEFT: f64 = 34.0;
const TOP: f64 = 20.0;
const ROOM: (f64, f64) = (172.0, 62.0);

/// The corner of a panel.
fn corner(i: usize, above: f64) -> (f64, f64) {
    let between = (WIDTH - COLUMNS as f64 * WIDE) / (COLUMNS - 1) as f64;
    ((i % COLUMNS) as f64 * (WIDE + between), above + (i / COLUMNS) as f64 * HIGH)
}

fn height(panels: usize, above: f64) -> f64 {
    above + panels.div_ceil(COLUMNS) as f64 * HIGH
}

/// Name, number at the top, and the axis below.
fn frame(svg: &mut Svg, (x, y): (f64, f64), name: &str, top: &str, ends: [&str; 2]) {
    svg.text((x, y + 12.0), Anchor::Start, "label", name);
    svg.text((x + LEFT - 4.0, y + TOP + 8.0), Anchor::End, "small", top);
    let floor = y + TOP + ROOM.1;
    svg.path(&[(x + LEFT, y + TOP), (x + LEFT, floor), (x + LEFT + ROOM.0, floor)], "axis");
    svg.text((x + LEFT, floor + 12.0), Anchor::Start, "small", ends[0]);
    svg.text((x + LEFT + ROOM.0, floor + 12.0), Anchor::End, "small", ends[1]);
}

/// A histogram for each series.
pub fn histograms(figure: &Figure) -> String {
    let mut svg = Svg::new(WIDTH, height(figure.series.len(), 0.0).max(HIGH));
    let ends = [figure.categories.first(), figure.categories.last()].map(|c| c.map_or("", String::as_str));
    for (i, series) in figure.series.iter().enumerate() {
        let (x, y) = corner(i, 0.0);
        let highest = series.bars.iter().map(|bar| bar.value).max().unwrap_or_default();
        let sum: u64 = series.bars.iter().map(|bar| bar.value).sum();
        frame(&mut svg, (x, y), &format!("{} · {}", series.name, count(sum)), &count(highest), ends);
        let step = ROOM.0 / series.bars.len().max(1) as f64;
        for (b, (category, bar)) in figure.categories.iter().zip(&series.bars).enumerate() {
            let tall = bar.value as f64 / highest.max(1) as f64 * ROOM.1;
            let tall = if bar.value > 0 { tall.max(1.0) } else { 0.0 };
            let hint = format!("{}, {} {category}: {} {}", series.name, figure.x, count(bar.value), figure.y);
            svg.bar([x + LEFT + b as f64 * step + 1.0, y + TOP + ROOM.1 - tall, step - 2.0, tall], "fill", &hint);
        }
    }
    svg.finish(&figure.title)
}

/// An accumulated curve for each series, with where it goes.
pub fn curves(figure: &Figure) -> String {
    let legend = 20.0;
    let mut svg = Svg::new(WIDTH, height(figure.series.len(), legend).max(HIGH));
    svg.path(&[(0.0, 9.0), (24.0, 9.0)], "curve");
    svg.text((30.0, 13.0), Anchor::Start, "small", "read");
    svg.path(&[(80.0, 9.0), (104.0, 9.0)], "curve dashed");
    svg.text((110.0, 13.0), Anchor::Start, "small", "saturating, with its 95 % interval");
    svg.path(&[(330.0, 9.0), (354.0, 9.0)], "curve dotted");
    svg.text((360.0, 13.0), Anchor::Start, "small", "linear, as in the study");
    for (i, series) in figure.series.iter().enumerate() {
        curve(&mut svg, corner(i, legend), series, &figure.x);
    }
    svg.finish(&figure.title)
}

fn curve(svg: &mut Svg, (x, y): (f64, f64), series: &Series, unit: &str) {
    let none: &[Forecast] = &[];
    let (line, bent) = series.extrapolation.as_ref().map_or((none, none), |e| (&e.linear[..], &e.saturating[..]));
    let last = line.iter().chain(bent).map(|f| f.segments).max().unwrap_or(series.bars.len()).max(2);
    let tops = bent.iter().map(|f| f.interval.map_or(f.value, |i| i.high)).chain(line.iter().map(|f| f.value));
    let read = series.bars.last().map_or(0, |bar| bar.value);
    let highest = tops.fold(read as f64, f64::max).max(1.0);
    let place = |segments: f64, value: f64| {
        let across = (segments - 1.0) / (last - 1) as f64 * ROOM.0;
        (x + LEFT + across, y + TOP + ROOM.1 * (1.0 - value / highest))
    };
    let ends = ["1".to_owned(), format!("{last} {unit}").replace(" segments read", " segments")];
    frame(
        svg,
        (x, y),
        &format!("{} · {}", series.name, count(read)),
        &count(highest.round() as u64),
        [&ends[0], &ends[1]],
    );
    let band = |end: fn(&Forecast) -> f64| bent.iter().map(move |f| (f.segments as f64, end(f)));
    let lows = band(|f| f.interval.map_or(f.value, |i| i.low));
    let highs = band(|f| f.interval.map_or(f.value, |i| i.high));
    let outline: Vec<(f64, f64)> =
        lows.chain(highs.collect::<Vec<_>>().into_iter().rev()).map(|(s, v)| place(s, v)).collect();
    if outline.len() > 2 {
        svg.area(&outline, "band");
    }
    let along = |forecasts: &[Forecast]| -> Vec<(f64, f64)> {
        forecasts.iter().map(|f| place(f.segments as f64, f.value)).collect()
    };
    svg.path(&along(bent), "curve dashed");
    svg.path(&along(line), "curve dotted");
    let points: Vec<(f64, f64)> =
        series.bars.iter().enumerate().map(|(i, bar)| place((i + 1) as f64, bar.value as f64)).collect();
    svg.path(&points, "curve");
    for (point, bar) in points.iter().zip(&series.bars) {
        svg.dot(*point, "fill", &format!("{}: {}", series.name, count(bar.value)));
    }
}
