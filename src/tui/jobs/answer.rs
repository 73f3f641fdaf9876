//! What came of a wish.

use std::sync::Arc;

use crate::asks::Told;
use crate::data::StudyData;
use crate::dissector;
use crate::widgets::diff_view::Texts;
use dejaview_evaluation::agreement::Agreement;
use dejaview_evaluation::estimates::Estimates;
use dejaview_evaluation::sample::Sample;
use dejaview_index::Stored;
use dejaview_labels::Review;
use dejaview_study::{Arranged, Evaluation};
use dejaview_text::diff;

/// What came of it.
#[derive(Debug)]
pub enum Answer {
    /// The first pairs; none where the study is so small that all come as soon.
    Head(Option<Box<StudyData>>),
    /// The study, or why it cannot be read.
    Study(Result<Box<StudyData>, String>),
    /// Two documents.
    Pair {
        /// Of the wish.
        generation: u64,
        /// The documents, or why they cannot be shown.
        result: Result<Box<OpenPair>, String>,
    },
    /// The words of a change.
    Words {
        /// Of the pair.
        generation: u64,
        /// Number of the change.
        change: usize,
        /// What takes its place; none when it took too long.
        hunk: Option<diff::RefinedChange>,
    },
    /// What was asked about a pair.
    Why {
        /// Of the wish.
        generation: u64,
        /// The answer, or why there is none.
        result: Result<dissector::Told, String>,
    },
    /// Numbers of rows.
    Arrange {
        /// Of the wish.
        generation: u64,
        /// In order, or why there are none.
        result: Result<Arranged, String>,
    },
    /// What a list or a table is told.
    Told(Told),
    /// How good the configurations are.
    Measure {
        /// Of the wish.
        generation: u64,
        /// The figures, or why there are none.
        result: Result<Box<Evaluation>, String>,
    },
    /// The sample, or why there is none.
    Sample(Result<Box<Sample>, String>),
    /// The event of this number is on disk.
    Saved(u64),
    /// Events could not be written; they are kept and tried again.
    NotSaved(String),
    /// Something to tell the person.
    Said(String),
    /// The journal was changed by another hand and read again.
    Reread(Box<dejaview_labels::Reading>),
    /// News from the journal of adjudications.
    Adjudication(Kept),
    /// What is to be settled.
    Review {
        /// Of the wish.
        generation: u64,
        /// The cases, or why there are none.
        result: Result<Box<Reviewed>, String>,
    },
    /// What the labels of a sample say by now.
    Estimate(Result<Box<Says>, String>),
    /// What was begun could not be kept.
    NoDraft(String),
}

/// What the labels of a sample say by now.
#[derive(Debug)]
pub struct Says {
    /// Precision and recall.
    pub estimates: Estimates,
    /// How far annotators agree.
    pub agreement: Agreement,
}

/// What is to be settled, and how far annotators agree.
#[derive(Debug)]
pub struct Reviewed {
    /// The cases.
    pub review: Review,
    /// How far annotators agree, or why that cannot be said.
    pub agreement: Result<Agreement, String>,
    /// For each labelled sample how well its labels know the precision, and how many more would be enough.
    pub to_go: Vec<String>,
}

/// What became of adjudications.
#[derive(Debug)]
pub enum Kept {
    /// The event of this number is on disk.
    Saved(u64),
    /// Events could not be written; they are kept and tried again.
    NotSaved(String),
    /// The journal was changed by another hand and read again.
    Reread(Box<dejaview_labels::Reading>),
}

/// What is shown of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// The canonical text, which everything is computed on.
    #[default]
    Text,
    /// The page as html2text renders it.
    Rendered,
    /// The page as it was sent, decoded.
    Raw,
}

/// Two documents with their difference.
#[derive(Debug)]
pub struct OpenPair {
    /// The source document without its text.
    pub source: Stored,
    /// The target document without its text.
    pub target: Stored,
    /// The texts.
    pub texts: Arc<Texts>,
    /// What to know of the view, when it is not the canonical text as it is.
    pub note: Option<String>,
}
