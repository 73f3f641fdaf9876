//! Cases to settle: disagreements, contradictions, and what is unsure or flagged.
//!
//! Enter opens a case. Settling is blind: who said what stays hidden until the case is settled; notes are shown.

mod adjudicator;
pub mod case;
mod chain;
mod list;
mod reading;
mod settling;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

pub use adjudicator::{Adjudicator, settled, standing};
pub use chain::Chain;

use self::adjudicator::contradiction_path;
use self::chain::ReadChain;
use self::reading::ReviewData;
use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::book::Book;
use crate::contract::{Here, Job, News, Request, Screen, Screens, Stop, View};
use crate::data::{ChainDocument, StudyData};
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::logbook::LogLine;
use crate::pair_ids::PairIds;
use crate::pane::{Form, PairPane, ShowsPair, read};
use crate::question::{Question, SEARCH};
use crate::shared::Shared;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::draw_text;
use dejaview_labels::{Case, DocumentOrder, document_order};
use dejaview_report::numbers::plural;

/// Kinds that Tab goes through, the first being all of them.
const KINDS: [&str; 7] =
    ["all", "disagreement", "self-inconsistent", "contradiction", "unsure", "flagged", "adjudicators differ"];

const KEYS: Table = &[
    shown(&[Key::Backspace, Char('u')], Action::Undo, "undo"),
    shown(&[Char('J')], Action::NextPair, "next case"),
    bind(&[Char('K')], Action::PreviousPair, "case before"),
    shown(&[Key::Tab], Action::NextPane, "kind"),
    bind(&[Char('w')], Action::Why, "the documents of a contradiction"),
    bind(&[Char('h'), Key::Left], Action::Left, "left; other documents"),
    bind(&[Char('l'), Key::Right], Action::Right, "right; other documents"),
    bind(&[Char(']')], Action::NextChange, "next change"),
    bind(&[Char('[')], Action::PreviousChange, "change before"),
    bind(&[Char('v')], Action::View, "side by side or stacked"),
    bind(&[Char('W')], Action::Wrap, "wrap long lines"),
    bind(&[Char('o')], Action::Fold, "fold equal lines"),
];

#[derive(Debug, Default)]
pub struct Review {
    cases: Option<Result<Box<ReviewData>, String>>,
    /// By number in [`KINDS`].
    kind: usize,
    pub cursor: Cursor,
    /// Whether the case under the cursor is open.
    pub open: bool,
    pub pane: PairPane,
    /// The documents of a contradiction.
    pub chain: Chain,
}

fn has_kind(case: &Case, kind: usize) -> bool {
    kind == 0 || case.concerns.iter().any(|concern| concern.name() == KINDS[kind])
}

impl Review {
    pub const ID: ScreenId = ScreenId::new("review");

    /// The cursor stays on its case.
    fn take_cases(&mut self, result: Result<Box<ReviewData>, String>) {
        let current = self.current().map(ids);
        let first = self.cases.is_none();
        self.cases = Some(result);
        let row = current.and_then(|ids| self.row_of(&ids));
        if first {
            self.cursor.at = self.all().iter().position(|case| !case.standing().is_settled()).unwrap_or(0);
        }
        self.open &= row.is_some();
        self.cursor.at = row.unwrap_or(self.cursor.at);
    }

    fn all(&self) -> &[Case] {
        self.cases.as_ref().and_then(|cases| cases.as_ref().ok()).map_or(&[], |cases| &cases.review.cases)
    }

    fn shown(&self) -> Vec<&Case> {
        self.all().iter().filter(|case| has_kind(case, self.kind)).collect()
    }

    fn current(&self) -> Option<&Case> {
        self.all().iter().filter(|case| has_kind(case, self.kind)).nth(self.cursor.at)
    }

    fn opened(&self) -> Option<&Case> {
        self.current().filter(|_| self.open)
    }

    fn row_of(&self, wanted: &PairIds) -> Option<usize> {
        self.shown().iter().position(|case| ids(case) == *wanted)
    }

    /// Which document of the case is shown first: random, but the same whenever it is opened.
    fn order(&self) -> DocumentOrder {
        self.current()
            .map_or(DocumentOrder::SourceFirst, |case| document_order("review", 0, &case.source, &case.target, false))
    }

    fn open_case(&mut self) -> Vec<Request> {
        let (order, wanted) = (self.order(), self.current().map(ids));
        let Some(wanted) = wanted else { return Vec::new() };
        self.open = true;
        self.chain.close();
        read::<Self>(self.pane.show_in(wanted, order, Form::Text))
    }

    /// Opens the case of a pair, whatever kind is shown.
    fn open_pair(&mut self, wanted: &PairIds) -> Vec<Request> {
        if self.row_of(wanted).is_none() {
            self.kind = 0;
        }
        let Some(at) = self.row_of(wanted) else { return Vec::new() };
        self.cursor.at = at;
        self.open_case()
    }

    /// Opens the next case that is not settled, continuing at the top; none when all are.
    fn open_next_unsettled(&mut self, adjudicator: &Adjudicator<'_>) -> Option<Vec<Request>> {
        let cases = self.shown();
        let len = cases.len();
        let next = (1..len).map(|step| (self.cursor.at + step) % len);
        let next = next.into_iter().find(|&at| settled(cases[at], adjudicator).is_none())?;
        self.cursor.at = next;
        Some(self.open_case())
    }

