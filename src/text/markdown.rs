//! A page of Markdown as lines of a terminal: headings, emphasis, lists, quotations and tables, wrapped at words.
//!
//! What is not understood is shown as it was written. That is less than CommonMark on purpose (pulldown-cmark was tried):
//! in notes that people write without a preview `2*3*4` is no emphasis, a line above `---` no heading, and `<b>`, `\*`
//! and what is indented are meant as they stand.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::terminal::printable;
use super::wrap::{Overhang, wrap};

/// Columns between two cells of a table.
const GAP: usize = 2;
/// Columns that a cell keeps, however little room there is.
const NARROWEST: usize = 6;

/// How words are emphasised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    #[default]
    Plain,
    Heading,
    Strong,
    Stressed,
    Code,
    /// A horizontal line.
    Rule,
}

/// Words with the tone of each byte.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StyledText {
    pub text: String,
    tones: Vec<Tone>,
}

impl StyledText {
    fn new(text: &str, tone: Tone) -> Self {
        Self { text: text.to_owned(), tones: vec![tone; text.len()] }
    }

    fn push(&mut self, text: &str, tone: Tone) {
        self.text.push_str(text);
        self.tones.resize(self.text.len(), tone);
    }

    fn append(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        self.tones.extend(&other.tones);
    }

    pub fn tone(&self, byte: usize) -> Tone {
        self.tones.get(byte).copied().unwrap_or_default()
    }

    /// Stretches of one tone, in order.
    pub fn runs(&self) -> impl Iterator<Item = (Tone, &str)> {
        let mut end = 0;
        self.tones.chunk_by(|a, b| a == b).map(move |run| {
            let start = end;
            end += run.len();
            (run[0], &self.text[start..end])
        })
    }

    /// In lines of at most so many columns, without blanks at their ends.
    fn wrapped(&self, columns: usize) -> Vec<Self> {
        let (starts, cells): (Vec<usize>, Vec<&str>) = self.text.grapheme_indices(true).unzip();
        let line = |range: Range<usize>| {
            let start = starts.get(range.start).copied().unwrap_or(0);
            let text = cells[range].concat();
            let text = text.trim_end();
            Self { text: text.to_owned(), tones: self.tones[start..start + text.len()].to_vec() }
        };
        wrap(&cells, [columns; 2], Overhang::Blanks).into_iter().map(line).collect()
    }
}

/// Columns by which fenced lines are indented.
const INDENT: usize = 4;

/// The lines of a page at a width. They may go to a terminal: what could harm it is made visible, and tabs are blanks.
pub fn lines(page: &str, columns: usize) -> Vec<StyledText> {
    let page = printable(page).replace('\t', &" ".repeat(INDENT));
    let mut out = Vec::new();
    let mut rest: Vec<&str> = page.lines().map(str::trim_end).collect();
    rest.reverse();
    while let Some(line) = rest.pop() {
        if line.trim_start().starts_with('|') {
            let mut rows = vec![line];
            while let Some(next) = rest.pop_if(|next| next.trim_start().starts_with('|')) {
                rows.push(next);
            }
            out.extend(table(&rows, columns));
            continue;
        }
        if line.trim_start().starts_with("```") {
            while let Some(code) = rest.pop().filter(|code| !code.trim_start().starts_with("```")) {
                out.extend(hanging(&" ".repeat(INDENT), &StyledText::new(code, Tone::Code), columns));
            }
            continue;
        }
        let mut paragraph = line.to_owned();
        while !is_whole_block(line)
            && let Some(next) = rest.pop_if(|next| continues_paragraph(next))
        {
            paragraph.push(' ');
            paragraph.push_str(next.trim_start());
        }
        out.extend(block(&paragraph, columns));
    }
    out
}

/// Whether a line is a block of its own, which the next line never continues.
fn is_whole_block(line: &str) -> bool {
    line.is_empty() || line.starts_with('#') || is_rule(line)
}

/// Whether a line belongs to the paragraph above it.
fn continues_paragraph(line: &str) -> bool {
    let begins = line.trim_start();
    !is_whole_block(line)
        && list_item(begins).is_none()
        && !begins.starts_with(['|', '>'])
        && !begins.starts_with("```")
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && ["-", "*", "_"].iter().any(|sign| line.replace([' '], "").replace(sign, "").is_empty())
}

