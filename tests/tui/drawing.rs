//! A screen as it was drawn, and what a smaller one must have in common with a larger one. Every check returns what is
//! wrong, in words; that each can fail is tested below, on drawings that are spoilt.

use std::collections::{BTreeMap, HashSet};

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use ratatui::text::Span;

/// Colour and modifiers of a cell.
type Look = (Color, Modifier);

/// What is drawn in one cell, or in the two that a wide character takes.
#[derive(Clone, Debug)]
struct Glyph {
    symbol: String,
    column: usize,
    look: Look,
}

impl Glyph {
    /// Between words: blanks and lines of boxes.
    fn parts_words(&self) -> bool {
        self.symbol.chars().all(|c| c.is_whitespace() || "│┌┐└┘─├┤╭╮╰╯┃┄┊▌▏".contains(c))
    }

    /// Bars, rails and dots in their place: their length follows the room there is.
    fn is_of_a_bar(&self) -> bool {
        self.symbol.chars().all(|c| "█▇▆▅▄▃▂▁░▒▓·━╸•●".contains(c))
    }

    /// Points of a curve.
    fn is_braille(&self) -> bool {
        self.symbol.chars().all(|c| ('\u{2800}'..='\u{28ff}').contains(&c))
    }

    fn is_reversed(&self) -> bool {
        self.look.1.contains(Modifier::REVERSED)
    }
}

/// A screen, row by row.
#[derive(Clone, Debug)]
pub(super) struct Drawing {
    size: (u16, u16),
    rows: Vec<Vec<Glyph>>,
}

/// What is drawn of a line of a text, without blanks.
type DrawnText = Vec<(String, Look)>;

/// A line of a text from its beginning, as far as it is in sight.
#[derive(Clone, Debug, Default)]
struct TextLine {
    drawn: DrawnText,
    /// The pane ends with it, or something lies over its end: it may go on.
    may_go_on: bool,
}

impl TextLine {
    /// Whether two screens show the same line, each as much of it as it has room for.
    fn agrees(&self, other: &Self) -> bool {
        let shown = |line: &Self| {
            let cut = line.drawn.last().is_some_and(|(symbol, _)| symbol == "…");
            (line.drawn.len() - usize::from(cut), cut || line.may_go_on)
        };
        let ((here, goes_on), (there, goes_on_there)) = (shown(self), shown(other));
        let (here, there) = (&self.drawn[..here], &other.drawn[..there]);
        match (goes_on, goes_on_there) {
            (false, false) => here == there,
            (true, false) => there.starts_with(here),
            (false, true) => here.starts_with(there),
            (true, true) => there.starts_with(here) || here.starts_with(there),
        }
    }
}

/// Lines of the two texts of a pair, by side and number.
type Texts = [BTreeMap<usize, TextLine>; 2];

impl Drawing {
    pub(super) fn of(buffer: &Buffer) -> Self {
        let area = *buffer.area();
        let row = |y: u16| {
            let mut glyphs: Vec<Glyph> = Vec::new();
            let mut free = 0;
            for x in 0..area.width {
                let cell = &buffer[(x, y)];
                if usize::from(x) < free {
                    continue;
                }
                free = usize::from(x) + Span::raw(cell.symbol()).width().max(1);
                glyphs.push(Glyph {
                    symbol: cell.symbol().to_owned(),
                    column: usize::from(x),
                    look: (cell.fg, cell.modifier),
                });
            }
            glyphs
        };
        Self { size: (area.width, area.height), rows: (0..area.height).map(row).collect() }
    }

    /// The box over the screen and the keys at the bottom, without what the box covers in part; the whole screen where
    /// there is none. The box is the one that was drawn last: the innermost.
    pub(super) fn uncovered(mut self) -> Self {
        let Some((top, left, bottom, right)) = self.boxes().into_iter().max_by_key(|&(top, left, ..)| (left, top))
        else {
            return self;
        };
        let end = self.body().end;
        for (y, row) in self.rows.iter_mut().enumerate().take(end) {
            let inside = |column: usize| (top..=bottom).contains(&y) && (left..=right).contains(&column);
            row.iter_mut().filter(|glyph| !inside(glyph.column)).for_each(|glyph| glyph.symbol = " ".to_owned());
        }
        self
    }

