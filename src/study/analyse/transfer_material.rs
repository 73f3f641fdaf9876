//! The judgments and the pairs along which they can be carried over, before a policy chooses among these.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::StudyError;
use crate::analyse::truth_measures::with_document;
use crate::label::labelling::read_journals;
use crate::query::pair_table::{Kind, PairTable, Source};
use crate::snapshot::Snapshot;
use dejaview_base::both::BothSides;
use dejaview_base::hash;
use dejaview_corpus::qrels::Judgments;
use dejaview_evaluation::sample::TransferFrame;
use dejaview_evaluation::transfer::{self as evaluation, Accept, Fan, Labelled, LedgerEntry, Link, Measure, Policy};
use dejaview_index::KeptSide;
use dejaview_labels::{Label, Standing};
use dejaview_matching::pairs::Pair;
use dejaview_methods::edit::edit_ratio;

/// How judgments are carried over.
#[derive(Debug, Clone)]
pub struct TransferOptions {
    /// Which of several pairs a judgment takes.
    pub policy: Policy,
    /// Which pairs are accepted.
    pub accept: Accept,
    /// What pairs are scored by; by default what they are accepted by, else the score of imported pairs where all are
    /// imported, else the headline Jaccard.
    pub by: Option<Measure>,
    /// Only pairs that one of these configurations found; all when empty.
    pub configurations: Vec<String>,
}

/// Judgments and the pairs along which they can be carried over.
pub(crate) struct Material<'a> {
    pub(crate) judgments: Arc<Judgments>,
    pub(crate) links: Vec<Fan>,
    pub(crate) targets: Vec<String>,
    /// Judged documents that stand in the target themselves, and their numbers there.
    pub(crate) own: HashMap<u32, u32>,
    pub(crate) by: Measure,
    pub(crate) configurations: Vec<String>,
    pub(crate) table: &'a PairTable,
}

impl Material<'_> {
    /// The different pairs that an order takes when it looks at no label: what people say of some cannot move what the
    /// rest of them stand for.
    pub(crate) fn taken_pairs(&self, order: &TransferOptions) -> BTreeSet<(&str, &str)> {
        let blind = self.links.iter().map(|fan| Fan { label: Labelled::Nobody, ..fan.clone() });
        let blind: Vec<Fan> = blind.collect();
        let taken = evaluation::transfer(&self.judgments, &blind, &self.own, order.policy, order.accept);
        let pair = |link: Link| {
            let source = self.judgments.documents()[link.source as usize].as_str();
            // Two documents that stand on both sides are one pair, whichever of them is judged.
            self.table.find(source, &self.targets[link.target as usize]).map(|row| self.table.ids(row))
        };
        taken.entries.iter().filter_map(LedgerEntry::taken).filter_map(pair).collect()
    }

    /// The order in the words that a sample of its pairs keeps.
    pub(crate) fn frame(&self, order: &TransferOptions, taken: &BTreeSet<(&str, &str)>) -> TransferFrame {
        let mut pairs = String::new();
        taken.iter().for_each(|(source, target)| pairs.extend([source, "\t", target, "\n"]));
        TransferFrame {
            pairs: hash::digest(pairs.as_bytes()),
            policy: order.policy.name().to_owned(),
            accept: order.accept.to_string(),
            by: self.by.name().to_owned(),
            configurations: self.configurations.clone(),
        }
    }
}

/// The judgments of a study and the pairs along which these options can carry them over.
pub(crate) fn transfer_material<'a>(study: &'a Snapshot, order: &TransferOptions) -> Result<Material<'a>, StudyError> {
    let judgments = study.judgments()?.ok_or_else(|| StudyError::NoJudgments { path: study.folder().to_owned() })?;
    let mut configurations = chosen_configurations(study, &order.configurations)?;
    configurations.sort_unstable();
    let table = study.table()?;
    let by = order.by.unwrap_or_else(|| measure_for(study, order.accept, &configurations));
    let accepted_by = match order.accept {
        Accept::Least(measure, _) => measure,
        Accept::Labels | Accept::All => by,
    };
    let (links, mut targets) = links(study, judgments, table, &configurations, [by, accepted_by])?;
    let configurations = configurations.iter().map(|&c| study.recipe().configurations[c].name.clone()).collect();
    let own = judged_in_target(judgments, &mut targets, study.both_sides()?);
    Ok(Material { judgments: Arc::clone(judgments), links, targets, own, by, configurations, table })
}

/// Numbers of the configurations of these names; of all when there is none.
pub(crate) fn chosen_configurations(study: &Snapshot, names: &[String]) -> Result<Vec<usize>, StudyError> {
    let all = &study.recipe().configurations;
    if names.is_empty() {
        return Ok((0..all.len()).collect());
    }
    let number = |name: &String| {
        let known = || all.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ");
        let found = all.iter().position(|c| c.name == *name);
        found.ok_or_else(|| StudyError::NoConfiguration { name: name.clone(), known: known() })
    };
    names.iter().map(number).collect()
}

