//! The study's counts and distributions, as charts whose bars open their pairs.
//!
//! On the left every series with its shape, on the right the one under the cursor; a matrix takes the whole width. Behind
//! them all stands the threshold rail, which moves.

mod matrix;
mod rail;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, Job, PairsOf, Request, Screen, Screens, Show, Stop, View};
use crate::data::{CutOffs, StudyData, charts};
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::logbook::LogLine;
use crate::question::{Question, SEARCH};
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::chart::{self, Bar};
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::paragraph::wrapped;
use dejaview_base::ignoring_case;
use dejaview_labels::Decisions;
use dejaview_report::numbers::{count, plural};
use dejaview_study::{Figure, FigureOptions, Kind, Series};

/// Cells of a shape, at most.
const SPARKLINE: usize = 14;
/// Columns of a name, at most.
const NAME: usize = 20;
/// Lines for names of figures and the title.
const HEAD: u16 = 2;

/// Name and title of the rail among the figures.
const THRESHOLD: (&str, &str) =
    ("threshold", "What if only pairs from some Jaccard on were taken? By labels of a sample");

const KEYS: Table = &[
    shown(&[Key::Tab, Char(']')], Action::NextChange, "next figure"),
    bind(&[Char('[')], Action::PreviousChange, "figure before"),
    bind(&[Key::Left, Char('h')], Action::Left, "bar or cut-off before"),
    shown(&[Key::Right, Char('l')], Action::Right, "next bar or cut-off"),
];

/// The state of the screen.
#[derive(Debug, Default)]
pub struct Figures {
    figures: Option<Result<Arc<Vec<Figure>>, String>>,
    /// Whether the figures are being counted.
    asked: bool,
    /// Labels that the figures know of.
    labels: usize,
    /// Which figure.
    at: usize,
    series: Cursor,
    /// On a category.
    across: Cursor,
    query: String,
    threshold: rail::Threshold,
}

impl Figures {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("figures");

    /// Takes the figures.
    fn take_figures(&mut self, result: Result<Vec<Figure>, String>) {
        self.asked = false;
        self.figures = Some(result.map(Arc::new));
        self.at = self.at.min(self.all().len());
    }

    /// Whether the rail is shown.
    fn shows_threshold(&self) -> bool {
        matches!(self.figures, Some(Ok(_))) && self.at == self.all().len()
    }

    /// Asks for the rail, where it is shown.
    fn ask_for_threshold(&mut self, data: &Arc<StudyData>) -> Vec<Request> {
        if self.shows_threshold() { self.threshold.ask(self.series.at, data) } else { Vec::new() }
    }

    fn all(&self) -> &[Figure] {
        match &self.figures {
            Some(Ok(figures)) => figures,
            _ => &[],
        }
    }

    fn figure(&self) -> Option<&Figure> {
        self.all().get(self.at)
    }

