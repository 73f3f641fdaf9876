//! Where annotators differ, what is unsure or flagged, what contradicts itself, and what was settled.
//!
//! A list of cases; Enter opens one. Adjudication is blind: names and majority stay hidden until the case is settled,
//! notes are shown.

mod bench;
pub mod case;
mod chain;
mod list;
mod reading;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub use bench::{Bench, settled, standing};
pub use chain::Chain;

use self::bench::way;
use self::chain::ReadChain;
use self::reading::Reviewed;
use super::compare::{Form, Pane, ShowsPair, Ways, read};
use crate::action::Action;
use crate::contract::{Job, LogLine, Request, Screen, Screens, Stop};
use crate::data::Link;
use crate::jobs::Backend;
use crate::pair_ids::PairIds;
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::draw_text;
use dejaview_labels::{Case, DocumentOrder, document_order};
use dejaview_report::numbers::plural;

/// Kinds that Tab goes through, the first being all of them.
const KINDS: [&str; 7] =
    ["all", "disagreement", "self-inconsistent", "contradiction", "unsure", "flagged", "adjudicators differ"];

/// The state of the screen.
#[derive(Debug, Default)]
pub struct Review {
    cases: Option<Result<Box<Reviewed>, String>>,
    /// Number in [`KINDS`].
    kind: usize,
    /// On a row of the list.
    pub cursor: Cursor,
    /// Whether the case under the cursor is laid open.
    pub open: bool,
    /// Its texts.
    pub pane: Pane,
    /// All documents on the way of a contradiction.
    pub chain: Chain,
}

/// Whether a case is of a kind.
fn of_kind(case: &Case, kind: usize) -> bool {
    kind == 0 || case.concerns.iter().any(|concern| concern.name() == KINDS[kind])
}

impl Review {
    /// Asks for the journals to be read.
    pub fn entered(&mut self) -> Vec<Request> {
        let mut requests = vec![Request::job(ReadCases)];
        if self.open && self.pane.open.is_none() {
            requests.extend(self.show());
        }
        requests
    }

    /// Takes what they say. The cursor stays on its case.
    fn cases_came(&mut self, result: Result<Box<Reviewed>, String>) {
        let before = self.current().map(ids);
        let first = self.cases.is_none();
        self.cases = Some(result);
        let place = before.and_then(|ids| self.place_of(&ids));
        if first {
            self.cursor.at = self.all().iter().position(|case| !case.standing().is_settled()).unwrap_or(0);
        }
        self.open &= place.is_some();
        self.cursor.at = place.unwrap_or(self.cursor.at);
    }

    fn all(&self) -> &[Case] {
        self.cases.as_ref().and_then(|cases| cases.as_ref().ok()).map_or(&[], |cases| &cases.review.cases)
    }

    /// The cases of the kind that is shown.
    fn shown(&self) -> Vec<&Case> {
        self.all().iter().filter(|case| of_kind(case, self.kind)).collect()
    }

    /// The case under the cursor.
    pub fn current(&self) -> Option<&Case> {
        self.all().iter().filter(|case| of_kind(case, self.kind)).nth(self.cursor.at)
    }

    /// The case that is laid open.
    pub fn opened(&self) -> Option<&Case> {
        self.current().filter(|_| self.open)
    }

    fn place_of(&self, wanted: &PairIds) -> Option<usize> {
        self.shown().iter().position(|case| ids(case) == *wanted)
    }

    /// Which document of the open case stands first.
    pub fn order(&self) -> DocumentOrder {
        self.current()
            .map_or(DocumentOrder::SourceFirst, |case| document_order("review", 0, &case.source, &case.target, false))
    }

    fn show(&mut self) -> Vec<Request> {
        let (order, wanted) = (self.order(), self.current().map(ids));
        let Some(wanted) = wanted else { return Vec::new() };
        self.open = true;
        self.chain.close();
        read::<Self>(self.pane.show_in(wanted, order, Form::Text))
    }

