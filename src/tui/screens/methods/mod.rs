//! How good each configuration is against a truth, and how far two of them find the same pairs.
//!
//! A job measures. Until it is done the screen shows what the table of pairs knows already, and can be used: names,
//! pairs, the matrix without its values. Results are kept for each truth, but those by labels are measured again whenever
//! one comes here.

mod detail;
mod state;
mod views;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::detail::Detail;
use self::state::{Measured, MethodsView, OnlyPair, State, TRUTHS, only_in_each};
use self::views::{List, data_pairs};
use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, Job, PairsOf, Request, Screen, Screens, Show, Stop, View};
use crate::data::StudyData;
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::logbook::LogLine;
use crate::pair_ids::PairIds;
use crate::question::{Question, SEARCH};
use crate::sample_status::{why_withheld, withheld, without};
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::find::{From, find};
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::draw_text;
use crate::widgets::size::Size;
use dejaview_base::ignoring_case;
use dejaview_index::KeptSide;
use dejaview_study::{Filter, Names, Reading, Snapshot, Sort, StudyError, Truth, spelling};

/// The number of the pane of details; the list is the first.
const DETAIL: usize = 1;
const PANES: usize = 2;

/// Pairs that one configuration alone found and that are listed, at most.
const MOST_PAIRS: usize = 100;

const KEYS: Table = &[
    shown(&[Char('o')], Action::OpenAlone, "found only by it"),
    shown(&[Char(']')], Action::NextChange, "next view (quality, matrix, unions)"),
    bind(&[Char('[')], Action::PreviousChange, "previous view"),
    shown(&[Char('t')], Action::NextTruth, "truth"),
    bind(&[Char('r')], Action::OpenReverse, "pairs only the other one found (in the matrix)"),
    bind(&[Char('h'), Key::Left], Action::Left, "left (in the matrix)"),
    bind(&[Char('l'), Key::Right], Action::Right, "right (in the matrix)"),
];

#[derive(Debug, Default)]
pub struct Methods {
    state: State,
}

impl Methods {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("methods");

    /// Asks for the measures where there are none yet.
    pub fn request_measures(&self, shared: &Shared) -> Option<Request> {
        let missing = self.state.measured().is_none() && !self.state.is_measuring();
        missing.then(|| Measure::request(self.state.truth, shared))
    }

    /// How many pairs two configurations both found, once they are measured.
    pub fn found_by_both(&self, a: usize, b: usize, data: &StudyData) -> Option<u64> {
        let all = data_pairs(data, a);
        let (only, _) = only_in_each(self.state.dice(a, b)?, all, data_pairs(data, b));
        Some(all - only)
    }

    /// Asks for what is missing; by labels always, since they may have changed. What is said by labels beside another truth
    /// is measured again when the person has labelled since.
    fn ask(&mut self, shared: &Shared) -> Vec<Request> {
        let truth = self.state.truth;
        let labels = shared.book.decisions().pairs(None).filter(|(_, _, decision)| decision.label().is_some()).count();
        if labels != self.state.labels {
            (self.state.labels, self.state.measured, self.state.asked) = (labels, Default::default(), None);
        }
        let known = matches!(self.state.measured[truth], Some(Ok(_))) || self.state.is_measuring();
        if known && TRUTHS[truth] != Truth::Labels {
            return Vec::new();
        }
        self.state.asked = Some(truth);
        vec![Measure::request(truth, shared)]
    }

    /// Asks for the pairs that the configuration under the cursor alone found, where they are listed.
    fn ask_for_pairs(&mut self, data: &Arc<StudyData>, size: Size) -> Vec<Request> {
        let Some((c, _)) = self.state.current(data).filter(|_| detail::lists_pairs(self.state.view, size)) else {
            return Vec::new();
        };
        if self.state.only.as_ref().is_some_and(|(known, _)| *known == c) {
            return Vec::new();
        }
        self.state.pair = Cursor::default();
        vec![Request::job(ListOnlyPairs { data: data.clone(), configuration: c })]
    }

    /// Why the person may see nothing yet of what labels say; none when they may, or when labels are not asked.
    fn why_withheld(&self, shared: &Shared) -> Option<String> {
        let measured = self.state.measured().filter(|measured| measured.is_held_back())?;
        let truth = shared.way_to(Action::NextTruth);
        Some(format!("{}. Press {truth} for another truth", why_withheld(&measured.withheld)))
    }

    /// The pairs that an action opens; none when it opens nothing.
    fn pairs_opened_by(&self, action: Action, data: &StudyData) -> Option<PairsOf> {
        let (a, b) = self.state.current(data)?;
        let found_by = |c: usize| spelling::found_by(&data.table.configurations()[c]);
        let filter = match action {
            Action::Open if self.state.view == MethodsView::Unions => self.state.filter_of_added_pairs()?,
            Action::OpenReverse if self.state.view != MethodsView::Matrix => return None,
            Action::Open | Action::OpenReverse if a == b => return Some(PairsOf::Configuration(a)),
            Action::Open => format!("{} & !{}", found_by(a), found_by(b)),
            Action::OpenReverse => format!("{} & !{}", found_by(b), found_by(a)),
            Action::OpenAlone => only_found_by(&data.table.configurations()[a]),
            _ => return None,
        };
        Some(PairsOf::Filter(filter))
    }

