//! The loop: take what happened, update, draw once, hand out wishes.

use std::io::{self, BufWriter, Stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

use anyhow::{Context, Result};
use crossterm::event::{self as input, Event as Input};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;

use super::action::ScreenId;
use super::app::{App, Options};
use super::book::Book;
use super::event::{Event, Stamped};
use super::jobs::{Answer, Backend, Effect, Kept, Workers};
use super::preferences::Preferences;
use super::screens::compare::PairIds;
use super::{signals, terminal, view};
use crate::labels::{self, Access, Backoff, Draft, Journal, Outcome, adjudicated_by};
use crate::study::Session;

/// Events taken before a frame is drawn, at most.
const AT_ONCE: usize = 32;

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
    pub sample: String,
    /// How the person wants it.
    pub preferences: Preferences,
    /// What is wrong with their settings.
    pub problems: Vec<String>,
    /// Whether to begin with the calibration deck.
    pub calibrate: bool,
}

type Screen = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

/// Opens the explorer on a study and returns when the person leaves.
pub fn run(session: Session, start: Start) -> Result<()> {
    let begun = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let journal = Journal::open(session.folder(), &start.annotator)?;
    let bench = Journal::open(session.folder(), &adjudicated_by(&start.annotator))?;
    let writable = matches!(journal.access(), Access::Write);
    let (book, bench_book) = (book(&start.annotator, &journal), book(&start.annotator, &bench));
    let title = session.recipe().name.clone();
    let draft = writable.then(|| Drafts::of(&session, &start.annotator));
    let backend = Backend::new(session, start.sample);
    let backend = Arc::new(if writable { backend.keeping_drafts_of(&start.annotator) } else { backend });
    let guard = terminal::Guard::take().context("taking the terminal over (is this a terminal?)")?;
    let mut screen = Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, io::stdout())))?;
    let size = screen.size()?;
    let problem =
        journal.reading().problems.first().map(|problem| format!("{problem} in {}", journal.path().display()));
    let (mut app, mut effects) = App::new(Options {
        title,
        size: (size.width, size.height),
        theme: start.preferences.theme(),
        book,
        ssh: std::env::var_os("SSH_CONNECTION").is_some(),
        clock: labels::now,
        screen: start.screen,
        at: start.at,
        preferences: start.preferences,
    });
    app.message = problem.or_else(|| start.problems.first().map(|problem| format!("settings: {problem}")));
    app.bench = bench_book;
    if let Some(drafts) = &draft {
        app.keep_drafts(drafts.read());
    }
    if start.calibrate {
        effects.extend(app.calibrate());
    }
    signals::watch(sender.clone(), begun)?;
    read_keys(sender.clone(), begun);
    let mut runner = Runner {
        workers: Workers::start(&backend, &sender, begun),
        writer: writer(journal, sender.clone(), begun, news)?,
        bench: writer(bench, sender, begun, |outcome| Answer::Adjudication(kept(outcome)))?,
        app,
        begun,
    };
    let result = runner.run(&mut screen, &receiver, effects);
    drop(screen);
    drop(guard);
    let lost: Vec<String> = [close(runner.writer, &runner.app.book), close(runner.bench, &runner.app.bench)]
        .into_iter()
        .flatten()
        .collect();
    if let Some(drafts) = draft {
        // When this fails, one begins at the first undecided pair.
        let _ = drafts.write(&runner.app.begun());
    }
    if !lost.is_empty() {
        anyhow::bail!(lost.join("\n"));
    }
    result
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

    fn read(&self) -> Option<Draft> {
        Draft::read(&self.study, &self.annotator)
    }

    fn write(&self, draft: &Draft) -> Result<(), labels::LabelsError> {
        draft.write(&self.study, &self.annotator)
    }
}

/// Saves what waits. What cannot be saved is put into a file of the system's temporary folder, and told with its lines: the
/// terminal may be gone by now.
fn close(writer: Option<labels::Writer>, book: &Book) -> Option<String> {
    let (events, place) = match writer?.close() {
        Ok(closed) => (closed.unsaved, closed.journal.path().display().to_string()),
        Err(why) => (book.waiting().cloned().collect(), format!("the journal of {} ({why})", book.annotator)),
    };
    if events.is_empty() {
        return None;
    }
    let lines: Vec<String> = events.iter().map(|event| labels::line::encode(event).0).collect();
    let text = lines.join("\n");
    let name = format!("dejaview-unsaved-{}.jsonl", std::process::id());
    let kept = std::env::temp_dir().join(name);
    let kept = match labels::keep_unsaved(&kept, &text) {
        Ok(()) => format!(" (they are in {} too)", kept.display()),
        Err(_) => String::new(),
    };
    let count = lines.len();
    Some(format!(
        "{count} events could not be written to {place}; append these lines to it when it can be written again{kept}:\n{text}"
    ))
}