    fn symbol(&self, y: usize, column: usize) -> &str {
        self.glyph(y, column).map_or("", |glyph| glyph.symbol.as_str())
    }

    fn glyph(&self, y: usize, column: usize) -> Option<&Glyph> {
        self.rows.get(y)?.iter().find(|glyph| glyph.column == column)
    }

    /// Upper corners of boxes, with the column of the other upper corner where the border between them is whole.
    fn corners(&self) -> Vec<(usize, usize, Option<usize>)> {
        let mut corners = Vec::new();
        for y in self.body() {
            for glyph in self.rows[y].iter().filter(|glyph| ["╭", "┌"].contains(&glyph.symbol.as_str())) {
                let behind = self.rows[y].iter().filter(|other| other.column > glyph.column);
                let end = behind.clone().find(|other| "╭┌╮┐".contains(&other.symbol));
                let end = end.filter(|end| "╮┐".contains(&end.symbol));
                corners.push((y, glyph.column, end.map(|end| end.column)));
            }
        }
        corners
    }

    /// Boxes with whole borders: upper row, left column, lower row, right column.
    fn boxes(&self) -> Vec<(usize, usize, usize, usize)> {
        let closed = |(top, left, right): (usize, usize, Option<usize>)| {
            let right = right?;
            let bottom = (top + 1..self.body().end).find(|&y| ["╰", "└"].contains(&self.symbol(y, left)))?;
            let sides = |y: usize| [left, right].iter().all(|&column| "│├┤┃".contains(self.symbol(y, column)));
            let whole = ["╯", "┘"].contains(&self.symbol(bottom, right)) && (top + 1..bottom).all(sides);
            whole.then_some((top, left, bottom, right))
        };
        self.corners().into_iter().filter_map(closed).collect()
    }

    fn height(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, y: usize) -> String {
        self.rows[y].iter().map(|glyph| glyph.symbol.as_str()).collect::<String>().trim_end().to_owned()
    }

    pub(super) fn text(&self) -> String {
        (0..self.height()).map(|y| self.row(y) + "\n").collect()
    }

    /// Rows between the tabs and the keys.
    fn body(&self) -> std::ops::Range<usize> {
        1..self.height() - 1
    }

    /// Where something is said over the end of a row, until the next key.
    fn said_from(&self, y: usize) -> Option<usize> {
        let row = self.rows.get(y).filter(|_| self.body().contains(&y))?;
        let said = row.iter().rev().take_while(|glyph| glyph.is_reversed()).count();
        Some(row.len() - said).filter(|&from| said > 0 && from > 0)
    }

    /// Words of a row, without bars, curves and folds. A word that ends where something is said over the row may go on
    /// below it, and does not count.
    fn words(&self, y: usize) -> Vec<String> {
        let (under, over) = self.rows[y].split_at(self.said_from(y).unwrap_or(0));
        let under = &under[..under.iter().rposition(Glyph::parts_words).map_or(0, |at| at + 1)];
        let panes = [under, over].into_iter().flat_map(|part| part.split(|glyph| "│┃".contains(&glyph.symbol)));
        panes.filter(|pane| !is_fold(pane)).flat_map(words_of).collect()
    }

    fn all_words(&self) -> impl Iterator<Item = (usize, String)> {
        (0..self.height()).flat_map(|y| self.words(y).into_iter().map(move |word| (y, word)))
    }

    /// Whether some row says this, whatever the room between its columns.
    fn says(&self, part: &str) -> bool {
        (0..self.height()).any(|y| self.row(y).split_whitespace().collect::<Vec<_>>().join(" ").contains(part))
    }

    /// The row under the cursor, in words; none where there is no cursor.
    fn under_cursor(&self) -> Option<Vec<String>> {
        let row_with = |sign: &str| self.body().find_map(|y| self.rows[y].split(|glyph| glyph.symbol == sign).nth(1));
        let row = row_with("▌").or_else(|| row_with("▏"))?;
        // Only of the pane that has the cursor.
        Some(words_of(row.split(|glyph| "│┃".contains(&glyph.symbol)).next()?))
    }

