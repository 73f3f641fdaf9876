//! Candidate pairs: a table of any length that jobs filter, sort and search.

mod act;
mod columns;
mod detail;
mod draw;
mod duel;
mod jobs;
mod kept;
mod layout;
pub mod opening;
mod own;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, News, Request, Screen, Show, View};
use crate::data::ShownRows;
use crate::filtering::Filtering;
use crate::key::Key::{self, Char};
use crate::overlays::ask::Ask;
use crate::pair_ids::PairIds;
use crate::preview::{Preview, ShowsPreview};
use crate::question::{FILTER, Question, SEARCH};
use crate::shared::Shared;
use crate::widgets::cursor::Cursor;
use crate::widgets::focus::Focus;
use crate::widgets::prompt::Prompt;
use dejaview_study::Sort;
use duel::Duel;
pub use jobs::{Arrange, SearchPairs};
use kept::{OwnList, TitledIds};

const KEYS: Table = &[
    shown(&[Char(']')], Action::NextChange, "next configuration (duel: next set)"),
    bind(&[Char('[')], Action::PreviousChange, "previous configuration (duel: previous set)"),
    bind(&[Char('S')], Action::SortReverse, "reverse the sort"),
    shown(&[Char('d')], Action::Duel, "duel"),
    bind(&[Char('J')], Action::NextPair, "next pair"),
    bind(&[Char('K')], Action::PreviousPair, "previous pair"),
    bind(&[Char('h'), Key::Left], Action::Left, "previous mark of found-by (duel: opponent)"),
    bind(&[Char('l'), Key::Right], Action::Right, "next mark of found-by (duel: opponent)"),
];

/// What keys do in a duel.
const IN_DUEL: &[(Action, &str)] = &[
    (Action::Back, "leave the duel"),
    (Action::NextChange, "next set"),
    (Action::Right, "opponent"),
    (Action::Duel, "other two"),
    (Action::Open, "open"),
    (Action::Filter, "filter"),
    (Action::Sort, "sort"),
];

/// Asks for the names of two configurations.
const DUEL: Question = Question { sign: "duel of: ", enter: "begins; an empty line ends the duel" };

#[derive(Debug, Default)]
pub struct Pairs {
    /// On one of the rows shown.
    pub cursor: Cursor,
    rows: ShownRows,
    /// The row of the table that stands for all that are not read yet.
    gap: Option<usize>,
    pub filter: String,
    /// Advice on the filter, shown if no pair passes it.
    hint: Option<String>,
    /// If set, only pairs of this source document are shown.
    document: Option<String>,
    /// If set, only pairs that this configuration found are shown.
    configuration: Option<usize>,
    duel: Option<Duel>,
    /// Pairs of the duel's first configuration only, of its second only, of both.
    duel_counts: Option<[u64; 3]>,
    sort: Sort,
    reverse: bool,
    /// The words searched for, in lower case.
    query: String,
    /// The documents whose titles or URLs have them, once they are read.
    titled: Option<TitledIds>,
    /// The person's own list, while pairs are shown that another screen asked for.
    own: Option<OwnList>,
    /// The version of the decisions that the rows hang on, if they hang on any.
    labels_version: Option<u64>,
    /// Whether other rows are on their way, so that those shown are about to go.
    arranging: bool,
    searching: bool,
    /// Whether the whole study was asked for.
    study_requested: bool,
    /// Whether the first pair is to be opened once the rows are arranged.
    first_wanted: bool,
    /// The pair that the cursor goes back to once the rows of a study that was read again are arranged.
    returning: Option<PairIds>,
    focus: Focus,
    preview: Preview,
    /// The row that stands beside the list while a key repeats.
    beside: Option<usize>,
    /// The configuration whose dot ← and → have reached.
    walked: Option<usize>,
}

impl Pairs {
    pub const ID: ScreenId = ScreenId::new("pairs");

    /// The row of the table under the cursor; none while other rows are on their way.
    pub fn current(&self) -> Option<usize> {
        let row = self.rows.get(self.cursor.at).filter(|row| Some(*row) != self.gap);
        row.filter(|_| !self.arranging)
    }

    /// The row that is shown beside the list: the one under the cursor, once a key no longer repeats.
    fn shown_beside(&self) -> Option<usize> {
        self.beside.filter(|_| self.preview.waits()).or_else(|| self.current())
    }
}

