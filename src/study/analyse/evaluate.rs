//! Evaluates the configurations of a study against a truth that the user chooses.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use crate::StudyError;
use crate::analyse::by_samples::estimate_by_samples;
use crate::analyse::estimate::labelled_samples;
use crate::analyse::evaluation::{Evaluation, LeftOut, Reading};
use crate::analyse::truth::{Truth, TruthMeasure};
use crate::analyse::truth_file::{self, ListedTruth, PairKinds, TruthFileOptions, TruthListing};
use crate::analyse::truth_measures::{Decides, by_measure};
use crate::label::changed::Provenance;
use crate::label::drawing::{current_sample, drawn_sample};
use crate::label::labelling::journals_for;
use crate::label::provenance::check_samples;
use crate::query::known::{KnownDocuments, known_documents};
use crate::query::pair_table::{Bundle, FinderSet, PairTable};
use crate::recipe::ConfigurationRecipe;
use crate::snapshot::Snapshot;
use dejaview_evaluation::comparison::{Contender, Pairs, PoolPairs, compare};
use dejaview_evaluation::estimates::{Consensus, Frame, Unsure};
use dejaview_labels::Journals;

/// Which pairs of a table are near-duplicates, as far as a truth says.
struct KnownTruth<'a> {
    truth: Decides<'a>,
    /// Numbers of pairs whose truth may differ from that of the other pairs of their bundle.
    alone: BTreeSet<usize>,
    /// Source ids of the true pairs that are not in the table.
    missed: Vec<String>,
    recall_of: String,
    kinds: Option<PairKinds>,
    listing: Option<TruthListing>,
}

/// Compares the configurations on all pairs that any of them found.
pub fn evaluate(study: &Snapshot, truth: &Truth, reading: &Reading) -> Result<Evaluation, StudyError> {
    let table = study.table()?;
    let journals = if *truth == Truth::Labels { journals_for(study, reading.blind_only)? } else { Journals::default() };
    let known = match truth {
        Truth::Labels => by_labels(table, &labelled_pairs(study, reading, &journals)?, reading.unsure),
        Truth::AtLeast(measure, least) => by_similarity(study, table, *measure, *least)?,
        Truth::File(path) => by_file(table, path, reading, &known_documents(study)?)?,
    };
    let contenders = contenders(study, truth);
    let every: Vec<usize> = (0..contenders.len()).collect();
    let found = table.found_among(&every, "evaluations", "split it into studies with fewer")?;
    let pairs = pool(table, &known, &found);
    let mut evaluation = Evaluation {
        truth: truth.to_string(),
        recall_of: known.recall_of,
        comparison: compare(&contenders, &pairs),
        judges: contenders.iter().filter(|c| c.judge).map(|c| c.name.clone()).collect(),
        estimates: Vec::new(),
        unions_of: None,
        changed: Vec::new(),
        unlabelled: Vec::new(),
        left_out: Vec::new(),
        unknown: Vec::new(),
        kinds: known.kinds,
        listing: known.listing,
    };
    // The table knows of documents that stand on both sides, and may be the targets of their pairs.
    for (quality, (_, sources)) in evaluation.comparison.configurations.iter_mut().zip(table.counts()) {
        quality.sources_found = sources;
    }
    if *truth == Truth::Labels {
        let (samples, unlabelled) = labelled_samples(study, reading, &journals)?;
        evaluation.unlabelled = unlabelled;
        evaluation.left_out = left_out(study, reading)?;
        for (_, provenance) in check_samples(study)? {
            match provenance {
                Provenance::Changed(changed) => evaluation.changed.push(changed),
                Provenance::Unknown { why } => evaluation.unknown.push(why),
                Provenance::Same { .. } => {}
            }
        }
        estimate_by_samples(study, &mut evaluation, table, &contenders, samples, reading)?;
    }
    Ok(evaluation)
}

