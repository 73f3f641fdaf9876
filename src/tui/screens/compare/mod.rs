//! Two documents: titles and URLs, scores, the texts with their differences, and why the pair matches or not.

mod about;
mod digits;
mod draw;
mod jobs;
mod keys;
mod scores;
mod why;
mod why_draw;
mod why_row;
mod why_rows;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::why::Why;
use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, News, Request, Screen, Screens, Show, View};
use crate::data::StudyData;
use crate::key::Key::{self, Char};
use crate::labelling::{self, label_given_by, writes_to_journal};
use crate::pair_ids::PairIds;
use crate::pane::{Form, PairPane, ShowsPair, read};
use crate::question::{Question, SEARCH};
use crate::shared::Shared;
use crate::subject::Subject;
use crate::widgets::diff_view::Spans;
use crate::widgets::focus::Focus;
use crate::widgets::size::{Breadth, Size, split_columns, split_lines};

/// Lines of the header: two documents and the scores.
const HEADER: u16 = 3;
/// Columns of Why where it is beside the texts.
const WHY_WIDTH: u16 = 66;
/// The number of Why among the panes; the texts are 0.
const WHY: usize = 1;
const PANES: usize = 2;

const PAIR_KEYS: Table = &[
    bind(&[Key::Backspace, Char('u')], Action::Undo, "undo"),
    shown(&[Char('w')], Action::Why, "why"),
    bind(&[Char('c')], Action::Note, "note"),
    bind(&[Char('f')], Action::Flag, "flag"),
];

const VIEW_KEYS: Table = &[
    bind(&[Char('r')], Action::Rendered, "text, rendered, raw"),
    bind(&[Char('s')], Action::Swap, "swap sides"),
    bind(&[Key::Tab], Action::NextPane, "texts or Why; the other side"),
    shown(&[Char('m')], Action::About, "about"),
    bind(&[Char('X')], Action::WhatIf, "what if (x in Why)"),
    bind(&[Char('+')], Action::ZoomIn, "this pane alone"),
    bind(&[Char('_')], Action::ZoomOut, "all panes"),
];

/// What keys do in Why, by the action that they have in the texts.
const IN_WHY: &[(Action, &str)] = &[
    (Action::Open, "jump to it"),
    (Action::Not, "what if"),
    (Action::Left, "fold"),
    (Action::NextPane, "texts"),
    (Action::ZoomIn, "zoom"),
    (Action::Why, "close why"),
    (Action::NextPair, "next pair"),
    (Action::Back, "back"),
];

/// What keys do in the texts while Why is open, when no key labels.
const BESIDE_WHY: &[(Action, &str)] = &[
    (Action::NextChange, "next change"),
    (Action::NextPane, "why"),
    (Action::ZoomIn, "zoom"),
    (Action::Why, "close why"),
    (Action::NextPair, "next pair"),
    (Action::About, "about"),
    (Action::Back, "back"),
];

#[derive(Debug, Default)]
pub struct Compare {
    pub pane: PairPane,
    why: Option<Why>,
    /// On the texts or on Why.
    focus: Focus,
    /// The first line shown of what is known about the documents, while that covers the texts.
    about: Option<usize>,
}

/// Where the parts of the screen are.
struct Areas {
    header: Rect,
    /// With its frame.
    texts: Rect,
    /// With its frame; empty while it is closed.
    why: Rect,
}

impl Compare {
    pub const ID: ScreenId = ScreenId::new("compare");

    fn open(&mut self, ids: PairIds) -> Vec<Request> {
        let mut requests = read::<Self>(self.pane.show(ids, Form::Text));
        if let Some(previous) = self.why.take() {
            requests.extend(self.ask_why(Some(previous)));
        }
        requests
    }

    /// Opens a pair together with why it matches.
    fn open_why(&mut self, ids: PairIds) -> Vec<Request> {
        self.why.get_or_insert_default();
        self.focus.at = WHY;
        self.open(ids)
    }

    /// Asks why the pair matches; what was unfolded for the previous pair stays so.
    fn ask_why(&mut self, previous: Option<Why>) -> Vec<Request> {
        let (why, question) = Why::new(previous);
        self.why = Some(why);
        question.map(|question| self.explain(question)).into_iter().collect()
    }

