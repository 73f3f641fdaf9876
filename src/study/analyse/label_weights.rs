//! How many pairs of a study each label stands for, by all samples together: what a model is fitted by and judged by.
//!
//! A label that no sample counts, or one of a sample of other pairs than those there are, stands for nothing that is known.

use std::collections::HashMap;

use serde::Serialize;

use crate::StudyError;
use crate::analyse::combining::cross_all_samples;
use crate::analyse::estimate::labelled_samples;
use crate::analyse::evaluation::Reading;
use crate::analyse::labelled::LabelledSample;
use crate::snapshot::Snapshot;
use dejaview_evaluation::estimates::{Frame, Unsure};
use dejaview_labels::Journals;

/// The pairs that labels stand for, by the samples that they were given in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LabelledPopulation {
    /// The samples.
    pub samples: Vec<String>,
    /// Pairs that their labels stand for.
    pub pairs: u64,
    /// Pairs that any configuration found; none where the sample is not one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// Configurations that found pairs which no label stands for: labels do not tell their precision.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<String>,
}

/// Pairs that each label stands for, by source and target.
pub(crate) type LabelWeights = HashMap<(String, String), f64>;

/// The weights of all labels of samples, and what they stand for together. `None` where no sample has a label.
///
/// Samples of the pairs there are count together. Only where there is none, the one with the most labels counts of those
/// that stand for other pairs: drawn elsewhere, kept when pairs changed, or of what a transfer takes.
pub(crate) fn label_weights(
    study: &Snapshot,
    journals: &Journals,
) -> Result<Option<(LabelWeights, LabelledPopulation)>, StudyError> {
    let (samples, _) = labelled_samples(study, &Reading::default(), journals)?;
    let samples: Vec<LabelledSample> =
        samples.into_iter().filter(|one| one.frame.known(Unsure::Out).next().is_some()).collect();
    match by_all(study, &samples)? {
        Some(weights) => Ok(Some(weights)),
        None => by_one(study, &samples),
    }
}

/// By all samples of the pairs there are.
fn by_all(
    study: &Snapshot,
    samples: &[LabelledSample],
) -> Result<Option<(LabelWeights, LabelledPopulation)>, StudyError> {
    let Some((crossed, places)) = cross_all_samples(study, samples)? else { return Ok(None) };
    let counted: Vec<&LabelledSample> = places.iter().map(|at| &samples[*at]).collect();
    let frames: Vec<&Frame> = counted.iter().map(|one| &one.frame).collect();
    let represented = crossed.represented(&frames, Unsure::Out);
    let mut weights = LabelWeights::new();
    for (pair, weight) in crossed.drawn.iter().zip(&represented.weights).filter(|(_, weight)| **weight > 0.0) {
        let drawn = pair.places.iter().zip(&counted).find_map(|(place, one)| Some(&one.sample.pairs[(*place)?]));
        weights.extend(drawn.map(|drawn| ((drawn.source.clone(), drawn.target.clone()), *weight)));
    }
    let inside = |name: &String| {
        let place = crossed.configurations.iter().position(|known| known == name);
        place.is_some_and(|c| !represented.beyond[c])
    };
    let population = LabelledPopulation {
        samples: crossed.samples.clone(),
        pairs: represented.pairs,
        of: Some(crossed.parts.iter().map(|part| part.population).sum()),
        beyond: finders(study).into_iter().filter(|name| !inside(name)).collect(),
    };
    Ok(Some((weights, population)))
}

/// By the sample with the most labels.
fn by_one(
    study: &Snapshot,
    samples: &[LabelledSample],
) -> Result<Option<(LabelWeights, LabelledPopulation)>, StudyError> {
    let most = samples.iter().rev().max_by_key(|one| one.frame.known(Unsure::Out).count());
    let Some(LabelledSample { sample, frame, .. }) = most else { return Ok(None) };
    let ids = |place: usize| (sample.pairs[place].source.clone(), sample.pairs[place].target.clone());
    let weights = frame.weights(Unsure::Out).into_iter().map(|(drawn, _, pairs)| (ids(drawn.place), pairs));
    let population = LabelledPopulation {
        samples: vec![sample.name.clone()],
        pairs: sample.population,
        of: None,
        beyond: finders(study).into_iter().filter(|name| !frame.configurations.contains(name)).collect(),
    };
    Ok(Some((weights.collect(), population)))
}

/// Names of the configurations that find pairs of their own.
fn finders(study: &Snapshot) -> Vec<String> {
    let finders = study.recipe().configurations.iter().filter(|c| !c.algorithm().decides);
    finders.map(|c| c.name.clone()).collect()
}