/// The samples that a reading leaves out.
fn left_out(study: &Snapshot, reading: &Reading) -> Result<Vec<LeftOut>, StudyError> {
    let sample = |name: &String| {
        let sample = drawn_sample(study, name)?;
        Ok(LeftOut { sample: sample.name, configurations: sample.serves })
    };
    reading.without.iter().map(sample).collect()
}

/// What people say about pairs: those of the sample that is asked about, or all that have a label outside samples that are
/// left out.
fn labelled_pairs(
    study: &Snapshot,
    reading: &Reading,
    journals: &Journals,
) -> Result<Vec<(String, String, Consensus)>, StudyError> {
    let Some(name) = &reading.sample else {
        let said = |(source, target): &(&str, &str)| {
            ((*source).to_owned(), (*target).to_owned(), Consensus::from(&journals.standing(source, target)))
        };
        let mut pairs = journals.pairs(None);
        for name in &reading.without {
            let held_back = journals.pairs(Some(name));
            pairs.retain(|pair| !held_back.contains(pair));
        }
        return Ok(pairs.iter().map(said).collect());
    };
    let sample = current_sample(study, name)?;
    let frame = Frame::labelled(&sample, journals);
    let drawn = frame.drawn.iter().filter(|drawn| drawn.consensus != Consensus::Undecided);
    let pairs = drawn.map(|drawn| (&sample.pairs[drawn.place], drawn.consensus));
    Ok(pairs.map(|(pair, said)| (pair.source.clone(), pair.target.clone(), said)).collect())
}

fn contenders(study: &Snapshot, truth: &Truth) -> Vec<Contender> {
    let length = match truth {
        Truth::AtLeast(measure, _) => measure.jaccard_length(study.recipe().jaccard),
        Truth::Labels | Truth::File(_) => None,
    };
    let contender = |c: &ConfigurationRecipe| Contender {
        name: c.name.clone(),
        method: c.algorithm().name.to_owned(),
        judge: c.values.finds_all().is_some_and(|(n, _)| length == Some(n)),
    };
    study.recipe().configurations.iter().map(contender).collect()
}

/// True are the pairs that are similar enough.
fn by_similarity<'t>(
    study: &Snapshot,
    table: &'t PairTable,
    measure: TruthMeasure,
    least: f64,
) -> Result<KnownTruth<'t>, StudyError> {
    let truth = by_measure(study, table, measure, least)?;
    let recall_of = match measure.jaccard_length(table.n()) {
        Some(n) => recall_of_jaccard(study, n, least),
        None => format!("the pairs of the pool with {} of {least} or more, as the papers have it", measure.described()),
    };
    Ok(KnownTruth { truth, alone: BTreeSet::new(), missed: Vec::new(), recall_of, kinds: None, listing: None })
}

/// What recall is a share of where a Jaccard of n-grams is the truth: all pairs there are, where a configuration found them.
fn recall_of_jaccard(study: &Snapshot, n: usize, least: f64) -> String {
    let all = |c: &&ConfigurationRecipe| c.values.finds_all().is_some_and(|(m, t)| m == n && t <= least);
    match study.recipe().configurations.iter().find(all) {
        Some(c) => {
            format!("all pairs of the corpora with a Jaccard (n = {n}) of {least} or more; {} found them all", c.name)
        }
        None => format!(
            "the pairs of the pool with a Jaccard (n = {n}) of {least} or more; pairs that no configuration found are \
             not counted (a configuration exact-jaccard finds them all)"
        ),
    }
}

