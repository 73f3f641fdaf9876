//! Two documents with their differences, all scores, who found the pair, and why.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::labels::Order;
use crate::methods::measures::Scores;
use crate::study::Verdict;
use crate::tui::action::Action;
use crate::tui::data::StudyData;
use crate::tui::jobs::{Effect, OpenPair};
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::moved;
use crate::tui::widgets::diff_view::DiffView;
use crate::tui::widgets::glyphs::{draw_text, width};

/// Lines above the answers of the configurations.
const HEAD: u16 = 3;

/// Columns between two answers.
const GAP: usize = 2;

/// Wishes of Label are numbered above this, those of Compare below: an answer finds its own pane.
pub const LABEL: u64 = 1 << 63;

/// Wishes of Review are numbered above this one.
pub const REVIEW: u64 = LABEL | 1 << 62;

/// A pair by its ids.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct PairIds {
    /// Source id.
    pub source: String,
    /// Target id.
    pub target: String,
}

/// A pair laid open: shared by this screen and Label.
#[derive(Debug, Default)]
pub struct Pane {
    /// Which pair.
    pub ids: PairIds,
    /// Its texts once a worker has fetched them, or why it could not.
    pub open: Option<Result<Box<OpenPair>, String>>,
    /// How they are looked at.
    pub view: DiffView,
    /// Whether the target stands first.
    pub swapped: bool,
    /// Whether a pair will come that is not known yet.
    awaited: bool,
    generation: u64,
}

impl Pane {
    /// Asks for a pair.
    pub fn show(&mut self, ids: PairIds, rendered: bool) -> Effect {
        self.show_in(ids, Order::SourceFirst, rendered)
    }

    /// Asks for a pair, with one or the other document first.
    pub fn show_in(&mut self, ids: PairIds, order: Order, rendered: bool) -> Effect {
        let (source, target) = (ids.source.clone(), ids.target.clone());
        self.swapped = order == Order::TargetFirst;
        let generation = self.expect(ids);
        Effect::Pair { generation, source, target, rendered, swapped: self.swapped }
    }

    /// Waits for a pair, whoever brings it; the number that its answer must bear.
    pub fn expect(&mut self, ids: PairIds) -> u64 {
        self.generation += 1;
        self.open = None;
        self.awaited = false;
        self.ids = ids;
        self.generation
    }

    /// A pane whose wishes are numbered from here on, so that no answer to another pane's wish is taken for its own.
    pub fn numbered_from(generation: u64) -> Self {
        Self { generation, ..Self::default() }
    }

    /// Whether an answer is to the newest wish.
    pub fn awaits(&self, generation: u64) -> bool {
        generation == self.generation && self.open.is_none()
    }

    /// Takes the texts.
    pub fn opened(&mut self, result: Result<Box<OpenPair>, String>) {
        if let Ok(open) = &result {
            self.view = self.view.fresh(&open.texts);
        }
        self.open = Some(result);
    }

    /// Scrolls and the like.
    pub fn update(&mut self, action: Action, area: Rect) -> bool {
        match &self.open {
            Some(Ok(open)) => self.view.update(action, &open.texts, area),
            _ => false,
        }
    }

    /// Looks for words.
    pub fn search(&mut self, query: &str) {
        if let Some(Ok(open)) = &self.open {
            self.view.search(query, &open.texts);
        }
    }

    /// Draws the texts, or what is in the way.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        match &self.open {
            Some(Ok(open)) => self.view.draw(buffer, area, &open.texts, theme),
            Some(Err(why)) => {
                draw_text(buffer, (area.x + 1, area.y), area.width.saturating_sub(2), why, theme.warning);
            }
            None if self.ids.source.is_empty() && !self.awaited => {
                let note = "No pair yet: choose one on screen 3 (Pairs) and press Enter.";
                draw_text(buffer, (area.x + 1, area.y), area.width.saturating_sub(2), note, theme.text);
            }
            None => {
                draw_text(buffer, (area.x + 1, area.y), area.width.saturating_sub(2), "reading…", theme.dim);
            }
        }
    }

    /// Which change one is at; how much is equal only where that gives no score away.
    pub fn status(&self, blind: bool) -> String {
        let Some(Ok(open)) = &self.open else { return String::new() };
        let (at, all) = self.view.place(&open.texts);
        let diff = &open.texts.diff;
        let equal = format!(
            "{:.0} % of the source and {:.0} % of the target equal · {}",
            (100.0 * if self.swapped { diff.equal_target } else { diff.equal_source }).floor(),
            (100.0 * if self.swapped { diff.equal_source } else { diff.equal_target }).floor(),
            diff.precision
        );
        let equal = if blind { diff.precision.to_string() } else { equal };
        let place = if all == 0 { "no change".to_owned() } else { format!("change {at}/{all}") };
        let note = open.note.as_ref().map(|note| format!(" · {note}")).unwrap_or_default();
        format!("{place} · {equal}{note}")
    }

    /// Draws a line about each document.
    pub fn draw_documents(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        if self.ids.source.is_empty() {
            return;
        }
        let mut ids = [&self.ids.source, &self.ids.target];
        if self.swapped {
            ids.reverse();
        }
        for (line, (mark, id)) in ["A", "B"].into_iter().zip(ids).enumerate() {
            let more = match &self.open {
                Some(Ok(open)) => {
                    let document = if (line == 0) != self.swapped { &open.source } else { &open.target };
                    let place = if document.segment.is_empty() {
                        String::new()
                    } else {
                        format!("segment {} · ", document.segment)
                    };
                    format!("{place}{} B {} · {}", document.bytes, document.charset, document.url)
                }
                _ => String::new(),
            };
            let y = area.y + line as u16;
            let used = draw_text(buffer, (area.x, y), area.width, &format!("{mark} {id}"), theme.title);
            let x = area.x + used + 2;
            draw_text(buffer, (x.min(area.x + area.width), y), area.width.saturating_sub(used + 2), &more, theme.dim);
        }
    }
}

