//! Candidate pairs: a table of any length, filtered, sorted and searched by a worker.

mod columns;
mod duel;
pub mod opening;

pub use duel::Duel;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, Job, News, PairsOf, Request, Screen, Screens, Show, Stop, View};
use crate::data::{Known, Partial, Rows, Seen, StudyData};
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::logbook::LogLine;
use crate::overlays::ask::Ask;
use crate::pair_ids::PairIds;
use crate::question::{FILTER, Question, SEARCH};
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph::{self, wrapped};
use crate::widgets::prompt::Prompt;
use crate::widgets::table::{self, Line};
use columns::{Columns, FEW};
use dejaview_base::ignoring_case;
use dejaview_labels::Decisions;
use dejaview_report::numbers::{count, plural};
use dejaview_study::{Arranged, Filter, FilterError, Order, Sort, StudyError};

const KEYS: Table = &[
    bind(&[Char('S')], Action::SortReverse, "the other way round"),
    shown(&[Char('d')], Action::Duel, "duel"),
    shown(&[Key::Tab], Action::NextConfiguration, "configuration (in a duel: next set)"),
    bind(&[Char('h'), Key::Left], Action::Left, "opponent before (in a duel)"),
    bind(&[Char('l'), Key::Right], Action::Right, "next opponent (in a duel)"),
];

/// What keys do in a duel.
const IN_DUEL: &[(Action, &str)] = &[
    (Action::Back, "leave the duel"),
    (Action::NextConfiguration, "next set"),
    (Action::Right, "opponent"),
    (Action::Duel, "other two"),
    (Action::Open, "open"),
    (Action::Filter, "filter"),
    (Action::Sort, "sort"),
];

/// Two configurations.
const DUEL: Question = Question { sign: "duel of: ", enter: "begins; an empty line ends the duel" };

/// The table and where one is in it.
#[derive(Debug, Default)]
pub struct Pairs {
    /// On a row of those shown.
    pub cursor: Cursor,
    /// Numbers of the rows shown, once a worker has arranged them.
    rows: Rows,
    /// The row of the table that stands for those which are not read yet.
    gap: Option<usize>,
    /// What was typed.
    pub filter: String,
    /// What to know of the filter when no pair passes it.
    hint: Option<String>,
    /// The document whose pairs alone are shown.
    of: Option<String>,
    /// The configuration whose pairs alone are shown.
    configuration: Option<usize>,
    duel: Option<Duel>,
    /// Of the duel: only the first's, only the second's, both's.
    counts: Option<[u64; 3]>,
    sort: Sort,
    reverse: bool,
    query: String,
    /// Whether the rows are being arranged: those shown are about to go.
    arranging: bool,
    /// Whether a row is being searched for.
    seeking: bool,
    /// Whether the whole study was asked for.
    study_asked: bool,
    /// Whether the first pair is to be opened once the rows are arranged.
    wanted: bool,
}

impl Pairs {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("pairs");

    /// Row of the table under the cursor; none while the rows are being arranged: what one sees then is about to go.
    pub fn current(&self) -> Option<usize> {
        let row = self.rows.get(self.cursor.at).filter(|row| Some(*row) != self.gap);
        row.filter(|_| !self.arranging)
    }

    /// Moves the cursor by a row; the row of the table that it is on then, if it could.
    fn step(&mut self, forward: bool, page: usize) -> Option<usize> {
        let at = if forward { self.cursor.at + 1 } else { self.cursor.at.checked_sub(1)? };
        if at >= self.rows.len() {
            return None;
        }
        self.cursor.to(at, self.rows.len(), page);
        self.current()
    }

    /// Takes every narrowing away.
    fn widen(&mut self) {
        (self.of, self.configuration, self.duel) = (None, None, None);
        self.filter.clear();
    }

    /// Shows the pairs of one document, or of all.
    fn of(&mut self, document: Option<&str>, data: &Arc<StudyData>, labels: &Decisions) -> Vec<Request> {
        self.widen();
        self.of = document.map(str::to_owned);
        self.arrange(data, labels).unwrap_or_default()
    }

