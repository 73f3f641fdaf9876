//! The options of the figures, and their result.

use serde::Serialize;

use super::chart::Figure;
use dejaview_base::interval::Interval;
use dejaview_evaluation::figures::Difference;

/// What is to be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureOptions {
    /// Only these configurations; all when empty.
    pub configurations: Vec<String>,
    /// Only pairs of this segment.
    pub segment: Option<String>,
    /// Segments to which accumulated counts are carried on; twice those that were read by default.
    pub segments: Option<usize>,
    /// A pair is a near-duplicate from this Jaccard on, where figures need to decide.
    pub alike: f64,
}

impl Default for FigureOptions {
    fn default() -> Self {
        Self { configurations: Vec::new(), segment: None, segments: None, alike: 0.9 }
    }
}

/// All figures of a study, with the tables beside them.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    /// Segments that were read, in order.
    pub segments: Vec<String>,
    /// Different pairs in the pool: those that any configuration found.
    pub pool: u64,
    /// Source documents; the judged ones where there are judgments.
    pub documents: u64,
    /// Whether documents are found in twos, since a collection is searched for its own.
    pub in_twos: bool,
    /// n of the Jaccard.
    pub jaccard: usize,
    /// From this Jaccard on a pair is a near-duplicate here.
    pub alike: f64,
    /// The figures, in the study's order.
    pub figures: Vec<Figure>,
    /// Candidates per source document.
    pub candidates: Vec<CandidatesRow>,
    /// Source documents found, and those with a near-duplicate.
    pub quality: Vec<QualityRow>,
    /// What one configuration (row) finds alike and another (column) misses, in the order of `quality`.
    pub differences: Vec<Vec<Difference>>,
}

/// Candidates per source document of one configuration, over the documents that have one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidatesRow {
    pub configuration: String,
    /// Source documents with a candidate.
    pub documents: u64,
    pub pairs: u64,
    /// Candidates of a document.
    pub mean: f64,
    /// Half of the documents have at most so many.
    pub median: f64,
    /// Three quarters have at most so many.
    pub p75: f64,
    /// 95 of 100 have at most so many.
    pub p95: f64,
    /// The most candidates of one document.
    pub max: u64,
    /// The document with the most candidates.
    pub max_document: Option<String>,
}

/// The study's precision of one configuration: source documents with a near-duplicate among those found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QualityRow {
    pub configuration: String,
    /// Source documents with a candidate whose Jaccard is known.
    pub found: u64,
    /// Those whose best candidate is alike enough.
    pub alike: u64,
    /// The share of these (Wilson, 95 %).
    pub precision: Option<Interval>,
}
