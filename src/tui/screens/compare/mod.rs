//! Two documents with their differences, all scores, what every configuration says, and why.

mod about;
mod row;
mod strip;
mod why;
mod why_rows;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::row::Tone;
use self::strip::Verdict;
use self::why::{Ask, Done, Why};
use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, Job, News, Request, Screen, Screens, Show, Stop, View};
use crate::data::StudyData;
use crate::dissector::{Answer, Question as WhyQuestion, Spans};
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::labelling::{self, label_of};
use crate::logbook::LogLine;
use crate::pair_ids::PairIds;
use crate::pane::{Form, Note, Pane, ShowsPair, read, words};
use crate::question::{Question, SEARCH};
use crate::shared::Shared;
use crate::subject::Subject;
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph;
use dejaview_labels::{Circumstances, Decision, EventKind, Label};
use dejaview_methods::measures::Scores;
use dejaview_study::Standing;

/// Lines above the answers of the configurations.
const HEAD: u16 = 3;
/// From this width on Why stands beside the texts, below it underneath them.
const BESIDE: u16 = 160;
/// Below this width scores are written short.
const SHORT: u16 = 130;
/// How far one can zoom in: without the head, then one pane alone.
const CLOSEST: u8 = 2;
/// Columns of a note that the line below the texts shows.
const SHOWN_NOTE: usize = 40;

/// What is done about the pair.
const PAIR_KEYS: Table = &[
    bind(&[Key::Backspace, Char('u')], Action::Undo, "undo"),
    shown(&[Char('w')], Action::Why, "why"),
    bind(&[Char('c')], Action::Note, "note"),
    bind(&[Char('f')], Action::Flag, "flag"),
];

/// How it is looked at.
const VIEW_KEYS: Table = &[
    bind(&[Char('r')], Action::Rendered, "text, rendered, raw"),
    bind(&[Char('s')], Action::Swap, "swap sides"),
    shown(&[Char('m')], Action::About, "about"),
    bind(&[Char('X')], Action::WhatIf, "what if (x in Why)"),
    bind(&[Char('+')], Action::ZoomIn, "more room"),
    bind(&[Char('_')], Action::ZoomOut, "less room"),
];

/// What keys do in Why, by the action that they have otherwise.
const IN_WHY: &[(Action, &str)] = &[
    (Action::Open, "open, jump"),
    (Action::Not, "what if"),
    (Action::Left, "close"),
    (Action::NextPane, "texts"),
    (Action::ZoomIn, "more room"),
    (Action::Why, "close why"),
    (Action::NextPair, "next pair"),
    (Action::Back, "back"),
];

/// The screen.
#[derive(Debug, Default)]
pub struct Compare {
    /// The texts.
    pub pane: Pane,
    why: Option<Why>,
    /// Whether Why has the keys.
    in_why: bool,
    /// What is known of the documents lies over the texts, from this line on.
    about: Option<usize>,
    zoom: u8,
}

/// Where things stand.
struct Parts {
    head: Rect,
    strip: Rect,
    texts: Rect,
    why: Rect,
}

impl Compare {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("compare");

    fn open(&mut self, ids: PairIds) -> Vec<Request> {
        let mut requests = read::<Self>(self.pane.show(ids, Form::Text));
        if let Some(before) = self.why.take() {
            requests.extend(self.ask(Some(before)));
        }
        requests
    }

    /// Opens a pair together with why it matches.
    fn open_why(&mut self, ids: PairIds) -> Vec<Request> {
        self.why.get_or_insert_default();
        self.in_why = true;
        self.open(ids)
    }

    fn ask(&mut self, before: Option<Why>) -> Vec<Request> {
        let (why, question) = Why::new(before);
        self.why = Some(why);
        question.map(|question| self.explain(question)).into_iter().collect()
    }

    fn explain(&self, question: WhyQuestion) -> Request {
        Request::job(Explain { ids: self.pane.ids.clone(), question })
    }