    /// Shows pairs that another screen wants to be seen.
    fn only(
        &mut self,
        pairs: &PairsOf,
        data: &Arc<StudyData>,
        labels: &Decisions,
    ) -> Result<Vec<Request>, FilterError> {
        self.widen();
        match pairs {
            PairsOf::Document(id) => Ok(self.of(Some(id), data, labels)),
            PairsOf::Configuration(configuration) => {
                self.configuration = Some(*configuration);
                Ok(self.arrange(data, labels).unwrap_or_default())
            }
            PairsOf::Filter(expression) => self.restrict(expression, data, labels),
        }
    }

    /// Takes a filter; an error says what is wrong with it. An empty one shows all pairs again, or all of the duel.
    fn restrict(
        &mut self,
        expression: &str,
        data: &Arc<StudyData>,
        labels: &Decisions,
    ) -> Result<Vec<Request>, FilterError> {
        if expression.trim().is_empty() && self.duel.is_none() {
            self.widen();
        }
        let before = std::mem::replace(&mut self.filter, expression.to_owned());
        self.arrange(data, labels).inspect_err(|_| self.filter = before)
    }

    /// The configuration whose distances are meant: the one chosen, or the only one; of a duel the one whose pairs are
    /// shown.
    fn measured(&self, data: &StudyData) -> Option<usize> {
        let only = (data.table.configurations().len() == 1).then_some(0);
        self.duel.map(Duel::measured).or(self.configuration).or(only)
    }

    /// Sets two configurations against each other by their names; nothing ends a duel.
    fn duel(&mut self, names: &str, data: &Arc<StudyData>, labels: &Decisions) -> Result<Vec<Request>, String> {
        let duel = match names.trim() {
            "" => None,
            names => Some(Duel::parse(names, data.table.configurations())?),
        };
        (self.of, self.configuration, self.duel) = (None, None, duel);
        Ok(self.arrange_or_widen(data, labels).0)
    }

    /// What a line for a duel begins with: the two that meet, or the configuration shown and its neighbour.
    fn opponents(&self, data: &StudyData) -> String {
        let names = data.table.configurations();
        let first = self.configuration.unwrap_or_default();
        let of = self.duel.map_or([first, if first == 0 { 1 } else { 0 }], |duel| duel.of);
        of.map(|c| names.get(c).map_or("", String::as_str)).join(" ").trim().to_owned()
    }

    /// Asks for the rows as they are wanted now.
    fn arrange(&mut self, data: &Arc<StudyData>, labels: &Decisions) -> Result<Vec<Request>, FilterError> {
        let typed = Filter::parse_of(&self.filter, data.table.configurations(), self.configuration)?;
        self.hint = typed.hint();
        if self.sort == Sort::Distance && self.measured(data).is_none() {
            (self.sort, self.reverse) = (Sort::default(), false);
        }
        let of = self.of.as_ref().map(|id| Filter::of_source(id)).unwrap_or_default();
        let by = self.configuration.map(Filter::found_by).unwrap_or_default();
        let filter = of.and(by).and(typed);
        self.wanted = false;
        self.counts = None;
        self.cursor = Cursor::default();
        self.gap = data.gap();
        if self.shows_all() {
            (self.rows, self.arranging) = (Rows::All(data.table.len()), false);
            return Ok(vec![Request::forget::<Arrange>()]);
        }
        let asks = self.sort == Sort::Label || filter.asks_labels();
        self.arranging = true;
        Ok(vec![Request::job(Arrange {
            data: data.clone(),
            labels: if asks { labels.clone() } else { Decisions::default() },
            filter,
            duel: self.duel.map(|duel| (duel.of, duel.side)),
            sort: self.sort,
            measured: self.measured(data),
            reverse: self.reverse,
        })])
    }

    /// The same where the filter may have lost the configuration that it was about: then it goes, and why comes back.
    fn arrange_or_widen(&mut self, data: &Arc<StudyData>, labels: &Decisions) -> (Vec<Request>, Option<String>) {
        match self.arrange(data, labels) {
            Ok(requests) => (requests, None),
            Err(error) => {
                let filter = std::mem::take(&mut self.filter);
                let why = format!("the filter “{}” was taken away: {}", filter.trim(), error.problem());
                (self.arrange(data, labels).unwrap_or_default(), Some(why))
            }
        }
    }