    /// Waits for a pair that is not known yet.
    fn wait(&mut self) {
        self.pane.ids = PairIds::default();
        self.pane.open = None;
        self.pane.awaited = true;
    }

    /// Whether it is shown why the pair matches.
    pub fn shows_why(&self) -> bool {
        self.why.is_some()
    }

    /// Whether Why has the keys.
    fn in_why(&self) -> bool {
        self.focus.is_on(WHY) && self.why.is_some()
    }

    /// Where the texts are; of no height while Why has the screen to itself.
    fn texts(&self, shared: &Shared) -> Rect {
        PairPane::texts_inside(self.areas(shared.area(), shared.class()).texts, shared.class())
    }

    /// Where the texts can be read; none while About or Why covers them.
    fn texts_in_sight(&self, shared: &Shared) -> Option<Rect> {
        Some(self.texts(shared)).filter(|texts| self.about.is_none() && !texts.is_empty())
    }

    /// Does something that may cover the texts, uncover them or move them: whoever writes then must have seen them so.
    fn rearrange<T>(&mut self, here: &mut Here<'_>, work: impl FnOnce(&mut Self, &mut Here<'_>) -> T) -> T {
        let before = self.texts_in_sight(here.shared);
        let result = work(self, here);
        if self.texts_in_sight(here.shared) != before {
            here.shared.hide();
        }
        result
    }

    /// Closes what is over the texts or beside them; false when nothing is.
    fn close(&mut self) -> bool {
        if self.about.take().is_some() || self.focus.unzoom() {
            return true;
        }
        let open = self.in_why();
        if open {
            self.close_why();
        }
        open
    }

    fn close_why(&mut self) {
        self.why = None;
        self.focus.at = 0;
        self.pane.view.mark(Spans::default());
    }

    fn areas(&self, area: Rect, size: Size) -> Areas {
        let nothing = Rect { height: 0, ..area };
        let (header, body) = if self.focus.zoomed {
            (nothing, area)
        } else {
            let [header, body] = split_lines(area, HEADER);
            (header, body)
        };
        let (texts, why) = match &self.why {
            None => (body, nothing),
            Some(_) if self.focus.zoomed && self.in_why() => (nothing, body),
            Some(_) if self.focus.zoomed => (body, nothing),
            Some(_) if size.breadth == Breadth::Wide => {
                let [texts, why] = split_columns(body, body.width.saturating_sub(WHY_WIDTH));
                (texts, why)
            }
            Some(_) => {
                // A bit more than half for Why, which has more to say than a change takes lines.
                let [texts, why] = split_lines(body, body.height - (body.height * 11 + 10) / 20);
                (texts, why)
            }
        };
        Areas { header, texts, why }
    }
}

