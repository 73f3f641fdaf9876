//! What may the share of true pairs be, when some of each stratum are labelled?
//!
//! The estimate is Σ W_h p_h. Its variance is Σ W_h² (1−f_h) p_h(1−p_h)/(n_h−1), with f_h = n_h/N_h; a stratum with one
//! label, or whose labels are all alike, would seem to have none, so there (x+1)/(n+2) stands for p. The interval is
//! Wilson's at the *effective* size: that of the simple random sample with the same variance. In a single stratum this is
//! Wilson's own, and with the correction for a finite population it shrinks to nothing when all pairs are labelled.
//!
//! The conservative interval adds up exact ones ([`exact`]), each so sure that all hold together (Šidák); it never covers
//! less than it says.

use serde::Serialize;

use super::finite::exact;
use crate::base::interval::Interval;
use crate::base::random::Bootstrap;
use crate::evaluation::distributions::deviations;
use crate::evaluation::intervals::{clopper_pearson, jeffreys, wilson_effective};

/// A part of a population: its pairs, those with a label that decides, those labelled true.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cell {
    /// Pairs there are.
    pub population: u64,
    /// Of these labelled.
    pub labelled: u64,
    /// Of these true.
    pub yes: u64,
}

/// An estimated share with its intervals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proportion {
    /// Pairs that it is about.
    pub population: u64,
    /// Of these labelled.
    pub labelled: u64,
    /// Of these true, uncounted weights.
    pub yes: u64,
    /// Size of the simple random sample that would be as sure.
    pub effective: f64,
    /// Wilson's interval at the effective size, as if the pairs were drawn from endlessly many.
    pub wilson: Option<Interval>,
    /// The same with the correction for the finite population: what the design says about these very pairs.
    pub design: Option<Interval>,
    /// Never covers less than it says.
    pub conservative: Option<Interval>,
    /// Clopper and Pearson's, for a sample of one stratum.
    pub clopper_pearson: Option<Interval>,
    /// Jeffreys's; of several strata by draws, which stay below 1 where all labels of a stratum are true: in simulation it
    /// covered 88 % where a stratum was all true and had 8 labels.
    pub jeffreys: Option<Interval>,
    /// Share of the pairs that lie in strata without a label; the intervals allow them to be anything.
    pub uncovered: f64,
}

/// What is known of the mean over cells: the estimate, and effective sizes without and with finite populations.
struct Mean {
    value: f64,
    effective: f64,
    finite: f64,
}

fn mean(cells: &[Cell]) -> Mean {
    let all: u64 = cells.iter().map(|cell| cell.population).sum();
    let n: u64 = cells.iter().map(|cell| cell.labelled).sum();
    let (mut value, mut centre, mut variance, mut finite, mut smooth) = (0.0, 0.0, 0.0, 0.0, false);
    for cell in cells {
        let (size, weight) = (cell.labelled as f64, cell.population as f64 / all as f64);
        let p = cell.yes as f64 / size;
        let alike = cell.yes == 0 || cell.yes == cell.labelled;
        let q = if alike { (cell.yes as f64 + 1.0) / (size + 2.0) } else { p };
        let spread = q * (1.0 - q) / if alike { size } else { size - 1.0 };
        smooth |= alike;
        value += weight * p;
        centre += weight * q;
        variance += weight * weight * spread;
        finite += weight * weight * spread * (1.0 - size / cell.population as f64);
    }
    let single = centre * (1.0 - centre) * if smooth { 1.0 } else { n as f64 / (n as f64 - 1.0) };
    Mean { value, effective: single / variance, finite: single / finite }
}

