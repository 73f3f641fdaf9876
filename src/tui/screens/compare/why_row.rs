//! One line of the Why pane.

use std::collections::HashSet;

use crate::widgets::diff_view::Spans;

/// What a row shows; it stays the same while rows come and go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RowId {
    /// The whole waterfall.
    Jaccard,
    /// All shared runs of boilerplate (true) or of content.
    Shared(bool),
    /// The short runs among them.
    Short(bool),
    Run(usize),
    /// Shared n-grams outside runs.
    Scattered,
    /// N-grams that only this side has.
    Only(usize),
    /// The Jaccard without boilerplate, and how boilerplate is recognised.
    MainContent,
    Configurations,
    Configuration(String),
    /// A claim in the explanation of a configuration, by the path to it.
    Claim(String, Vec<usize>),
    EditRatios,
    Note(usize),
}

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
pub(super) struct WhyRow {
    pub(super) id: RowId,
    pub(super) depth: usize,
    /// None when there is nothing to unfold.
    pub(super) open: Option<bool>,
    pub(super) text: String,
    /// For the line of messages, where the text of the row is shortened.
    pub(super) details: Option<String>,
    pub(super) tone: Tone,
    /// What Enter shows in the texts.
    pub(super) spans: Spans,
    /// Runs that it switches off and on.
    pub(super) runs: Vec<usize>,
}

impl WhyRow {
    pub(super) fn new(id: RowId, depth: usize, text: impl Into<String>, tone: Tone) -> Self {
        Self {
            id,
            depth,
            open: None,
            text: text.into(),
            details: None,
            tone,
            spans: Spans::default(),
            runs: Vec::new(),
        }
    }

    /// Makes it a row that folds.
    pub(super) fn folding(mut self, unfolded: &HashSet<RowId>) -> Self {
        self.open = Some(unfolded.contains(&self.id));
        self
    }
}
