//! What takes time: done on worker threads, answered with events. Of each kind only the newest wish counts.

use std::any::Any;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::asks::{Ask, Told};
use super::data::{Known, StudyData};
use super::dissector::{self, Dissector};
use super::event::{Event, Stamped};
use super::kinds::{Kind, kinds};
use super::widgets::diff_view::Texts;
use crate::evaluation::agreement::Agreement;
use crate::evaluation::estimates::{Estimates, Unsure};
use crate::evaluation::sample::Sample;
use crate::index::{KeptSide, Stored};
use crate::labels::{self, Draft, Gold, Review, gold};
use crate::study::{Arranged, Evaluation, Filter, Order, Reading, Session, Sort, StudyError, Truth};
use crate::text::{decode, diff, printable, rendered};

/// A word-level diff stops here and goes on by lines.
const DIFF_TIME: Duration = Duration::from_millis(1500);
/// The words of one change that a person asked for.
const WORDS_TIME: Duration = Duration::from_secs(8);

/// Something to be done elsewhere. `generation` comes back with the answer: late ones are dropped.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Read the first pairs, of a study so large that reading all takes a moment.
    Head,
    /// Read the study.
    Study,
    /// Fetch two documents and compare them.
    Pair {
        /// Of the wish.
        generation: u64,
        /// Source id.
        source: String,
        /// Target id.
        target: String,
        /// What is shown of them.
        form: Form,
        /// The target first.
        swapped: bool,
    },
    /// Lay a pair of the calibration deck open.
    Gold {
        /// Of the wish.
        generation: u64,
        /// Its number in the deck.
        at: usize,
    },
    /// What the labels of a sample say by now, by all annotators together.
    Estimate(String),
    /// Read all journals and see what is to be settled.
    Review {
        /// Of the wish.
        generation: u64,
    },
    /// Compare the words of one change.
    Words {
        /// Of the pair.
        generation: u64,
        /// The texts.
        texts: Arc<Texts>,
        /// Number of the change.
        change: usize,
    },
    /// Ask something about a pair.
    Why {
        /// Of the wish.
        generation: u64,
        /// Source id.
        source: String,
        /// Target id.
        target: String,
        /// What.
        ask: dissector::Ask,
    },
    /// Filter and sort the table.
    Arrange {
        /// Of the wish.
        generation: u64,
        /// The study with its table.
        data: Arc<StudyData>,
        /// Which rows, in which order.
        wish: Box<Wish>,
    },
    /// Something that a list or a table asks.
    Ask(Ask),
    /// Give a job up.
    Cancel(Kind),
    /// Measure the configurations against a truth.
    Measure {
        /// Of the wish.
        generation: u64,
        /// What decides.
        truth: Truth,
    },
    /// Read or draw the sample.
    Sample,
    /// Write an event into the journal.
    Journal(Box<labels::Event>),
    /// Put a text into the clipboard, through the terminal.
    Copy(String),
    /// Show a text in the person's pager.
    Page(String),
    /// Let the person edit a text in their editor.
    Edit(String),
    /// Write a text into a file.
    Write {
        /// Which file; one that is there is not written over.
        path: PathBuf,
        /// The text.
        text: String,
    },
    /// Take the mouse, or give it back.
    Mouse(bool),
    /// Draw everything again.
    Redraw,
    /// Give the terminal back until the shell wakes us.
    Suspend,
    /// Write an event into the journal of adjudications.
    Adjudicate(Box<labels::Event>),
    /// Keep what was begun.
    Draft(Box<Draft>),
    /// Leave.
    Quit,
}

/// Which rows of the table are wanted.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// What must hold.
    pub filter: Filter,
    /// Two configurations, and which of their pairs.
    pub duel: Option<([usize; 2], usize)>,
    /// By what they are sorted.
    pub sort: Sort,
    /// Whose distances these are, where they are sorted by them.
    pub measured: Option<usize>,
    /// The other way round.
    pub reverse: bool,
    /// Labels, where they decide.
    pub labels: Option<Box<labels::Decisions>>,
}