/// The screen.
#[derive(Debug, Default)]
pub struct Compare {
    /// The texts.
    pub pane: Pane,
    rendered: bool,
    why: Option<Why>,
    /// Number of the last question why.
    asked: u64,
}

/// The answer to "why", as lines.
#[derive(Debug, Default)]
struct Why {
    generation: u64,
    lines: Vec<String>,
    top: usize,
}

impl Compare {
    /// Opens a pair.
    pub fn show(&mut self, ids: PairIds) -> Vec<Effect> {
        self.rendered = false;
        let mut effects = vec![self.pane.show(ids, false)];
        if self.why.is_some() {
            effects.push(self.ask());
        }
        effects
    }

    /// Opens a pair together with why it matches.
    pub fn show_why(&mut self, ids: PairIds) -> Vec<Effect> {
        self.why.get_or_insert_default();
        self.show(ids)
    }

    fn ask(&mut self) -> Effect {
        self.asked += 1;
        let generation = self.asked;
        self.why = Some(Why { generation, lines: vec!["thinking…".to_owned()], top: 0 });
        Effect::Why { generation, source: self.pane.ids.source.clone(), target: self.pane.ids.target.clone() }
    }

    /// Waits for a pair that is not known yet.
    pub fn wait(&mut self) {
        self.pane.awaited = true;
        self.pane.ids = PairIds::default();
        self.pane.open = None;
    }

    /// Takes the pair it waits for, unless another was opened meanwhile.
    pub fn come(&mut self, ids: Option<PairIds>) -> Vec<Effect> {
        if !std::mem::take(&mut self.pane.awaited) {
            return Vec::new();
        }
        ids.map(|ids| self.show(ids)).unwrap_or_default()
    }

    /// Asks again for a pair whose wish was overtaken by another screen's.
    pub fn entered(&mut self) -> Vec<Effect> {
        let lost = self.pane.open.is_none() && !self.pane.ids.source.is_empty();
        if lost { vec![self.pane.show(self.pane.ids.clone(), self.rendered)] } else { Vec::new() }
    }

    /// Takes an explanation, unless it is late.
    pub fn explained(&mut self, generation: u64, result: Result<Box<Verdict>, String>) {
        if let Some(why) = self.why.as_mut().filter(|why| why.generation == generation) {
            why.lines = match result {
                Ok(verdict) => lines(&verdict),
                Err(error) => vec![error],
            };
        }
    }

    /// None when the action is none of this screen's.
    pub fn update(&mut self, action: Action, data: &StudyData, area: Rect) -> Option<Vec<Effect>> {
        match action {
            Action::Why if self.pane.ids.source.is_empty() => Some(Vec::new()),
            Action::Why if self.why.take().is_some() => Some(Vec::new()),
            Action::Why => Some(vec![self.ask()]),
            Action::Rendered if self.pane.ids.source.is_empty() => Some(Vec::new()),
            Action::Rendered => {
                self.rendered = !self.rendered;
                Some(vec![self.pane.show(self.pane.ids.clone(), self.rendered)])
            }
            _ => {
                let texts = texts(area, data);
                let page = usize::from(texts.height);
                if let Some(why) = &mut self.why
                    && let Some(top) = moved(action, why.top, page, why.lines.len().saturating_sub(page))
                {
                    why.top = top;
                    return Some(Vec::new());
                }
                self.pane.update(action, texts).then(Vec::new)
            }
        }
    }

    /// Draws everything.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, (label, theme): (&str, &Theme)) {
        self.pane.draw_documents(buffer, area, theme);
        let row = data.table.find(&self.pane.ids.source, &self.pane.ids.target);
        let texts = texts(area, data);
        if let Some(row) = row.filter(|_| texts.height > 0) {
            let place = |line: u16| (area.x, area.y + line);
            draw_text(buffer, place(2), area.width, &scores(&data.table.pair(row).scores()), theme.text);
            let room = (usize::from(area.width), usize::from(strip(area, data)));
            for (line, text) in (HEAD..).zip(verdicts(data, row, label, room)) {
                draw_text(buffer, place(line), area.width, &text, theme.text);
            }
        }
        match &self.why {
            None => self.pane.draw(buffer, texts, theme),
            Some(why) => {
                for (line, text) in why.lines.iter().skip(why.top).take(usize::from(texts.height)).enumerate() {
                    let style = if text.starts_with(' ') { theme.text } else { theme.title };
                    draw_text(buffer, (texts.x + 1, texts.y + line as u16), texts.width.saturating_sub(2), text, style);
                }
            }
        }
    }
}

