//! The papers' experiments on a study's own documents: everyone compared with everyone, exactly.
//!
//! SimHash at several distances against exact Jaccard and against cosine (the study's Table 3.1 and Figure 3.3), the MinHash
//! estimate against what it estimates, and I-Match by the number of lexicons (Kołcz and Chowdhury's Table 1). Both sides
//! are read once more and held in memory; where there are more than [`MOST_PAIRS`] pairs, a fixed random part of the source
//! takes part, and the result says so.

mod pages;
mod rows;
mod tally;

use std::collections::HashMap;

use rayon::prelude::*;
use serde::Serialize;

use crate::StudyError;
use crate::recipe::StatisticsFrom;
use crate::run::fitting::{collect_statistics, read_statistics};
use crate::run::plan::Plan;
use crate::run::watch::{Stage, Watch};
use crate::snapshot::Snapshot;
use dejaview_base::hash;
use dejaview_corpus::Input;
use dejaview_matching::fitting::Collection;
use dejaview_matching::source::{ReadOptions, SharedDocuments, Sides, Source};
use dejaview_methods::Statistics;
use pages::{Methods, Page};

/// Pairs that are compared at most: about a minute on two cores.
const MOST_PAIRS: usize = 50_000_000;

/// All experiments.
#[derive(Debug, Clone, Serialize)]
pub struct Experiments {
    /// Documents that took part.
    pub source: usize,
    /// Documents that took part.
    pub target: usize,
    /// Documents of the source that were left out because there are too many pairs.
    pub left_out: usize,
    /// Pairs with a Jaccard of 0.9 or more.
    pub alike: u64,
    /// SimHash by n-grams and distance against Jaccard ≥ 0.9.
    pub simhash: Vec<SimHashRow>,
    /// The same over the pairs with one address only: the revisions of a page, or a page crawled twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_url: Option<SameUrl>,
    /// SimHash against every threshold of cosine.
    pub cosine: Vec<CosineRow>,
    /// MinHash estimates.
    pub minhash: Vec<MinHashRow>,
    /// I-Match by number of lexicons.
    pub lexicons: Vec<LexiconRow>,
}

/// SimHash at one distance.
#[derive(Debug, Clone, Serialize)]
pub struct SimHashRow {
    /// Lengths of the n-grams.
    pub ngrams: String,
    /// Most bits that may differ.
    pub distance: usize,
    /// Pairs found.
    pub pairs: u64,
    /// Those with a Jaccard of 0.9 or more.
    #[serde(rename = "true")]
    pub positive: u64,
    /// Share of true ones among those found.
    pub precision: f64,
    /// Share of true ones that are found.
    pub recall: f64,
}

/// SimHash over the pairs of documents with one address.
#[derive(Debug, Clone, Serialize)]
pub struct SameUrl {
    /// Such pairs.
    pub pairs: u64,
    /// Those with a Jaccard of 0.9 or more.
    pub alike: u64,
    /// By n-grams and distance.
    pub simhash: Vec<SimHashRow>,
}

/// SimHash of single words against one threshold of cosine.
#[derive(Debug, Clone, Serialize)]
pub struct CosineRow {
    /// A pair is true from this cosine on.
    pub threshold: f64,
    /// True pairs.
    #[serde(rename = "true")]
    pub positive: u64,
    /// Precision and recall at distances 1, 3 and 5.
    pub at: Vec<[f64; 2]>,
}

/// How good the estimate of so many minima is.
#[derive(Debug, Clone, Serialize)]
pub struct MinHashRow {
    /// Minima.
    pub minima: u64,
    /// Pairs compared: those with a Jaccard of shingles between 0.1 and 1.
    pub pairs: u64,
    /// Mean of estimate less exact.
    pub bias: f64,
    /// Root of the mean square of that.
    pub error: f64,
    /// What theory expects it to be.
    pub expected: f64,
}

/// I-Match with so many lexicons.
#[derive(Debug, Clone, Serialize)]
pub struct LexiconRow {
    /// Lexicons beside the first.
    pub lexicons: u64,
    /// Mean over source documents with a neighbour of the share of neighbours found.
    pub recall: f64,
    /// Recall over that of one lexicon, less 1.
    pub gain: f64,
    /// Share of pairs found that are neighbours.
    pub precision: f64,
    /// Source documents with a neighbour: cosine of 0.9 or more of the sets of words that count for I-Match.
    pub asked: u64,
}

/// Reads both sides and does all experiments.
pub fn experiments(study: &Snapshot, threads: usize, watch: &dyn Watch) -> Result<Experiments, StudyError> {
    let (mut source, target) = read_sides(study, threads, watch)?;
    let plan = study.plan()?;
    let statistics = statistics_for_all(study, &plan, [&source, &target], threads, watch)?;
    let both = SharedDocuments::new(study.recipe().join, &source.documents, &target.documents);
    let numbers: HashMap<String, u32> =
        source.documents.iter().map(|document| document.id.to_string()).zip(0u32..).collect();
    let all = source.documents.len();
    let most = (MOST_PAIRS / target.documents.len().max(1)).max(1);
    if all > most {
        source.documents.sort_by_key(|document| hash::digest_bits(document.id.as_bytes()));
        source.documents.truncate(most);
    }
    let methods = Methods::new(&statistics);
    let pages =
        |side: &Source| -> Vec<Page> { side.documents.par_iter().map(|d| methods.page(&d.text(), &d.url)).collect() };
    let mut sides = [pages(&source), pages(&target)];
    for (page, document) in sides[0].iter_mut().zip(&source.documents) {
        page.number = numbers.get(&*document.id).copied();
        page.stands = page.number.is_some_and(|number| both.standing[number as usize]);
    }
    sides[1].iter_mut().zip(&both.twins).for_each(|(page, twin)| page.number = *twin);
    let mut experiments = rows::compare(&sides, &methods);
    experiments.left_out = all - source.documents.len();
    Ok(experiments)
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
        return collect_statistics(study.session(), plan, source, &study.content()?, threads, watch);
    }
    let mut collection = Collection::of_source(source, threads, false)?;
    if recipe.statistics == StatisticsFrom::Both {
        collection.merge(Collection::of_side(target, (recipe.join, &source.documents), threads, false)?);
    }
    Ok(collection.finish(std::iter::empty()))
}

/// Both sides with their texts, in memory: of the source the judged documents, of the target all.
pub(crate) fn read_sides(study: &Snapshot, threads: usize, watch: &dyn Watch) -> Result<(Source, Source), StudyError> {
    let judgments = study.judgments()?;
    let plan = study.plan()?;
    let targets: Vec<Input> = plan.corpora.segments.iter().flat_map(|s| s.inputs.clone()).collect();
    let content = study.content()?;
    let read = |inputs: &[Input], wanted: &(dyn Fn(&str) -> bool + Sync)| -> Result<Source, StudyError> {
        watch.stage(Stage::Statistics { bytes: inputs.iter().map(|input| input.size).sum() });
        let order = ReadOptions {
            inputs,
            content: &content,
            configurations: &[],
            threads,
            progress: watch.progress(),
            keep: &|_| {},
            keep_all: false,
            sides: &Sides::default(),
            elsewhere: &|_| false,
        };
        Ok(Source::read(order, wanted)?)
    };
    let judged = |id: &str| judgments.as_ref().is_none_or(|j| j.document(id).is_some());
    Ok((read(&plan.corpora.source, &judged)?, read(&targets, &|_| true)?))
}