/// The bullet or number of a list item, and its words.
fn list_item(line: &str) -> Option<(String, &str)> {
    if let Some(words) = ["- ", "* ", "+ "].iter().find_map(|sign| line.strip_prefix(sign)) {
        return Some(("• ".to_owned(), words));
    }
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, words) = line.split_at_checked(digits).filter(|_| (1..4).contains(&digits))?;
    let words = words.strip_prefix(". ").or_else(|| words.strip_prefix(") "))?;
    Some((format!("{number}. "), words))
}

/// A paragraph, a heading, an item or a quotation.
fn block(text: &str, columns: usize) -> Vec<StyledText> {
    if is_rule(text) {
        return vec![StyledText::new(&"─".repeat(columns), Tone::Rule)];
    }
    if text.starts_with('#') {
        let words = inline(text.trim_start_matches('#').trim(), Tone::Heading);
        return words.wrapped(columns);
    }
    let words = text.trim_start();
    let depth = text.len() - words.len();
    if let Some((sign, words)) = list_item(words) {
        let lead = format!("{}{sign}", " ".repeat(depth));
        return hanging(&lead, &inline(words, Tone::Plain), columns);
    }
    if let Some(words) = words.strip_prefix('>') {
        return hanging("│ ", &inline(words.trim_start(), Tone::Plain), columns);
    }
    inline(words, Tone::Plain).wrapped(columns)
}

/// Words after a bullet; further lines are indented as far as the words of the first.
fn hanging(lead: &str, words: &StyledText, columns: usize) -> Vec<StyledText> {
    let indent = lead.width();
    let quoted = lead.starts_with('│');
    let line = |(n, words): (usize, StyledText)| {
        let mut line = match n {
            0 => StyledText::new(lead, Tone::Plain),
            _ if quoted => StyledText::new(lead, Tone::Plain),
            _ => StyledText::new(&" ".repeat(indent), Tone::Plain),
        };
        line.append(&words);
        line
    };
    words.wrapped(columns.saturating_sub(indent)).into_iter().enumerate().map(line).collect()
}

/// The signs that open and close words of a tone; the longer ones first.
const SIGNS: [(&str, Tone); 5] =
    [("**", Tone::Strong), ("__", Tone::Strong), ("`", Tone::Code), ("*", Tone::Stressed), ("_", Tone::Stressed)];

/// Words without the signs that emphasise them.
fn inline(text: &str, tone: Tone) -> StyledText {
    let mut rich = StyledText::default();
    let mut rest = text;
    let mut before = ' ';
    while let Some(next) = rest.chars().next() {
        if let Some((words, own, after)) = emphasised(rest, before) {
            let own = if tone == Tone::Heading { tone } else { own };
            match own {
                Tone::Code => rich.push(words, own),
                _ => rich.append(&inline(words, own)),
            }
            rest = after;
        } else if let Some((words, address, after)) = link(rest) {
            rich.append(&inline(words, tone));
            rich.push(&format!(" ({address})"), tone);
            rest = after;
        } else {
            let end = next.len_utf8();
            rich.push(&rest[..end], tone);
            rest = &rest[end..];
        }
        before = rich.text.chars().last().unwrap_or(' ');
    }
    rich
}

/// Words between two signs at the beginning of a text, their tone, and what follows. A sign inside a word is none.
fn emphasised(text: &str, before: char) -> Option<(&str, Tone, &str)> {
    SIGNS.iter().filter(|_| !before.is_alphanumeric()).find_map(|(sign, tone)| {
        let inside = text.strip_prefix(sign).filter(|inside| !inside.starts_with(char::is_whitespace))?;
        let at = inside.find(sign).filter(|&at| at > 0 && !inside[..at].ends_with(char::is_whitespace))?;
        let after = &inside[at + sign.len()..];
        (!after.starts_with(char::is_alphanumeric)).then_some((&inside[..at], *tone, after))
    })
}

/// Words and address of a link at the beginning of a text, and what follows.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (words, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (address, after) = rest.split_once(')')?;
    (!words.contains(['[', ']']) && !address.contains(char::is_whitespace)).then_some((words, address, after))
}

