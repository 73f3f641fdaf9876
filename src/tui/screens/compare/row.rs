//! One line of the Why pane.

use std::collections::HashSet;

use crate::pane::Places;

/// What a row stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Id {
    /// The whole waterfall.
    Jaccard,
    /// Shared runs, boilerplate or not.
    Shared(bool),
    /// The short ones among them.
    Short(bool),
    Run(usize),
    /// Shared n-grams outside runs.
    Scattered,
    /// What one side has alone.
    Only(usize),
    /// The Jaccard of the main contents, and how they are told.
    Main,
    /// All configurations.
    All,
    /// One of them.
    Configuration(String),
    /// A claim of its explanation, by its place in the tree.
    Claim(String, Vec<usize>),
    /// The edit ratios.
    Edit,
    /// Something said in passing.
    Note(usize),
}

/// How a row looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Title,
    Text,
    Dim,
    Good,
    Warning,
}

/// One line of the pane.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) id: Id,
    pub(super) depth: usize,
    /// Whether it is open; none when there is nothing in it.
    pub(super) open: Option<bool>,
    pub(super) text: String,
    /// What is said of it in full when the cursor is on it, if that is something else.
    pub(super) said: Option<String>,
    pub(super) tone: Tone,
    /// Places in the texts.
    pub(super) places: Places,
    /// Runs that it switches.
    pub(super) runs: Vec<usize>,
}

impl Row {
    pub(super) fn new(id: Id, depth: usize, text: impl Into<String>, tone: Tone) -> Self {
        Self { id, depth, open: None, text: text.into(), said: None, tone, places: Places::default(), runs: Vec::new() }
    }

    /// The same, which can be folded and is open if it is one of these.
    pub(super) fn folding(mut self, open: &HashSet<Id>) -> Self {
        self.open = Some(open.contains(&self.id));
        self
    }
}