pub(crate) fn measure_for(study: &Snapshot, accept: Accept, configurations: &[usize]) -> Measure {
    match accept {
        Accept::Least(measure, _) => measure,
        _ => default_measure(study, configurations),
    }
}

/// The score of imported pairs where all configurations import theirs, else the headline Jaccard.
pub(crate) fn default_measure(study: &Snapshot, configurations: &[usize]) -> Measure {
    let imports = |c: &usize| study.recipe().configurations[*c].pairs.is_some();
    if configurations.iter().all(imports) { Measure::Score } else { Measure::Jaccard }
}

/// Pairs of judged documents that one of the configurations found, by the measures that score and that accept them, and the ids of
/// their targets.
pub(crate) fn links(
    study: &Snapshot,
    judgments: &Judgments,
    table: &PairTable,
    configurations: &[usize],
    measures: [Measure; 2],
) -> Result<(Vec<Fan>, Vec<String>), StudyError> {
    let labels = labels_by_number(study, table)?;
    let mut scorer = Scorer::new(study, table, configurations);
    let found = table.found_by_any(configurations);
    let mut kinds = Vec::new();
    for kind in table.kinds_with_single_pairs(&labels.keys().copied().collect()) {
        let judged = kind.sources.iter().filter_map(|source| Some((judgments.document(source.id)?, source)));
        let judged: Vec<(u32, &Source<'_>)> = judged.collect();
        let Some((_, first)) = judged.first() else { continue };
        let starts = judged.iter().map(|(document, source)| (*document, table.first_pair_number(&kind, source) as u64));
        let mut linked = KindLinks { first: first.number, judged: starts.collect(), bundles: Vec::new() };
        let targets = targets_by_bundle(table, &kind);
        for (bundle, targets) in kind.bundles.iter().zip(targets).filter(|(bundle, _)| found(bundle)) {
            let label = bundle.number.and_then(|number| labels.get(&number)).copied().unwrap_or_default();
            let rank = scorer.rank(&bundle.first_pair, bundle.segment);
            let scores = scorer.scores(measures, &bundle.first_pair, bundle.segment)?;
            linked.bundles.push(BundleLinks { targets, scores, rank, label });
        }
        kinds.push(linked);
    }
    let mut turned = Vec::new();
    for (document, id) in (0u32..).zip(judgments.documents()) {
        let rows = table.turned(id).iter().map(|row| *row as usize);
        let mut linked = KindLinks { first: 0, judged: vec![(document, 0)], bundles: Vec::new() };
        for row in rows.filter(|row| configurations.iter().any(|c| table.found_by(*row, *c))) {
            let (pair, segment) = (table.pair(row), table.segment(row));
            let (rank, scores) = (scorer.rank(&pair, segment), scorer.scores(measures, &pair, segment)?);
            let label = labels.get(&row).copied().unwrap_or_default();
            linked.bundles.push(BundleLinks { targets: vec![(pair.source, row as u64)], scores, rank, label });
        }
        turned.push(linked);
    }
    Ok(fans(kinds, turned))
}

/// What people say of the pairs of a table, by number; those that nobody labelled are not there.
pub(crate) fn labels_by_number(study: &Snapshot, table: &PairTable) -> Result<HashMap<usize, Labelled>, StudyError> {
    let number = |(source, target): &(String, String)| {
        let row = table.find(source, target)?;
        (table.ids(row) == (source.as_str(), target.as_str())).then_some(row)
    };
    let labels = labels_of_pairs(study)?.into_iter().filter(|(_, label)| *label != Labelled::Nobody);
    Ok(labels.filter_map(|(pair, label)| Some((number(&pair)?, label))).collect())
}

/// What holds for each pair that somebody labelled.
pub(crate) fn labels_of_pairs(study: &Snapshot) -> Result<BTreeMap<(String, String), Labelled>, StudyError> {
    let journals = read_journals(study)?;
    let said = |(source, target): (&str, &str)| {
        let said = match journals.standing(source, target) {
            Standing::Decided(Label::NearDuplicate, _) => Labelled::NearDuplicate,
            Standing::Decided(Label::Not, _) => Labelled::Not,
            Standing::Decided(Label::Unsure, _) => Labelled::Unsure,
            Standing::Disputed(_) => Labelled::Disputed,
            Standing::Open => Labelled::Nobody,
        };
        ((source.to_owned(), target.to_owned()), said)
    };
    Ok(journals.pairs(None).into_iter().map(said).collect())
}

/// The judged documents that stand in the target themselves, with their numbers among the targets; those that are no target
/// of a pair are added to these.
pub(crate) fn judged_in_target(
    judgments: &Judgments,
    targets: &mut Vec<String>,
    both: &BothSides,
) -> HashMap<u32, u32> {
    let mut numbers: HashMap<String, u32> = targets.iter().cloned().zip(0..).collect();
    let mut own = HashMap::new();
    for (document, id) in (0u32..).zip(judgments.documents()).filter(|(_, id)| both.contains(id)) {
        let number = *numbers.entry(id.clone()).or_insert_with(|| {
            targets.push(id.clone());
            targets.len() as u32 - 1
        });
        own.insert(document, number);
    }
    own
}

/// The links of a kind of source documents.
pub(crate) struct KindLinks<'t> {
    /// Number of the first document that is judged.
    first: u32,
    /// Numbers of the judged documents, and of the first pair of each.
    judged: Vec<(u32, u64)>,
    bundles: Vec<BundleLinks<'t>>,
}

