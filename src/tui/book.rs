//! What this annotator has decided: applied at once, saved by a writer, counted apart until the disk has it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::kept::Kept;
use dejaview_labels::{Decisions, Event, EventKind, Label};

/// Versions of decisions that there have been so far, of whatever book.
static VERSIONS: AtomicU64 = AtomicU64::new(1);

/// Decisions, and how far they are on disk.
#[derive(Debug, Default)]
pub struct Book {
    /// Who decides.
    pub annotator: String,
    decisions: Decisions,
    /// Another one for each change of the decisions.
    version: u64,
    next: u64,
    /// Events that the disk does not have yet, by number.
    pending: BTreeMap<u64, Arc<Event>>,
    saved: u64,
    /// Why labels cannot be written at all.
    pub read_only: Option<String>,
    /// Why the last attempt to save failed.
    pub trouble: Option<String>,
}

impl Book {
    /// With what the journal held; `next` is the number of the next event.
    pub fn new(annotator: &str, decisions: Decisions, next: u64, read_only: Option<String>) -> Self {
        let annotator = annotator.to_owned();
        let saved = next.saturating_sub(1);
        let (version, pending) = (new_version(), BTreeMap::new());
        Self { annotator, decisions, version, next, pending, saved, read_only, trouble: None }
    }

    /// What holds.
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// Applies an event and returns it with its number, to be saved.
    pub fn record(&mut self, event: Event) -> Arc<Event> {
        let event = Arc::new(Event { seq: self.next, ..event });
        self.next += 1;
        self.decisions.apply(&event);
        self.version = new_version();
        self.pending.insert(event.seq, Arc::clone(&event));
        event
    }

    /// A number that no other state of decisions has, of this book or another.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// An event is on disk.
    fn saved(&mut self, seq: u64) {
        if self.pending.remove(&seq).is_some() {
            self.saved += 1;
            self.trouble = None;
        }
    }

    /// Number of the latest event.
    pub fn events(&self) -> u64 {
        self.next.saturating_sub(1)
    }

    /// Whether anything was ever recorded.
    pub fn has_begun(&self) -> bool {
        self.next > 1
    }

    /// Events that the disk does not have yet, in order.
    pub fn waiting(&self) -> impl Iterator<Item = &Arc<Event>> {
        self.pending.values()
    }

    /// Number of events that the disk does not have yet.
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Whether the disk lacks something about a pair.
    pub fn awaits(&self, source: &str, target: &str) -> bool {
        self.pending.values().any(|event| event.source == source && event.target == target)
    }

    /// The journal was changed by another hand and read again; what is not on disk yet holds still.
    fn reread(&mut self, decisions: Decisions, next: u64) {
        self.decisions = decisions;
        self.version = new_version();
        for event in self.pending.values() {
            self.decisions.apply(event);
        }
        self.next = self.next.max(next);
    }

    /// News from the journal.
    pub fn kept(&mut self, kept: Kept) {
        match kept {
            Kept::Saved(seq) => self.saved(seq),
            Kept::NotSaved(why) => self.trouble = Some(why),
            Kept::Reread { reading, .. } => {
                let next = reading.events.iter().map(|event| event.seq).max().unwrap_or(0) + 1;
                self.reread(reading.decisions, next);
            }
        }
    }

    /// Events that are on the disk.
    pub fn saved_events(&self) -> u64 {
        self.saved
    }

    /// "saved ✓ 43" of what a screen counts, "saving 1…", or what is wrong.
    pub fn status(&self, saved: u64) -> String {
        match (&self.read_only, &self.trouble) {
            (Some(why), _) => format!("read only: {why}"),
            (None, Some(why)) => format!("NOT SAVED ({} waiting): {why}", self.pending.len()),
            (None, None) if self.pending.is_empty() => format!("saved ✓ {saved}"),
            (None, None) => format!("saving {}…", self.pending.len()),
        }
    }

    /// One word on a pair, for lists.
    pub fn word(&self, source: &str, target: &str) -> &'static str {
        match self.decisions.label(source, target, None) {
            None => "",
            Some(Label::NearDuplicate) => "near",
            Some(Label::Not) => "not",
            Some(Label::Unsure) => "unsure",
        }
    }

    /// What an event did, for a message.
    pub fn describe(event: &Event) -> String {
        match &event.kind {
            EventKind::Label(label) => format!("“{}”", label.name()),
            EventKind::Note(_) => "a note".to_owned(),
            EventKind::Flag(_) => "a flag".to_owned(),
            EventKind::Peek => "a look at the scores".to_owned(),
            _ => "an edit".to_owned(),
        }
    }
}

fn new_version() -> u64 {
    VERSIONS.fetch_add(1, Ordering::Relaxed)
}
