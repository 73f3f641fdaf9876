//! The views of the list: quality with its intervals, the matrix of Dice, and what unions add.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::state::{Estimate, MethodsView, PENDING, State, TRUTHS};
use crate::data::StudyData;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::frame::{Frame, Scroll, Tabs};
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::matrix::{Grid, Matrix};
use crate::widgets::meter;
use crate::widgets::names::short;
use crate::widgets::paragraph::wrapped;
use crate::widgets::size::Size;
use crate::widgets::table::{self, Column, Rows};
use dejaview_base::interval::Interval;
use dejaview_report::numbers::count;
use dejaview_study::Evaluation;

/// Columns of a drawn interval, at least and at most.
const INTERVAL: (u16, u16) = (12, 31);
/// Columns of a configuration's name, at least and at most.
const NAME: (u16, u16) = (13, 30);
/// Columns of a value, with the blanks around it.
const VALUE: u16 = 6;
/// Columns of a number of pairs.
const PAIRS: u16 = 7;
/// Columns of the samples that a row rests on, at least and at most.
const SAMPLES: (u16, u16) = (2, 14);
/// Said where rows rest on different samples.
const NOT_COMPARABLE: &str = "rows by different samples are not comparable";
/// Columns of a cell of the matrix.
const DICE: u16 = 3;

/// The list of configurations, drawn into the area of its pane.
pub(super) struct List<'a> {
    pub state: &'a State,
    pub data: &'a StudyData,
    pub theme: &'a Theme,
    pub size: Size,
    /// Why the person may see nothing yet of what labels say.
    pub withheld: Option<&'a str>,
}