    /// Whether all rows are wanted, as they are in the table: there is nothing to arrange then.
    fn shows_all(&self) -> bool {
        let narrowed = self.of.is_some() || self.configuration.is_some() || self.duel.is_some();
        !narrowed && self.filter.trim().is_empty() && self.sort == Sort::Source && !self.reverse
    }

    /// Takes a study that was read. Of one whose ends were shown before, the cursor stays on its pair: the first rows are
    /// still the first, the last still the last.
    fn come(&mut self, before: Option<Partial>, data: &Arc<StudyData>, labels: &Decisions, area: Rect) -> Vec<Request> {
        let (place, shown) = (self.cursor, self.rows.len());
        let requests = self.arrange(data, labels).unwrap_or_default();
        if self.arranging {
            // Those of another table.
            self.rows = Rows::default();
        } else if before.is_some() {
            self.cursor = place;
            if before.and_then(|partial| partial.gap).is_some_and(|gap| place.at > gap) {
                let back = |at: usize| (at + self.rows.len()).saturating_sub(shown);
                self.cursor = Cursor { at: back(place.at), top: back(place.top) };
            }
            self.cursor.keep(self.rows.len(), table::page(self.list(area)));
        }
        requests
    }

    /// Takes rows that were arranged; true when the first was asked for meanwhile.
    fn arranged(&mut self, arranged: Arranged) -> bool {
        (self.rows, self.counts, self.arranging) = (Rows::Some(Arc::new(arranged.rows)), arranged.duel, false);
        std::mem::take(&mut self.wanted)
    }

    /// Rows will not come: those that are shown stay.
    fn no_rows(&mut self) {
        (self.arranging, self.wanted) = (false, false);
    }

    /// Opens the pair under the cursor.
    fn open(&mut self, data: &StudyData) -> Vec<Request> {
        // Enter behind a new filter means the first pair that passes it, though the rows are not there yet.
        self.wanted = self.arranging;
        if self.wanted {
            return vec![Request::Show(Show::AwaitedPair)];
        }
        let pair = self.current().map(|row| data.table.pair(row));
        pair.map(|pair| Request::Show(Show::Pair(PairIds::new(pair.source, pair.target)))).into_iter().collect()
    }

    /// Moves, sorts, goes to the next place found. None when the action is none of this screen's.
    fn update(
        &mut self,
        action: Action,
        data: &Arc<StudyData>,
        labels: &Decisions,
        area: Rect,
    ) -> Option<(Vec<Request>, Option<String>)> {
        let configurations = data.table.configurations().len();
        match action {
            Action::Sort => {
                let sorts: Vec<Sort> = Sort::ALL.into_iter().filter(|sort| self.sorts(*sort, data)).collect();
                let next = sorts.iter().position(|s| *s == self.sort).map_or(0, |at| at + 1);
                (self.sort, self.reverse) = (sorts[next % sorts.len()], false);
            }
            Action::SortReverse => self.reverse = !self.reverse,
            Action::NextConfiguration => match &mut self.duel {
                Some(duel) => duel.next(),
                None => {
                    let next = self.configuration.map_or(0, |c| c + 1);
                    self.configuration = (next < configurations).then_some(next);
                }
            },
            Action::Left | Action::Right => self.duel.as_mut()?.opponent(action == Action::Right, configurations),
            Action::NextHit => return Some((self.seek(data, 1, true), None)),
            Action::PreviousHit => return Some((self.seek(data, 1, false), None)),
            _ => {
                let moved = self.cursor.go(action, self.rows.len(), table::page(self.list(area)));
                return moved.then(|| (Vec::new(), None));
            }
        }
        Some(self.arrange_or_widen(data, labels))
    }

    /// Whether there is such an order: distances are of one configuration.
    fn sorts(&self, sort: Sort, data: &StudyData) -> bool {
        sort != Sort::Distance || self.measured(data).is_some()
    }

