//! Judged documents by topic, with the candidates of each and where grades conflict.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::StudyData;
use super::topic::topic_number;
use dejaview_base::ignoring_case;
use dejaview_corpus::qrels::{self, Grade, is_same_grade};
use dejaview_index::KeptSide;
use dejaview_study::{
    Bundle, Filter, FilterNumber, Filterable, Judging, PairTable, ShownTitle, TextField, Titles, WantedText,
};

/// From this Jaccard on two documents count as near-duplicates when their grades are compared.
const CONFLICT_JACCARD: f64 = 0.9;

/// A judged document, with what was found for it.
#[derive(Debug, Clone)]
pub struct JudgedDocument {
    pub id: String,
    pub title: ShownTitle,
    /// Empty if no run has read the document.
    pub url: String,
    pub candidates: Candidates,
}

/// One judgment of a topic.
#[derive(Debug, Clone)]
pub struct Judgment {
    /// As written in the qrels.
    pub grade: Arc<str>,
    /// Shared by all judgments of the document.
    pub document: Arc<JudgedDocument>,
    /// Near-duplicates that have other grades in this topic, one for each grade.
    pub conflicts: Vec<GradeConflict>,
}

/// A judged near-duplicate with another grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradeConflict {
    pub grade: Arc<str>,
    pub document: Arc<str>,
}

/// The pairs of one document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidates {
    /// Rows of the pair table with the document as source.
    pub rows: Range<usize>,
    /// Rows with the document as target, if the study compares a corpus with itself.
    pub rows_as_target: Vec<u32>,
    /// The row with the best Jaccard and this Jaccard; none when no texts were compared.
    pub best: Option<(usize, f64)>,
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
    /// Places in [`JudgmentTree::judgments`].
    pub judgments: Range<usize>,
    /// How many of their documents have a candidate.
    pub found: usize,
    /// How many of them have a grade conflict.
    pub conflicts: usize,
}

#[derive(Debug, Default)]
pub struct JudgmentTree {
    /// Topic by topic; within a topic in the order of the files.
    pub judgments: Vec<Judgment>,
    /// By track, then in the order of the files.
    pub topics: Vec<TopicGroup>,
}

impl JudgmentTree {
    /// Looks at every pair and every title of every judged document.
    pub fn gather(judgments: &qrels::Judgments, table: &PairTable, titles: &Titles) -> Self {
        let shared = |texts: &[String]| texts.iter().map(|text| Arc::<str>::from(text.as_str())).collect::<Vec<_>>();
        let (tracks, grades) = (shared(judgments.tracks()), shared(judgments.grades()));
        let document = |id: &String| {
            let url = titles.get(KeptSide::Source, id).map_or(String::new(), |document| document.url.clone());
            let title = titles.shown(KeptSide::Source, id);
            Arc::new(JudgedDocument { id: id.clone(), title, url, candidates: Candidates::of_document(table, id) })
        };
        let documents: Vec<Arc<JudgedDocument>> = judgments.documents().par_iter().map(document).collect();
        let mut rows: Vec<&qrels::Judgment> = judgments.rows().iter().collect();
        rows.sort_by_key(|row| (row.track, row.topic));
        let judgment = |row: &&qrels::Judgment| Judgment {
            grade: grades[row.grade as usize].clone(),
            document: documents[row.document as usize].clone(),
            conflicts: Vec::new(),
        };
        let by_topic: Vec<&[&qrels::Judgment]> =
            rows.chunk_by(|a, b| (a.track, a.topic) == (b.track, b.topic)).collect();
        let of_topic = |rows: &&[&qrels::Judgment]| {
            let mut judgments: Vec<Judgment> = rows.iter().map(judgment).collect();
            find_conflicts(&mut judgments, table);
            judgments
        };
        let gathered: Vec<Vec<Judgment>> = by_topic.par_iter().map(of_topic).collect();
        let mut tree = Self::default();
        for (rows, gathered) in by_topic.iter().zip(gathered) {
            let start = tree.judgments.len();
            tree.topics.push(TopicGroup {
                track: tracks[rows[0].track as usize].clone(),
                topic: topic_number(&judgments.topics()[rows[0].topic as usize]).as_ref().into(),
                judgments: start..start + gathered.len(),
                found: gathered.iter().filter(|judgment| !judgment.document.candidates.is_empty()).count(),
                conflicts: gathered.iter().filter(|judgment| !judgment.conflicts.is_empty()).count(),
            });
            tree.judgments.extend(gathered);
        }
        tree
    }
}

