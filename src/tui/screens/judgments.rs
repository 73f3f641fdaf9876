//! Judged documents by topic, with what was found for each: a tree that is folded topic by topic.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, Job, PairsOf, Request, Screen, Screens, Show, Stop, View};
use crate::data::{By, Group, Judged, Shape, StudyData, Tree, matches};
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::logbook::LogLine;
use crate::pair_ids::PairIds;
use crate::question::{FILTER, Question, SEARCH};
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::draw_text;
use crate::widgets::names::squeezed;
use crate::widgets::table::{self, Column, Line};
use dejaview_index::KeptSide;
use dejaview_report::numbers::{count, plural};
use dejaview_study::Snapshot;

/// Columns that ids want at least.
const IDS: usize = 30;

/// From this width on the URL of a document stands beside it.
const WIDE: u16 = 140;

/// Whether configurations must share a column so that ids, beside `others` columns, can be read.
pub fn narrow(area: Rect, others: usize) -> bool {
    usize::from(area.width) < others + IDS
}

/// What a line of the tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Topic(usize),
    /// A topic and one of its judgments.
    Document(usize, usize),
}

/// The tree and where one is in it.
#[derive(Debug, Default)]
pub struct Judgments {
    /// On a line of those shown.
    pub cursor: Cursor,
    tree: Option<Arc<Tree>>,
    /// Whether the tree was asked for.
    asked: bool,
    shape: Shape,
    /// Topics whose documents are shown.
    open: HashSet<usize>,
    /// Topics shown, each with the line it stands on.
    heads: Vec<(usize, usize)>,
    lines: usize,
    /// What was typed.
    pub filter: String,
    by: By,
    query: String,
    /// URLs by document; empty where none is kept.
    urls: HashMap<String, String>,
}

const KEYS: Table = &[
    shown(&[Char('o')], Action::Fold, "open or close all topics"),
    bind(&[Char(']')], Action::NextChange, "next topic"),
    bind(&[Char('[')], Action::PreviousChange, "topic before"),
    bind(&[Char('h'), Key::Left], Action::Left, "to the topic; close it"),
    bind(&[Char('l'), Key::Right], Action::Right, "open the topic"),
];

impl Judgments {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("judgments");

    /// The tree will not come: the next who comes here asks again.
    fn no_answer(&mut self) {
        self.asked = self.tree.is_some();
    }

    /// Takes the tree.
    fn grown(&mut self, tree: Arc<Tree>, data: &Arc<StudyData>) -> Vec<Request> {
        self.tree = Some(tree);
        self.wish(data)
    }

    fn wish(&mut self, data: &Arc<StudyData>) -> Vec<Request> {
        let Some(tree) = self.tree.clone() else { return Vec::new() };
        let (data, words) = (data.clone(), self.filter.clone());
        vec![Request::job(FilterJudgments { data, tree, words, by: self.by })]
    }

    /// Takes the order.
    fn shaped(&mut self, shape: Shape, area: Rect) -> Vec<Request> {
        let before = self.place(self.cursor.at);
        self.shape = shape;
        let all = 0..self.shape.starts.len().saturating_sub(1);
        if !self.filter.is_empty() || all.len() == 1 {
            self.open = all.collect();
        }
        self.count_lines();
        // Behind a filter one stands on the first document that passes it.
        let first = usize::from(!self.filter.is_empty() && self.lines > 1);
        let line = before.filter(|_| first == 0).and_then(|place| self.line_of(place)).unwrap_or(first);
        self.cursor.to(line, self.lines, table::page(list(area)));
        self.missing_urls(area)
    }

    /// Shows only judgments that hold all the words; none shows all.
    fn only(&mut self, words: &str, data: &Arc<StudyData>) -> Vec<Request> {
        self.filter = words.trim().to_owned();
        if self.filter.is_empty() {
            self.open.clear();
        }
        self.wish(data)
    }

    /// Asks for the URLs of the documents on the screen that nobody has asked for.
    fn missing_urls(&mut self, area: Rect) -> Vec<Request> {
        let Some(tree) = &self.tree else { return Vec::new() };
        let page = self.cursor.top..(self.cursor.top + table::page(list(area))).min(self.lines);
        let mut missing = Vec::new();
        for line in page {
            if let Some(Place::Document(_, row)) = self.place(line) {
                let judged = &tree.judged[row];
                if !judged.found.is_empty() && !self.urls.contains_key(&*judged.document) {
                    missing.push(judged.document.to_string());
                }
            }
        }
        if missing.is_empty() { Vec::new() } else { vec![Request::job(LookUpUrls { ids: missing })] }
    }

