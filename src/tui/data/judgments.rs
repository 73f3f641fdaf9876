//! Judged documents by topic, with the candidates of each and where grades conflict.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::StudyData;
use super::topic::topic_number;
use dejaview_base::ignoring_case;
use dejaview_corpus::qrels::{Judgment, Judgments};
use dejaview_study::{Bundle, Filter, FilterNumber, Filterable, Judging, PairTable, TextField, WantedText};

/// From this Jaccard on two documents count as near-duplicates when their grades are compared.
const CONFLICT_JACCARD: f64 = 0.9;

/// One judgment, with what was found for its document.
#[derive(Debug, Clone)]
pub struct JudgedDocument {
    /// As written in the qrels.
    pub grade: Arc<str>,
    pub id: Arc<str>,
    /// Shared by all judgments of the document.
    pub candidates: Arc<Candidates>,
    /// Other grades that near-duplicates of the document have in this topic.
    pub conflicts: Vec<Arc<str>>,
}

/// The pairs of one document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidates {
    /// Rows of the pair table with the document as source.
    pub rows: Range<usize>,
    /// Rows with the document as target, if the study compares a corpus with itself.
    pub rows_as_target: Vec<u32>,
    /// The best Jaccard of them; none when no texts were compared.
    pub best: Option<f64>,
    pub same_url: bool,
    /// How many of them each configuration found.
    pub found_by: Vec<u32>,
}

/// The judgments of one topic.
#[derive(Debug, Clone)]
pub struct TopicGroup {
    pub track: Arc<str>,
    /// With its subtopic if there is one.
    pub topic: Arc<str>,
    /// Places in [`JudgmentTree::documents`].
    pub documents: Range<usize>,
    /// How many of them have a candidate.
    pub found: usize,
    /// How many of them have a grade conflict.
    pub conflicts: usize,
}

#[derive(Debug, Default)]
pub struct JudgmentTree {
    /// Topic by topic; within a topic in the order of the files.
    pub documents: Vec<JudgedDocument>,
    /// By track, then in the order of the files.
    pub topics: Vec<TopicGroup>,
}

impl JudgmentTree {
    /// Looks at every pair of every judged document.
    pub fn gather(judgments: &Judgments, table: &PairTable) -> Self {
        let shared = |texts: &[String]| texts.iter().map(|text| Arc::<str>::from(text.as_str())).collect::<Vec<_>>();
        let (tracks, grades, ids) =
            (shared(judgments.tracks()), shared(judgments.grades()), shared(judgments.documents()));
        let candidates: Vec<Arc<Candidates>> =
            ids.par_iter().map(|id| Arc::new(Candidates::of_document(table, id))).collect();
        let mut rows: Vec<&Judgment> = judgments.rows().iter().collect();
        rows.sort_by_key(|row| (row.track, row.topic));
        let judged = |row: &&Judgment| JudgedDocument {
            grade: grades[row.grade as usize].clone(),
            id: ids[row.document as usize].clone(),
            candidates: candidates[row.document as usize].clone(),
            conflicts: Vec::new(),
        };
        let by_topic: Vec<&[&Judgment]> = rows.chunk_by(|a, b| (a.track, a.topic) == (b.track, b.topic)).collect();
        let documents_of_topic = |rows: &&[&Judgment]| {
            let mut documents: Vec<JudgedDocument> = rows.iter().map(judged).collect();
            mark_conflicts(&mut documents, table);
            documents
        };
        let documents: Vec<Vec<JudgedDocument>> = by_topic.par_iter().map(documents_of_topic).collect();
        let mut tree = Self::default();
        for (rows, documents) in by_topic.iter().zip(documents) {
            let start = tree.documents.len();
            tree.topics.push(TopicGroup {
                track: tracks[rows[0].track as usize].clone(),
                topic: topic_number(&judgments.topics()[rows[0].topic as usize]).as_ref().into(),
                documents: start..start + documents.len(),
                found: documents.iter().filter(|document| !document.candidates.is_empty()).count(),
                conflicts: documents.iter().filter(|document| !document.conflicts.is_empty()).count(),
            });
            tree.documents.extend(documents);
        }
        tree
    }
}

