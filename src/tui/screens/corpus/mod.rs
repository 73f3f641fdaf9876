//! The documents of both sides: full-text search, the text of one, shared URLs, files, skipped records.

mod documents;
mod files;
mod jobs;
mod reader;
mod url_overlap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, shown};
use crate::contract::{Here, PairsOf, Request, Screen, Show, View};
use crate::key::Key::{self, Char};
use crate::question::{Question, SEARCH};
use crate::widgets::glyphs::draw_text;
use dejaview_index::KeptSide;
use dejaview_study::spelling;
use documents::Documents;
use files::Files;
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

    fn name(self) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Urls => "URLs",
            Self::Files => "files",
            Self::Skipped => "not read",
        }
    }
}

const KEYS: Table = &[
    shown(&[Key::Tab], Action::NextPane, "next list (documents, URLs, files, not read)"),
    shown(&[Char('t')], Action::NextSide, "side"),
];

#[derive(Debug, Default)]
pub struct Corpus {
    view: CorpusView,
    documents: Documents,
    url_overlap: UrlOverlap,
    files: Files,
    reader: Option<Reader>,
    /// Why the last document could not be read.
    trouble: Option<String>,
}

impl Corpus {
    pub const ID: ScreenId = ScreenId::new("corpus");

    fn request_missing(&mut self, area: Rect) -> Vec<Request> {
        let mut requests = self.documents.request_missing(list_area(area));
        requests.extend(self.files.request());
        requests
    }

    fn update(&mut self, action: Action, area: Rect) -> Vec<Request> {
        if let Some(reader) = &mut self.reader {
            reader.update(action, area);
            return Vec::new();
        }
        self.trouble = None;
        match (action, self.view) {
            (Action::NextPane, view) => {
                let at = CorpusView::ALL.iter().position(|other| *other == view).unwrap_or_default();
                self.view = CorpusView::ALL[(at + 1) % CorpusView::ALL.len()];
                self.request_missing(area)
            }
            (Action::Open, CorpusView::Documents) => self.read_current(area),
            (_, CorpusView::Documents) => self.documents.update(action, list_area(area)),
            (_, CorpusView::Urls) => self.url_overlap.update(action, list_area(area)),
            (_, CorpusView::Files) => self.files.update(action, list_area(area), false),
            (_, CorpusView::Skipped) => self.files.update(action, list_area(area), true),
        }
    }

    fn read_current(&mut self, area: Rect) -> Vec<Request> {
        let Some((side, id)) = self.documents.current() else { return Vec::new() };
        self.read_document(side, id, area)
    }

    fn read_document(&mut self, side: KeptSide, id: String, area: Rect) -> Vec<Request> {
        let columns = usize::from(area.width.saturating_sub(2)).max(1);
        vec![Request::job(ReadDocument { side, id, columns })]
    }

    fn take_document(&mut self, result: Result<Box<WrappedDocument>, String>) {
        match (result, &mut self.reader) {
            (Ok(document), Some(reader)) if reader.document.stored.id == document.stored.id => reader.rewrap(*document),
            (Ok(document), reader) => *reader = Some(Reader::new(*document, self.documents.query())),
            (Err(why), _) => self.trouble = Some(why),
        }
    }

    /// The filter that admits the pairs of the open document.
    fn pairs_filter(&self) -> Option<String> {
        let stored = &self.reader.as_ref()?.document.stored;
        Some(spelling::exactly(stored.side.name(), &stored.id))
    }

    /// Searches the open document, otherwise all texts.
    fn search(&mut self, query: &str, area: Rect) -> Vec<Request> {
        if let Some(reader) = &mut self.reader {
            reader.search(query);
            return Vec::new();
        }
        self.view = CorpusView::Documents;
        self.documents.search(query, list_area(area))
    }
}

/// Below the tabs.
fn list_area(area: Rect) -> Rect {
    Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area }
}

impl Screen for Corpus {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, KEYS, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn entered(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if here.sound().is_some() { self.request_missing(here.area()) } else { Vec::new() }
    }

    /// The lines of an open document are wrapped to the new width.
    fn resized(&mut self, area: Rect) -> Vec<Request> {
        let Some(reader) = &self.reader else { return Vec::new() };
        let (side, id) = (reader.document.stored.side, reader.document.stored.id.clone());
        self.read_document(side, id, area)
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        if here.data.is_none() {
            return Vec::new();
        }
        match self.pairs_filter().filter(|_| action == Action::Open) {
            Some(filter) => vec![Request::Show(Show::Pairs(PairsOf::Filter(filter)))],
            None => self.update(action, here.area()),
        }
    }

    /// Closes an open document first, and drops one that is still being read.
    fn back(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        let mut requests = vec![Request::forget::<ReadDocument>()];
        if self.reader.take().is_none() {
            requests.push(Request::Leave);
        }
        requests
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if question == SEARCH && here.data.is_some() { self.search(text, here.area()) } else { Vec::new() }
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme) = (view.data, &view.shared.theme);
        if let Some(reader) = &self.reader {
            return reader.draw(buffer, area, data, theme);
        }
        if let Some(trouble) = &data.trouble {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), trouble, theme.warning);
            return;
        }
        let mut x = area.x + 1;
        for tab in CorpusView::ALL {
            let shown = tab == self.view;
            let text = if shown { format!("[{}]", tab.name()) } else { format!(" {} ", tab.name()) };
            x += draw_text(buffer, (x, area.y), area.width, &text, if shown { theme.title } else { theme.dim }) + 1;
        }
        let more = match self.view {
            CorpusView::Documents => self.documents.header(),
            CorpusView::Urls => self.url_overlap.header(),
            CorpusView::Files => self.files.header(),
            CorpusView::Skipped => self.files.skipped_header(),
        };
        let room = (area.x + area.width).saturating_sub(x + 1);
        draw_text(buffer, (x + 1, area.y), room, &more, theme.text);
        match self.view {
            CorpusView::Documents => self.documents.draw(buffer, list_area(area), theme),
            CorpusView::Urls => self.url_overlap.draw(buffer, list_area(area), theme),
            CorpusView::Files => self.files.draw(buffer, list_area(area), theme),
            CorpusView::Skipped => self.files.draw_skipped(buffer, list_area(area), theme),
        }
    }

    fn status(&self, _: &View<'_>) -> String {
        match (&self.trouble, &self.reader, self.view) {
            (Some(why), ..) => why.clone(),
            (None, Some(reader), _) => reader.status(),
            (None, None, CorpusView::Documents) => self.documents.status(),
            (None, None, CorpusView::Urls) => self.url_overlap.status(),
            (None, None, CorpusView::Files) => self.files.status(),
            (None, None, CorpusView::Skipped) => self.files.skipped_status(),
        }
    }
}
