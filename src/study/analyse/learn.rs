//! Fits the model of `method = "learned"` to the labels of a study, and says how good it is on labels that it has not seen.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;
use serde::Serialize;
use strum::IntoStaticStr;

use crate::StudyError;
use crate::analyse::label_weights::{LabelledPopulation, label_weights};
use crate::label::labelling::read_journals;
use crate::query::lookup::find_document;
use crate::query::pair_table::PairTable;
use crate::snapshot::Snapshot;
use dejaview_base::choice::{Choice, Choices};
use dejaview_base::hash;
use dejaview_corpus::urls;
use dejaview_evaluation::learning::{self, DecisionQuality, Example};
use dejaview_evaluation::sample::rank;
use dejaview_index::{KeptSide, StoredDocument};
use dejaview_labels::{Journals, Label};
use dejaview_methods::Prepared;
use dejaview_methods::learned::features::FEATURES;
use dejaview_methods::learned::model::{FittedLabels, Model, Rule, pair_digest};
use dejaview_methods::learned::{Features, learns_common_shingles};
use dejaview_text::Tokens;

/// What labels are held out together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum HeldOut {
    /// Pairs that have a document in common, or are connected by other labelled pairs.
    #[default]
    Documents,
    /// Pairs whose source pages are of one host.
    Hosts,
}

impl Choice for HeldOut {
    const CHOICES: Choices<Self> = &[
        (Self::Documents, "Pairs that share a document, or are connected by labelled pairs that do"),
        (Self::Hosts, "Pairs whose source pages are of one host: harder, as for a new site"),
    ];
}

/// How a model is fitted.
#[derive(Debug, Clone, Default)]
pub struct LearnOptions {
    pub held_out: HeldOut,
    /// Seed of the folds.
    pub seed: u64,
    /// Numbers of labels with which it is fitted beside all of them.
    pub fewer: Vec<usize>,
}

/// A fitted model and how good it is.
#[derive(Debug, Clone, Serialize)]
pub struct Learning {
    /// Labelled pairs that it was fitted to.
    pub labels: u64,
    pub near_duplicates: u64,
    /// What labels were held out together: documents or hosts.
    pub held_out: &'static str,
    /// How many groups there are of these.
    pub groups: u64,
    /// Labelled pairs that are unsure or disputed, and left out.
    pub undecided: u64,
    /// Labelled pairs that no configuration found, and that are left out.
    pub not_found: u64,
    /// Labels of which nobody knows what they stand for: they teach as much as another label does on average, and no row of
    /// the table is of them, unless there are no others.
    pub outside_samples: u64,
    /// What the other labels stand for, and so the rows of the table; none where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub represented: Option<LabelledPopulation>,
    /// How much large weights cost.
    pub penalty: f64,
    pub cut_off: f64,
    /// The model on labels that it has not seen, on its own labels, and every configuration on the same labels.
    pub quality: Vec<LearnedQuality>,
    /// The same with fewer labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fewer: Vec<FewerLabels>,
    pub weights: Vec<FeatureWeight>,
    /// The labelled pairs, those first that the rule that has not seen them is most wrong about.
    #[serde(skip)]
    pub examples: Vec<LearnedPair>,
    #[serde(skip)]
    pub model: Model,
}

/// A labelled pair with what it was fitted by.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedPair {
    pub source: String,
    pub target: String,
    pub near_duplicate: bool,
    /// By the rule that has not seen it.
    pub probability: f64,
    /// In the order of the features.
    pub values: Vec<f64>,
}

impl LearnedPair {
    /// How far the probability is from the label.
    fn error(&self) -> f64 {
        if self.near_duplicate { 1.0 - self.probability } else { self.probability }
    }
}

/// How good something is on the labels of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearnedQuality {
    pub name: String,
    pub decided_by: DecidedBy,
    #[serde(flatten)]
    pub quality: DecisionQuality,
}

/// Who decided pairs that are compared with their labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// For each label a rule that was fitted without it: an estimate for other pairs.
    OutOfFold,
    /// The rule of all labels: no estimate, since it has seen them.
    OwnLabels,
    /// A configuration of the study.
    Configuration,
}

/// How good it is with so many labels, chosen at random.
#[derive(Debug, Clone, Serialize)]
pub struct FewerLabels {
    pub labels: u64,
    /// Out of fold, then each configuration. Empty where they are too few.
    pub quality: Vec<LearnedQuality>,
    /// Why nothing can be fitted to them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub too_few: Option<String>,
}

/// The weight of one feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FeatureWeight {
    pub name: &'static str,
    pub about: &'static str,
    /// Log-odds for each `deviation` more.
    pub weight: f64,
    /// The least and the greatest weight in the rules without one fold.
    pub low: f64,
    pub high: f64,
    pub mean: f64,
    pub deviation: f64,
}