impl Candidates {
    fn of_document(table: &PairTable, id: &str) -> Self {
        let mut all = Self {
            rows: table.rows_of_source(id),
            rows_as_target: table.turned(id).to_vec(),
            found_by: vec![0; table.configurations().len()],
            ..Self::default()
        };
        let better = |best: Option<f64>, jaccard: f64| Some(best.map_or(jaccard, |best| best.max(jaccard)));
        for row in all.rows_as_target.iter().map(|row| *row as usize) {
            for (c, count) in all.found_by.iter_mut().enumerate() {
                *count += u32::from(table.found_by(row, c));
            }
            if table.compared(row) {
                all.best = better(all.best, table.jaccard(row));
            }
            all.same_url |= table.pair(row).same_url;
        }
        let Some(kind) = table.kind_of_source(id) else { return all };
        for bundle in &kind.bundles {
            for (c, count) in all.found_by.iter_mut().enumerate() {
                *count += if table.bundle_found_by(bundle, c) { bundle.pairs as u32 } else { 0 };
            }
            if let Some(jaccard) = bundle.jaccard(table.n()) {
                all.best = better(all.best, jaccard);
            }
            all.same_url = all.same_url || table.pairs_of(&kind, bundle).any(|pair| pair.same_url);
        }
        all
    }

    pub fn len(&self) -> usize {
        self.rows.len() + self.rows_as_target.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its rows of the pair table.
    pub fn table_rows(&self) -> impl Iterator<Item = usize> {
        self.rows_as_target.iter().map(|row| *row as usize).chain(self.rows.clone())
    }
}

/// Marks judgments of one topic whose documents are near-duplicates and have different grades: documents that share a
/// target, and documents of which one is the target of the other.
fn mark_conflicts(documents: &mut [JudgedDocument], table: &PairTable) {
    let mut grades_by_target: HashMap<&str, Vec<Arc<str>>> = HashMap::new();
    for document in documents.iter() {
        for target in near_duplicates(table, &document.id) {
            add_grade(grades_by_target.entry(target).or_default(), &document.grade);
        }
    }
    for document in documents.iter() {
        if let Some(grades) = grades_by_target.get_mut(&*document.id) {
            add_grade(grades, &document.grade);
        }
    }
    for document in documents {
        let (id, mut others) = (document.id.clone(), Vec::new());
        for target in near_duplicates(table, &id).into_iter().chain([&*id]) {
            let grades = grades_by_target.get(target).into_iter().flatten().filter(|grade| **grade != document.grade);
            grades.for_each(|grade| add_grade(&mut others, grade));
        }
        others.sort();
        document.conflicts = others;
    }
}

/// A list and no set, for there are few different grades.
fn add_grade(grades: &mut Vec<Arc<str>>, grade: &Arc<str>) {
    if !grades.contains(grade) {
        grades.push(grade.clone());
    }
}

fn near_duplicates<'t>(table: &'t PairTable, id: &str) -> Vec<&'t str> {
    let as_target = table.turned(id).iter().map(|row| *row as usize);
    let as_target = as_target.filter(|row| table.compared(*row) && table.jaccard(*row) >= CONFLICT_JACCARD);
    let mut ids: Vec<&str> = as_target.map(|row| table.pair(row).source).collect();
    let Some(kind) = table.kind_of_source(id) else { return ids };
    let near = |bundle: &&Bundle<'_>| bundle.jaccard(table.n()).is_some_and(|jaccard| jaccard >= CONFLICT_JACCARD);
    let near = kind.bundles.iter().filter(near);
    ids.extend(near.flat_map(|bundle| table.pairs_of_first_source(&kind, bundle).map(|pair| pair.target)));
    ids
}

/// What judgments are sorted by within their topic; numbers in descending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JudgmentSort {
    #[default]
    File,
    Best,
    Pairs,
    Grade,
    Conflicts,
}

impl JudgmentSort {
    /// In the order in which the key goes through them.
    pub const ALL: [Self; 5] = [Self::File, Self::Best, Self::Pairs, Self::Grade, Self::Conflicts];

    pub fn name(self) -> &'static str {
        match self {
            Self::File => "order of the files",
            Self::Best => "best Jaccard",
            Self::Pairs => "pairs",
            Self::Grade => "grade",
            Self::Conflicts => "conflicts",
        }
    }

    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or_default();
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    fn value(self, document: &JudgedDocument) -> f64 {
        match self {
            Self::File => 0.0,
            Self::Best => document.candidates.best.unwrap_or(if document.candidates.is_empty() { -2.0 } else { -1.0 }),
            Self::Pairs => document.candidates.len() as f64,
            Self::Grade => document.grade.parse().unwrap_or(f64::MIN),
            Self::Conflicts => document.conflicts.len() as f64,
        }
    }
}