    fn count_lines(&mut self) {
        self.heads.clear();
        self.lines = 0;
        for group in 0..self.shape.starts.len().saturating_sub(1) {
            let rows = self.shape.group(group).len();
            if rows > 0 {
                self.heads.push((group, self.lines));
                self.lines += 1 + if self.open.contains(&group) { rows } else { 0 };
            }
        }
    }

    fn place(&self, line: usize) -> Option<Place> {
        let head = self.heads.partition_point(|(_, first)| *first <= line).checked_sub(1)?;
        let (group, first) = self.heads[head];
        match line - first {
            0 => Some(Place::Topic(group)),
            below => {
                let row = self.shape.group(group).get(below - 1).filter(|_| self.open.contains(&group))?;
                Some(Place::Document(group, *row as usize))
            }
        }
    }

    fn line_of(&self, place: Place) -> Option<usize> {
        let head = |group: usize| self.heads.iter().find(|(of, _)| *of == group).map(|(_, first)| *first);
        match place {
            Place::Topic(group) => head(group),
            Place::Document(group, row) => {
                let below = self.shape.group(group).iter().position(|r| *r as usize == row);
                head(group).map(|first| below.filter(|_| self.open.contains(&group)).map_or(first, |b| first + 1 + b))
            }
        }
    }

    /// The judgment under the cursor; none on a topic.
    pub fn current(&self) -> Option<&Judged> {
        match self.place(self.cursor.at)? {
            Place::Document(_, row) => self.tree.as_ref()?.judged.get(row),
            Place::Topic(_) => None,
        }
    }

    /// Opens the pairs of the document under the cursor.
    fn open_pairs(&self, judged: &Judged, here: &mut Here<'_>) -> Vec<Request> {
        let (Some(data), Some(first)) = (&here.data, judged.found.first()) else {
            return here.say(format!("no configuration found a pair of {}", judged.document));
        };
        let mut requests = vec![Request::Show(Show::Pairs(PairsOf::Document(judged.document.to_string())))];
        if judged.found.pairs() == 1 {
            // One pair: straight to it; back leads to the table of one, and from there to the judgments.
            let pair = data.table.pair(first);
            requests.push(Request::Show(Show::Pair(PairIds::new(pair.source, pair.target))));
        }
        requests
    }

    /// Moves, folds, sorts, goes to the next place found.
    fn update(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        let page = table::page(list(area));
        match (action, self.place(self.cursor.at)) {
            (Action::NextHit, _) => self.hit(data, page, true),
            (Action::PreviousHit, _) => self.hit(data, page, false),
            (Action::Sort, _) => {
                let at = By::ALL.iter().position(|by| *by == self.by).unwrap_or_default();
                self.by = By::ALL[(at + 1) % By::ALL.len()];
                return self.wish(data);
            }
            (Action::Fold, Some(place)) => self.fold_all(place, page),
            (Action::NextChange | Action::PreviousChange, Some(_)) => self.topic(action == Action::NextChange, page),
            (Action::Open, Some(Place::Topic(group))) => self.fold(group, !self.open.contains(&group), page),
            (Action::Right, Some(Place::Topic(group))) if !self.open.contains(&group) => self.fold(group, true, page),
            (Action::Right, Some(_)) => {
                self.cursor.go(Action::Down, self.lines, page);
            }
            (Action::Left, Some(Place::Topic(group))) => self.fold(group, false, page),
            (Action::Left, Some(Place::Document(group, _))) => {
                let line = self.line_of(Place::Topic(group)).unwrap_or_default();
                self.cursor.to(line, self.lines, page);
            }
            _ => {
                self.cursor.go(action, self.lines, page);
            }
        }
        self.missing_urls(area)
    }

    /// Opens or closes a topic; the cursor stays on its line.
    fn fold(&mut self, group: usize, open: bool, page: usize) {
        if open {
            self.open.insert(group);
        } else {
            self.open.remove(&group);
        }
        self.count_lines();
        self.cursor.keep(self.lines, page);
    }

    /// Opens all topics, or closes all when one is open; the cursor stays where it was, or on its topic.
    fn fold_all(&mut self, place: Place, page: usize) {
        if self.open.is_empty() {
            self.open = self.heads.iter().map(|(group, _)| *group).collect();
        } else {
            self.open.clear();
        }
        self.count_lines();
        let line = self.line_of(place).unwrap_or_default();
        self.cursor.to(line, self.lines, page);
    }

