//! One dot per pair: cosine against Jaccard.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::theme::Theme;
use crate::widgets::chart::{Dots, draw_axes};
use crate::widgets::glyphs::{draw_text, width};
use dejaview_study::PairTable;

/// Places on each axis that pairs are counted at: more than dots fit on a large screen.
const SIDE: usize = 500;
/// What the axes are of.
const UP: &str = "Jaccard";
const ACROSS: &str = " cosine ";

/// Where pairs lie.
#[derive(Debug, Clone)]
pub struct Scatter {
    /// Whether there is a pair at a place, row by row from the lowest Jaccard.
    taken: Vec<bool>,
}

impl Scatter {
    /// Looks at every pair whose texts were compared.
    pub(super) fn count(table: &PairTable) -> Self {
        let mut taken = vec![false; SIDE * SIDE];
        for kind in table.kinds() {
            for bundle in &kind.bundles {
                if let Some(jaccard) = bundle.jaccard(table.n()) {
                    taken[place(jaccard) * SIDE + place(bundle.first_pair.scores().cosine)] = true;
                }
            }
        }
        Self { taken }
    }

    fn dots(&self, columns: u16, lines: u16) -> Dots {
        let mut dots = Dots::new(columns, lines);
        let (wide, high) = dots.size();
        let scaled = |at: usize, dots: u16| (at as u64 * u64::from(dots) / SIDE as u64) as u16;
        for (number, _) in self.taken.iter().enumerate().filter(|(_, taken)| **taken) {
            dots.set(scaled(number % SIDE, wide), high - 1 - scaled(number / SIDE, high));
        }
        dots
    }

    /// Draws the pairs, with the names of both axes, and a box around those of a tenth of each axis, counted from the lower left.
    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, [across, up]: [usize; 2], theme: &Theme) {
        if area.height < 8 || area.width < 30 {
            return;
        }
        let plot = Rect { x: area.x + 5, y: area.y + 1, width: area.width - 6, height: area.height - 3 };
        draw_text(buffer, (plot.x - 1, area.y), plot.width, UP, theme.muted);
        let ticks = [(1.0, "1"), (0.75, "¾"), (0.5, "½"), (0.25, "¼"), (0.0, "0")];
        draw_axes(buffer, plot, &ticks.map(|(share, text)| (share, text.to_owned())), theme);
        for (share, text) in [(0.0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")] {
            let x = plot.x + (share * f64::from(plot.width - 1)) as u16;
            let x = x.min(plot.right().saturating_sub(text.len() as u16));
            draw_text(buffer, (x, plot.bottom() + 1), text.len() as u16, text, theme.muted);
        }
        let wide = width(ACROSS) as u16;
        draw_text(buffer, (plot.right().saturating_sub(wide + 2), plot.bottom()), wide, ACROSS, theme.muted);
        let dots = self.dots(plot.width, plot.height);
        dots.draw(buffer, (plot.x, plot.y), |set| theme.heat(f64::from(set) / 8.0));
        let tenth = |n: usize, length: u16| (n as u32 * u32::from(length) / 10) as u16;
        let (left, right) = (plot.x + tenth(across, plot.width), plot.x + tenth(across + 1, plot.width));
        let (bottom, top) = (plot.bottom() - tenth(up, plot.height), plot.bottom() - tenth(up + 1, plot.height));
        for y in top..bottom {
            for x in [left, right.saturating_sub(1).max(left)] {
                draw_text(buffer, (x, y), 1, "│", theme.accent);
            }
        }
        for x in left + 1..right.saturating_sub(1) {
            for y in [top, bottom.saturating_sub(1).max(top)] {
                // What lies in the box stays visible.
                if buffer[(x, y)].symbol() == " " {
                    draw_text(buffer, (x, y), 1, "─", theme.accent);
                }
            }
        }
    }
}

fn place(share: f64) -> usize {
    ((share.clamp(0.0, 1.0) * SIDE as f64) as usize).min(SIDE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Palette;

    #[test]
    fn dots_lie_where_their_pairs_are() {
        let mut taken = vec![false; SIDE * SIDE];
        taken[0] = true;
        taken[SIDE * SIDE - 1] = true;
        let scatter = Scatter { taken };
        let area = Rect::new(0, 0, 36, 12);
        let mut buffer = Buffer::empty(area);
        scatter.draw(&mut buffer, area, [5, 5], &Theme::new(Palette::Mono));
        let row = |y: u16| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        assert!(row(0).starts_with("    Jaccard") && row(10).ends_with(" cosine ── "), "{} {}", row(0), row(10));
        assert_eq!(buffer[(34, 1)].symbol(), "⠈", "cosine 1 and Jaccard 1 are at the upper right");
        assert_eq!(buffer[(5, 9)].symbol(), "⡀", "0 and 0 at the lower left");
        assert_eq!(place(1.0), SIDE - 1);
    }
}
