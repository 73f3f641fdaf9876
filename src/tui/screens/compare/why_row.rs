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
    Strong,
    Text,
    Muted,
    Warning,
    Error,
}

/// A share of the union of both texts, beginning where the previous one ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bar {
    pub(super) start: f64,
    pub(super) share: f64,
    pub(super) of: Part,
}

/// What a part of the union is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Content,
    Boilerplate,
    Scattered,
    /// Only in this side.
    Only(usize),
}

/// One line of the pane.
#[derive(Debug, Clone)]
pub(super) struct WhyRow {
    pub(super) id: RowId,
    pub(super) depth: usize,
    /// None when there is nothing to unfold.
    pub(super) open: Option<bool>,
    /// A share of the union, drawn before the text.
    pub(super) bar: Option<Bar>,
    pub(super) text: String,
    pub(super) tone: Tone,
    /// What Enter shows in the texts.
    pub(super) spans: Spans,
    /// Runs that it switches off and on.
    pub(super) runs: Vec<usize>,
}

impl WhyRow {
    pub(super) fn new(id: RowId, depth: usize, text: impl Into<String>, tone: Tone) -> Self {
        Self { id, depth, open: None, bar: None, text: text.into(), tone, spans: Spans::default(), runs: Vec::new() }
    }

    pub(super) fn with_bar(mut self, start: f64, share: f64, of: Part) -> Self {
        self.bar = Some(Bar { start, share, of });
        self
    }

    /// Makes it a row that folds.
    pub(super) fn folding(mut self, unfolded: &HashSet<RowId>) -> Self {
        self.open = Some(unfolded.contains(&self.id));
        self
    }
}
