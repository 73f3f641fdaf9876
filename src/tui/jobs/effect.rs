//! What may be wished for.

use std::path::PathBuf;
use std::sync::Arc;

use super::Form;
use crate::asks::Ask;
use crate::data::StudyData;
use crate::dissector;
use crate::kinds::Kind;
use crate::widgets::diff_view::Texts;
use dejaview_labels::Draft;
use dejaview_study::{Filter, Sort, Truth};

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
    /// Read the sample of this name, or draw it.
    Sample(String),
    /// Write an event into the journal.
    Journal(Box<dejaview_labels::Event>),
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
    Adjudicate(Box<dejaview_labels::Event>),
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
    pub labels: Option<Box<dejaview_labels::Decisions>>,
}
