//! The figures of a study (METHODS of the study, Figures 5.1 to 5.5 and 5.7 to 5.9), as data for all who draw them.

mod build;
mod chart;

use std::collections::HashMap;

use serde::Serialize;

pub use chart::{Bar, Extrapolation, Figure, Kind, Series};

use crate::StudyError;
use crate::query::pair_table::PairTable;
use crate::snapshot::Snapshot;
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
    /// Its name.
    pub configuration: String,
    /// Source documents with a candidate.
    pub documents: u64,
    /// All pairs.
    pub pairs: u64,
    /// Candidates of a document.
    pub mean: f64,
    /// Half of the documents have at most so many.
    pub median: f64,
    /// Three quarters have at most so many.
    pub p75: f64,
    /// 95 of 100 have at most so many.
    pub p95: f64,
    /// Most.
    pub max: u64,
    /// Who has most.
    pub max_document: Option<String>,
}

/// The study's precision of one configuration: source documents with a near-duplicate among those found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QualityRow {
    /// Its name.
    pub configuration: String,
    /// Source documents with a candidate whose Jaccard is known.
    pub found: u64,
    /// Those whose best candidate is alike enough.
    pub alike: u64,
    /// The share of these (Wilson, 95 %).
    pub precision: Option<Interval>,
}

/// The figures of all pairs. Reads the pairs; a front that has them open asks [`figures_of`].
pub fn figures(study: &Snapshot, options: &FigureOptions) -> Result<Figures, StudyError> {
    figures_of(study, study.table()?, options)
}

/// The figures of a table of pairs.
pub fn figures_of(study: &Snapshot, table: &PairTable, options: &FigureOptions) -> Result<Figures, StudyError> {
    for name in &options.configurations {
        study.known_configuration(name)?;
    }
    if let Some(name) = &options.segment
        && !table.segments().contains(&name.as_str())
    {
        return Err(StudyError::NoSegment { name: name.clone(), known: table.segments().join(", ") });
    }
    let judged = !study.recipe().source.judgments.is_empty();
    let documents = study.summary().map_or(0, |summary| summary.documents.source);
    let both = if table.joins_itself() { study.segments_of_both() } else { HashMap::new() };
    Ok(build::Builder::new(table, options, judged, documents, &both)?.figures())
}