fn texts(area: Rect, data: &StudyData) -> Rect {
    let head = HEAD + strip(area, data);
    Rect { y: area.y + head.min(area.height), height: area.height.saturating_sub(head), ..area }
}

/// Lines for the answers of all configurations: what they need, but no more than an eighth of the screen. The same for
/// every pair, so that texts do not jump.
fn strip(area: Rect, data: &StudyData) -> u16 {
    // A mark in front and a distance of one digit behind.
    let answers = data.table.configurations().iter().map(|name| width(name) + 4);
    let lines = lines_of(answers, usize::from(area.width)).last().map_or(1, |last| last + 1);
    (lines as u16).min((area.height / 8).max(1))
}

/// The line on which each thing of these widths stands when they follow one another.
fn lines_of(widths: impl Iterator<Item = usize>, room: usize) -> Vec<usize> {
    let (mut line, mut used) = (0, 0);
    let place = |wide: usize| {
        if used > 0 && used + GAP + wide > room {
            (line, used) = (line + 1, 0);
        }
        used += wide + if used > 0 { GAP } else { 0 };
        line
    };
    widths.map(place).collect()
}

fn lines(verdict: &Verdict) -> Vec<String> {
    let scores = &verdict.scores;
    let characters = scores.edit_characters.map_or("too long".to_owned(), |ratio| format!("{ratio:.3}"));
    let mut lines = vec![format!("edit ratio: words {:.3}, characters {characters}", scores.edit_words)];
    for configuration in &verdict.configurations {
        let mut tree = configuration.tree.lines().into_iter();
        lines.push(String::new());
        lines.push(format!("{}: {}", configuration.name, tree.next().unwrap_or_default()));
        lines.extend(tree);
    }
    lines
}

fn scores(s: &Scores) -> String {
    format!(
        "Jaccard n=1 {:.3}  n=2 {:.3}  n=3 {:.3}  n=5 {:.3}  n=8 {:.3} · A in B {:.3} B in A {:.3} · cosine {:.3} · S3 {:.3} · length {:.3}",
        s.jaccard_1,
        s.jaccard_2,
        s.jaccard_3,
        s.jaccard_5,
        s.jaccard_8,
        s.containment_source,
        s.containment_target,
        s.cosine,
        s.s3,
        s.length_ratio
    )
}

/// Every configuration's answer at a glance, behind the label if there is one. Where not all answers fit, those that found
/// the pair come first and the rest is counted.
fn verdicts(data: &StudyData, row: usize, label: &str, (room, lines): (usize, usize)) -> Vec<String> {
    let distances = data.table.distances(row);
    let distance = |name: &str| distances.iter().find(|(found, _)| *found == name).map(|(_, distance)| distance);
    let answer = |name: &String| match distance(name) {
        Some(distance) => format!("✓ {name} {distance}"),
        None => format!("✗ {name}"),
    };
    let label = (!label.is_empty()).then(|| format!("label: {label}"));
    let with_label = |answers: Vec<String>| flowed(label.clone().into_iter().chain(answers).collect(), room);
    let names = data.table.configurations();
    let all = with_label(names.iter().map(answer).collect());
    if all.len() <= lines {
        return all;
    }
    let found: Vec<String> = names.iter().filter(|name| distance(name).is_some()).map(answer).collect();
    let missed = names.len() - found.len();
    let missed = (missed > 0).then(|| format!("✗ {missed} others"));
    let shortened = |kept: usize| {
        let more = (kept < found.len()).then(|| format!("✓ {} more", found.len() - kept));
        with_label(found[..kept].iter().cloned().chain(more).chain(missed.clone()).collect())
    };
    (1..=found.len()).rev().map(shortened).find(|text| text.len() <= lines).unwrap_or_else(|| shortened(0))
}

/// Things one after the other, on as many lines as they need.
fn flowed(things: Vec<String>, room: usize) -> Vec<String> {
    let places = lines_of(things.iter().map(|thing| width(thing)), room);
    let mut lines: Vec<String> = Vec::new();
    for (thing, line) in things.into_iter().zip(places) {
        match lines.get_mut(line) {
            Some(begun) => *begun += &format!("{}{thing}", " ".repeat(GAP)),
            None => lines.push(thing),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_flow_onto_lines_that_hold_them() {
        let things = ["✓ a 0", "✗ bcd", "✗ efghi", "✗ j"].map(str::to_owned).to_vec();
        assert_eq!(flowed(things.clone(), 80), ["✓ a 0  ✗ bcd  ✗ efghi  ✗ j"]);
        assert_eq!(flowed(things.clone(), 12), ["✓ a 0  ✗ bcd", "✗ efghi  ✗ j"]);
        assert_eq!(flowed(things.clone(), 1).len(), 4, "what is too long has a line of its own");
        assert_eq!(flowed(Vec::new(), 10), [] as [&str; 0]);
    }
}