    /// To the next topic, or the one before.
    fn topic(&mut self, forward: bool, page: usize) {
        let at = self.cursor.at;
        let mut lines = self.heads.iter().map(|(_, line)| *line);
        let found = if forward { lines.find(|line| *line > at) } else { lines.rfind(|line| *line < at) };
        if let Some(line) = found {
            self.cursor.to(line, self.lines, page);
        }
    }

    /// Looks for words from the cursor on.
    fn search(&mut self, query: &str, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        self.query = query.trim().to_lowercase();
        let here = match self.place(self.cursor.at) {
            Some(Place::Document(group, row)) => self.matches(data, group, row),
            _ => false,
        };
        if !here {
            self.hit(data, table::page(list(area)), true);
        }
        self.missing_urls(area)
    }

    fn matches(&self, data: &StudyData, group: usize, row: usize) -> bool {
        let Some(tree) = &self.tree else { return false };
        let of = &tree.groups[group];
        let query = data.topic(&of.topic).map_or("", |topic| topic.query.as_str());
        matches(&tree.judged[row], [&of.track, &of.topic, query], &self.query)
    }

    /// To the next judgment found, whose topic is opened.
    fn hit(&mut self, data: &StudyData, page: usize, forward: bool) {
        let len = self.shape.rows.len();
        if len == 0 || self.query.is_empty() {
            return;
        }
        let group_of = |at: usize| self.shape.starts.partition_point(|start| *start <= at) - 1;
        // Judgments before the cursor, and whether it stands on one.
        let (before, on) = match self.place(self.cursor.at) {
            Some(Place::Topic(group)) => (self.shape.starts[group], false),
            Some(Place::Document(group, row)) => {
                let within = self.shape.group(group).iter().position(|r| *r as usize == row).unwrap_or_default();
                (self.shape.starts[group] + within, true)
            }
            None => (0, false),
        };
        let step = |n: usize| match forward {
            true => (before + usize::from(on) + n) % len,
            false => (before + len - 1 - n) % len,
        };
        let found = (0..len).map(step).find(|&at| self.matches(data, group_of(at), self.shape.rows[at] as usize));
        let Some(at) = found else { return };
        let place = Place::Document(group_of(at), self.shape.rows[at] as usize);
        self.open.insert(group_of(at));
        self.count_lines();
        let line = self.line_of(place).unwrap_or_default();
        self.cursor.to(line, self.lines, page);
    }

    fn topic_line(&self, group: usize, data: &StudyData, tree: &Tree, theme: &Theme) -> Line {
        let of = &tree.groups[group];
        let sign = if self.open.contains(&group) { "▾" } else { "▸" };
        let query = data.topic(&of.topic).map_or(String::new(), |topic| topic.query.clone());
        let shown = self.shape.group(group).len();
        let part = if shown < of.judged.len() { format!("{} shown of ", count(shown as u64)) } else { String::new() };
        let clash = match of.conflicts {
            0 => String::new(),
            n => format!(" · {} in conflict", count(n as u64)),
        };
        let counts =
            format!("{part}{} judged · {} found{clash} ", count(of.judged.len() as u64), count(of.found as u64));
        let texts = vec![
            (format!(" {sign} {:<5} ", of.topic), theme.title),
            (format!("{query}  "), theme.text),
            (of.track.to_string(), theme.dim),
        ];
        Line::Whole(texts, (counts, if of.conflicts > 0 { theme.warning } else { theme.dim }))
    }
}

