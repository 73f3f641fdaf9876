//! How many more labels for an interval as narrow as that?
//!
//! First the pairs of the sample that nobody has labelled, in their order; then pairs that are drawn beside, each of the
//! stratum where it takes most of the variance (Neyman's allocation, [`neyman`]). The width is that of the interval that
//! stands in front of every table ([`headline`]). Further labels are taken to come out less evenly than those there are: the
//! share of a stratum lies one standard error nearer to a half. So the plan is usually enough, and no promise.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;

use super::frame::{Frame, Said, Unsure};
use super::proportion::{Cell, headline};
use crate::evaluation::sample::{Need, neyman};

/// The part of the width wanted that is planned for: ends of intervals move in steps, and labels come out as they do.
pub(super) const MARGIN: f64 = 0.95;

/// Pairs that are planned at most.
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
    /// Pairs of the sample to label first, in their order, that nobody has labelled.
    pub left: u64,
    /// Pairs to draw and label beside: stratum and number, most first.
    pub more: Vec<(String, u64)>,
    /// What draws them.
    pub command: Option<String>,
}

/// Cells that labels are added to.
struct Growing {
    cells: Vec<Cell>,
    /// Share of true ones that further labels are expected to have.
    shares: Vec<f64>,
    /// Labels added, which need not be whole.
    added: Vec<f64>,
}

impl Growing {
    fn new(cells: Vec<Cell>) -> Self {
        let shares = cells.iter().map(cautious).collect();
        let added = vec![0.0; cells.len()];
        Self { cells, shares, added }
    }

    /// The cells with what has been added, in whole labels.
    fn grown(&self) -> Vec<Cell> {
        let grow = |h: usize| {
            let cell = self.cells[h];
            let more = (self.added[h].floor() as u64).min(cell.population - cell.labelled.min(cell.population));
            let yes = (more as f64 * self.shares[h]).round() as u64;
            Cell { labelled: cell.labelled + more, yes: cell.yes + yes, ..cell }
        };
        (0..self.cells.len()).map(grow).collect()
    }

    fn half_width(&self, confidence: f64) -> f64 {
        headline(&self.grown(), confidence).map_or(1.0, |interval| interval.half_width())
    }

    /// Adds the fewest of these steps, each so many labels of a cell, with which the interval is as narrow as wanted; all
    /// where none is enough. How many, and the half-width with them.
    fn reach(&mut self, steps: &[(usize, f64)], wanted: f64, confidence: f64) -> (usize, f64) {
        let start = self.added.clone();
        let mut after = |count: usize| {
            self.added.clone_from(&start);
            steps[..count].iter().for_each(|(h, labels)| self.added[*h] += labels);
            self.half_width(confidence)
        };
        let (mut low, mut high) = (0, steps.len());
        if after(high) <= wanted {
            while low < high {
                let middle = usize::midpoint(low, high);
                if after(middle) <= wanted { high = middle } else { low = middle + 1 }
            }
        }
        (high, after(high))
    }
}

impl Plan {
    /// The plan for the precision of configuration c to be known to ± `wanted`. `None` without labels.
    pub fn new(frame: &Frame, c: usize, unsure: Unsure, wanted: f64, confidence: f64) -> Option<Self> {
        let domain = frame.found_by(c);
        let mut growing = Growing::new(frame.cells(&domain, true, unsure));
        let now = headline(&growing.cells, confidence)?.half_width();
        let mut plan = Self { now, wanted, then: now, left: 0, more: Vec::new(), command: None };
        if now <= wanted {
            return Some(plan);
        }
        let open = frame.drawn.iter().zip(&domain.holds).filter(|(drawn, _)| drawn.said == Said::Nothing);
        let steps: Vec<(usize, f64)> =
            open.map(|(drawn, holds)| (drawn.stratum, f64::from(u8::from(*holds)))).collect();
        let (left, then) = growing.reach(&steps, MARGIN * wanted, confidence);
        (plan.left, plan.then) = (left as u64, then);
        if then <= MARGIN * wanted {
            return Some(plan);
        }
        let needs: Vec<Need> = (0..frame.strata.len()).map(|h| need(frame, &growing, h, &domain.population)).collect();
        let steps: Vec<(usize, f64)> = neyman(&needs, MOST).into_iter().map(|h| (h, needs[h].rate)).collect();
        let (count, then) = growing.reach(&steps, MARGIN * wanted, confidence);
        plan.then = then;
        let number = |h: usize| steps[..count].iter().filter(|(stratum, _)| *stratum == h).count() as u64;
        let all = frame.strata.iter().enumerate().map(|(h, stratum)| (stratum.name.clone(), number(h)));
        plan.more = all.filter(|(_, n)| *n > 0).collect();
        plan.more.sort_by_key(|stratum| std::cmp::Reverse(stratum.1));
        Some(plan)
    }

    /// Pairs to draw beside.
    pub fn drawn(&self) -> u64 {
        self.more.iter().map(|(_, n)| n).sum()
    }

