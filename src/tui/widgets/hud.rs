//! How fast the explorer is, on its own screen: drawn with frames that are drawn anyway, never for its own sake.

use std::collections::VecDeque;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::glyphs::{draw_text, width};
use crate::theme::Theme;

/// Frames that are remembered.
const FRAMES: usize = 500;

/// What frames cost.
#[derive(Debug, Clone, Default)]
pub struct Hud {
    times: VecDeque<Duration>,
    bytes: usize,
    frames: u64,
}

impl Hud {
    /// A frame left: how long after the key that it answers, and how large.
    pub fn frame(&mut self, since_key: Option<Duration>, bytes: usize) {
        self.frames += 1;
        self.bytes = bytes;
        if let Some(time) = since_key {
            if self.times.len() == FRAMES {
                self.times.pop_front();
            }
            self.times.push_back(time);
        }
    }

    /// Of the times remembered, the one that this share of them stays below.
    fn percentile(&self, share: usize) -> Duration {
        let mut times: Vec<Duration> = self.times.iter().copied().collect();
        times.sort_unstable();
        times.get((times.len() * share / 100).min(times.len().saturating_sub(1))).copied().unwrap_or_default()
    }

    /// In one line.
    pub fn words(&self) -> String {
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let (p50, p99) = (ms(self.percentile(50)), ms(self.percentile(99)));
        format!("key→screen p50 {p50:.1} ms · p99 {p99:.1} ms · last frame {} B · {} frames", self.bytes, self.frames)
    }

    /// Draws it into the upper right corner of an area.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let words = self.words();
        let wide = (width(&words) as u16).min(area.width);
        if area.height > 0 {
            draw_text(buffer, (area.x + area.width - wide, area.y), wide, &words, theme.cursor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_frames_remembered() {
        let mut hud = Hud::default();
        assert!(hud.words().contains("p50 0.0 ms"));
        for ms in 0..1000 {
            hud.frame(Some(Duration::from_millis(ms)), 7);
        }
        hud.frame(None, 9);
        assert_eq!(hud.percentile(50), Duration::from_millis(750));
        assert_eq!(hud.percentile(99), Duration::from_millis(995));
        assert!(hud.words().ends_with("last frame 9 B · 1001 frames"));
    }
}
