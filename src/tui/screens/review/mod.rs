//! Cases to settle: disagreements, contradictions, and what is unsure or flagged.
//!
//! Enter opens a case. Settling is blind: who said what stays hidden until the case is settled; notes are shown.

mod adjudicator;
mod agreement;
mod areas;
pub mod case;
mod chain;
mod checking;
mod list;
mod reading;
mod settled_cases;
mod settling;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

pub use adjudicator::{Adjudicator, settled, standing};
pub use chain::Chain;

use self::adjudicator::contradiction_path;
use self::chain::ReadChain;
use self::checking::Settling;
use self::list::{KINDS, List};
use self::reading::ReviewData;
use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::book::Book;
use crate::contract::{Here, Job, NO_RESULT, News, Request, Screen, Screens, Stop, View};
use crate::data::{ChainDocument, StudyData};
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::labelling::writes_to_journal;
use crate::logbook::LogLine;
use crate::pair_ids::PairIds;
use crate::pane::{Form, PairPane, ShowsPair, read};
use crate::question::{Question, SEARCH};
use crate::shared::Shared;
use crate::widgets::cursor::Cursor;
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::draw_text;
use crate::widgets::size::Size;
use dejaview_labels::{Case, DocumentOrder, document_order};

const KEYS: Table = &[
    shown(&[Key::Backspace, Char('u')], Action::Undo, "undo"),
    shown(&[Char('J')], Action::NextPair, "next case"),
    bind(&[Char('K')], Action::PreviousPair, "previous case"),
    shown(&[Char(']')], Action::NextChange, "next change (in the list: next kind)"),
    bind(&[Char('[')], Action::PreviousChange, "previous change (in the list: previous kind)"),
    bind(&[Char('w')], Action::Why, "documents of a contradiction"),
    bind(&[Char('h'), Key::Left], Action::Left, "left; previous document"),
    bind(&[Char('l'), Key::Right], Action::Right, "right; next document"),
    bind(&[Char('v')], Action::View, "side by side or stacked"),
    bind(&[Char('W')], Action::Wrap, "wrap long lines"),
    bind(&[Char('o')], Action::Fold, "fold equal lines"),
];

/// Said when the labels of a case that was open have changed.
const GONE: &str = "The case that was open is gone: nothing is left to settle on its pair";

/// What keys do in the list, where nothing can be settled.
const IN_LIST: &[(Action, &str)] = &[
    (Action::Open, "open the case"),
    (Action::NextPair, "next case"),
    (Action::NextChange, "next kind"),
    (Action::Undo, "undo"),
    (Action::NextPane, "next pane"),
    (Action::ZoomIn, "zoom"),
    (Action::Back, "back"),
];

/// What keys do on Agreement.
const IN_AGREEMENT: &[(Action, &str)] = &[
    (Action::ZoomIn, "zoom"),
    (Action::ZoomOut, "all panes"),
    (Action::NextPane, "next pane"),
    (Action::Back, "back"),
];

/// What keys do while the documents of a contradiction are shown: no label is given.
const IN_CHAIN: &[(Action, &str)] = &[
    (Action::Down, "scroll"),
    (Action::Left, "previous document"),
    (Action::Right, "next document"),
    (Action::Why, "back to the case"),
    (Action::Back, "back"),
];

/// A part of the screen that can have the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    List,
    /// The case under the cursor, which can be settled then.
    Case,
    /// How far annotators agree; with the screen to itself, the settled cases are beside it.
    Agreement,
}

#[derive(Debug, Default)]
pub struct Review {
    cases: Option<Result<Box<ReviewData>, String>>,
    /// By number in [`KINDS`].
    kind: usize,
    pub cursor: Cursor,
    /// The part that has the keys.
    part: Part,
    /// Whether the pane with the keys has the screen to itself.
    zoomed: bool,
    pub pane: PairPane,
    /// The documents of a contradiction.
    pub chain: Chain,
    /// What was decided and waits until the journals were looked at.
    settling: Option<Settling>,
}

impl Review {
    pub const ID: ScreenId = ScreenId::new("review");

    /// The cursor stays on its case, or in its place where the case is gone.
    fn take_cases(&mut self, result: Result<Box<ReviewData>, String>, shared: &mut Shared) -> Vec<Request> {
        let current = self.current().map(ids);
        let first = self.cases.is_none();
        self.cases = Some(result);
        let row = current.and_then(|ids| self.row_of(&ids));
        if first {
            self.cursor.at = self.all().iter().position(|case| !case.standing().is_settled()).unwrap_or(0);
        }
        if self.is_open() && row.is_none() {
            self.part = Part::List;
            self.chain.close();
            shared.hide();
            shared.message = Some(GONE.to_owned());
        }
        self.cursor.at = row.unwrap_or(self.cursor.at).min(self.shown().len().saturating_sub(1));
        self.read_case()
    }

