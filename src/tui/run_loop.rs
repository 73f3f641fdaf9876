//! The loop: take what happened, update, draw once, do what is asked for.

use std::fs::File;
use std::io::{self, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use crossterm::event::KeyEvent;
use ratatui::Terminal;
use ratatui::layout::Rect;
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;

use super::action::ScreenId;
use super::app::{App, Options};
use super::book::Book;
use super::contract::Effect;
use super::event::{Event, Stamped};
use super::filtering::FilterMemory;
use super::jobs::{Backend, Pool};
use super::kept::Kept;
use super::painter::Painter;
use super::pair_ids::PairIds;
use super::preferences::Preferences;
use super::screens::label::Label;
use super::terminal::{FrameWriter, Frames};
use super::theme::Palette;
use super::{input, last_events, programs, script, signals, study_run, tally, terminal, view};
use dejaview_labels::{Access, Backoff, Draft, Journal, Outcome, Problem, adjudication_journal};
use dejaview_study::settings::{Settings, Sync};
use dejaview_study::{Outputs, Session, Snapshot, StudyError};

/// Events taken before a frame is drawn, at most.
const AT_ONCE: usize = 32;

/// So long the first frame waits for the terminal to say what its background is.
const BACKGROUND_PATIENCE: Duration = Duration::from_millis(8);

/// How the explorer is started.
#[derive(Debug)]
pub struct Start {
    /// Who labels.
    pub annotator: String,
    /// The first screen.
    pub screen: ScreenId,
    /// The pair to open at.
    pub at: Option<PairIds>,
    /// The sample that Label shows.
    pub sample: Option<String>,
    /// Whether the person named it.
    pub sample_is_chosen: bool,
    /// How the person wants it.
    pub preferences: Preferences,
    /// What is wrong with their settings.
    pub problems: Vec<String>,
    /// Whether to begin with the calibration deck.
    pub calibrate: bool,
    /// Where keys are written down.
    pub record: Option<PathBuf>,
}

type Screen = Terminal<Painter<FrameWriter<Stdout>>>;

/// Opens the explorer on a study and returns when the person leaves.
pub fn run(session: Session, start: Start) -> Result<()> {
    terminal::check(&variable("TERM").unwrap_or_default())?;
    let (begun, prepared) = (Instant::now(), terminal::prepare());
    let (sender, receiver) = mpsc::channel();
    let ssh = variable("SSH_CONNECTION").is_some();
    let record = start.record.as_deref().map(|path| recorder(&session, path)).transpose()?;
    let journal = dejaview_study::open_journal(&Snapshot::new(&session), &start.annotator)?;
    let adjudications =
        dejaview_study::open_journal(&Snapshot::new(&session), &adjudication_journal(&start.annotator))?;
    let writable = matches!(journal.access(), Access::Write);
    let (book, adjudication_book) = (book(&start.annotator, &journal), book(&start.annotator, &adjudications));
    let title = session.recipe().name.clone();
    let draft = writable.then(|| Drafts::of(&session, &start.annotator));
    let freed = wait_for_journals(&session, &book, sender.clone(), begun);
    let backend = Arc::new(backend(session, &start.annotator, writable));
    let guard = take_terminal(prepared, start.preferences.mouse)?;
    let frames = Arc::new(frames_for_terminal(start.preferences.sync));
    let mut screen = Terminal::new(Painter::new(FrameWriter::new(io::stdout(), frames.clone())))?;
    let size = screen.size()?;
    let problem = first_problem(&journal);
    let (mut app, effects) = App::new(Options {
        title,
        size: (size.width, size.height),
        book,
        ssh,
        clock: dejaview_labels::now,
        screen: start.screen,
        sample: start.sample,
        sample_is_chosen: start.sample_is_chosen,
        at: start.at,
        calibrate: start.calibrate,
        preferences: start.preferences,
    });
    app.shared.filters = Settings::state().map(|folder| FilterMemory::read(&folder)).unwrap_or_default();
    app.mistaken(&start.problems);
    app.shared.message = problem.or(app.shared.message).or_else(offered_tour);
    app.shared.adjudications = adjudication_book;
    if let Some(drafts) = &draft {
        app.keep_drafts(drafts.of_journal(&journal));
    }
    signals::watch(sender.clone(), begun).map_err(StudyError::Threads)?;
    study_run::watch(backend.clone(), sender.clone(), begun).map_err(StudyError::Threads)?;
    let keys = input::read(sender.clone(), begun, ssh)?;
    let mut runner = Runner {
        pool: Pool::new(backend, sender.clone(), begun),
        writer: writer(journal, sender.clone(), begun, Event::Labels)?,
        adjudications: writer(adjudications, sender.clone(), begun, Event::Adjudications)?,
        app,
        begun,
        guard,
        keys,
        frames,
        sender,
        freed,
        pressed: None,
        record,
    };
    let result = runner.run(&mut screen, &receiver, effects);
    drop(screen);
    runner.close(draft.as_ref(), result)
}

fn take_terminal(prepared: terminal::Preparation, mouse: bool) -> Result<terminal::Guard> {
    terminal::Guard::take(prepared, mouse).context("taking the terminal over (is this a terminal?)")
}

/// The first line of a journal that does not count, with its file.
fn first_problem(journal: &Journal) -> Option<String> {
    // What `labels verify` tells of numbers that are missing need be no damage.
    let mut problems = journal.reading().problems.iter().filter(|problem| !problem.is_doubt());
    problems.next().map(|problem| format!("{problem} in {}", journal.path().display()))
}

/// What is said to somebody who starts the explorer for the first time.
fn offered_tour() -> Option<String> {
    let folder = Settings::state()?;
    std::fs::create_dir_all(&folder).ok()?;
    File::options().write(true).create_new(true).open(folder.join("started")).ok()?;
    Some("New here? :tour shows the explorer in five steps".to_owned())
}

/// A variable of the environment that says something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// How frames are sent to the terminal that this runs in.
fn frames_for_terminal(sync: Sync) -> Frames {
    Frames::new(&variable("TERM").unwrap_or_default(), variable("TMUX").is_some(), sync)
}

/// What jobs work on. It keeps drafts where labels can be written, and starts runs where the program knows its own file.
fn backend(session: Session, annotator: &str, writable: bool) -> Backend {
    let backend = Backend::new(session);
    let backend = if writable { backend.keeping_drafts_of(annotator) } else { backend };
    match std::env::current_exe() {
        Ok(program) => backend.running_with(program),
        Err(_) => backend,
    }
}

/// The file that keys are written into: a new one, so that no file is lost to a slip of the keyboard, and none that the study
/// would read.
fn recorder(session: &Session, path: &Path) -> Result<File> {
    let outputs = Outputs::new(Some(session), "--record", false).without_force("name a new file");
    Ok(outputs.create_new(path)?)
}

/// Where the drafts of an annotator lie.
struct Drafts {
    study: PathBuf,
    annotator: String,
}

impl Drafts {
    fn of(session: &Session, annotator: &str) -> Self {
        Self { study: session.folder().to_owned(), annotator: annotator.to_owned() }
    }

    /// What was begun before. Where labels are gone from the journal, the place would lead past their pairs.
    fn of_journal(&self, journal: &Journal) -> Option<Draft> {
        let draft = Draft::read(&self.study, &self.annotator)?;
        let is_whole = !journal.reading().problems.iter().any(Problem::loses_an_event);
        Some(if is_whole { draft } else { Draft { note: draft.note, ..Draft::default() } })
    }

    fn write(&self, draft: &Draft) -> Result<(), dejaview_labels::LabelsError> {
        draft.write(&self.study, &self.annotator)
    }
}

/// What the journal holds, for the screens.
fn book(annotator: &str, journal: &Journal) -> Book {
    let read_only = match journal.access() {
        Access::Write => None,
        Access::ReadOnly { why, holder: Some(holder) } => Some(format!("{holder}: {why}")),
        Access::ReadOnly { why, holder: None } => Some(why.clone()),
    };
    Book::new(annotator, journal.reading().decisions.clone(), journal.next_seq(), read_only)
}

fn kept(outcome: Outcome) -> Kept {
    match outcome {
        Outcome::Saved { seq } => Kept::Saved(seq),
        Outcome::Failed { error, .. } => Kept::NotSaved(error.cause_first()),
        Outcome::Reread { reading, restored } => Kept::Reread { reading, restored },
    }
}

/// The thread that saves; none when another process does.
fn writer(
    journal: Journal,
    events: Sender<Stamped>,
    begun: Instant,
    news: impl Fn(Kept) -> Event + Send + 'static,
) -> Result<Option<dejaview_labels::Writer>> {
    if !matches!(journal.access(), Access::Write) {
        return Ok(None);
    }
    let writer = dejaview_labels::Writer::start(journal, Backoff::default(), move |outcome| {
        let _ = events.send(Stamped { at: begun.elapsed(), event: news(kept(outcome)) });
    })?;
    Ok(Some(writer))
}

/// How often it is looked whether another process still writes a person's journals.
const FREE_INTERVAL: Duration = Duration::from_secs(1);

/// The journals of labels and of adjudications, once they can be written.
type FreedJournals = Arc<Mutex<Option<[Journal; 2]>>>;

/// Waits, on a thread of its own, until the process has ended that writes a person's journals, and opens them. Does nothing
/// when they can be written already.
fn wait_for_journals(session: &Session, book: &Book, events: Sender<Stamped>, begun: Instant) -> FreedJournals {
    let freed = FreedJournals::default();
    if book.read_only.is_some() {
        let (study, annotator, freed) = (Snapshot::new(session), book.annotator.clone(), freed.clone());
        let wait = move || {
            let journals = loop {
                std::thread::sleep(FREE_INTERVAL);
                let open = |name: &str| dejaview_study::open_journal(&study, name).ok();
                let writable = open(&annotator).filter(|journal| matches!(journal.access(), Access::Write));
                if let Some(journals) = writable.zip(open(&adjudication_journal(&annotator))) {
                    break <[Journal; 2]>::from(journals);
                }
            };
            *freed.lock().unwrap_or_else(PoisonError::into_inner) = Some(journals);
            let said = "The journal is free: labels can be given here now".to_owned();
            let _ = events.send(Stamped { at: begun.elapsed(), event: Event::Said(said) });
        };
        // Without it the journals stay as they are, for reading alone, as is said.
        let _ = std::thread::Builder::new().name("journals".to_owned()).spawn(wait);
    }
    freed
}

struct Runner {
    app: App,
    pool: Pool,
    writer: Option<dejaview_labels::Writer>,
    /// Where adjudications are written.
    adjudications: Option<dejaview_labels::Writer>,
    begun: Instant,
    guard: terminal::Guard,
    keys: input::Pause,
    frames: Arc<Frames>,
    sender: Sender<Stamped>,
    /// Journals that another process wrote when the explorer was opened.
    freed: FreedJournals,
    /// When the oldest key was read that no frame has answered yet.
    pressed: Option<Duration>,
    /// Where keys are written down.
    record: Option<File>,
}

impl Runner {
    fn run(&mut self, screen: &mut Screen, events: &Receiver<Stamped>, effects: Vec<Effect>) -> Result<()> {
        // Jobs begin while the first frame is drawn.
        if self.perform(screen, effects)? || self.await_background(screen, events)? {
            return Ok(());
        }
        self.draw(screen)?;
        loop {
            let Ok(first) = events.recv() else { return Ok(()) };
            let mut next = Some(first);
            let mut taken = 0;
            while let Some(stamped) = next.take() {
                taken += 1;
                self.look(screen, &stamped)?;
                let effects = self.app.update(stamped);
                // A label is drawn before anything else is looked at, so that no key is taken for another pair.
                let wrote = effects.iter().any(|effect| matches!(effect, Effect::Journal(_) | Effect::Adjudicate(_)));
                if self.perform(screen, effects)? {
                    return Ok(());
                }
                if !wrote && taken < AT_ONCE {
                    next = events.try_recv().ok();
                }
            }
            self.draw(screen)?;
        }
    }

    /// Asks the terminal for its background, where that decides how things look, and gives it a moment to answer; true
    /// when the person left meanwhile. Not on Label, where no key may be taken for a part of an answer.
    fn await_background(&mut self, screen: &mut Screen, events: &Receiver<Stamped>) -> Result<bool> {
        let shared = &self.app.shared;
        if shared.preferences.palette != Palette::Auto || !self.frames.answers() || shared.screen == Label::ID {
            return Ok(false);
        }
        terminal::ask_background()?;
        let end = Instant::now() + BACKGROUND_PATIENCE;
        while self.app.shared.preferences.background.is_none() {
            let Ok(stamped) = events.recv_timeout(end.saturating_duration_since(Instant::now())) else { break };
            self.look(screen, &stamped)?;
            let effects = self.app.update(stamped);
            if self.perform(screen, effects)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What the loop itself does about an event, before the state hears of it.
    fn look(&mut self, screen: &mut Screen, stamped: &Stamped) -> Result<()> {
        match stamped.event {
            Event::Redraw | Event::Resize(..) => redraw(screen)?,
            Event::Woken => {
                self.guard.retake(self.app.shared.preferences.mouse)?;
                redraw(screen)?;
            }
            Event::Key(key) => {
                self.pressed.get_or_insert(stamped.at);
                self.write_down(&key);
            }
            // This may be the news that they can be written.
            Event::Said(_) => self.take_journals()?,
            _ => {}
        }
        Ok(())
    }

    /// Writes labels from now on: the process that did so before has ended.
    fn take_journals(&mut self) -> Result<()> {
        let freed = self.freed.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some([journal, adjudications]) = freed else { return Ok(()) };
        let annotator = self.app.shared.book.annotator.clone();
        self.app.shared.book = book(&annotator, &journal);
        self.app.shared.adjudications = book(&annotator, &adjudications);
        self.writer = writer(journal, self.sender.clone(), self.begun, Event::Labels)?;
        self.adjudications = writer(adjudications, self.sender.clone(), self.begun, Event::Adjudications)?;
        Ok(())
    }

    /// Writes a key into the record, a line each. When that fails, it is said once and the record ends.
    fn write_down(&mut self, key: &KeyEvent) {
        let (Some(mut file), Some(word)) = (self.record.as_ref(), script::written(key)) else { return };
        if let Err(why) = writeln!(file, "{word}") {
            self.record = None;
            self.say(Event::Said(format!("keys are not written down any more: {why}")));
        }
    }

    fn draw(&mut self, screen: &mut Screen) -> Result<()> {
        let app = &mut self.app;
        self.frames.sync(app.shared.preferences.sync);
        let drawn = screen.draw(|frame| {
            // The news of another size may still be on its way.
            app.shared.size = (frame.area().width, frame.area().height);
            view::draw(app, frame.buffer_mut());
        });
        drawn.context("drawing")?;
        let now = self.begun.elapsed();
        let since_key = self.pressed.take().map(|pressed| now.saturating_sub(pressed));
        self.app.hud.get_or_insert_default().frame(since_key, self.frames.bytes());
        self.app.flushed(now);
        Ok(())
    }

    /// Does what is asked for; true when that is to leave.
    fn perform(&mut self, screen: &mut Screen, effects: Vec<Effect>) -> Result<bool> {
        for effect in effects {
            match effect {
                Effect::Quit => return Ok(true),
                Effect::Journal(event) => {
                    if let Some(writer) = &mut self.writer {
                        writer.send(event)?;
                    }
                }
                Effect::Adjudicate(event) => {
                    if let Some(writer) = &mut self.adjudications {
                        writer.send(event)?;
                    }
                }
                Effect::Copy(text) => terminal::copy(&text)?,
                Effect::Mouse(on) => terminal::mouse(on)?,
                Effect::Redraw => redraw(screen)?,
                Effect::Suspend => {
                    self.outside(screen, || drop(emulate_default_handler(SIGTSTP)))?;
                }
                Effect::Page(text) => {
                    if let Err(why) = self.outside(screen, || programs::page(&text))? {
                        self.say(Event::Said(why));
                    }
                }
                Effect::Edit(text) => {
                    let edited = self.outside(screen, || programs::edit(&text))?.map(|edited| {
                        // Before the note: that it could not be saved is the greater news, and takes the place of this.
                        edited.said.into_iter().for_each(|said| self.say(Event::Said(said)));
                        edited.text
                    });
                    self.say(Event::Edited(edited));
                }
                Effect::Run(job) => self.pool.start(job),
                Effect::Cancel(slot) => self.pool.stop(slot),
            }
        }
        Ok(false)
    }

    fn say(&self, event: Event) {
        // It cannot fail: the other end is ours.
        let _ = self.sender.send(Stamped { at: self.begun.elapsed(), event });
    }

    /// Gives the terminal to something else and takes it back.
    fn outside<T>(&mut self, screen: &mut Screen, work: impl FnOnce() -> T) -> Result<T> {
        let result = self.keys.during(|| {
            signals::away(|| {
                terminal::restore();
                work()
            })
        });
        self.guard.retake(self.app.shared.preferences.mouse)?;
        redraw(screen)?;
        Ok(result)
    }

    /// Gives the terminal back, saves what waits to be saved, and notes what was kept from doing harm.
    fn close(mut self, drafts: Option<&Drafts>, result: Result<()>) -> Result<()> {
        let (joined, unknown) = self.keys.counts();
        drop(self.guard);
        let lost: Vec<String> = [
            last_events::close(self.writer, &self.app.shared.book),
            last_events::close(self.adjudications, &self.app.shared.adjudications),
        ]
        .into_iter()
        .flatten()
        .collect();
        // Where labels could not be saved, a draft cannot, and a disk that does not answer would be waited for again.
        if let Some(drafts) = drafts.filter(|_| lost.is_empty()) {
            // When this fails, one begins at the first undecided pair.
            let _ = drafts.write(&self.app.begun());
        }
        let (swallowed, refused) = self.app.guarded();
        if let Some(folder) = Settings::state().filter(|_| joined + unknown + swallowed + refused > 0) {
            let counts = [("joined", joined), ("unknown", unknown), ("swallowed", swallowed), ("refused", refused)];
            tally::add(&folder, &counts);
        }
        if !lost.is_empty() {
            anyhow::bail!(lost.join("\n"));
        }
        result
    }
}

/// The next frame is drawn whole. Not by `clear`: it asks the terminal for the cursor, and the thread that reads keys
/// would take the answer.
fn redraw(screen: &mut Screen) -> Result<()> {
    let size = screen.size()?;
    screen.resize(Rect::new(0, 0, size.width, size.height))?;
    Ok(())
}