    /// Waits for a pair that is not known yet.
    fn wait(&mut self) {
        self.pane.ids = PairIds::default();
        self.pane.open = None;
        self.pane.awaited = true;
    }

    /// Whether Why has the keys.
    fn in_why(&self) -> bool {
        self.in_why && self.why.is_some()
    }

    /// Closes what lies over the texts or beside them; false when nothing does.
    fn close(&mut self) -> bool {
        if self.about.take().is_some() {
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
        self.in_why = false;
        self.pane.view.unmark();
    }

    /// None when the action is none of this screen's.
    fn update(&mut self, action: Action, data: &StudyData, area: Rect) -> Option<Vec<Request>> {
        self.pane.said = None;
        let empty = self.pane.ids.source.is_empty();
        match action {
            Action::Why | Action::Rendered | Action::About if empty => {}
            Action::Why if self.why.is_some() => self.close_why(),
            Action::Why => {
                (self.in_why, self.about) = (true, None);
                return Some(self.ask(None));
            }
            Action::Rendered => {
                let form = match self.pane.form {
                    Form::Text => Form::Rendered,
                    Form::Rendered => Form::Raw,
                    Form::Raw => Form::Text,
                };
                return Some(read::<Self>(self.pane.show(self.pane.ids.clone(), form)));
            }
            Action::About => self.about = if self.about.is_some() { None } else { Some(0) },
            Action::ZoomIn => self.zoomed(self.zoom + 1),
            Action::ZoomOut => self.zoomed(self.zoom.saturating_sub(1)),
            Action::NextPane if self.why.is_some() => self.in_why = !self.in_why,
            Action::WhatIf if !self.in_why() => {
                self.pane.said = Some(Note::WhyFirst);
            }
            _ => return self.within(action, data, area),
        }
        Some(Vec::new())
    }

    fn zoomed(&mut self, to: u8) {
        let most = if self.why.is_some() { CLOSEST } else { CLOSEST - 1 };
        if to == self.zoom || to > most {
            self.pane.said = Some(Note::Zoomed);
        }
        self.zoom = to.min(most);
    }

    /// What the pane that has the keys makes of an action.
    fn within(&mut self, action: Action, data: &StudyData, area: Rect) -> Option<Vec<Request>> {
        let parts = self.parts(area, data);
        if self.in_why()
            && let Some(why) = &mut self.why
        {
            let page = usize::from(parts.why.height.saturating_sub(1));
            if action == Action::WhatIf && why.row().is_some_and(|row| row.runs.is_empty()) {
                self.pane.said = Some(Note::NotARun);
                return Some(Vec::new());
            }
            if let Some(Done { ask, jump }) = why.update(action, page) {
                let mut requests: Vec<Request> = ask.map(|ask| self.request(ask)).into_iter().collect();
                let wanted = jump.and_then(|places| self.pane.jump(places, parts.texts));
                requests.extend(wanted.into_iter().flat_map(read::<Self>));
                return Some(requests);
            }
        }
        if let (Some(top), Some(Ok(open))) = (self.about, &self.pane.open) {
            let last = about::lines(open, data).len().saturating_sub(1);
            if let Some(to) = crate::widgets::cursor::moved(action, top, usize::from(parts.texts.height), last) {
                self.about = Some(to);
                return Some(Vec::new());
            }
        }
        if action == Action::Open
            && let Some(request) = words::<Self>(&self.pane)
        {
            return Some(vec![request]);
        }
        self.pane.update(action, parts.texts).then(Vec::new)
    }

    fn request(&self, ask: Ask) -> Request {
        match ask {
            Ask::Why(question) => self.explain(question),
            Ask::Without(off) => Request::job(WhatIf { ids: self.pane.ids.clone(), off }),
        }
    }

    /// A label on the pair.
    fn decide(&self, label: Label, here: &mut Here<'_>) -> Vec<Request> {
        let Some(subject) = self.subject() else { return Vec::new() };
        let again = labelling::holds(&subject, &EventKind::Label(label), here.shared);
        let mut requests = Vec::new();
        if !again {
            let circumstances = Circumstances {
                dwell_ms: here.shared.dwell(here.at),
                shown: here.shared.shown.as_ref().map(|(_, time)| time.clone()),
                // All scores are shown here.
                peeked: Some(true),
                ..Circumstances::default()
            };
            requests = labelling::record(&subject, EventKind::Label(label), circumstances, here.shared);
            if requests.is_empty() {
                return requests;
            }
        }
        let (undo, next) = (here.shared.way_to(Action::Undo), here.shared.way_to(Action::NextPair));
        let more = if again { " already: nothing new is written" } else { "" };
        here.shared.message = Some(format!("“{}”{more} · {undo} takes it back · {next} goes on", label.name()));
        requests
    }

    /// Undo or redo: goes to the pair it concerns.
    fn take_back(&mut self, undo: bool, here: &mut Here<'_>) -> Vec<Request> {
        let Some(taken) = labelling::take_back(undo, None, here.shared) else { return Vec::new() };
        let mut requests = taken.requests;
        if taken.ids != self.pane.ids {
            requests.extend(self.open(taken.ids));
        }
        requests
    }

    /// What is noted on the pair, and whether the disk has it; none where nothing was decided or noted.
    fn kept(&self, shared: &Shared) -> Option<String> {
        let subject = self.subject()?;
        let decision = labelling::decision(&subject, shared);
        if decision == Decision::default() {
            return None;
        }
        let note = decision.note.map(|note| format!("note: {}", shortened(note)));
        let flag = decision.flag.then(|| "flagged".to_owned());
        let waits = shared.book.awaits(&subject.ids.source, &subject.ids.target);
        let saved = if waits { "not saved yet" } else { "saved ✓" };
        Some(flag.into_iter().chain(note).chain([saved.to_owned()]).collect::<Vec<_>>().join(" · "))
    }

    /// Where things stand.
    fn parts(&self, area: Rect, data: &StudyData) -> Parts {
        let (head, strip) = match self.zoom {
            0 => (HEAD, strip::lines(data.table.configurations(), area)),
            _ => (0, 0),
        };
        let (head, strip) = (head.min(area.height), strip.min(area.height.saturating_sub(head)));
        let body = Rect { y: area.y + head + strip, height: area.height - head - strip, ..area };
        let nothing = Rect { height: 0, width: 0, ..body };
        let (texts, why) = match (&self.why, self.zoom) {
            (None, _) => (body, nothing),
            (Some(_), CLOSEST) if self.in_why => (Rect { height: 0, ..body }, body),
            (Some(_), CLOSEST) => (body, nothing),
            _ if area.width >= BESIDE => {
                let wide = body.width * 2 / 5;
                let why = Rect { x: body.x + body.width - wide, width: wide, ..body };
                (Rect { width: body.width - wide - 1, ..body }, why)
            }
            _ => {
                let high = body.height * 11 / 20;
                let why = Rect { y: body.y + body.height - high, height: high, ..body };
                (Rect { height: body.height - high, ..body }, why)
            }
        };
        Parts {
            head: Rect { height: head, ..area },
            strip: Rect { y: area.y + head, height: strip, ..area },
            texts,
            why,
        }
    }

    /// What switching runs off did to the Jaccard.
    fn turned(&self) -> String {
        let changed = self.why.as_ref().filter(|why| why.switched_off() > 0).and_then(Why::standing);
        changed.map_or(String::new(), |(now, before)| {
            format!("Jaccard {:.3} → {:.3} · ", before.scores.jaccard_1, now.scores.jaccard_1)
        })
    }

    /// Draws scores and verdicts: those that Why has just found, else those of the table.
    fn draw_answers(&self, buffer: &mut Buffer, parts: &Parts, data: &StudyData, (label, theme): (&str, &Theme)) {
        let head = parts.head;
        if head.height < HEAD || parts.texts.height + parts.why.height == 0 {
            return;
        }
        let row = data.table.find(&self.pane.ids.source, &self.pane.ids.target);
        let standing = self.why.as_ref().and_then(Why::standing);
        let scores = standing
            .map(|(now, _)| now.scores)
            .or(row.filter(|&row| data.table.compared(row)).map(|row| data.table.pair(row).scores()));
        if scores.is_some() || row.is_some() {
            let computing = self.why.as_ref().is_some_and(Why::computing);
            let style = if computing { theme.dim } else { theme.text };
            let unknown = || "Jaccard – (imported, without texts to compare)".to_owned();
            let off = self.why.as_ref().map_or(0, Why::switched_off);
            let mark = if off > 0 { format!("what if, {off} off: ") } else { String::new() };
            let place = (head.x, head.y + HEAD - 1);
            let used = draw_text(buffer, place, head.width, &mark, theme.warning);
            let text = scores.map_or_else(unknown, |scores| written(&scores, head.width - used));
            draw_text(buffer, (place.0 + used, place.1), head.width - used, &text, style);
        }
        let known = |row: usize| {
            let distances = data.table.distances(row);
            let names = data.table.configurations().iter();
            let found = |name: &str| distances.iter().find(|(found, _)| *found == name).map(|(_, d)| u32::from(*d));
            names.map(|name| (name.as_str(), found(name))).collect::<Vec<_>>()
        };
        let verdicts: Vec<Verdict<'_>> = match (standing, row) {
            (Some((now, before)), _) => {
                let both = now.answers.iter().zip(&before.answers);
                let verdict = |(now, before): (&'_ dejaview_study::QuickAnswer, &dejaview_study::QuickAnswer)| {
                    (now.matches, now.distance, now.matches != before.matches)
                };
                both.zip(before.answers.iter().map(|answer| answer.name.as_str()))
                    .map(|(pair, name)| {
                        let (matches, distance, turned) = verdict(pair);
                        Verdict { name, matches, distance, turned }
                    })
                    .collect()
            }
            (None, Some(row)) => known(row)
                .into_iter()
                .map(|(name, distance)| Verdict { name, matches: distance.is_some(), distance, turned: false })
                .collect(),
            (None, None) => Vec::new(),
        };
        strip::draw(buffer, parts.strip, label, &verdicts, theme);
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
        let lost = self.pane.open.is_none() && !self.pane.ids.source.is_empty();
        if lost { read::<Self>(self.pane.show(self.pane.ids.clone(), self.pane.form)) } else { Vec::new() }
    }

