//! The two documents of a pair in two lines: titles and URLs, with what differs between them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{OpenPair, PairPane};
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use dejaview_text::shorten::{Compared, Role, Span, columns, compare_titles, compare_urls};

/// Of the width of both, what titles may take when URLs need more than is left.
const TITLES: (u16, u16) = (52, 100);
/// Columns between title and URL.
const GAP: u16 = 2;
/// The letter of the side and a blank.
const LETTER: u16 = 2;

impl PairPane {
    /// Draws a line about each document, in the order of their texts: titles and URLs, or ids until they are read.
    pub fn draw_documents(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        if self.ids.source.is_empty() || area.width <= LETTER {
            return;
        }
        let first = usize::from(self.view.is_swapped());
        let lines = match &self.open {
            Some(Ok(open)) => self.document_lines(open, area.width - LETTER, first, theme),
            _ => {
                let ids = [&self.ids.source, &self.ids.target];
                let ids = if self.swapped { [ids[1], ids[0]] } else { ids };
                ids.map(|id| vec![(id.clone(), theme.muted)])
            }
        };
        // A is the text shown first: the source or, on Label and Review, sometimes the target.
        let letters = [("A", theme.a), ("B", theme.b)];
        for (y, side) in (area.y..area.bottom()).zip([first, 1 - first]) {
            draw_text(buffer, (area.x, y), LETTER, letters[side].0, letters[side].1);
            let mut x = area.x + LETTER;
            for (text, style) in &lines[side] {
                x += draw_text(buffer, (x, y), area.right().saturating_sub(x), text, *style);
            }
        }
    }

    /// The lines of A and of B: words with their styles. What both have is said on the line of the side that is `first`.
    fn document_lines(&self, open: &OpenPair, room: u16, first: usize, theme: &Theme) -> [Vec<(String, Style)>; 2] {
        let ordered = |[source, target]: [String; 2]| if self.swapped { [target, source] } else { [source, target] };
        let titles = ordered(open.titles.clone());
        let urls = ordered([open.source.url.clone(), open.target.url.clone()]);
        let widest = |compared: Compared| match compared {
            Compared::Same(text) => columns(&text).max(columns(SAME_TITLE)),
            Compared::Different(lines) => lines.iter().map(|line| line_columns(line)).max().unwrap_or(0),
        };
        let wanted = [
            widest(compare_titles(&titles[0], &titles[1], usize::MAX)),
            widest(compare_urls(&urls[0], &urls[1], usize::MAX)),
        ];
        let room = usize::from(room.saturating_sub(GAP));
        let share = room * usize::from(TITLES.0) / usize::from(TITLES.1);
        let title_room = wanted[0].min(share.max(room.saturating_sub(wanted[1])));
        let titles =
            styled(compare_titles(&titles[0], &titles[1], title_room), (SAME_TITLE, first), theme.strong, theme);
        let urls = styled(compare_urls(&urls[0], &urls[1], room - title_room), (SAME_URL, first), theme.muted, theme);
        let mut lines = [Vec::new(), Vec::new()];
        for ((line, title), url) in lines.iter_mut().zip(titles).zip(urls) {
            let used: usize = title.iter().map(|(text, _)| columns(text)).sum();
            line.extend(title);
            line.push((" ".repeat(title_room.saturating_sub(used) + usize::from(GAP)), theme.text));
            line.extend(url);
        }
        lines
    }
}

const SAME_TITLE: &str = "= same title";
const SAME_URL: &str = "= same URL";

fn line_columns(line: &[Span]) -> usize {
    line.iter().map(|span| columns(&span.text)).sum()
}

/// Two lines with styles. What both have is in the style of `equal`; if all is the same, the lower line says so.
fn styled(compared: Compared, (same, first): (&str, usize), equal: Style, theme: &Theme) -> [Vec<(String, Style)>; 2] {
    let styled = |span: Span| {
        let style = match span.role {
            Role::Equal => equal,
            Role::OnlyA => theme.a_word,
            Role::OnlyB => theme.b_word,
        };
        (span.text, style)
    };
    match compared {
        Compared::Same(text) if text.is_empty() => Default::default(),
        Compared::Same(text) => {
            let mut lines = [vec![(text, equal)], vec![(same.to_owned(), theme.muted)]];
            lines.rotate_left(first);
            lines
        }
        Compared::Different(lines) => lines.map(|line| line.into_iter().map(styled).collect()),
    }
}