    /// Lines of the texts, each from where it begins: its rows begin in one column. Lines that are in both texts are of
    /// the text whose column they are in.
    fn texts(&self) -> Texts {
        let rows: Vec<_> = self.body().map(|y| (y, self.parts_of_texts(y))).collect();
        let numbered = rows.iter().flat_map(|(_, parts)| parts).filter(|part| part.number.is_some());
        let left = numbered.map(|part| part.column).min();
        let mut texts = Texts::default();
        // The line that goes on below, by its column.
        let mut open: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (y, parts) in rows {
            let said = self.said_from(y).is_some();
            // What stands above a border, or where something is said, may go on below.
            let ends = |column: usize| self.symbol(y, column) == "─" || said;
            let absent = |column: &usize| parts.iter().all(|part| part.column != *column) && ends(*column);
            open.retain(|column, &mut (side, number)| {
                let gone = absent(column);
                if gone {
                    texts[side].entry(number).or_default().may_go_on = true;
                }
                !gone
            });
            for part in parts {
                let side = match part.sign.as_str() {
                    "-" => 0,
                    "+" => 1,
                    _ => usize::from(Some(part.column) != left),
                };
                if let Some(number) = part.number {
                    open.insert(part.column, (side, number));
                }
                if let Some((_, number)) = open.get(&part.column).filter(|(of, _)| *of == side) {
                    let line = texts[side].entry(*number).or_default();
                    line.drawn.extend(part.drawn);
                    line.may_go_on |= said;
                }
            }
        }
        for (side, number) in open.into_values() {
            texts[side].entry(number).or_default().may_go_on = true;
        }
        texts
    }

    /// What may be parts of texts in a row, from the left.
    fn parts_of_texts(&self, y: usize) -> Vec<TextPart> {
        let row = &self.rows[y][..self.said_from(y).unwrap_or(self.rows[y].len())];
        row.split(|glyph| "│┃".contains(&glyph.symbol)).filter_map(part_of_text).collect()
    }
}

/// Whether a row of a pane says how many equal lines are hidden there, and nothing else.
fn is_fold(glyphs: &[Glyph]) -> bool {
    let row: String = glyphs.iter().map(|glyph| glyph.symbol.as_str()).collect();
    let said = row.trim_matches(|c: char| "┄ ".contains(c));
    let said = said.strip_prefix("⋯ ").and_then(|rest| rest.strip_suffix(" equal lines ⋯"));
    said.is_some_and(|number| number.replace(',', "").parse::<u32>().is_ok())
}

/// Words between blanks and borders, without bars and curves.
fn words_of(glyphs: &[Glyph]) -> Vec<String> {
    let parts = glyphs.split(Glyph::parts_words);
    let parts = parts.filter(|part| !part.iter().all(Glyph::is_of_a_bar) && !part.iter().any(Glyph::is_braille));
    parts.map(|part| part.iter().map(|glyph| glyph.symbol.as_str()).collect()).collect()
}

/// A row of a line of a text.
struct TextPart {
    column: usize,
    sign: String,
    /// Where the line begins.
    number: Option<usize>,
    drawn: DrawnText,
}

fn part_of_text(glyphs: &[Glyph]) -> Option<TextPart> {
    let first = glyphs.first().filter(|glyph| ["-", "+", " "].contains(&glyph.symbol.as_str()))?;
    let head: String = glyphs.iter().skip(1).take(4).map(|glyph| glyph.symbol.as_str()).collect();
    let number = head.trim().parse().ok();
    if glyphs.get(5)?.symbol != " " || (number.is_none() && !head.trim().is_empty()) {
        return None;
    }
    let end = glyphs.iter().rposition(|glyph| !glyph.parts_words() && !glyph.is_of_a_bar()).map_or(0, |at| at + 1);
    let text = glyphs.get(6..end).unwrap_or_default();
    let continues = number.is_some() || text.first().is_some_and(|glyph| !glyph.parts_words() && glyph.symbol != "⋯");
    let drawn = text.iter().filter(|glyph| !glyph.parts_words()).map(|glyph| (glyph.symbol.clone(), glyph.look));
    continues.then(|| TextPart { column: first.column, sign: first.symbol.clone(), number, drawn: drawn.collect() })
}

