//! Charts as SVG inside the HTML page: without scripts and fonts; colours come from the classes of the page's style.

mod bars;
mod lines;
mod matrix;
mod panels;
mod scatter;
mod writer;

pub use matrix::{Cell, Grid};
pub use scatter::ScatterPoint;
pub use writer::{Svg, escape};

use super::curves::Curves;
use crate::numbers::count;
use dejaview_study::{Figure, Kind};

pub fn figure(figure: &Figure) -> String {
    match figure.kind {
        Kind::Bars => bars::draw(figure),
        Kind::Histogram => panels::histograms(figure),
        Kind::Accumulated => panels::curves(figure),
        Kind::Matrix => matrix::draw(&cells(figure), &figure.title),
    }
}

pub fn grid(grid: &Grid, title: &str) -> String {
    matrix::draw(grid, title)
}

/// Precision against recall, with intervals.
pub fn scatter(spots: &[ScatterPoint], title: &str) -> String {
    scatter::draw(spots, title)
}

/// Shares against a number.
pub fn lines(curves: &Curves) -> String {
    lines::draw(&curves.lines, &curves.x, &curves.title)
}

fn cells(figure: &Figure) -> Grid {
    let highest = figure.highest().max(1) as f64;
    let cell = |row: &str, column: &str, value: u64| match row == column {
        true => Cell { shade: 0.0, text: "·".to_owned(), hint: String::new() },
        false => Cell {
            shade: value as f64 / highest,
            text: count(value),
            hint: format!("{row}, {} {column}: {}", figure.x, count(value)),
        },
    };
    let rows = figure.series.iter().map(|series| {
        let cells = figure.categories.iter().zip(&series.bars);
        cells.map(|(column, bar)| cell(&series.name, column, bar.value)).collect()
    });
    Grid {
        rows: figure.series.iter().map(|series| series.name.clone()).collect(),
        columns: figure.categories.clone(),
        cells: rows.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_base::interval::Interval;
    use dejaview_evaluation::figures::Forecast;
    use dejaview_study::{Bar, Extrapolation, Series};

    fn sample(kind: Kind) -> Figure {
        let bars = |s: u64| (0..4).map(|i| Bar { value: s * i, pairs: 0, filter: String::new() }).collect();
        let forecast = |segments: usize| Forecast {
            segments,
            value: segments as f64,
            interval: Interval::new(segments as f64, segments as f64 - 1.0, segments as f64 + 1.0),
        };
        let carried =
            || Extrapolation { linear: (4..8).map(forecast).collect(), saturating: (4..8).map(forecast).collect() };
        let series = |s: u64| Series {
            name: format!("c<{s}>"),
            bars: bars(s),
            extrapolation: (kind == Kind::Accumulated).then(carried),
        };
        Figure {
            name: "test",
            title: "A & B".to_owned(),
            kind,
            x: "segment".to_owned(),
            y: "pairs".to_owned(),
            categories: ["00", "01", "02", "03"].map(str::to_owned).to_vec(),
            series: (0..4).map(series).collect(),
            notes: Vec::new(),
        }
    }

    /// Every element that is opened is closed, in order; every bracket belongs to one.
    fn well_formed(svg: &str) {
        let mut open: Vec<&str> = Vec::new();
        for part in svg.split('<').skip(1) {
            let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("{part}"));
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "{svg}");
            } else if !tag.ends_with('/') {
                open.push(tag.split(' ').next().unwrap());
            }
        }
        assert!(open.is_empty(), "{open:?}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn every_chart_is_well_formed_and_escaped() {
        for kind in [Kind::Bars, Kind::Histogram, Kind::Accumulated, Kind::Matrix] {
            let drawn = figure(&sample(kind));
            well_formed(&drawn);
            assert!(drawn.contains("c&lt;3&gt;") && drawn.contains("A &amp; B"), "{drawn}");
            let mut empty = sample(kind);
            empty.series.clear();
            well_formed(&figure(&empty));
            empty.categories.clear();
            well_formed(&figure(&empty));
        }
        let spot =
            |x: f64| ScatterPoint { name: "a\"b".to_owned(), x: Interval::new(x, 0.0, 1.0), y: Interval::new(x, x, x) };
        well_formed(&scatter(&[spot(0.1), spot(0.1), ScatterPoint { name: "none".into(), x: None, y: None }], "P/R"));
    }
}
