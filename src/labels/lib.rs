//! Row 3. What did people decide?
//!
//! Every annotator has one append-only [`Journal`], `labels/<annotator>.jsonl`: one [`Event`] a line, each line with its
//! own checksum ([`mod@line`]), synced to disk before it counts as saved. Nothing in it is ever rewritten; undo is an event
//! too. [`Decisions`] is what follows from the events, and the only state there is: replaying the file gives it again.
//!
//! Beside it: which [`questions()`] a sample makes, the hidden repeats among them; the calibration deck ([`gold()`]); what was
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
//! - When the file was replaced or cut while it was open (git does so), its lines are brought together again.
//! - Two processes never write one journal: the second can only read ([`Access`]).

mod annotator;
mod chains;
mod decisions;
mod draft;
mod error;
mod event;
mod gold;
mod journal;
pub mod line;
mod lock;
mod questions;
mod reading;
mod review;
mod standing;
mod storage;
mod table;
mod time;
mod writer;

#[cfg(test)]
mod tests;

pub use annotator::{file_stem, name_of};
pub use chains::{Judged, chains};
pub use decisions::{Decision, Decisions};
pub use draft::Draft;
pub use error::LabelsError;
pub use event::{Circumstances, Event, Label, Order, What};
pub use gold::{Gold, gold};
pub use journal::{Access, Journal};
pub use lock::Holder;
pub use questions::{Question, order, questions};
pub use reading::{Annotations, Problem, Reading, read_all};
pub use review::{Case, Concern, Opinion, Review};
pub use standing::{
    ADJUDICATION, Decider, Journals, SettledBy, Settlement, Standing, adjudicated_by, adjudicator, is_adjudication,
};
pub use storage::{Disk, Seen, Storage, keep_unsaved};
pub use table::shortened;
pub use table::{Incoming, LabelTable, Meaning, Scale, Understood, is_journal, listed, sentences};
pub use time::{now, rfc3339};
pub use writer::{Backoff, Closed, Outcome, Writer};