impl Screen for Compare {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        use binding::{COPYING, DECISIONS, ESCAPE, EVERYWHERE, TEXTS};
        &[DECISIONS, PAIR_KEYS, TEXTS, VIEW_KEYS, COPYING, EVERYWHERE, ESCAPE]
    }

    /// Asks again for a pair that is not there: reading it may have failed.
    fn entered(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        let lost = !matches!(self.pane.open, Some(Ok(_))) && !self.pane.ids.source.is_empty();
        if lost { read::<Self>(self.pane.show(self.pane.ids.clone(), self.pane.form)) } else { Vec::new() }
    }

    fn study_read(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if matches!(self.pane.open, Some(Err(_))) { self.entered(here) } else { Vec::new() }
    }

    fn shows_first_pairs(&self) -> bool {
        true
    }

    fn is_awaited(&self, _: Option<&StudyData>) -> bool {
        false
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        if action != Action::Blink {
            self.pane.view.stop_blinking();
        }
        if let Some(label) = label_given_by(action) {
            return self.decide(label, here);
        }
        match action {
            Action::NextPair => vec![Request::Tell(News::PairWanted { next: true })],
            Action::PreviousPair => vec![Request::Tell(News::PairWanted { next: false })],
            Action::Undo => self.take_back(true, here),
            Action::Redo => self.take_back(false, here),
            Action::Note => labelling::type_note(self.subject().as_ref(), here.shared),
            Action::Flag => self.subject().map(|pair| labelling::flag(&pair, here.shared)).unwrap_or_default(),
            _ => {
                let requests = self.rearrange(here, |compare, here| {
                    compare.update(action, &data, (here.area(), here.shared.class())).unwrap_or_default()
                });
                if let Some(notice) = self.pane.notice.take() {
                    here.say(notice.text(&|action| here.shared.way_to(action)));
                }
                requests
            }
        }
    }

    /// What is over the texts or beside them is closed first.
    fn back(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let has_closed = self.rearrange(here, |compare, _| compare.close());
        if has_closed { Vec::new() } else { vec![Request::Leave] }
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if question == SEARCH {
            let place = self.texts(here.shared);
            self.pane.search(text, place);
            if let Some(missing) = self.pane.view.search_failure() {
                return here.say(missing);
            }
        }
        Vec::new()
    }

    fn show(&mut self, what: &Show, here: &mut Here<'_>) -> Option<Result<Vec<Request>, String>> {
        let requests = match what {
            Show::Pair(ids) => self.open(ids.clone()),
            Show::Why(ids) => self.open_why(ids.clone()),
            Show::AwaitedPair => {
                self.wait();
                Vec::new()
            }
            _ => return None,
        };
        here.shared.hide();
        Some(Ok(requests))
    }

    /// Takes the pair it waits for, unless another was opened meanwhile. What `study.toml` asks for now may be another text.
    fn on_news(&mut self, news: &News, here: &mut Here<'_>) -> Vec<Request> {
        match news {
            News::FirstPair(ids) if std::mem::take(&mut self.pane.awaited) => {
                ids.clone().map(|ids| self.open(ids)).unwrap_or_default()
            }
            News::RecipeChanged => {
                here.shared.hide();
                let mut requests = self.pane.show_again().map(read::<Self>).unwrap_or_default();
                if let Some(previous) = self.why.take() {
                    requests.extend(self.ask_why(Some(previous)));
                }
                requests
            }
            _ => Vec::new(),
        }
    }

    fn seen(&mut self, shared: &mut Shared) {
        if !shared.glimpsed.contains(&self.pane.ids) {
            shared.glimpsed.insert(self.pane.ids.clone());
        }
    }

    /// Nothing is written while About or Why covers the texts. Label keys are off while Why is open: in it the key for “not”
    /// switches a run off, so a slip would label the pair.
    fn meaning(&self, action: Action, _: &Screens, shared: &mut Shared) -> Option<Action> {
        if action == Action::Not && self.in_why() {
            return Some(Action::WhatIf);
        }
        let takes_back = matches!(action, Action::Undo | Action::Redo);
        if !writes_to_journal(action) || takes_back {
            return Some(action);
        }
        let (what, way) = if self.why.is_some() && label_given_by(action).is_some() {
            ("Label keys are off while Why is open", format!("{} to close it", shared.way_to(Action::Why)))
        } else if self.about.is_some() {
            ("Label keys are off while About covers the texts", format!("{} to close it", shared.way_to(Action::About)))
        } else if self.texts(shared).is_empty() && shared.fits() {
            ("Label keys are off while Why covers the texts", format!("{} to see both", shared.way_to(Action::ZoomOut)))
        } else {
            return Some(action);
        };
        shared.message = Some(format!("{what}. Press {way}"));
        None
    }

    fn keys_now(&self) -> Option<&'static [(Action, &'static str)]> {
        self.why.as_ref().map(|_| if self.in_why() { IN_WHY } else { BESIDE_WHY })
    }

    fn pane(&self) -> Option<&PairPane> {
        Some(&self.pane)
    }

    fn shows_texts(&self, _: &StudyData, shared: &Shared) -> bool {
        matches!(self.pane.open, Some(Ok(_))) && self.texts_in_sight(shared).is_some()
    }

    fn subject(&self) -> Option<Subject> {
        let ids = Some(self.pane.ids.clone()).filter(|ids| !ids.source.is_empty())?;
        Some(Subject { ids, sample: None, repeat: false, digests: self.pane.digests() })
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        self.draw_in(buffer, &self.areas(area, view.shared.class()), view);
    }
}

impl ShowsPair for Compare {
    fn pane_mut(&mut self) -> &mut PairPane {
        &mut self.pane
    }
}
