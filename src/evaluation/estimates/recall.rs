//! How many of the true pairs does a configuration find?
//!
//! Σ true found / Σ true, both estimated from the parts of all strata: what the configuration found, what it missed within
//! the pool, what everyone missed. The intervals of recall and of F follow from those of the three totals ([`super::mover`]):
//! recall x solves (1−x)·A − x·B = 0 with A true pairs found and B missed, F solves (2−x)·A − x·B − x·N = 0 with N pairs
//! found.
//!
//! *Within the pool* the pairs that any configuration found are all there is. With an audit, pairs that none found count too.
//! Some of its strata are *far*: so large that labels alone cannot bound their true pairs. As long as no label of one is true,
//! recall and F take what the configuration missed of it to hold none, and say so. What it found there is estimated as precision
//! estimates it, so that F is the harmonic mean of precision and recall. The bound takes nothing for granted: it is exact, with as few true pairs found, and as many
//! not found, as the labels do not refute.

use serde::Serialize;

use super::finite::truths;
use super::frame::{Domain, Drawn, Frame, Units, Unsure};
use super::mover::{Reach, Total, solution};
use super::proportion::{Cell, total};
use dejaview_base::interval::Interval;

/// What is estimated about the recall of a configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Recall {
    /// Share of the true pairs of the pool; none when the pool has no other pairs than these.
    pub pool: Option<Interval>,
    /// Share of all true pairs, those that none found included; only with an audit.
    pub all: Option<Interval>,
    /// It is at least this with the confidence asked for; only with an audit.
    pub at_least: Option<f64>,
    /// F of precision and the wider of the two recalls.
    pub f1: Option<Interval>,
    /// What recall and F take for granted, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumes: Option<FarPairs>,
}

/// Far pairs that are taken to hold no true one, because no label says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FarPairs {
    pub pairs: u64,
    /// How many of them were looked at.
    pub labelled: u64,
}

/// The cells of what a configuration found, missed within the pool, and missed with everyone.
struct Parts {
    found: Vec<Cell>,
    pool: Vec<Cell>,
    nobody: Vec<Cell>,
    /// Missed, in strata that are taken to hold no true pair.
    far: Vec<Cell>,
    /// Pairs found, wherever they lie.
    pairs: f64,
}

impl Parts {
    fn new(frame: &Frame, domain: &Domain, unsure: Unsure) -> Self {
        let empty = frame.taken_for_empty(unsure);
        let of = |cells: &[Cell], is: &dyn Fn(bool, bool) -> bool| -> Vec<Cell> {
            let strata = cells.iter().zip(&frame.strata).zip(&empty);
            let cells = strata.filter(|((cell, stratum), empty)| cell.population > 0 && is(stratum.audit, **empty));
            cells.map(|((cell, _), _)| *cell).collect()
        };
        let (found, missed) = (frame.cells(domain, true, unsure), frame.cells(domain, false, unsure));
        Self {
            pairs: population(&found),
            pool: of(&missed, &|audit, empty| !audit && !empty),
            nobody: of(&missed, &|audit, empty| audit && !empty),
            far: of(&missed, &|_, empty| empty),
            found: of(&found, &|_, _| true),
        }
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.found.iter().chain(&self.pool).chain(&self.nobody).chain(&self.far)
    }

    /// Whether there is a label, and one of what was found, if anything was.
    fn is_labelled(&self) -> bool {
        let labelled = |cell: &Cell| cell.labelled > 0;
        self.cells().any(labelled) && (self.pairs == 0.0 || self.found.iter().any(labelled))
    }

    fn assumes(&self, frame: &Frame) -> Option<FarPairs> {
        let sum = |of: fn(&Cell) -> u64| self.far.iter().map(of).sum::<u64>();
        let far = FarPairs { pairs: sum(|cell| cell.population) / frame.larger(), labelled: sum(|cell| cell.labelled) };
        (far.pairs > 0).then_some(far)
    }
}

fn population(cells: &[Cell]) -> f64 {
    cells.iter().map(|cell| cell.population).sum::<u64>() as f64
}

fn share(part: f64, rest: f64) -> Option<f64> {
    (part + rest > 0.0).then(|| part / (part + rest))
}

/// The interval of the recall, given the true pairs found and missed.
fn recall(found: Total, missed: &[Total]) -> Option<Interval> {
    let value = share(found.chance.value, missed.iter().map(|total| total.chance.value).sum())?;
    let terms = |x: f64| missed.iter().map(move |total| (-x, *total)).chain([(1.0 - x, found)]);
    solution(value, [0.0, 1.0], |x| Reach::new(terms(x)))
}

/// The interval of F: true found by the mean of all found and all true.
fn harmonic(found: Total, missed: &[Total], pairs: f64) -> Option<Interval> {
    let all = pairs + found.chance.value + missed.iter().map(|total| total.chance.value).sum::<f64>();
    let value = (all > 0.0).then(|| 2.0 * found.chance.value / all)?;
    let terms = |x: f64| missed.iter().map(move |total| (-x, *total)).chain([(2.0 - x, found)]);
    solution(value, [0.0, 1.0], |x| Reach::new(terms(x)).plus(-x * pairs))
}

