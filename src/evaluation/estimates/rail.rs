//! What if only pairs from some similarity on were taken? Precision and recall as the cut-off moves, and the labelled
//! pairs that change sides at each step.
//!
//! What is taken at a cut-off is a [`Domain`] like any other, so these are the numbers of the tables: at the lowest cut-off
//! they are those of the configuration itself.

use serde::Serialize;

use super::Shares;
use super::frame::{Domain, Frame, Units, Unsure};
use dejaview_base::interval::Interval;

/// A pair that is taken below a cut-off and not from it on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flip {
    /// Its place in the sample.
    pub place: usize,
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
    /// Share of all true pairs that is taken, with an audit; else of those of the sample's pool.
    pub recall: Option<Interval>,
    /// Labelled pairs that were taken one step before.
    pub flips: Vec<Flip>,
}

/// The cut-offs: 0, 0.05, …, 1.
pub fn steps() -> impl Iterator<Item = f64> {
    (0..=20).map(|i| f64::from(i) / 20.0)
}

/// Pairs of each stratum that are taken at each of the [`steps`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenPairs {
    /// By step, then stratum.
    counts: Vec<Vec<u64>>,
}

impl TakenPairs {
    /// Counts the pairs of a configuration in this many strata. Each item is a stratum, a similarity, and the number of
    /// pairs that have both.
    pub fn new(strata: usize, pairs: impl Iterator<Item = (usize, f64, u64)>) -> Self {
        let edges: Vec<f64> = steps().collect();
        let mut counts = vec![vec![0; strata]; edges.len()];
        for (stratum, score, count) in pairs {
            // Those below the first edge are in none.
            if let Some(last) = edges.partition_point(|edge| *edge <= score).checked_sub(1) {
                counts[last][stratum] += count;
            }
        }
        for i in (1..counts.len()).rev() {
            let above = counts[i].clone();
            counts[i - 1].iter_mut().zip(above).for_each(|(here, more)| *here += more);
        }
        Self { counts }
    }
}

/// The rail of configuration c. `score` gives the similarity of the pair at a place of the sample.
pub fn rail(
    frame: &Frame,
    c: usize,
    score: &dyn Fn(usize) -> f64,
    taken: &TakenPairs,
    unsure: Unsure,
    confidence: f64,
) -> Vec<Cut> {
    let scores: Vec<f64> = frame.drawn.iter().map(|drawn| score(drawn.place)).collect();
    let found = frame.found_by(c);
    let mut before = f64::NEG_INFINITY;
    let mut cuts: Vec<Cut> = Vec::new();
    for (at, population) in steps().zip(&taken.counts) {
        let includes: Vec<bool> =
            found.includes.iter().zip(&scores).map(|(mine, score)| *mine && *score >= at).collect();
        let domain = Domain { population: population.clone(), includes };
        let shares = Shares::new(frame, &domain, unsure, confidence);
        let recall = shares.recall.or_else(|| all_taken(frame, population));
        let labelled = frame.cells(&domain, true, unsure).iter().map(|cell| cell.labelled).sum();
        let flips = frame.drawn.iter().zip(&scores).zip(&found.includes);
        let flips = flips.filter(|((_, score), mine)| **mine && **score >= before && **score < at);
        let flip = |((drawn, score), _): ((&super::Drawn, &f64), &bool)| {
            Some(Flip { place: drawn.place, score: *score, truth: unsure.truth(drawn.consensus)? })
        };
        cuts.push(Cut {
            at,
            labelled,
            pairs: population.iter().sum(),
            precision: shares.precision,
            recall: recall.map(|recall| no_more(recall, cuts.last())),
            flips: flips.filter_map(flip).collect(),
        });
        before = at;
    }
    cuts
}

/// What is taken at a higher cut-off is part of what was taken before, so no more of the true pairs can be in it. Estimates of
/// parts that are cut differently could say otherwise by a little.
fn no_more(recall: Interval, before: Option<&Cut>) -> Interval {
    let most = before.and_then(|cut| cut.recall).map_or(1.0, |recall| recall.value);
    let value = recall.value.min(most);
    Interval { value, low: recall.low.min(value), ..recall }
}

/// Where nothing of the pool is left out, all its true pairs are taken, however many there are.
fn all_taken(frame: &Frame, population: &[u64]) -> Option<Interval> {
    let pool = || frame.strata.iter().zip(population).filter(|(stratum, _)| !stratum.audit);
    let all = frame.units == Units::Pairs && pool().all(|(stratum, taken)| *taken == stratum.population);
    Interval::new(1.0, 1.0, 1.0).filter(|_| all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_from_each_step_on_in_their_stratum() {
        let scores = [(0, 0.0), (1, 0.04), (0, 0.05), (0, 0.5), (1, 0.999), (0, 1.0)];
        let taken = TakenPairs::new(2, scores.into_iter().map(|(stratum, score)| (stratum, score, 1)));
        let at = |step: usize| (taken.counts[step][0], taken.counts[step][1]);
        assert_eq!([0, 1, 2, 10, 11, 20].map(at), [(4, 2), (3, 1), (2, 1), (2, 1), (1, 1), (1, 0)]);
    }
}