impl Screen for Judgments {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, binding::FILTERING, binding::SORTING, KEYS, binding::EVERYWHERE, binding::ESCAPE]
    }

    /// Asks for the tree when one comes here first.
    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = here.data.as_ref().filter(|data| !self.asked && data.judgments.is_some()) else {
            return Vec::new();
        };
        self.asked = true;
        vec![Request::job(GatherJudgments { data: data.clone() })]
    }

    /// Whether the tree is on its way.
    fn is_awaited(&self, data: Option<&StudyData>) -> bool {
        let on_its_way = self.asked && (self.tree.is_none() || self.shape.starts.is_empty());
        data.is_none_or(|data| data.judgments.is_some() && on_its_way)
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let (Some(data), area) = (here.data.clone(), here.area()) else { return Vec::new() };
        match self.current().filter(|_| action == Action::Open) {
            Some(judged) => self.open_pairs(judged, here),
            None => self.update(action, &data, area),
        }
    }

    fn filter(&self) -> &str {
        &self.filter
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        let (Some(data), area) = (here.data.clone(), here.area()) else { return Vec::new() };
        match question {
            SEARCH => self.search(text, &data, area),
            FILTER => self.only(text, &data),
            _ => Vec::new(),
        }
    }

    /// Draws the topic under the cursor and the visible lines of the tree.
    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme) = (view.data, &view.shared.theme);
        let mut note = |text: &str, style| {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), text, style);
        };
        let tree = match (&data.judgments, &self.tree) {
            (None, _) => {
                return note(
                    "This study has no judgments. Add them to [source] in study.toml; pairs are on screen 3.",
                    theme.text,
                );
            }
            (Some(_), None) => return note("gathering the judgments…", theme.dim),
            (Some(_), Some(tree)) => tree,
        };
        let text = match self.place(self.cursor.at) {
            Some(Place::Topic(group) | Place::Document(group, _)) => topic_text(data, &tree.groups[group]),
            None => format!("no judgment has “{}”", self.filter),
        };
        draw_text(buffer, (area.x + 1, area.y), area.width.saturating_sub(2), &text, theme.dim);
        let columns = Columns::of(area, data, tree);
        let line = |line: usize| match self.place(line) {
            Some(Place::Topic(group)) => self.topic_line(group, data, tree, theme),
            Some(Place::Document(_, row)) => {
                let judged = &tree.judged[row];
                let url = self.urls.get(&*judged.document).map_or("", String::as_str);
                Line::Cells(columns.cells(judged, url, theme))
            }
            None => Line::Cells(Vec::new()),
        };
        table::draw_lines(buffer, list(area), &columns.heads(data, self.by), (self.cursor, self.lines), theme, line);
    }

    /// Where one is, with what the line has no room for.
    fn status(&self, view: &View<'_>) -> String {
        let Some(tree) = self.tree.as_ref().filter(|_| view.data.judgments.is_some()) else { return String::new() };
        let judgments = self.shape.rows.len();
        let by = format!(" · by {}", self.by.name());
        let mut status = match self.place(self.cursor.at) {
            Some(Place::Document(group, row)) => {
                let judged = &tree.judged[row];
                let within = self.shape.group(group).iter().position(|r| *r as usize == row).unwrap_or_default();
                let at = self.shape.starts[group] + within + 1;
                let clash = match &judged.conflicts[..] {
                    [] => String::new(),
                    grades => format!(" · a near-duplicate has grade {}", grades.join(", ")),
                };
                let url = self.urls.get(&*judged.document).filter(|url| !url.is_empty());
                let url = url.map_or(String::new(), |url| format!(" · {url}"));
                format!("{} of {}{by}{clash}{url}", count(at as u64), plural(judgments as u64, "judgment"))
            }
            Some(Place::Topic(group)) => {
                let at = self.heads.iter().position(|(of, _)| *of == group).unwrap_or_default() + 1;
                let enter = if self.open.contains(&group) { "closes" } else { "opens" };
                let judgments = plural(judgments as u64, "judgment");
                format!("topic {at} of {} · {judgments}{by} · Enter {enter} it", self.heads.len())
            }
            None => format!("0 of {}{by}", plural(tree.judged.len() as u64, "judgment")),
        };
        if !self.filter.is_empty() {
            status.push_str(&format!(" · with “{}”", self.filter));
        }
        status
    }
}

/// Gathers the judgments by topic.
#[derive(Debug)]
pub struct GatherJudgments {
    data: Arc<StudyData>,
}

impl Job for GatherJudgments {
    /// The tree, with the study that it is of.
    type Output = (Arc<Tree>, Arc<StudyData>);
    const NAME: &'static str = "gather the judgments";

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some((Arc::new(Tree::of(&self.data)), self.data))
    }

    fn line((tree, _): &Self::Output) -> Option<LogLine> {
        LogLine::done(&format!("gathered {}", plural(tree.judged.len() as u64, "judgment")))
    }

    fn deliver((tree, data): Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Judgments>().grown(tree, &data)
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Judgments>().no_answer();
        Vec::new()
    }
}

/// Finds the judgments that pass a filter, in their order.
#[derive(Debug)]
pub struct FilterJudgments {
    data: Arc<StudyData>,
    tree: Arc<Tree>,
    words: String,
    by: By,
}