impl Candidates {
    fn of_document(table: &PairTable, id: &str) -> Self {
        let mut all =
            Self { rows: table.rows_of_source(id), rows_as_target: table.turned(id).to_vec(), ..Self::default() };
        let rows: Vec<usize> = all.table_rows().collect();
        let compared = rows.iter().filter_map(|row| Some((*row, table.shown_jaccard(*row)?)));
        // Of equal scores the first counts.
        all.best = compared.reduce(|best, other| if other.1 > best.1 { other } else { best });
        all.same_url = rows.iter().any(|row| table.pair(*row).same_url);
        let found = |c: usize| all.rows_as_target.iter().filter(|row| table.found_by(**row as usize, c)).count() as u32;
        all.found_by = (0..table.configurations().len()).map(found).collect();
        // Pairs of equal texts are counted together, for there may be very many.
        for bundle in table.kind_of_source(id).iter().flat_map(|kind| &kind.bundles) {
            for (c, count) in all.found_by.iter_mut().enumerate() {
                *count += if table.bundle_found_by(bundle, c) { bundle.pairs as u32 } else { 0 };
            }
        }
        all
    }

    pub fn len(&self) -> usize {
        self.rows.len() + self.rows_as_target.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their rows of the pair table.
    pub fn table_rows(&self) -> impl Iterator<Item = usize> {
        self.rows_as_target.iter().map(|row| *row as usize).chain(self.rows.clone())
    }

    /// Their rows of the pair table, the best Jaccard first and pairs without texts last.
    pub fn best_first(&self, table: &PairTable) -> Vec<usize> {
        let score = |row: &usize| table.shown_jaccard(*row).unwrap_or(-1.0);
        let mut rows: Vec<(f64, usize)> = self.table_rows().map(|row| (score(&row), row)).collect();
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

/// Finds judgments of one topic whose documents are near-duplicates and have different grades: documents that share a
/// target, and documents of which one is the target of the other.
fn find_conflicts(judgments: &mut [Judgment], table: &PairTable) {
    let graded = |judgment: &Judgment| GradeConflict {
        grade: judgment.grade.clone(),
        document: Arc::from(judgment.document.id.as_str()),
    };
    let mut graded_by_target: HashMap<&str, Vec<GradeConflict>> = HashMap::new();
    for judgment in judgments.iter() {
        for target in near_duplicates(table, &judgment.document.id) {
            add(graded_by_target.entry(target).or_default(), &graded(judgment));
        }
    }
    for judgment in judgments.iter() {
        if let Some(others) = graded_by_target.get_mut(judgment.document.id.as_str()) {
            add(others, &graded(judgment));
        }
    }
    for judgment in judgments {
        let (document, mut conflicts) = (judgment.document.clone(), Vec::new());
        for target in near_duplicates(table, &document.id).into_iter().chain([document.id.as_str()]) {
            let others = graded_by_target.get(target).into_iter().flatten();
            others
                .filter(|other| !is_same_grade(&other.grade, &judgment.grade))
                .for_each(|other| add(&mut conflicts, other));
        }
        conflicts.sort_by(|a, b| a.grade.cmp(&b.grade));
        judgment.conflicts = conflicts;
    }
}

/// One document for each grade is enough; a list and no map, for there are few grades.
fn add(conflicts: &mut Vec<GradeConflict>, other: &GradeConflict) {
    if conflicts.iter().all(|conflict| !is_same_grade(&conflict.grade, &other.grade)) {
        conflicts.push(other.clone());
    }
}

fn near_duplicates<'t>(table: &'t PairTable, id: &str) -> Vec<&'t str> {
    let as_target = table.turned(id).iter().map(|row| *row as usize);
    let as_target =
        as_target.filter(|row| table.shown_jaccard(*row).is_some_and(|jaccard| jaccard >= CONFLICT_JACCARD));
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
    Candidates,
    Grade,
    Conflicts,
}

impl JudgmentSort {
    /// In the order in which the key goes through them.
    const ALL: [Self; 5] = [Self::File, Self::Best, Self::Candidates, Self::Grade, Self::Conflicts];

    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file order",
            Self::Best => "best J",
            Self::Candidates => "candidates",
            Self::Grade => "grade",
            Self::Conflicts => "conflicts",
        }
    }

    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self).unwrap_or_default();
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    fn value(self, judgment: &Judgment) -> f64 {
        let candidates = &judgment.document.candidates;
        match self {
            Self::File => 0.0,
            Self::Best => candidates.best.map_or(if candidates.is_empty() { -2.0 } else { -1.0 }, |(_, best)| best),
            Self::Candidates => candidates.len() as f64,
            Self::Grade => judgment.grade.parse::<Grade>().map_or(f64::MIN, Grade::value),
            Self::Conflicts => judgment.conflicts.len() as f64,
        }
    }
}

