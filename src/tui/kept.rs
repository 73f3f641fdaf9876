//! What became of what a journal was to keep.

use dejaview_labels::Reading;

/// What became of events that were to be written into a journal.
#[derive(Debug)]
pub enum Kept {
    /// The event of this number is on disk.
    Saved(u64),
    /// Events could not be written; they are kept and tried again.
    NotSaved(String),
    /// The journal was changed by another hand and read again.
    Reread {
        reading: Box<Reading>,
        /// Lines that had gone and were written again.
        restored: usize,
    },
}
