//! The papers' experiments on a study's own documents: everyone compared with everyone, exactly.
//!
//! SimHash at several distances against exact Jaccard and against cosine (the study's Table 3.1 and Figure 3.3), the MinHash
//! estimate against what it estimates, and I-Match by the number of lexicons (Kołcz and Chowdhury's Figures and Table 1). Both sides
//! are read once more and held in memory; where there are more than [`MOST_PAIRS`] pairs, a fixed random part of the source
//! takes part, and the result says so.

mod pages;
mod rows;
mod stability;
pub mod table;
pub mod tally;

use std::collections::HashMap;

use rayon::prelude::*;

use crate::StudyError;
use crate::analyse::experiments::table::Experiments;
use crate::query::sides::read_sides;
use crate::recipe::StatisticsFrom;
use crate::run::fitted::read_statistics;
use crate::run::fitting::{Fitting, collect_statistics};
use crate::run::plan::Plan;
use crate::run::watch::Watch;
use crate::snapshot::Snapshot;
use dejaview_base::hash;
use dejaview_matching::DocumentNumber;
use dejaview_matching::fitting::{Collection, Counted};
use dejaview_matching::source::{SharedDocuments, Source};
use dejaview_methods::Statistics;
use dejaview_methods::statistics::LEARNERS;
use pages::{ComparedDocument, Methods, WordCounts};

/// Pairs that are compared at most: about a minute on two cores.
const MOST_PAIRS: usize = 50_000_000;

/// Reads both sides and does all experiments.
pub fn experiments(study: &Snapshot, threads: usize, watch: &dyn Watch) -> Result<Experiments, StudyError> {
    let (mut source, target) = read_sides(study, threads, watch)?;
    let plan = study.plan()?;
    let statistics = statistics_for_all(study, &plan, [&source, &target], threads, watch)?;
    let both = SharedDocuments::new(study.recipe().join, &source.documents, &target.documents);
    let ids = source.documents.iter().map(|document| document.id.to_string());
    let numbers: HashMap<String, DocumentNumber> = ids.zip(DocumentNumber::all(source.documents.len())).collect();
    let all = source.documents.len();
    let most = (MOST_PAIRS / target.documents.len().max(1)).max(1);
    if all > most {
        source.documents.sort_by_key(|document| hash::digest_bits(document.id.as_bytes()));
        source.documents.truncate(most);
    }
    let alone = |side: &Source| -> Result<Statistics, StudyError> {
        Ok(Collection::of_source(side, threads, false)?.finish(std::iter::empty()))
    };
    let words = WordCounts { source: alone(&source)?, target: alone(&target)?, study: statistics };
    let methods = Methods::new(&words, &learning_texts([&source, &target]));
    let pages = |side: &Source| -> Vec<ComparedDocument> {
        side.documents.par_iter().map(|d| methods.document(&d.text(), &d.url)).collect()
    };
    let mut sides = [pages(&source), pages(&target)];
    for (page, document) in sides[0].iter_mut().zip(&source.documents) {
        page.number = numbers.get(&*document.id).copied();
        page.on_both_sides = page.number.is_some_and(|number| both.in_target[number.index()]);
    }
    sides[1].iter_mut().zip(&both.same_sources).for_each(|(page, same_source)| page.number = *same_source);
    let mut experiments = rows::compare(&sides, &methods);
    experiments.stability = stability::measure(&source, &words.study);
    experiments.left_out = all - source.documents.len();
    Ok(experiments)
}

/// Texts that methods learn from: those with the smallest digests, as in a run.
fn learning_texts(sides: [&Source; 2]) -> Vec<String> {
    let mut texts: Vec<String> = sides.iter().flat_map(|side| &side.documents).map(|d| d.text()).collect();
    texts.sort_by_cached_key(|text| hash::digest_bits(text.as_bytes()));
    texts.dedup();
    texts.truncate(LEARNERS);
    texts
}

/// What methods are fitted to that the study may not have: what the last run stored, if it stored all of it.
fn statistics_for_all(
    study: &Snapshot,
    plan: &Plan,
    [source, target]: [&Source; 2],
    threads: usize,
    watch: &dyn Watch,
) -> Result<Statistics, StudyError> {
    let recipe = study.recipe();
    if let Some(stored) = read_statistics(study.session(), &plan.digest).filter(|_| recipe.rests_on_statistics()) {
        return Ok(stored.statistics);
    }
    if let StatisticsFrom::Path(_) = recipe.statistics {
        let (session, content) = (study.session(), study.content()?);
        return collect_statistics(Fitting { session, plan, source, content, threads, watch, counted: None });
    }
    let mut collection = Collection::of_source(source, threads, false)?;
    if recipe.statistics == StatisticsFrom::Both {
        let counted = Counted { join: recipe.join, documents: &source.documents };
        collection.merge(Collection::of_side(target, counted, threads, false)?);
    }
    Ok(collection.finish(std::iter::empty()))
}
