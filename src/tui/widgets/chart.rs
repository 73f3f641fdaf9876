//! Charts made of characters: a histogram with a cursor, and sparklines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::glyphs::{draw_text, width};
use crate::theme::Theme;
use dejaview_report::numbers::count;

/// A cell filled from below, by eighths.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub label: String,
    pub value: f64,
    /// False for a forecast, which is drawn lightly.
    pub counted: bool,
}

/// Draws columns as high as the area allows, the one at `at` marked. Where not all fit, those around it are shown.
pub fn columns(buffer: &mut Buffer, area: Rect, bars: &[Bar], at: usize, theme: &Theme) {
    let highest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max).max(1.0);
    let axis = width(&number(highest)) as u16 + 1;
    if area.height < 4 || area.width < axis + 4 || bars.is_empty() {
        return;
    }
    let plot = Rect { x: area.x + axis + 1, y: area.y + 1, width: area.width - axis - 1, height: area.height - 3 };
    draw_axis(buffer, area, plot, highest, theme);
    let slots = Slots::new(plot.width, bars.len(), at);
    for (place, bar) in bars.iter().enumerate().skip(slots.first).take(slots.count) {
        let x = plot.x + (place - slots.first) as u16 * slots.wide;
        let style = if place == at { theme.key } else { theme.text };
        draw_bar(
            buffer,
            Rect { x, width: slots.bar(), ..plot },
            bar,
            highest,
            if bar.counted { style } else { theme.dim },
        );
        let top = plot.y + plot.height - (bar.value / highest * f64::from(plot.height)).ceil() as u16;
        let text = number(bar.value);
        if width(&text) < usize::from(slots.wide) && bar.value > 0.0 {
            draw_text(buffer, (x, top - 1), slots.wide, &text, if place == at { theme.key } else { theme.dim });
        }
        let label = short_label(&bar.label, usize::from(slots.wide.saturating_sub(1).max(1)));
        let style = if place == at { theme.selected } else { theme.dim };
        draw_text(buffer, (x, plot.y + plot.height + 1), slots.wide, &label, style);
    }
}

/// How columns share the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slots {
    wide: u16,
    first: usize,
    count: usize,
}

impl Slots {
    fn new(room: u16, bars: usize, at: usize) -> Self {
        let wide = (room / bars.clamp(1, usize::from(u16::MAX)) as u16).clamp(2, 12);
        let count = usize::from(room / wide).clamp(1, bars.max(1));
        let first = at.saturating_sub(count / 2).min(bars.saturating_sub(count));
        Self { wide, first, count }
    }

    /// Columns of a bar: all but a gap.
    fn bar(self) -> u16 {
        if self.wide > 4 { self.wide - 2 } else { self.wide - 1 }
    }
}

fn draw_axis(buffer: &mut Buffer, area: Rect, plot: Rect, highest: f64, theme: &Theme) {
    let mut tick = |value: f64, y: u16| {
        let text = number(value);
        let x = plot.x.saturating_sub(width(&text) as u16 + 1);
        draw_text(buffer, (x, y), width(&text) as u16, &text, theme.dim);
    };
    tick(highest, plot.y);
    if plot.height > 6 {
        tick(highest / 2.0, plot.y + plot.height / 2);
    }
    tick(0.0, plot.y + plot.height);
    for y in plot.y..plot.y + plot.height {
        draw_text(buffer, (plot.x - 1, y), 1, "│", theme.dim);
    }
    let line = format!("└{}", "─".repeat(usize::from(plot.width)));
    draw_text(buffer, (plot.x - 1, plot.y + plot.height), area.width, &line, theme.dim);
}

fn draw_bar(buffer: &mut Buffer, area: Rect, bar: &Bar, highest: f64, style: Style) {
    let level = (bar.value / highest * f64::from(area.height) * 8.0).round() as usize;
    // Something is never drawn as nothing.
    let level = if bar.value > 0.0 { level.max(1) } else { 0 };
    for row in 0..area.height {
        let eighths = level.saturating_sub(usize::from(row) * 8).min(8);
        let cell = match (bar.counted, eighths) {
            (_, 0) => continue,
            (true, eighths) => EIGHTHS[eighths],
            (false, _) => "░",
        };
        let y = area.y + area.height - 1 - row;
        draw_text(buffer, (area.x, y), area.width, &cell.repeat(usize::from(area.width)), style);
    }
}

/// A number as short as it can be read: counts whole, from a hundred thousand on rounded.
fn number(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{:.1}G", v / 1e9),
        v if v >= 1e6 => format!("{:.1}M", v / 1e6),
        v if v >= 1e5 => format!("{:.0}k", v / 1e3),
        v => count(v.round() as u64),
    }
}

/// A label in little room: of a range its lower end, else its beginning.
fn short_label(label: &str, room: usize) -> String {
    if width(label) <= room {
        return label.to_owned();
    }
    let low = label.split('–').next().unwrap_or(label);
    low.chars().take(room).collect()
}

/// The course of some numbers, a cell each; neighbours share one where there are more of them.
pub fn sparkline(values: &[f64], highest: f64, room: usize) -> String {
    if room == 0 || values.is_empty() {
        return String::new();
    }
    let each = values.len().div_ceil(room);
    let cell = |values: &[f64]| {
        let value = values.iter().copied().fold(0.0, f64::max);
        let level = (value / highest.max(1.0) * 8.0).round() as usize;
        EIGHTHS[if value > 0.0 { level.clamp(1, 8) } else { 0 }]
    };
    values.chunks(each).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Palette;
    use proptest::prelude::*;

    #[test]
    fn numbers_and_labels_in_little_room() {
        assert_eq!([number(0.0), number(12345.0), number(123_456.0), number(2.5e6)], ["0", "12,345", "123k", "2.5M"]);
        assert_eq!(
            [short_label("0.1–0.2", 7), short_label("0.1–0.2", 4), short_label("segment", 3)],
            ["0.1–0.2", "0.1", "seg"]
        );
    }

    #[test]
    fn a_sparkline_has_a_cell_for_each_or_shares_them() {
        assert_eq!(sparkline(&[0.0, 1.0, 4.0, 8.0], 8.0, 10), " ▁▄█");
        assert_eq!(sparkline(&[0.0, 1.0, 4.0, 8.0], 8.0, 2), "▁█");
        assert_eq!(sparkline(&[0.001], 8.0, 5), "▁", "something is not nothing");
    }

    proptest! {
        #[test]
        fn drawing_stays_inside(
            values in proptest::collection::vec(0.0f64..1e7, 0..60),
            wide in 0u16..120, high in 0u16..40, at in 0usize..60,
        ) {
            let area = Rect::new(3, 2, wide, high);
            let mut buffer = Buffer::empty(Rect::new(0, 0, wide + 6, high + 4));
            let bars: Vec<Bar> =
                values.iter().map(|&value| Bar { label: "0.1–0.2".to_owned(), value, counted: value < 5e6 }).collect();
            columns(&mut buffer, area, &bars, at.min(bars.len().saturating_sub(1)), &Theme::new(Palette::Auto));
            for y in 0..high + 4 {
                for x in 0..wide + 6 {
                    let inside = x >= 3 && x < 3 + wide && y >= 2 && y < 2 + high;
                    prop_assert!(inside || buffer[(x, y)].symbol() == " ", "{} {}", x, y);
                }
            }
        }
    }
}