    /// Looks for part of an id from the cursor on.
    fn search(&mut self, query: &str, data: &Arc<StudyData>) -> Vec<Request> {
        self.query = query.trim().to_lowercase();
        self.seek(data, 0, true)
    }

    fn seek(&mut self, data: &Arc<StudyData>, step: usize, forward: bool) -> Vec<Request> {
        let len = self.rows.len();
        if len == 0 || self.query.is_empty() {
            return Vec::new();
        }
        self.seeking = true;
        let from = if forward { self.cursor.at + step } else { self.cursor.at + len - step } % len;
        let (data, rows, query) = (data.clone(), self.rows.clone(), self.query.clone());
        vec![Request::job(SearchPairs { data, rows, query, from, forward })]
    }

    /// Goes to the row found; a message when there is none.
    fn found(&mut self, at: Option<usize>, area: Rect) -> Option<String> {
        self.seeking = false;
        match at {
            Some(at) => {
                self.cursor.to(at, self.rows.len(), table::page(self.list(area)));
                None
            }
            None => Some(format!("no id of these pairs has “{}” in it", self.query)),
        }
    }

    fn list(&self, area: Rect) -> Rect {
        let head = u16::from(self.duel.is_some()).min(area.height);
        Rect { y: area.y + head, height: area.height - head, ..area }
    }

    /// Why there is no row.
    fn draw_nothing(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let wide = area.width.saturating_sub(2);
        let note = match (self.arranging, &self.hint) {
            (true, _) => "arranging the pairs…".to_owned(),
            (false, None) => "no pair is so".to_owned(),
            (false, Some(hint)) => format!("no pair is so: {hint}"),
        };
        for (y, line) in (area.y..area.y + area.height).zip(wrapped(&note, usize::from(wide))) {
            draw_text(buffer, (area.x + 1, y), wide, &line, theme.dim);
        }
    }

    /// What is there of a study that is still being read.
    fn partial_status(&self, data: &StudyData, partial: Partial) -> String {
        let all = format!("all {} rows are being read", count(partial.rows));
        match partial.gap {
            Some(gap) => {
                let (first, last) = (count(gap as u64), count((data.table.len() - gap - 1) as u64));
                format!("the first {first} pairs and the last {last}; {all}")
            }
            None => all,
        }
    }

    /// Which rows are shown, in which order.
    fn rows_status(&self, data: &StudyData) -> String {
        let at = (self.cursor.at + 1).min(self.rows.len());
        let by = format!("by {}{}", self.sort.name(), if self.reverse { ", reversed" } else { "" });
        // Of those there are, where none is so.
        let all = if self.rows.is_empty() { data.table.len() } else { self.rows.len() };
        let mut status = format!("{} of {} · {by}", count(at as u64), plural(all as u64, "pair"));
        if self.arranging {
            status = format!("arranging… {by}");
        } else if self.seeking {
            status = format!("searching for “{}”…", self.query);
        }
        let names = data.table.configurations();
        if let Some(c) = self.configuration {
            let distance = data.recipe.configurations.get(c).map_or("", |recipe| recipe.algorithm().distance);
            status.push_str(&format!(" · {} (dist: {distance})", names[c]));
        }
        if let Some(duel) = self.duel {
            status.push_str(&format!(" · {}", duel.words(names)[duel.side]));
        }
        if let Some(id) = &self.of {
            status.push_str(&format!(" · of {id}"));
        }
        let copies = self.current().map_or([1, 1], |row| data.table.copies(row));
        if copies != [1, 1] {
            let [sources, targets] = copies.map(|copies| count(copies as u64));
            let same = match data.table.joins_itself() && copies[0] == copies[1] {
                true => format!("one of the pairs of {sources} copies"),
                false => format!("of {sources} × {targets} copies"),
            };
            let part = if data.table.segments().len() > 1 { " in this segment" } else { "" };
            status.push_str(&format!(" · {same}{part}"));
        }
        if !self.filter.trim().is_empty() {
            status.push_str(&format!(" · {}", self.filter.trim()));
            for (name, word) in Filter::taken_words(&self.filter, names) {
                status.push_str(&format!(" ({name} is a configuration; {word} is the word)"));
            }
        }
        if let Some(row) = self.current().filter(|_| names.len() > FEW) {
            let names = names.iter().enumerate();
            let found: Vec<&str> =
                names.filter(|(c, _)| data.table.found_by(row, *c)).map(|(_, name)| name.as_str()).collect();
            status.push_str(&format!(" · found by {}", found.join(", ")));
        }
        status
    }
}