/// Whether a word is another one, or what was left of it when room ran out. Only addresses are cut more than once, for
/// what differs in two of them stays.
fn stands_for(short: &str, long: &str) -> bool {
    let cuts = short.matches('…').count();
    if cuts > 1 && !(long.contains('/') && short.split('…').skip(1).take(cuts - 1).all(|piece| !piece.is_empty())) {
        return false;
    }
    let mut pieces = short.split('…');
    let (Some(start), Some(end)) = (pieces.next(), pieces.next_back()) else { return short == long };
    // What is between two cuts follows in order.
    let Some(mut rest) = long.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)) else { return false };
    pieces.all(|piece| rest.split_once(piece).map(|(_, behind)| rest = behind).is_some())
}

/// Words that a small screen writes instead of longer ones: whole words, or with `*` at an end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abbreviations<'a>(pub(super) &'a [&'a str]);

impl Abbreviations<'_> {
    fn has(self, word: &str) -> bool {
        self.0.iter().any(|pattern| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
            (Some(end), _) => word.ends_with(end),
            (_, Some(start)) => word.starts_with(start),
            _ => word == *pattern,
        })
    }
}

/// A glyph that reaches over the right border would push the rest of the screen aside.
pub(super) fn beyond_the_border(drawing: &Drawing) -> Vec<String> {
    let width = usize::from(drawing.size.0);
    let over = |glyphs: &&Vec<Glyph>| {
        glyphs.last().is_some_and(|glyph| glyph.column + Span::raw(glyph.symbol.as_str()).width().max(1) > width)
    };
    let rows = drawing.rows.iter().filter(over);
    rows.map(|glyphs| format!("“{}” reaches over the border", glyphs[glyphs.len() - 1].symbol)).collect()
}

/// Words of a screen that stand whole on no larger one: cut, or run into each other.
pub(super) fn broken_words(small: &Drawing, larger: &[&Drawing], short: Abbreviations<'_>) -> Vec<String> {
    let whole: HashSet<String> = larger.iter().flat_map(|one| one.all_words().map(|(_, word)| word)).collect();
    let is_whole =
        |word: &str| whole.contains(word) || (word.contains('…') && whole.iter().any(|long| stands_for(word, long)));
    let broken = small
        .all_words()
        .filter(|(y, _)| *y > 0)
        .filter(|(_, word)| word.chars().any(char::is_alphabetic))
        .filter(|(_, word)| !is_whole(word) && !short.has(word));
    broken.map(|(y, word)| format!("“{word}” stands on no larger screen: row {y}, “{}”", small.row(y))).collect()
}

/// Boxes whose border is broken. What is said covers the lower right corner until the next key.
pub(super) fn broken_boxes(drawing: &Drawing, covered: bool) -> Vec<String> {
    if covered {
        let faults = if drawing.boxes().is_empty() { vec!["no box is whole".to_owned()] } else { Vec::new() };
        return faults;
    }
    let mut faults = Vec::new();
    for (top, left, right) in drawing.corners() {
        let Some(right) = right else {
            faults.push(format!("row {top}: the border that begins in column {left} has no end"));
            continue;
        };
        let side = |y: usize, column: usize, signs: &str| {
            let said = drawing.glyph(y, column).is_none_or(Glyph::is_reversed);
            said || signs.contains(drawing.symbol(y, column))
        };
        let end = (top + 1..drawing.body().end).find(|&y| !side(y, left, "│├┃"));
        let bottom = end.filter(|&y| side(y, left, "╰└") && side(y, right, "╯┘"));
        // A whole box over the lower part of this one, as wide at least.
        let covers =
            |&(from, start, _, end): &(usize, usize, usize, usize)| from > top && start <= left && end >= right;
        let cover = drawing.boxes().into_iter().filter(covers).map(|(from, ..)| from).min();
        let Some(bottom) = bottom.or(cover.filter(|&from| end == Some(from))) else {
            faults.push(format!("the box at row {top}, column {left} is open below: row {end:?}"));
            continue;
        };
        let broken = (top + 1..bottom).find(|&y| !side(y, right, "│┃┤"));
        faults.extend(
            broken.map(|y| format!("the right border of the box at row {top}, column {left} is broken in row {y}")),
        );
    }
    faults
}

