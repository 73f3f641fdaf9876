//! Curves of shares against a number, with names at their ends and the title above.

use super::writer::{Anchor, Svg, WIDTH};
use crate::charts::curves::{Line, shortest};

const LEFT: f64 = 44.0;
const TOP: f64 = 36.0;
const PLOT_WIDTH: f64 = 620.0;
const PLOT_HEIGHT: f64 = 260.0;
/// Least distance between two names.
const NAME_HEIGHT: f64 = 13.0;
/// Most places of the axis that are named each.
const MOST_TICKS: usize = 21;
/// Length of the line before a name.
const SWATCH: f64 = 16.0;
/// How the style of the page tells curves apart: by colour, and in print by dashes.
const CLASSES: [&str; 8] = ["s0", "s1", "s2", "s3", "s4 dashed", "s5 dashed", "s6 dashed", "s7 dashed"];

/// Draws all curves over one axis; `x` says what it counts.
pub fn draw(lines: &[Line], x: &str, title: &str) -> String {
    let mut svg = Svg::new(WIDTH, TOP + PLOT_HEIGHT + 40.0);
    let xs = || lines.iter().flat_map(|line| &line.points).map(|point| point.0);
    let (low, high) = (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
    let width = if high > low { high - low } else { 1.0 };
    let place = |(at, share): (f64, f64)| (LEFT + (at - low) / width * PLOT_WIDTH, TOP + PLOT_HEIGHT * (1.0 - share));
    svg.text((LEFT, 14.0), Anchor::Start, "label", title);
    for fifth in 0..=5 {
        let share = f64::from(fifth) / 5.0;
        let y = TOP + PLOT_HEIGHT * (1.0 - share);
        svg.path(&[(LEFT, y), (LEFT + PLOT_WIDTH, y)], "axis");
        svg.text((LEFT - 6.0, y + 4.0), Anchor::End, "small", &format!("{share:.1}"));
    }
    let floor = TOP + PLOT_HEIGHT + 14.0;
    for at in ticks(xs()) {
        svg.text((place((at, 0.0)).0, floor), Anchor::Middle, "small", &shortest(at));
    }
    svg.text((LEFT + PLOT_WIDTH / 2.0, floor + 16.0), Anchor::Middle, "label", x);
    let mut ends = Vec::new();
    for (line, class) in lines.iter().zip(CLASSES.iter().cycle()) {
        let points: Vec<(f64, f64)> = line.points.iter().map(|point| place(*point)).collect();
        svg.path(&points, &format!("curve {class}"));
        for (point, (at, share)) in points.iter().zip(&line.points) {
            svg.dot(*point, &format!("fill {class}"), &format!("{}, {}: {share:.3}", line.name, shortest(*at)));
        }
        ends.extend(points.last().map(|end| (end.1, line.name.as_str(), class)));
    }
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let heights = apart(ends.iter().map(|end| end.0).collect());
    for (y, (_, name, class)) in heights.into_iter().zip(ends) {
        let start = LEFT + PLOT_WIDTH + 10.0;
        svg.path(&[(start, y), (start + SWATCH, y)], &format!("curve {class}"));
        svg.text((start + SWATCH + 6.0, y + 4.0), Anchor::Start, "small", name);
    }
    svg.finish(title)
}

/// The places of the axis that are named: all where there are few, else the first and the last.
fn ticks(xs: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = xs.collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    match &all[..] {
        [first, .., last] if all.len() > MOST_TICKS => vec![*first, *last],
        _ => all,
    }
}

/// Heights of names that are sorted, moved until there is room between them, inside the plot if they fit there.
fn apart(mut heights: Vec<f64>) -> Vec<f64> {
    let mut next = TOP;
    for height in &mut heights {
        *height = height.max(next);
        next = *height + NAME_HEIGHT;
    }
    let mut next = TOP + PLOT_HEIGHT;
    for height in heights.iter_mut().rev() {
        *height = height.min(next);
        next = *height - NAME_HEIGHT;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_have_names_and_hints() {
        let line = |name: &str, top: f64| Line { name: name.to_owned(), points: vec![(0.5, 0.2), (1.0, top)] };
        let svg = draw(&[line("a<b", 0.9), line("c", 0.9)], "cosine", "T");
        assert!(svg.contains("a&lt;b, 0.5: 0.200") && svg.contains(">cosine<"), "{svg}");
        assert_eq!(svg.matches("<polyline class=\"curve s0\"").count(), 2, "the curve and its sign before the name");
        assert_eq!(svg.matches("<polyline class=\"curve s1\"").count(), 2);
        assert!(svg.contains(">T</text>"), "{svg}");
        assert!(draw(&[], "x", "T").ends_with("</svg>"));
        assert!(svg.contains(">0.5</text>") && svg.contains(">1</text>"), "{svg}");
        assert_eq!(ticks([1.0, 0.5, 1.0].into_iter()), [0.5, 1.0]);
        assert_eq!(ticks((0..100).map(f64::from)), [0.0, 99.0]);
    }

    #[test]
    fn names_stay_apart_and_inside_the_plot() {
        let floor = TOP + PLOT_HEIGHT;
        for ends in [vec![floor; 8], vec![TOP; 8], vec![TOP, floor, floor], vec![TOP + 50.0, TOP + 51.0, floor]] {
            let heights = apart(ends.clone());
            assert!(heights.windows(2).all(|two| two[1] - two[0] >= NAME_HEIGHT - 1e-9), "{ends:?}: {heights:?}");
            assert!(heights.iter().all(|height| (TOP..=floor).contains(height)), "{ends:?}: {heights:?}");
        }
        assert_eq!(apart(vec![TOP + 50.0, floor]), [TOP + 50.0, floor], "who has room stays");
    }
}
