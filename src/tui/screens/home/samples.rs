//! The samples on Home: who has labelled how much of each.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::draw::Dashboard;
use super::sample_row::SampleRow;
use super::state::SAMPLES;
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::meter;
use crate::widgets::pieces;
use crate::widgets::table;

impl Dashboard<'_> {
    pub(super) fn draw_samples(&self, buffer: &mut Buffer, area: Rect) {
        let rows = self.sample_rows();
        let (focused, page) = (self.state.focus.is_on(SAMPLES), usize::from(Frame::inside(area, self.size).height));
        let (cursor, scroll) = self.scrolled(SAMPLES, rows.len(), page);
        let Some(inside) = self.card(buffer, area, Frame { focused, scroll, ..Frame::new("Samples") }) else { return };
        if rows.is_empty() {
            let text = if self.data.trouble.is_some() { "No pairs to sample yet" } else { "No sample yet" };
            draw_text(buffer, (inside.x + 1, inside.y), inside.width.saturating_sub(1), text, self.theme.muted);
            return;
        }
        let widest = |text: fn(&SampleRow) -> &str| rows.iter().map(|row| width(text(row))).max().unwrap_or(0) as u16;
        let (names, annotators) = (widest(|row| &row.name).min(20), widest(|row| &row.annotator).min(14));
        let (numbers, notes) = (widest(|row| &row.numbers), widest(|row| &row.note));
        let fixed = 1 + names + 1 + annotators + 1 + 1 + numbers;
        let notes = if fixed + notes + 7 <= inside.width { notes + 1 } else { 0 };
        let cells = inside.width.saturating_sub(fixed + notes + 1).min(40);
        for (y, (number, row)) in (inside.y..inside.bottom()).zip(rows.iter().enumerate().skip(cursor.top)) {
            let line = Rect { y, height: 1, ..inside };
            let mut x = inside.x + 1;
            draw_text(buffer, (x, y), names, &row.name, if row.opens { self.theme.strong } else { self.theme.text });
            x += names + 1;
            match &row.warning {
                Some(warning) => {
                    draw_text(buffer, (x, y), line.right().saturating_sub(x), warning, self.theme.warning);
                }
                None => {
                    draw_text(buffer, (x, y), annotators, &row.annotator, self.theme.muted);
                    x += annotators + 1;
                    x += pieces::draw(buffer, (x, y), cells, &meter::progress(row.done, row.total, cells, self.theme));
                    let numbers = format!(" {:>wide$}", row.numbers, wide = usize::from(numbers));
                    x += draw_text(buffer, (x, y), line.right().saturating_sub(x), &numbers, self.theme.text) + 1;
                    draw_text(buffer, (x, y), line.right().saturating_sub(x).min(notes), &row.note, self.theme.muted);
                }
            }
            if number == cursor.at {
                table::select(buffer, line, focused, self.theme);
            }
        }
    }
}
