//! Near-duplicates inside the source that were judged differently for the same topic.
//!
//! Where the documents are there, the source is matched against itself: every two judged documents with at least a given
//! headline Jaccard are found, exactly, and none is inferred. Where they are not, as in a study of imported pairs, two judged
//! documents count as near-duplicates when they have an accepted target in common: a way of two pairs, and the result says so.
//! Documents that hang together make a group; it says how many of its pairs were found directly.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use strum::{EnumString, IntoStaticStr};

use crate::StudyError;
use crate::analyse::groups::{GroupsOptions, groups};
use crate::run::watch::{Stage, Watch};
use crate::snapshot::Snapshot;
use dejaview_base::choice::Expected;
use dejaview_corpus::qrels::Judgments;
use dejaview_evaluation::groups::{self as evaluation, Edge, Group};
use dejaview_matching::fitting::Collection;
use dejaview_matching::import::NamedPairs;
use dejaview_matching::pass::pass;
use dejaview_matching::source::{ReadOptions, Source};
use dejaview_matching::{Configuration, MatchingError};
use dejaview_methods::measures::Scores;
use dejaview_methods::parameters::Value;
use dejaview_methods::{Statistics, Values, catalogue};

/// Why two documents of the source count as near-duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinedBy {
    /// Their texts are similar enough.
    Text,
    /// They have an accepted target in common.
    Target,
}

/// A group of judged near-duplicates.
#[derive(Debug, Clone)]
pub struct JudgedGroup {
    /// Members are indices into [`Judgments::documents`].
    pub group: Group,
    /// For each topic (index into [`Judgments::topics`]) with differing grades, the numbers of the judgments among
    /// [`Judgments::rows`].
    pub topics: Vec<(u32, Vec<u32>)>,
}

/// The groups of near-duplicates among the judged documents of the source.
#[derive(Debug)]
pub struct JudgedGroups {
    pub judgments: Arc<Judgments>,
    pub how: JoinedBy,
    /// Which pairs count, as a phrase for people.
    pub counted: String,
    /// Pairs of judged documents that count as near-duplicates.
    pub pairs: u64,
    pub groups: u64,
    /// The groups with different grades for the same topic.
    pub inconsistent: Vec<JudgedGroup>,
}

/// Which grade the members of a group ought to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", parse_err_ty = Expected, parse_err_fn = no_patch_rule)]
pub enum PatchRule {
    /// The one that most have; on a tie the higher.
    #[default]
    Majority,
    Highest,
    Lowest,
}

impl PatchRule {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

fn no_patch_rule(_: &str) -> Expected {
    Expected("majority, highest or lowest")
}

/// A judgment whose grade a patch changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GradeChange {
    /// Number of the judgment among [`Judgments::rows`].
    pub judgment: u32,
    /// The grade it ought to have, index into [`Judgments::grades`].
    pub grade: u32,
}

/// Near-duplicates inside the source with differing grades for a topic.
pub fn judged_groups(
    study: &Snapshot,
    least: f64,
    threads: usize,
    watch: &dyn Watch,
) -> Result<JudgedGroups, StudyError> {
    let judgments = study.judgments()?.ok_or_else(|| StudyError::NoJudgments { path: study.folder().to_owned() })?;
    let (how, counted, edges) = if study.recipe().source.documents.is_empty() {
        let (counted, edges) = pairs_by_target(study, judgments)?;
        (JoinedBy::Target, counted, edges)
    } else {
        let n = study.recipe().jaccard;
        let counted = format!(
            "all pairs of judged documents with a Jaccard (n = {n}) of {least} or more, compared by their texts"
        );
        (JoinedBy::Text, counted, pairs_by_text(study, judgments, least, threads, watch)?)
    };
    let all = evaluation::groups(judgments.documents().len(), &edges);
    let found = all.len() as u64;
    let differing = |group: Group| {
        let topics = differing(judgments, &group.members);
        (!topics.is_empty()).then_some(JudgedGroup { group, topics })
    };
    let pairs = all.iter().map(|group| group.pairs).sum();
    let inconsistent = all.into_iter().filter_map(differing).collect();
    Ok(JudgedGroups { how, counted, pairs, groups: found, inconsistent, judgments: Arc::clone(judgments) })
}

/// Pairs of judged documents that were compared.
fn pairs_by_text(
    study: &Snapshot,
    judgments: &Judgments,
    least: f64,
    threads: usize,
    watch: &dyn Watch,
) -> Result<Vec<Edge>, StudyError> {
    let plan = study.plan()?;
    let inputs = &plan.corpora.source;
    let content = study.content()?;
    let bytes = inputs.iter().map(|input| input.size).sum();
    let progress = watch.progress();
    let options = ReadOptions::of_inputs(inputs, content, threads, progress);
    watch.stage(Stage::Source { bytes });
    let mut source = Source::read(options, &|id| judgments.document(id).is_some())?;
    let statistics = Collection::of_source(&source, threads, false)?.finish(std::iter::empty());
    let configurations = [exact(study.recipe().jaccard, least, &statistics)?];
    source.index(&configurations, threads)?;
    watch.stage(Stage::Segment { name: "source against itself", number: 1, of: 1, bytes });
    let passed = pass(ReadOptions { configurations: &configurations, ..options }, &source, &NamedPairs::default())?;
    if progress.cancelled() {
        return Err(MatchingError::Cancelled.into());
    }
    let mut edges = Vec::new();
    passed.each_pair(&source, |one, other, pair| {
        let (one, other) = (&source.documents[one.index()], &passed.targets[other.index()]);
        let ids = (judgments.document(&one.id), judgments.document(&other.id));
        if let (Some(a), Some(b)) = ids {
            let score = Scores::new(&one.profile(), &other.profile, &pair.common).jaccard(study.recipe().jaccard);
            edges.push(Edge { a, b, score: score.unwrap_or_default() });
        }
    });
    Ok(edges)
}