    /// The filter that admits the pairs under the cursor, or why there are none.
    fn filter_under_cursor(&self) -> Option<Result<String, &'static str>> {
        if self.shows_threshold() {
            return Some(self.threshold.filter_of_changed_sides(self.series.at));
        }
        let series = self.figure()?.series.get(self.series.at)?;
        let bar = series.bars.get(self.across.at.min(series.bars.len().checked_sub(1)?))?;
        Some(if bar.pairs > 0 { Ok(bar.filter.clone()) } else { Err("no pair stands behind this bar") })
    }

    /// Moves, or shows another figure.
    fn update(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        if !matches!(self.figures, Some(Ok(_))) {
            return Vec::new();
        }
        let (shown, before, tabs) = (self.at, self.series.at, self.all().len() + 1);
        match action {
            Action::NextPane | Action::NextChange => self.show((self.at + 1) % tabs, data),
            Action::PreviousChange => self.show((self.at + tabs - 1) % tabs, data),
            Action::NextHit => self.find(data, area, 1, true),
            Action::PreviousHit => self.find(data, area, 1, false),
            Action::Left | Action::Right => self.across(action == Action::Right, area),
            _ => {
                let (series, page) = (self.names(data).len(), self.page(area));
                self.series.go(action, series, page);
            }
        }
        if (shown, before) == (self.at, self.series.at) { Vec::new() } else { self.ask_for_threshold(data) }
    }

    /// To the next bar, or the one before.
    fn across(&mut self, forward: bool, area: Rect) {
        match self.figure() {
            Some(figure) => {
                let (categories, columns) = (figure.categories.len(), matrix::grid(area.width, figure).columns);
                self.across.go(if forward { Action::Down } else { Action::Up }, categories, columns);
            }
            None => self.threshold.step(forward, self.series.at),
        }
    }

    /// The names on the left.
    fn names<'a>(&'a self, data: &'a StudyData) -> Vec<&'a str> {
        match self.figure() {
            Some(figure) => figure.series.iter().map(|series| series.name.as_str()).collect(),
            None => data.table.configurations().iter().map(String::as_str).collect(),
        }
    }

    /// Looks for a series by part of its name, from the cursor on.
    fn search(&mut self, query: &str, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        self.query = query.trim().to_lowercase();
        self.find(data, area, 0, true);
        self.ask_for_threshold(data)
    }

    fn find(&mut self, data: &StudyData, area: Rect, step: usize, forward: bool) {
        let (page, at, names) = (self.page(area), self.series.at, self.names(data));
        let len = names.len();
        if len == 0 || self.query.is_empty() {
            return;
        }
        let place = |n: usize| if forward { (at + n) % len } else { (at + len - n) % len };
        let found = (step..len + step).map(place).find(|&place| ignoring_case::contains(names[place], &self.query));
        if let Some(found) = found {
            self.series.to(found, len, page);
        }
    }

    fn show(&mut self, figure: usize, data: &StudyData) {
        self.at = figure;
        let (series, categories) = (self.names(data).len(), self.figure().map_or(0, |f| f.categories.len()));
        self.series.keep(series, usize::MAX);
        self.across.keep(categories, usize::MAX);
    }

    fn page(&self, area: Rect) -> usize {
        usize::from(self.body(area).height.saturating_sub(1)).max(1)
    }

    fn notes(&self, area: Rect) -> Vec<String> {
        let room = usize::from(area.width.saturating_sub(2)).max(1);
        let most = if area.height >= 30 { 6 } else { 2 };
        let mut lines: Vec<String> =
            self.figure().iter().flat_map(|figure| &figure.notes).flat_map(|note| wrapped(note, room)).collect();
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                last.push('…');
            }
        }
        lines
    }

    /// Where the chart is: below the title, above the notes.
    fn body(&self, area: Rect) -> Rect {
        let below = self.notes(area).len() as u16 + HEAD;
        Rect { y: area.y + HEAD.min(area.height), height: area.height.saturating_sub(below), ..area }
    }

    fn draw_names(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let names: Vec<&str> = self.all().iter().map(|figure| figure.name).chain([THRESHOLD.0]).collect();
        // Where there is no room for all, those before the one that is shown make way.
        let room = usize::from(area.width.saturating_sub(3));
        let wide = |from: usize| names[from..=self.at].iter().map(|name| width(name) + 2).sum::<usize>();
        let first = (0..self.at).find(|&from| wide(from) <= room).unwrap_or(self.at);
        let (mut x, end) = (area.x + 1, area.x + area.width);
        if first > 0 {
            draw_text(buffer, (area.x, area.y), 1, "…", theme.dim);
        }
        for (place, name) in names.into_iter().enumerate().skip(first) {
            let shown = place == self.at;
            let text = if shown { format!("[{name}]") } else { format!(" {name} ") };
            let style = if shown { theme.title } else { theme.dim };
            x += draw_text(buffer, (x.min(end), area.y), end.saturating_sub(x), &text, style);
        }
    }

    fn draw_chart(&self, buffer: &mut Buffer, area: Rect, figure: &Figure, theme: &Theme) {
        let Some(series) = figure.series.get(self.series.at) else { return };
        let shape = |series: &Series| {
            let values: Vec<f64> = series.bars.iter().map(|bar| bar.value as f64).collect();
            let highest = values.iter().copied().fold(0.0, f64::max);
            chart::sparkline(&values, highest, figure.categories.len().min(SPARKLINE))
        };
        let lines: Vec<(&str, String)> =
            figure.series.iter().map(|series| (series.name.as_str(), shape(series))).collect();
        let left = self.draw_list(buffer, area, &lines, theme);
        let head = format!("{} · {}, by {}", series.name, figure.y, figure.x);
        let chart = Rect { x: area.x + left, width: area.width.saturating_sub(left), ..area };
        draw_text(buffer, (chart.x + 1, chart.y), chart.width.saturating_sub(1), &head, theme.title);
        let chart = Rect { y: chart.y + 1.min(chart.height), height: chart.height.saturating_sub(1), ..chart };
        chart::columns(buffer, chart, &bars(figure, series), self.across.at, theme);
    }

    /// Draws the cut-off of the configuration under the cursor.
    fn draw_threshold(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, theme: &Theme) {
        let names = self.names(data);
        let Some(name) = names.get(self.series.at) else { return };
        let lines: Vec<(&str, String)> = names.iter().map(|name| (*name, String::new())).collect();
        let high = area.height.saturating_sub(rail::BELOW);
        let above = Rect { height: high, ..area };
        let left = self.draw_list(buffer, above, &lines, theme);
        let chart = Rect { x: area.x + left, width: area.width.saturating_sub(left), ..above };
        self.threshold.draw(buffer, chart, (self.series.at, name), theme);
        let below = Rect { y: area.y + high, height: area.height - high, ..area };
        self.threshold.draw_cut(buffer, below, self.series.at, theme);
    }

    /// Draws names, each with its shape; gives the columns that took.
    fn draw_list(&self, buffer: &mut Buffer, area: Rect, lines: &[(&str, String)], theme: &Theme) -> u16 {
        let names = lines.iter().map(|(name, _)| width(name)).max().unwrap_or_default().min(NAME);
        let room = lines.iter().map(|(_, shape)| width(shape)).max().unwrap_or_default();
        let wide = (names + room + 3) as u16;
        let mut cursor = self.series;
        cursor.keep(lines.len(), self.rows_of(area));
        for (y, (place, (name, shape))) in
            (area.y + 1..).zip(lines.iter().enumerate().skip(cursor.top).take(self.rows_of(area)))
        {
            let style = if place == self.series.at { theme.key } else { theme.text };
            draw_text(buffer, (area.x + 1, y), names as u16, name, style);
            draw_text(buffer, (area.x + names as u16 + 2, y), room as u16, shape, style);
            if place == cursor.at {
                buffer.set_style(Rect { y, height: 1, width: wide.min(area.width), ..area }, theme.selected);
            }
        }
        wide
    }

    fn rows_of(&self, body: Rect) -> usize {
        usize::from(body.height.saturating_sub(1)).max(1)
    }
}