    fn data(&self) -> Option<&ReviewData> {
        self.cases.as_ref().and_then(|cases| cases.as_ref().ok()).map(|data| &**data)
    }

    fn all(&self) -> &[Case] {
        self.data().map_or(&[], |data| &data.review.cases)
    }

    fn shown(&self) -> Vec<&Case> {
        self.all().iter().filter(|case| KINDS[self.kind].includes(case)).collect()
    }

    fn current(&self) -> Option<&Case> {
        self.all().iter().filter(|case| KINDS[self.kind].includes(case)).nth(self.cursor.at)
    }

    fn is_open(&self) -> bool {
        self.part == Part::Case
    }

    fn opened(&self) -> Option<&Case> {
        self.current().filter(|_| self.is_open())
    }

    fn row_of(&self, wanted: &PairIds) -> Option<usize> {
        self.shown().iter().position(|case| ids(case) == *wanted)
    }

    /// Which document of the case is shown first: random, but the same whenever it is opened.
    fn order(&self) -> DocumentOrder {
        self.current()
            .map_or(DocumentOrder::SourceFirst, |case| document_order("review", 0, &case.source, &case.target, false))
    }

    /// Asks for the texts of the case under the cursor, unless they are there.
    fn read_case(&mut self) -> Vec<Request> {
        let Some(wanted) = self.current().map(ids) else {
            self.pane.close();
            return Vec::new();
        };
        if self.pane.ids == wanted && matches!(self.pane.open, Some(Ok(_))) {
            return Vec::new();
        }
        let order = self.order();
        read::<Self>(self.pane.show_in(wanted, order, Form::Text))
    }

    fn open_case(&mut self) -> Vec<Request> {
        self.part = if self.current().is_some() { Part::Case } else { Part::List };
        self.chain.close();
        self.read_case()
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
    fn update(&mut self, action: Action, area: Rect, size: Size) -> Option<Vec<Request>> {
        let areas = self.areas(area, size);
        match action {
            _ if self.chain.is_open() => self.chain.update(action, area),
            Action::Why => {
                return self.opened().and_then(contradiction_path).map(<[_]>::to_vec).map(|ids| self.chain.open(&ids));
            }
            Action::NextPane | Action::PreviousPane => return Some(self.next_part(action == Action::NextPane)),
            Action::Open if !self.is_open() => return Some(self.open_case()),
            Action::ZoomIn => self.zoomed = true,
            Action::ZoomOut => self.zoomed = false,
            Action::NextPair | Action::PreviousPair => {
                let step = if action == Action::NextPair { Action::Down } else { Action::Up };
                return Some(self.move_cursor(step, areas.page));
            }
            _ if self.is_open() => {
                let texts = PairPane::texts_inside(areas.case, size);
                return self.pane.update(action, texts).then(Vec::new);
            }
            Action::NextChange | Action::PreviousChange => {
                let step = if action == Action::NextChange { 1 } else { KINDS.len() - 1 };
                self.kind = (self.kind + step) % KINDS.len();
                self.cursor = Cursor::default();
                return Some(self.read_case());
            }
            _ => return Some(self.move_cursor(action, areas.page)),
        }
        Some(Vec::new())
    }

    /// Moves in the list; the case under the cursor is shown beside it.
    fn move_cursor(&mut self, action: Action, page: usize) -> Vec<Request> {
        let (rows, at) = (self.shown().len(), self.cursor.at);
        self.cursor.go(action, rows, page);
        if self.cursor.at == at { Vec::new() } else { self.read_case() }
    }

    /// Gives the keys to the next part, or the previous one: the list, the case, Agreement. Where there is no case, it is
    /// left out.
    fn next_part(&mut self, forward: bool) -> Vec<Request> {
        let has_case = self.current().is_some();
        let next = match (self.part, forward) {
            (Part::List, true) | (Part::Agreement, false) if has_case => Part::Case,
            (Part::List, _) | (Part::Case, true) => Part::Agreement,
            (Part::Case, false) | (Part::Agreement, _) => Part::List,
        };
        if next == Part::Case {
            return self.open_case();
        }
        self.part = next;
        Vec::new()
    }

    /// Closes the documents of a contradiction, else zooms out, else gives the keys to the list; false when it has them.
    fn close(&mut self) -> bool {
        self.chain.close() || std::mem::take(&mut self.zoomed) || std::mem::take(&mut self.part) != Part::List
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
        &[binding::DECISIONS, KEYS, binding::LISTS, binding::PANES, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn entered(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        let mut requests = vec![Request::job(ReadCases)];
        if self.pane.open.is_none() {
            requests.extend(self.read_case());
        }
        requests
    }

    fn study_read(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        Vec::new()
    }

    /// Keys wait for what becomes of a decision.
    fn is_awaited(&self, _: Option<&StudyData>) -> bool {
        self.settling.is_some()
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
            let size = here.shared.class();
            self.pane.search(text, PairPane::texts_inside(self.areas(here.area(), size).case, size));
            if let Some(missing) = self.pane.view.search_failure() {
                return here.say(missing);
            }
        }
        Vec::new()
    }

    /// An adjudication and labels of others change cases, estimates and agreement, so they are read again. What `study.toml`
    /// asks for now may be other texts.
    fn on_news(&mut self, news: &News, here: &mut Here<'_>) -> Vec<Request> {
        let mut requests = Vec::new();
        if *news == News::RecipeChanged {
            here.shared.hide();
            requests.extend(self.pane.show_again().map(read::<Self>).unwrap_or_default());
            requests.extend(self.chain.open_again());
        }
        let concerned = matches!(news, News::AdjudicationSaved | News::LabelsChanged | News::RecipeChanged);
        requests.extend((concerned && here.shared.screen == Self::ID).then(|| Request::job(ReadCases)));
        requests
    }

    /// No case is settled while the documents of a contradiction cover its texts. Nothing is decided, and nobody leaves,
    /// before it is known what becomes of the last decision.
    fn meaning(&self, action: Action, _: &Screens, shared: &mut Shared) -> Option<Action> {
        let leaves = matches!(action, Action::Quit | Action::Back | Action::Clear | Action::Go(_));
        if self.settling.is_some() && (leaves || writes_to_journal(action)) {
            shared.message = Some("Your decision is being saved. Press the key again in a moment".to_owned());
            return None;
        }
        if self.chain.is_open() && Action::LABELS.contains(&action) {
            let why = shared.way_to(Action::Why);
            shared.message =
                Some(format!("Label keys are off while the contradiction is shown. Press {why} to close it"));
            return None;
        }
        Some(action)
    }

    fn book<'a>(&self, shared: &'a Shared) -> &'a Book {
        &shared.adjudications
    }