/// Judged documents with an accepted target in common; the score is that of the weaker of the two pairs.
fn pairs_by_target(study: &Snapshot, judgments: &Judgments) -> Result<(String, Vec<Edge>), StudyError> {
    let found = groups(study, &GroupsOptions::default())?;
    let mut edges = Vec::new();
    for group in &found.groups {
        let mut by_target: BTreeMap<u32, Vec<(u32, f64)>> = BTreeMap::new();
        for edge in &group.edges {
            if let Some(document) = judgments.document(&found.nodes[edge.a as usize].id) {
                by_target.entry(edge.b).or_default().push((document, edge.score));
            }
        }
        for sources in by_target.values() {
            for (i, (a, x)) in sources.iter().enumerate() {
                edges.extend(sources[i + 1..].iter().map(|(b, y)| Edge { a: *a, b: *b, score: x.min(*y) }));
            }
        }
    }
    let least =
        found.least.map_or("any score".to_owned(), |least| format!("{} of {least} or more", found.measure.name()));
    Ok((
        format!(
            "two judged documents that have a target in common, both pairs with {least}; their texts were not compared"
        ),
        edges,
    ))
}

fn exact(n: usize, least: f64, statistics: &Statistics) -> Result<Configuration, StudyError> {
    let refused = |problem: String| StudyError::JudgedGroups { problem };
    let algorithm = catalogue::find("exact-jaccard").ok_or_else(|| refused("there is no exact-jaccard".to_owned()))?;
    let mut values = Values::new(algorithm);
    values.set("ngram", Value::Whole(n as u64)).map_err(|error| refused(error.to_string()))?;
    values.set("threshold", Value::Fraction(least)).map_err(|error| refused(error.to_string()))?;
    let method = values.fit(statistics).map_err(|error| refused(error.to_string()))?;
    Ok(Configuration { name: algorithm.name.to_owned(), method })
}

/// For each topic that members are judged for with more than one grade, the judgments.
fn differing(judgments: &Judgments, members: &[u32]) -> Vec<(u32, Vec<u32>)> {
    let mut topics: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let rows = judgments.rows();
    for &member in members {
        let first = rows.partition_point(|row| row.document < member) as u32;
        for (number, row) in (first..).zip(judgments.of_document(member)) {
            topics.entry(row.topic).or_default().push(number);
        }
    }
    let several = |numbers: &Vec<u32>, of: &dyn Fn(u32) -> u32| {
        numbers.iter().map(|&number| of(number)).collect::<BTreeSet<u32>>().len() > 1
    };
    // One document with two grades contradicts itself and not its near-duplicates.
    let differ = |numbers: &Vec<u32>| {
        several(numbers, &|n| judgments.first_of_same(rows[n as usize].grade))
            && several(numbers, &|n| rows[n as usize].document)
    };
    topics.into_iter().filter(|(_, numbers)| differ(numbers)).collect()
}

impl JudgedGroups {
    /// The judgments that a rule would change.
    pub fn changes(&self, rule: PatchRule) -> Vec<GradeChange> {
        let rows = self.judgments.rows();
        let mut changes = Vec::new();
        for (_, numbers) in self.inconsistent.iter().flat_map(|group| &group.topics) {
            let grade_of = |n: u32| self.judgments.first_of_same(rows[n as usize].grade);
            let Some(grade) = self.ruled(numbers, rule) else { continue };
            let wrong = numbers.iter().filter(|&&n| grade_of(n) != grade);
            changes.extend(wrong.map(|&judgment| GradeChange { judgment, grade }));
        }
        changes.sort_by_key(|change| (rows[change.judgment as usize].file, rows[change.judgment as usize].line));
        changes
    }

    fn ruled(&self, judgments: &[u32], rule: PatchRule) -> Option<u32> {
        let place = |grade: u32| self.judgments.grade_order(grade);
        let candidates = self.judgments.votes(judgments.iter().copied()).into_iter();
        let chosen = match rule {
            PatchRule::Majority => candidates.max_by_key(|&(grade, count)| (count, place(grade))),
            PatchRule::Highest => candidates.max_by_key(|&(grade, _)| place(grade)),
            PatchRule::Lowest => candidates.min_by_key(|&(grade, _)| place(grade)),
        };
        chosen.map(|(grade, _)| grade)
    }
}
