//! A writer of SVG elements.

use std::fmt::Write as _;

use dejaview_text::printable;

/// Width of every chart, in units of the SVG.
pub const WIDTH: f64 = 900.0;

/// Approximate width of a text, in units of the SVG.
pub fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 6.4
}

#[derive(Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Text for HTML and SVG: markup is escaped, and characters that reorder or hide their surroundings are made visible.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Which part of a text is at the given position.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

impl Svg {
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    /// A rectangle, with a hint that is shown when the pointer is on it.
    pub fn bar(&mut self, [x, y, width, height]: [f64; 4], class: &str, hint: &str) {
        let hint = if hint.is_empty() { String::new() } else { format!("<title>{}</title>", escape(hint)) };
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\">{hint}</rect>",
            width.max(0.0),
            height.max(0.0)
        );
    }

    /// A rectangle whose opacity follows `shade`, from 0 to 1.
    pub fn shaded_rect(&mut self, [x, y, width, height]: [f64; 4], shade: f64, hint: &str) {
        let _ = write!(
            self.body,
            "<rect class=\"fill\" fill-opacity=\"{:.3}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"><title>{}</title></rect>",
            0.75 * shade.clamp(0.0, 1.0),
            escape(hint)
        );
    }

    /// A line through points; fewer than two draw nothing.
    pub fn path(&mut self, points: &[(f64, f64)], class: &str) {
        if points.len() < 2 {
            return;
        }
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = write!(self.body, "<polyline class=\"{class}\" points=\"{}\"/>", points.join(" "));
    }

    pub fn area(&mut self, points: &[(f64, f64)], class: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = write!(self.body, "<polygon class=\"{class}\" points=\"{}\"/>", points.join(" "));
    }

    pub fn dot(&mut self, (x, y): (f64, f64), class: &str, hint: &str) {
        let _ = write!(
            self.body,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"><title>{}</title></circle>",
            escape(hint)
        );
    }

    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{}\">{}</text>",
            anchor.name(),
            escape(text)
        );
    }

    pub fn slanted_text(&mut self, (x, y): (f64, f64), text: &str) {
        let _ = write!(
            self.body,
            "<text class=\"small\" transform=\"translate({x:.1} {y:.1}) rotate(-50)\">{}</text>",
            escape(text)
        );
    }

    /// The whole element; screen readers read `title`.
    pub fn finish(self, title: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {:.0}\" role=\"img\" aria-label=\"{}\">{}</svg>",
            self.width,
            self.height,
            escape(title),
            self.body
        )
    }
}