/// Fits a model to the standing labels of a study.
pub fn learn(study: &Snapshot, options: &LearnOptions) -> Result<Learning, StudyError> {
    study.must_be_run_to_its_end()?;
    let labelled = labelled_pairs(study, options)?;
    let names: Vec<&str> = FEATURES.iter().map(|feature| feature.name).collect();
    let examples: Vec<Example> = labelled.pairs.iter().map(|pair| pair.example.clone()).collect();
    let fit = learning::fit(&examples, &names, options.seed)
        .map_err(|why| StudyError::TooFewLabels { path: study.folder().to_owned(), why: why.to_string() })?;
    let all: Vec<&LabelledPair> = labelled.pairs.iter().collect();
    let mut quality = vec![
        judged(LEARNED, DecidedBy::OutOfFold, &all, |i| fit.out_of_fold[i]),
        judged(LEARNED, DecidedBy::OwnLabels, &all, |i| fit.own[i]),
    ];
    quality.extend(by_configurations(&labelled, &all));
    let fewer = options.fewer.iter().filter(|n| **n < examples.len());
    let fewer = fewer.map(|n| with_fewer(&labelled, *n, &names, options.seed)).collect();
    let positive = examples.iter().filter(|example| example.near_duplicate).count() as u64;
    let fitted_to =
        FittedLabels { digest: labelled.digest.clone(), pairs: examples.len() as u64, near_duplicates: positive };
    let folds = labelled.pairs.iter().zip(&fit.fold_of).map(|(pair, fold)| (pair.digest.clone(), *fold));
    Ok(Learning {
        labels: examples.len() as u64,
        near_duplicates: positive,
        held_out: options.held_out.into(),
        groups: examples.iter().map(|example| &example.group).collect::<BTreeSet<_>>().len() as u64,
        undecided: labelled.undecided,
        not_found: labelled.not_found,
        outside_samples: labelled.outside_samples,
        represented: labelled.represented.clone(),
        penalty: fit.penalty,
        cut_off: fit.rule.cut_off,
        quality,
        fewer,
        weights: weights(&fit.rule, &fit.folds),
        examples: worst_first(&labelled.pairs, &fit.probabilities),
        model: Model::new(fitted_to, fit.rule.clone(), fit.folds.clone(), folds.collect()),
    })
}

/// The labelled pairs, those with the largest errors first.
fn worst_first(pairs: &[LabelledPair], probabilities: &[f64]) -> Vec<LearnedPair> {
    let example = |(pair, probability): (&LabelledPair, &f64)| LearnedPair {
        source: pair.ids[0].clone(),
        target: pair.ids[1].clone(),
        near_duplicate: pair.example.near_duplicate,
        probability: *probability,
        values: pair.example.values.clone(),
    };
    let mut all: Vec<LearnedPair> = pairs.iter().zip(probabilities).map(example).collect();
    all.sort_by(|a, b| {
        b.error().total_cmp(&a.error()).then_with(|| (&a.source, &a.target).cmp(&(&b.source, &b.target)))
    });
    all
}

/// What tables call the model.
const LEARNED: &str = "learned";

/// A labelled pair with its features.
struct LabelledPair {
    /// Source and target.
    ids: [String; 2],
    example: Example,
    /// What the model knows it by.
    digest: String,
    /// For each configuration whether it found it.
    found: Vec<bool>,
    /// Place in a random order.
    rank: u64,
    /// Whether it is known what pairs its label stands for.
    represents: bool,
}

struct LabelledPairs {
    pairs: Vec<LabelledPair>,
    /// Names of the configurations that find pairs of their own.
    configurations: Vec<String>,
    /// Of the pairs and their labels.
    digest: String,
    undecided: u64,
    not_found: u64,
    outside_samples: u64,
    represented: Option<LabelledPopulation>,
}

