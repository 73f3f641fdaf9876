//! How good each configuration is against a truth, and how far two of them find the same pairs.
//!
//! A worker measures. Until it answers the screen shows what the table of pairs knows already, and can be used: names,
//! pairs, the matrix without its values. Answers are kept for each truth, but people's labels are counted anew whenever one
//! comes here.

mod grid;
mod matrix;
mod quality;
mod union;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, Job, PairsOf, Request, Screen, Screens, Show, Stop, View};
use crate::data::StudyData;
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::logbook::LogLine;
use crate::question::{Question, SEARCH};
use crate::shared::Shared;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph::wrapped;
use crate::widgets::table;
use dejaview_base::interval::Interval;
use dejaview_evaluation::comparison::Quality;
use dejaview_report::Report;
use dejaview_study::{Evaluation, Reading, Truth, spelling};

/// Truths that a key goes through.
static TRUTHS: [Truth; 3] = [Truth::Jaccard(0.9), Truth::Edit(0.8), Truth::Labels];

/// What the values of the matrix are.
const DICE: &str = "How far two configurations find the same pairs: Dice, 2·common / (a + b)";

/// Stands where a value will be once it is measured.
const PENDING: &str = "…";

/// What the steps of a union are.
const UNION: &str = "Unions: configurations in the order in which each adds most true pairs to those before it";

/// What can be opened besides the pairs under the cursor.
const OPENING: Table =
    &[shown(&[Char('r')], Action::OpenReverse, "the other way"), shown(&[Char('o')], Action::OpenAlone, "found alone")];

const KEYS: Table = &[
    shown(&[Key::Tab], Action::NextPane, "next face (table, matrix, unions)"),
    shown(&[Char('t')], Action::NextTruth, "truth"),
    bind(&[Char('h'), Key::Left], Action::Left, "left (in the matrix)"),
    bind(&[Char('l'), Key::Right], Action::Right, "right (in the matrix)"),
];

/// Which of the tables is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Tab {
    #[default]
    Quality,
    Dice,
    Union,
}

/// What the configurations are sorted by: highest first, but for the order of the study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum SortBy {
    #[default]
    Study,
    Pairs,
    Sources,
    Precision,
    Recall,
    F,
    Alone,
    AloneTrue,
}

impl SortBy {
    const ALL: [Self; 8] =
        [Self::Study, Self::Pairs, Self::Sources, Self::Precision, Self::Recall, Self::F, Self::Alone, Self::AloneTrue];

    fn name(self) -> &'static str {
        match self {
            Self::Study => "order of the study",
            Self::Pairs => "pairs",
            Self::Sources => "sources",
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F => "F",
            Self::Alone => "found alone",
            Self::AloneTrue => "found alone and true",
        }
    }

    /// The value of a configuration; what nobody knows comes last.
    fn value(self, counts: (u64, u64), quality: Option<&Quality>) -> f64 {
        let estimate =
            |of: fn(&Quality) -> Option<Interval>| quality.and_then(of).map_or(-1.0, |interval| interval.value);
        let alone = |which: usize| {
            quality.map_or(-1.0, |quality| match which {
                0 => quality.only as f64,
                _ => quality.only_true.map_or(-1.0, |of| of.value),
            })
        };
        match self {
            Self::Study => 0.0,
            Self::Pairs => counts.0 as f64,
            Self::Sources => counts.1 as f64,
            Self::Precision => estimate(|quality| quality.precision),
            Self::Recall => estimate(|quality| quality.recall),
            Self::F => estimate(|quality| quality.f1),
            Self::Alone => alone(0),
            Self::AloneTrue => alone(1),
        }
    }
}

/// What a worker measured, and what the figures rest on.
#[derive(Debug)]
struct Measured {
    evaluation: Evaluation,
    notes: Vec<String>,
}

/// The two tables and where one is in them.
#[derive(Debug, Default)]
pub struct Methods {
    tab: Tab,
    /// Number of the truth.
    truth: usize,
    /// Of each truth.
    measured: [Option<Result<Measured, String>>; 3],
    /// The truth that is being measured against.
    asked: Option<usize>,
    sort_by: SortBy,
    /// On a configuration, in the order shown.
    cursor: Cursor,
    /// On a column of the matrix.
    across: Cursor,
    /// On a step of the union.
    step: Cursor,
    query: String,
}

impl Methods {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("methods");

    /// Asks for what is missing; for labels always, since they may have changed.
    fn ask(&mut self) -> Vec<Request> {
        let known = matches!(self.measured[self.truth], Some(Ok(_))) || self.awaited();
        if known && TRUTHS[self.truth] != Truth::Labels {
            return Vec::new();
        }
        self.asked = Some(self.truth);
        vec![Request::job(Measure { truth: self.truth })]
    }

    /// Whether figures for this truth are on their way.
    fn awaited(&self) -> bool {
        self.asked == Some(self.truth)
    }

