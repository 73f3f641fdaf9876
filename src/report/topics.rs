//! Names of topics, documents and grades, which judgments refer to by indices.

use serde::Serialize;

use dejaview_corpus::qrels::Judgments;

/// Where a judgment belongs: topic numbers repeat across tracks.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TopicName<'a> {
    pub track: &'a str,
    pub topic: &'a str,
    /// Empty where the track has none.
    pub subtopic: &'a str,
}

impl<'a> TopicName<'a> {
    /// `topic` is an index into the topics of the judgments.
    pub fn new(judgments: &'a Judgments, topic: u32) -> Self {
        let topic = &judgments.topics()[topic as usize];
        Self { track: &judgments.tracks()[topic.track as usize], topic: &topic.number, subtopic: &topic.subtopic }
    }

    /// `12`, or `12.3` where there are subtopics.
    pub fn number(&self) -> String {
        if self.subtopic.is_empty() { self.topic.to_owned() } else { format!("{}.{}", self.topic, self.subtopic) }
    }
}

/// The names of a document and a grade, which are indices into those of the judgments.
pub fn judged_names(judgments: &Judgments, document: u32, grade: u32) -> (&str, &str) {
    (&judgments.documents()[document as usize], &judgments.grades()[grade as usize])
}

/// Documents with their grades as one cell of a table.
pub fn grades_cell<'a>(judged: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    judged.map(|(document, grade)| format!("{document} {grade}")).collect::<Vec<_>>().join(", ")
}
