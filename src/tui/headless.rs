//! The explorer without a terminal: keys in, pictures out. Tests and the pictures of the README are made with it.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::app::{App, Options};
use super::book::Book;
use super::contract::Effect;
use super::event::{Event, Stamped};
use super::jobs::Backend;
use super::kept::Kept;
use super::picture::{self, Frame, Paper};
use super::preferences::Preferences;
use super::screens::home::Home;
use super::study_run::Watcher;
use super::theme::{Background, Depth, Palette};
use super::{script, view};
use dejaview_labels::{Draft, Journal, adjudication_journal};
use dejaview_study::{Session, Snapshot, StudyError};

/// Between two keys of a script: longer than the guard wants a pair to be seen.
const PACE: Duration = Duration::from_millis(400);

/// Drives the explorer: every job is done at once, on this thread.
pub struct Headless {
    /// The state.
    pub app: App,
    backend: Arc<Backend>,
    watcher: Watcher,
    journal: Option<Journal>,
    /// Where adjudications go.
    adjudications: Option<Journal>,
    waiting: VecDeque<Effect>,
    at: Duration,
    /// Whether the explorer was left.
    pub left: bool,
}

impl Headless {
    /// Opens a study at a size. Labels go into its journal when `annotator` is given, else nothing is written.
    pub fn open(
        session: Session,
        size: (u16, u16),
        palette: Palette,
        annotator: Option<&str>,
    ) -> Result<Self, StudyError> {
        let Some(name) = annotator else { return Self::look(session, size, palette, None) };
        let open = |name: &str| dejaview_study::open_journal(&Snapshot::new(&session), name);
        let (journal, adjudications) = (open(name)?, open(&adjudication_journal(name))?);
        let book = |journal: &Journal| Book::new(name, journal.reading().decisions.clone(), journal.next_seq(), None);
        let books = [book(&journal), book(&adjudications)];
        let draft = Draft::read(session.folder(), name);
        let backend = Backend::new(session).keeping_drafts_of(name);
        let mut headless = Self::begin(backend, size, palette, books)?;
        headless.app.keep_drafts(draft);
        (headless.journal, headless.adjudications) = (Some(journal), Some(adjudications));
        headless.settle();
        Ok(headless)
    }

    /// Opens a study at a size, with the labels of this annotator if one is named. Nothing is written.
    pub fn look(
        session: Session,
        size: (u16, u16),
        palette: Palette,
        annotator: Option<&str>,
    ) -> Result<Self, StudyError> {
        let name = annotator.map_or("you", str::trim);
        let journals = annotator.map(|_| dejaview_study::read_journals(&Snapshot::new(&session))).transpose()?;
        let journals = journals.unwrap_or_default();
        let book = |journal: &str| {
            let found = journals.all().iter().find(|annotations| annotations.annotator == journal);
            let decisions = found.map(|annotations| annotations.reading.decisions.clone()).unwrap_or_default();
            let next = found.and_then(|annotations| annotations.reading.events.iter().map(|event| event.seq).max());
            Book::new(name, decisions, next.unwrap_or_default() + 1, None)
        };
        let books = [book(name), book(&adjudication_journal(name))];
        let mut headless = Self::begin(Backend::new(session).only_looking(), size, palette, books)?;
        headless.settle();
        Ok(headless)
    }

    /// The explorer with labels and adjudications of somebody, before it has done anything.
    fn begin(
        backend: Backend,
        size: (u16, u16),
        palette: Palette,
        [book, adjudications]: [Book; 2],
    ) -> Result<Self, StudyError> {
        let session = backend.session();
        let (mut app, effects) = App::new(Options {
            title: session.recipe().name.clone(),
            size,
            book,
            ssh: false,
            clock: || "2012-02-10T00:00:00Z".to_owned(),
            screen: Home::ID,
            sample: dejaview_study::sample_to_label(&Snapshot::new(&session))?,
            sample_is_chosen: false,
            at: None,
            calibrate: false,
            preferences: Preferences { palette, ..Preferences::default() },
        });
        app.shared.adjudications = adjudications;
        let backend = Arc::new(backend);
        let (watcher, waiting) = (Watcher::new(&backend), effects.into());
        let at = Duration::ZERO;
        Ok(Self { app, backend, watcher, journal: None, adjudications: None, waiting, at, left: false })
    }

    /// Lets runs of the study be started, with this program.
    #[must_use]
    pub fn running_with(mut self, program: PathBuf) -> Self {
        if let Some(backend) = Arc::get_mut(&mut self.backend) {
            backend.program = Some(program);
        }
        self
    }

    /// Looks what a run of the study is doing now.
    pub fn look_at_run(&mut self) -> &mut Self {
        let state = dejaview_study::run_state(&self.backend.session());
        self.send(Event::Run(state));
        self.settle();
        self
    }

    /// Looks which files of the study have changed.
    pub fn look_at_files(&mut self) -> &mut Self {
        for event in self.watcher.look(&self.backend, true) {
            self.send(event);
            self.settle();
        }
        self
    }