/// Lines of the two texts that differ from those of the larger screen, by a glyph or by its look. At least one line of
/// the first text must begin on both screens, of the second where `both` says so.
pub(super) fn other_texts(small: &Drawing, large: &Drawing, both: bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (side, (here, there)) in small.texts().iter().zip(&large.texts()).enumerate() {
        let name = ["A", "B"][side];
        let common: Vec<usize> = here.keys().copied().filter(|number| there.contains_key(number)).collect();
        if common.is_empty() && (side == 0 || both) {
            faults.push(format!("no line of {name} is here and at {:?}", large.size));
        }
        let text = |line: &TextLine| line.drawn.iter().map(|(symbol, _)| symbol.as_str()).collect::<String>();
        faults.extend(common.iter().filter(|number| !here[number].agrees(&there[number])).map(|number| {
            let (ours, theirs) = (text(&here[number]), text(&there[number]));
            format!("line {number} of {name} is “{ours}”, at {:?} “{theirs}” (or looks otherwise)", large.size)
        }));
    }
    faults
}

/// The row under the cursor must be there, and be about the same as on the other screen.
pub(super) fn lost_cursor(drawing: &Drawing, other: &Drawing) -> Vec<String> {
    let (Some(here), Some(there)) = (drawing.under_cursor(), other.under_cursor()) else {
        return vec![format!("no row under the cursor here or at {:?}", other.size)];
    };
    // A wider screen has more cells in a row, and a narrow one cuts what it has: the first name is on both.
    let is_name = |word: &&String| word.chars().filter(|c| c.is_alphabetic()).count() > 2;
    let same = |a: &String| there.iter().any(|b| stands_for(a, b) || stands_for(b, a));
    if here.iter().find(is_name).is_none_or(same) {
        Vec::new()
    } else {
        vec![format!("under the cursor is {here:?}, at {:?} {there:?}", other.size)]
    }
}

/// The lines around the screen proper: tabs, keys.
pub(super) fn broken_frame(drawing: &Drawing, other: &Drawing) -> Vec<String> {
    let mut faults = Vec::new();
    let (small, large) = if drawing.size.0 <= other.size.0 { (drawing, other) } else { (other, drawing) };
    let tabs = drawing.row(0);
    let is_tabs = |row: &str| row.trim_start().starts_with("1 Home") || row.trim_start().starts_with("1Home");
    if is_tabs(&tabs) != is_tabs(&other.row(0)) {
        faults.push(format!("tabs here or there: “{tabs}” and “{}”", other.row(0)));
    }
    if is_tabs(&tabs) {
        const NAMES: [&str; 10] =
            ["Home", "Judgments", "Pairs", "Compare", "Label", "Review", "Figures", "Methods", "Corpus", "Log"];
        let digits = (1..=9).chain([0]);
        let written = |(digit, name): (i32, &&str)| {
            tabs.contains(&format!("{digit} {name}")) || tabs.contains(&format!("{digit}{name}"))
        };
        let missing: Vec<&str> = digits.zip(&NAMES).filter(|tab| !written(*tab)).map(|(_, name)| *name).collect();
        if !missing.is_empty() {
            faults.push(format!("no tab for {missing:?}: “{tabs}”"));
        }
        let blocks = drawing.rows[0].split(|glyph| !glyph.is_reversed()).filter(|block| !block.is_empty()).count();
        if blocks != 1 {
            faults.push(format!("{blocks} tabs are shown as the active one: “{tabs}”"));
        }
    }
    faults.extend(broken_keys(small, large));
    faults
}

