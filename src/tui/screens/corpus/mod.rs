//! The documents of both sides: full-text search, the text of one, shared URLs, files, skipped records.

mod documents;
mod files;
mod jobs;
mod layout;
mod reader;
mod url_overlap;

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, bind, shown};
use crate::contract::{Here, PairsOf, Request, Screen, Show, View};
use crate::key::Key::Char;
use crate::preview::KeyPace;
use crate::question::{Question, SEARCH};
use crate::widgets::empty;
use crate::widgets::focus::Focus;
use crate::widgets::frame::{Frame, Tabs};
use crate::widgets::size::Size;
use dejaview_index::KeptSide;
use dejaview_report::numbers::count;
use dejaview_study::spelling;
use documents::Documents;
use files::Files;
use layout::{LIST, TEXT, panes};
use reader::{ReadDocument, Reader, WrappedDocument};
use url_overlap::UrlOverlap;

/// The lists of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum CorpusView {
    #[default]
    Documents,
    Urls,
    Files,
    Skipped,
}

impl CorpusView {
    const ALL: [Self; 4] = [Self::Documents, Self::Urls, Self::Files, Self::Skipped];

    fn neighbour(self, next: bool) -> Self {
        let at = Self::ALL.iter().position(|other| *other == self).unwrap_or_default();
        let step = if next { 1 } else { Self::ALL.len() - 1 };
        Self::ALL[(at + step) % Self::ALL.len()]
    }
}

const KEYS: Table = &[
    shown(&[Char(']')], Action::NextChange, "next list"),
    bind(&[Char('[')], Action::PreviousChange, "previous list"),
    shown(&[Char('t')], Action::NextSide, "side"),
    shown(&[Char('p')], Action::DocumentPairs, "its pairs"),
];

#[derive(Debug, Default)]
pub struct Corpus {
    view: CorpusView,
    documents: Documents,
    url_overlap: UrlOverlap,
    files: Files,
    focus: Focus,
    /// The document under the cursor, once it is read; until then the previous one.
    reader: Option<Reader>,
    /// The document that was asked for last, and the columns that its text is wrapped to.
    wanted: Option<(KeptSide, String, usize)>,
    pace: KeyPace,
    /// Why it could not be read.
    trouble: Option<String>,
}

/// The class of a terminal whose screens have this area.
fn size_of(area: Rect) -> Size {
    Size::of((area.width, area.height + 2))
}

impl Corpus {
    pub const ID: ScreenId = ScreenId::new("corpus");

    /// Where the list and the text are. Only documents have a text.
    fn panes(&self, area: Rect) -> [Option<Rect>; 2] {
        match self.view {
            CorpusView::Documents => panes(area, size_of(area), self.focus),
            _ => [Some(area), None],
        }
    }

    /// Where the list is, with the names of its columns.
    fn list_area(&self, area: Rect) -> Rect {
        Frame::inside(self.panes(area)[LIST].unwrap_or(area), size_of(area))
    }

    fn request_missing(&mut self, area: Rect) -> Vec<Request> {
        let mut requests = self.documents.request_missing(self.list_area(area));
        requests.extend(self.files.request());
        requests
    }

    /// Asks for the document under the cursor, wrapped to the width of its pane, unless it is there.
    fn show_text(&mut self, area: Rect, at: Duration) -> Vec<Request> {
        let pane = match self.view {
            // A pane that is not shown has the whole screen when it is.
            CorpusView::Documents => self.panes(area)[TEXT].unwrap_or(area),
            _ => return Vec::new(),
        };
        let columns = usize::from(Frame::inside(pane, size_of(area)).width.saturating_sub(2)).max(1);
        let wanted = self.documents.current().map(|(side, id)| (side, id, columns));
        if wanted == self.wanted {
            return Vec::new();
        }
        self.wanted.clone_from(&wanted);
        match wanted {
            Some((side, id, columns)) => {
                let pause = self.pace.repeats(at);
                vec![Request::job(ReadDocument { side, id, columns, pause })]
            }
            None => {
                self.reader = None;
                vec![Request::forget::<ReadDocument>()]
            }
        }
    }

    fn take_document(&mut self, result: Result<Box<WrappedDocument>, String>) {
        self.trouble = None;
        match (result, &mut self.reader) {
            (Ok(document), Some(reader)) if reader.document.stored.id == document.stored.id => reader.rewrap(*document),
            (Ok(document), reader) => *reader = Some(Reader::new(*document, self.documents.query())),
            (Err(why), reader) => (*reader, self.trouble) = (None, Some(why)),
        }
    }

    fn perform(&mut self, action: Action, area: Rect) -> Vec<Request> {
        let list = self.list_area(area);
        match (action, self.view) {
            (Action::NextChange | Action::PreviousChange, view) => {
                self.view = view.neighbour(action == Action::NextChange);
                self.focus = Focus::default();
                self.request_missing(area)
            }
            (_, CorpusView::Documents) if self.focus.is_on(TEXT) && action != Action::NextSide => {
                let text = Frame::inside(self.panes(area)[TEXT].unwrap_or(area), size_of(area));
                self.reader.iter_mut().for_each(|reader| reader.update(action, text));
                Vec::new()
            }
            (Action::Open, CorpusView::Documents) => {
                self.focus.at = TEXT;
                Vec::new()
            }
            (_, CorpusView::Documents) => self.documents.update(action, list),
            (_, CorpusView::Urls) => self.url_overlap.update(action, list),
            (_, CorpusView::Files) => self.files.update(action, list, false),
            (_, CorpusView::Skipped) => self.files.update(action, list, true),
        }
    }