/// What came of it.
#[derive(Debug)]
pub enum Answer {
    /// The first pairs, where the study is so large.
    Head(Box<StudyData>),
    /// The study, or why it cannot be read.
    Study(Result<Box<StudyData>, String>),
    /// Two documents.
    Pair {
        /// Of the wish.
        generation: u64,
        /// The documents, or why they cannot be shown.
        result: Result<Box<OpenPair>, String>,
    },
    /// The words of a change.
    Words {
        /// Of the pair.
        generation: u64,
        /// Number of the change.
        change: usize,
        /// What takes its place; none when it took too long.
        hunk: Option<diff::Hunk>,
    },
    /// What was asked about a pair.
    Why {
        /// Of the wish.
        generation: u64,
        /// The answer, or why there is none.
        result: Result<dissector::Told, String>,
    },
    /// Numbers of rows.
    Arrange {
        /// Of the wish.
        generation: u64,
        /// In order, or why there are none.
        result: Result<Arranged, String>,
    },
    /// What a list or a table is told.
    Told(Told),
    /// How good the configurations are.
    Measure {
        /// Of the wish.
        generation: u64,
        /// The figures, or why there are none.
        result: Result<Box<Evaluation>, String>,
    },
    /// The sample, or why there is none.
    Sample(Result<Box<Sample>, String>),
    /// The event of this number is on disk.
    Saved(u64),
    /// Events could not be written; they are kept and tried again.
    NotSaved(String),
    /// Something to tell the person.
    Said(String),
    /// The journal was changed by another hand and read again.
    Reread(Box<labels::Reading>),
    /// News from the journal of adjudications.
    Adjudication(Kept),
    /// What is to be settled.
    Review {
        /// Of the wish.
        generation: u64,
        /// The cases, or why there are none.
        result: Result<Box<Reviewed>, String>,
    },
    /// What the labels of a sample say by now.
    Estimate(Result<Box<Estimates>, String>),
    /// What was begun could not be kept.
    NoDraft(String),
}

/// What is to be settled, and how far annotators agree.
#[derive(Debug)]
pub struct Reviewed {
    /// The cases.
    pub review: Review,
    /// Coefficients with their intervals; none with fewer than two annotators.
    pub agreement: Option<Agreement>,
}

/// What became of adjudications.
#[derive(Debug)]
pub enum Kept {
    /// The event of this number is on disk.
    Saved(u64),
    /// Events could not be written; they are kept and tried again.
    NotSaved(String),
    /// The journal was changed by another hand and read again.
    Reread(Box<labels::Reading>),
}

/// What is shown of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// The canonical text, which everything is computed on.
    #[default]
    Text,
    /// The page as html2text renders it.
    Rendered,
    /// The page as it was sent, decoded.
    Raw,
}

/// Two documents with their difference.
#[derive(Debug)]
pub struct OpenPair {
    /// The source document without its text.
    pub source: Stored,
    /// The target document without its text.
    pub target: Stored,
    /// The texts.
    pub texts: Arc<Texts>,
    /// What to know of the view, when it is not the canonical text as it is.
    pub note: Option<String>,
}

/// Does what takes time.
#[derive(Debug)]
pub struct Backend {
    /// The study.
    pub session: Session,
    /// Name of the sample that is labelled.
    sample: String,
    /// Whose drafts are kept.
    drafts_of: Option<String>,
    /// What was found out about a pair.
    dissector: Dissector,
}

impl Backend {
    /// For a study and one of its samples.
    pub fn new(session: Session, sample: String) -> Self {
        Self { session, sample, drafts_of: None, dissector: Dissector::default() }
    }

    /// The same, which keeps what this annotator begins.
    #[must_use]
    pub fn keeping_drafts_of(self, annotator: &str) -> Self {
        Self { drafts_of: Some(annotator.to_owned()), ..self }
    }

    /// Does one thing and answers. Journals are written elsewhere; leaving is the loop's.
    pub fn perform(&self, effect: Effect) -> Option<Answer> {
        self.perform_until(effect, &|| false)
    }