    /// None when the action is not for this screen.
    fn update(&mut self, action: Action, area: Rect) -> Option<Vec<Request>> {
        let rows = self.shown().len();
        match action {
            _ if self.chain.is_open() => self.chain.update(action, area),
            Action::Why => {
                return self.opened().and_then(contradiction_path).map(<[_]>::to_vec).map(|ids| self.chain.open(&ids));
            }
            Action::NextPane => {
                self.kind = (self.kind + 1) % KINDS.len();
                (self.cursor, self.open) = (Cursor::default(), false);
            }
            Action::NextPair | Action::PreviousPair => {
                let last = rows.saturating_sub(1);
                let at = self.cursor.at;
                self.cursor.at = if action == Action::NextPair { (at + 1).min(last) } else { at.saturating_sub(1) };
                let moved = self.cursor.at != at;
                return Some(if self.open && moved { self.open_case() } else { Vec::new() });
            }
            Action::Open if !self.open => return Some(self.open_case()),
            _ if self.open => {
                let texts = self.opened().map(|case| case::texts(area, case));
                return texts.filter(|texts| self.pane.update(action, *texts)).map(|_| Vec::new());
            }
            _ => {
                let read = self.cases.as_ref().and_then(|cases| cases.as_ref().ok());
                let page = read.map_or(0, |reviewed| list::page(area, reviewed));
                return self.cursor.go(action, rows, page).then(Vec::new);
            }
        }
        Some(Vec::new())
    }

    /// Closes the documents of a contradiction, else the open case; false when neither is open.
    fn close(&mut self) -> bool {
        self.chain.close() || std::mem::take(&mut self.open)
    }
}

fn ids(case: &Case) -> PairIds {
    PairIds { source: case.source.clone(), target: case.target.clone() }
}

impl Screen for Review {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::DECISIONS, KEYS, binding::LISTS, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn entered(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        let mut requests = vec![Request::job(ReadCases)];
        if self.open && self.pane.open.is_none() {
            requests.extend(self.open_case());
        }
        requests
    }

    fn study_read(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        Vec::new()
    }

    fn is_awaited(&self, _: Option<&StudyData>) -> bool {
        false
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        if here.data.is_some() { self.on_key(action, here) } else { Vec::new() }
    }

    /// The open case is closed first.
    fn back(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if !self.close() {
            return vec![Request::Leave];
        }
        here.shared.hide();
        Vec::new()
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if question == SEARCH && here.data.is_some() {
            self.pane.search(text, here.area());
        }
        Vec::new()
    }

    /// An adjudication changes estimates and agreement, so they are read again.
    fn told(&mut self, news: &News, here: &mut Here<'_>) -> Vec<Request> {
        let concerned = *news == News::AdjudicationSaved && here.shared.screen == Self::ID;
        if concerned { vec![Request::job(ReadCases)] } else { Vec::new() }
    }

    fn book<'a>(&self, shared: &'a Shared) -> &'a Book {
        &shared.adjudications
    }

    fn saved_style(&self, shared: &Shared) -> Option<Style> {
        shared.adjudications.has_begun().then_some(shared.theme.dim)
    }

    fn pane(&self) -> Option<&PairPane> {
        self.opened().map(|_| &self.pane)
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (adjudicator, theme) = (&Adjudicator::new(&view.shared.adjudications), &view.shared.theme);
        let say = |buffer: &mut Buffer, text: &str, style| {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), text, style);
        };
        match (&self.cases, self.opened()) {
            (Some(Ok(_)), Some(_)) if self.chain.is_open() => self.chain.draw(buffer, area, theme),
            (None, _) => say(buffer, "reading the journals…", theme.dim),
            (Some(Err(why)), _) => say(buffer, why, theme.warning),
            (Some(Ok(_)), Some(case)) => case::draw(buffer, area, (case, adjudicator), &self.pane, theme),
            (Some(Ok(cases)), None) => {
                let rows = (self.shown(), self.cursor, KINDS[self.kind]);
                list::draw(buffer, area, (cases, adjudicator), rows, theme);
            }
        }
    }

    fn status(&self, view: &View<'_>) -> String {
        let (adjudicator, way) = (&Adjudicator::new(&view.shared.adjudications), &|action| view.shared.way_to(action));
        let cases = self.shown();
        let left = cases.iter().filter(|case| settled(case, adjudicator).is_none()).count();
        if self.open && self.chain.is_open() {
            return self.chain.status();
        }
        if self.open {
            return format!(
                "case {} of {} · {left} not settled · {}",
                self.cursor.at + 1,
                cases.len(),
                self.pane.notice.map_or_else(|| self.pane.status(true, way), |note| note.text(way))
            );
        }
        match cases.len() {
            0 => String::new(),
            all => {
                let cases = plural(all as u64, "case");
                format!("{cases} ({}), {left} not settled · Enter opens one · Tab shows another kind", KINDS[self.kind])
            }
        }
    }
}

impl ShowsPair for Review {
    fn pane_mut(&mut self) -> &mut PairPane {
        &mut self.pane
    }
}

#[derive(Debug)]
pub struct ReadCases;

impl Job for ReadCases {
    type Output = Result<Box<ReviewData>, String>;
    const NAME: &'static str = "read what annotators decided";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(ReviewData::read(&backend.study()).map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |_| "read what annotators decided".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Review>().take_cases(output);
        Vec::new()
    }
}

impl Job for ReadChain {
    type Output = Result<Vec<ChainDocument>, String>;
    const NAME: &'static str = "read the documents of a way";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(ChainDocument::read_all(&backend.study(), &self.ids))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |_| "read the documents of a way".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Review>().chain.take(output);
        Vec::new()
    }
}