    /// Lays the case of a pair open, whatever kind was shown.
    pub fn go(&mut self, wanted: &PairIds) -> Vec<Request> {
        if self.place_of(wanted).is_none() {
            self.kind = 0;
        }
        let Some(at) = self.place_of(wanted) else { return Vec::new() };
        self.cursor.at = at;
        self.show()
    }

    /// The next case that is not settled, around the end; none when all are.
    pub fn next_open(&mut self, bench: &Bench<'_>) -> Option<Vec<Request>> {
        let cases = self.shown();
        let len = cases.len();
        let next = (1..len).map(|step| (self.cursor.at + step) % len);
        let next = next.into_iter().find(|&at| settled(cases[at], bench).is_none())?;
        self.cursor.at = next;
        Some(self.show())
    }

    /// Moves, opens and scrolls; none when the action is none of this screen's.
    pub fn update(&mut self, action: Action, area: Rect) -> Option<Vec<Request>> {
        let rows = self.shown().len();
        match action {
            _ if self.chain.is_open() => self.chain.update(action, area),
            Action::Why => return self.opened().and_then(way).map(<[_]>::to_vec).map(|ids| self.chain.open(&ids)),
            Action::NextPane => {
                self.kind = (self.kind + 1) % KINDS.len();
                (self.cursor, self.open) = (Cursor::default(), false);
            }
            Action::NextPair | Action::PreviousPair => {
                let last = rows.saturating_sub(1);
                let at = self.cursor.at;
                self.cursor.at = if action == Action::NextPair { (at + 1).min(last) } else { at.saturating_sub(1) };
                let moved = self.cursor.at != at;
                return Some(if self.open && moved { self.show() } else { Vec::new() });
            }
            Action::Open if !self.open => return Some(self.show()),
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

    /// Closes the way, else the open case; false when none is.
    pub fn close(&mut self) -> bool {
        self.chain.close() || std::mem::take(&mut self.open)
    }

    /// Draws the list, or the open case.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, bench: &Bench<'_>, theme: &Theme) {
        let say = |buffer: &mut Buffer, text: &str, style| {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), text, style);
        };
        match (&self.cases, self.opened()) {
            (Some(Ok(_)), Some(_)) if self.chain.is_open() => self.chain.draw(buffer, area, theme),
            (None, _) => say(buffer, "reading the journals…", theme.dim),
            (Some(Err(why)), _) => say(buffer, why, theme.warning),
            (Some(Ok(_)), Some(case)) => case::draw(buffer, area, (case, bench), &self.pane, theme),
            (Some(Ok(cases)), None) => {
                let rows = (self.shown(), self.cursor, KINDS[self.kind]);
                list::draw(buffer, area, (cases, bench), rows, theme);
            }
        }
    }

    /// What stands in the line of messages when there is none.
    pub fn status(&self, bench: &Bench<'_>, way: Ways<'_>) -> String {
        let cases = self.shown();
        let left = cases.iter().filter(|case| settled(case, bench).is_none()).count();
        if self.open && self.chain.is_open() {
            return self.chain.status();
        }
        if self.open {
            return format!(
                "case {} of {} · {left} not settled · {}",
                self.cursor.at + 1,
                cases.len(),
                self.pane.said.map_or_else(|| self.pane.status(true, way), |note| note.text(way))
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

fn ids(case: &Case) -> PairIds {
    PairIds { source: case.source.clone(), target: case.target.clone() }
}

impl Screen for Review {}

impl ShowsPair for Review {
    fn pane_mut(&mut self) -> &mut Pane {
        &mut self.pane
    }
}

/// Reads all journals and sees what is to be settled.
#[derive(Debug)]
pub struct ReadCases;

impl Job for ReadCases {
    type Output = Result<Box<Reviewed>, String>;
    const NAME: &'static str = "read what annotators decided";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(Reviewed::read(&backend.study()).map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::of(output, |_| "read what annotators decided".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Review>().cases_came(output);
        Vec::new()
    }
}

impl Job for ReadChain {
    type Output = Result<Vec<Link>, String>;
    const NAME: &'static str = "read the documents of a way";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(Link::all(&backend.study(), &self.ids))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::of(output, |_| "read the documents of a way".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Review>().chain.came(output);
        Vec::new()
    }
}