    /// Takes figures.
    fn measured(&mut self, truth: usize, result: Result<Box<Evaluation>, String>) {
        self.asked = None;
        self.measured[truth] = Some(result.map(|evaluation| {
            let quality = evaluation.tables().into_iter().find(|table| table.name == "quality");
            Measured { notes: quality.map(|table| table.notes).unwrap_or_default(), evaluation: *evaluation }
        }));
    }

    /// The pairs that an action opens; none when it opens nothing.
    fn pairs_opened_by(&self, action: Action, data: &StudyData) -> Option<PairsOf> {
        if self.tab == Tab::Union {
            return self.filter_of_added_pairs().filter(|_| action == Action::Open).map(PairsOf::Filter);
        }
        let (a, b) = self.current(data)?;
        let found_by = |c: usize| spelling::found_by(&data.table.configurations()[c]);
        match action {
            Action::Open | Action::OpenReverse if a == b => Some(PairsOf::Configuration(a)),
            Action::Open => Some(PairsOf::Filter(format!("{} & !{}", found_by(a), found_by(b)))),
            Action::OpenReverse => Some(PairsOf::Filter(format!("{} & !{}", found_by(b), found_by(a)))),
            Action::OpenAlone => Some(PairsOf::Filter(format!("{} & agreement=1", found_by(a)))),
            _ => None,
        }
    }

    /// The configuration under the cursor and that of its column; outside the matrix the same one twice.
    fn current(&self, data: &StudyData) -> Option<(usize, usize)> {
        let order = self.order(data);
        let row = *order.get(self.cursor.at)?;
        match self.tab {
            Tab::Quality | Tab::Union => Some((row, row)),
            Tab::Dice => Some((row, *order.get(self.across.at)?)),
        }
    }

    fn evaluation(&self) -> Option<&Evaluation> {
        match &self.measured[self.truth] {
            Some(Ok(measured)) => Some(&measured.evaluation),
            _ => None,
        }
    }

    fn quality(&self, c: usize) -> Option<&Quality> {
        self.evaluation()?.comparison.configurations.get(c)
    }

    /// Configurations in the order shown; equal ones as in the study.
    fn order(&self, data: &StudyData) -> Vec<usize> {
        let value = |c: usize| self.sort_by.value(data.counts.get(c).copied().unwrap_or_default(), self.quality(c));
        let mut order: Vec<usize> = (0..data.table.configurations().len()).collect();
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        order
    }

    /// Moves, sorts, switches. None when the action is none of this screen's.
    fn update(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Option<Vec<Request>> {
        let len = data.table.configurations().len();
        let page = table::page(self.list(area));
        match action {
            Action::NextPane => {
                self.tab = match self.tab {
                    Tab::Quality => Tab::Dice,
                    Tab::Dice => Tab::Union,
                    Tab::Union => Tab::Quality,
                };
            }
            Action::NextTruth => {
                self.truth = (self.truth + 1) % TRUTHS.len();
                return Some(self.ask());
            }
            Action::Sort => {
                let at = SortBy::ALL.iter().position(|by| *by == self.sort_by).unwrap_or_default();
                self.sort_by = SortBy::ALL[(at + 1) % SortBy::ALL.len()];
                (self.cursor, self.across) = (Cursor::default(), Cursor::default());
            }
            Action::Left | Action::Right if self.tab == Tab::Dice => {
                let step = if action == Action::Left { Action::Up } else { Action::Down };
                let grid = grid::grid(area.width, data.table.configurations());
                self.across.go(step, len, grid.columns);
            }
            Action::NextHit => self.find(data, page, true),
            Action::PreviousHit => self.find(data, page, false),
            _ if self.tab == Tab::Union => {
                let steps = self.steps().len();
                return self.step.go(action, steps, page).then(Vec::new);
            }
            _ => return self.cursor.go(action, len, page).then(Vec::new),
        }
        Some(Vec::new())
    }

    /// Looks for part of a name from the cursor on.
    fn search(&mut self, query: &str, data: &StudyData, area: Rect) {
        self.query = query.to_lowercase();
        if !self.order(data).get(self.cursor.at).is_some_and(|&c| self.name_matches(data, c)) {
            self.find(data, table::page(self.list(area)), true);
        }
    }

    fn name_matches(&self, data: &StudyData, c: usize) -> bool {
        data.table.configurations()[c].to_lowercase().contains(&self.query)
    }

    fn find(&mut self, data: &StudyData, page: usize, forward: bool) {
        let (order, at) = (self.order(data), self.cursor.at);
        let len = order.len();
        if len == 0 || self.query.is_empty() {
            return;
        }
        let row = |step: usize| if forward { (at + step) % len } else { (at + len - step) % len };
        if let Some(row) = (1..=len).map(row).find(|&row| self.name_matches(data, order[row])) {
            self.cursor.to(row, len, page);
        }
    }

    /// What stands above the table: the truth, and what the figures rest on or why there are none.
    fn header(&self, area: Rect) -> Vec<String> {
        let others: Vec<String> =
            (1..TRUTHS.len()).map(|n| TRUTHS[(self.truth + n) % TRUTHS.len()].to_string()).collect();
        let news =
            if self.awaited() { "measuring…".to_owned() } else { format!("t goes on to {}", others.join(", then ")) };
        let mut texts = vec![format!("truth: {} · {news}", TRUTHS[self.truth])];
        match (&self.measured[self.truth], self.tab) {
            (Some(Err(why)), _) => texts.push(why.clone()),
            (_, Tab::Dice) => texts.push(DICE.to_owned()),
            (_, Tab::Union) => texts.push(UNION.to_owned()),
            (Some(Ok(measured)), Tab::Quality) => texts.extend(measured.notes.iter().cloned()),
            (None, Tab::Quality) => {}
        }
        let room = usize::from(area.width.saturating_sub(2));
        let mut lines: Vec<String> = texts.iter().flat_map(|text| wrapped(text, room)).collect();
        let most = usize::from(area.height / 2).max(1);
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut().filter(|last| !texts.contains(last)) {
                last.push('…');
            }
        }
        lines
    }

