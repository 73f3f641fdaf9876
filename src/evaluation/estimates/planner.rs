//! How many more labels for an interval as narrow as that?
//!
//! Labels are added one by one, each to the stratum where it takes most of the variance, as if further labels came out
//! like those there are. The answer is a plan, not a promise.

use serde::Serialize;

use super::frame::{Frame, Unsure};
use super::proportion::{Cell, headline};

/// Labels that are planned at most.
const MOST: u64 = 20_000;

/// What is left to label for a configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// Half of the width of the interval now.
    pub now: f64,
    /// Half of the width that is wanted.
    pub wanted: f64,
    /// Half of the width to be expected after the plan.
    pub then: f64,
    /// Labels to add: stratum and number, most first.
    pub more: Vec<(String, u64)>,
}

impl Plan {
    /// The plan for the precision of configuration c to be known to ± `wanted`. `None` without labels.
    pub fn new(frame: &Frame, c: usize, unsure: Unsure, wanted: f64, confidence: f64) -> Option<Self> {
        let mut cells: Vec<Cell> = frame.cells(&frame.found_by(c), true, unsure);
        let width = |cells: &[Cell]| headline(cells, confidence).map(|interval| interval.half_width());
        let now = width(&cells)?;
        let shares: Vec<f64> = cells.iter().map(share).collect();
        let (mut then, mut added, mut yes) = (now, vec![0; cells.len()], vec![0.0; cells.len()]);
        for _ in 0..MOST {
            if then <= wanted {
                break;
            }
            let Some(h) = best(&cells, &shares) else { break };
            let cell = &mut cells[h];
            (cell.labelled, added[h], yes[h]) = (cell.labelled + 1, added[h] + 1, yes[h] + shares[h]);
            // Whole true labels as their share comes up.
            if yes[h] >= 0.5 {
                (cell.yes, yes[h]) = (cell.yes + 1, yes[h] - 1.0);
            }
            then = width(&cells)?;
        }
        let names = frame.strata.iter().map(|stratum| stratum.name.clone());
        let mut more: Vec<(String, u64)> = names.zip(added).filter(|(_, n)| *n > 0).collect();
        more.sort_by_key(|stratum| std::cmp::Reverse(stratum.1));
        Some(Self { now, wanted, then, more })
    }

    /// Labels to add in all.
    pub fn total(&self) -> u64 {
        self.more.iter().map(|(_, n)| n).sum()
    }

    /// In words: `label 23 more pairs (jaccard 0.7-0.8: 20, jaccard 0.8-0.9: 3) for ±2.0 points`.
    pub fn sentence(&self) -> String {
        let points = |x: f64| format!("±{:.1} points", 100.0 * x);
        if self.more.is_empty() {
            return format!("{} now", points(self.now));
        }
        let each: Vec<String> = self.more.iter().map(|(name, n)| format!("{name}: {n}")).collect();
        let strata =
            if each.len() == 1 { format!(" of {}", self.more[0].0) } else { format!(" ({})", each.join(", ")) };
        let ending = if self.then > self.wanted { ", as far as it goes" } else { "" };
        format!("label {} more pairs{strata} for {}{ending}", self.total(), points(self.then.max(self.wanted)))
    }
}

/// What share of a cell is expected to be true.
fn share(cell: &Cell) -> f64 {
    (cell.yes as f64 + 1.0) / (cell.labelled as f64 + 2.0)
}

/// The cell where one more label takes most of the variance.
fn best(cells: &[Cell], shares: &[f64]) -> Option<usize> {
    let gain = |h: usize| {
        let (n, all, p) = (cells[h].labelled as f64, cells[h].population as f64, shares[h]);
        let variance = |n: f64| all * all * (1.0 - n / all) * p * (1.0 - p) / n.max(0.5);
        variance(n) - variance(n + 1.0)
    };
    let open = (0..cells.len()).filter(|&h| cells[h].labelled < cells[h].population);
    open.max_by(|&a, &b| gain(a).total_cmp(&gain(b)).then(b.cmp(&a)))
}
