//! How figures are drawn: the list of series, the chart, and what is under the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::matrix;
use super::state::{SCATTER, State, extrapolation_words};
use crate::data::StudyData;
use crate::theme::Theme;
use crate::widgets::chart::{self, Bar};
use crate::widgets::frame::{Frame, Scroll, Tabs};
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::meter;
use crate::widgets::paragraph::wrapped;
use crate::widgets::pieces::{self, Piece};
use crate::widgets::size::{Size, split_columns, split_lines};
use crate::widgets::table;
use dejaview_report::numbers::{count, plural};
use dejaview_study::{Figure, Kind, Series};

/// Cells of a sparkline, at most, and columns of a name and of a number beside it.
const SPARKLINE: usize = 10;
const NAME: usize = 20;
const NUMBER: u16 = 7;
/// Lines of the strip on narrow screens and of the pane on others, with their frames.
const STRIP: u16 = 3;
const PANE: u16 = 5;
/// Below this many lines there is no strip.
const LOWEST: u16 = 14;
/// The smallest of small multiples.
const SMALL: (u16, u16) = (18, 6);

/// Number of the pane of the chart, and of that of the series.
pub(super) const CHART: usize = 0;
pub(super) const SERIES: usize = 1;

/// The panes; one without lines or columns is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub series: Rect,
    pub chart: Rect,
    pub detail: Rect,
}

/// Everything that is needed to draw the screen.
pub(super) struct Drawing<'a> {
    pub state: &'a State,
    pub data: &'a StudyData,
    pub theme: &'a Theme,
    pub size: Size,
}

