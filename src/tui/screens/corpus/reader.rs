//! One document: its facts, then its canonical text, wrapped by the job that read it.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::data::StudyData;
use crate::theme::Theme;
use crate::widgets::cursor::moved;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::{draw_text, glyphs};
use crate::widgets::size::{Size, split_lines};
use dejaview_base::ignoring_case;
use dejaview_index::{KeptSide, StoredDocument};
use dejaview_report::numbers::{bytes, count};
use dejaview_text::shorten::{shorten_title, shorten_url};
use dejaview_text::{Overhang, wrap};

/// Lines above the text: title, URL, facts and a blank one.
const HEAD: u16 = 4;

/// Reads one document and wraps its text.
#[derive(Debug)]
pub struct ReadDocument {
    pub(super) side: KeptSide,
    pub(super) id: String,
    /// To wrap the text to.
    pub(super) columns: usize,
    /// Whether to wait for a pause of the keys first.
    pub(super) pause: bool,
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
    /// The words searched for, in lower case.
    words: Vec<String>,
}

impl Reader {
    /// Begins at the first line that has one of the words.
    pub fn new(document: WrappedDocument, query: &str) -> Self {
        let mut reader = Self { document, top: 0, words: Vec::new() };
        reader.search(query);
        reader
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
            Action::NextResult => self.go_to_result(1, true),
            Action::PreviousResult => self.go_to_result(1, false),
            _ => {
                let last = self.document.lines.len().saturating_sub(page);
                self.top = moved(action, self.top, page, last).unwrap_or(self.top);
            }
        }
    }

    /// Searches from the top of the screen on.
    pub fn search(&mut self, query: &str) {
        let is_sign = |c: char| !c.is_alphanumeric();
        self.words = query.split(is_sign).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        self.go_to_result(0, true);
    }

    fn go_to_result(&mut self, step: usize, forward: bool) {
        let len = self.document.lines.len();
        if len == 0 || self.words.is_empty() {
            return;
        }
        let line = |n: usize| if forward { (self.top + n) % len } else { (self.top + len - n) % len };
        let is_result =
            |&line: &usize| self.words.iter().any(|word| ignoring_case::contains(self.document.line(line), word));
        let found = (step..len + step).map(line).find(is_result);
        self.top = found.unwrap_or(self.top);
    }

    pub fn draw(&self, buffer: &mut Buffer, pane: Rect, data: &StudyData, look: (bool, Size, &Theme)) {
        let (focused, size, theme) = look;
        let stored = &self.document.stored;
        let inside = Frame::inside(pane, size);
        let (page, len) = (usize::from(inside.height.saturating_sub(HEAD)), self.document.lines.len());
        let side = match stored.segment.as_str() {
            "" => stored.side.name().to_owned(),
            segment => format!("{}, segment {segment}", stored.side.name()),
        };
        let frame = Frame {
            qualifier: side,
            right: if focused { "Enter its pairs" } else { "Tab reads on" }.to_owned(),
            position: format!("line {}/{}", (self.top + 1).min(len), count(len as u64)),
            focused,
            scroll: Scroll { top: self.top, page, len },
            ..Frame::new("Text")
        };
        frame.draw(buffer, pane, size, theme);
        let grades = data.grades_of(&stored.id);
        let judged = if grades.is_empty() { String::new() } else { format!("judged {}", grades.join(" ")) };
        let facts = [&stored.id, &judged, &bytes(stored.bytes), &stored.charset, &stored.date];
        let facts: Vec<&str> = facts.into_iter().map(String::as_str).filter(|fact| !fact.is_empty()).collect();
        let room = inside.width.saturating_sub(2);
        let title = data.study.titles().get(stored.side, &stored.id).map_or(String::new(), |it| it.title.clone());
        let heads = [
            (shorten_title(&title, usize::from(room)), theme.strong),
            (shorten_url(&stored.url, usize::from(room)), theme.text),
            (facts.join("  "), theme.muted),
        ];
        let [head, text] = split_lines(inside, HEAD);
        for (y, (line, style)) in (head.y..head.bottom()).zip(heads) {
            draw_text(buffer, (head.x + 1, y), room, &line, style);
        }
        for (y, line) in (text.y..text.bottom()).zip(self.top..) {
            let line = self.document.line(line);
            draw_text(buffer, (text.x + 1, y), room, line, theme.text);
            for word in &self.words {
                mark(buffer, (text.x + 1, y), room, (line, word), theme);
            }
        }
    }
}

/// The bytes of a text that a word in lower case is at the beginning of it; none if it is not.
fn prefix_length(text: &str, word: &str) -> Option<usize> {
    let mut letters = word.chars().peekable();
    for (at, letter) in text.char_indices() {
        if letters.peek().is_none() {
            return Some(at);
        }
        if letter.to_lowercase().any(|lower| letters.next() != Some(lower)) {
            return None;
        }
    }
    letters.peek().is_none().then_some(text.len())
}

/// Marks every place of a word in a line that is drawn at `(x, y)`.
fn mark(buffer: &mut Buffer, (x, y): (u16, u16), room: u16, (line, word): (&str, &str), theme: &Theme) {
    let mut column = 0u16;
    let mut marked_to = 0;
    for glyph in glyphs(line) {
        let wide = glyph.width as u16;
        if glyph.byte >= marked_to {
            marked_to = prefix_length(&line[glyph.byte..], word).map_or(marked_to, |length| glyph.byte + length);
        }
        if glyph.byte < marked_to && column + wide <= room {
            draw_text(buffer, (x + column, y), wide, &glyph.text, theme.hit);
        }
        column += wide;
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

    #[test]
    fn a_word_is_found_in_any_case() {
        assert_eq!(prefix_length("Éclair", "écl"), Some(4));
        assert_eq!(prefix_length("lens", "lens"), Some(4));
        assert_eq!(prefix_length("len", "lens"), None);
        assert_eq!(prefix_length("İx", "x"), None);
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