/// The labelled pairs that some configuration found, by source and target.
fn labelled_pairs(study: &Snapshot, options: &LearnOptions) -> Result<LabelledPairs, StudyError> {
    let (table, journals) = (study.table()?, read_journals(study)?);
    let (weights, represented) = label_weights(study, &journals)?.unzip();
    let weights = weights.unwrap_or_default();
    let finders: Vec<usize> =
        (0..table.configurations().len()).filter(|c| !study.recipe().configurations[*c].algorithm().decides).collect();
    let (decided, undecided) = decided_pairs(&journals);
    if decided.is_empty() {
        return Err(StudyError::NoLabels { path: study.folder().to_owned(), sample: None });
    }
    let rows: Vec<(usize, bool)> =
        decided.iter().filter_map(|(source, target, label)| Some((table.find(source, target)?, *label))).collect();
    let rows: BTreeMap<usize, bool> = rows.into_iter().filter(|(row, _)| table.compared(*row)).collect();
    let texts = Texts::read(study, table, rows.keys().copied())?;
    let features = features(study)?;
    let groups = groups(table, &rows, &texts, options.held_out);
    let mut pairs = Vec::new();
    for (&row, &near_duplicate) in &rows {
        let (source, target) = table.ids(row);
        let weight = weights.get(&(source.to_owned(), target.to_owned()));
        let example = Example {
            values: Vec::new(),
            near_duplicate,
            weight: weight.copied().unwrap_or(1.0),
            group: groups[&row].clone(),
        };
        let [a, b] = texts.of(source, target);
        let found = finders.iter().map(|c| table.found_by(row, *c)).collect();
        pairs.push(LabelledPair {
            ids: [source.to_owned(), target.to_owned()],
            example,
            digest: pair_digest(&a.text, &b.text),
            found,
            rank: rank(options.seed, source, target),
            represents: weight.is_some(),
        });
    }
    let outside_samples = weigh(&mut pairs);
    let values: Vec<Vec<f64>> = rows
        .par_iter()
        .map(|(row, _)| {
            let (source, target) = table.ids(*row);
            values_of(&features, texts.of(source, target))
        })
        .collect();
    pairs.iter_mut().zip(values).for_each(|(pair, values)| pair.example.values = values);
    let line = |(row, label): (&usize, &bool)| format!("{}\t{}\t{label}\n", table.ids(*row).0, table.ids(*row).1);
    Ok(LabelledPairs {
        not_found: (decided.len() - rows.len()) as u64,
        digest: hash::digest(rows.iter().map(line).collect::<String>().as_bytes()),
        configurations: finders.iter().map(|c| table.configurations()[*c].clone()).collect(),
        pairs,
        undecided,
        outside_samples,
        represented: represented.filter(|_| outside_samples < rows.len() as u64),
    })
}

/// Makes the weights of pairs 1 on average, and 1 where nobody knows what a label stands for. How many these are; where they
/// are all, each stands for its own pair.
fn weigh(pairs: &mut [LabelledPair]) -> u64 {
    let known: Vec<f64> = pairs.iter().filter(|pair| pair.represents).map(|pair| pair.example.weight).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    for pair in pairs.iter_mut() {
        pair.example.weight = if pair.represents { pair.example.weight / mean } else { 1.0 };
        pair.represents |= known.is_empty();
    }
    (pairs.len() - known.len()) as u64
}

/// The pairs that people call near-duplicates or not, and how many others somebody has looked at.
fn decided_pairs(journals: &Journals) -> (Vec<(String, String, bool)>, u64) {
    let (mut decided, mut undecided) = (Vec::new(), 0);
    for (source, target) in journals.pairs(None) {
        match journals.standing(source, target).label() {
            Some(Label::NearDuplicate) => decided.push((source.to_owned(), target.to_owned(), true)),
            Some(Label::Not) => decided.push((source.to_owned(), target.to_owned(), false)),
            _ => undecided += 1,
        }
    }
    (decided, undecided)
}

/// The documents of the labelled pairs.
struct Texts {
    sources: HashMap<String, StoredDocument>,
    targets: HashMap<String, StoredDocument>,
}

impl Texts {
    fn read(study: &Snapshot, table: &PairTable, rows: impl Iterator<Item = usize>) -> Result<Self, StudyError> {
        let mut texts = Self { sources: HashMap::new(), targets: HashMap::new() };
        for row in rows {
            let (source, target) = table.ids(row);
            for (side, id, known) in
                [(KeptSide::Source, source, &mut texts.sources), (KeptSide::Target, target, &mut texts.targets)]
            {
                if !known.contains_key(id) {
                    known.insert(id.to_owned(), find_document(study, id, Some(side))?.document);
                }
            }
        }
        Ok(texts)
    }

    fn of(&self, source: &str, target: &str) -> [&StoredDocument; 2] {
        [&self.sources[source], &self.targets[target]]
    }
}

/// What computes the features of pairs of this study, by the statistics of its last run.
fn features(study: &Snapshot) -> Result<Features, StudyError> {
    let learned = study.recipe().configurations.iter().any(|c| learns_common_shingles(&c.values));
    let statistics = study.statistics()?.filter(|_| learned);
    let statistics = statistics.ok_or_else(|| StudyError::NoOwnShingles { path: study.folder().to_owned() })?;
    Features::new(&statistics)
        .map_err(|why| StudyError::TooFewLabels { path: study.folder().to_owned(), why: why.to_string() })
}

fn values_of(features: &Features, [source, target]: [&StoredDocument; 2]) -> Vec<f64> {
    let tokens = [source, target].map(|document| {
        let mut tokens = Tokens::new();
        tokens.read(&document.text);
        tokens
    });
    features.of(&Prepared::new(&source.text, &tokens[0]), &Prepared::new(&target.text, &tokens[1]))
}

