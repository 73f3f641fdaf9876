//! What the screens show of a study, made by a worker and shared.

use std::ops::Range;
use std::sync::Arc;

use crate::corpus::qrels::Judgments;
use crate::corpus::topics::TopicText;
use crate::study::{PairFilter, PairTable, Recipe, SampleProgress, Session, StudyError, Summary};

/// A study as the screens know it.
#[derive(Debug)]
pub struct StudyData {
    /// Its recipe.
    pub recipe: Recipe,
    /// All pairs.
    pub table: PairTable,
    /// Pairs and source documents found of each configuration.
    pub counts: Vec<(u64, u64)>,
    /// What the last run said.
    pub summary: Option<Summary>,
    /// Judged documents by track, topic and grade.
    pub judged: Vec<Judged>,
    /// Distinct judged documents.
    pub judged_documents: u64,
    /// Texts of topics.
    pub topics: Vec<TopicText>,
    /// How far each sample is labelled, when the study was read.
    pub samples: Vec<SampleProgress>,
    /// What annotators should have read, or why it cannot be; none when the study names none.
    pub guidelines: Option<Result<String, String>>,
    /// Why there are no pairs, if there are none.
    pub trouble: Option<String>,
}

/// A judgment with what was found for its document.
#[derive(Debug, Clone)]
pub struct Judged {
    /// Name of the track.
    pub track: Arc<str>,
    /// Topic, and subtopic where there is one.
    pub topic: Arc<str>,
    /// As written.
    pub grade: Arc<str>,
    /// Document id.
    pub document: Arc<str>,
    /// Its pairs in the table.
    pub rows: Range<usize>,
    /// Best headline Jaccard of them.
    pub best: f64,
    /// Whether one of them has the same URL.
    pub same_url: bool,
    /// Pairs found by each configuration.
    pub found: Vec<u32>,
}

impl StudyData {
    /// Reads what there is; a study without a run is shown too.
    pub fn read(session: &Session) -> Result<Self, StudyError> {
        let recipe = session.recipe().clone();
        let names: Vec<String> = recipe.configurations.iter().map(|c| c.name.clone()).collect();
        let (table, trouble) = match session.pairs(PairFilter::default()) {
            Ok(open) => (PairTable::new(open, names, recipe.jaccard), None),
            Err(error @ StudyError::NotRun { .. }) => {
                (PairTable::new(Vec::new(), names, recipe.jaccard), Some(error.to_string()))
            }
            Err(error) => return Err(error),
        };
        let judgments = session.judgments()?;
        let judged = judgments.as_ref().map(|j| judged(j, &table)).unwrap_or_default();
        Ok(Self {
            counts: table.counts(),
            summary: session.summary(),
            judged_documents: judgments.map_or(0, |j| j.documents().len() as u64),
            topics: session.topics()?,
            samples: session.sample_progress()?,
            guidelines: session.guidelines().map_err(|error| error.to_string()).transpose(),
            recipe,
            table,
            judged,
            trouble,
        })
    }

    /// The text of a topic, by its number without the subtopic.
    pub fn topic(&self, number: &str) -> Option<&TopicText> {
        let number = number.split('.').next().unwrap_or(number);
        self.topics.iter().find(|topic| topic.number == number)
    }
}

fn judged(judgments: &Judgments, table: &PairTable) -> Vec<Judged> {
    let share = |texts: &[String]| texts.iter().map(|text| Arc::<str>::from(text.as_str())).collect::<Vec<_>>();
    let (tracks, grades, documents) =
        (share(judgments.tracks()), share(judgments.grades()), share(judgments.documents()));
    let topics: Vec<Arc<str>> = judgments
        .topics()
        .iter()
        .map(|t| {
            if t.subtopic.is_empty() { t.number.as_str().into() } else { format!("{}.{}", t.number, t.subtopic).into() }
        })
        .collect();
    let mut found: Vec<Option<Found>> = vec![None; documents.len()];
    let mut rows: Vec<&crate::corpus::qrels::Judgment> = judgments.rows().iter().collect();
    rows.sort_by_key(|row| (row.track, row.topic));
    rows.into_iter()
        .map(|row| {
            let document = &documents[row.document as usize];
            let found = found[row.document as usize].get_or_insert_with(|| Found::of(table, document));
            Judged {
                track: tracks[row.track as usize].clone(),
                topic: topics[row.topic as usize].clone(),
                grade: grades[row.grade as usize].clone(),
                document: document.clone(),
                rows: found.rows.clone(),
                best: found.best,
                same_url: found.same_url,
                found: found.by.clone(),
            }
        })
        .collect()
}

/// What was found for one document, whatever its judgments.
#[derive(Debug, Clone)]
struct Found {
    rows: Range<usize>,
    best: f64,
    same_url: bool,
    by: Vec<u32>,
}

impl Found {
    fn of(table: &PairTable, document: &str) -> Self {
        let rows = table.rows_of_source(document);
        let mut by = vec![0; table.configurations().len()];
        for row in rows.clone() {
            for (c, count) in by.iter_mut().enumerate() {
                *count += u32::from(table.found_by(row, c));
            }
        }
        Self {
            best: rows.clone().map(|row| table.jaccard(row)).fold(0.0, f64::max),
            same_url: rows.clone().any(|row| table.pair(row).same_url),
            rows,
            by,
        }
    }
}