/// The judgments that pass a filter, sorted within each topic.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ArrangedJudgments {
    /// Places in [`JudgmentTree::documents`], topic by topic.
    pub documents: Vec<u32>,
    /// Where the documents of each topic begin; one more than there are topics.
    starts: Vec<usize>,
}

impl ArrangedJudgments {
    /// Keeps judgments that pass a filter.
    pub fn new(data: &StudyData, tree: &JudgmentTree, filter: &Filter, sort: JudgmentSort) -> Self {
        let of_topic = |topic: &TopicGroup| {
            let query = data.topic(&topic.topic).map_or("", |text| text.query.as_str());
            let all = topic.documents.start as u32..topic.documents.end as u32;
            let passes =
                |place: &u32| filter.admits(&JudgmentRow { document: &tree.documents[*place as usize], topic, query });
            let mut documents: Vec<u32> = all.filter(passes).collect();
            let value = |place: u32| sort.value(&tree.documents[place as usize]);
            documents.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
            documents
        };
        let by_topic: Vec<Vec<u32>> = tree.topics.par_iter().map(of_topic).collect();
        let mut arranged = Self { documents: Vec::new(), starts: vec![0] };
        for documents in by_topic {
            arranged.documents.extend(documents);
            arranged.starts.push(arranged.documents.len());
        }
        arranged
    }

    pub fn topics(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Which of [`Self::documents`] belong to a topic.
    pub fn range(&self, topic: usize) -> Range<usize> {
        match (self.starts.get(topic), self.starts.get(topic + 1)) {
            (Some(&start), Some(&end)) => start..end,
            _ => 0..0,
        }
    }

    pub fn documents_of(&self, topic: usize) -> &[u32] {
        &self.documents[self.range(topic)]
    }

    /// The topic that one of [`Self::documents`] belongs to.
    pub fn topic_of(&self, position: usize) -> usize {
        self.starts.partition_point(|start| *start <= position).saturating_sub(1)
    }
}

/// A judgment as filters look at it.
struct JudgmentRow<'a> {
    document: &'a JudgedDocument,
    topic: &'a TopicGroup,
    /// The text of the topic.
    query: &'a str,
}

impl Filterable for JudgmentRow<'_> {
    /// The best Jaccard of the candidates; judgments have no other number.
    fn number(&self, number: FilterNumber) -> Option<f64> {
        self.document.candidates.best.filter(|_| number == FilterNumber::Jaccard)
    }

    fn is_found_by(&self, configuration: usize) -> bool {
        self.candidates(Some(configuration)) > 0
    }

    fn candidates(&self, configuration: Option<usize>) -> u32 {
        let candidates = &self.document.candidates;
        match configuration {
            Some(configuration) => candidates.found_by.get(configuration).copied().unwrap_or_default(),
            None => candidates.len() as u32,
        }
    }

    fn has_same_url(&self) -> bool {
        self.document.candidates.same_url
    }

    fn has_conflict(&self) -> bool {
        !self.document.conflicts.is_empty()
    }

    fn has_text(&self, wanted: &WantedText) -> bool {
        match wanted.field() {
            TextField::Bare => {
                has_word(self.document, [&self.topic.track, &self.topic.topic, self.query], wanted.value())
            }
            TextField::Id | TextField::Source => wanted.holds(&self.document.id),
            _ => false,
        }
    }

    fn is_judged(&self, passes: &dyn Fn(Judging<'_>) -> bool) -> bool {
        passes(Judging { track: &self.topic.track, topic: &self.topic.topic, grade: &self.document.grade })
    }
}

/// Whether a judgment, or one of the words about its topic, contains a word in lower case.
pub fn has_word(document: &JudgedDocument, topic_words: [&str; 3], word: &str) -> bool {
    let conflict = word == "conflict" && !document.conflicts.is_empty();
    conflict
        || [&*document.id, &*document.grade].iter().chain(&topic_words).any(|text| ignoring_case::contains(text, word))
}