impl Job for FilterJudgments {
    type Output = Shape;
    const NAME: &'static str = "filter the judgments";

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(Shape::of(&self.data, &self.tree, &self.words, self.by))
    }

    fn line(shape: &Self::Output) -> Option<LogLine> {
        LogLine::done(&format!("arranged {}", plural(shape.rows.len() as u64, "judgment")))
    }

    fn deliver(shape: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Judgments>().shaped(shape, shared.area())
    }
}

/// Looks up the URLs of source documents.
#[derive(Debug)]
pub struct LookUpUrls {
    ids: Vec<String>,
}

impl Job for LookUpUrls {
    /// Ids with their URLs; empty where none is kept.
    type Output = Vec<(String, String)>;
    const NAME: &'static str = "look up URLs";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(urls(&backend.study(), self.ids))
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        None
    }

    fn deliver(urls: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Judgments>().urls.extend(urls);
        Vec::new()
    }
}

/// URLs as the index has them; it keeps documents with a pair, and others only where the study asks for it.
fn urls(study: &Snapshot, ids: Vec<String>) -> Vec<(String, String)> {
    let Ok(index) = study.index() else { return Vec::new() };
    let url = |id: &str| index.document(KeptSide::Source, id).ok().flatten().map(|stored| stored.url);
    ids.into_iter().map(|id| (url(&id).unwrap_or_default(), id)).map(|(url, id)| (id, url)).collect()
}

fn topic_text(data: &StudyData, group: &Group) -> String {
    match data.topic(&group.topic) {
        Some(topic) if topic.description.is_empty() => topic.query.clone(),
        Some(topic) => format!("{}: {}", topic.query, topic.description),
        None => format!("topic {}", group.topic),
    }
}

/// Which columns there is room for.
#[derive(Debug, Clone, Copy)]
struct Columns {
    /// One number for all configurations.
    narrow: bool,
    url: bool,
    conflicts: bool,
}

impl Columns {
    fn of(area: Rect, data: &StudyData, tree: &Tree) -> Self {
        let url = area.width >= WIDE;
        let others = 40 + 7 * data.table.configurations().len() + if url { IDS } else { 0 };
        let conflicts = tree.groups.iter().any(|group| group.conflicts > 0);
        Self { narrow: narrow(area, others), url, conflicts }
    }

    /// The heads of the columns; the one that the judgments of a topic are sorted by has an arrow.
    fn heads(self, data: &StudyData, by: By) -> Vec<Column> {
        let arrow = |of: By, name: &str| if of == by { format!("{name}▾") } else { name.to_owned() };
        let mut columns = vec![Column::right(&arrow(By::Grade, "grade"), 9), Column::ids("document")];
        if self.url {
            columns.push(Column::left("address", 0));
        }
        columns.extend([Column::right(&arrow(By::Best, "best J"), 7), Column::left("URL", 3)]);
        if self.conflicts {
            columns.push(Column::left(&arrow(By::Conflicts, "clash"), 6));
        }
        if self.narrow {
            columns.push(Column::right(&arrow(By::Pairs, "pairs"), 6));
        } else {
            columns.extend(data.table.configurations().iter().map(|name| Column::right(&squeezed(name, 6), 6)));
        }
        columns
    }

    fn cells(self, judged: &Judged, url: &str, theme: &Theme) -> Vec<(String, Style)> {
        let found = !judged.found.is_empty();
        let style = if found { theme.text } else { theme.dim };
        let best = match judged.found.best {
            Some(best) => format!("{best:.3}"),
            None => if found { "–" } else { "·" }.to_owned(),
        };
        let mut cells = vec![(judged.grade.to_string(), style), (judged.document.to_string(), style)];
        if self.url {
            cells.push((url.to_owned(), theme.dim));
        }
        cells.extend([(best, style), (if judged.found.same_url { "=" } else { "" }.to_owned(), style)]);
        if self.conflicts {
            let grades = judged.conflicts.join(",");
            cells.push((if grades.is_empty() { grades } else { format!("≠{grades}") }, theme.warning));
        }
        let number = |n: usize| (if n == 0 { "·".to_owned() } else { n.to_string() }, style);
        if self.narrow {
            cells.push(number(judged.found.pairs()));
        } else {
            cells.extend(judged.found.by.iter().map(|&n| number(n as usize)));
        }
        cells
    }
}

fn list(area: Rect) -> Rect {
    Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area }
}