    fn study_read(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        Vec::new()
    }

    fn shows_first_pairs(&self) -> bool {
        true
    }

    fn is_awaited(&self, _: Option<&StudyData>) -> bool {
        false
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let (Some(data), area) = (here.data.clone(), here.area()) else { return Vec::new() };
        if let Some(label) = label_of(action) {
            return self.decide(label, here);
        }
        match action {
            Action::NextPair => vec![Request::Tell(News::PairWanted { next: true })],
            Action::PreviousPair => vec![Request::Tell(News::PairWanted { next: false })],
            Action::Undo => self.take_back(true, here),
            Action::Redo => self.take_back(false, here),
            Action::Note => labelling::type_note(self.subject().as_ref(), here.shared),
            Action::Flag => self.subject().map(|pair| labelling::flag(&pair, here.shared)).unwrap_or_default(),
            _ => self.update(action, &data, area).unwrap_or_default(),
        }
    }

    /// What lies over the texts or beside them is closed first.
    fn back(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        if self.close() { Vec::new() } else { vec![Request::Leave] }
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if let Some(data) = here.data.as_ref().filter(|_| question == SEARCH) {
            let texts = self.parts(here.area(), data).texts;
            self.pane.search(text, texts);
        }
        Vec::new()
    }

    fn show(&mut self, what: &Show, _: &mut Here<'_>) -> Option<Result<Vec<Request>, String>> {
        Some(Ok(match what {
            Show::Pair(ids) => self.open(ids.clone()),
            Show::Why(ids) => self.open_why(ids.clone()),
            Show::AwaitedPair => {
                self.wait();
                Vec::new()
            }
            _ => return None,
        }))
    }

