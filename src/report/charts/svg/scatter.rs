//! A scatter plot of precision against recall, each with its interval, with names that do not cover each other.

use super::writer::{Anchor, Svg, WIDTH, text_width};
use dejaview_base::interval::Interval;

const LEFT: f64 = 44.0;
const SIDE: f64 = 480.0;
const TOP: f64 = 24.0;
/// Least distance between two names.
const NAME_HEIGHT: f64 = 13.0;

/// A configuration in the plane; not drawn where one of the two is unknown.
#[derive(Debug, Clone)]
pub struct ScatterPoint {
    pub name: String,
    /// Recall.
    pub x: Option<Interval>,
    /// Precision.
    pub y: Option<Interval>,
}

pub fn draw(spots: &[ScatterPoint], title: &str) -> String {
    let known: Vec<(&str, Interval, Interval)> =
        spots.iter().filter_map(|spot| Some((spot.name.as_str(), spot.x?, spot.y?))).collect();
    let mut svg = Svg::new(WIDTH, TOP + SIDE + 40.0);
    draw_axes(&mut svg);
    for (name, x, y) in &known {
        svg.path(&[place(x.low, y.value), place(x.high, y.value)], "whisker");
        svg.path(&[place(x.value, y.low), place(x.value, y.high)], "whisker");
        let hint = format!(
            "{name}: precision {:.3} ({:.3}–{:.3}), recall {:.3} ({:.3}–{:.3})",
            y.value, y.low, y.high, x.value, x.low, x.high
        );
        svg.dot(place(x.value, y.value), "fill", &hint);
    }
    draw_names(&mut svg, &known);
    svg.finish(title)
}

fn place(x: f64, y: f64) -> (f64, f64) {
    (LEFT + SIDE * x, TOP + SIDE * (1.0 - y))
}

fn draw_axes(svg: &mut Svg) {
    for tenth in (0..=10).step_by(2) {
        let value = f64::from(tenth) / 10.0;
        let (x, y) = place(value, value);
        svg.path(&[(x, TOP), (x, TOP + SIDE)], "axis");
        svg.path(&[(LEFT, y), (LEFT + SIDE, y)], "axis");
        svg.text((x, TOP + SIDE + 14.0), Anchor::Middle, "small", &format!("{value:.1}"));
        svg.text((LEFT - 6.0, y + 4.0), Anchor::End, "small", &format!("{value:.1}"));
    }
    svg.text((LEFT + SIDE / 2.0, TOP + SIDE + 32.0), Anchor::Middle, "label", "recall");
    svg.text((4.0, TOP - 12.0), Anchor::Start, "label", "precision");
}

/// Writes all names in a column at the right, in the vertical order of their points, with a line to each.
fn draw_names(svg: &mut Svg, known: &[(&str, Interval, Interval)]) {
    let mut sorted: Vec<_> = known.iter().collect();
    sorted.sort_by(|a, b| b.2.value.total_cmp(&a.2.value).then(b.1.value.total_cmp(&a.1.value)));
    let x = LEFT + SIDE + 60.0;
    let widest = sorted.iter().map(|(name, ..)| text_width(name)).fold(0.0, f64::max);
    let mut next = TOP + 4.0;
    for (i, (name, recall, precision)) in sorted.iter().enumerate() {
        let point = place(recall.value, precision.value);
        // As near to the point's height as the names above and below leave room.
        let left_below = (sorted.len() - 1 - i) as f64 * NAME_HEIGHT;
        let y = point.1.max(next).min((TOP + SIDE - left_below).max(next));
        next = y + NAME_HEIGHT;
        svg.path(&[(point.0 + 4.0, point.1), (x - 6.0, y)], "leader");
        svg.text((x, y + 4.0), Anchor::Start, "label", name);
        svg.text(
            (x + widest + 10.0, y + 4.0),
            Anchor::Start,
            "small",
            &format!("P {:.3} · R {:.3}", precision.value, recall.value),
        );
    }
}
