//! What the screens show of a study. A job reads it once, and all screens share it.

mod chain;
pub mod charts;
mod cut_offs;
mod filter_facts;
mod judgments;
mod other_labels;
mod shown_rows;
mod topic;

pub use chain::ChainDocument;
pub use cut_offs::{CutOffs, FlippedPair};
pub use filter_facts::FilterFacts;
pub use judgments::{
    ArrangedJudgments, GradeConflict, JudgedDocument, Judgment, JudgmentSort, JudgmentTree, TopicGroup, has_word,
};
pub use other_labels::{OtherLabels, VisibleLabel};
pub use shown_rows::ShownRows;

use std::sync::{Arc, PoisonError, RwLock};

use crate::widgets::found_by::FoundByStrip;
use dejaview_corpus::qrels::Judgments;
use dejaview_corpus::topics::TopicText;
use dejaview_study::{
    JudgedDocuments, PairTable, Recipe, SampleProgress, Snapshot, StaleSegments, StudyError, Summary,
};

/// Rows of each end of each file that are shown while the rest is still being read.
const END_ROWS: usize = 200;

/// What a table holds whose study is still being read: its first and its last rows.
#[derive(Debug, Clone, Copy)]
pub struct PartialTable {
    /// Rows of all files.
    pub rows: u64,
    /// The row between the first and the last pairs; it stands for all that are not read yet.
    pub gap: Option<usize>,
}

/// What changes while the pairs stay: samples are drawn and labelled, others label, cases are settled.
#[derive(Debug, Default)]
pub struct LabelsNow {
    pub samples: Vec<SampleProgress>,
    pub others: OtherLabels,
}

impl LabelsNow {
    /// The labels of others are those of all but one annotator.
    fn read(study: &Snapshot, annotator: Option<&str>) -> Result<Self, StudyError> {
        Ok(Self {
            samples: dejaview_study::sample_progress(study)?,
            others: OtherLabels::new(dejaview_study::joint_labels(study, annotator)?, study.recipe().labels.blind),
        })
    }
}

/// What takes longer than the table is computed by the screen that first shows it.
#[derive(Debug)]
pub struct StudyData {
    /// Jobs about what is on the screen ask this snapshot and not a newer one, so that their results fit what is shown.
    pub study: Arc<Snapshot>,
    pub recipe: Arc<Recipe>,
    pub table: Arc<PairTable>,
    /// For each configuration the pairs and the source documents that it found.
    pub counts: Vec<(u64, u64)>,
    /// Of the last run.
    pub summary: Option<Summary>,
    pub judgments: Option<Arc<Judgments>>,
    pub topics: Arc<[TopicText]>,
    /// As they were read last.
    labels: RwLock<Arc<LabelsNow>>,
    /// Their text, or why they cannot be read; none if the study names no guidelines.
    pub guidelines: Option<Result<String, String>>,
    /// Why there are no pairs.
    pub trouble: Option<String>,
    /// Segments whose pairs are not those of the files that are there now.
    pub stale: StaleSegments,
    /// Set while the table has only its first and last rows and everything else here is empty.
    pub partial: Option<PartialTable>,
}

impl StudyData {
    /// A study that was never run has no pairs, and is shown all the same.
    pub fn read(study: Arc<Snapshot>, annotator: Option<&str>) -> Result<Self, StudyError> {
        let recipe = study.recipe().clone();
        let (table, trouble) = match study.table() {
            Ok(table) => (table.clone(), None),
            Err(error @ StudyError::NotRun { .. }) => {
                let empty = PairTable::new(Vec::new(), recipe.configuration_names(), recipe.jaccard);
                (Arc::new(empty), Some(error.to_string()))
            }
            Err(error) => return Err(error),
        };
        // Reads all titles, which no drawing may wait for.
        study.titles().find_site_names();
        Ok(Self {
            counts: table.counts(),
            summary: study.summary()?,
            judgments: study.judgments()?.cloned(),
            topics: study.topics()?.clone(),
            labels: RwLock::new(Arc::new(LabelsNow::read(&study, annotator)?)),
            guidelines: dejaview_study::guidelines(&study).map_err(|error| error.to_string()).transpose(),
            stale: study.stale_segments(),
            recipe,
            table,
            study,
            trouble,
            partial: None,
        })
    }

    /// Only the first and the last pairs; none if the study is small enough to be read at once.
    pub fn read_ends(study: Arc<Snapshot>) -> Option<Self> {
        let ends = study.ends_of_pairs(END_ROWS)?;
        let rows = ends.iter().map(|end| end.rows).sum();
        let recipe = study.recipe().clone();
        let (table, gap) = PairTable::ends(ends, recipe.configuration_names(), recipe.jaccard);
        Some(Self {
            study,
            table: Arc::new(table),
            recipe,
            counts: Vec::new(),
            summary: None,
            judgments: None,
            topics: Arc::default(),
            labels: RwLock::default(),
            trouble: None,
            stale: StaleSegments::default(),
            guidelines: None,
            partial: Some(PartialTable { rows, gap }),
        })
    }

    /// The samples and the labels of others, as they were read last.
    pub fn labels(&self) -> Arc<LabelsNow> {
        self.labels.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads samples and the labels of others again: somebody drew, labelled or settled. What cannot be read now stays as it is.
    pub fn read_labels_again(&self, study: &Snapshot, annotator: Option<&str>) {
        if let Ok(now) = LabelsNow::read(study, annotator) {
            *self.labels.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(now);
        }
    }

    /// Why there are no pairs, in a few words; none where there are.
    pub fn why_no_pairs(&self) -> Option<&'static str> {
        self.trouble.as_ref()?;
        Some(if self.summary.is_some() { "Results are out of date" } else { "Nothing has been matched yet" })
    }

    /// The row of the table that stands for all that are not read yet.
    pub fn gap(&self) -> Option<usize> {
        self.partial?.gap
    }

    /// Dots for all configurations of the study.
    pub fn found_by_strip(&self) -> FoundByStrip {
        FoundByStrip::new(self.recipe.configurations.iter().map(|configuration| configuration.algorithm().name))
    }

    /// How many documents are judged, and how many of them the source has; none without judgments.
    pub fn judged_documents(&self) -> Option<JudgedDocuments> {
        self.judgments.as_ref().map(|judgments| JudgedDocuments::new(judgments, self.summary.as_ref()))
    }

    /// The text of a topic, by its number without the subtopic.
    pub fn topic(&self, number: &str) -> Option<&TopicText> {
        let number = number.split('.').next().unwrap_or(number);
        self.topics.iter().find(|topic| topic.number == number)
    }

    /// Topic and grade of each judgment of a document, as `51:2`.
    pub fn grades_of(&self, document: &str) -> Vec<String> {
        let Some(judgments) = &self.judgments else { return Vec::new() };
        let rows = judgments.document(document).map(|number| judgments.of_document(number)).unwrap_or_default();
        let text = |row: &dejaview_corpus::qrels::Judgment| {
            let topic = &judgments.topics()[row.topic as usize];
            format!("{}:{}", topic::topic_number(topic), judgments.grades()[row.grade as usize])
        };
        rows.iter().map(text).collect()
    }
}
