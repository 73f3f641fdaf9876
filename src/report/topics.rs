//! Topics and judged documents by their names.

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
    /// The name of a topic, an index into the judgments' topics.
    pub fn new(judgments: &'a Judgments, topic: u32) -> Self {
        let topic = &judgments.topics()[topic as usize];
        Self { track: &judgments.tracks()[topic.track as usize], topic: &topic.number, subtopic: &topic.subtopic }
    }

    /// `12`, or `12.3` where there are subtopics.
    pub fn number(&self) -> String {
        if self.subtopic.is_empty() { self.topic.to_owned() } else { format!("{}.{}", self.topic, self.subtopic) }
    }
}

/// Document and grade, indices into the judgments' documents and grades, by their names.
pub fn judged(judgments: &Judgments, document: u32, grade: u32) -> (&str, &str) {
    (&judgments.documents()[document as usize], &judgments.grades()[grade as usize])
}

/// Documents with their grades in a cell of a table.
pub fn in_words<'a>(judged: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    judged.map(|(document, grade)| format!("{document} {grade}")).collect::<Vec<_>>().join(", ")
}
