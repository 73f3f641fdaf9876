//! Curves of shares against a number, with names at their ends.

use super::writer::{Anchor, Svg, WIDTH};
use crate::charts::curves::{Line, shortest};

const LEFT: f64 = 44.0;
const TOP: f64 = 24.0;
const PLOT_WIDTH: f64 = 620.0;
const PLOT_HEIGHT: f64 = 260.0;
/// Least distance between two names.
const NAME_HEIGHT: f64 = 13.0;

/// Draws all curves over one axis; `x` says what it counts.
pub fn draw(lines: &[Line], x: &str, title: &str) -> String {
    let mut svg = Svg::new(WIDTH, TOP + PLOT_HEIGHT + 40.0);
    let xs = || lines.iter().flat_map(|line| &line.points).map(|point| point.0);
    let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
    let width = if high > low { high - low } else { 1.0 };
    let place = |(at, share): (f64, f64)| (LEFT + (at - low) / width * PLOT_WIDTH, TOP + PLOT_HEIGHT * (1.0 - share));
    for fifth in 0..=5 {
        let share = f64::from(fifth) / 5.0;
        let y = TOP + PLOT_HEIGHT * (1.0 - share);
        svg.path(&[(LEFT, y), (LEFT + PLOT_WIDTH, y)], "axis");
        svg.text((LEFT - 6.0, y + 4.0), Anchor::End, "small", &format!("{share:.1}"));
    }
    let floor = TOP + PLOT_HEIGHT + 14.0;
    if high >= low {
        svg.text((LEFT, floor), Anchor::Start, "small", &shortest(low));
        svg.text((LEFT + PLOT_WIDTH, floor), Anchor::End, "small", &shortest(high));
    }
    svg.text((LEFT + PLOT_WIDTH / 2.0, floor + 16.0), Anchor::Middle, "label", x);
    let mut ends = Vec::new();
    for line in lines {
        let points: Vec<(f64, f64)> = line.points.iter().map(|point| place(*point)).collect();
        svg.path(&points, "curve");
        for (point, (at, share)) in points.iter().zip(&line.points) {
            svg.dot(*point, "fill", &format!("{}, {}: {share:.3}", line.name, shortest(*at)));
        }
        ends.extend(points.last().map(|end| (end.1, line.name.as_str())));
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut next = TOP;
    for (y, name) in ends {
        let y = y.max(next);
        svg.text((LEFT + PLOT_WIDTH + 10.0, y + 4.0), Anchor::Start, "small", name);
        next = y + NAME_HEIGHT;
    }
    svg.finish(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_have_names_and_hints() {
        let line = |name: &str, top: f64| Line { name: name.to_owned(), points: vec![(0.5, 0.2), (1.0, top)] };
        let svg = draw(&[line("a<b", 0.9), line("c", 0.9)], "cosine", "T");
        assert!(svg.contains("a&lt;b, 0.5: 0.200") && svg.contains(">cosine<"), "{svg}");
        assert_eq!(svg.matches("<polyline class=\"curve\"").count(), 2);
        assert!(draw(&[], "x", "T").ends_with("</svg>"));
    }
}
