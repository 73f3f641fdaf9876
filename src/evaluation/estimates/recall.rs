//! How many of the true pairs does a configuration find?
//!
//! Σ true found / Σ true, both estimated. Of each part of a stratum (found by the configuration, and not) the number of
//! true pairs is x and what N−n trials with p give, p drawn from Jeffreys's posterior for x of n: a part in which no true
//! pair has been seen may hold some all the same. The middle of these draws is the interval; F is the harmonic mean within each draw.
//!
//! *Within the pool* the pairs that any configuration of the sample found are all there is. With an audit, pairs that
//! none found count too. The bound is exact: as few true pairs found, and as many not found, as the labels do not refute.

use serde::Serialize;

use super::finite::truths;
use super::frame::{Frame, Unsure};
use super::proportion::Cell;
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

/// True pairs that a configuration found, missed within the pool, and missed with everyone.
#[derive(Debug, Clone, Copy)]
struct Totals {
    found: f64,
    pool: f64,
    nobody: f64,
}

/// The parts of all strata.
struct Parts {
    found: Vec<Cell>,
    pool: Vec<Cell>,
    nobody: Vec<Cell>,
}

impl Parts {
    fn new(frame: &Frame, c: usize, unsure: Unsure) -> Self {
        let (found, missed) = (frame.cells(c, true, unsure), frame.cells(c, false, unsure));
        let of = |audit: bool| {
            let cells = missed.iter().zip(&frame.strata).filter(|(_, stratum)| stratum.audit == audit);
            cells.map(|(cell, _)| *cell).filter(|cell| cell.population > 0).collect()
        };
        let found = found.into_iter().filter(|cell| cell.population > 0).collect();
        Self { found, pool: of(false), nobody: of(true) }
    }

    fn totals(&self, mut of: impl FnMut(&Cell) -> f64) -> Totals {
        let mut sum = |cells: &[Cell]| cells.iter().map(&mut of).sum();
        Totals { found: sum(&self.found), pool: sum(&self.pool), nobody: sum(&self.nobody) }
    }

    fn labelled(&self) -> u64 {
        self.found.iter().chain(&self.pool).chain(&self.nobody).map(|cell| cell.labelled).sum()
    }
}

fn expected(cell: &Cell) -> f64 {
    if cell.labelled == 0 { 0.0 } else { cell.population as f64 * cell.yes as f64 / cell.labelled as f64 }
}

fn drawn(cell: &Cell, random: &mut Random) -> f64 {
    let p = random.beta(cell.yes as f64 + 0.5, (cell.labelled - cell.yes) as f64 + 0.5);
    cell.yes as f64 + successes(cell.population.saturating_sub(cell.labelled), p, random)
}

/// Successes in so many trials; of many trials by the normal distribution.
fn successes(trials: u64, p: f64, random: &mut Random) -> f64 {
    if trials <= 64 {
        return (0..trials).filter(|_| random.unit() < p).count() as f64;
    }
    let trials = trials as f64;
    (trials * p + random.normal() * (trials * p * (1.0 - p)).sqrt()).clamp(0.0, trials)
}

fn share(part: f64, rest: f64) -> Option<f64> {
    (part + rest > 0.0).then(|| part / (part + rest))
}

/// Harmonic mean of precision and recall: true found by the mean of all found and all true.
fn f1(totals: &Totals, population: f64, all: bool) -> Option<f64> {
    let truths = totals.found + totals.pool + if all { totals.nobody } else { 0.0 };
    (population + truths > 0.0).then(|| 2.0 * totals.found / (population + truths))
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
        let population = parts.found.iter().map(|cell| cell.population).sum::<u64>() as f64;
        let point = parts.totals(expected);
        let replicates = bootstrap.replicates(|random| parts.totals(|cell| drawn(cell, random)));
        let interval = |of: &dyn Fn(&Totals) -> Option<f64>| bootstrap.interval(of(&point)?, replicates.iter().map(of));
        Self {
            pool: interval(&|t| share(t.found, t.pool)).filter(|_| pooled),
            all: interval(&|t| share(t.found, t.pool + t.nobody)).filter(|_| audit),
            at_least: audit.then(|| bound(&parts, bootstrap.confidence)),
            f1: interval(&|t| f1(t, population, audit)),
        }
    }
}

/// The recall that the labels refute least of all: each part at its worst, so sure that all hold together.
fn bound(parts: &Parts, confidence: f64) -> f64 {
    let all = [&parts.found, &parts.pool, &parts.nobody];
    let open = all.iter().flat_map(|cells| cells.iter()).filter(|cell| cell.labelled < cell.population).count().max(1);
    let tail = (1.0 - confidence) / open as f64;
    let ends = |cell: &Cell| truths(cell.yes, cell.labelled, cell.population, tail);
    let found: u64 = parts.found.iter().map(|cell| ends(cell).0).sum();
    let missed: u64 = parts.pool.iter().chain(&parts.nobody).map(|cell| ends(cell).1).sum();
    share(found as f64, missed as f64).unwrap_or(0.0)
}