impl List<'_> {
    /// Rows of the list, and how many fit.
    pub fn rows_and_page(&self, area: Rect) -> (usize, usize) {
        let inside = Frame::inside(area, self.size);
        match self.state.view {
            MethodsView::Quality => (self.data.table.configurations().len(), table::page(inside)),
            MethodsView::Matrix => (self.data.table.configurations().len(), self.grid(inside).page),
            MethodsView::Unions => (self.state.steps().len(), table::page(inside)),
        }
    }

    /// How the matrix is cut to the inside of the pane.
    pub fn grid(&self, inside: Rect) -> Grid {
        Grid::new(inside, &self.names(), &self.heads(), DICE)
    }

    fn names(&self) -> Vec<&str> {
        self.state.order(self.data).into_iter().map(|c| self.data.table.configurations()[c].as_str()).collect()
    }

    /// The names of the columns without what many of them share.
    fn heads(&self) -> Vec<&str> {
        self.names().into_iter().map(short).collect()
    }

    fn cursor(&self) -> Cursor {
        if self.state.view == MethodsView::Unions { self.state.step } else { self.state.cursor }
    }

    pub fn draw(&self, buffer: &mut Buffer, area: Rect) {
        let (len, page) = self.rows_and_page(area);
        let mut cursor = self.cursor();
        cursor.keep(len, page);
        let (view, sort) = (self.state.view, self.state.sort.name());
        let measuring = if self.state.is_measuring() { " · measuring…" } else { "" };
        let position = match view {
            MethodsView::Unions => format!("{}/{len}", (cursor.at + 1).min(len)),
            _ => format!("{}/{len} · {sort}", (cursor.at + 1).min(len)),
        };
        let frame = Frame {
            tabs: Tabs { names: MethodsView::ALL.map(|view| view.name().to_owned()).to_vec(), active: view.number() },
            qualifier: format!("truth: {} (t){measuring}", TRUTHS[self.state.truth].in_words()),
            position,
            legend: match view {
                MethodsView::Quality if self.sample_width().is_some() => NOT_COMPARABLE.to_owned(),
                MethodsView::Quality => "├─●─┤ value with its 95% interval".to_owned(),
                MethodsView::Matrix => "overlap of two configurations (Dice)".to_owned(),
                MethodsView::Unions => self.unions_legend(),
            },
            focused: self.state.focus.is_on(0),
            scroll: Scroll { top: cursor.top, page, len },
            ..Frame::default()
        };
        let inside = frame.draw(buffer, area, self.size, self.theme);
        if let Some(Err(why)) = &self.state.measured[self.state.truth] {
            return self.draw_failure(buffer, inside, why);
        }
        if let Some(why) = self.withheld {
            return self.draw_failure(buffer, inside, why);
        }
        match view {
            MethodsView::Quality => self.draw_quality(buffer, inside),
            MethodsView::Matrix => self.draw_matrix(buffer, inside),
            MethodsView::Unions => self.draw_unions(buffer, inside),
        }
    }

    /// What a step is, and by which labels.
    fn unions_legend(&self) -> String {
        let sample = self.state.evaluation().and_then(|evaluation| evaluation.unions_of.as_ref());
        let by = sample.map_or(String::new(), |sample| format!(", by sample {sample} alone"));
        format!("each step adds the most true pairs{by}")
    }

    /// Columns for the samples that a row rests on; none where all rest on the same.
    fn sample_width(&self) -> Option<u16> {
        let evaluation = self.state.evaluation().filter(|evaluation| evaluation.rests_on_different_samples())?;
        let names = evaluation.comparison.configurations.iter().filter_map(|quality| quality.samples.as_deref());
        names.map(|names| width(names) as u16).max().map(|most| most.clamp(SAMPLES.0, SAMPLES.1))
    }

    fn draw_failure(&self, buffer: &mut Buffer, area: Rect, why: &str) {
        let columns = usize::from(area.width.saturating_sub(2)).max(1);
        for (y, line) in (area.y + 1..area.bottom()).zip(wrapped(why, columns)) {
            draw_text(buffer, (area.x + 1, y), area.width.saturating_sub(1), &line, self.theme.warning);
        }
    }

    fn draw_quality(&self, buffer: &mut Buffer, area: Rect) {
        let (names, order) = (self.data.table.configurations(), self.state.order(self.data));
        let name = names.iter().map(|name| width(name) as u16).max().unwrap_or(0).clamp(NAME.0, NAME.1);
        let samples = self.sample_width();
        let taken = name + 1 + PAIRS + 2 + samples.map_or(0, |columns| columns + 1);
        let intervals = interval_widths(area.width.saturating_sub(taken));
        let mut columns = vec![Column::left(" configuration", name + 1), Column::right("pairs", PAIRS)];
        columns.extend(samples.map(|columns| Column::left("by", columns)));
        let estimates = Estimate::ALL.iter().zip(intervals).filter_map(|(estimate, cells)| Some((*estimate, cells?)));
        let estimates: Vec<(Estimate, u16)> = estimates.collect();
        columns.extend(estimates.iter().map(|(estimate, cells)| Column::left(estimate.name(), VALUE + cells)));
        let cells = |row: usize| {
            let c = order[row];
            let pairs = data_pairs(self.data, c);
            let mut cells = vec![(format!(" {}", names[c]), self.theme.text), (count(pairs), self.theme.text)];
            let quality = self.state.quality(c);
            let by = quality.and_then(|quality| quality.samples.clone()).unwrap_or_default();
            cells.extend(samples.map(|_| (by, self.theme.muted)));
            cells.extend(estimates.iter().map(|(estimate, cells)| match quality {
                Some(quality) => self.estimate_cell(c, estimate.interval(quality), *cells),
                None => (PENDING.to_owned(), self.theme.muted),
            }));
            cells
        };
        let rows = Rows { cursor: self.state.cursor, len: order.len(), focused: self.state.focus.is_on(0) };
        table::draw(buffer, area, &columns, rows, self.theme, cells);
    }

    fn estimate_cell(&self, c: usize, interval: Option<Interval>, cells: u16) -> (String, Style) {
        match interval {
            Some(known) => {
                let drawn = meter::interval(Some(estimate(known)), cells);
                (format!("{:.3} {drawn}", known.value), self.theme.text)
            }
            // There is no room for the reason, which is beside precision.
            None if cells == 0 => ("–".to_owned(), self.theme.muted),
            None => (self.state.no_estimate(c).to_owned(), self.theme.muted),
        }
    }

    fn draw_matrix(&self, buffer: &mut Buffer, area: Rect) {
        let (order, names) = (self.state.order(self.data), self.names());
        let cell = |row: usize, column: usize| match self.state.dice(order[row], order[column]) {
            _ if row == column => ("·".to_owned(), self.theme.faint),
            Some(dice) => (two_decimals(dice), self.theme.heat(dice)),
            None => (PENDING.to_owned(), self.theme.muted),
        };
        let heads = self.heads();
        let matrix = Matrix { rows: &names, heads: &heads, cell: &cell };
        matrix.draw(buffer, area, self.grid(area), (self.state.cursor, self.state.across), self.theme);
    }

    fn draw_unions(&self, buffer: &mut Buffer, area: Rect) {
        let steps = self.state.steps();
        if steps.is_empty() {
            let note = self.state.evaluation().map_or_else(|| PENDING.to_owned(), Evaluation::no_unions);
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), &note, self.theme.muted);
            return;
        }
        let names = steps.iter().map(|step| width(&step.name) as u16).max().unwrap_or(0).clamp(NAME.0, NAME.1);
        let bar = area.width.saturating_sub(names + 42).min(40);
        let columns = [
            Column::right("step", 5),
            Column::left("adds", names),
            Column::right("recall", 7),
            Column::left("", bar),
            Column::right("gain", 7),
            Column::right("precision", 10),
        ];
        let cells = |row: usize| {
            let step = &steps[row];
            let previous = row.checked_sub(1).map_or(0.0, |previous| steps[previous].recall);
            vec![
                (format!("{}", row + 1), self.theme.muted),
                (step.name.clone(), self.theme.text),
                (format!("{:.3}", step.recall), self.theme.strong),
                (meter::meter(step.recall, 1.0, bar), self.theme.heat(step.recall)),
                (format!("+{:.3}", step.recall - previous), self.theme.text),
                (format!("{:.3}", step.precision), self.theme.text),
            ]
        };
        let rows = Rows { cursor: self.state.step, len: steps.len(), focused: self.state.focus.is_on(0) };
        table::draw(buffer, area, &columns, rows, self.theme, cells);
        let below = area.y + 2 + steps.len() as u16;
        let notes = self.state.evaluation().map(Evaluation::beside_unions).unwrap_or_default();
        for (y, note) in (below..area.bottom()).zip(notes) {
            draw_text(buffer, (area.x + 1, y), area.width.saturating_sub(1), &note, self.theme.muted);
        }
    }
}