    /// Searches the document if its text has the keys, otherwise all texts.
    fn search(&mut self, query: &str, area: Rect) -> Vec<Request> {
        if let Some(reader) = self.reader.as_mut().filter(|_| self.focus.is_on(TEXT)) {
            reader.search(query);
            return Vec::new();
        }
        self.view = CorpusView::Documents;
        self.documents.search(query, self.list_area(area))
    }

    fn tabs(&self) -> Tabs {
        let [files, skipped] = self.files.counts();
        let name = |view: &CorpusView| match view {
            CorpusView::Documents => match self.documents.total() {
                Some(total) => format!("Documents {}", count(total as u64)),
                None => "Documents".to_owned(),
            },
            CorpusView::Urls => "URLs".to_owned(),
            CorpusView::Files => format!("Files {}", count(files)),
            CorpusView::Skipped => format!("Skipped {}", count(skipped)),
        };
        let active = CorpusView::ALL.iter().position(|view| *view == self.view).unwrap_or_default();
        Tabs { names: CorpusView::ALL.iter().map(name).collect(), active }
    }
}

impl Screen for Corpus {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, KEYS, binding::PANES, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if here.sound().is_none() {
            return Vec::new();
        }
        let mut requests = self.request_missing(here.area());
        requests.extend(self.show_text(here.area(), here.at));
        requests
    }

    /// The text is wrapped to the new width.
    fn resized(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if self.wanted.is_some() { self.show_text(here.area(), Duration::ZERO) } else { Vec::new() }
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        if here.data.is_none() {
            return Vec::new();
        }
        let area = here.area();
        let reads = self.view == CorpusView::Documents;
        let opens_pairs = action == Action::DocumentPairs || action == Action::Open && self.focus.is_on(TEXT);
        if let Some((side, id)) = self.documents.current().filter(|_| reads && opens_pairs) {
            let filter = spelling::exactly(side.name(), &id);
            return vec![Request::Show(Show::Pairs(PairsOf::Filter(filter)))];
        }
        let mut requests = match reads && self.focus.act(action, 2) {
            true => Vec::new(),
            false => self.perform(action, area),
        };
        requests.extend(self.show_text(area, here.at));
        requests
    }

    /// Goes back to all panes, then to the list, then to the previous screen.
    fn back(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if self.focus.unzoom() || std::mem::take(&mut self.focus.at) != LIST {
            return self.show_text(here.area(), here.at);
        }
        vec![Request::Leave]
    }

    /// Ends the search, unless there is a pane to go back from first.
    fn clear(&mut self, here: &mut Here<'_>) -> Option<Vec<Request>> {
        let in_list = self.view == CorpusView::Documents && self.focus.is_on(LIST) && !self.focus.zoomed;
        if !in_list || self.documents.query().is_empty() || here.data.is_none() {
            return None;
        }
        let mut requests = self.search("", here.area());
        requests.extend(self.show_text(here.area(), here.at));
        Some(requests)
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if question != SEARCH || here.data.is_none() {
            return Vec::new();
        }
        let mut requests = self.search(text, here.area());
        requests.extend(self.show_text(here.area(), here.at));
        requests
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, size, theme) = (view.data, view.shared.class(), &view.shared.theme);
        if let Some(trouble) = &data.trouble {
            let inside = Frame::new("Corpus").draw(buffer, area, size, theme);
            return empty::draw(buffer, inside, &[trouble], theme);
        }
        let [list, text] = self.panes(area);
        if let Some(pane) = list {
            let of_view = match self.view {
                CorpusView::Documents => self.documents.frame(self.list_area(area)),
                CorpusView::Urls => self.url_overlap.frame(self.list_area(area)),
                CorpusView::Files => self.files.frame(self.list_area(area), false),
                CorpusView::Skipped => self.files.frame(self.list_area(area), true),
            };
            let frame = Frame { tabs: self.tabs(), focused: self.focus.is_on(LIST), ..of_view };
            let inside = frame.draw(buffer, pane, size, theme);
            match self.view {
                CorpusView::Documents => self.documents.draw(buffer, inside, data, (frame.focused, theme)),
                CorpusView::Urls => self.url_overlap.draw(buffer, inside, theme),
                CorpusView::Files => self.files.draw(buffer, inside, theme),
                CorpusView::Skipped => self.files.draw_skipped(buffer, inside, theme),
            }
        }
        let Some(pane) = text else { return };
        let focused = self.focus.is_on(TEXT);
        match (&self.reader, &self.trouble) {
            (Some(reader), _) => reader.draw(buffer, pane, data, (focused, size, theme)),
            (None, trouble) => {
                let inside = Frame { focused, ..Frame::new("Text") }.draw(buffer, pane, size, theme);
                let why = trouble.as_ref().map(|why| format!("✗ {why}"));
                empty::draw(buffer, inside, &[why.as_deref().unwrap_or("No document to read")], theme);
            }
        }
    }
}