    /// The same; what can be interrupted gives up, without an answer, once `stop` says so.
    pub fn perform_until(&self, effect: Effect, stop: &(dyn Fn() -> bool + Sync)) -> Option<Answer> {
        match effect {
            Effect::Head => StudyData::head(&self.session).map(|data| Answer::Head(Box::new(data))),
            Effect::Study => {
                let read = StudyData::read(&self.session);
                Some(Answer::Study(read.map(Box::new).map_err(|error| error.to_string())))
            }
            Effect::Pair { generation, source, target, form, swapped } => {
                let pair = match form {
                    Form::Text => self.pair(&source, &target),
                    Form::Rendered => self.rendered(&source, &target),
                    Form::Raw => self.raw(&source, &target),
                };
                let result = pair.map(|(a, b, note)| Box::new(open_pair(a, b, note, swapped)));
                Some(Answer::Pair { generation, result })
            }
            Effect::Gold { generation, at } => {
                let found = gold().get(at).ok_or_else(|| "the deck has no such pair".to_owned());
                Some(Answer::Pair { generation, result: found.map(|gold| Box::new(open_gold(gold, at % 2 == 1))) })
            }
            Effect::Review { generation } => {
                let result = self.reviewed().map(Box::new).map_err(|error| error.to_string());
                Some(Answer::Review { generation, result })
            }
            Effect::Estimate(sample) => {
                let estimates = self.session.estimates(&sample, Unsure::Out);
                Some(Answer::Estimate(estimates.map(Box::new).map_err(|error| error.to_string())))
            }
            Effect::Draft(draft) => {
                let kept = draft.write(self.session.folder(), self.drafts_of.as_deref()?);
                kept.err().map(|why| Answer::NoDraft(why.to_string()))
            }
            Effect::Words { generation, texts, change } => {
                let deadline = Instant::now() + WORDS_TIME;
                let hunk = diff::words_of_hunk(&texts.diff, &texts.source, &texts.target, change, deadline);
                Some(Answer::Words { generation, change, hunk })
            }
            Effect::Why { generation, source, target, ask } => {
                let result = self.dissector.tell(&self.session, [&source, &target], ask);
                Some(Answer::Why { generation, result: result.map_err(|error| error.to_string()) })
            }
            Effect::Arrange { generation, data, wish } => {
                let result = self.arrange(&data, &wish, stop).transpose()?;
                Some(Answer::Arrange { generation, result })
            }
            Effect::Ask(ask) => ask.perform(&self.session, stop).map(Answer::Told),
            Effect::Measure { generation, truth } => {
                let evaluation = self.session.evaluate(&truth, &Reading::default());
                let result = evaluation.map(Box::new).map_err(|error| error.to_string());
                Some(Answer::Measure { generation, result })
            }
            Effect::Sample => {
                let sample = self.session.sample(&self.sample);
                Some(Answer::Sample(sample.map(Box::new).map_err(|error| error.to_string())))
            }
            Effect::Write { path, text } => Some(Answer::Said(write(&path, &text))),
            _ => None,
        }
    }