    /// Why an action would open no pairs; none when it opens some, or when that is not known yet.
    fn opens_nothing(&self, action: Action, data: &StudyData) -> Option<String> {
        let (a, b) = self.state.current(data)?;
        let name = |c: usize| &data.table.configurations()[c];
        if action == Action::OpenAlone {
            let none = self.state.quality(a)?.only == 0;
            return none.then(|| format!("No pairs were found only by {}", name(a)));
        }
        let (a, b) = match action {
            Action::Open => (a, b),
            Action::OpenReverse => (b, a),
            _ => return None,
        };
        if self.state.view != MethodsView::Matrix || a == b {
            return None;
        }
        let (only, _) = only_in_each(self.state.dice(a, b)?, data_pairs(data, a), data_pairs(data, b));
        (only == 0).then(|| format!("{} found every pair that {} found", name(b), name(a)))
    }

    /// The pair under the cursor of the details.
    fn pair_in_detail(&self, data: &StudyData, shared: &Shared) -> Option<PairIds> {
        let (a, b) = self.state.current(data)?;
        let detail = Detail { state: &self.state, data, theme: &shared.theme, size: shared.class(), withheld: false };
        let pair = detail.listed(a, b).get(self.state.pair.at)?;
        Some(PairIds { source: pair.source.clone(), target: pair.target.clone() })
    }

    /// Moves, sorts, switches.
    fn update(&mut self, action: Action, data: &Arc<StudyData>, shared: &Shared) -> Vec<Request> {
        let (size, theme) = (shared.class(), &shared.theme);
        let [area, _] = detail::layout(shared.area(), size, self.state.focus.zoomed);
        let list = List { state: &self.state, data, theme, size, withheld: None };
        let (rows, page) = list.rows_and_page(area);
        let columns = list.grid(Frame::inside(area, size)).columns;
        match action {
            Action::NextChange | Action::PreviousChange => {
                self.state.view = self.state.view.step(action == Action::NextChange);
            }
            Action::NextTruth => {
                self.state.truth = (self.state.truth + 1) % TRUTHS.len();
                return self.ask(shared);
            }
            Action::Sort => {
                self.state.sort = self.state.sort.next();
                (self.state.cursor, self.state.across) = (Cursor::default(), Cursor::default());
            }
            Action::Left | Action::Right if self.state.view == MethodsView::Matrix => {
                let step = if action == Action::Left { Action::Up } else { Action::Down };
                self.state.across.go(step, rows, columns);
            }
            Action::NextResult => self.search(From::Next, data, page),
            Action::PreviousResult => self.search(From::Previous, data, page),
            _ if self.state.focus.is_on(DETAIL) => {
                let pairs = self.state.only.as_ref().map_or(0, |(_, pairs)| pairs.len());
                self.state.pair.go(action, pairs, page);
                return Vec::new();
            }
            _ if self.state.view == MethodsView::Unions => {
                self.state.step.go(action, rows, page);
            }
            _ => {
                self.state.cursor.go(action, rows, page);
            }
        }
        self.ask_for_pairs(data, size)
    }

    /// Goes to a configuration by part of its name.
    fn search(&mut self, from: From, data: &StudyData, page: usize) {
        let (order, names) = (self.state.order(data), data.table.configurations());
        let matches = |row: usize| ignoring_case::contains(&names[order[row]], &self.state.query);
        let found = find(order.len(), self.state.cursor.at, from, matches);
        if let Some(row) = found.filter(|_| !self.state.query.is_empty()) {
            self.state.cursor.to(row, order.len(), page);
        }
    }
}

/// The filter for the pairs that one configuration alone found.
fn only_found_by(configuration: &str) -> String {
    format!("{} & agreement=1", spelling::found_by(configuration))
}

impl Screen for Methods {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, KEYS, binding::SORTING, binding::PANES, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn forget_rows(&mut self) {
        (self.state.measured, self.state.asked, self.state.only) = (Default::default(), None, None);
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.sound().cloned() else { return Vec::new() };
        let mut requests = self.ask(here.shared);
        requests.extend(self.ask_for_pairs(&data, here.shared.class()));
        requests
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        if self.state.focus.act(action, PANES) {
            return Vec::new();
        }
        if action == Action::Open && self.state.focus.is_on(DETAIL) {
            let pair = self.pair_in_detail(&data, here.shared);
            return pair.map(|ids| Request::Show(Show::Pair(ids))).into_iter().collect();
        }
        if let Some(why) = self.opens_nothing(action, &data) {
            return here.say(why);
        }
        match self.pairs_opened_by(action, &data) {
            Some(pairs) => vec![Request::Show(Show::Pairs(pairs))],
            None => self.update(action, &data, here.shared),
        }
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone().filter(|_| question == SEARCH) else { return Vec::new() };
        text.trim().clone_into(&mut self.state.query);
        let size = here.shared.class();
        let [area, _] = detail::layout(here.area(), size, self.state.focus.zoomed);
        let list = List { state: &self.state, data: &data, theme: &here.shared.theme, size, withheld: None };
        let (_, page) = list.rows_and_page(area);
        self.search(From::Cursor, &data, page);
        self.ask_for_pairs(&data, size)
    }