impl Screen for Pairs {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        use binding::{COPYING, ESCAPE, EVERYWHERE, FILTERING, LISTS, SORTING};
        &[LISTS, FILTERING, SORTING, KEYS, COPYING, EVERYWHERE, ESCAPE]
    }

    /// By its own key the table shows the pairs of all documents.
    fn chosen(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        match here.data.as_ref().filter(|_| self.of.is_some()) {
            Some(data) => self.of(None, data, &here.shared.book.decisions),
            None => Vec::new(),
        }
    }

    fn shows_first_pairs(&self) -> bool {
        true
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.clone() else { return Vec::new() };
        match action {
            Action::Open => self.open(&data),
            Action::Duel if data.table.configurations().len() < 2 => {
                here.say("a duel needs two configurations; this study has one")
            }
            Action::Duel => vec![Request::open(Ask::new(DUEL, Prompt::with(&self.opponents(&data))))],
            _ => {
                let labels = &here.shared.book.decisions;
                let (requests, why) = self.update(action, &data, labels, here.area()).unwrap_or_default();
                here.shared.message = why.or(here.shared.message.take());
                requests
            }
        }
    }

    /// A duel is left first.
    fn back(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        match here.data.as_ref().filter(|_| self.duel.take().is_some()) {
            Some(data) => self.arrange_or_widen(data, &here.shared.book.decisions).0,
            None => vec![Request::Leave],
        }
    }

    fn filter(&self) -> &str {
        &self.filter
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        let (Some(data), labels) = (here.data.clone(), &here.shared.book.decisions) else { return Vec::new() };
        // A line that is not understood stays open, with what is wrong with it.
        let (prompt, why) = match question {
            SEARCH => return self.search(text, &data),
            FILTER => match self.restrict(text, &data, labels) {
                Ok(requests) => return requests,
                Err(error) => (Prompt::at(text, error.place().end), error.problem()),
            },
            DUEL => match self.duel(text, &data, labels) {
                Ok(requests) => return requests,
                Err(why) => (Prompt::with(text), why),
            },
            _ => return Vec::new(),
        };
        here.shared.message = Some(why);
        vec![Request::open(Ask::new(question, prompt))]
    }

    fn show(&mut self, what: &Show, here: &mut Here<'_>) -> Option<Result<Vec<Request>, String>> {
        let Show::Pairs(pairs) = what else { return None };
        let data = here.data.clone()?;
        Some(self.only(pairs, &data, &here.shared.book.decisions).map_err(|error| error.to_string()))
    }

    fn told(&mut self, news: &News, here: &mut Here<'_>) -> Vec<Request> {
        let News::PairWanted { next } = *news else { return Vec::new() };
        let page = usize::from(here.area().height.saturating_sub(1));
        let row = self.step(next, page);
        let pair = here.data.as_ref().zip(row).map(|(data, row)| data.table.pair(row));
        match pair {
            Some(pair) => vec![Request::Show(Show::Pair(PairIds::new(pair.source, pair.target)))],
            None => here.say("no further pair in the table"),
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
        let (data, theme, own) = (view.data, &view.shared.theme, &view.shared.book.decisions);
        let label = |source: &str, target: &str| data.others.seen(own, source, target).map_or("", Seen::word);
        if let Some(trouble) = &data.trouble {
            return paragraph::draw(buffer, area, trouble, theme.warning);
        }
        if let Some(duel) = self.duel {
            duel.draw(buffer, area, data, self.counts, theme);
        }
        let measured = self.measured(data);
        let of = self.duel.map_or(measured.into_iter().collect(), |duel| duel.of.to_vec());
        let columns = Columns::of(area, data, of, (self.sort, self.reverse));
        let line = |at: usize| match self.rows.get(at) {
            Some(row) if Some(row) != self.gap => {
                let (source, target) = data.table.ids(row);
                Line::Cells(columns.cells(data, row, label(source, target), theme))
            }
            _ => Line::Whole(vec![(" ⋯ the pairs between are being read".to_owned(), theme.dim)], Default::default()),
        };
        let list = self.list(area);
        table::draw_lines(buffer, list, &columns.heads(measured, data), (self.cursor, self.rows.len()), theme, line);
        if self.rows.is_empty() && list.height > 2 {
            self.draw_nothing(buffer, Rect { y: list.y + 2, height: list.height - 2, ..list }, theme);
        }
    }

    fn status(&self, view: &View<'_>) -> String {
        match view.data.partial {
            Some(partial) => self.partial_status(view.data, partial),
            None => self.rows_status(view.data),
        }
    }
}

