//! How many of the true pairs does a configuration find?
//!
//! Σ true found / Σ true, both estimated from the parts of all strata: what the configuration found, what it missed within
//! the pool, what everyone missed. The interval of recall follows from those of the three totals ([`super::mover`]). That of
//! F comes from labels drawn again ([`Redrawn`]).
//!
//! *Within the pool* the pairs that any configuration of the sample found are all there is. With an audit, pairs that
//! none found count too. The bound is exact: as few true pairs found, and as many not found, as the labels do not refute.

use serde::Serialize;

use super::finite::truths;
use super::frame::{Frame, Unsure};
use super::mover::{Reach, solution};
use super::proportion::{Cell, design};
use super::redrawn::Redrawn;
use crate::base::interval::Interval;
use crate::base::random::{Bootstrap, Random};

/// What is estimated about the recall of a configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Recall {
    /// Share of the true pairs of the pool; none when the sample is of this configuration alone.
    pub pool: Option<Interval>,
    /// Share of all true pairs, those that none found included; only with an audit.
    pub all: Option<Interval>,
    /// It is at least this with the confidence asked for; only with an audit.
    pub at_least: Option<f64>,
    /// F of precision and the wider of the two recalls.
    pub f1: Option<Interval>,
}

/// Something of the three parts: what a configuration found, missed within the pool, and missed with everyone.
struct Parts<T> {
    found: T,
    pool: T,
    nobody: T,
}

impl<T> Parts<T> {
    fn map<U>(&self, mut of: impl FnMut(&T) -> U) -> Parts<U> {
        Parts { found: of(&self.found), pool: of(&self.pool), nobody: of(&self.nobody) }
    }
}

impl Parts<Vec<Cell>> {
    fn new(frame: &Frame, c: usize, unsure: Unsure) -> Self {
        let (found, missed) = (frame.cells(c, true, unsure), frame.cells(c, false, unsure));
        let of = |audit: bool| {
            let cells = missed.iter().zip(&frame.strata).filter(|(_, stratum)| stratum.audit == audit);
            cells.map(|(cell, _)| *cell).filter(|cell| cell.population > 0).collect()
        };
        let found = found.into_iter().filter(|cell| cell.population > 0).collect();
        Self { found, pool: of(false), nobody: of(true) }
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.found.iter().chain(&self.pool).chain(&self.nobody)
    }

    fn labelled(&self) -> u64 {
        self.cells().map(|cell| cell.labelled).sum()
    }
}

fn population(cells: &[Cell]) -> f64 {
    cells.iter().map(|cell| cell.population).sum::<u64>() as f64
}

/// True pairs of some cells; without a label none are expected, and any number is possible.
fn total(cells: &[Cell], confidence: f64) -> Interval {
    let all = population(cells);
    design(cells, confidence).map_or(Interval { value: 0.0, low: 0.0, high: all }, |share| share.times(all))
}

fn share(part: f64, rest: f64) -> Option<f64> {
    (part + rest > 0.0).then(|| part / (part + rest))
}

/// Harmonic mean of precision and recall: true found by the mean of all found and all true.
fn f1(found: f64, missed: f64, population: f64) -> Option<f64> {
    let sum = population + found + missed;
    (sum > 0.0).then(|| 2.0 * found / sum)
}

impl Recall {
    /// Of configuration c.
    pub fn new(frame: &Frame, c: usize, unsure: Unsure, bootstrap: &Bootstrap) -> Self {
        let parts = Parts::new(frame, c, unsure);
        let audit = parts.nobody.iter().any(|cell| cell.labelled > 0);
        let pooled = frame.configurations.len() > 1;
        if frame.documents || parts.labelled() == 0 || !(audit || pooled) {
            return Self::default();
        }
        let totals = parts.map(|cells| total(cells, bootstrap.confidence));
        let missed: &[Interval] = &[totals.pool, totals.nobody];
        let recall = |missed: &[Interval]| {
            let value = share(totals.found.value, missed.iter().map(|total| total.value).sum())?;
            let terms = |x: f64| missed.iter().map(move |total| (-x, *total)).chain([(1.0 - x, totals.found)]);
            solution(value, [0.0, 1.0], |x| Reach::new(terms(x)))
        };
        Self {
            pool: recall(&missed[..1]).filter(|_| pooled),
            all: recall(missed).filter(|_| audit),
            at_least: audit.then(|| bound(&parts, bootstrap.confidence)),
            f1: harmonic(&parts, &totals, audit, bootstrap),
        }
    }
}

/// F, by labels drawn again. Parts without a label are at their worst in the lower end and at their best in the upper one.
fn harmonic(
    parts: &Parts<Vec<Cell>>,
    totals: &Parts<Interval>,
    audit: bool,
    bootstrap: &Bootstrap,
) -> Option<Interval> {
    let all = population(&parts.found);
    let missed = |pool: f64, nobody: f64| if audit { pool + nobody } else { pool };
    let value = f1(totals.found.value, missed(totals.pool.value, totals.nobody.value), all)?;
    let again = parts.map(|cells| Redrawn::of(cells));
    let draws = bootstrap.replicates(|random: &mut Random| {
        let drawn = again.map(|cells| cells.iter().map(|cell| cell.draw(random)).sum::<f64>());
        (drawn.found, missed(drawn.pool, drawn.nobody))
    });
    let open =
        parts.map(|cells| cells.iter().filter(|cell| cell.labelled == 0).map(|cell| cell.population as f64).sum());
    let unknown = missed(open.pool, open.nobody);
    let worst = bootstrap.interval(value, draws.iter().map(|(found, missed)| f1(*found, missed + unknown, all)))?;
    let best = bootstrap.interval(value, draws.iter().map(|(found, missed)| f1(found + open.found, *missed, all)))?;
    Interval::new(value, worst.low, best.high)
}

/// The recall that the labels refute least of all: each part at its worst, so sure that all hold together.
fn bound(parts: &Parts<Vec<Cell>>, confidence: f64) -> f64 {
    let open = parts.cells().filter(|cell| cell.labelled < cell.population).count().max(1);
    let tail = (1.0 - confidence) / open as f64;
    let ends = |cell: &Cell| truths(cell.yes, cell.labelled, cell.population, tail);
    let found: u64 = parts.found.iter().map(|cell| ends(cell).0).sum();
    let missed: u64 = parts.pool.iter().chain(&parts.nobody).map(|cell| ends(cell).1).sum();
    share(found as f64, missed as f64).unwrap_or(0.0)
}
