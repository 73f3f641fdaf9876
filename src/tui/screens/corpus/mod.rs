//! The documents of both sides: full-text search, the text of one, files and their sizes, records that were not read.

mod addresses;
mod documents;
mod files;
mod reader;

pub use reader::Wrapped;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::asks::Ask;
use crate::data::StudyData;
use crate::jobs::Effect;
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use addresses::Addresses;
use dejaview_index::{Hit, KeptSide, Listing};
use dejaview_study::{Part, Spelling, Urls};
use documents::Documents;
use files::Files;
use reader::Reader;

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

/// The state of the screen.
#[derive(Debug, Default)]
pub struct Corpus {
    face: Face,
    documents: Documents,
    addresses: Addresses,
    files: Files,
    open: Option<Reader>,
    /// Of the newest wish for a document.
    generation: u64,
    /// Why the last document could not be read.
    trouble: Option<String>,
}

impl Corpus {
    /// Asks for what is missing.
    pub fn entered(&mut self, area: Rect) -> Vec<Effect> {
        let mut effects = self.documents.missing(list(area));
        effects.extend(self.files.missing());
        effects
    }

    /// A worker failed: what is missing is asked for again.
    pub fn no_answer(&mut self) {
        self.documents.no_answer();
        self.addresses.no_answer();
        self.files.no_answer();
    }

    /// Moves, switches, opens.
    pub fn update(&mut self, action: Action, area: Rect) -> Vec<Effect> {
        if let Some(reader) = &mut self.open {
            reader.update(action, area);
            return Vec::new();
        }
        self.trouble = None;
        match (action, self.face) {
            (Action::NextPane, face) => {
                let at = Face::ALL.iter().position(|other| *other == face).unwrap_or_default();
                self.face = Face::ALL[(at + 1) % Face::ALL.len()];
                self.entered(area)
            }
            (Action::Open, Face::Documents) => self.read(area),
            (_, Face::Documents) => self.documents.update(action, list(area)),
            (_, Face::Addresses) => self.addresses.update(action, list(area)),
            (_, Face::Files) => self.files.update(action, list(area), false),
            (_, Face::NotRead) => self.files.update(action, list(area), true),
        }
    }

    /// Asks for the document under the cursor.
    fn read(&mut self, area: Rect) -> Vec<Effect> {
        let Some((side, id)) = self.documents.current() else { return Vec::new() };
        self.ask(side, id, area)
    }

    fn ask(&mut self, side: KeptSide, id: String, area: Rect) -> Vec<Effect> {
        self.generation += 1;
        let columns = usize::from(area.width.saturating_sub(2)).max(1);
        vec![Effect::Ask(Ask::Document { generation: self.generation, side, id, columns })]
    }

    /// The terminal has another size: an open document is wrapped anew.
    pub fn resized(&mut self, area: Rect) -> Vec<Effect> {
        let Some(reader) = &self.open else { return Vec::new() };
        let (side, id) = (reader.wrapped.stored.side, reader.wrapped.stored.id.clone());
        self.ask(side, id, area)
    }

    /// Takes a document, unless it is late.
    pub fn opened(&mut self, generation: u64, result: Result<Box<Wrapped>, String>) {
        if generation != self.generation {
            return;
        }
        match (result, &mut self.open) {
            (Ok(wrapped), Some(reader)) if reader.wrapped.stored.id == wrapped.stored.id => reader.rewrapped(*wrapped),
            (Ok(wrapped), open) => *open = Some(Reader::new(*wrapped, self.documents.query())),
            (Err(why), _) => self.trouble = Some(why),
        }
    }

    /// Closes an open document; false when none is open.
    pub fn close(&mut self) -> bool {
        self.generation += 1;
        self.open.take().is_some()
    }

    /// The filter that admits the pairs of the open document.
    pub fn pairs_of_open(&self, spelling: Spelling<'_>) -> Option<String> {
        let stored = &self.open.as_ref()?.wrapped.stored;
        Some(spelling.exactly(stored.side.name(), &stored.id))
    }

    /// Looks for words: in the open document, else in all texts.
    pub fn search(&mut self, query: &str, area: Rect) -> Vec<Effect> {
        if let Some(reader) = &mut self.open {
            reader.search(query);
            return Vec::new();
        }
        self.face = Face::Documents;
        self.documents.search(query, list(area))
    }

    /// Takes a stretch of the documents.
    pub fn listed(&mut self, generation: u64, result: Result<Listing, String>) {
        self.documents.listed(generation, result);
    }

    /// Takes hits.
    pub fn hits(&mut self, generation: u64, result: Result<Vec<Hit>, String>) {
        self.documents.hits(generation, result);
    }

    /// Takes what both sides have in common by their URLs.
    pub fn overlap(&mut self, result: Result<Box<Urls>, String>) {
        self.addresses.counted(result);
    }

    /// Takes files and records that were not read.
    pub fn parts(&mut self, parts: Vec<Part>) {
        self.files.parts(parts);
    }

    /// Draws the document that is open, else a list.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, theme: &Theme) {
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

    /// Where one is.
    pub fn status(&self) -> String {
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

/// Below the names of what there is.
fn list(area: Rect) -> Rect {
    Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area }
}