/// A table with its columns aligned; cells that are too long are wrapped inside their column.
fn table(rows: &[&str], columns: usize) -> Vec<StyledText> {
    let parted = |row: &&str| -> Vec<String> {
        let row = row.trim().trim_start_matches('|');
        row.strip_suffix('|').unwrap_or(row).split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(parted).collect();
    let line =
        |cells: &Vec<String>| cells.iter().all(|cell| !cell.is_empty() && cell.trim_matches(['-', ':']).is_empty());
    let head = rows.get(1).is_some_and(line);
    let cells: Vec<Vec<StyledText>> = rows
        .iter()
        .filter(|row| !line(row))
        .enumerate()
        .map(|(n, row)| {
            let tone = if n == 0 && head { Tone::Heading } else { Tone::Plain };
            row.iter().map(|cell| inline(cell, tone)).collect()
        })
        .collect();
    let widths = column_widths(&cells, columns);
    let mut out = Vec::new();
    for (n, row) in cells.iter().enumerate() {
        out.extend(table_row(row, &widths));
        if n == 0 && head {
            let wide = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
            out.push(StyledText::new(&"─".repeat(wide), Tone::Rule));
        }
    }
    out
}

/// Widths of the columns: as wide as their widest cell, the widest of them narrower until all fit.
fn column_widths(cells: &[Vec<StyledText>], columns: usize) -> Vec<usize> {
    let count = cells.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |n: usize| cells.iter().filter_map(|row| row.get(n)).map(|cell| cell.text.width()).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..count).map(widest).collect();
    let room = columns.saturating_sub(GAP * count.saturating_sub(1));
    while widths.iter().sum::<usize>() > room
        && let Some(most) = widths.iter_mut().max().filter(|most| **most > NARROWEST)
    {
        *most -= 1;
    }
    widths
}

/// The lines of a row of a table.
fn table_row(row: &[StyledText], widths: &[usize]) -> Vec<StyledText> {
    let cells: Vec<Vec<StyledText>> = row.iter().zip(widths).map(|(cell, &wide)| cell.wrapped(wide)).collect();
    let high = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |n: usize| {
        let (mut line, mut place) = (StyledText::default(), 0);
        for (cell, wide) in cells.iter().zip(widths) {
            if let Some(words) = cell.get(n).filter(|words| !words.text.is_empty()) {
                line.push(&" ".repeat(place - line.text.width()), Tone::Plain);
                line.append(words);
            }
            place += wide + GAP;
        }
        line
    };
    (0..high).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(page: &str, columns: usize) -> Vec<String> {
        lines(page, columns).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn paragraphs_are_joined_and_items_hang() {
        let page =
            "# A *Title*\n\nOne page\nfor all.\n\n- first and\n  more of it\n- second\n1. third\n> said\n---\nlast";
        let wanted = [
            "A Title",
            "",
            "One page for",
            "all.",
            "",
            "• first and",
            "  more of it",
            "• second",
            "1. third",
            "│ said",
            "────────────",
            "last",
        ];
        assert_eq!(shown(page, 12), wanted);
        assert_eq!(shown("", 12), [] as [&str; 0]);
    }

    #[test]
    fn emphasis_loses_its_stars_and_nothing_else_does() {
        let line = &lines("**The _question_.** *Would* it `a*b` 2*3*4 snake_case_name [here](http://x.org)", 200)[0];
        assert_eq!(line.text, "The question. Would it a*b 2*3*4 snake_case_name here (http://x.org)");
        let tone = |word: &str| line.tone(line.text.find(word).unwrap());
        assert_eq!(
            ["The", "question", "Would", "a*b", "2"].map(tone),
            [Tone::Strong, Tone::Stressed, Tone::Stressed, Tone::Code, Tone::Plain]
        );
        assert_eq!(shown("a ** b * c ** d", 200), ["a ** b * c ** d"]);
        assert_eq!(shown("**open", 200), ["**open"]);
    }

    #[test]
    fn fenced_lines_are_indented_and_nothing_harms_a_terminal() {
        assert_eq!(shown("a\n```sh\nb *c*\n\td\n```\ne", 20), ["a", "    b *c*", "        d", "e"]);
        assert_eq!(shown("x\u{1b}[31m\u{202e}", 20), ["x␛[31m⟨RLO⟩"]);
        let line = &lines("one **two** `three`", 20)[0];
        let runs: Vec<(Tone, &str)> = line.runs().collect();
        let expected = [(Tone::Plain, "one "), (Tone::Strong, "two"), (Tone::Plain, " "), (Tone::Code, "three")];
        assert_eq!(runs, expected);
    }

    #[test]
    fn tables_are_aligned_and_wrapped_inside_their_columns() {
        let page = "| you see | label |\n|---|---|\n| the same text here | **not** |\n| x | near |";
        assert_eq!(
            shown(page, 80),
            [
                "you see             label",
                "─────────────────────────",
                "the same text here  not",
                "x                   near"
            ]
        );
        let narrow = shown(page, 20);
        assert_eq!(narrow[2..4], ["the same text  not", "here"]);
        assert!(narrow.iter().all(|line| line.width() <= 20), "{narrow:#?}");
    }
}
