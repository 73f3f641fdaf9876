//! What is known of the configuration under the cursor: its intervals, results by labels, the most similar
//! configurations, and the pairs that it alone found.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::state::{Estimate, MethodsView, OnlyPair, State, TRUTHS, only_in_each};
use super::views::{data_pairs, estimate};
use crate::data::StudyData;
use crate::sample_status::why_withheld;
use crate::theme::Theme;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::draw_text;
use crate::widgets::meter;
use crate::widgets::paragraph::wrapped;
use crate::widgets::pieces::{self, Piece};
use crate::widgets::size::{Breadth, Size, split_columns, split_lines};
use crate::widgets::table;
use dejaview_base::interval::Interval;
use dejaview_evaluation::comparison::Quality;
use dejaview_report::numbers::{count, plural, share};

/// Columns of the pane on wide screens.
const WIDE: u16 = 54;
/// Lines of the strip on narrow screens and of the pane on medium ones, with their frames.
const STRIP: u16 = 3;
const PANE: u16 = 5;
/// Below this many lines there is no strip.
const LOWEST: u16 = 12;
/// Similar configurations that are listed.
const SIMILAR: usize = 5;

/// The pane of the list and that of the details.
pub(super) fn layout(area: Rect, size: Size, zoomed: bool) -> [Rect; 2] {
    let nothing = Rect { height: 0, ..area };
    match size.breadth {
        _ if zoomed || area.height < LOWEST => [area, nothing],
        Breadth::Wide => split_columns(area, area.width - WIDE),
        Breadth::Medium => split_lines(area, area.height - PANE),
        Breadth::Narrow => split_lines(area, area.height - STRIP),
    }
}

/// The details, drawn into the area of their pane.
pub(super) struct Detail<'a> {
    pub state: &'a State,
    pub data: &'a StudyData,
    pub theme: &'a Theme,
    pub size: Size,
    /// Whether the person may see nothing yet of what labels say, which is what is asked for.
    pub withheld: bool,
}

