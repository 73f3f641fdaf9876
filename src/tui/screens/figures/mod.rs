//! The study's counts and distributions, as charts whose bars open their pairs.
//!
//! On the left every series with its course, on the right the one under the cursor; a matrix takes the whole width. The
//! last figure is a cut-off that is moved.

mod draw;
mod matrix;
mod scatter;
mod state;
mod threshold;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::draw::Drawing;
use self::scatter::Scatter;
use self::state::State;
use self::threshold::MeasureCutOffs;
use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, Job, PairsOf, Request, Screen, Screens, Show, Stop, View};
use crate::data::{CutOffs, StudyData, charts};
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::logbook::LogLine;
use crate::question::{Question, SEARCH};
use crate::sample_status::withheld;
use crate::shared::Shared;
use crate::widgets::find::{From, find};
use dejaview_base::ignoring_case;
use dejaview_labels::Decisions;
use dejaview_study::{Figure, FigureOptions, StudyError};

const KEYS: Table = &[
    shown(&[Key::Right, Char('l')], Action::Right, "next bar or cut-off"),
    bind(&[Key::Left, Char('h')], Action::Left, "previous bar or cut-off"),
    shown(&[Char(']')], Action::NextChange, "next figure"),
    bind(&[Char('[')], Action::PreviousChange, "previous figure"),
    shown(&[Char('m')], Action::SmallMultiples, "small multiples"),
];

#[derive(Debug, Default)]
pub struct Figures {
    state: State,
}

impl Figures {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("figures");

    /// A figure by its name, once it is counted.
    pub fn named(&self, name: &str) -> Option<&Figure> {
        self.state.all().iter().find(|figure| figure.name == name)
    }

    /// Asks for the figures where they are not counted yet.
    pub fn request_figures(&self, data: &Arc<StudyData>, shared: &Shared) -> Option<Request> {
        let missing = self.state.figures.is_none() && !self.state.asked;
        missing.then(|| CountFigures::request(data, shared))
    }

    /// Asks for the cut-offs, where they are shown.
    fn ask_for_threshold(&self, data: &Arc<StudyData>, shared: &Shared) -> Vec<Request> {
        let state = &self.state;
        match state.shows_threshold() {
            true => state.threshold.ask(state.series.at, data, &shared.book.annotator),
            false => Vec::new(),
        }
    }

    /// Moves, or shows another figure.
    fn update(&mut self, action: Action, data: &Arc<StudyData>, shared: &Shared) -> Vec<Request> {
        if !matches!(self.state.figures, Some(Ok(_))) {
            return Vec::new();
        }
        let (area, size, theme) = (shared.area(), shared.class(), &shared.theme);
        let drawing = Drawing { state: &self.state, data, theme, size };
        let (page, columns) = (drawing.page(area), drawing.columns(area));
        let (series, tabs) = (self.state.names(data).len(), self.state.all().len() + 1);
        let previous = (self.state.at, self.state.series.at);
        match action {
            Action::NextChange => self.show((self.state.at + 1) % tabs, data),
            Action::PreviousChange => self.show((self.state.at + tabs - 1) % tabs, data),
            Action::SmallMultiples => self.state.small_multiples = !self.state.small_multiples,
            Action::NextResult => self.search(From::Next, data, page),
            Action::PreviousResult => self.search(From::Previous, data, page),
            Action::Left | Action::Right => self.move_across(action == Action::Right, columns),
            _ => {
                self.state.series.go(action, series, page);
            }
        }
        if previous == (self.state.at, self.state.series.at) {
            return Vec::new();
        }
        if previous.0 == self.state.at {
            self.state.remember_chosen(data);
        }
        self.ask_for_threshold(data, shared)
    }

    /// To the next bar or cut-off, or the previous one.
    fn move_across(&mut self, forward: bool, columns: usize) {
        match self.state.figure().map(|figure| figure.categories.len()) {
            Some(categories) => {
                let step = if forward { Action::Down } else { Action::Up };
                self.state.across.go(step, categories, columns);
            }
            None => self.state.threshold.step(forward, self.state.series.at),
        }
    }

    /// Goes to a series by part of its name.
    fn search(&mut self, from: From, data: &StudyData, page: usize) {
        let (at, names) = (self.state.series.at, self.state.names(data));
        let matches = |row: usize| ignoring_case::contains(names[row], &self.state.query);
        let (found, len) = (find(names.len(), at, from, matches), names.len());
        if let Some(row) = found.filter(|_| !self.state.query.is_empty()) {
            self.state.series.to(row, len, page);
        }
    }

    fn show(&mut self, figure: usize, data: &StudyData) {
        self.state.at = figure;
        let categories = self.state.figure().map_or(0, |figure| figure.categories.len());
        let (series, row) = (self.state.names(data).len(), self.state.row_of_chosen(data));
        self.state.series.to(row, series, usize::MAX);
        self.state.across.keep(categories, usize::MAX);
    }
}