    fn saved_style(&self, shared: &Shared) -> Option<Style> {
        shared.adjudications.has_begun().then_some(shared.theme.muted)
    }

    fn keys_now(&self) -> Option<&'static [(Action, &'static str)]> {
        if self.chain.is_open() {
            return Some(IN_CHAIN);
        }
        match self.part {
            Part::List => Some(IN_LIST),
            Part::Case => None,
            Part::Agreement => Some(IN_AGREEMENT),
        }
    }

    fn pane(&self) -> Option<&PairPane> {
        self.opened().map(|_| &self.pane)
    }

    fn shows_texts(&self, _: &StudyData, shared: &Shared) -> bool {
        let size = shared.class();
        let texts = PairPane::texts_inside(self.areas(shared.area(), size).case, size);
        let is_read = self.pane().is_some_and(|pane| matches!(pane.open, Some(Ok(_))));
        is_read && !self.chain.is_open() && !texts.is_empty()
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (size, theme) = (view.shared.class(), &view.shared.theme);
        let data = match &self.cases {
            Some(Ok(data)) => data,
            other => {
                let (text, style) = match other {
                    Some(Err(why)) => (format!("✗ {why}"), theme.error),
                    _ => ("Reading the journals…".to_owned(), theme.muted),
                };
                draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), &text, style);
                return;
            }
        };
        if self.opened().is_some() && self.chain.is_open() {
            return self.chain.draw(buffer, area, size, theme);
        }
        let adjudicator = Adjudicator::new(&view.shared.adjudications);
        let areas = self.areas(area, size);
        if areas.list.height > 0 {
            let list =
                List { data, adjudicator, kind: self.kind, cursor: self.cursor, focused: self.part == Part::List };
            list.draw(buffer, areas.list, size, theme);
        }
        if areas.settled.height > 0 {
            settled_cases::draw(buffer, areas.settled, (data, &adjudicator), size, theme);
        }
        if areas.agreement.height > 0 {
            let focused = self.part == Part::Agreement;
            agreement::draw(buffer, areas.agreement, (data, focused), size, theme);
        }
        let Some(case) = self.current().filter(|_| areas.case.height > 0) else { return };
        case::draw_header(buffer, areas.header, (case, &adjudicator), &self.pane, theme);
        let way = &|action| view.shared.way_to(action);
        let title = format!("Case {} of {}", self.cursor.at + 1, self.shown().len());
        let mut frame = Frame { focused: self.is_open(), ..self.pane.frame(&title, true, way) };
        if !self.is_open() && frame.qualifier.is_empty() {
            frame.qualifier = format!("{} opens it, then it can be settled", way(Action::Open));
        }
        let book = &view.shared.adjudications;
        if self.is_open() && frame.qualifier.is_empty() && book.has_begun() {
            frame.qualifier = book.status(self.saved(view.shared));
        }
        self.pane.draw_framed(buffer, areas.case, &frame, size, theme);
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

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Review>().take_cases(output, shared)
    }

    fn lost(screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Review>().take_cases(Err(NO_RESULT.to_owned()), shared)
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

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Review>().chain.take(Err(NO_RESULT.to_owned()));
        Vec::new()
    }
}