    /// Takes the pair it waits for, unless another was opened meanwhile.
    fn told(&mut self, news: &News, _: &mut Here<'_>) -> Vec<Request> {
        match news {
            News::FirstPair(ids) if std::mem::take(&mut self.pane.awaited) => {
                ids.clone().map(|ids| self.open(ids)).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn seen(&mut self, shared: &mut Shared) {
        if !shared.glimpsed.contains(&self.pane.ids) {
            shared.glimpsed.insert(self.pane.ids.clone());
        }
    }

    /// While Why is open no key labels, and in it the one for “not” switches a run off.
    fn meaning(&self, action: Action, shared: &mut Shared) -> Option<Action> {
        match action {
            Action::Not if self.in_why() => Some(Action::WhatIf),
            Action::NearDuplicate | Action::Not | Action::Unsure if self.why.is_some() => {
                let why = shared.way_to(Action::Why);
                shared.message = Some(format!("no key labels while Why is open: {why} closes it"));
                None
            }
            other => Some(other),
        }
    }

    fn keys_now(&self) -> Option<&'static [(Action, &'static str)]> {
        self.in_why().then_some(IN_WHY)
    }

    fn pane(&self) -> Option<&Pane> {
        Some(&self.pane)
    }

    fn subject(&self) -> Option<Subject> {
        let ids = Some(self.pane.ids.clone()).filter(|ids| !ids.source.is_empty())?;
        Some(Subject { ids, sample: None, repeat: false, digests: self.pane.digests() })
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme) = (view.data, &view.shared.theme);
        let parts = self.parts(area, data);
        if parts.head.height > 0 {
            self.pane.draw_documents(buffer, parts.head, theme);
        }
        let label = view.shared.book.word(&self.pane.ids.source, &self.pane.ids.target);
        self.draw_answers(buffer, &parts, data, (label, theme));
        match (&self.about, &self.pane.open) {
            (Some(top), Some(Ok(open))) => {
                draw_about(buffer, parts.texts, &about::lines(open, data), *top, theme);
            }
            _ => self.pane.draw(buffer, parts.texts, theme),
        }
        if parts.why.height > 0
            && let Some(why) = &self.why
        {
            draw_why(buffer, parts.why, why, self.in_why, theme);
        }
    }