    fn back(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        if self.state.focus.unzoom() { Vec::new() } else { vec![Request::Leave] }
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme, size) = (view.data, &view.shared.theme, view.shared.class());
        if let Some(trouble) = &data.trouble {
            return draw_trouble(buffer, area, trouble, size, theme);
        }
        let [list, details] = detail::layout(area, size, self.state.focus.zoomed);
        let withheld = self.why_withheld(view.shared);
        List { state: &self.state, data, theme, size, withheld: withheld.as_deref() }.draw(buffer, list);
        Detail { state: &self.state, data, theme, size, withheld: withheld.is_some() }.draw(buffer, details);
    }
}

fn draw_trouble(buffer: &mut Buffer, area: Rect, trouble: &str, size: Size, theme: &Theme) {
    let inside = Frame { focused: true, ..Frame::new("Methods") }.draw(buffer, area, size, theme);
    draw_text(buffer, (inside.x + 1, inside.y + 1), inside.width.saturating_sub(1), trouble, theme.warning);
}

/// Measures the configurations against a truth, and by labels beside it.
#[derive(Debug)]
pub struct Measure {
    /// Number in [`TRUTHS`].
    truth: usize,
    annotator: String,
}

impl Measure {
    fn request(truth: usize, shared: &Shared) -> Request {
        Request::job(Self { truth, annotator: shared.book.annotator.clone() })
    }

    /// Measures what the person may know.
    fn measure(&self, study: &Snapshot) -> Result<Measured, StudyError> {
        let by_labels = || -> Result<_, StudyError> {
            let withheld = withheld(study, &self.annotator)?;
            Ok((dejaview_study::evaluate(study, &Truth::Labels, &without(&withheld))?, withheld))
        };
        if TRUTHS[self.truth] == Truth::Labels {
            return by_labels().map(|(evaluation, withheld)| Measured::new(evaluation, None, withheld));
        }
        let evaluation = dejaview_study::evaluate(study, &TRUTHS[self.truth], &Reading::default())?;
        let by_labels = by_labels().ok().map(|(by_labels, _)| by_labels);
        Ok(Measured::new(evaluation, by_labels, Vec::new()))
    }
}

/// The number of the truth, and what was measured.
type MeasureOutput = (usize, Result<Box<Measured>, String>);

impl Job for Measure {
    type Output = MeasureOutput;
    const NAME: &'static str = "measure the configurations";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let measured = self.measure(&backend.study());
        Some((self.truth, measured.map(Box::new).map_err(|error| error.to_string())))
    }

    fn line((_, result): &Self::Output) -> Option<LogLine> {
        LogLine::from_result(result, |measured| format!("measured against {}", measured.evaluation.truth))
    }

    fn deliver((truth, result): Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        let state = &mut screens.get_mut::<Methods>().state;
        state.asked = None;
        state.measured[truth] = Some(result.map(|measured| *measured));
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        // The next who comes here asks again.
        screens.get_mut::<Methods>().state.asked = None;
        Vec::new()
    }
}

/// Lists the pairs that one configuration alone found, with their titles.
#[derive(Debug)]
pub struct ListOnlyPairs {
    data: Arc<StudyData>,
    configuration: usize,
}

impl Job for ListOnlyPairs {
    type Output = Option<(usize, Vec<OnlyPair>)>;
    const NAME: &'static str = "list what one configuration alone found";
    const LISTED: bool = false;

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let table = &self.data.table;
        let names = table.configurations();
        let text = only_found_by(&names[self.configuration]);
        let rows = Filter::parse(&text, Names::of_pairs(names))
            .map(|filter| table.select(&filter, Sort::Jaccard))
            .unwrap_or_default();
        let titles = self.data.study.titles();
        let pair = |row: u32| {
            let (source, target) = table.ids(row as usize);
            OnlyPair {
                jaccard: table.shown_jaccard(row as usize),
                source: source.to_owned(),
                target: target.to_owned(),
                title: titles.shown(KeptSide::Source, source).text().to_owned(),
            }
        };
        Some(Some((self.configuration, rows.into_iter().take(MOST_PAIRS).map(pair).collect())))
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        None
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Methods>().state.only = output;
        Vec::new()
    }
}
