//! One document: its facts, then its canonical text, wrapped by the job that read it.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::data::StudyData;
use crate::theme::Theme;
use crate::widgets::cursor::moved;
use crate::widgets::glyphs::{draw_text, glyphs};
use dejaview_base::ignoring_case;
use dejaview_index::{KeptSide, StoredDocument};
use dejaview_report::numbers::bytes;
use dejaview_text::{Overhang, wrap};

/// Lines above the text.
const HEAD: u16 = 3;

/// Reads one document and wraps its text.
#[derive(Debug)]
pub struct ReadDocument {
    pub(super) side: KeptSide,
    pub(super) id: String,
    /// To wrap the text to.
    pub(super) columns: usize,
}

#[derive(Debug, Clone)]
pub struct WrappedDocument {
    pub stored: StoredDocument,
    /// The bytes of the text on each line of the screen.
    pub lines: Vec<Range<usize>>,
}

impl WrappedDocument {
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
        Self { stored, lines }
    }

    fn line(&self, line: usize) -> &str {
        self.lines.get(line).and_then(|range| self.stored.text.get(range.clone())).unwrap_or_default()
    }
}

#[derive(Debug)]
pub struct Reader {
    pub document: WrappedDocument,
    /// The first line shown.
    top: usize,
    /// In lower case.
    query: String,
}

impl Reader {
    pub fn new(document: WrappedDocument, query: &str) -> Self {
        Self { document, top: 0, query: query.to_lowercase() }
    }

    /// Takes the same text wrapped to another width; the place in it stays.
    pub fn rewrap(&mut self, document: WrappedDocument) {
        let byte = self.document.lines.get(self.top).map_or(0, |range| range.start);
        self.top =
            document.lines.partition_point(|range| range.end <= byte).min(document.lines.len().saturating_sub(1));
        self.document = document;
    }

    pub fn update(&mut self, action: Action, area: Rect) {
        let page = usize::from(area.height.saturating_sub(HEAD));
        match action {
            Action::NextHit => self.to_result(1, true),
            Action::PreviousHit => self.to_result(1, false),
            _ => {
                let last = self.document.lines.len().saturating_sub(page);
                self.top = moved(action, self.top, page, last).unwrap_or(self.top);
            }
        }
    }

    /// Searches from the top of the screen on.
    pub fn search(&mut self, query: &str) {
        self.query = query.trim().to_lowercase();
        self.to_result(0, true);
    }

    fn to_result(&mut self, step: usize, forward: bool) {
        let len = self.document.lines.len();
        if len == 0 || self.query.is_empty() {
            return;
        }
        let line = |n: usize| if forward { (self.top + n) % len } else { (self.top + len - n) % len };
        let found =
            (step..len + step).map(line).find(|&line| ignoring_case::contains(self.document.line(line), &self.query));
        self.top = found.unwrap_or(self.top);
    }

    pub fn draw(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, theme: &Theme) {
        let stored = &self.document.stored;
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
            let text = self.document.line(self.top + usize::from(line));
            let is_result = !self.query.is_empty() && ignoring_case::contains(text, &self.query);
            let y = area.y + HEAD + line;
            draw_text(buffer, (area.x + 1, y), room, text, theme.text);
            if is_result {
                self.mark_result(buffer, (area.x + 1, y), room, text, theme);
            }
        }
    }

    fn mark_result(&self, buffer: &mut Buffer, (x, y): (u16, u16), room: u16, text: &str, theme: &Theme) {
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

    pub fn status(&self) -> String {
        let len = self.document.lines.len();
        format!("line {} of {len} · {} · Enter shows its pairs", (self.top + 1).min(len), self.document.stored.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let document = WrappedDocument::new(stored(&text), columns);
            let kept: String = document.lines.iter().map(|range| &text[range.clone()]).collect();
            let plain = |text: &str| text.replace(['\n', '\r'], "");
            prop_assert_eq!(plain(&kept), plain(&text));
        }
    }
}