    /// What is under the cursor of Why, in full, or what is kept on the pair and how its texts are looked at.
    fn status(&self, view: &View<'_>) -> String {
        let way = &|action| view.shared.way_to(action);
        if let Some(note) = self.pane.said {
            return note.text(way);
        }
        match self.why.as_ref().filter(|_| self.in_why).and_then(Why::row) {
            Some(row) => {
                let text = row.said.clone().unwrap_or_else(|| row.text.trim().to_owned());
                format!("{}{text}", self.turned())
            }
            None => {
                let kept = self.kept(view.shared).into_iter();
                kept.chain([self.pane.status(false, way)]).collect::<Vec<_>>().join(" · ")
            }
        }
    }
}

/// The beginning of a note, on one line.
fn shortened(note: &str) -> String {
    paragraph::beginning(&note.replace('\n', " / "), SHOWN_NOTE, 1).concat()
}

impl ShowsPair for Compare {
    fn pane_mut(&mut self) -> &mut Pane {
        &mut self.pane
    }
}

/// Finds out why a pair matches.
#[derive(Debug)]
pub struct Explain {
    ids: PairIds,
    question: WhyQuestion,
}

impl Job for Explain {
    type Output = Result<Answer, String>;
    const NAME: &'static str = "explain a pair";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let answer = backend.dissector.answer(&backend.study(), &self.ids, self.question);
        Some(answer.map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::of(output, Answer::name)
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        let compare = screens.get_mut::<Compare>();
        let question = compare.why.as_mut().and_then(|why| why.answered(output));
        question.map(|question| compare.explain(question)).into_iter().collect()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Compare>().why.iter_mut().for_each(Why::no_answer);
        Vec::new()
    }
}

