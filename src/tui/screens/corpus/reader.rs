//! One document, read: what is known of it, then its canonical text, wrapped by the worker that fetched it.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::data::StudyData;
use crate::theme::Theme;
use crate::widgets::cursor::moved;
use crate::widgets::glyphs::{draw_text, glyphs};
use dejaview_base::ignoring_case;
use dejaview_index::StoredDocument;
use dejaview_report::numbers::bytes;
use dejaview_text::{Overhang, wrap};

/// Lines above the text.
const HEAD: u16 = 3;

/// A document and the lines of its text.
#[derive(Debug, Clone)]
pub struct Wrapped {
    pub stored: StoredDocument,
    /// Columns it is wrapped to.
    pub columns: usize,
    /// Bytes of the text, a line of the screen each.
    pub lines: Vec<Range<usize>>,
}

impl Wrapped {
    /// Wraps a document's text.
    pub fn new(stored: StoredDocument, columns: usize) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in stored.text.split_inclusive('\n') {
            let text = line.trim_end_matches(['\n', '\r']);
            let glyphs = glyphs(text);
            let byte = |place: usize| glyphs.get(place).map_or(text.len(), |glyph| glyph.byte);
            let cut = wrap(&glyphs, [columns; 2], Overhang::Nothing).into_iter();
            lines.extend(cut.map(|range| start + byte(range.start)..start + byte(range.end)));
            start += line.len();
        }
        Self { stored, columns, lines }
    }

    fn line(&self, line: usize) -> &str {
        self.lines.get(line).and_then(|range| self.stored.text.get(range.clone())).unwrap_or_default()
    }
}

/// A document on the screen.
#[derive(Debug)]
pub struct Reader {
    /// What is read.
    pub wrapped: Wrapped,
    top: usize,
    query: String,
}

impl Reader {
    /// From its first line; a query marks its words.
    pub fn new(wrapped: Wrapped, query: &str) -> Self {
        Self { wrapped, top: 0, query: query.to_lowercase() }
    }

    /// The same place in the text, wrapped otherwise.
    pub fn rewrapped(&mut self, wrapped: Wrapped) {
        let byte = self.wrapped.lines.get(self.top).map_or(0, |range| range.start);
        self.top = wrapped.lines.partition_point(|range| range.end <= byte).min(wrapped.lines.len().saturating_sub(1));
        self.wrapped = wrapped;
    }

    /// Scrolls, or goes to the next place found.
    pub fn update(&mut self, action: Action, area: Rect) {
        let page = usize::from(area.height.saturating_sub(HEAD));
        match action {
            Action::NextHit => self.hit(1, true),
            Action::PreviousHit => self.hit(1, false),
            _ => {
                let last = self.wrapped.lines.len().saturating_sub(page);
                self.top = moved(action, self.top, page, last).unwrap_or(self.top);
            }
        }
    }

    /// Looks for words from the top of the screen on.
    pub fn search(&mut self, query: &str) {
        self.query = query.trim().to_lowercase();
        self.hit(0, true);
    }

    fn hit(&mut self, step: usize, forward: bool) {
        let len = self.wrapped.lines.len();
        if len == 0 || self.query.is_empty() {
            return;
        }
        let line = |n: usize| if forward { (self.top + n) % len } else { (self.top + len - n) % len };
        let found =
            (step..len + step).map(line).find(|&line| ignoring_case::contains(self.wrapped.line(line), &self.query));
        self.top = found.unwrap_or(self.top);
    }

    /// Draws what is known, then the text.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, theme: &Theme) {
        let stored = &self.wrapped.stored;
        let room = area.width.saturating_sub(2);
        let side = match stored.segment.as_str() {
            "" => stored.side.name().to_owned(),
            segment => format!("{} {segment}", stored.side.name()),
        };
        let grades = data.grades_of(&stored.id);
        let judged = if grades.is_empty() { String::new() } else { format!(" · judged {}", grades.join(" ")) };
        let facts = [side, bytes(stored.bytes), stored.charset.clone(), stored.media.clone(), stored.date.clone()];
        let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        let place = format!("{} at {}{judged}", stored.file, stored.offset);
        let heads = [
            (stored.id.clone(), theme.title),
            (stored.url.clone(), theme.text),
            (format!("{} · {place}", facts.join(" · ")), theme.dim),
        ];
        for (line, (text, style)) in (0..area.height.min(HEAD)).zip(heads) {
            draw_text(buffer, (area.x + 1, area.y + line), room, &text, style);
        }
        for line in 0..area.height.saturating_sub(HEAD) {
            let text = self.wrapped.line(self.top + usize::from(line));
            let hit = !self.query.is_empty() && ignoring_case::contains(text, &self.query);
            let y = area.y + HEAD + line;
            draw_text(buffer, (area.x + 1, y), room, text, theme.text);
            if hit {
                self.mark(buffer, (area.x + 1, y), room, text, theme);
            }
        }
    }

    /// Marks where the query stands in a line.
    fn mark(&self, buffer: &mut Buffer, (x, y): (u16, u16), room: u16, text: &str, theme: &Theme) {
        let Some(at) = text.to_lowercase().find(&self.query) else { return };
        let mut column = 0u16;
        for glyph in glyphs(text) {
            let wide = glyph.width as u16;
            if glyph.byte >= at && glyph.byte < at + self.query.len() && column + wide <= room {
                draw_text(buffer, (x + column, y), wide, &glyph.text, theme.hit);
            }
            column += wide;
        }
    }

    /// Where one is.
    pub fn status(&self) -> String {
        let len = self.wrapped.lines.len();
        format!("line {} of {len} · {} · Enter shows its pairs", (self.top + 1).min(len), self.wrapped.stored.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_index::KeptSide;
    use proptest::prelude::*;

    fn stored(text: &str) -> StoredDocument {
        let mut stored = StoredDocument::from_kept(&dejaview_index::KeptDocument {
            side: KeptSide::Source,
            segment: "",
            id: "a",
            url: "",
            date: "",
            charset: "",
            media: "",
            file: "",
            offset: 0,
            bytes: 0,
            digest: "",
            text: "",
        });
        stored.text = text.to_owned();
        stored
    }

    proptest! {
        #[test]
        fn wrapping_loses_nothing(text in "[a-z é日\n\r\t]{0,120}", columns in 1usize..20) {
            let wrapped = Wrapped::new(stored(&text), columns);
            let kept: String = wrapped.lines.iter().map(|range| &text[range.clone()]).collect();
            let plain = |text: &str| text.replace(['\n', '\r'], "");
            prop_assert_eq!(plain(&kept), plain(&text));
        }
    }
}