    fn list(&self, area: Rect) -> Rect {
        let head = (self.header(area).len() as u16).min(area.height);
        Rect { y: area.y + head, height: area.height - head, ..area }
    }
}

/// The intervals of a configuration, for the line below a table that has no room for them.
fn intervals(quality: &Quality) -> String {
    let interval = |(letter, interval): (&str, Option<Interval>)| match interval {
        Some(interval) => format!(" · {letter} {:.3}–{:.3}", interval.low, interval.high),
        None => String::new(),
    };
    [("P", quality.precision), ("R", quality.recall), ("F", quality.f1)].map(interval).concat()
}

impl Screen for Methods {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, OPENING, binding::SORTING, KEYS, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn forget_rows(&mut self) {
        (self.measured, self.asked) = (Default::default(), None);
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if here.sound().is_some() { self.ask() } else { Vec::new() }
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = &here.data else { return Vec::new() };
        match self.pairs_opened_by(action, data) {
            Some(pairs) => vec![Request::Show(Show::Pairs(pairs))],
            None => self.update(action, data, here.area()).unwrap_or_default(),
        }
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if let Some(data) = here.data.as_ref().filter(|_| question == SEARCH) {
            self.search(text, data, here.area());
        }
        Vec::new()
    }

    /// Draws what stands above, then the table or the matrix.
    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme) = (view.data, &view.shared.theme);
        if let Some(trouble) = &data.trouble {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), trouble, theme.warning);
            return;
        }
        let wrong = matches!(self.measured[self.truth], Some(Err(_)));
        for (line, text) in (0u16..).zip(self.header(area)) {
            let style = match line {
                0 => theme.text,
                _ if wrong => theme.warning,
                _ => theme.dim,
            };
            draw_text(buffer, (area.x + 1, area.y + line), area.width.saturating_sub(1), &text, style);
        }
        match self.tab {
            Tab::Quality => self.draw_quality(buffer, self.list(area), data, theme),
            Tab::Dice => self.draw_matrix(buffer, self.list(area), data, theme),
            Tab::Union => self.draw_union(buffer, self.list(area), theme),
        }
    }

    /// Where one is, with what the table has no room for.
    fn status(&self, view: &View<'_>) -> String {
        let data = view.data;
        let Some((a, b)) = self.current(data).filter(|_| data.trouble.is_none()) else { return String::new() };
        let len = data.table.configurations().len();
        let place = format!("{} of {len} · by {}", self.cursor.at + 1, self.sort_by.name());
        match self.tab {
            Tab::Quality => format!("{place}{}", self.quality(a).map(intervals).unwrap_or_default()),
            Tab::Dice => format!("{} · {place}", self.cell_words((a, b), data)),
            Tab::Union => self.union_status(),
        }
    }
}

/// Measures the configurations against a truth.
#[derive(Debug)]
pub struct Measure {
    /// Number in [`TRUTHS`].
    truth: usize,
}

impl Job for Measure {
    /// The number of the truth, and what was measured.
    type Output = (usize, Result<Box<Evaluation>, String>);
    const NAME: &'static str = "measure the configurations";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let evaluation = dejaview_study::evaluate(&backend.study(), &TRUTHS[self.truth], &Reading::default());
        Some((self.truth, evaluation.map(Box::new).map_err(|error| error.to_string())))
    }

    fn line((_, result): &Self::Output) -> Option<LogLine> {
        LogLine::from_result(result, |figures| format!("measured against {}", figures.truth))
    }

    fn deliver((truth, result): Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Methods>().measured(truth, result);
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        // The next who comes here asks again.
        screens.get_mut::<Methods>().asked = None;
        Vec::new()
    }
}