/// The pairs of a table, and the true ones that are not in it.
fn pool(table: &PairTable, known: &KnownTruth<'_>, found: &dyn Fn(FinderSet) -> u64) -> Pairs {
    let mut pool = Pairs::default();
    let (mut numbers, mut turned): (HashMap<&str, u32>, Vec<(u32, &str)>) = Default::default();
    for kind in table.kinds_with_single_pairs(&known.alone) {
        let (number, first) = (pool.kinds.len() as u32, pool.pairs.len());
        for bundle in &kind.bundles {
            let (found, truth) = (found(bundle.finders()), (known.truth)(bundle));
            // Pairs of one kind of which the same is known are counted together: mostly there are far fewer of these.
            let same = pool.pairs[first..].iter().position(|pairs| (pairs.found, pairs.truth) == (found, truth));
            let place = same.map_or(pool.pairs.len(), |place| first + place);
            match pool.pairs.get_mut(place) {
                Some(pairs) => pairs.each += bundle.pairs,
                None => pool.pairs.push(PoolPairs { kind: number, each: bundle.pairs, found, truth }),
            }
            if table.joins_itself() {
                let of_both = table.pairs_of(&kind, bundle).filter(|pair| pair.both[1]);
                turned.extend(of_both.map(|pair| (place as u32, pair.target)));
            }
        }
        pool.kinds.push(kind.sources.iter().map(|source| source.number).collect());
        numbers.extend(kind.sources.iter().map(|source| (source.id, source.number)));
    }
    let mut number_of = |id| {
        let next = numbers.len() as u32;
        *numbers.entry(id).or_insert(next)
    };
    pool.of_both = turned.into_iter().map(|(pairs, id)| (pairs, number_of(id))).collect();
    for id in &known.missed {
        pool.pairs.push(PoolPairs { kind: pool.kinds.len() as u32, each: 1, found: 0, truth: Some(true) });
        pool.kinds.push(vec![number_of(id)]);
    }
    pool
}

/// What annotators together say about the pairs of a table, in samples or not.
fn by_labels(table: &PairTable, pairs: &[(String, String, Consensus)], unsure: Unsure) -> KnownTruth<'static> {
    let (mut listed, mut missed, mut disputed) = (HashMap::new(), Vec::new(), 0u64);
    for (source, target, said) in pairs {
        disputed += u64::from(*said == Consensus::Disputed);
        let says = unsure.truth(*said);
        match table.find(source, target) {
            Some(row) => drop(listed.insert(row, says)),
            None => missed.extend((says == Some(true)).then(|| source.clone())),
        }
    }
    let said = match (pairs.len(), disputed) {
        (0, _) => "no pair is labelled".to_owned(),
        (all, 0) => format!("none of {all} labelled pairs is disputed"),
        (all, 1) => format!("1 of {all} labelled pairs is disputed, counted like unsure ones ({})", unsure.name()),
        (all, n) => format!("{n} of {all} labelled pairs are disputed, counted like unsure ones ({})", unsure.name()),
    };
    let recall_of = format!("the true pairs of the sample that each configuration rests on; {said}");
    let alone = listed.keys().copied().collect();
    let truth = move |bundle: &Bundle<'_>| listed.get(&bundle.number?).copied().flatten();
    KnownTruth { truth: Box::new(truth), alone, missed, recall_of, kinds: None, listing: None }
}

fn by_file(
    table: &PairTable,
    path: &Path,
    reading: &Reading,
    documents: &KnownDocuments<'_>,
) -> Result<KnownTruth<'static>, StudyError> {
    let options = TruthFileOptions { meaning: &reading.meaning, unsure: reading.unsure, closed: reading.closed };
    let ListedTruth { says, missed, kinds, listing } = truth_file::read(table, path, &options, documents)?;
    let alone = says.keys().copied().collect();
    let unlisted = reading.closed.then_some(false);
    let truth =
        move |bundle: &Bundle<'_>| bundle.number.and_then(|number| says.get(&number)).copied().unwrap_or(unlisted);
    let recall_of = format!("the pairs that {} calls near-duplicates, found by anyone or not", path.display());
    Ok(KnownTruth { truth: Box::new(truth), alone, missed, recall_of, kinds: Some(kinds), listing: Some(listing) })
}
