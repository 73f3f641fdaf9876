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
use dejaview_index::{KeptSide, StoredDocument};
use dejaview_report::numbers::{bytes, count};
use dejaview_text::shorten::{shorten_title, shorten_url};
use dejaview_text::{Overhang, Tokens, fold, wrap};

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
    /// The bytes of the text that were searched for, in their order.
    found: Vec<Range<usize>>,
}

impl Reader {
    /// Begins at the first line that has one of the words for which the document was found.
    pub fn new(document: WrappedDocument, query: &str) -> Self {
        let found = whole_words(&document.stored.text, query);
        let mut reader = Self { document, top: 0, found };
        reader.go_to_result(0, true);
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

    /// Searches the text for words or parts of words, from the top of the screen on.
    pub fn search(&mut self, query: &str) {
        self.found = parts_of_words(&self.document.stored.text, query);
        self.go_to_result(0, true);
    }

    fn go_to_result(&mut self, step: usize, forward: bool) {
        let len = self.document.lines.len();
        let line = |n: usize| if forward { (self.top + n) % len } else { (self.top + len - n) % len };
        let found = (step..len + step).map(line).find(|line| !self.found_on(*line).is_empty());
        self.top = found.unwrap_or(self.top);
    }

    /// What was searched for and found on a line of the screen.
    fn found_on(&self, line: usize) -> &[Range<usize>] {
        let Some(line) = self.document.lines.get(line) else { return &[] };
        let first = self.found.partition_point(|found| found.end <= line.start);
        let end = self.found.partition_point(|found| found.start < line.end);
        &self.found[first..end.max(first)]
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
        for (y, number) in (text.y..text.bottom()).zip(self.top..) {
            let line = self.document.line(number);
            draw_text(buffer, (text.x + 1, y), room, line, theme.text);
            let begins = self.document.lines.get(number).map_or(0, |range| range.start);
            mark(buffer, (text.x + 1, y), room, (line, begins), self.found_on(number), theme);
        }
    }
}

/// The places of the words of a query, as the search over all texts finds them.
fn whole_words(text: &str, query: &str) -> Vec<Range<usize>> {
    let folded = |word: &str| {
        let mut folded = String::new();
        fold(word, &mut folded);
        folded
    };
    let mut tokens = Tokens::default();
    tokens.read(query);
    let wanted: Vec<String> = (0..tokens.len()).map(|i| folded(&query[tokens.span(i)])).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    tokens.read(text);
    (0..tokens.len()).map(|i| tokens.span(i)).filter(|span| wanted.contains(&folded(&text[span.clone()]))).collect()
}

/// The places of what is between the signs and blanks of a query, also inside of words.
fn parts_of_words(text: &str, query: &str) -> Vec<Range<usize>> {
    let parts = query.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.map(str::to_lowercase).collect();
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.char_indices() {
        let longest = parts.iter().filter_map(|part| prefix_length(&text[at..], part)).max();
        if let Some(length) = longest.filter(|_| found.last().is_none_or(|last| last.end <= at)) {
            found.push(at..at + length);
        }
    }
    found
}

/// The bytes that a word in lower case takes at the beginning of a text; none if it does not stand there.
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

/// Marks what was found in a line that is drawn at `(x, y)` and whose first byte in the text is `begins`.
fn mark(
    buffer: &mut Buffer,
    (x, y): (u16, u16),
    room: u16,
    (line, begins): (&str, usize),
    found: &[Range<usize>],
    theme: &Theme,
) {
    if found.is_empty() {
        return;
    }
    let mut column = 0u16;
    for glyph in glyphs(line) {
        let (wide, byte) = (glyph.width as u16, begins + glyph.byte);
        if found.iter().any(|range| range.contains(&byte)) && column + wide <= room {
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

    #[test]
    fn words_are_found_whole_and_parts_anywhere() {
        let text = "Otherwise the rest. THE end";
        let shown = |places: Vec<Range<usize>>| places.into_iter().map(|place| &text[place]).collect::<Vec<_>>();
        assert_eq!(shown(whole_words(text, "\"the\" end")), ["the", "THE", "end"]);
        assert_eq!(shown(parts_of_words(text, "the")), ["the", "the", "THE"]);
        assert_eq!(shown(parts_of_words(text, "re rest")), ["rest"]);
        assert!(whole_words(text, "  ").is_empty() && parts_of_words(text, "-").is_empty());
    }

    #[test]
    fn a_result_is_looked_for_line_by_line() {
        let document = WrappedDocument::new(stored("one\ntwo the\nthree\nthe four"), 20);
        let mut reader = Reader::new(document, "the");
        let mut tops = vec![reader.top];
        for forward in [true, true, false] {
            reader.go_to_result(1, forward);
            tops.push(reader.top);
        }
        assert_eq!(tops, [1, 3, 1, 3]);
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