impl Drawing<'_> {
    /// Whether the series are listed beside the chart: a matrix names them itself.
    pub fn lists_series(&self) -> bool {
        let chart = self.state.figure().is_some_and(|figure| figure.kind != Kind::Matrix);
        chart && !self.size.is_narrow() && !self.state.small_multiples
    }

    pub fn layout(&self, area: Rect) -> Layout {
        let nothing = Rect { width: 0, height: 0, ..area };
        if self.state.focus.zoomed {
            return match self.state.focus.at {
                SERIES if self.lists_series() => Layout { series: area, chart: nothing, detail: nothing },
                _ => Layout { series: nothing, chart: area, detail: nothing },
            };
        }
        let strip = match self.size.is_narrow() {
            true => STRIP + u16::from(self.state.figure().is_some_and(|figure| figure.kind == Kind::Accumulated)),
            false => PANE,
        };
        let strip = if area.height < LOWEST || self.state.shows_threshold() { 0 } else { strip };
        let (series, rest) = match self.lists_series() {
            true => {
                let [series, rest] = split_columns(area, self.series_width());
                (series, rest)
            }
            false => (nothing, area),
        };
        let [chart, detail] = split_lines(rest, rest.height - strip);
        Layout { series, chart, detail }
    }

    fn name_width(&self) -> usize {
        self.state.names(self.data).iter().map(|name| width(name)).max().unwrap_or_default().min(NAME)
    }

    /// Columns of the pane with the series: a name, a sparkline, a number, and the frame.
    fn series_width(&self) -> u16 {
        let cells = self.state.figure().map_or(0, |figure| figure.categories.len().min(SPARKLINE));
        (self.name_width() + cells) as u16 + NUMBER + 6
    }

    /// Rows of the list of series that fit.
    pub fn page(&self, area: Rect) -> usize {
        let layout = self.layout(area);
        let inside = Frame::inside(if self.lists_series() { layout.series } else { layout.chart }, self.size);
        match self.state.figure().filter(|figure| figure.kind == Kind::Matrix) {
            Some(figure) => matrix::grid(inside, figure).page.max(1),
            None => usize::from(inside.height).max(1),
        }
    }

    /// Categories that fit beside each other.
    pub fn columns(&self, area: Rect) -> usize {
        let inside = Frame::inside(self.layout(area).chart, self.size);
        match self.state.figure() {
            Some(figure) if figure.kind == Kind::Matrix => matrix::grid(inside, figure).columns,
            figure => figure.map_or(1, |figure| figure.categories.len()).max(1),
        }
    }

    pub fn draw(&self, buffer: &mut Buffer, area: Rect) {
        let layout = self.layout(area);
        if layout.series.width > 0 {
            self.draw_series(buffer, layout.series);
        }
        if layout.chart.width > 0 {
            self.draw_chart(buffer, layout.chart);
        }
        if layout.detail.height > 0 && matches!(self.state.figures, Some(Ok(_))) {
            self.draw_detail(buffer, layout.detail);
        }
    }

    /// The number beside a sparkline: what its bars add up to, or the last of those that add up already. A document that
    /// is found in several segments is one document.
    fn series_number(&self, figure: &Figure, series: usize, values: &[u64]) -> String {
        let found = (figure.name == "found").then(|| self.data.counts.get(series)).flatten();
        match (figure.kind, found) {
            (Kind::Accumulated, _) => count(values.last().copied().unwrap_or_default()),
            (_, Some((_, documents))) => count(*documents),
            (_, None) => count(values.iter().sum()),
        }
    }

    fn draw_series(&self, buffer: &mut Buffer, area: Rect) {
        let Some(figure) = self.state.figure() else { return };
        let (len, page) = (figure.series.len(), usize::from(Frame::inside(area, self.size).height));
        let mut cursor = self.state.series;
        cursor.keep(len, page);
        let focused = self.state.focus.is_on(SERIES);
        let title = if self.data.table.configurations().len() == len { "Configurations" } else { "Series" };
        let frame = Frame {
            position: format!("{}/{len}", cursor.at + 1),
            scroll: Scroll { top: cursor.top, page, len },
            focused,
            ..Frame::new(title)
        };
        let inside = frame.draw(buffer, area, self.size, self.theme);
        let (names, cells) = (self.name_width() as u16, figure.categories.len().min(SPARKLINE) as u16);
        for (y, (number, series)) in (inside.y..inside.bottom()).zip(figure.series.iter().enumerate().skip(cursor.top))
        {
            let line = Rect { y, height: 1, ..inside };
            let x = inside.x + 1;
            draw_text(buffer, (x, y), names, &series.name, self.theme.text);
            let values: Vec<u64> = series.bars.iter().map(|bar| bar.value).collect();
            let sparks = meter::sparkline(&shared_cells(&values, usize::from(cells)));
            draw_text(buffer, (x + names + 1, y), cells, &sparks, self.theme.heat(0.9));
            let total = format!("{:>wide$}", self.series_number(figure, number, &values), wide = usize::from(NUMBER));
            draw_text(buffer, (x + names + 1 + cells, y), NUMBER, &total, self.theme.muted);
            if number == cursor.at {
                table::select(buffer, line, focused, self.theme);
            }
        }
    }

    fn draw_chart(&self, buffer: &mut Buffer, area: Rect) {
        let names = self.state.names(self.data);
        let frame = Frame {
            tabs: Tabs { names: self.state.tabs(), active: self.state.at },
            position: self.position(names.len()),
            legend: self.legend(),
            focused: self.state.focus.is_on(CHART) || !self.lists_series(),
            ..Frame::default()
        };
        let inside = frame.draw(buffer, area, self.size, self.theme);
        let note = |buffer: &mut Buffer, text: &str, style| {
            let columns = usize::from(inside.width.saturating_sub(2)).max(1);
            for (y, line) in (inside.y + 1..inside.bottom()).zip(wrapped(text, columns)) {
                draw_text(buffer, (inside.x + 1, y), inside.width.saturating_sub(2), &line, style);
            }
        };
        match (&self.data.trouble, &self.state.figures) {
            (Some(trouble), _) => return note(buffer, trouble, self.theme.warning),
            (None, Some(Err(why))) => return note(buffer, why, self.theme.error),
            (None, None) => return note(buffer, "Counting…", self.theme.muted),
            (None, Some(Ok(_))) => {}
        }
        let [head, body] = split_lines(inside, 1);
        let name = names.get(self.state.series.at).copied().unwrap_or_default();
        let title = self
            .state
            .figure()
            .map_or("Precision and recall by cut-off of Jaccard, from labels", |figure| &figure.title);
        let words = match self.state.figure() {
            Some(figure) if figure.kind == Kind::Matrix || self.state.small_multiples => {
                vec![(title.to_owned(), self.theme.muted)]
            }
            _ => {
                // Where in the literature a figure is from gives way first.
                let room = usize::from(head.width).saturating_sub(width(name) + 4);
                let title = if width(title) > room { title.split(" (").next().unwrap_or(title) } else { title };
                vec![(format!("{name}  "), self.theme.strong), (title.to_owned(), self.theme.muted)]
            }
        };
        let right = if self.size.is_narrow() && self.state.figure().is_none_or(|figure| figure.kind != Kind::Matrix) {
            vec![(format!("{}/{} ↑↓", self.state.series.at + 1, names.len()), self.theme.muted)]
        } else {
            Vec::new()
        };
        pieces::draw_apart(buffer, (head.x + 1, head.y), head.width.saturating_sub(2), &words, &right);
        self.draw_figure(buffer, body);
    }

    fn draw_figure(&self, buffer: &mut Buffer, area: Rect) {
        let Some(figure) = self.state.figure() else {
            return self.state.threshold.draw(buffer, area, self.state.series.at, self.theme);
        };
        match (&self.state.scatter, figure.kind) {
            (Some(scatter), Kind::Matrix) if figure.name == SCATTER => {
                // The first row has the highest Jaccard.
                let up = figure.series.len().saturating_sub(self.state.series.at + 1);
                scatter.draw(buffer, area, [self.state.across.at, up], self.theme);
            }
            (_, Kind::Matrix) => {
                matrix::draw(buffer, area, figure, (self.state.series, self.state.across), self.theme);
            }
            _ if self.state.small_multiples => self.draw_small_multiples(buffer, area, figure),
            _ => {
                let Some(series) = figure.series.get(self.state.series.at) else { return };
                chart::histogram(buffer, area, &bars(figure, series), self.state.across.at, self.theme);
            }
        }
    }

    /// Draws all series side by side, each scaled to its tallest bar.
    fn draw_small_multiples(&self, buffer: &mut Buffer, area: Rect, figure: &Figure) {
        let count_of = figure.series.len();
        let across = usize::from((area.width / (SMALL.0 + 2)).max(1)).min(count_of.max(1));
        let down = count_of.div_ceil(across).max(1);
        let high = (area.height / down as u16).max(SMALL.1);
        let wide = area.width / across as u16;
        let fit = usize::from(area.height / high).max(1);
        // The row with the cursor is among those shown.
        let first = (self.state.series.at / across + 1).saturating_sub(fit) * across;
        for (place, (number, series)) in figure.series.iter().enumerate().skip(first).take(fit * across).enumerate() {
            let x = area.x + 1 + (place % across) as u16 * wide;
            let y = area.y + (place / across) as u16 * high;
            let values: Vec<u64> = series.bars.iter().map(|bar| bar.value).collect();
            let here = number == self.state.series.at;
            let style = if here { self.theme.accent } else { self.theme.heat(0.9) };
            let sign = if here { "▌" } else { " " };
            let head: [Piece; 3] = [
                (sign.to_owned(), self.theme.accent),
                (format!("{}  ", series.name), if here { self.theme.strong } else { self.theme.text }),
                (self.series_number(figure, number, &values), self.theme.muted),
            ];
            pieces::draw(buffer, (x - 1, y), wide, &head);
            let plot = Rect { x, y: y + 1, width: wide.saturating_sub(2), height: high - 2 };
            chart::small_multiple(buffer, plot, &values, style, self.theme);
        }
    }

    fn position(&self, len: usize) -> String {
        if self.state.shows_threshold() {
            return self.state.threshold.position(self.state.series.at);
        }
        match self.state.figure() {
            Some(figure) if figure.kind == Kind::Matrix => {
                let (series, across) = (self.state.series.at + 1, self.state.across.at + 1);
                format!("row {series}/{len}, column {across}/{}", figure.categories.len())
            }
            _ if self.lists_series() || self.state.figure().is_none() => String::new(),
            _ if self.size.is_narrow() && !self.state.small_multiples => String::new(),
            _ => format!("{}/{len}", self.state.series.at + 1),
        }
    }

    fn legend(&self) -> String {
        match self.state.figure() {
            Some(figure) if figure.name == SCATTER => "across: cosine, up: Jaccard · brighter: more dots".to_owned(),
            Some(figure) if figure.kind == Kind::Matrix => format!("across: {} · brighter: more pairs", figure.x),
            Some(_) if self.state.small_multiples => "each scaled to its tallest bar · m one at a time".to_owned(),
            Some(figure) => format!("{} by {}", figure.y, figure.x),
            None => "across: least Jaccard · shaded: 95% interval of precision".to_owned(),
        }
    }

    /// Draws the number under the cursor, what Enter opens, and what the figure rests on.
    fn draw_detail(&self, buffer: &mut Buffer, area: Rect) {
        let inside = Frame::new("Under the cursor").draw(buffer, area, self.size, self.theme);
        let columns = usize::from(inside.width.saturating_sub(1));
        for (y, line) in (inside.y..inside.bottom()).zip(self.detail_lines(columns)) {
            pieces::draw(buffer, (inside.x + 1, y), inside.width.saturating_sub(1), &line);
        }
    }

    fn detail_lines(&self, columns: usize) -> Vec<Vec<Piece>> {
        let (Some(figure), Some((series, bar, category))) = (self.state.figure(), self.state.current()) else {
            return Vec::new();
        };
        let (name, number) = (&series.name, count(bar.value));
        let what = match figure.y.strip_suffix(" by") {
            Some(_) if category == name => format!("{name} misses none of its own pairs"),
            Some(found) => format!("{found} by {name}, {} {category}", figure.x),
            None => {
                let things = if bar.value == 1 { figure.y.trim_end_matches('s') } else { &figure.y };
                format!("{things} of {name}, {} {category}", figure.x)
            }
        };
        let mut first = vec![(format!("{number} "), self.theme.strong), (what, self.theme.text)];
        let total: u64 = series.bars.iter().map(|bar| bar.value).sum();
        if figure.kind == Kind::Histogram && total > 0 {
            let share = 100.0 * bar.value as f64 / total as f64;
            first.push((format!("  {share:.0}%"), self.theme.muted));
        }
        let mut lines = Vec::new();
        if let Some(extrapolation) = &series.extrapolation {
            let words = extrapolation_words(extrapolation);
            if pieces::width(&first) + 2 + width(&words) <= columns {
                first.push((format!("  {words}"), self.theme.muted));
            } else {
                lines.push(vec![(words, self.theme.muted)]);
            }
        }
        lines.insert(0, first);
        lines.push(match bar.pairs {
            0 => vec![("no pairs to open".to_owned(), self.theme.muted)],
            pairs => vec![
                (format!("⏎ opens {}: ", plural(pairs, "pair")), self.theme.text),
                (bar.filter.clone(), self.theme.muted),
            ],
        });
        lines.push(vec![(figure.notes.join(" · "), self.theme.muted)]);
        lines
    }
}

/// Values in at most so many cells; neighbours share one where there are more of them.
fn shared_cells(values: &[u64], cells: usize) -> Vec<u64> {
    let each = values.len().div_ceil(cells.max(1)).max(1);
    values.chunks(each).map(|chunk| chunk.iter().copied().max().unwrap_or_default()).collect()
}

/// The bars of a series, and behind them what is expected beyond what was read.
fn bars(figure: &Figure, series: &Series) -> Vec<Bar> {
    let counted = figure.categories.iter().zip(&series.bars);
    let mut bars: Vec<Bar> =
        counted.map(|(label, bar)| Bar { label: label.clone(), value: bar.value as f64, counted: true }).collect();
    let read = bars.len();
    let beyond =
        series.extrapolation.iter().flat_map(|e| if e.saturating.is_empty() { &e.linear } else { &e.saturating });
    let beyond = beyond.filter(|forecast| forecast.segments > read);
    bars.extend(beyond.map(|forecast| Bar {
        label: forecast.segments.to_string(),
        value: forecast.value,
        counted: false,
    }));
    bars
}