/// The keys at the bottom: as many as there is room for, each whole, in one order.
fn broken_keys(small: &Drawing, large: &Drawing) -> Vec<String> {
    let keys = |one: &Drawing| {
        let row = one.row(one.height() - 1);
        let list: Vec<String> = row.split("  ").map(|hint| hint.trim().to_owned()).filter(|h| !h.is_empty()).collect();
        list
    };
    let (mut few, mut all) = (keys(small), keys(large));
    let mut faults = Vec::new();
    let last = all.pop_if(|key| key == "? help");
    if last.is_some() {
        let to_border = small.row(small.height() - 1).chars().count() == usize::from(small.size.0);
        if few.pop_if(|key| key == "? help").is_none() || !to_border {
            faults.push(format!("no “? help” at the border of {:?}", small.size));
        }
    }
    if few.is_empty() || !all.starts_with(&few) {
        faults.push(format!("keys at the bottom are not the first of those of the wider screen: {few:?}, {all:?}"));
    }
    faults
}

/// Bars of a chart, from the left: the value that stands above each, and its height in rows.
fn bars(drawing: &Drawing) -> Vec<(f64, usize)> {
    let Some((floor, start)) = drawing.body().find_map(|y| {
        let corner = drawing.rows[y].iter().find(|glyph| glyph.symbol == "└")?;
        Some((y, corner.column + 1))
    }) else {
        return Vec::new();
    };
    let is_bar = |y: usize, x: usize| drawing.rows[y].get(x).is_some_and(|glyph| "█▇▆▅▄▃▂▁░".contains(&glyph.symbol));
    // The number in the columns of a bar, if there is one in this row.
    let number = |y: usize, x: usize, wide: usize| {
        let number: String = drawing.rows[y].iter().skip(x).take(wide).map(|glyph| glyph.symbol.as_str()).collect();
        number.trim().replace(',', "").parse::<f64>().ok()
    };
    let begins = (start..usize::from(drawing.size.0))
        .filter(|&x| is_bar(floor - 1, x) && !(x > start && is_bar(floor - 1, x - 1)));
    let bar = |x: usize| {
        let height = (1..floor).rev().take_while(|&y| is_bar(y, x)).count();
        let wide = (x..).take_while(|&x| is_bar(floor - 1, x)).count();
        // A row is left free where the bar ends just below it.
        let above = [1, 2].into_iter().find_map(|rows| number((floor - height).checked_sub(rows)?, x, wide));
        Some((above?, height))
    };
    begins.filter_map(bar).collect()
}

/// Bars whose heights are not in proportion to the values above them.
pub(super) fn wrong_bars(drawing: &Drawing, other: &Drawing) -> Vec<String> {
    let (here, there) = (bars(drawing), bars(other));
    let values = |bars: &[(f64, usize)]| bars.iter().map(|(value, _)| *value).collect::<Vec<_>>();
    if here.is_empty() || values(&here) != values(&there) {
        return vec![format!("bars of {:?}, at {:?} of {:?}", values(&here), other.size, values(&there))];
    }
    let (most, highest) =
        here.iter().fold((0.0_f64, 0), |(most, high), &(value, height)| (most.max(value), high.max(height)));
    let wanted = |value: f64| value / most * highest as f64;
    let wrong = here.iter().filter(|&&(value, height)| (height as f64 - wanted(value)).abs() > 1.5);
    wrong.map(|(value, height)| format!("the bar of {value} is {height} of {highest} rows high")).collect()
}

