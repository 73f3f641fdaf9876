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
    /// Pairs that are taken.
    pub pairs: u64,
    /// Precision of what is taken.
    pub precision: Option<Interval>,
    /// Share of the true pairs of the sample's pool (and audit) that is taken.
    pub recall: Option<Interval>,
    /// Labelled pairs that were taken one step before.
    pub flips: Vec<Flip>,
}

/// The cut-offs: 0, 0.05, …, 1.
pub fn steps() -> impl Iterator<Item = f64> {
    (0..=20).map(|i| f64::from(i) / 20.0)
}

/// Pairs that are taken at each of the [`steps`], given the similarities of all.
pub fn taken(scores: impl Iterator<Item = f64>) -> Vec<u64> {
    let edges: Vec<f64> = steps().collect();
    let mut counts = vec![0; edges.len()];
    for score in scores {
        // Those below the first edge are in none.
        if let Some(last) = edges.partition_point(|edge| *edge <= score).checked_sub(1) {
            counts[last] += 1;
        }
    }
    for i in (1..counts.len()).rev() {
        counts[i - 1] += counts[i];
    }
    counts
}

/// The rail of configuration c. `score` gives the similarity of the pair at a place of the sample, `pairs` how many of the
/// configuration's are [`taken`].
pub fn rail(
    frame: &Frame,
    c: usize,
    score: &dyn Fn(usize) -> f64,
    pairs: &[u64],
    (unsure, confidence): (Unsure, f64),
) -> Vec<Cut> {
    let labels: Vec<(f64, bool, Flip)> = frame
        .weights(unsure)
        .into_iter()
        .map(|(drawn, truth, weight)| {
            let flip = Flip { place: drawn.place, score: score(drawn.place), truth };
            (weight, drawn.found >> c & 1 == 1, flip)
        })
        .collect();
    let mine = || labels.iter().filter(|(_, found, _)| *found);
    let share =
        |of: &[(f64, bool)], population| Proportion::weighted(of, population, confidence).and_then(|p| p.wilson);
    let mut before = f64::NEG_INFINITY;
    steps()
        .zip(pairs)
        .map(|(at, &pairs)| {
            let is_taken = |flip: &Flip| flip.score >= at;
            let taken: Vec<(f64, bool)> =
                mine().filter(|(.., flip)| is_taken(flip)).map(|(weight, _, flip)| (*weight, flip.truth)).collect();
            let truths: Vec<(f64, bool)> = labels
                .iter()
                .filter(|(.., flip)| flip.truth)
                .map(|(weight, found, flip)| (*weight, *found && is_taken(flip)))
                .collect();
            let flips = mine().filter(|(.., flip)| flip.score >= before && !is_taken(flip));
            let flips = flips.map(|(.., flip)| flip.clone()).collect();
            before = at;
            Cut {
                at,
                labelled: taken.len() as u64,
                pairs,
                precision: share(&taken, pairs),
                recall: share(&truths, truths.iter().map(|truth| truth.0).sum::<f64>() as u64),
                flips,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_from_each_step_on() {
        let counts = taken([0.0, 0.04, 0.05, 0.5, 0.999, 1.0].into_iter());
        assert_eq!(
            (counts.len(), counts[0], counts[1], counts[2], counts[10], counts[11], counts[20]),
            (21, 6, 4, 3, 3, 2, 1)
        );
    }
}
