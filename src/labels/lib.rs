//! Row 3. What did people decide?
//!
//! Every annotator has one append-only [`Journal`], `labels/<annotator>.jsonl`: one [`Event`] a line, each line with its
//! own checksum ([`mod@line`]), synced to disk before it counts as saved. Nothing in it is ever rewritten; undo is an event
//! too. [`Decisions`] is what follows from the events, and the only state there is: replaying the file gives it again.
//!
//! Beside it: which [`questions()`] a sample makes, the hidden repeats among them; the calibration deck ([`calibration_deck()`]); what was
//! begun and not finished ([`Draft`]); and, over several journals, what holds for a pair ([`Standing`]) and what is left to be
//! settled ([`Review`]).
//!
//! A [`Writer`] owns the journal on a thread of its own, so that no key press waits for a disk.
//!
//! What callers may rely on:
//! - An event that was reported as saved is in the file, whole, whatever happens to the process afterwards.
//! - An event that failed is not in the file, or counts once when it is tried again.
//! - A damaged line costs that line alone, and is reported with its number. A torn end is set aside in
//!   `labels/<annotator>.torn` before the next write, not thrown away.
//! - Whole lines that are gone from the end of a file are told where its last event was saved from the same folder.
//! - When the file was replaced or cut while it was open (git does so), its events are brought together again. Lines that
//!   are no events, such as marks of git, stay away once they were removed.
//! - Two processes never write one journal: the second can only read ([`Access`]).

mod adjudication;
mod annotations;
mod annotator;
mod calibration;
mod chains;
mod copies;
mod decisions;
mod draft;
mod error;
mod event;
mod folder;
mod journal;
mod last_saved;
mod later;
pub mod line;
mod lock;
mod questions;
mod reading;
mod restoring;
mod review;
mod standing;
mod storage;
mod table;
mod time;
mod writer;

#[path = "../../tests/it/skipping.rs"]
#[cfg(test)]
mod skipping;

#[cfg(test)]
mod tests;

pub use adjudication::{ADJUDICATION, adjudication_journal, adjudicator, is_adjudication};
pub use annotations::read_all;
pub use annotator::{annotator_name, file_stem, must_be_nameable, must_differ_from};
pub use calibration::{CalibrationPair, calibration_deck};
pub use chains::{LabelledPair, chains};
pub use copies::{SharedEvents, shared_events};
pub use decisions::{Decision, Decisions};
pub use draft::Draft;
pub use error::LabelsError;
pub use event::{Circumstances, DocumentOrder, Event, EventError, EventKind, Label};
pub use folder::not_journals;
pub use journal::{Access, Journal};
pub use last_saved::{ChangedRole, RemovedJournal};
pub use later::{Later, OutOfOrder, of_times_to_come};
pub use lock::Holder;
pub use questions::{Question, document_order, questions};
pub use reading::{Annotations, Problem, Reading};
pub use review::{Case, Concern, Opinion, Review};
pub use standing::{Decider, Journals, SettledBy, Settlement, Standing};
pub use storage::{Disk, FileState, Storage, keep_unsaved};
pub use table::shortened;
pub use table::{
    LONGEST_NOTE, LabelRow, LabelTable, Meaning, MeaningError, Scale, UnderstoodValue, is_journal, meaning_sentences,
    split_names,
};
pub use time::{now, rfc3339, seconds_between};
pub use writer::{Backoff, ClosedWriter, Outcome, Writer};
