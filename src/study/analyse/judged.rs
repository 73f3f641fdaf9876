//! Which judged documents the source has: qrels often judge documents that a crawl at hand does not hold.

use serde::Serialize;

use crate::StudyError;
use crate::run::manifest::Summary;
use crate::run::watch::{Stage, Watch};
use crate::snapshot::Snapshot;
use dejaview_corpus::qrels::Judgments;
use dejaview_matching::source::{ReadOptions, Source};

/// How many documents are judged, and how many of them the source has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct JudgedDocuments {
    pub documents: u64,
    /// Those that the last run read in the source.
    pub in_source: u64,
}

impl JudgedDocuments {
    /// Where there are judgments, a run reads no other documents of the source. Without a run none was read.
    pub fn new(judgments: &Judgments, summary: Option<&Summary>) -> Self {
        let documents = judgments.documents().len() as u64;
        Self { documents, in_source: summary.map_or(0, |summary| summary.documents.source.min(documents)) }
    }

    pub fn missing(self) -> u64 {
        self.documents - self.in_source
    }
}

/// Ids of the judged documents that the source lacks, in the order of the qrels. Reads the source.
pub fn missing_judged(study: &Snapshot, threads: usize, watch: &dyn Watch) -> Result<Vec<String>, StudyError> {
    let Some(judgments) = study.judgments()? else { return Ok(Vec::new()) };
    let plan = study.plan()?;
    let inputs = &plan.corpora.source;
    watch.stage(Stage::Statistics { bytes: inputs.iter().map(|input| input.size).sum() });
    let options = ReadOptions::of_inputs(inputs, study.content()?, threads, watch.progress());
    let source = Source::read(options, &|id| judgments.document(id).is_some())?;
    let mut missing = vec![true; judgments.documents().len()];
    for document in source.documents.iter().filter_map(|document| judgments.document(&document.id)) {
        missing[document as usize] = false;
    }
    let ids = judgments.documents().iter().zip(missing).filter(|(_, missing)| *missing);
    Ok(ids.map(|(id, _)| id.clone()).collect())
}