/// How many pairs a configuration found.
pub(super) fn data_pairs(data: &StudyData, c: usize) -> u64 {
    data.counts.get(c).copied().unwrap_or_default().0
}

/// An interval as meters take it.
pub(super) fn estimate(interval: Interval) -> meter::Estimate {
    meter::Estimate { low: interval.low, value: interval.value, high: interval.high }
}

/// `.83`, and `1.0` for what is nearly 1.
fn two_decimals(value: f64) -> String {
    let text = format!("{value:.2}");
    text.strip_prefix('0').map_or_else(|| "1.0".to_owned(), str::to_owned)
}

/// Cells of the intervals of precision, recall and F; none where an estimate is left out. First the interval of F gives way,
/// then the width of the others, then that of recall; the numbers stay, that of F as long as there is room.
fn interval_widths(room: u16) -> [Option<u16>; 3] {
    let beside = |numbers: u16| room.saturating_sub(numbers * (VALUE + 1));
    let (three, two) = (beside(3) / 3, beside(3) / 2);
    if three >= INTERVAL.0 {
        [Some(three.min(INTERVAL.1)); 3]
    } else if two >= INTERVAL.0 {
        [Some(two.min(INTERVAL.1)), Some(two.min(INTERVAL.1)), Some(0)]
    } else if beside(3) > 0 {
        [Some(beside(3).min(INTERVAL.0)), Some(0), Some(0)]
    } else {
        [Some(beside(2).min(INTERVAL.0)), Some(0), None]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_dice_fit_three_columns() {
        assert_eq!([0.0, 0.834, 0.999, 1.0].map(two_decimals), [".00", ".83", "1.0", "1.0"]);
    }

    #[test]
    fn intervals_give_way_and_the_numbers_stay() {
        assert_eq!(interval_widths(150), [Some(31); 3]);
        assert_eq!(interval_widths(60), [Some(13); 3]);
        assert_eq!(interval_widths(55), [Some(17), Some(17), Some(0)]);
        assert_eq!(interval_widths(30), [Some(9), Some(0), Some(0)]);
        assert_eq!(interval_widths(20), [Some(6), Some(0), None]);
        for room in 20..300 {
            let used: u16 = interval_widths(room).iter().flatten().map(|cells| cells + VALUE + 1).sum();
            assert!(used <= room, "{room}: {used}");
        }
    }
}