impl Proportion {
    /// Of strata. `None` without labels. The seed decides the draws behind Jeffreys's interval of several strata.
    pub fn stratified(cells: &[Cell], bootstrap: &Bootstrap) -> Option<Self> {
        let confidence = bootstrap.confidence;
        let covered: Vec<Cell> = cells.iter().filter(|cell| cell.labelled > 0).copied().collect();
        let sum = |of: fn(&Cell) -> u64| cells.iter().map(of).sum::<u64>();
        let (population, labelled, yes) = (sum(|c| c.population), sum(|c| c.labelled), sum(|c| c.yes));
        if labelled == 0 {
            return None;
        }
        let uncovered = uncovered(cells);
        let Mean { value, effective, .. } = mean(&covered);
        let z = deviations(confidence);
        let widened = |interval: Option<Interval>| widen(interval?, uncovered);
        let alone = covered.len() == 1;
        Some(Self {
            population,
            labelled,
            yes,
            effective,
            wilson: widened(wilson_effective(value, effective, z)),
            design: design(cells, confidence),
            conservative: widened(conservative(&covered, confidence)),
            clopper_pearson: widened(clopper_pearson(yes, labelled, confidence).filter(|_| alone)),
            jeffreys: widened(if alone { jeffreys(yes, labelled, confidence) } else { posterior(&covered, bootstrap) }),
            uncovered,
        })
    }

    /// Of pairs with unequal weights (Hájek's ratio), without a correction for a finite population: of a document that is
    /// drawn one pair is drawn again, so chance remains when all documents are. `None` without labels.
    ///
    /// The effective size is the smaller of that of the residuals and that of the weights alone (Kish), so that labels
    /// that are all alike do not seem more than they are.
    pub fn weighted(labels: &[(f64, bool)], population: u64, confidence: f64) -> Option<Self> {
        let total: f64 = labels.iter().map(|(weight, _)| weight).sum();
        if labels.is_empty() || total <= 0.0 {
            return None;
        }
        let value = labels.iter().filter(|label| label.1).map(|label| label.0).sum::<f64>() / total;
        let squares = |of: &dyn Fn(bool) -> f64| {
            labels.iter().map(|(weight, yes)| (weight / total).powi(2) * of(*yes)).sum::<f64>()
        };
        let kish = 1.0 / squares(&|_| 1.0);
        let variance = squares(&|yes| (f64::from(u8::from(yes)) - value).powi(2));
        let effective = if variance > 0.0 { kish.min(value * (1.0 - value) / variance) } else { kish };
        let interval = wilson_effective(value, effective, deviations(confidence));
        Some(Self {
            population,
            labelled: labels.len() as u64,
            yes: labels.iter().filter(|label| label.1).count() as u64,
            effective,
            wilson: interval,
            design: interval,
            conservative: None,
            clopper_pearson: None,
            jeffreys: None,
            uncovered: 0.0,
        })
    }

    /// The estimate.
    pub fn value(&self) -> Option<f64> {
        self.design.map(|interval| interval.value)
    }
}

/// The share of pairs in cells without a label.
fn uncovered(cells: &[Cell]) -> f64 {
    let all: u64 = cells.iter().map(|cell| cell.population).sum();
    let known: u64 = cells.iter().filter(|cell| cell.labelled > 0).map(|cell| cell.population).sum();
    1.0 - known as f64 / all as f64
}

/// The estimate with the interval of the design alone, at the cost of a few divisions. `None` without labels.
pub fn design(cells: &[Cell], confidence: f64) -> Option<Interval> {
    let covered: Vec<Cell> = cells.iter().filter(|cell| cell.labelled > 0).copied().collect();
    if covered.is_empty() {
        return None;
    }
    let Mean { value, finite, .. } = mean(&covered);
    widen(wilson_effective(value, finite, deviations(confidence))?, uncovered(cells))
}

/// The interval for all, when it is known for all but a share, and that may be anything.
fn widen(interval: Interval, uncovered: f64) -> Option<Interval> {
    let known = 1.0 - uncovered;
    Interval::new(interval.value, known * interval.low, (known * interval.high + uncovered).min(1.0))
}

fn conservative(cells: &[Cell], confidence: f64) -> Option<Interval> {
    let all: u64 = cells.iter().map(|cell| cell.population).sum();
    // A stratum that is labelled to its last pair leaves nothing to chance.
    let open = cells.iter().filter(|cell| cell.labelled < cell.population).count().max(1);
    let each = confidence.powf(1.0 / open as f64);
    let (mut value, mut low, mut high) = (0.0, 0.0, 0.0);
    for cell in cells {
        let weight = cell.population as f64 / all as f64;
        let interval = exact(cell.yes, cell.labelled, cell.population, each)?;
        value += weight * interval.value;
        low += weight * interval.low;
        high += weight * interval.high;
    }
    Interval::new(value, low, high)
}

