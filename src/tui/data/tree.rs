//! Judged documents by topic, with what was found for each and where grades contradict each other.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::StudyData;
use super::topic::number;
use dejaview_base::ignoring_case;
use dejaview_corpus::qrels::{Judgment, Judgments};
use dejaview_study::{Bundle, PairTable};

/// From this Jaccard on two documents count as the same page when their grades are compared.
pub const SAME: f64 = 0.9;

/// A judgment with what was found for its document.
#[derive(Debug, Clone)]
pub struct Judged {
    /// As written.
    pub grade: Arc<str>,
    /// Document id.
    pub document: Arc<str>,
    /// What was found for the document, whatever its judgments.
    pub found: Arc<Found>,
    /// Other grades that near-duplicates of the document have in this topic.
    pub conflicts: Vec<Arc<str>>,
}

/// What was found for one document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Its pairs in the table as their source.
    pub rows: Range<usize>,
    /// Those whose target it is, being on both sides.
    pub turned: Vec<u32>,
    /// Best headline Jaccard of them; none when no texts were compared.
    pub best: Option<f64>,
    /// Whether one of them has the same URL.
    pub same_url: bool,
    /// Pairs found by each configuration.
    pub by: Vec<u32>,
}

/// The judgments of one topic.
#[derive(Debug, Clone)]
pub struct Group {
    /// Name of the track.
    pub track: Arc<str>,
    /// Topic, and subtopic where there is one.
    pub topic: Arc<str>,
    /// Its judgments in the tree.
    pub judged: Range<usize>,
    /// Judgments whose document has a pair.
    pub found: usize,
    /// Judgments that near-duplicates contradict.
    pub conflicts: usize,
}

/// All judgments, topic by topic.
#[derive(Debug, Default)]
pub struct Tree {
    /// By topic, in the order of the files within one.
    pub judged: Vec<Judged>,
    /// By track, then as the files have them.
    pub groups: Vec<Group>,
}

impl Tree {
    /// Of a study; looks at every pair of every judged document.
    pub fn of(data: &StudyData) -> Self {
        data.judgments.as_ref().map(|judgments| Self::grown(judgments, &data.table)).unwrap_or_default()
    }

    fn grown(judgments: &Judgments, table: &PairTable) -> Self {
        let shared = |texts: &[String]| texts.iter().map(|text| Arc::<str>::from(text.as_str())).collect::<Vec<_>>();
        let (tracks, grades, documents) =
            (shared(judgments.tracks()), shared(judgments.grades()), shared(judgments.documents()));
        let found: Vec<Arc<Found>> = documents.par_iter().map(|id| Arc::new(Found::of(table, id))).collect();
        let mut rows: Vec<&Judgment> = judgments.rows().iter().collect();
        rows.sort_by_key(|row| (row.track, row.topic));
        let of = |row: &Judgment| Judged {
            grade: grades[row.grade as usize].clone(),
            document: documents[row.document as usize].clone(),
            found: found[row.document as usize].clone(),
            conflicts: Vec::new(),
        };
        let mut groups: Vec<(Vec<Judged>, Group)> = rows
            .chunk_by(|a, b| (a.track, a.topic) == (b.track, b.topic))
            .map(|rows| {
                let (track, topic) = (rows[0].track as usize, rows[0].topic as usize);
                let topic = number(&judgments.topics()[topic]).as_ref().into();
                let group = Group { track: tracks[track].clone(), topic, judged: 0..0, found: 0, conflicts: 0 };
                (rows.iter().map(|row| of(row)).collect(), group)
            })
            .collect();
        groups.par_iter_mut().for_each(|(judged, _)| mark_conflicts(judged, table));
        let mut tree = Self::default();
        for (judged, group) in groups {
            let start = tree.judged.len();
            let count = |passes: fn(&Judged) -> bool| judged.iter().filter(|judged| passes(judged)).count();
            let (found, conflicts) = (count(|j| !j.found.is_empty()), count(|j| !j.conflicts.is_empty()));
            tree.groups.push(Group { judged: start..start + judged.len(), found, conflicts, ..group });
            tree.judged.extend(judged);
        }
        tree
    }
}

impl Found {
    fn of(table: &PairTable, document: &str) -> Self {
        let (rows, turned) = (table.rows_of_source(document), table.turned(document).to_vec());
        let mut found = Self { rows, turned, by: vec![0; table.configurations().len()], ..Self::default() };
        let better = |best: Option<f64>, jaccard: f64| Some(best.map_or(jaccard, |best| best.max(jaccard)));
        for row in found.turned.iter().map(|row| *row as usize) {
            for (c, count) in found.by.iter_mut().enumerate() {
                *count += u32::from(table.found_by(row, c));
            }
            if table.compared(row) {
                found.best = better(found.best, table.jaccard(row));
            }
            found.same_url |= table.pair(row).same_url;
        }
        let Some(kind) = table.of_source(document) else { return found };
        for bundle in &kind.bundles {
            for (c, count) in found.by.iter_mut().enumerate() {
                *count += if table.bundle_found_by(bundle, c) { bundle.pairs as u32 } else { 0 };
            }
            if let Some(jaccard) = bundle.jaccard(table.n()) {
                found.best = better(found.best, jaccard);
            }
            found.same_url = found.same_url || table.pairs_of(&kind, bundle).any(|pair| pair.same_url);
        }
        found
    }

