//! Charts made of characters: histograms with a cursor, and a canvas of braille dots for curves and scatter plots.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::glyphs::{draw_text, width};
use crate::theme::Theme;
use dejaview_report::numbers::count;

/// A cell filled from below, by eighths.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// The widest that a bar of a histogram becomes, with the gap behind it.
const WIDEST_SLOT: u16 = 12;

#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    pub label: String,
    pub value: f64,
    /// False for a forecast, which is drawn lightly.
    pub counted: bool,
}

/// A number as short as it can be read: counts whole, from a hundred thousand on rounded.
pub fn short_number(value: f64) -> String {
    match value {
        v if v >= 1e9 => format!("{:.1}G", v / 1e9),
        v if v >= 1e6 => format!("{:.1}M", v / 1e6),
        v if v >= 1e5 => format!("{:.0}k", v / 1e3),
        v => count(v.round() as u64),
    }
}

/// Draws bars as high as the area allows, with axes, the count above each bar and its label below; the bar at the cursor
/// has the accent. Where not all bars fit, those around the cursor are shown.
pub fn histogram(buffer: &mut Buffer, area: Rect, bars: &[Bar], cursor: usize, theme: &Theme) {
    let highest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max).max(1.0);
    let ticks = if area.height > 9 { vec![highest, highest / 2.0, 0.0] } else { vec![highest, 0.0] };
    let mut ticks: Vec<(f64, String)> = ticks.into_iter().map(|value| (value / highest, short_number(value))).collect();
    // Half of a small number may be written like its neighbour.
    ticks.dedup_by(|next, previous| next.1 == previous.1);
    // A number may be wider than one twice as large: 83.6k and 167k.
    let scale = ticks.iter().map(|(_, text)| width(text)).max().unwrap_or_default() as u16 + 2;
    if area.height < 4 || area.width < scale + 4 || bars.is_empty() {
        return;
    }
    let plot = Rect { x: area.x + scale, y: area.y + 1, width: area.width - scale, height: area.height - 3 };
    draw_axes(buffer, plot, &ticks, theme);
    let slots = Slots::new(plot.width, bars.len(), cursor);
    // Labels are shortened all alike.
    let whole = bars.iter().all(|bar| width(&bar.label) <= usize::from(slots.bar()));
    for (number, bar) in bars.iter().enumerate().skip(slots.first).take(slots.count) {
        let x = plot.x + (number - slots.first) as u16 * slots.wide;
        let style = match (number == cursor, bar.counted) {
            (true, _) => theme.accent,
            (false, true) => theme.heat(0.9),
            (false, false) => theme.muted,
        };
        draw_bar(buffer, Rect { x, width: slots.bar(), ..plot }, bar, highest, style);
        let top = plot.y + plot.height - (bar.value / highest * f64::from(plot.height)).ceil() as u16;
        let text = short_number(bar.value);
        let strong = |style: Style| if number == cursor { style.add_modifier(Modifier::BOLD) } else { style };
        if width(&text) <= usize::from(slots.wide) && bar.value > 0.0 {
            draw_centred(buffer, (x, top - 1), slots.bar(), &text, strong(theme.muted));
        }
        let label = if whole { bar.label.clone() } else { short_label(&bar.label, usize::from(slots.bar())) };
        let style = if number == cursor { strong(theme.accent) } else { theme.muted };
        draw_centred(buffer, (x, plot.y + plot.height + 1), slots.bar(), &label, style);
    }
}

/// Draws a text in the middle of some columns; one that is wider begins where they begin.
fn draw_centred(buffer: &mut Buffer, (x, y): (u16, u16), columns: u16, text: &str, style: Style) {
    let wide = width(text) as u16;
    draw_text(buffer, (x + columns.saturating_sub(wide) / 2, y), wide, text, style);
}

/// How bars share the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slots {
    /// Columns of a bar and the gap behind it.
    wide: u16,
    first: usize,
    count: usize,
}

impl Slots {
    fn new(room: u16, bars: usize, cursor: usize) -> Self {
        let wide = (room / bars.clamp(1, usize::from(u16::MAX)) as u16).clamp(2, WIDEST_SLOT);
        let count = usize::from(room / wide).clamp(1, bars.max(1));
        let first = cursor.saturating_sub(count / 2).min(bars.saturating_sub(count));
        Self { wide, first, count }
    }

    fn bar(self) -> u16 {
        self.wide - 1
    }
}