/// Draws from Jeffreys's posterior of every stratum, added up.
fn posterior(cells: &[Cell], bootstrap: &Bootstrap) -> Option<Interval> {
    let all: u64 = cells.iter().map(|cell| cell.population).sum();
    let weight = |cell: &Cell| cell.population as f64 / all as f64;
    let value = cells.iter().map(|cell| weight(cell) * cell.yes as f64 / cell.labelled as f64).sum();
    let replicates = bootstrap.replicates(|random| {
        let share = |cell: &Cell| random.beta(cell.yes as f64 + 0.5, (cell.labelled - cell.yes) as f64 + 0.5);
        Some(cells.iter().map(weight).zip(cells.iter().map(share).collect::<Vec<_>>()).map(|(w, p)| w * p).sum::<f64>())
    });
    bootstrap.interval(value, replicates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::intervals::wilson;

    fn cell(population: u64, labelled: u64, yes: u64) -> Cell {
        Cell { population, labelled, yes }
    }

    fn of(cells: &[Cell]) -> Proportion {
        Proportion::stratified(cells, &Bootstrap::default()).unwrap()
    }

    #[test]
    fn one_stratum_is_wilson_itself() {
        for (yes, n) in [(95, 100), (0, 100), (100, 100), (1, 1), (3, 7)] {
            let (ours, plain) = (of(&[cell(1_000_000_000, n, yes)]).wilson.unwrap(), wilson(yes, n, 0.95).unwrap());
            assert!((ours.low - plain.low).abs() < 1e-12 && (ours.high - plain.high).abs() < 1e-12, "{yes} of {n}");
        }
        let all = of(&[cell(100, 100, 95)]);
        assert_eq!(all.design, Interval::new(0.95, 0.95, 0.95), "nothing is left to chance");
        assert!(all.wilson.unwrap().half_width() > 0.04, "had there been endlessly many");
        assert_eq!(Proportion::stratified(&[cell(10, 0, 0)], &Bootstrap::default()), None);
    }

    #[test]
    fn the_variance_is_that_of_the_formula() {
        let cells = [cell(800, 40, 36), cell(200, 20, 5)];
        let ours = of(&cells);
        let p = 0.8 * 0.9 + 0.2 * 0.25;
        assert!((ours.value().unwrap() - p).abs() < 1e-12);
        let variance = 0.64 * 0.95 * 0.9 * 0.1 / 39.0 + 0.04 * 0.9 * 0.25 * 0.75 / 19.0;
        let effective = p * (1.0 - p) * 60.0 / 59.0 / variance;
        let expected = wilson_effective(p, effective, deviations(0.95)).unwrap();
        assert!((ours.design.unwrap().low - expected.low).abs() < 1e-12);
        let wide = ours.conservative.unwrap();
        let design = ours.design.unwrap();
        assert!(wide.low < design.low && wide.high > design.high);
        let bayes = ours.jeffreys.unwrap();
        assert!((bayes.low - ours.wilson.unwrap().low).abs() < 0.02, "{bayes:?}");
    }

    #[test]
    fn strata_without_a_label_may_be_anything() {
        let part = of(&[cell(900, 50, 50), cell(100, 0, 0)]);
        assert!((part.uncovered - 0.1).abs() < 1e-12);
        let design = part.design.unwrap();
        assert!(design.low < 0.9 && design.high == 1.0, "{design:?}");
    }

    #[test]
    fn equal_weights_are_a_simple_sample() {
        let labels: Vec<(f64, bool)> = (0..100).map(|i| (7.0, i < 95)).collect();
        let ours = Proportion::weighted(&labels, 700, 0.95).unwrap();
        let plain = wilson(95, 100, 0.95).unwrap();
        assert!((ours.wilson.unwrap().low - plain.low).abs() < 1e-12);
        let mut skewed = labels.clone();
        skewed[0].0 = 700.0;
        let skewed = Proportion::weighted(&skewed, 1400, 0.95).unwrap();
        assert!(skewed.effective < 5.0, "one label stands for half: {}", skewed.effective);
        assert_eq!(Proportion::weighted(&[], 10, 0.95), None);
    }
}