    pub fn pairs(&self) -> usize {
        self.rows.len() + self.turned.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs() == 0
    }

    pub fn first(&self) -> Option<usize> {
        self.turned.first().map(|row| *row as usize).or(self.rows.clone().next())
    }
}

/// Marks judgments of one topic whose documents are near-duplicates and have other grades: those that share a target, and
/// those of which one is the target of the other.
fn mark_conflicts(judged: &mut [Judged], table: &PairTable) {
    // The grades of the documents that share a page.
    let mut by_page: HashMap<&str, Vec<Arc<str>>> = HashMap::new();
    for one in judged.iter() {
        for page in near_pages(table, &one.document) {
            note(by_page.entry(page).or_default(), &one.grade);
        }
    }
    for one in judged.iter() {
        if let Some(grades) = by_page.get_mut(&*one.document) {
            note(grades, &one.grade);
        }
    }
    for one in judged {
        let (document, mut others) = (one.document.clone(), Vec::new());
        for page in near_pages(table, &document).into_iter().chain([&*document]) {
            let grades = by_page.get(page).into_iter().flatten().filter(|grade| **grade != one.grade);
            grades.for_each(|grade| note(&mut others, grade));
        }
        others.sort();
        one.conflicts = others;
    }
}

/// Puts a grade beside others unless it is there; there are few.
fn note(grades: &mut Vec<Arc<str>>, grade: &Arc<str>) {
    if !grades.contains(grade) {
        grades.push(grade.clone());
    }
}

/// Documents that count as the same page as one.
fn near_pages<'t>(table: &'t PairTable, document: &str) -> Vec<&'t str> {
    let turned = table.turned(document).iter().map(|row| *row as usize);
    let turned = turned.filter(|row| table.compared(*row) && table.jaccard(*row) >= SAME);
    let mut pages: Vec<&str> = turned.map(|row| table.pair(row).source).collect();
    let Some(kind) = table.of_source(document) else { return pages };
    let near = |bundle: &&Bundle<'_>| bundle.jaccard(table.n()).is_some_and(|jaccard| jaccard >= SAME);
    let near = kind.bundles.iter().filter(near);
    pages.extend(near.flat_map(|bundle| table.first_of(&kind, bundle).map(|pair| pair.target)));
    pages
}

/// What judgments are sorted by within their topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum By {
    /// As the files have them.
    #[default]
    File,
    /// Highest Jaccard first.
    Best,
    /// Most pairs first.
    Pairs,
    /// Highest grade first.
    Grade,
    /// Contradicted ones first.
    Conflicts,
}

impl By {
    /// All of them, in the order in which a key goes through them.
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

    fn value(self, judged: &Judged) -> f64 {
        match self {
            Self::File => 0.0,
            Self::Best => judged.found.best.unwrap_or(if judged.found.is_empty() { -2.0 } else { -1.0 }),
            Self::Pairs => judged.found.pairs() as f64,
            Self::Grade => judged.grade.parse().unwrap_or(f64::MIN),
            Self::Conflicts => judged.conflicts.len() as f64,
        }
    }
}

/// The judgments that pass a filter, in an order within each topic.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Numbers of judgments, topic by topic.
    pub rows: Vec<u32>,
    /// For each topic where its rows begin; one more than there are topics.
    pub starts: Vec<usize>,
}

impl Shape {
    /// Judgments that hold all the words, in their id, grade, topic, track, or the text of the topic.
    pub fn of(data: &StudyData, tree: &Tree, words: &str, by: By) -> Self {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let blocks: Vec<Vec<u32>> = tree
            .groups
            .par_iter()
            .map(|group| {
                let query = data.topic(&group.topic).map_or("", |topic| topic.query.as_str());
                let heads = [&*group.track, &*group.topic, query];
                let wanted = |row: &u32| words.iter().all(|word| matches(&tree.judged[*row as usize], heads, word));
                let all = group.judged.start as u32..group.judged.end as u32;
                let mut rows: Vec<u32> = all.filter(wanted).collect();
                let value = |row: u32| by.value(&tree.judged[row as usize]);
                rows.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
                rows
            })
            .collect();
        let mut shape = Self { rows: Vec::new(), starts: vec![0] };
        for block in blocks {
            shape.rows.extend(block);
            shape.starts.push(shape.rows.len());
        }
        shape
    }

    /// The rows of a topic.
    pub fn group(&self, group: usize) -> &[u32] {
        match (self.starts.get(group), self.starts.get(group + 1)) {
            (Some(&start), Some(&end)) => &self.rows[start..end],
            _ => &[],
        }
    }
}

/// Whether a judgment, or what its topic is called, has a word.
pub fn matches(judged: &Judged, heads: [&str; 3], word: &str) -> bool {
    let conflict = word == "conflict" && !judged.conflicts.is_empty();
    conflict || [&*judged.document, &*judged.grade].iter().chain(&heads).any(|text| ignoring_case::contains(text, word))
}