/// What should stand on a screen and does not, and the other way round.
pub(super) fn wrong_parts(drawing: &Drawing, there: &[&str], absent: &[&str]) -> Vec<String> {
    let lost = there.iter().filter(|part| !drawing.says(part)).map(|part| format!("“{part}” is not there"));
    let extra = absent.iter().filter(|part| drawing.says(part)).map(|part| format!("“{part}” should not be there"));
    lost.chain(extra).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::{headless, sample};

    const NO: Abbreviations<'_> = Abbreviations(&[]);
    const LIST: &str = "j";
    const TEXTS: &str = "3 & \"jaccard<0.9\" enter s s enter";
    const CHART: &str = "7 j l";

    fn drawn(keys: &str, size: (u16, u16)) -> Drawing {
        Drawing::of(&headless(sample(), size, None).keys(keys).buffer())
    }

    /// The drawing with one symbol for another at the first place where this text stands.
    fn spoilt(drawing: &Drawing, text: &str, with: &str) -> Drawing {
        let mut drawing = drawing.clone();
        let found = (0..drawing.height()).find_map(|y| Some((y, drawing.row(y).find(text)?)));
        let (y, byte) = found.unwrap_or_else(|| panic!("no {text} in\n{}", drawing.text()));
        let start = drawing.row(y)[..byte].chars().count();
        for (at, c) in with.chars().enumerate() {
            drawing.rows[y][start + at].symbol = c.to_string();
        }
        drawing
    }

    #[test]
    fn words_that_are_cut_or_overlap_are_found() {
        let (small, large) = (drawn(LIST, (80, 24)), drawn(LIST, (200, 60)));
        assert_eq!(broken_words(&small, &[&large], NO), Vec::<String>::new());
        assert_eq!(broken_words(&spoilt(&small, "supershingles", "supershingl  "), &[&large], NO).len(), 1);
        assert_eq!(broken_words(&spoilt(&small, " 195 ", "x195x"), &[&large], NO).len(), 1);
        let short = Abbreviations(&["supershingl"]);
        assert_eq!(broken_words(&spoilt(&small, "supershingles", "supershingl  "), &[&large], short).len(), 0);
        assert_eq!(broken_words(&spoilt(&small, "supershingles", "subershingl…s"), &[&large], NO).len(), 1);
        assert_eq!(broken_words(&spoilt(&small, "supershingles", "supershing…es"), &[&large], NO).len(), 0);
        assert_eq!(broken_words(&spoilt(&small, "supershingles", "sup…shing…les"), &[&large], NO).len(), 1);
        // What is said over the end of a row may cover a part of a word, of the last one only.
        let mut said = small.clone();
        let row = &mut said.rows[22];
        row.iter_mut().skip(20).for_each(|glyph| {
            glyph.symbol = "x".to_owned();
            glyph.look.1 = Modifier::REVERSED;
        });
        assert_eq!(said.said_from(22), Some(20));
        assert_eq!(broken_words(&said, &[&large], NO).len(), 1, "what is said itself");
    }

    #[test]
    fn boxes_that_are_broken_are_found() {
        let rows = ["", "╭─ Study ─╮╭──────╮", "│ text    ││      ┃", "│         ││      │", "╰─ 1/2 ───╯╰──────╯", ""];
        let glyph = |(column, symbol): (usize, char)| Glyph {
            symbol: symbol.to_string(),
            column,
            look: (Color::Reset, Modifier::empty()),
        };
        let row = |row: &&str| row.chars().enumerate().map(glyph).collect();
        let whole = Drawing { size: (19, 6), rows: rows.iter().map(row).collect() };
        assert_eq!(broken_boxes(&whole, false), Vec::<String>::new());
        for (text, with) in
            [("╮╭", "─╭"), ("││      ┃", "││       "), ("╰─ 1", "│─ 1"), ("╯╰", "╯─"), ("│         │", "          │")]
        {
            let faults = broken_boxes(&spoilt(&whole, text, with), false);
            assert!(!faults.is_empty(), "{text} to {with}: {faults:?}");
        }
        assert_eq!(broken_boxes(&drawn(LIST, (120, 32)), false), Vec::<String>::new());
        // A filter's box lies over the lower part of others, as wide as the screen.
        let filter = drawn("3 &", (100, 30));
        assert_eq!(broken_boxes(&filter, false), Vec::<String>::new());
        assert!(!broken_boxes(&spoilt(&filter, "╭─ Filter", "│─ Filter"), false).is_empty());
    }

    #[test]
    fn texts_that_differ_are_found() {
        let (small, large) = (drawn(TEXTS, (80, 24)), drawn(TEXTS, (200, 60)));
        assert_eq!(other_texts(&small, &large, true), Vec::<String>::new());
        for (text, with) in [("Chapel", "Chopel"), ("Church Field", "Church Fjeld"), ("article 7", "article 8")] {
            assert_eq!(other_texts(&spoilt(&small, text, with), &large, true).len(), 1, "{text}");
        }
        let last = &small.texts()[1][&11];
        assert!(last.may_go_on, "{last:?}");
        assert_eq!(other_texts(&spoilt(&small, "Harker", "Horker"), &large, true).len(), 1, "what is in sight of it");
        assert_eq!(other_texts(&spoilt(&small, "Church Field", "            "), &large, true).len(), 1);
        assert_eq!(other_texts(&drawn("1", (80, 24)), &large, true).len(), 2);
        let mut plain = small.clone();
        plain.rows.iter_mut().flatten().for_each(|glyph| glyph.look.1 = Modifier::empty());
        assert!(!other_texts(&plain, &large, true).is_empty());
    }

    #[test]
    fn a_cursor_that_is_lost_or_elsewhere_is_found() {
        let (small, large) = (drawn(LIST, (80, 24)), drawn(LIST, (200, 60)));
        assert_eq!(lost_cursor(&small, &large), Vec::<String>::new());
        assert_eq!(lost_cursor(&drawn("j j", (80, 24)), &large).len(), 1);
        let mut plain = small.clone();
        plain
            .rows
            .iter_mut()
            .flatten()
            .filter(|glyph| "▌▏".contains(&glyph.symbol))
            .for_each(|glyph| glyph.symbol = " ".to_owned());
        assert_eq!(lost_cursor(&plain, &large).len(), 1);
    }

    #[test]
    fn a_frame_that_is_broken_is_found() {
        let (small, large) = (drawn(LIST, (80, 24)), drawn(LIST, (200, 60)));
        let faults = |drawing: &Drawing| broken_frame(drawing, &large);
        assert_eq!(faults(&small), Vec::<String>::new());
        assert_eq!(broken_frame(&large, &small), Vec::<String>::new());
        assert_eq!(faults(&spoilt(&small, "1Home", "1Hume")).len(), 1);
        assert_eq!(faults(&spoilt(&small, "0Log", "0L g")).len(), 1);
        assert_eq!(faults(&spoilt(&small, "q back", "q ba  ")).len(), 1);
        assert_eq!(faults(&spoilt(&small, "? help", "? hel ")).len(), 2);
        assert_eq!(broken_frame(&spoilt(&large, "9 Corpus", "9 Corpu "), &small).len(), 1);
        let mut plain = small.clone();
        plain.rows[0].iter_mut().for_each(|glyph| glyph.look.1 = Modifier::empty());
        assert_eq!(faults(&plain).len(), 1);
    }

    #[test]
    fn bars_that_are_too_high_or_too_low_are_found() {
        let (small, large) = (drawn(CHART, (80, 24)), drawn(CHART, (200, 60)));
        assert_eq!(bars(&small).iter().map(|bar| bar.0).collect::<Vec<_>>(), [43.0, 39.0, 46.0, 44.0]);
        assert_eq!(wrong_bars(&small, &large), Vec::<String>::new());
        assert_eq!(wrong_bars(&spoilt(&small, "39 ", "19 "), &large).len(), 1);
        let spoil = |drawing: &Drawing| spoilt(drawing, "39 ", "19 ");
        assert_eq!(wrong_bars(&spoil(&small), &spoil(&large)).len(), 1, "of values that are the same");
    }

    #[test]
    fn glyphs_beyond_the_border_and_parts_are_found() {
        let mut small = drawn(LIST, (80, 24));
        assert_eq!(beyond_the_border(&small), Vec::<String>::new());
        small.rows[3][79].symbol = "漢".to_owned();
        assert_eq!(beyond_the_border(&small).len(), 1);
        assert_eq!(wrong_parts(&small, &["simhash-3 172 ╸ 131 42%"], &["simhash-4"]).len(), 0);
        assert_eq!(wrong_parts(&small, &["simhash-4"], &["simhash-3 172"]).len(), 2);
    }
}