    /// Does everything that waits, in order, until nothing does.
    pub fn settle(&mut self) {
        while let Some(effect) = self.waiting.pop_front() {
            let event = match effect {
                Effect::Run(job) => job.run(&self.backend, &|| false).map(Event::Done),
                Effect::Journal(event) => Some(Event::Labels(kept(self.journal.as_mut(), &event))),
                Effect::Adjudicate(event) => Some(Event::Adjudications(kept(self.adjudications.as_mut(), &event))),
                Effect::Quit => {
                    self.left = true;
                    None
                }
                // Jobs are done before anybody could cancel them; the rest is a terminal's.
                Effect::Cancel(_)
                | Effect::Copy(_)
                | Effect::Page(_)
                | Effect::Edit(_)
                | Effect::Mouse(_)
                | Effect::Redraw
                | Effect::Suspend => None,
            };
            if let Some(event) = event {
                self.send(event);
            }
        }
        self.app.flushed(self.at);
    }

    /// Something happens; effects wait until [`Headless::settle`].
    pub fn send(&mut self, event: Event) {
        let effects = self.app.update(Stamped { at: self.at, event });
        self.waiting.extend(effects);
    }

    /// Lets time pass.
    pub fn wait(&mut self, time: Duration) {
        self.at += time;
    }

    /// Presses the keys of a script: `2 j j enter`, `C-r`, `/`; `"some words"` are typed letter by letter.
    ///
    /// # Panics
    /// Where a word is no key. What a person wrote is checked by [`script::keys`] first.
    #[track_caller]
    pub fn keys(&mut self, script: &str) -> &mut Self {
        let keys = script::keys(script).unwrap_or_else(|unknown| panic!("{unknown}"));
        for key in keys {
            self.wait(PACE);
            self.send(Event::Key(key));
            self.settle();
        }
        self
    }

    /// The screen as a buffer.
    pub fn buffer(&self) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, self.app.shared.size.0, self.app.shared.size.1));
        view::draw(&self.app, &mut buffer);
        buffer
    }

    /// The screen as lines of text.
    pub fn text(&self) -> String {
        rows(&self.buffer())
            .map(|row| row.iter().map(|(symbol, _)| symbol.as_str()).collect::<String>().trim_end().to_owned() + "\n")
            .collect()
    }

    /// The screen as text, then for each line the styles that differ from plain text.
    pub fn styled(&self) -> String {
        let buffer = self.buffer();
        let mut out = self.text();
        for (y, row) in rows(&buffer).enumerate() {
            let mut runs: Vec<(usize, usize, String)> = Vec::new();
            for (x, (_, style)) in row.iter().enumerate().filter(|(_, (_, style))| !style.is_empty()) {
                match runs.last_mut() {
                    Some((_, end, last)) if *end == x && last == style => *end = x + 1,
                    _ => runs.push((x, x + 1, style.clone())),
                }
            }
            let runs: Vec<String> =
                runs.into_iter().map(|(start, end, style)| format!("{start}-{end} {style}")).collect();
            if !runs.is_empty() {
                out.push_str(&format!("{y}: {}\n", runs.join(", ")));
            }
        }
        out
    }

    /// Shows any colour, as pictures do and not every terminal.
    pub fn in_all_colours(mut self) -> Self {
        let shared = &mut self.app.shared;
        shared.preferences.depth = Depth::All;
        // The paper of a picture is dark, unless its palette says otherwise.
        shared.preferences.background.get_or_insert(Background::Dark);
        shared.theme = shared.preferences.theme();
        self
    }

    fn paper(&self) -> Paper {
        Paper::of(self.app.shared.preferences.palette)
    }

    /// The screen as an SVG picture.
    pub fn svg(&self) -> String {
        let title = format!("dejaview: {} of {}", self.app.shared.screen.title(), self.app.shared.title);
        picture::still(&self.buffer(), self.paper(), &title)
    }

    /// Presses the keys of a script; an SVG picture with a frame for each of its lines.
    pub fn animation(&mut self, script: &str) -> String {
        let lines = script.lines().map(str::trim).filter(|line| !line.is_empty());
        let frames: Vec<Frame> =
            lines.map(|line| Frame { keys: line.to_owned(), screen: self.keys(line).buffer() }).collect();
        picture::animation(&frames, self.paper(), &format!("dejaview: a walk through {}", self.app.shared.title))
    }
}

/// Writes an event into a journal. Where there is none nothing is written, and a picture shows what a person would see.
fn kept(journal: Option<&mut Journal>, event: &dejaview_labels::Event) -> Kept {
    match journal.map(|journal| journal.append(event)) {
        None => Kept::Saved(event.seq),
        Some(Ok(seq)) => Kept::Saved(seq),
        Some(Err(error)) => Kept::NotSaved(error.cause_first()),
    }
}

/// Cells of a buffer by row: symbol and style in words.
fn rows(buffer: &Buffer) -> impl Iterator<Item = Vec<(String, String)>> {
    let words = |cell: &Cell| (cell.symbol().to_owned(), style(cell.fg, cell.modifier));
    picture::rows(buffer).map(move |row| picture::visible_cells(row).map(|(_, _, cell)| words(cell)).collect())
}

fn style(colour: Color, modifier: Modifier) -> String {
    let mut words = Vec::new();
    if colour != Color::Reset {
        words.push(colour.to_string().to_lowercase());
    }
    words.extend(modifier.iter_names().map(|(name, _)| name.to_lowercase()));
    words.join("+")
}
