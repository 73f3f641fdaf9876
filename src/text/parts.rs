//! The lines of a page as blocks that are judged as one: how many words they have, how many of them in links, and where
//! they stand.

use std::ops::Range;

use super::outline::{Kind, Run, Zone, ZoneKind};

/// Words that make a table cell a text of its own.
const LONG: u32 = 16;

/// A line of the text, or a table cell of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Where it stands in the text.
    pub(super) span: Range<usize>,
    /// Whether a cell of the same line stands before it.
    pub(super) joined: bool,
    words: u32,
    linked: u32,
    zone: u32,
    block: u32,
    kind: Kind,
    /// Whether it is a row of several cells.
    row: bool,
}

/// Parts that belong together: the lines of a paragraph, the items of a list, the rows of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) parts: Range<usize>,
    /// Words of two letters or digits and more. In scripts without blanks, two characters are a word.
    pub(super) words: u32,
    /// Number of these words that are in links.
    pub(super) linked: u32,
    /// Where its first word stands.
    pub(super) zone: u32,
    pub(super) kind: Kind,
}

impl Block {
    /// Words outside links.
    pub(super) fn plain(&self) -> u32 {
        self.words - self.linked
    }
}

/// Cuts a text into its parts. `runs` say where the text stands from `shift` on.
///
/// A part is a line; but where cells of a table hold texts of their own, as in pages laid out by a table, each cell.
pub(super) fn parts(text: &str, runs: &[Run], shift: usize, zones: &[Zone]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut runs = Runs { runs, at: 0, shift };
    let mut start = 0;
    for line in text.split('\n') {
        let first = parts.len();
        for cell in line.split('\t') {
            let span = start..start + cell.len();
            start = span.end + 1;
            parts.push(runs.part(text, span, parts.len() > first));
        }
        if parts.len() > first + 1 && parts[first..].iter().all(|cell| cell.words <= LONG) {
            let row = join(&parts[first..], zones);
            parts.truncate(first);
            parts.push(row);
        }
    }
    parts
}

/// A line of several cells; it stands in the table and not in the first cell.
fn join(cells: &[Part], zones: &[Zone]) -> Part {
    let mut row = cells[0].clone();
    for cell in &cells[1..] {
        row.span.end = cell.span.end;
        row.words += cell.words;
        row.linked += cell.linked;
    }
    let zone = zones[row.zone as usize];
    if zone.kind == ZoneKind::Cell {
        row.zone = zone.outer;
    }
    row.row = true;
    row
}

/// The runs, read along with the text.
struct Runs<'a> {
    runs: &'a [Run],
    at: usize,
    shift: usize,
}

impl Runs<'_> {
    /// Goes to the run that covers a place, which must not lie before the last one asked for.
    fn seek(&mut self, place: usize) {
        while self.at + 1 < self.runs.len() && self.runs[self.at].end + self.shift <= place {
            self.at += 1;
        }
    }

    fn part(&mut self, text: &str, span: Range<usize>, joined: bool) -> Part {
        self.seek(span.start);
        let place = self.runs.get(self.at).map(|run| run.place);
        let (zone, block, kind) = place.map_or((0, 0, Kind::Text), |place| (place.zone, place.block, place.kind));
        let mut part = Part { span, joined, words: 0, linked: 0, zone, block, kind, row: false };
        // Letters of the word so far, and characters of a script without blanks.
        let (mut letters, mut characters) = (0u32, 0u32);
        for (at, c) in text[part.span.clone()].char_indices() {
            let counts = if c == ' ' {
                letters = 0;
                false
            } else if is_unspaced(c) {
                characters += 1;
                characters % 2 == 1
            } else if c.is_alphanumeric() {
                letters += 1;
                letters == 2
            } else {
                false
            };
            if counts {
                self.seek(part.span.start + at);
                part.words += 1;
                part.linked += u32::from(self.runs.get(self.at).is_some_and(|run| run.place.link));
            }
        }
        part
    }
}

/// Thai, Lao, Burmese, Khmer, Japanese and Chinese.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{3040}'..='\u{9FFF}')
}

/// Joins parts to blocks, beginning with part `from`.
pub(super) fn blocks(parts: &[Part], from: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (i, part) in parts.iter().enumerate().skip(from) {
        let belongs = |before: &Part| {
            before.zone == part.zone
                && before.kind == part.kind
                && (part.kind == Kind::Item || before.row && part.row || before.block == part.block)
        };
        match blocks.last_mut() {
            Some(block) if belongs(&parts[i - 1]) => {
                block.parts.end = i + 1;
                block.words += part.words;
                block.linked += part.linked;
            }
            _ => blocks.push(Block {
                parts: i..i + 1,
                words: part.words,
                linked: part.linked,
                zone: part.zone,
                kind: part.kind,
            }),
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::super::html::extract_with;
    use super::super::outline::Outline;
    use super::*;

    /// Blocks of a page without title: their lines, words and linked words.
    fn found(html: &str) -> Vec<(String, u32, u32)> {
        let mut text = String::new();
        let mut outline = Outline::new();
        let titled = extract_with(html, &mut text, &mut outline);
        let (runs, zones) = outline.finish(text.len() - titled.shift);
        let parts = parts(&text, &runs, titled.shift, &zones);
        let spans: Vec<&str> = parts.iter().map(|part| &text[part.span.clone()]).collect();
        blocks(&parts, usize::from(titled.first))
            .into_iter()
            .map(|block| (spans[block.parts].join("|"), block.words, block.linked))
            .collect()
    }

    #[test]
    fn words_are_counted() {
        for (html, words, linked) in [
            ("one two three", 3, 0),
            ("one <a href=x>two three</a> four", 4, 2),
            ("<a href=x>on</a>e t<a href=y>wo</a> 1 2 - | 33", 3, 2),
            ("été über я мы 한국어", 4, 0),
            ("日本語の文章です", 4, 0),
            ("ภาษาไทย <a href=x>日本</a>", 5, 1),
            ("...", 0, 0),
        ] {
            let found: Vec<(u32, u32)> = found(html).into_iter().map(|(_, words, linked)| (words, linked)).collect();
            assert_eq!(found, [(words, linked)], "{html}");
        }
        assert_eq!(found("<p>aa<title>Tt Tt</title> bb"), [("aa|bb".to_owned(), 2, 0)]);
    }

    #[test]
    fn what_belongs_together_is_one_block() {
        let blocks = |html| -> Vec<String> { found(html).into_iter().map(|(text, ..)| text).collect() };
        assert_eq!(blocks("<p>a<br>b<p>c<div>d</div>e"), ["a|b", "c", "d", "e"]);
        assert_eq!(blocks("<ul><li>a<li>b</ul><ul><li>c</ul>"), ["a|b", "c"]);
        assert_eq!(blocks("<table><tr><td>a<td>b<tr><td>c<td>d</table>"), ["a\tb|c\td"]);
        assert_eq!(blocks("<pre>a\nb</pre><pre>c</pre>"), ["a|b", "c"]);
        let long = "word ".repeat(17);
        let cells = format!("<table><tr><td>menu<td>{long}<td>side</table>");
        assert_eq!(blocks(&cells), ["menu", long.trim_end(), "side"]);
    }
}