impl ShowsPreview for Pairs {
    fn preview_mut(&mut self) -> &mut Preview {
        &mut self.preview
    }
}

impl Screen for Pairs {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        use binding::{COPYING, ESCAPE, EVERYWHERE, FILTERING, LISTS, PANES, SORTING};
        &[LISTS, KEYS, FILTERING, SORTING, PANES, COPYING, EVERYWHERE, ESCAPE]
    }

    /// The digit of the screen shows the pairs of all documents again.
    fn chosen(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        match here.data.as_ref().filter(|_| self.document.is_some()) {
            Some(data) => self.show_all(data, &here.shared.book),
            None => self.entered(here),
        }
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        match here.data.clone() {
            Some(data) => {
                let mut requests = self.renew(&data, here.shared);
                requests.extend(self.show_preview(&data, here.shared, here.at));
                requests
            }
            None => Vec::new(),
        }
    }

    fn forget_rows(&mut self) {
        self.preview.forget();
    }

    fn shows_first_pairs(&self) -> bool {
        true
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        self.perform(action, &data, here)
    }

    /// A duel is left first.
    fn back(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        match here.data.as_ref().filter(|_| self.duel.take().is_some()) {
            Some(data) => self.arrange_or_drop_filter(data, here.shared),
            None if self.focus.unzoom() || std::mem::take(&mut self.focus.at) != 0 => Vec::new(),
            None => {
                let mut requests = self.restore_own_list(here);
                requests.push(Request::Leave);
                requests
            }
        }
    }

    fn clear(&mut self, here: &mut Here<'_>) -> Option<Vec<Request>> {
        let data = here.data.as_ref().filter(|data| self.duel.is_none() && !self.chips(data).is_empty())?;
        Some(self.show_all(data, &here.shared.book))
    }

    fn filtering(&self, shared: &Shared) -> Option<Filtering> {
        self.filtered_list(shared)
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        match question {
            SEARCH => self.search(text, &data),
            // The line in which it was typed has parsed it already.
            FILTER => self.restrict(text, &data, &here.shared.book).unwrap_or_default(),
            DUEL => self.begin_duel(text, &data, here.shared).unwrap_or_else(|why| {
                here.shared.message = Some(why);
                vec![Request::open(Ask::new(question, Prompt::with(text)))]
            }),
            _ => Vec::new(),
        }
    }

    fn show(&mut self, what: &Show, here: &mut Here<'_>) -> Option<Result<Vec<Request>, String>> {
        let Show::Pairs(pairs) = what else { return None };
        let data = here.data.clone()?;
        let before = self.own_list(&data);
        let shown = self.show_pairs(pairs, &data, &here.shared.book);
        self.keep_own_list(before, here.shared.screen);
        Some(shown.map_err(|error| error.to_string()))
    }

    fn on_news(&mut self, news: &News, here: &mut Here<'_>) -> Vec<Request> {
        let News::PairWanted { next } = *news else { return Vec::new() };
        if here.shared.pair_list.is_some_and(|list| list != Self::ID) {
            return Vec::new();
        }
        let row = self.step(next, here.area());
        let pair = here.data.as_ref().zip(row).map(|(data, row)| data.table.pair(row));
        let no_pairs = here.data.as_ref().and_then(|data| data.trouble.clone());
        match pair {
            Some(pair) => vec![Request::Show(Show::Pair(PairIds::new(pair.source, pair.target)))],
            None if here.data.is_none() => here.say("The pairs are still being read"),
            None if self.arranging => {
                here.say("The list of pairs is still being made. Press the key again in a moment")
            }
            None if no_pairs.is_some() => here.say(no_pairs.unwrap_or_default()),
            None if next => here.say("This is the last pair of the table"),
            None => here.say("This is the first pair of the table"),
        }
    }

    fn keys_now(&self) -> Option<&'static [(Action, &'static str)]> {
        self.duel.map(|_| IN_DUEL)
    }

    fn pair_at_hand(&self, shared: &Shared) -> Option<PairIds> {
        let pair = shared.data.as_ref()?.table.pair(self.current()?);
        Some(PairIds::new(pair.source, pair.target))
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        self.draw_panes(buffer, area, view);
    }
}
