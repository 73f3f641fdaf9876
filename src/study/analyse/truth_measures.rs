//! Decides pairs by a similarity of their texts: by the scores that every pair has, or by the texts themselves.

use std::collections::HashMap;
use std::hash::Hash;

use rayon::prelude::*;

use crate::StudyError;
use crate::analyse::truth::{TextCompared, TruthMeasure};
use crate::query::lookup::find_document;
use crate::query::pair_table::{Bundle, PairTable};
use crate::snapshot::Snapshot;
use dejaview_base::similarity::{common, jaccard};
use dejaview_index::KeptSide;
use dejaview_matching::pairs::Pair;
use dejaview_methods::content_text::content_text;
use dejaview_methods::measures::{LENGTHS, Scores};
use dejaview_methods::{Prepared, edit};
use dejaview_text::Tokens;

/// Whether the pairs of a bundle are near-duplicates, where that is known.
pub(crate) type Decides<'a> = Box<dyn Fn(&Bundle<'_>) -> Option<bool> + 'a>;

/// Decides each bundle of a table: true where the measure is at least `least`. Nobody knows of imported pairs without texts.
pub(crate) fn by_measure<'t>(
    study: &Snapshot,
    table: &'t PairTable,
    measure: TruthMeasure,
    least: f64,
) -> Result<Decides<'t>, StudyError> {
    if let Some(score) = stored(measure, table.n()) {
        return Ok(Box::new(move |bundle: &Bundle<'_>| {
            bundle.first_pair.compared().then(|| score(&bundle.first_pair.scores()) >= least)
        }));
    }
    match measure {
        TruthMeasure::EditCharacters(TextCompared::Full) => {
            by_texts(study, table, |document| document.text().chars().collect(), |a, b| edit::reaches(a, b, least))
        }
        TruthMeasure::EditCharacters(TextCompared::Content) => by_texts(
            study,
            table,
            |document| String::from_utf8_lossy(&content_text(document)).chars().collect(),
            |a: &[char], b| edit::reaches(a, b, least),
        ),
        TruthMeasure::JaccardOf(n) => by_texts(
            study,
            table,
            |document| set_of_grams(document, n),
            |a, b| jaccard(common(a, b) as u32, a.len() as u32, b.len() as u32) >= least,
        ),
        _ => by_texts(
            study,
            table,
            |document| document.tokens().hashes().to_vec(),
            |a: &[u64], b| edit::reaches(a, b, least),
        ),
    }
}

/// One of the scores that every pair has.
type Score = Box<dyn Fn(&Scores) -> f64>;

/// The measure among the scores that every pair has; `n` is that of the headline Jaccard.
fn stored(measure: TruthMeasure, n: usize) -> Option<Score> {
    let jaccard_of = |n: usize| -> Score { Box::new(move |scores: &Scores| scores.jaccard(n).unwrap_or_default()) };
    match measure {
        TruthMeasure::Jaccard => Some(jaccard_of(n)),
        TruthMeasure::JaccardOf(n) => LENGTHS.contains(&n).then(|| jaccard_of(n)),
        TruthMeasure::Cosine => Some(Box::new(|scores| scores.cosine)),
        TruthMeasure::CosineBinary => Some(Box::new(|scores| scores.cosine_binary)),
        TruthMeasure::S3 => Some(Box::new(|scores| scores.s3)),
        TruthMeasure::Edit | TruthMeasure::EditCharacters(_) => None,
    }
}

/// Hashes of the different n-grams, ascending.
fn set_of_grams(document: &Prepared<'_>, n: usize) -> Vec<u64> {
    let mut grams = document.grams(n).to_vec();
    grams.sort_unstable();
    grams.dedup();
    grams
}

/// Compares the texts of one pair of each bundle, as `read` gives them: all pairs of a bundle have the same.
fn by_texts<'t, T: Eq + Hash + Copy + Send + Sync>(
    study: &Snapshot,
    table: &'t PairTable,
    read: impl Fn(&Prepared<'_>) -> Vec<T>,
    alike: impl Fn(&[T], &[T]) -> bool + Sync,
) -> Result<Decides<'t>, StudyError> {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    let mut sources: HashMap<&str, Vec<T>> = HashMap::new();
    let mut targets: HashMap<&str, Vec<T>> = HashMap::new();
    for bundle in table.kinds().flat_map(|kind| kind.bundles).filter(|bundle| bundle.first_pair.compared()) {
        let Pair { source, target, .. } = bundle.first_pair;
        pairs.push((source, target));
        for (side, id, texts) in [(KeptSide::Source, source, &mut sources), (KeptSide::Target, target, &mut targets)] {
            if !texts.contains_key(id) {
                texts.insert(id, with_document(study, side, id, &read)?);
            }
        }
    }
    let decided =
        |&(source, target): &(&'t str, &'t str)| ((source, target), alike(&sources[source], &targets[target]));
    let known: HashMap<(&str, &str), bool> = pairs.par_iter().map(decided).collect();
    Ok(Box::new(move |bundle: &Bundle<'_>| known.get(&(bundle.first_pair.source, bundle.first_pair.target)).copied()))
}

/// Reads a document of the study as methods get it.
pub(crate) fn with_document<R>(
    study: &Snapshot,
    side: KeptSide,
    id: &str,
    read: impl FnOnce(&Prepared<'_>) -> R,
) -> Result<R, StudyError> {
    let found = find_document(study, id, Some(side))?;
    let mut tokens = Tokens::new();
    tokens.read(&found.document.text);
    Ok(read(&Prepared::new(&found.document.text, &tokens)))
}