impl Screen for Figures {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, KEYS, binding::PANES, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn forget_rows(&mut self) {
        (self.state.figures, self.state.asked) = (None, false);
    }

    /// Asks for the figures when one comes here first, and again when labels were given since.
    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.sound().cloned() else { return Vec::new() };
        let known =
            here.shared.book.decisions().pairs(None).filter(|(_, _, decision)| decision.label().is_some()).count();
        let counted = matches!(self.state.figures, Some(Ok(_))) && known == self.state.labels;
        let mut requests = self.ask_for_threshold(&data, here.shared);
        if counted || self.state.asked {
            return requests;
        }
        self.state.labels = known;
        self.state.asked = true;
        requests.push(CountFigures::request(&data, here.shared));
        requests
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        let drawing = Drawing { state: &self.state, data: &data, theme: &here.shared.theme, size: here.shared.class() };
        let panes = if drawing.lists_series() { 2 } else { 1 };
        self.state.focus.at = self.state.focus.at.min(panes - 1);
        if self.state.focus.act(action, panes) {
            return Vec::new();
        }
        if action != Action::Open {
            return self.update(action, &data, here.shared);
        }
        match self.state.filter_under_cursor() {
            Some(Ok(filter)) => vec![Request::Show(Show::Pairs(PairsOf::Filter(filter)))],
            Some(Err(why)) => here.say(why),
            None => Vec::new(),
        }
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone().filter(|_| question == SEARCH) else { return Vec::new() };
        text.trim().clone_into(&mut self.state.query);
        let drawing = Drawing { state: &self.state, data: &data, theme: &here.shared.theme, size: here.shared.class() };
        let page = drawing.page(here.area());
        self.search(From::Cursor, &data, page);
        self.state.remember_chosen(&data);
        self.ask_for_threshold(&data, here.shared)
    }

    fn back(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        if self.state.focus.unzoom() { Vec::new() } else { vec![Request::Leave] }
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (theme, size) = (&view.shared.theme, view.shared.class());
        Drawing { state: &self.state, data: view.data, theme, size }.draw(buffer, area);
    }
}

/// All figures, that of the labels before those that hold one number against another.
fn with_labelled(mut figures: Vec<Figure>, labelled: Option<Figure>) -> Vec<Figure> {
    let place = figures.iter().position(|figure| figure.name == "cosine").unwrap_or(figures.len());
    figures.splice(place..place, labelled);
    figures
}

#[derive(Debug)]
pub struct CountFigures {
    data: Arc<StudyData>,
    /// The person's labels.
    labels: Decisions,
    annotator: String,
}

impl CountFigures {
    fn request(data: &Arc<StudyData>, shared: &Shared) -> Request {
        let book = &shared.book;
        Request::job(Self { data: data.clone(), labels: book.decisions().clone(), annotator: book.annotator.clone() })
    }

    /// All figures; that of labels rests on those that the person may know.
    fn count(&self) -> Result<(Vec<Figure>, Scatter), StudyError> {
        let study = &self.data.study;
        let counted = dejaview_study::figures(study, &FigureOptions::default())?;
        let labelled = charts::labelled_pairs(&self.data, &self.labels, &withheld(study, &self.annotator)?)?;
        Ok((with_labelled(counted.figures, labelled), Scatter::count(&self.data.table)))
    }
}

impl Job for CountFigures {
    type Output = Result<(Vec<Figure>, Scatter), String>;
    const NAME: &'static str = "count for the figures";

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(self.count().map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |_| "counted for the figures".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        let state = &mut screens.get_mut::<Figures>().state;
        state.asked = false;
        let (figures, scatter) = match output {
            Ok((figures, scatter)) => (Ok(Arc::new(figures)), Some(Arc::new(scatter))),
            Err(why) => (Err(why), None),
        };
        (state.figures, state.scatter) = (Some(figures), scatter);
        state.at = state.at.min(state.all().len());
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        // The next who comes here asks again.
        screens.get_mut::<Figures>().state.asked = false;
        Vec::new()
    }
}

impl Job for MeasureCutOffs {
    /// The number of the configuration, and what was measured.
    type Output = (usize, Result<Box<CutOffs>, String>);
    const NAME: &'static str = "measure cut-offs";

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let measured = self.measure().unwrap_or_else(|error| Err(error.to_string()));
        Some((self.number, measured.map(Box::new)))
    }

    /// That there are no labels yet is nothing that failed.
    fn line((_, result): &Self::Output) -> Option<LogLine> {
        result.as_ref().ok().and_then(|_| LogLine::done("measured cut-offs"))
    }

    fn deliver((number, result): Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Figures>().state.threshold.take(number, result);
        Vec::new()
    }
}
