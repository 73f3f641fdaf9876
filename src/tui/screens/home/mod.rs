//! The state of the study and the next step: corpora, what was found, judgments carried over, samples, agreement.

mod agreement;
mod detail;
mod draw;
mod layout;
mod next;
mod overview;
mod sample_row;
mod samples;
mod state;
mod table;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::draw::Dashboard;
use self::overview::{CountOverview, Overview};
use self::state::{CONFIGURATIONS, NEXT, PANES, SAMPLES, State};
use super::figures::Figures;
use super::methods::Methods;
use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, Job, PairsOf, Request, Screen, Screens, Show, Stop, View};
use crate::data::StudyData;
use crate::jobs::Backend;
use crate::key::Key::Char;
use crate::logbook::LogLine;
use crate::question::{Question, SEARCH};
use crate::shared::Shared;
use crate::widgets::cursor::Cursor;
use crate::widgets::find::{From, find};
use dejaview_base::ignoring_case;

const KEYS: Table = &[
    shown(&[Char('s')], Action::Sort, "sort"),
    shown(&[Char('d')], Action::NewSample, "draw a sample"),
    bind(&[Char('R')], Action::Run, "run the study"),
];

#[derive(Debug, Default)]
pub struct Home {
    state: State,
    /// Whether the person has been here, so that the focus is theirs.
    visited: bool,
}

impl Home {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("home");

    fn open(&self, dashboard: &Dashboard<'_>) -> Opened {
        let at = self.state.cursors[self.state.focus.at].at;
        match self.state.focus.at {
            NEXT => dashboard.steps.get(at).map_or(Opened::Nothing, |step| Opened::Step(step.clone())),
            SAMPLES => dashboard.sample_of_row(at).map_or(Opened::Nothing, Opened::Sample),
            _ => dashboard.order.get(at).map_or(Opened::Nothing, |c| Opened::Configuration(*c)),
        }
    }

    /// Looks for a configuration by part of its name.
    fn search(&mut self, from: From, data: &StudyData, order: &[usize], page: usize) {
        let cursor = &mut self.state.cursors[CONFIGURATIONS];
        let matches =
            |row: usize| ignoring_case::contains(&data.recipe.configurations[order[row]].name, &self.state.query);
        if let Some(row) = find(order.len(), cursor.at, from, matches).filter(|_| !self.state.query.is_empty()) {
            cursor.to(row, order.len(), page);
        }
    }

    /// Asks for what is known of the configuration under the cursor, where there is room for it.
    fn request_detail(&self, data: &Arc<StudyData>, here: &Here<'_>) -> Vec<Request> {
        let dashboard = self.dashboard(data, here.others, here.shared);
        if dashboard.layout(here.shared.area()).detail.height == 0 {
            return Vec::new();
        }
        let figures = here.others.get::<Figures>().request_figures(data, here.shared);
        figures.into_iter().chain(here.others.get::<Methods>().request_measures(here.shared)).collect()
    }

    fn dashboard<'a>(&'a self, data: &'a StudyData, screens: &'a Screens, shared: &'a Shared) -> Dashboard<'a> {
        Dashboard::new(&self.state, data, screens, shared)
    }
}

/// What Enter opens.
enum Opened {
    Nothing,
    Step(next::Step),
    Sample(String),
    Configuration(usize),
}

impl Screen for Home {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, KEYS, binding::PANES, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.sound().cloned() else { return Vec::new() };
        if !std::mem::replace(&mut self.visited, true) {
            let dashboard = self.dashboard(&data, here.others, here.shared);
            if dashboard.steps.iter().any(|step| step.begun) {
                self.state.focus.at = NEXT;
            }
        }
        let mut requests =
            vec![Request::job(CountOverview { data: data.clone(), annotator: here.shared.book.annotator.clone() })];
        requests.extend(self.request_detail(&data, here));
        requests
    }

    fn resized(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        match here.sound().cloned() {
            Some(data) if here.shared.screen == Self::ID => self.request_detail(&data, here),
            _ => Vec::new(),
        }
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        if self.state.focus.act(action, PANES) {
            return Vec::new();
        }
        let dashboard = self.dashboard(&data, here.others, here.shared);
        let (rows, page, order) = (dashboard.rows(), dashboard.pages(here.shared.area()), dashboard.order.clone());
        match action {
            Action::Open => {
                return match self.open(&dashboard) {
                    Opened::Nothing => Vec::new(),
                    Opened::Configuration(c) => vec![Request::Show(Show::Pairs(PairsOf::Configuration(c)))],
                    Opened::Sample(name) => vec![Request::Show(Show::Sample(name))],
                    Opened::Step(step) => vec![step.request()],
                };
            }
            Action::Sort => {
                self.state.sort = self.state.sort.next();
                self.state.cursors[CONFIGURATIONS] = Cursor::default();
            }
            Action::NextResult => self.search(From::Next, &data, &order, page[CONFIGURATIONS]),
            Action::PreviousResult => self.search(From::Previous, &data, &order, page[CONFIGURATIONS]),
            _ => {
                let at = self.state.focus.at;
                self.state.cursors[at].go(action, rows[at], page[at]);
            }
        }
        Vec::new()
    }

    /// The key of a screen does what the step under the cursor says of it.
    fn meaning(&self, action: Action, others: &Screens, shared: &mut Shared) -> Option<Action> {
        let on_step = matches!(action, Action::Go(_)) && self.state.focus.is_on(NEXT);
        let Some(data) = shared.data.clone().filter(|data| on_step && data.partial.is_none()) else {
            return Some(action);
        };
        match self.open(&self.dashboard(&data, others, shared)) {
            Opened::Step(step) if step.action == action && !step.is_the_key() => Some(Action::Open),
            _ => Some(action),
        }
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone().filter(|_| question == SEARCH) else { return Vec::new() };
        text.trim().clone_into(&mut self.state.query);
        let dashboard = self.dashboard(&data, here.others, here.shared);
        let (page, order) = (dashboard.pages(here.shared.area()), dashboard.order.clone());
        self.search(From::Cursor, &data, &order, page[CONFIGURATIONS]);
        Vec::new()
    }

    fn back(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        if self.state.focus.unzoom() { Vec::new() } else { vec![Request::Leave] }
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        self.dashboard(view.data, view.screens, view.shared).draw(buffer, area);
    }
}

impl Job for CountOverview {
    type Output = Overview;
    const NAME: &'static str = "count for Home";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        // Labels may have come since the study was read.
        let study = backend.study();
        self.data.read_labels_again(&study, backend.drafts_of.as_deref());
        Some(Overview::count(&study, &self.data, &self.annotator))
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        None
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Home>().state.overview = Some(output);
        Vec::new()
    }
}