/// What is expected at the end, by both ways.
fn extrapolation_words(extrapolation: &dejaview_study::Extrapolation) -> String {
    let last = |forecasts: &[dejaview_evaluation::figures::Forecast]| {
        let last = forecasts.last()?;
        let interval = last.interval.map_or(String::new(), |i| format!(" ({:.0}–{:.0})", i.low, i.high));
        Some((last.segments, format!("{:.0}{interval}", last.value)))
    };
    match (last(&extrapolation.saturating), last(&extrapolation.linear)) {
        (Some((segments, bent)), Some((_, straight))) => {
            format!(" · after {}: {bent}, linear {straight}", plural(segments as u64, "segment"))
        }
        (Some((segments, only)), None) | (None, Some((segments, only))) => {
            format!(" · after {}: {only}", plural(segments as u64, "segment"))
        }
        (None, None) => String::new(),
    }
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

impl Screen for Figures {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, KEYS, binding::EVERYWHERE, binding::ESCAPE]
    }

    /// Asks for the figures when one comes here first, and again when labels were made since.
    fn forget_rows(&mut self) {
        (self.figures, self.asked) = (None, false);
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let (Some(data), labels) = (here.sound(), &here.shared.book.decisions) else { return Vec::new() };
        let known = labels.pairs(None).filter(|(_, _, standing)| standing.label().is_some()).count();
        let there = matches!(self.figures, Some(Ok(_))) && known == self.labels;
        let mut requests = self.ask_for_threshold(data);
        if there || self.asked {
            return requests;
        }
        self.labels = known;
        self.asked = true;
        requests.push(Request::job(CountFigures { data: data.clone(), labels: labels.clone() }));
        requests
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let (Some(data), area) = (here.data.clone(), here.area()) else { return Vec::new() };
        if action != Action::Open {
            return self.update(action, &data, area);
        }
        match self.filter_under_cursor() {
            Some(Ok(filter)) => vec![Request::Show(Show::Pairs(PairsOf::Filter(filter)))],
            Some(Err(why)) => here.say(why),
            None => Vec::new(),
        }
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        match here.data.clone().filter(|_| question == SEARCH) {
            Some(data) => self.search(text, &data, here.area()),
            None => Vec::new(),
        }
    }

    /// Draws the names of all figures, then the one that is shown.
    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme) = (view.data, &view.shared.theme);
        let mut note = |text: &str, style| {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), text, style);
        };
        match (&data.trouble, &self.figures) {
            (Some(trouble), _) => return note(trouble, theme.warning),
            (None, Some(Err(why))) => return note(why, theme.warning),
            (None, None) => return note("counting…", theme.dim),
            (None, Some(Ok(_))) => {}
        }
        let title = self.figure().map_or(THRESHOLD.1, |figure| &figure.title);
        note(title, theme.text);
        self.draw_names(buffer, area, theme);
        let body = self.body(area);
        match self.figure() {
            Some(figure) if figure.kind == Kind::Matrix => {
                matrix::draw(buffer, body, figure, (self.series, self.across), theme);
            }
            Some(figure) => self.draw_chart(buffer, body, figure, theme),
            None => self.draw_threshold(buffer, body, data, theme),
        }
        for (line, text) in (0u16..).zip(self.notes(area)) {
            let y = body.y + body.height + line;
            draw_text(buffer, (area.x + 1, y), area.width.saturating_sub(1), &text, theme.dim);
        }
    }

    /// The bar under the cursor in words.
    fn status(&self, _: &View<'_>) -> String {
        if self.shows_threshold() {
            return self.threshold.status(self.series.at);
        }
        let Some(figure) = self.figure() else { return String::new() };
        let Some(series) = figure.series.get(self.series.at) else { return String::new() };
        let at = self.across.at.min(figure.categories.len().saturating_sub(1));
        let Some(bar) = series.bars.get(at) else { return String::new() };
        let category = figure.categories.get(at).map_or("", String::as_str);
        let extrapolation_words = series.extrapolation.as_ref().map(extrapolation_words).unwrap_or_default();
        let (name, x, number) = (&series.name, &figure.x, count(bar.value));
        let what = match figure.y.strip_suffix(" by") {
            Some(_) if category == name => format!("{name} misses nothing of its own"),
            Some(found) => format!("{number} {found} by {name}, {x} {category}"),
            None => format!("{name} · {x} {category}: {number} {}", figure.y),
        };
        let enter = match bar.pairs {
            0 => String::new(),
            pairs => format!(" · Enter opens {}", plural(pairs, "pair")),
        };
        format!("{what}{extrapolation_words}{enter}")
    }
}

#[derive(Debug)]
pub struct CountFigures {
    data: Arc<StudyData>,
    /// The person's labels.
    labels: Decisions,
}

impl Job for CountFigures {
    type Output = Result<Vec<Figure>, String>;
    const NAME: &'static str = "count for the figures";

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let figures = dejaview_study::figures(&self.data.study, &FigureOptions::default());
        let all = figures.map(|figures| [figures.figures, charts::screen_figures(&self.data, &self.labels)].concat());
        Some(all.map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |_| "counted for the figures".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Figures>().take_figures(output);
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        // The next who comes here asks again.
        screens.get_mut::<Figures>().asked = false;
        Vec::new()
    }
}

impl Job for rail::MeasureCutOffs {
    /// The number of the configuration, and what was measured.
    type Output = (usize, Result<Box<CutOffs>, String>);
    const NAME: &'static str = "measure cut-offs";

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let rail = CutOffs::read(&self.data.study, &self.configuration);
        Some((self.number, rail.map(Box::new)))
    }

    fn line((_, result): &Self::Output) -> Option<LogLine> {
        LogLine::from_result(result, |_| "measured cut-offs".to_owned())
    }

    fn deliver((number, result): Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Figures>().threshold.take(number, result);
        Vec::new()
    }
}
