//! What if only pairs from some similarity on were taken? Precision and recall as the cut-off moves, and the labelled
//! pairs that change sides at each step.

use serde::Serialize;

use super::frame::{Frame, Unsure};
use super::proportion::Proportion;
use crate::base::interval::Interval;

/// A pair that is taken below a cut-off and not from it on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flip {
    /// Its place in the sample.
    pub place: usize,
    /// Its similarity.
    pub score: f64,
    /// Whether it is true.
    #[serde(rename = "true")]
    pub truth: bool,
}

/// A place on the rail.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cut {
    /// Only pairs with at least this similarity are taken.
    pub at: f64,
    /// Labelled pairs that are taken.
    pub labelled: u64,
    /// Pairs that are taken, estimated.
    pub pairs: f64,
    /// Precision of what is taken.
    pub precision: Option<Interval>,
    /// Share of the true pairs of the sample's pool (and audit) that is taken.
    pub recall: Option<f64>,
    /// Labelled pairs that were taken one step before.
    pub flips: Vec<Flip>,
}

/// The cut-offs: 0, 0.05, …, 1.
pub fn steps() -> impl Iterator<Item = f64> {
    (0..=20).map(|i| f64::from(i) / 20.0)
}

/// The rail of configuration c. `score` gives the similarity of the pair at a place of the sample.
pub fn rail(frame: &Frame, c: usize, score: &dyn Fn(usize) -> f64, unsure: Unsure, confidence: f64) -> Vec<Cut> {
    let labels = frame.weights(unsure);
    let truths: f64 = labels.iter().filter(|label| label.1).map(|label| label.2).sum();
    let mine: Vec<(f64, Flip)> = labels
        .iter()
        .filter(|(drawn, ..)| drawn.found >> c & 1 == 1)
        .map(|(drawn, truth, weight)| (*weight, Flip { place: drawn.place, score: score(drawn.place), truth: *truth }))
        .collect();
    let mut before = f64::NEG_INFINITY;
    steps()
        .map(|at| {
            let taken: Vec<(f64, bool)> =
                mine.iter().filter(|(_, flip)| flip.score >= at).map(|(weight, flip)| (*weight, flip.truth)).collect();
            let pairs: f64 = taken.iter().map(|(weight, _)| weight).sum();
            let found: f64 = taken.iter().filter(|label| label.1).map(|label| label.0).sum();
            let flips = mine.iter().filter(|(_, flip)| flip.score >= before && flip.score < at);
            let flips = flips.map(|(_, flip)| flip.clone()).collect();
            before = at;
            Cut {
                at,
                labelled: taken.len() as u64,
                pairs,
                precision: Proportion::weighted(&taken, pairs as u64, confidence).and_then(|p| p.wilson),
                recall: (truths > 0.0).then(|| found / truths),
                flips,
            }
        })
        .collect()
}