/// Draws the axes at the left of a plot and below it; a tick has its height as a share of the plot, and its text.
pub fn draw_axes(buffer: &mut Buffer, plot: Rect, ticks: &[(f64, String)], theme: &Theme) {
    for y in plot.y..plot.y + plot.height {
        draw_text(buffer, (plot.x - 1, y), 1, "│", theme.faint);
    }
    let bottom = plot.y + plot.height;
    let line = format!("└{}", "─".repeat(usize::from(plot.width)));
    draw_text(buffer, (plot.x - 1, bottom), plot.width + 1, &line, theme.faint);
    for (share, text) in ticks {
        let y = bottom - (share.clamp(0.0, 1.0) * f64::from(plot.height)).round() as u16;
        if y < bottom {
            draw_text(buffer, (plot.x - 1, y), 1, "┤", theme.faint);
        }
        let x = plot.x.saturating_sub(width(text) as u16 + 2);
        draw_text(buffer, (x, y), width(text) as u16, text, theme.muted);
    }
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

/// A label in little room: of a range its lower end, else its beginning.
fn short_label(label: &str, room: usize) -> String {
    let low = label.split('–').next().unwrap_or(label);
    low.chars().take(room).collect()
}

/// A small chart for comparing shapes: bars scaled to the tallest, a line below them, no numbers.
pub fn small_multiple(buffer: &mut Buffer, area: Rect, values: &[u64], style: Style, theme: &Theme) {
    let highest = values.iter().copied().max().unwrap_or(0).max(1) as f64;
    let wide = area.width / values.len().clamp(1, usize::from(u16::MAX)) as u16;
    if area.height < 2 || wide == 0 {
        return;
    }
    let plot = Rect { height: area.height - 1, ..area };
    let bar = if wide > 1 { wide - 1 } else { 1 };
    for (x, value) in (plot.x..).step_by(usize::from(wide)).zip(values) {
        let counted = Bar { label: String::new(), value: *value as f64, counted: true };
        draw_bar(buffer, Rect { x, width: bar, ..plot }, &counted, highest, style);
    }
    let line = "─".repeat(usize::from(wide) * values.len());
    draw_text(buffer, (area.x, plot.bottom()), area.width, &line, theme.faint);
}

/// How many cells each part of a bar gets, so that they fill it. What is there at all has at least one.
pub fn stacked<const N: usize>(parts: &[u64; N], cells: u16) -> [u16; N] {
    let all: u64 = parts.iter().sum();
    let share = |part: u64| part as f64 / all.max(1) as f64 * f64::from(cells);
    let mut wide = parts.map(|part| (share(part).round() as u16).max(u16::from(part > 0)));
    // Rounding is made up for by the largest part.
    let used: u16 = wide.iter().sum();
    if let Some(largest) = wide.iter_mut().max().filter(|_| all > 0) {
        *largest = (*largest + cells).saturating_sub(used);
    }
    wide
}

/// Dots of which a cell holds two columns and four lines.
#[derive(Debug, Clone)]
pub struct Dots {
    columns: u16,
    lines: u16,
    /// The dots of each cell, as bits of a braille character.
    cells: Vec<u8>,
}

/// Bits of a braille character, by line and column of its dots.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

impl Dots {
    /// An empty canvas of so many cells.
    pub fn new(columns: u16, lines: u16) -> Self {
        Self { columns, lines, cells: vec![0; usize::from(columns) * usize::from(lines)] }
    }

    /// How many dots fit beside and below each other.
    pub fn size(&self) -> (u16, u16) {
        (self.columns * 2, self.lines * 4)
    }

    /// Sets a dot, counted from the upper left; what is outside is left out.
    pub fn set(&mut self, x: u16, y: u16) {
        let (columns, lines) = self.size();
        if x < columns && y < lines {
            let cell = usize::from(y / 4) * usize::from(self.columns) + usize::from(x / 2);
            self.cells[cell] |= BITS[usize::from(y % 4)][usize::from(x % 2)];
        }
    }

    /// Sets the dots of a curve: `value` gives the share of the height for a share of the width. Steps are joined.
    pub fn curve(&mut self, value: impl Fn(f64) -> Option<f64>) {
        let (columns, lines) = self.size();
        let mut previous: Option<u16> = None;
        for x in 0..columns {
            let share = f64::from(x) / f64::from((columns - 1).max(1));
            let Some(y) = value(share).map(|value| line_of(value, lines)) else {
                previous = None;
                continue;
            };
            let from = previous.unwrap_or(y);
            for y in from.min(y)..=from.max(y) {
                self.set(x, y);
            }
            previous = Some(y);
        }
    }

    /// Sets every fourth dot between two curves, in slanted lines.
    pub fn shade(&mut self, between: impl Fn(f64) -> Option<(f64, f64)>) {
        let (columns, lines) = self.size();
        for x in 0..columns {
            let share = f64::from(x) / f64::from((columns - 1).max(1));
            let Some((low, high)) = between(share) else { continue };
            for y in (line_of(high, lines)..=line_of(low, lines)).filter(|y| (x + y) % 4 == 0) {
                self.set(x, y);
            }
        }
    }

    /// Draws the cells that have dots; `style` may look at how many dots a cell has.
    pub fn draw(&self, buffer: &mut Buffer, (x, y): (u16, u16), style: impl Fn(u32) -> Style) {
        for (number, &bits) in self.cells.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            let (column, line) = (number % usize::from(self.columns), number / usize::from(self.columns));
            let sign = char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ');
            let place = (x + column as u16, y + line as u16);
            draw_text(buffer, place, 1, sign.encode_utf8(&mut [0; 4]), style(bits.count_ones()));
        }
    }
}

