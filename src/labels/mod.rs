//! Row 3. What did people decide?
//!
//! Every annotator has one append-only [`Journal`], `labels/<annotator>.jsonl`: one [`Event`] a line, each line with its
//! own checksum ([`mod@line`]), synced to disk before it counts as saved. Nothing in it is ever rewritten; undo is an event
//! too. [`Decisions`] is what follows from the events, and the only state there is: replaying the file gives it again.
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
mod consensus;
mod decisions;
mod error;
mod event;
mod journal;
pub mod line;
mod lock;
mod reading;
mod storage;
mod time;
mod writer;

#[cfg(test)]
mod tests;

pub use annotator::{file_stem, name_of};
pub use consensus::{ADJUDICATION, Consensus, is_adjudication};
pub use decisions::{Decisions, Standing};
pub use error::LabelsError;
pub use event::{Circumstances, Event, Label, Order, What};
pub use journal::{Access, Journal};
pub use lock::Holder;
pub use reading::{Annotations, Problem, Reading, read_all};
pub use storage::{Disk, Seen, Storage};
pub use time::{now, rfc3339};
pub use writer::{Backoff, Closed, Outcome, Writer};