impl Detail<'_> {
    pub fn draw(&self, buffer: &mut Buffer, area: Rect) {
        let hidden = area.height == 0 || self.withheld;
        let Some((a, b)) = self.state.current(self.data).filter(|_| !hidden) else { return };
        let name = |c: usize| self.data.table.configurations()[c].as_str();
        let title = if a == b { name(a).to_owned() } else { format!("{} and {}", name(a), name(b)) };
        let lines = match self.size.breadth {
            _ if a != b => self.two(a, b),
            Breadth::Wide => self.all_about(a, usize::from(area.width.saturating_sub(5)).max(1)),
            Breadth::Medium => self.few_lines(a, usize::from(area.width.saturating_sub(5)).max(1)),
            Breadth::Narrow => self.two_lines(a),
        };
        let pairs = self.listed(a, b);
        let first = lines.len() + 1;
        let page = usize::from(Frame::inside(area, self.size).height).saturating_sub(first);
        let mut cursor = self.state.pair;
        cursor.keep(pairs.len(), page);
        let right = self.state.quality(a).filter(|_| a == b && self.size.breadth == Breadth::Medium);
        let qualifier = match a == b {
            true => self.state.quality(a).and_then(|quality| Some(format!("by sample {}", quality.samples.as_ref()?))),
            false => self.state.dice(a, b).map(|dice| format!("Dice {dice:.3}")),
        };
        let frame = Frame {
            qualifier: qualifier.unwrap_or_default(),
            right: right.map_or(String::new(), |quality| format!("o {}", only_words(quality))),
            focused: self.state.focus.is_on(1),
            scroll: Scroll { top: cursor.top, page, len: pairs.len() },
            ..Frame::new(title)
        };
        let inside = frame.draw(buffer, area, self.size, self.theme);
        for (y, line) in (inside.y..inside.bottom()).zip(&lines) {
            pieces::draw(buffer, (inside.x + 1, y), inside.width.saturating_sub(1), line);
        }
        let top = inside.y + first as u16;
        for (y, (number, pair)) in (top..inside.bottom()).zip(pairs.iter().enumerate().skip(cursor.top)) {
            let line = Rect { y, height: 1, ..inside };
            let x = inside.x + 1;
            let jaccard = pair.jaccard.map_or("–".to_owned(), |jaccard| format!("{jaccard:.2}"));
            let style = pair.jaccard.map_or(self.theme.faint, |jaccard| self.theme.heat(jaccard));
            draw_text(buffer, (x, y), 5, &jaccard, style);
            draw_text(buffer, (x + 5, y), inside.width.saturating_sub(6), &pair.title, self.theme.text);
            if number == cursor.at && self.state.focus.is_on(1) {
                table::select(buffer, line, true, self.theme);
            }
        }
    }

    /// The pairs that the configuration alone found, where there is room for them.
    pub fn listed(&self, a: usize, b: usize) -> &[OnlyPair] {
        let wide = self.size.breadth == Breadth::Wide && a == b;
        self.state.only.as_ref().filter(|(c, _)| wide && *c == a).map_or(&[], |(_, pairs)| pairs)
    }

    fn text(&self, text: impl Into<String>) -> Vec<Piece> {
        vec![(text.into(), self.theme.text)]
    }

    fn muted(&self, text: impl Into<String>) -> Vec<Piece> {
        vec![(text.into(), self.theme.muted)]
    }

    /// A name and a value with its interval: `P 0.104 (0.096–0.114)`.
    fn named_share(&self, name: &str, value: Option<Interval>) -> Vec<Piece> {
        vec![(format!("{name} "), self.theme.muted), (format!("{}  ", share(value)), self.theme.text)]
    }

    /// The cell of the matrix in words.
    fn two(&self, a: usize, b: usize) -> Vec<Vec<Piece>> {
        let name = |c: usize| &self.data.table.configurations()[c];
        let Some(dice) = self.state.dice(a, b) else { return Vec::new() };
        let (first, second) = only_in_each(dice, data_pairs(self.data, a), data_pairs(self.data, b));
        let line = |pairs: u64, c: usize, key: &str| {
            vec![
                (count(pairs), self.theme.strong),
                (format!(" only {} ", name(c)), self.theme.text),
                (key.to_owned(), self.theme.accent),
            ]
        };
        vec![line(first, a, "⏎"), line(second, b, "r")]
    }

    /// What the numbers of a configuration rest on, or why they are held back.
    fn notes(&self, quality: &Quality) -> String {
        match self.state.measured() {
            Some(measured) if measured.evaluation.is_held_back(quality) => why_withheld(&measured.withheld),
            measured => measured.map_or(String::new(), |measured| measured.notes.join(" · ")),
        }
    }

    fn two_lines(&self, c: usize) -> Vec<Vec<Piece>> {
        let Some(quality) = self.state.quality(c) else { return Vec::new() };
        let mut first = self.named_share("P", quality.precision);
        first.extend(self.named_share("R", quality.recall));
        first.extend(self.named_share("F", quality.f1));
        let mut second = self.text(format!("{}  ", only_words(quality)));
        second.extend(self.muted(self.notes(quality)));
        vec![first, second]
    }

    fn few_lines(&self, c: usize, columns: usize) -> Vec<Vec<Piece>> {
        let Some(quality) = self.state.quality(c) else { return Vec::new() };
        let shares = Estimate::ALL.iter().flat_map(|e| self.named_share(e.name(), e.interval(quality)));
        let mut lines = vec![shares.collect()];
        lines.extend(self.by_labels(c).map(|(words, quality)| {
            // The numbers come first: what they rest on may be cut off.
            let mut line = self.muted("by labels: ");
            line.extend(self.named_share("precision", quality.precision));
            line.extend(self.named_share("recall", quality.recall));
            line.extend(self.muted(words));
            line
        }));
        lines.extend(wrapped(&self.notes(quality), columns).into_iter().map(|line| self.muted(line)));
        lines
    }

    /// The quality by labels and what it rests on, where labels are not the truth anyway.
    fn by_labels(&self, c: usize) -> Option<(String, &Quality)> {
        let measured = self.state.measured()?;
        let quality = measured.by_labels.as_ref()?.comparison.configurations.get(c)?;
        let basis = quality.basis.as_ref().map_or(String::new(), |basis| format!("of {basis}"));
        quality.precision.map(|_| (basis, quality))
    }

    fn all_about(&self, c: usize, columns: usize) -> Vec<Vec<Piece>> {
        let paragraph = |text: &str| wrapped(text, columns).into_iter().map(|line| self.text(line)).collect::<Vec<_>>();
        let mut lines = paragraph(self.data.recipe.configurations[c].algorithm().about);
        let Some(quality) = self.state.quality(c) else { return lines };
        let cells = columns.saturating_sub(12).min(41) as u16;
        for measure in Estimate::ALL {
            let known = measure.interval(quality);
            lines.push(Vec::new());
            lines.push(vec![
                (format!("{:<10} ", measure.name()), self.theme.muted),
                (
                    known.map_or_else(|| self.state.no_estimate(c).to_owned(), |known| share(Some(known))),
                    self.theme.strong,
                ),
            ]);
            if let Some(known) = known {
                lines.push(self.text(format!("{:11}{}", "", meter::interval(Some(estimate(known)), cells))));
            }
        }
        if let Some((words, quality)) = self.by_labels(c) {
            lines.extend([Vec::new(), self.muted(format!("by labels {words}").trim_end())]);
            for (name, value) in [("precision", quality.precision), ("recall", quality.recall)] {
                lines.push(vec![(format!("{name:<10} "), self.theme.muted), (share(value), self.theme.text)]);
            }
        }
        lines.extend(self.similar(c));
        lines.extend([Vec::new(), self.muted("found only by it (o)")]);
        let truth = TRUTHS[self.state.truth].in_words();
        let known = quality
            .only_true
            .map_or(String::new(), |known| format!(", {} true by {truth}", count(known.value.round() as u64)));
        lines.push(self.text(format!("{}{known}", plural(quality.only, "pair"))));
        let notes = wrapped(&self.notes(quality), columns);
        lines.extend(std::iter::once(Vec::new()).chain(notes.into_iter().map(|line| self.muted(line))));
        lines
    }

    fn similar(&self, c: usize) -> Vec<Vec<Piece>> {
        let names = self.data.table.configurations();
        let mut others: Vec<(f64, &str)> = (0..names.len())
            .filter(|&other| other != c)
            .filter_map(|other| Some((self.state.dice(c, other)?, names[other].as_str())))
            .collect();
        others.sort_by(|a, b| b.0.total_cmp(&a.0));
        others.truncate(SIMILAR);
        let mut lines = vec![Vec::new(), self.muted("most similar (Dice)")];
        lines.extend(others.into_iter().map(|(dice, name)| {
            vec![
                (format!("{name:<16} "), self.theme.text),
                (format!("{dice:.2} "), self.theme.text),
                (meter::meter(dice, 1.0, 24), self.theme.heat(dice)),
            ]
        }));
        lines
    }
}

/// Pairs that no other configuration found.
fn only_words(quality: &Quality) -> String {
    let known =
        quality.only_true.map_or(String::new(), |known| format!(", {} true", count(known.value.round() as u64)));
    format!("found only by it: {}{known}", count(quality.only))
}

/// What the list of details is for in each view: none for the matrix, where two configurations are compared.
pub(super) fn lists_pairs(view: MethodsView, size: Size) -> bool {
    view != MethodsView::Matrix && size.breadth == Breadth::Wide
}