pub(crate) struct BundleLinks<'t> {
    /// Ids of targets, and which of the targets of a document it is.
    targets: Vec<(&'t str, u64)>,
    /// By the measure that they are scored by, and by the one that they are accepted by.
    scores: [Option<f64>; 2],
    /// The place of an imported pair.
    rank: Option<u64>,
    label: Labelled,
}

/// For each bundle of a kind its targets, and which of the targets of a document each is.
pub(crate) fn targets_by_bundle<'t>(table: &'t PairTable, kind: &Kind<'t>) -> Vec<Vec<(&'t str, u64)>> {
    let mut targets = vec![Vec::new(); kind.bundles.len()];
    for (place, (bundle, target)) in (0u64..).zip(table.targets_by_id(kind)) {
        targets[bundle].push((target, place));
    }
    targets
}

/// The links, and the targets by number: as they come when one document follows the other, and behind them those of documents
/// that stand on both sides with the documents whose targets they are.
pub(crate) fn fans(mut kinds: Vec<KindLinks<'_>>, turned: Vec<KindLinks<'_>>) -> (Vec<Fan>, Vec<String>) {
    kinds.sort_by_key(|linked| linked.first);
    let (mut fans, mut targets, mut numbers) = (Vec::new(), Vec::new(), HashMap::new());
    for KindLinks { judged, bundles, .. } in kinds.into_iter().chain(turned) {
        let mut ids: Vec<(u64, &str)> =
            bundles.iter().flat_map(|bundle| &bundle.targets).map(|(target, place)| (*place, *target)).collect();
        ids.sort_unstable();
        for (_, id) in ids {
            numbers.entry(id).or_insert_with(|| {
                targets.push(id.to_owned());
                targets.len() as u32 - 1
            });
        }
        for BundleLinks { targets, scores: [score, accepted_by], rank, label } in bundles {
            let above = |place: u64| if rank.is_some() { 0 } else { place };
            let targets: Arc<[(u32, u64)]> = targets.iter().map(|(id, place)| (numbers[id], above(*place))).collect();
            // Pairs without a place of their own stand behind imported ones, by source and target.
            let fan = |(source, start): &(u32, u64)| Fan {
                source: *source,
                targets: targets.clone(),
                score,
                accepted_by,
                rank: rank.unwrap_or((1 << 32) + start),
                label,
            };
            fans.extend(judged.iter().map(fan));
        }
    }
    (fans, targets)
}

/// Scores pairs of some configurations; texts are opened only where it needs them, each once.
pub(crate) struct Scorer<'a> {
    study: &'a Snapshot,
    table: &'a PairTable,
    configurations: &'a [usize],
    words: HashMap<(bool, String), Vec<u64>>,
}

impl<'a> Scorer<'a> {
    pub(crate) fn new(study: &'a Snapshot, table: &'a PairTable, configurations: &'a [usize]) -> Self {
        Self { study, table, configurations, words: HashMap::new() }
    }

    /// The first place that these configurations give an imported pair.
    fn rank(&self, pair: &Pair<'_>, segment: &str) -> Option<u64> {
        self.table.imported_by(self.configurations, pair, segment).map(|imported| u64::from(imported.rank))
    }

    /// The scores of a pair by two measures, which may be one.
    fn scores(
        &mut self,
        [one, other]: [Measure; 2],
        pair: &Pair<'_>,
        segment: &str,
    ) -> Result<[Option<f64>; 2], StudyError> {
        let score = self.score(one, pair, segment)?;
        Ok([score, if one == other { score } else { self.score(other, pair, segment)? }])
    }

    /// The score of a pair by a measure; none where there is nothing to compute it from.
    pub(crate) fn score(&mut self, by: Measure, pair: &Pair<'_>, segment: &str) -> Result<Option<f64>, StudyError> {
        Ok(match by {
            Measure::Score => {
                let imported = self.table.imported_by(self.configurations, pair, segment);
                imported.and_then(|imported| imported.score)
            }
            _ if !pair.compared() => None,
            Measure::Jaccard => Some(pair.scores().jaccard(self.table.n()).unwrap_or_default()),
            Measure::S3 => Some(pair.scores().s3),
            Measure::Edit => {
                let a = self.words(KeptSide::Source, pair.source)?;
                let b = self.words(KeptSide::Target, pair.target)?;
                Some(edit_ratio(&a, &b))
            }
        })
    }

    fn words(&mut self, side: KeptSide, id: &str) -> Result<Vec<u64>, StudyError> {
        let key = (side == KeptSide::Source, id.to_owned());
        if let Some(words) = self.words.get(&key) {
            return Ok(words.clone());
        }
        let words = with_document(self.study, side, id, |document| document.tokens().hashes().to_vec())?;
        self.words.insert(key, words.clone());
        Ok(words)
    }
}
