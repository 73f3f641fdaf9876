//! What a pane says that has nothing to show: what belongs here, why it is empty, which key fills it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::glyphs::{draw_text, width};
use super::paragraph::wrapped;
use crate::theme::Theme;

/// Draws lines in the middle of a pane, muted.
pub fn draw(buffer: &mut Buffer, area: Rect, lines: &[&str], theme: &Theme) {
    let room = usize::from(area.width.saturating_sub(2)).max(1);
    let lines: Vec<String> = lines.iter().flat_map(|line| wrapped(line, room)).collect();
    let top = area.height.saturating_sub(lines.len() as u16) / 3;
    for (y, line) in (area.y + top..area.bottom()).zip(&lines) {
        let line = line.trim_end();
        let indent = (usize::from(area.width).saturating_sub(width(line)) / 2) as u16;
        draw_text(buffer, (area.x + indent, y), area.width - indent, line, theme.muted);
    }
}