    /// Labels to add in all.
    pub fn total(&self) -> u64 {
        self.left + self.drawn()
    }

    /// The same plan with the command that draws its pairs, of a sample of a study.
    #[must_use]
    pub fn commanded(mut self, study: &Path, sample: &str) -> Self {
        if self.more.is_empty() {
            return self;
        }
        let mut command = format!("dejaview sample {} --name {sample}", quoted(&study.display().to_string()));
        match &self.more[..] {
            [(all, n)] if all == "all" => _ = write!(command, " --extend {n}"),
            some => {
                for (stratum, n) in some {
                    _ = write!(command, " --stratum {}", quoted(&format!("{stratum}={n}")));
                }
            }
        }
        self.command = Some(command);
        self
    }

    /// In words: `label 23 more pairs (jaccard 0.7-0.8: 20, jaccard 0.8-0.9: 3), usually enough for ±2.0 points: dejaview
    /// sample …`.
    pub fn sentence(&self) -> String {
        let points = |x: f64| format!("±{:.1} points", 100.0 * x);
        if self.total() == 0 {
            return format!("{} now", points(self.now));
        }
        let pairs = |n: u64| if n == 1 { "pair" } else { "pairs" };
        let each: Vec<String> = self.more.iter().map(|(name, n)| format!("{name}: {n}")).collect();
        let strata = match &each[..] {
            [_] => format!(" of {}", self.more[0].0),
            _ => format!(" ({})", each.join(", ")),
        };
        let more = format!("{} more {}{strata}", self.drawn(), pairs(self.drawn()));
        let what = match (self.left, self.drawn()) {
            (left, 0) => format!("the next {left} {} of the sample", pairs(left)),
            (0, _) => more,
            (left, _) => format!("the {left} {} left of the sample and {more}", pairs(left)),
        };
        let enough = match self.then > self.wanted {
            true => format!("for {}, as far as it goes", points(self.then)),
            false => format!("usually enough for {}", points(self.wanted)),
        };
        let command = self.command.as_ref().map_or(String::new(), |command| format!("; `{command}` draws them"));
        format!("label {what}, {enough}{command}")
    }
}

/// What drawing a further pair of a stratum does for the estimate of the pairs in a domain.
fn need(frame: &Frame, growing: &Growing, h: usize, domain: &[u64]) -> Need {
    let (stratum, cell) = (&frame.strata[h], growing.cells[h]);
    Need {
        population: cell.population,
        labels: cell.labelled as f64 + growing.added[h],
        rate: domain[h] as f64 / stratum.population.max(1) as f64,
        share: Need::smoothed(cell.yes, cell.labelled),
        // A pair that counts nothing is not drawn.
        room: if domain[h] == 0 { 0 } else { stratum.population.saturating_sub(stratum.drawn) },
    }
}

/// The share of true ones among further labels of a cell: one standard error nearer to a half than those there are.
fn cautious(cell: &Cell) -> f64 {
    let share = Need::smoothed(cell.yes, cell.labelled);
    let error = (share * (1.0 - share) / (cell.labelled as f64 + 3.0)).sqrt();
    if share < 0.5 { (share + error).min(0.5) } else { (share - error).max(0.5) }
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=,:@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(left: u64, more: &[(&str, u64)], then: f64) -> Plan {
        let more = more.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
        Plan { now: 0.06, wanted: 0.02, then, left, more, command: None }
    }

    #[test]
    fn a_plan_in_words_with_its_command() {
        let two = plan(4, &[("jaccard 0.7-0.8", 20), ("it's", 3)], 0.02).commanded(Path::new("my study"), "s");
        assert_eq!(
            two.sentence(),
            "label the 4 pairs left of the sample and 23 more pairs (jaccard 0.7-0.8: 20, it's: 3), usually enough for \
             ±2.0 points; `dejaview sample 'my study' --name s --stratum 'jaccard 0.7-0.8=20' --stratum 'it'\\''s=3'` draws \
             them"
        );
        let simple = plan(0, &[("all", 1)], 0.03).commanded(Path::new("study"), "s");
        assert_eq!(
            simple.sentence(),
            "label 1 more pair of all, for ±3.0 points, as far as it goes; `dejaview sample study --name s --extend 1` draws \
             them"
        );
        let left = plan(7, &[], 0.02).commanded(Path::new("study"), "s");
        assert_eq!(left.sentence(), "label the next 7 pairs of the sample, usually enough for ±2.0 points");
        assert_eq!(plan(0, &[], 0.02).sentence(), "±6.0 points now");
    }

    #[test]
    fn further_labels_are_taken_to_be_less_even() {
        let cell = |labelled, yes| Cell { population: 1_000, labelled, yes, doubtful: 0 };
        assert!(cautious(&cell(20, 20)) < 0.95 && cautious(&cell(20, 20)) > 0.88);
        assert!(cautious(&cell(20, 0)) > 0.05 && cautious(&cell(20, 10)) == 0.5);
        assert_eq!(cautious(&cell(0, 0)), 0.5);
    }
}