impl Recall {
    /// Recall of a domain: the pairs that a configuration found, or those of them at or above a cut-off.
    pub fn new(frame: &Frame, domain: &Domain, unsure: Unsure, confidence: f64) -> Self {
        let parts = Parts::new(frame, domain, unsure);
        let audited = |drawn: &Drawn| frame.strata[drawn.stratum].audit && unsure.truth(drawn.consensus).is_some();
        let audit = frame.drawn.iter().any(audited);
        // Of a single configuration the pool is what it found, and its recall there would be 1 by construction.
        let pooled = frame.drawn_from.count_ones() > 1 || !parts.pool.is_empty();
        if frame.units != Units::Pairs || !parts.is_labelled() || !(audit || pooled) {
            return Self::default();
        }
        let found = total(&parts.found, confidence);
        let missed = [total(&parts.pool, confidence), total(&parts.nobody, confidence)];
        let counted = if audit { &missed[..] } else { &missed[..1] };
        Self {
            pool: recall(found, &missed[..1]).filter(|_| pooled),
            all: recall(found, &missed).filter(|_| audit),
            at_least: audit.then(|| bound(&parts, confidence)),
            f1: harmonic(found, counted, parts.pairs),
            assumes: parts.assumes(frame),
        }
    }

    /// The share of all true pairs, where there is an audit, else of those of the pool.
    pub fn widest(&self) -> Option<Interval> {
        self.all.or(self.pool)
    }
}

/// The recall that the labels refute least of all: each part at its worst, so sure that all hold together; pairs in doubt
/// count against it.
fn bound(parts: &Parts, confidence: f64) -> f64 {
    let open = parts.cells().filter(|cell| cell.labelled + cell.doubtful < cell.population).count().max(1);
    let tail = (1.0 - confidence) / open as f64;
    let least = |cell: &Cell| truths(cell.yes, cell.labelled + cell.doubtful, cell.population, tail).0;
    let most = |cell: &Cell| truths(cell.yes + cell.doubtful, cell.labelled + cell.doubtful, cell.population, tail).1;
    let found: u64 = parts.found.iter().map(least).sum();
    let missed: u64 = parts.pool.iter().chain(&parts.nobody).chain(&parts.far).map(most).sum();
    share(found as f64, missed as f64).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimates::hypergeometric;

    fn of(value: f64, low: f64, high: f64) -> Total {
        Interval::new(value, low, high).unwrap().into()
    }

    #[test]
    fn f_of_known_numbers_is_known() {
        // 30 of 40 found are true, 10 were missed: precision 0.75, recall 0.75.
        let ours = harmonic(of(30.0, 30.0, 30.0), &[of(10.0, 10.0, 10.0)], 40.0).unwrap();
        assert!((ours.value - 0.75).abs() < 1e-12 && ours.half_width() < 1e-9, "{ours:?}");
        let none = harmonic(of(0.0, 0.0, 5.0), &[of(0.0, 0.0, 0.0)], 40.0).unwrap();
        assert!(none.value == 0.0 && none.low == 0.0 && none.high > 0.1, "{none:?}");
    }

    /// Of 1,000 pairs a configuration found 970, of which 873 are true, and missed 30 that all are; 20 are labelled. In most
    /// samples nobody has looked at one of the 30.
    #[test]
    fn a_part_that_nobody_looked_at_may_be_anything_beside_chance() {
        let (true_found, false_found, missed, n) = (873u64, 97u64, 30u64, 20u64);
        let truth = true_found as f64 / (true_found + missed) as f64;
        let mut covered = 0.0;
        for others in 0..=n {
            let chance = hypergeometric(others, n, missed, true_found + false_found + missed);
            for yes in 0..=n - others {
                let chance = chance * hypergeometric(yes, n - others, true_found, true_found + false_found);
                let cell = |population, labelled, yes| Cell { population, labelled, yes, doubtful: 0 };
                let found = total(&[cell(true_found + false_found, n - others, yes)], 0.95);
                let ours = recall(found, &[total(&[cell(missed, others, others)], 0.95)]);
                covered += if ours.is_none_or(|ours| ours.contains(truth)) { chance } else { 0.0 };
            }
        }
        assert!(covered >= 0.95, "{covered}");
    }

    #[test]
    fn f_moves_with_every_part() {
        let (found, missed) = (of(30.0, 25.0, 34.0), of(10.0, 4.0, 20.0));
        let ours = harmonic(found, &[missed], 40.0).unwrap();
        assert!(ours.low < 0.75 && ours.high > 0.75, "{ours:?}");
        let surer = harmonic(found, &[of(10.0, 9.0, 11.0)], 40.0).unwrap();
        assert!(surer.low > ours.low && surer.high < ours.high, "{surer:?}");
    }
}