/// What the journal holds, for the screens.
fn book(annotator: &str, journal: &Journal) -> Book {
    let read_only = match journal.access() {
        Access::Write => None,
        Access::ReadOnly { why, holder: Some(holder) } => Some(format!("{why} ({holder})")),
        Access::ReadOnly { why, holder: None } => Some(why.clone()),
    };
    Book::new(annotator, journal.reading().decisions.clone(), journal.next_seq(), read_only)
}

/// What the journal of labels has to say.
fn news(outcome: Outcome) -> Answer {
    match kept(outcome) {
        Kept::Saved(seq) => Answer::Saved(seq),
        Kept::NotSaved(why) => Answer::NotSaved(why),
        Kept::Reread(reading) => Answer::Reread(reading),
    }
}

fn kept(outcome: Outcome) -> Kept {
    match outcome {
        Outcome::Saved { seq } => Kept::Saved(seq),
        Outcome::Failed { error, .. } => Kept::NotSaved(error.to_string()),
        Outcome::Reread { reading } => Kept::Reread(reading),
    }
}

/// The thread that saves; none when another process does.
fn writer(
    journal: Journal,
    events: Sender<Stamped>,
    begun: Instant,
    answer: impl Fn(Outcome) -> Answer + Send + 'static,
) -> Result<Option<labels::Writer>> {
    if !matches!(journal.access(), Access::Write) {
        return Ok(None);
    }
    let writer = labels::Writer::start(journal, Backoff::default(), move |outcome| {
        let event = Event::Answer(answer(outcome));
        let _ = events.send(Stamped { at: begun.elapsed(), event });
    })?;
    Ok(Some(writer))
}

/// Sends keys into the stream of events, each with the moment it was read.
fn read_keys(events: Sender<Stamped>, begun: Instant) {
    std::thread::spawn(move || {
        loop {
            let event = match input::read() {
                Ok(Input::Key(key)) => Event::Key(key),
                Ok(Input::Paste(text)) => Event::Paste(text),
                Ok(Input::Resize(width, height)) => Event::Resize(width, height),
                Ok(Input::FocusGained) => Event::Redraw,
                Ok(Input::FocusLost | Input::Mouse(_)) => continue,
                Err(_) => Event::Stop,
            };
            let last = matches!(event, Event::Stop);
            if events.send(Stamped { at: begun.elapsed(), event }).is_err() || last {
                return;
            }
        }
    });
}

struct Runner {
    app: App,
    workers: Workers,
    writer: Option<labels::Writer>,
    /// Where adjudications are written.
    bench: Option<labels::Writer>,
    begun: Instant,
}

impl Runner {
    fn run(&mut self, screen: &mut Screen, events: &Receiver<Stamped>, effects: Vec<Effect>) -> Result<()> {
        self.draw(screen)?;
        if self.perform(effects)? {
            return Ok(());
        }
        loop {
            let Ok(first) = events.recv() else { return Ok(()) };
            let mut next = Some(first);
            let mut taken = 0;
            while let Some(stamped) = next.take() {
                taken += 1;
                if matches!(stamped.event, Event::Redraw | Event::Resize(..)) {
                    // Not `clear`: it asks the terminal for the cursor, and the thread that reads keys takes the answer.
                    let size = screen.size()?;
                    screen.resize(Rect::new(0, 0, size.width, size.height))?;
                }
                let effects = self.app.update(stamped);
                // A label is drawn before anything else is looked at, so that no key is taken for another pair.
                let wrote = effects.iter().any(|effect| matches!(effect, Effect::Journal(_) | Effect::Adjudicate(_)));
                if self.perform(effects)? {
                    return Ok(());
                }
                if !wrote && taken < AT_ONCE {
                    next = events.try_recv().ok();
                }
            }
            self.draw(screen)?;
        }
    }

    fn draw(&mut self, screen: &mut Screen) -> Result<()> {
        let app = &mut self.app;
        let drawn = screen.draw(|frame| {
            // The news of another size may still be on its way.
            app.size = (frame.area().width, frame.area().height);
            view::draw(app, frame.buffer_mut());
        });
        drawn.context("drawing")?;
        self.app.flushed(self.begun.elapsed());
        Ok(())
    }

    /// Hands wishes out; true when one of them is to leave.
    fn perform(&mut self, effects: Vec<Effect>) -> Result<bool> {
        for effect in effects {
            match effect {
                Effect::Quit => return Ok(true),
                Effect::Journal(event) => {
                    if let Some(writer) = &mut self.writer {
                        writer.send(*event)?;
                    }
                }
                Effect::Adjudicate(event) => {
                    if let Some(writer) = &mut self.bench {
                        writer.send(*event)?;
                    }
                }
                other => self.workers.send(other),
            }
        }
        Ok(false)
    }
}