    fn arrange(
        &self,
        data: &Arc<StudyData>,
        wish: &Wish,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Arranged>, String> {
        let none = labels::Decisions::default();
        let labels = wish.labels.as_deref().unwrap_or(&none);
        let index = || self.session.index().map_err(|error| error.to_string());
        let known = Known::new(data.clone(), labels, &wish.filter, index)?;
        let Wish { filter, duel, sort, measured, reverse, .. } = wish;
        let (duel, sort, measured, reverse) = (*duel, *sort, *measured, *reverse);
        Ok(data.table.arrange(&Order { filter, duel, sort, measured, reverse, beside: &known, stop }))
    }

    fn reviewed(&self) -> Result<Reviewed, StudyError> {
        let review = self.session.review()?;
        let several = review.annotators.len() > 1;
        let agreement = several.then(|| self.session.agreement(None)).transpose()?;
        Ok(Reviewed { review, agreement })
    }

    fn pair(&self, source: &str, target: &str) -> Result<Fetched, String> {
        let fetch = |id: &str, side| self.session.document(id, Some(side)).map_err(|error| error.to_string());
        let a = fetch(source, KeptSide::Source)?.document;
        let b = fetch(target, KeptSide::Target)?.document;
        Ok((a, b, None))
    }

    fn rendered(&self, source: &str, target: &str) -> Result<Fetched, String> {
        let mut notes = Vec::new();
        let mut fetch = |id: &str, side| -> Result<Stored, String> {
            let found = self.session.raw_document(id, Some(side)).map_err(|error| error.to_string())?;
            let mut document = found.document;
            let raw = found.raw.unwrap_or_default();
            if document.media == "html" {
                match rendered::rendered(&decode(&raw, None, true).text, rendered::Limits::default()) {
                    Ok(text) => document.text = text,
                    Err(why) => notes.push(format!("{id}: {why}; canonical text shown")),
                }
            }
            Ok(document)
        };
        let (a, b) = (fetch(source, KeptSide::Source)?, fetch(target, KeptSide::Target)?);
        notes.insert(0, "rendered by html2text".to_owned());
        Ok((a, b, Some(notes.join(" · "))))
    }

    fn raw(&self, source: &str, target: &str) -> Result<Fetched, String> {
        let fetch = |id: &str, side| -> Result<Stored, String> {
            let found = self.session.raw_document(id, Some(side)).map_err(|error| error.to_string())?;
            let mut document = found.document;
            let html = document.media == "html";
            document.text = decode(&found.raw.unwrap_or_default(), Some(&document.charset), html).text.into_owned();
            Ok(document)
        };
        let (a, b) = (fetch(source, KeptSide::Source)?, fetch(target, KeptSide::Target)?);
        Ok((a, b, Some("the pages as they were sent, decoded".to_owned())))
    }
}

/// Two documents, and what to know of the view.
type Fetched = (Stored, Stored, Option<String>);

fn open_pair(mut source: Stored, mut target: Stored, note: Option<String>, swapped: bool) -> OpenPair {
    let (mut a, mut b) = (std::mem::take(&mut source.text), std::mem::take(&mut target.text));
    if swapped {
        std::mem::swap(&mut a, &mut b);
    }
    let diff = diff::diff(&a, &b, Instant::now() + DIFF_TIME);
    OpenPair { source, target, texts: Arc::new(Texts::new(a, b, diff)), note }
}

/// Writes a new file; says what came of it.
fn write(path: &Path, text: &str) -> String {
    let shown = path.display();
    let put = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    match put {
        Ok(()) => format!("{} bytes written to {shown}", text.len()),
        Err(why) => format!("writing {shown}: {why}"),
    }
}

/// A pair of the calibration deck, which is in no study.
fn open_gold(gold: &Gold, swapped: bool) -> OpenPair {
    let stored = |side, id: &str, text: &str| Stored {
        side,
        segment: String::new(),
        id: id.to_owned(),
        url: "sample study".to_owned(),
        date: String::new(),
        charset: "text".to_owned(),
        media: "text".to_owned(),
        file: String::new(),
        offset: 0,
        bytes: text.len() as u64,
        digest: String::new(),
        text: text.to_owned(),
    };
    let source = stored(KeptSide::Source, &gold.source, &gold.source_text);
    let target = stored(KeptSide::Target, &gold.target, &gold.target_text);
    open_pair(source, target, None, swapped)
}

/// The newest wish of a kind, if its worker has not taken it yet.
#[derive(Default)]
struct Slot {
    wish: Mutex<Option<Effect>>,
    come: Condvar,
    /// Whether what is being done is not wanted any more: a newer wish waits.
    newer: AtomicBool,
    /// Whether it was given up: its answer is not sent.
    cancelled: AtomicBool,
}

/// The workers.
pub struct Workers {
    slots: Vec<(Kind, Arc<Slot>)>,
}

impl Workers {
    /// Starts one worker a kind; answers go to `events`. Workers end with the process.
    pub fn start(backend: &Arc<Backend>, events: &Sender<Stamped>, start: Instant) -> Self {
        let slots = kinds()
            .map(|kind| {
                let slot = Arc::new(Slot::default());
                let (mine, backend, events) = (slot.clone(), backend.clone(), events.clone());
                std::thread::spawn(move || work(&mine, &backend, &events, start));
                (kind, slot)
            })
            .collect();
        Self { slots }
    }

    /// Hands a wish to its worker, in place of an older one that still waits.
    pub fn send(&self, effect: Effect) {
        let cancelled = if let Effect::Cancel(kind) = &effect { Some(*kind) } else { None };
        let wanted = cancelled.or(effect.kind());
        if let Some((_, slot)) = self.slots.iter().find(|(kind, _)| Some(*kind) == wanted) {
            let mut wish = slot.wish.lock().unwrap_or_else(PoisonError::into_inner);
            *wish = cancelled.is_none().then_some(effect);
            let flag = if cancelled.is_some() { &slot.cancelled } else { &slot.newer };
            flag.store(true, Ordering::Relaxed);
            slot.come.notify_one();
        }
    }
}

fn work(slot: &Slot, backend: &Backend, events: &Sender<Stamped>, start: Instant) {
    loop {
        let mut wish = slot.wish.lock().unwrap_or_else(PoisonError::into_inner);
        let effect = loop {
            match wish.take() {
                Some(effect) => {
                    slot.newer.store(false, Ordering::Relaxed);
                    slot.cancelled.store(false, Ordering::Relaxed);
                    break effect;
                }
                None => wish = slot.come.wait(wish).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(wish);
        let cancelled = || slot.cancelled.load(Ordering::Relaxed);
        let stop = || cancelled() || slot.newer.load(Ordering::Relaxed);
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| backend.perform_until(effect, &stop)));
        let event = match done {
            _ if cancelled() => continue,
            Ok(Some(answer)) => Event::Answer(answer),
            Ok(None) => continue,
            Err(panic) => Event::Trouble(format!("a worker failed ({}); the rest goes on", reason(&*panic))),
        };
        if events.send(Stamped { at: start.elapsed(), event }).is_err() {
            return;
        }
    }
}

/// What a panic said, as it may be shown.
fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    printable(text.unwrap_or("it did not say why")).replace('\n', " ")
}
