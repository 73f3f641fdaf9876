//! The documents of both sides: full-text search, the text of one, files and their sizes, records that were not read.

mod addresses;
mod documents;
mod files;
mod reader;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, shown};
use crate::contract::{Here, Job, PairsOf, Request, Screen, Screens, Show, Stop, View};
use crate::jobs::Backend;
use crate::key::Key::{self, Char};
use crate::logbook::LogLine;
use crate::question::{Question, SEARCH};
use crate::shared::Shared;
use crate::widgets::glyphs::draw_text;
use addresses::{Addresses, CountUrls};
use dejaview_corpus::urls::Rules;
use dejaview_index::{DocumentListing, KeptSide, SearchResult};
use dejaview_report::numbers::plural;
use dejaview_study::{Part, Snapshot, Spelling, Unwatched, Urls, UrlsOptions};
use documents::{Documents, ListDocuments, SearchTexts};
use files::{Files, ListFiles};
use reader::{Reader, Wrapped};

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Face {
    #[default]
    Documents,
    Addresses,
    Files,
    NotRead,
}

impl Face {
    const ALL: [Self; 4] = [Self::Documents, Self::Addresses, Self::Files, Self::NotRead];

    fn name(self) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Addresses => "URLs",
            Self::Files => "files",
            Self::NotRead => "not read",
        }
    }
}

const KEYS: Table = &[
    shown(&[Key::Tab], Action::NextPane, "next list (documents, URLs, files, not read)"),
    shown(&[Char('t')], Action::NextSide, "side"),
];

/// The state of the screen.
#[derive(Debug, Default)]
pub struct Corpus {
    face: Face,
    documents: Documents,
    addresses: Addresses,
    files: Files,
    open: Option<Reader>,
    /// Why the last document could not be read.
    trouble: Option<String>,
}

impl Corpus {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("corpus");

    /// Asks for what is missing.
    fn missing(&mut self, area: Rect) -> Vec<Request> {
        let mut requests = self.documents.missing(list(area));
        requests.extend(self.files.missing());
        requests
    }

    /// Moves, switches, opens.
    fn update(&mut self, action: Action, area: Rect) -> Vec<Request> {
        if let Some(reader) = &mut self.open {
            reader.update(action, area);
            return Vec::new();
        }
        self.trouble = None;
        match (action, self.face) {
            (Action::NextPane, face) => {
                let at = Face::ALL.iter().position(|other| *other == face).unwrap_or_default();
                self.face = Face::ALL[(at + 1) % Face::ALL.len()];
                self.missing(area)
            }
            (Action::Open, Face::Documents) => self.read(area),
            (_, Face::Documents) => self.documents.update(action, list(area)),
            (_, Face::Addresses) => self.addresses.update(action, list(area)),
            (_, Face::Files) => self.files.update(action, list(area), false),
            (_, Face::NotRead) => self.files.update(action, list(area), true),
        }
    }

    /// Asks for the document under the cursor.
    fn read(&mut self, area: Rect) -> Vec<Request> {
        let Some((side, id)) = self.documents.current() else { return Vec::new() };
        self.ask(side, id, area)
    }

    fn ask(&mut self, side: KeptSide, id: String, area: Rect) -> Vec<Request> {
        let columns = usize::from(area.width.saturating_sub(2)).max(1);
        vec![Request::job(ReadDocument { side, id, columns })]
    }

    /// Takes a document.
    fn opened(&mut self, result: Result<Box<Wrapped>, String>) {
        match (result, &mut self.open) {
            (Ok(wrapped), Some(reader)) if reader.wrapped.stored.id == wrapped.stored.id => reader.rewrapped(*wrapped),
            (Ok(wrapped), open) => *open = Some(Reader::new(*wrapped, self.documents.query())),
            (Err(why), _) => self.trouble = Some(why),
        }
    }

    /// The filter that admits the pairs of the open document.
    fn pairs_of_open(&self, spelling: Spelling<'_>) -> Option<String> {
        let stored = &self.open.as_ref()?.wrapped.stored;
        Some(spelling.exactly(stored.side.name(), &stored.id))
    }

    /// Looks for words: in the open document, else in all texts.
    fn search(&mut self, query: &str, area: Rect) -> Vec<Request> {
        if let Some(reader) = &mut self.open {
            reader.search(query);
            return Vec::new();
        }
        self.face = Face::Documents;
        self.documents.search(query, list(area))
    }
}