/// Compares a pair without some of its text.
#[derive(Debug)]
pub struct WhatIf {
    ids: PairIds,
    off: Spans,
}

impl Job for WhatIf {
    type Output = Result<Box<Standing>, String>;
    const NAME: &'static str = "compare without some of the text";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let standing = backend.dissector.without(&backend.study(), &self.ids, &self.off);
        Some(standing.map(Box::new).map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::of(output, |_| "compared a pair without some of its text".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        if let Some(why) = &mut screens.get_mut::<Compare>().why {
            why.switched(output);
        }
        Vec::new()
    }
}

fn draw_about(buffer: &mut Buffer, area: Rect, lines: &[(String, String)], top: usize, theme: &Theme) {
    for (line, (name, text)) in (0..area.height).zip(lines.iter().skip(top)) {
        let y = area.y + line;
        let style = if text.is_empty() { theme.title } else { theme.dim };
        let used = draw_text(buffer, (area.x, y), area.width, name, style).max(11).min(area.width);
        draw_text(buffer, (area.x + used, y), area.width - used, text, theme.text);
    }
}

fn draw_why(buffer: &mut Buffer, area: Rect, why: &Why, focused: bool, theme: &Theme) {
    let beside = area.x > 0;
    let border = if focused { theme.title } else { theme.dim };
    let title = format!("── why {}", "─".repeat(usize::from(area.width.saturating_sub(7))));
    draw_text(buffer, (area.x, area.y), area.width, &title, border);
    if beside {
        (area.y..area.y + area.height).for_each(|y| {
            draw_text(buffer, (area.x - 1, y), 1, "│", theme.dim);
        });
    }
    let page = usize::from(area.height.saturating_sub(1));
    let mut cursor = why.cursor;
    cursor.keep(why.rows.len(), page);
    for (line, (i, row)) in why.rows.iter().enumerate().skip(cursor.top).take(page).enumerate() {
        let style = match row.tone {
            _ if focused && i == cursor.at => theme.selected,
            Tone::Title => theme.title,
            Tone::Text => theme.text,
            Tone::Dim => theme.dim,
            Tone::Good => theme.good,
            Tone::Warning => theme.warning,
        };
        let fold = match row.open {
            Some(true) => "▾",
            Some(false) => "▸",
            None => " ",
        };
        let text = format!("{}{fold} {}", "  ".repeat(row.depth), row.text);
        draw_text(buffer, (area.x, area.y + 1 + line as u16), area.width, &text, style);
    }
}

/// All scores on one line, short where there is little room.
fn written(s: &Scores, room: u16) -> String {
    let short = |score: f64| match format!("{score:.2}") {
        one if one.starts_with('1') => "1.0".to_owned(),
        other => other.trim_start_matches('0').to_owned(),
    };
    if room < SHORT {
        return format!(
            "Jaccard n=1 {:.3} 2:{} 3:{} 5:{} 8:{} A⊂B {} B⊂A {} cos {} S3 {} len {}",
            s.jaccard_1,
            short(s.jaccard_2),
            short(s.jaccard_3),
            short(s.jaccard_5),
            short(s.jaccard_8),
            short(s.containment_source),
            short(s.containment_target),
            short(s.cosine),
            short(s.s3),
            short(s.length_ratio)
        );
    }
    format!(
        "Jaccard n=1 {:.3}  n=2 {:.3}  n=3 {:.3}  n=5 {:.3}  n=8 {:.3} · A in B {:.3} B in A {:.3} · cosine {:.3} · S3 {:.3} · length {:.3}",
        s.jaccard_1,
        s.jaccard_2,
        s.jaccard_3,
        s.jaccard_5,
        s.jaccard_8,
        s.containment_source,
        s.containment_target,
        s.cosine,
        s.s3,
        s.length_ratio
    )
}
