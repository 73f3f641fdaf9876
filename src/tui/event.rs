//! All that can happen, in one stream.

use std::time::Duration;

use crossterm::event::KeyEvent;

use super::contract::{Done, Ticket};
use super::kept::Kept;
use super::theme::Background;
use dejaview_study::RunState;

/// Something that happened, and when, counted from the start of the program.
#[derive(Debug)]
pub struct Stamped {
    /// When it was read.
    pub at: Duration,
    /// What.
    pub event: Event,
}

/// Something that happened.
#[derive(Debug)]
pub enum Event {
    /// A key was pressed (or repeated).
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has another size.
    Resize(u16, u16),
    /// What the terminal says of its background.
    Background(Background),
    /// The terminal may have lost what was drawn.
    Redraw,
    /// We were stopped and go on: a shell had the terminal meanwhile.
    Woken,
    /// The system asks to stop for a while.
    Suspend,
    /// A job was done.
    Done(Done),
    /// News from the journal of labels.
    Labels(Kept),
    /// News from the journal of adjudications.
    Adjudications(Kept),
    /// The wheel of the mouse was turned: down, or up.
    Scroll(bool),
    /// The person's editor was left: with this text, or not at all.
    Edited(Result<String, String>),
    /// Something to tell the person.
    Said(String),
    /// A job panicked.
    Trouble {
        /// Which one.
        job: Ticket,
        /// What to say of it.
        why: String,
    },
    /// A run of the study, started here or elsewhere, has come to this.
    Run(RunState),
    /// Files that the study is read from have changed.
    StudyChanged,
    /// Samples have changed.
    SamplesChanged,
    /// Labels have changed: one's own alone, or those of others, too.
    LabelsChanged(bool),
    /// The system asks to leave.
    Stop,
}
