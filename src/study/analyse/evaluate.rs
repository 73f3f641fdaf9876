//! Evaluates the configurations of a study against a truth that the user chooses.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use rayon::prelude::*;

use crate::StudyError;
use crate::analyse::by_samples::estimate_by_samples;
use crate::analyse::estimate::labelled_samples;
use crate::analyse::evaluation::{Evaluation, Reading, Truth};
use crate::analyse::truth_file::{self, ListedTruth, PairKinds, TruthFileOptions, TruthListing};
use crate::label::changed::Provenance;
use crate::label::drawing::current_sample;
use crate::label::labelling::journals_for;
use crate::label::provenance::check_samples;
use crate::query::known::{KnownDocuments, known_documents};
use crate::query::lookup::find_document;
use crate::query::pair_table::{Bundle, FinderSet, PairTable};
use crate::recipe::ConfigurationRecipe;
use crate::snapshot::Snapshot;
use dejaview_evaluation::comparison::{Contender, Pairs, PoolPairs, compare};
use dejaview_evaluation::estimates::{Consensus, Frame, Unsure};
use dejaview_index::KeptSide;
use dejaview_labels::Journals;
use dejaview_matching::pairs::Pair;
use dejaview_methods::edit;
use dejaview_text::Tokens;

/// Whether the pairs of a bundle are near-duplicates, where that is known.
type Decides<'a> = Box<dyn Fn(&Bundle<'_>) -> Option<bool> + 'a>;

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
        Truth::Jaccard(least) => by_jaccard(study, table, *least),
        Truth::Edit(least) => by_edit(study, table, *least)?,
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

/// What people say about pairs: those of the sample that is asked about, or all that have a label.
fn labelled_pairs(
    study: &Snapshot,
    reading: &Reading,
    journals: &Journals,
) -> Result<Vec<(String, String, Consensus)>, StudyError> {
    let Some(name) = &reading.sample else {
        let said = |(source, target): &(&str, &str)| {
            ((*source).to_owned(), (*target).to_owned(), Consensus::from(&journals.standing(source, target)))
        };
        return Ok(journals.pairs(None).iter().map(said).collect());
    };
    let sample = current_sample(study, name)?;
    let frame = Frame::labelled(&sample, journals);
    let drawn = frame.drawn.iter().filter(|drawn| drawn.consensus != Consensus::Undecided);
    let pairs = drawn.map(|drawn| (&sample.pairs[drawn.place], drawn.consensus));
    Ok(pairs.map(|(pair, said)| (pair.source.clone(), pair.target.clone(), said)).collect())
}

fn contenders(study: &Snapshot, truth: &Truth) -> Vec<Contender> {
    let judges = matches!(truth, Truth::Jaccard(_));
    let contender = |c: &ConfigurationRecipe| Contender {
        name: c.name.clone(),
        method: c.algorithm().name.to_owned(),
        judge: judges && c.values.finds_all().is_some(),
    };
    study.recipe().configurations.iter().map(contender).collect()
}

fn by_jaccard(study: &Snapshot, table: &PairTable, least: f64) -> KnownTruth<'static> {
    let n = table.n();
    // Imported pairs without texts have no Jaccard, and nobody knows.
    let truth = Box::new(move |bundle: &Bundle<'_>| bundle.jaccard(n).map(|jaccard| jaccard >= least));
    let all = |c: &&ConfigurationRecipe| c.values.finds_all().is_some_and(|(m, t)| m == n && t <= least);
    let exact = study.recipe().configurations.iter().find(all);
    let recall_of = match exact {
        Some(c) => {
            format!("all pairs of the corpora with a Jaccard (n = {n}) of {least} or more; {} found them all", c.name)
        }
        None => format!(
            "the pairs of the pool with a Jaccard (n = {n}) of {least} or more; pairs that no configuration found are \
             not counted (a configuration exact-jaccard finds them all)"
        ),
    };
    KnownTruth { truth, alone: BTreeSet::new(), missed: Vec::new(), recall_of, kinds: None, listing: None }
}

/// The texts of one pair of each bundle are compared: all its pairs have the same.
fn by_edit<'t>(study: &Snapshot, table: &'t PairTable, least: f64) -> Result<KnownTruth<'t>, StudyError> {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    let mut sources: HashMap<&str, Vec<u64>> = HashMap::new();
    let mut targets: HashMap<&str, Vec<u64>> = HashMap::new();
    for bundle in table.kinds().flat_map(|kind| kind.bundles) {
        let Pair { source, target, .. } = bundle.first_pair;
        pairs.push((source, target));
        for (side, id, words) in [(KeptSide::Source, source, &mut sources), (KeptSide::Target, target, &mut targets)] {
            if !words.contains_key(id) {
                words.insert(id, words_of(study, side, id)?);
            }
        }
    }
    let alike = |&(source, target): &(&'t str, &'t str)| {
        ((source, target), edit::reaches(&sources[source], &targets[target], least))
    };
    let known: HashMap<(&str, &str), bool> = pairs.par_iter().map(alike).collect();
    let recall_of =
        format!("the pairs of the pool with an edit ratio over words of {least} or more, as the papers have it");
    let truth = move |bundle: &Bundle<'_>| known.get(&(bundle.first_pair.source, bundle.first_pair.target)).copied();
    Ok(KnownTruth {
        truth: Box::new(truth),
        alone: BTreeSet::new(),
        missed: Vec::new(),
        recall_of,
        kinds: None,
        listing: None,
    })
}

pub(crate) fn words_of(study: &Snapshot, side: KeptSide, id: &str) -> Result<Vec<u64>, StudyError> {
    let found = find_document(study, id, Some(side))?;
    let mut tokens = Tokens::new();
    tokens.read(&found.document.text);
    Ok(tokens.hashes().to_vec())
}

/// The pairs of a table, and the true ones that are not in it.
fn pool(table: &PairTable, known: &KnownTruth<'_>, found: &dyn Fn(FinderSet) -> u64) -> Pairs {
    let mut pool = Pairs::default();
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    for kind in table.kinds_with_single_pairs(&known.alone) {
        let number = pool.kinds.len() as u32;
        pool.pairs.extend(kind.bundles.iter().map(|bundle| PoolPairs {
            kind: number,
            each: bundle.pairs,
            found: found(bundle.finders()),
            truth: (known.truth)(bundle),
        }));
        pool.kinds.push(kind.sources.iter().map(|source| source.number).collect());
        numbers.extend(kind.sources.iter().map(|source| (source.id, source.number)));
    }
    for id in &known.missed {
        let next = numbers.len() as u32;
        let source = *numbers.entry(id).or_insert(next);
        pool.pairs.push(PoolPairs { kind: pool.kinds.len() as u32, each: 1, found: 0, truth: Some(true) });
        pool.kinds.push(vec![source]);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truths_in_words() {
        for text in ["labels", "jaccard:0.9", "edit:0.8", "file:pairs.tsv"] {
            assert_eq!(text.parse::<Truth>().unwrap().to_string(), text);
        }
        assert_eq!("truth.tsv".parse(), Ok(Truth::File("truth.tsv".into())));
        for text in ["jaccard:2", "edit:x", "gut feeling"] {
            assert!(text.parse::<Truth>().is_err(), "{text}");
        }
    }
}
