//! The settled cases, newest last, with what everybody said.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::adjudicator::{Adjudicator, settled};
use super::case::opinions;
use super::list::{both_titles, state_word};
use super::reading::ReviewData;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph::wrapped;
use crate::widgets::pieces;
use crate::widgets::size::Size;
use dejaview_labels::Case;
use dejaview_report::numbers::count;

const NONE_YET: &str =
    "Nothing is settled yet. Open a case and press the key of a label: your decision ends the disagreement.";

pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    (data, adjudicator): (&ReviewData, &Adjudicator<'_>),
    size: Size,
    theme: &Theme,
) {
    let is_settled = |(_, case): &(usize, &Case)| settled(case, adjudicator).is_some();
    let cases: Vec<(usize, &Case)> = data.review.cases.iter().enumerate().filter(is_settled).collect();
    let frame = Frame { right: count(cases.len() as u64), ..Frame::new("Settled") };
    let inside = frame.draw(buffer, area, size, theme);
    let columns = inside.width.saturating_sub(2);
    if cases.is_empty() {
        for (y, line) in (inside.y..inside.bottom()).zip(wrapped(NONE_YET, usize::from(columns))) {
            draw_text(buffer, (inside.x + 1, y), columns, &line, theme.muted);
        }
        return;
    }
    // Those that do not fit are in the list above, too.
    let hidden = cases.len().saturating_sub(usize::from(inside.height));
    for (y, (i, case)) in (inside.y..inside.bottom()).zip(cases.into_iter().skip(hidden)) {
        let label = state_word(settled(case, adjudicator));
        let said = opinions(case);
        let right = [(format!("{said}  "), theme.muted), (format!("{label:<16}"), theme.text)];
        let wide = (pieces::width(&right) as u16).min(columns);
        let room = columns - wide;
        let titles = both_titles(&data.titles[i], usize::from(room.saturating_sub(2)));
        draw_text(buffer, (inside.x + 1, y), room.saturating_sub(2), &titles, theme.text);
        pieces::draw(buffer, (inside.x + 1 + room, y), wide, &right);
    }
}