/// Filters and sorts the table.
#[derive(Debug)]
pub struct Arrange {
    data: Arc<StudyData>,
    filter: Filter,
    /// Two configurations, and which of their pairs.
    duel: Option<([usize; 2], usize)>,
    sort: Sort,
    /// Whose distances these are, where they are sorted by them.
    measured: Option<usize>,
    reverse: bool,
    /// The person's labels, where filter or order ask for them.
    labels: Decisions,
}

impl Arrange {
    fn arrange(&self, stop: Stop<'_>) -> Result<Option<Arranged>, StudyError> {
        let known = Known::new(self.data.clone(), &self.labels, &self.filter)?;
        let (duel, sort, measured, reverse) = (self.duel, self.sort, self.measured, self.reverse);
        let order = Order { filter: &self.filter, duel, sort, measured, reverse, beside: &known, stop };
        Ok(self.data.table.arrange(&order))
    }
}

impl Job for Arrange {
    type Output = Result<Arranged, String>;
    const NAME: &'static str = "arrange the pairs";

    fn run(self, _: &Backend, stop: Stop<'_>) -> Option<Self::Output> {
        self.arrange(stop).map_err(|error| error.to_string()).transpose()
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |rows| format!("arranged {}", plural(rows.rows.len() as u64, "pair")))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let pairs = screens.get_mut::<Pairs>();
        match (output, &shared.data) {
            (Ok(arranged), Some(data)) => {
                if pairs.arranged(arranged) {
                    let pair = pairs.current().map(|row| data.table.pair(row));
                    let first = pair.map(|pair| PairIds::new(pair.source, pair.target));
                    return vec![Request::Tell(News::FirstPair(first))];
                }
            }
            (Ok(_), None) => {}
            (Err(why), _) => {
                pairs.no_rows();
                shared.message = Some(why);
            }
        }
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Pairs>().no_rows();
        Vec::new()
    }
}

/// Rows looked at between two questions whether anybody still wants them.
const BLOCK: usize = 1 << 12;

/// Looks for the next row with a text in one of its ids.
#[derive(Debug)]
pub struct SearchPairs {
    data: Arc<StudyData>,
    /// Rows as they are shown.
    rows: Rows,
    /// In lower case.
    query: String,
    /// The first row looked at.
    from: usize,
    forward: bool,
}

impl Job for SearchPairs {
    /// The place of the row among those shown, if there is one.
    type Output = Option<usize>;
    const NAME: &'static str = "search the pairs";

    fn run(self, _: &Backend, stop: Stop<'_>) -> Option<Self::Output> {
        let (len, from) = (self.rows.len(), self.from);
        for step in 0..len {
            if step % BLOCK == 0 && stop() {
                return None;
            }
            let at = if self.forward { (from + step) % len } else { (from + len - step) % len };
            let (source, target) = self.data.table.ids(self.rows.get(at)?);
            if ignoring_case::contains(source, &self.query) || ignoring_case::contains(target, &self.query) {
                return Some(Some(at));
            }
        }
        Some(None)
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        LogLine::done("searched the pairs")
    }

    fn deliver(at: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        if let Some(message) = screens.get_mut::<Pairs>().found(at, shared.area()) {
            shared.message = Some(message);
        }
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Pairs>().seeking = false;
        Vec::new()
    }
}