/// The line of dots of a share of the height, counted from the top.
fn line_of(share: f64, lines: u16) -> u16 {
    let last = lines.saturating_sub(1);
    last - (share.clamp(0.0, 1.0) * f64::from(last)).round() as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Palette;
    use proptest::prelude::*;

    fn rows(buffer: &Buffer) -> Vec<String> {
        let area = buffer.area;
        let row = |y: u16| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..area.height).map(row).collect()
    }

    #[test]
    fn numbers_and_labels_in_little_room() {
        assert_eq!([0.0, 12345.0, 123_456.0, 2.5e6].map(short_number), ["0", "12,345", "123k", "2.5M"]);
        assert_eq!([short_label("0.1–0.2", 4), short_label("segment", 3)], ["0.1", "seg"]);
    }

    #[test]
    fn a_histogram_has_axes_counts_and_labels() {
        let area = Rect::new(0, 0, 23, 7);
        let mut buffer = Buffer::empty(area);
        let bar = |label: &str, value: f64, counted| Bar { label: label.to_owned(), value, counted };
        let bars = [bar("a", 8.0, true), bar("b", 4.0, true), bar("c", 0.0, true), bar("d", 6.0, false)];
        histogram(&mut buffer, area, &bars, 1, &Theme::new(Palette::Mono));
        let wanted = [
            "    8",
            "8 ┤████            6",
            "  │████  4        ░░░░",
            "  │████ ████      ░░░░",
            "  │████ ████      ░░░░",
            "0 └────────────────────",
            "    a    b    c    d",
        ];
        assert_eq!(rows(&buffer), wanted);
    }

    #[test]
    fn parts_of_a_bar_fill_it() {
        assert_eq!(stacked(&[43, 0, 338, 7], 70), [8, 0, 61, 1]);
        assert_eq!(stacked(&[0, 0], 10), [0, 0]);
        assert_eq!(stacked(&[1, 1_000_000], 10), [1, 9]);
    }

    #[test]
    fn dots_are_set_from_the_upper_left() {
        let mut dots = Dots::new(2, 1);
        dots.set(0, 0);
        dots.set(3, 3);
        dots.set(4, 0);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 3, 1));
        dots.draw(&mut buffer, (0, 0), |_| Style::new());
        assert_eq!(rows(&buffer), ["⠁⢀"]);
    }

    #[test]
    fn a_curve_joins_its_steps() {
        let mut dots = Dots::new(2, 1);
        dots.curve(|x| Some(if x < 0.5 { 0.0 } else { 1.0 }));
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
        dots.draw(&mut buffer, (0, 0), |_| Style::new());
        assert_eq!(rows(&buffer), ["⣀⡏"]);
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
            let theme = Theme::new(Palette::Auto);
            histogram(&mut buffer, area, &bars, at.min(bars.len().saturating_sub(1)), &theme);
            let counts: Vec<u64> = values.iter().map(|value| *value as u64).collect();
            small_multiple(&mut buffer, area, &counts, theme.text, &theme);
            let mut dots = Dots::new(wide, high);
            dots.curve(|x| values.get((x * values.len() as f64) as usize).map(|value| value / 5e6));
            dots.shade(|x| Some((x, 2.0 * x)));
            dots.draw(&mut buffer, (area.x, area.y), |_| Style::new());
            for y in 0..high + 4 {
                for x in 0..wide + 6 {
                    let inside = x >= 3 && x < 3 + wide && y >= 2 && y < 2 + high;
                    prop_assert!(inside || buffer[(x, y)].symbol() == " ", "{} {}", x, y);
                }
            }
        }
    }
}