/// The group of each labelled pair. Documents with the same text are one.
fn groups(table: &PairTable, rows: &BTreeMap<usize, bool>, texts: &Texts, held_out: HeldOut) -> HashMap<usize, String> {
    let mut connected = Connected::default();
    let mut first = Vec::new();
    for &row in rows.keys() {
        let (source, target) = table.ids(row);
        let [source, target] = texts.of(source, target);
        let node = |document: &StoredDocument| hash::digest(document.text.as_bytes());
        let host = urls::host(&source.url);
        first.push((row, node(source)));
        match held_out {
            HeldOut::Hosts if !host.is_empty() => connected.join(node(source), host.to_string()),
            _ => connected.join(node(source), node(target)),
        }
    }
    first.into_iter().map(|(row, node)| (row, connected.root(&node))).collect()
}

/// Things that belong together because somebody said so of two of them.
#[derive(Debug, Default)]
struct Connected {
    parents: HashMap<String, String>,
}

impl Connected {
    fn root(&self, thing: &str) -> String {
        let mut at = thing;
        while let Some(parent) = self.parents.get(at) {
            at = parent;
        }
        at.to_owned()
    }

    fn join(&mut self, a: String, b: String) {
        let (a, b) = (self.root(&a), self.root(&b));
        if a != b {
            self.parents.insert(a.clone().max(b.clone()), a.min(b));
        }
    }
}

/// How good decisions on the labelled pairs are, as far as it is known what these stand for.
fn judged(name: &str, decided_by: DecidedBy, pairs: &[&LabelledPair], says: impl Fn(usize) -> bool) -> LearnedQuality {
    let represent = || pairs.iter().enumerate().filter(|(_, pair)| pair.represents);
    let examples: Vec<Example> = represent().map(|(_, pair)| pair.example.clone()).collect();
    let found: Vec<bool> = represent().map(|(i, _)| says(i)).collect();
    LearnedQuality { name: name.to_owned(), decided_by, quality: learning::quality(&examples, &found) }
}

/// Every configuration on the same labels. Of one that found pairs beyond those that labels stand for they tell which of the
/// near-duplicates it finds, and not how many of its pairs are some.
fn by_configurations(labelled: &LabelledPairs, pairs: &[&LabelledPair]) -> Vec<LearnedQuality> {
    let beyond = |name: &String| labelled.represented.as_ref().is_some_and(|all| all.beyond.contains(name));
    let quality = |(c, name): (usize, &String)| {
        let row = judged(name, DecidedBy::Configuration, pairs, |i| pairs[i].found[c]);
        let recall = DecisionQuality { precision: None, f1: None, ..row.quality };
        LearnedQuality { quality: if beyond(name) { recall } else { row.quality }, ..row }
    };
    labelled.configurations.iter().enumerate().map(quality).collect()
}

/// Fits to so many of the labels, chosen at random.
fn with_fewer(labelled: &LabelledPairs, count: usize, names: &[&str], seed: u64) -> FewerLabels {
    let mut chosen: Vec<&LabelledPair> = labelled.pairs.iter().collect();
    chosen.sort_by_key(|pair| (pair.rank, &pair.digest));
    chosen.truncate(count);
    let examples: Vec<Example> = chosen.iter().map(|pair| pair.example.clone()).collect();
    let (quality, too_few) = match learning::fit(&examples, names, seed) {
        Ok(fit) => {
            let mut quality = vec![judged(LEARNED, DecidedBy::OutOfFold, &chosen, |i| fit.out_of_fold[i])];
            quality.extend(by_configurations(labelled, &chosen));
            (quality, None)
        }
        Err(why) => (Vec::new(), Some(why.to_string())),
    };
    FewerLabels { labels: examples.len() as u64, quality, too_few }
}

fn weights(rule: &Rule, folds: &[Rule]) -> Vec<FeatureWeight> {
    let weight = |(i, feature): (usize, &dejaview_methods::learned::features::Feature)| {
        let of_folds = folds.iter().map(|fold| fold.features[i].weight);
        let own = &rule.features[i];
        FeatureWeight {
            name: feature.name,
            about: feature.about,
            weight: own.weight,
            low: of_folds.clone().fold(own.weight, f64::min),
            high: of_folds.fold(own.weight, f64::max),
            mean: own.mean,
            deviation: own.deviation,
        }
    };
    FEATURES.iter().enumerate().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_connected_has_one_root() {
        let mut connected = Connected::default();
        for (a, b) in [("a", "x"), ("b", "y"), ("c", "y"), ("c", "x"), ("d", "z")] {
            connected.join(a.to_owned(), b.to_owned());
        }
        let root = |thing: &str| connected.root(thing);
        assert!(["b", "c", "x", "y"].iter().all(|thing| root(thing) == root("a")));
        assert_ne!(root("d"), root("a"));
        assert_eq!(root("alone"), "alone");
    }
}