/// Below the names of what there is.
fn list(area: Rect) -> Rect {
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
        if here.sound().is_some() { self.missing(here.area()) } else { Vec::new() }
    }

    /// An open document is wrapped anew.
    fn resized(&mut self, area: Rect) -> Vec<Request> {
        let Some(reader) = &self.open else { return Vec::new() };
        let (side, id) = (reader.wrapped.stored.side, reader.wrapped.stored.id.clone());
        self.ask(side, id, area)
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(data) = &here.data else { return Vec::new() };
        match self.pairs_of_open(Spelling::of(data.table.configurations())).filter(|_| action == Action::Open) {
            Some(filter) => vec![Request::Show(Show::Pairs(PairsOf::Filter(filter)))],
            None => self.update(action, here.area()),
        }
    }

    /// An open document is closed first; one that is still to come is not wanted any more.
    fn back(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        let mut requests = vec![Request::forget::<ReadDocument>()];
        if self.open.take().is_none() {
            requests.push(Request::Leave);
        }
        requests
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if question == SEARCH && here.data.is_some() { self.search(text, here.area()) } else { Vec::new() }
    }

    /// Draws the document that is open, else a list.
    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme) = (view.data, &view.shared.theme);
        if let Some(reader) = &self.open {
            return reader.draw(buffer, area, data, theme);
        }
        if let Some(trouble) = &data.trouble {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), trouble, theme.warning);
            return;
        }
        let mut x = area.x + 1;
        for face in Face::ALL {
            let shown = face == self.face;
            let text = if shown { format!("[{}]", face.name()) } else { format!(" {} ", face.name()) };
            x += draw_text(buffer, (x, area.y), area.width, &text, if shown { theme.title } else { theme.dim }) + 1;
        }
        let more = match self.face {
            Face::Documents => self.documents.header(),
            Face::Addresses => self.addresses.header(),
            Face::Files => self.files.header(),
            Face::NotRead => self.files.reasons(),
        };
        let room = (area.x + area.width).saturating_sub(x + 1);
        draw_text(buffer, (x + 1, area.y), room, &more, theme.text);
        match self.face {
            Face::Documents => self.documents.draw(buffer, list(area), theme),
            Face::Addresses => self.addresses.draw(buffer, list(area), theme),
            Face::Files => self.files.draw(buffer, list(area), theme),
            Face::NotRead => self.files.draw_not_read(buffer, list(area), theme),
        }
    }

    fn status(&self, _: &View<'_>) -> String {
        match (&self.trouble, &self.open, self.face) {
            (Some(why), ..) => why.clone(),
            (None, Some(reader), _) => reader.status(),
            (None, None, Face::Documents) => self.documents.status(),
            (None, None, Face::Addresses) => self.addresses.status(),
            (None, None, Face::Files) => self.files.status(),
            (None, None, Face::NotRead) => self.files.not_read_status(),
        }
    }
}

/// Hits of a full-text search, at most.
const HITS: usize = 500;

impl Job for ListDocuments {
    type Output = Result<DocumentListing, String>;
    const NAME: &'static str = "list documents";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let listing = backend.study().kept_texts().and_then(|index| Ok(index.list(self.side, self.from, self.count)?));
        Some(listing.map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |_| "listed documents".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().documents.listed(output);
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().documents.no_answer();
        Vec::new()
    }
}

impl Job for SearchTexts {
    type Output = Result<Vec<SearchResult>, String>;
    const NAME: &'static str = "search the texts";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let hits = backend.study().kept_texts().and_then(|index| Ok(index.search(&self.query, self.side, HITS)?));
        Some(hits.map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |hits| format!("searched the texts: {}", plural(hits.len() as u64, "hit")))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().documents.hits(output);
        Vec::new()
    }
}

/// Reads one document and wraps its text.
#[derive(Debug)]
pub struct ReadDocument {
    side: KeptSide,
    id: String,
    /// Columns of the screen.
    columns: usize,
}

impl Job for ReadDocument {
    type Output = Result<Box<Wrapped>, String>;
    const NAME: &'static str = "read a document";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let found = dejaview_study::find_document(&backend.study(), &self.id, Some(self.side));
        let wrapped = found.map(|found| Box::new(Wrapped::new(found.document, self.columns)));
        Some(wrapped.map_err(|error| error.to_string()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |document| format!("read {}", document.stored.id))
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().opened(output);
        Vec::new()
    }
}

impl Job for ListFiles {
    type Output = Vec<Part>;
    const NAME: &'static str = "list files";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(backend.study().parts())
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        LogLine::done("listed files")
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().files.parts(output);
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().files.no_answer();
        Vec::new()
    }
}

impl Job for CountUrls {
    type Output = Result<Box<Urls>, String>;
    const NAME: &'static str = "count URLs in common";

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(overlap(&backend.study()))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |_| "counted URLs in common".to_owned())
    }

    fn deliver(output: Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().addresses.counted(output);
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<Corpus>().addresses.no_answer();
        Vec::new()
    }
}

/// Bytes of records that a join of URLs keeps in memory.
const JOIN: usize = 500_000_000;

fn overlap(study: &Snapshot) -> Result<Box<Urls>, String> {
    let order = UrlsOptions {
        rules: Rules::default(),
        domain: None,
        canonical: false,
        content: false,
        memory: JOIN,
        threads: 1,
    };
    dejaview_study::urls(study, &order, &Unwatched::default()).map(Box::new).map_err(|error| error.to_string())
}