/// The judgments that pass a filter, sorted within each topic.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ArrangedJudgments {
    /// Places in [`JudgmentTree::judgments`], topic by topic.
    pub judgments: Vec<u32>,
    /// Where the judgments of each topic begin; one more than there are topics.
    starts: Vec<usize>,
}

impl ArrangedJudgments {
    /// Keeps judgments that pass a filter.
    pub fn new(data: &StudyData, tree: &JudgmentTree, filter: &Filter, sort: JudgmentSort) -> Self {
        let of_topic = |topic: &TopicGroup| {
            let query = data.topic(&topic.topic).map_or("", |text| text.query.as_str());
            let all = topic.judgments.start as u32..topic.judgments.end as u32;
            let passes =
                |place: &u32| filter.admits(&JudgmentRow { judgment: &tree.judgments[*place as usize], topic, query });
            let mut judgments: Vec<u32> = all.filter(passes).collect();
            let value = |place: u32| sort.value(&tree.judgments[place as usize]);
            judgments.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
            judgments
        };
        let by_topic: Vec<Vec<u32>> = tree.topics.par_iter().map(of_topic).collect();
        let mut arranged = Self { judgments: Vec::new(), starts: vec![0] };
        for judgments in by_topic {
            arranged.judgments.extend(judgments);
            arranged.starts.push(arranged.judgments.len());
        }
        arranged
    }

    pub fn topics(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Which of [`Self::judgments`] belong to a topic.
    pub fn range(&self, topic: usize) -> Range<usize> {
        match (self.starts.get(topic), self.starts.get(topic + 1)) {
            (Some(&start), Some(&end)) => start..end,
            _ => 0..0,
        }
    }

    pub fn of_topic(&self, topic: usize) -> &[u32] {
        &self.judgments[self.range(topic)]
    }

    /// The topic that one of [`Self::judgments`] belongs to.
    pub fn topic_of(&self, position: usize) -> usize {
        self.starts.partition_point(|start| *start <= position).saturating_sub(1)
    }
}

/// A judgment as filters look at it.
struct JudgmentRow<'a> {
    judgment: &'a Judgment,
    topic: &'a TopicGroup,
    /// The text of the topic.
    query: &'a str,
}

impl Filterable for JudgmentRow<'_> {
    /// The best Jaccard of the candidates; judgments have no other number.
    fn number(&self, number: FilterNumber) -> Option<f64> {
        let best = self.judgment.document.candidates.best.filter(|_| number == FilterNumber::Jaccard);
        best.map(|(_, best)| best)
    }

    fn is_found_by(&self, configuration: usize) -> bool {
        self.candidates(Some(configuration)) > 0
    }

    fn candidates(&self, configuration: Option<usize>) -> u32 {
        let candidates = &self.judgment.document.candidates;
        match configuration {
            Some(configuration) => candidates.found_by.get(configuration).copied().unwrap_or_default(),
            None => candidates.len() as u32,
        }
    }

    fn has_same_url(&self) -> bool {
        self.judgment.document.candidates.same_url
    }

    fn has_conflict(&self) -> bool {
        !self.judgment.conflicts.is_empty()
    }

    fn has_text(&self, wanted: &WantedText) -> bool {
        match wanted.field() {
            TextField::Bare => {
                has_word(self.judgment, [&self.topic.track, &self.topic.topic, self.query], wanted.value())
            }
            TextField::Id | TextField::Source => wanted.holds(&self.judgment.document.id),
            _ => false,
        }
    }

    fn is_judged(&self, passes: &dyn Fn(Judging<'_>) -> bool) -> bool {
        passes(Judging { track: &self.topic.track, topic: &self.topic.topic, grade: &self.judgment.grade })
    }
}

/// Whether a judgment, or one of the words about its topic, contains a word in lower case.
pub fn has_word(judgment: &Judgment, topic_words: [&str; 3], word: &str) -> bool {
    let conflict = word == "conflict" && !judgment.conflicts.is_empty();
    let document = &*judgment.document;
    let words = [document.title.text(), &document.url, &document.id, &judgment.grade];
    conflict || words.iter().chain(&topic_words).any(|text| ignoring_case::contains(text, word))
}
