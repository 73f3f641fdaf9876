//! What the screens show of a study, made by a worker and shared.

pub mod charts;
mod known;
mod links;
mod others;
mod rail;
mod rows;
mod topic;
mod tree;

pub use known::Known;
pub use links::Link;
pub use others::{Others, Seen};
pub use rail::{Flipped, Rail};
pub use rows::Rows;
pub use tree::{By, Found, Group, Judged, SAME, Shape, Tree, matches};

use std::sync::Arc;

use dejaview_corpus::qrels::Judgments;
use dejaview_corpus::topics::TopicText;
use dejaview_study::{JudgedDocuments, PairTable, Recipe, SampleProgress, Snapshot, StudyError, Summary};

/// Rows of each end of each file that are shown before all are read.
const FIRST: usize = 200;

/// What is there of a study that is still being read.
#[derive(Debug, Clone, Copy)]
pub struct Partial {
    /// Rows of all files.
    pub rows: u64,
    /// The row of the table that stands for those which are not there yet: the first pairs are before it, the last behind.
    pub gap: Option<usize>,
}

/// A study as the screens know it. What takes longer than the table is made when it is first looked at.
#[derive(Debug)]
pub struct StudyData {
    /// What was read of the study: the parts below are its own. Jobs about what is on the screen ask it, and not a newer one.
    pub study: Arc<Snapshot>,
    pub recipe: Arc<Recipe>,
    pub table: Arc<PairTable>,
    /// Pairs and source documents found of each configuration.
    pub counts: Vec<(u64, u64)>,
    /// What the last run said.
    pub summary: Option<Summary>,
    /// The judgments, where there are some.
    pub judgments: Option<Arc<Judgments>>,
    pub topics: Arc<[TopicText]>,
    /// How far each sample is labelled, when the study was read.
    pub samples: Vec<SampleProgress>,
    /// What the other annotators said, when the study was read.
    pub others: Others,
    /// What annotators should have read, or why it cannot be; none when the study names none.
    pub guidelines: Option<Result<String, String>>,
    /// Why there are no pairs, if there are none.
    pub trouble: Option<String>,
    /// While the table has only the first and the last pairs: then there is nothing else here.
    pub partial: Option<Partial>,
}

impl StudyData {
    /// Reads what there is for an annotator; a study without a run is shown too.
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
        Ok(Self {
            counts: table.counts(),
            summary: study.summary(),
            judgments: study.judgments()?.cloned(),
            topics: study.topics()?.clone(),
            samples: dejaview_study::sample_progress(&study)?,
            others: Others::new(dejaview_study::labels_together(&study, annotator)?, recipe.labels.blind),
            guidelines: dejaview_study::guidelines(&study).map_err(|error| error.to_string()).transpose(),
            recipe,
            table,
            study,
            trouble,
            partial: None,
        })
    }

    /// The first and the last pairs alone, of a study so large that reading all takes a moment.
    pub fn head(study: Arc<Snapshot>) -> Option<Self> {
        let ends = study.ends_of_pairs(FIRST)?;
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
            samples: Vec::new(),
            others: Others::default(),
            trouble: None,
            guidelines: None,
            partial: Some(Partial { rows, gap }),
        })
    }

    /// The row of the table that stands for those which are not there yet.
    pub fn gap(&self) -> Option<usize> {
        self.partial?.gap
    }

    /// How many documents are judged, and how many of them the source has; none without judgments.
    pub fn judged_documents(&self) -> Option<JudgedDocuments> {
        self.judgments.as_ref().map(|judgments| JudgedDocuments::of(judgments, self.summary.as_ref()))
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
            format!("{}:{}", topic::number(topic), judgments.grades()[row.grade as usize])
        };
        rows.iter().map(text).collect()
    }
}
