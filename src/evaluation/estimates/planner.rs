//! How many more labels for an interval as narrow as that?
//!
//! First the pairs of the sample that nobody has labelled, in their order; then pairs that are drawn beside, each of the
//! stratum where it takes most of the variance (Neyman's allocation, [`neyman`]). The width is that of the interval that
//! stands in front of every table ([`headline`]). Further labels are taken to come out less evenly than those there are: the
//! share of a stratum lies one standard error nearer to a half. So the plan is usually enough, and no promise.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;

use super::foresight::{MARGIN, PlannedStratum, half_width, needed};
use super::frame::{Consensus, Domain, Frame, Units, Unsure};
use super::proportion::{Cell, headline};
use crate::sample::{Allocation, Need, neyman};
use dejaview_base::numbers::count;
use dejaview_base::shell::{quoted, quoted_path};

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
    pub command: Option<String>,
    /// A sample of the configuration alone, where that takes fewer labels.
    pub alone: Option<SeparateSample>,
}

/// A sample of one configuration, for a configuration with few pairs in the sample that there is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeparateSample {
    pub configuration: String,
    pub pairs: u64,
    /// Labels that are usually enough.
    pub labels: u64,
    pub command: Option<String>,
}

impl SeparateSample {
    /// The fewest labels of a simple random sample of the configuration that make its interval as narrow as wanted, if it has
    /// this `share` of true pairs. `None` where the sample that there is has nothing but its pairs.
    fn new(frame: &Frame, c: usize, domain: &Domain, share: f64, wanted: f64, confidence: f64) -> Option<Self> {
        let pairs: u64 = domain.population.iter().sum();
        let all: u64 = frame.strata.iter().map(|stratum| stratum.population).sum();
        let strata = [PlannedStratum { name: "all".to_owned(), pairs, found: pairs }];
        let width = |n: u64| half_width(&strata, n, Allocation::Proportional, 1, share, confidence);
        let labels = needed(pairs, wanted, width).filter(|_| pairs < all)?;
        Some(Self { configuration: frame.configurations[c].clone(), pairs, labels, command: None })
    }

    /// In words: `label a sample of 40 pairs of tfidf alone`.
    fn sentence(&self) -> String {
        let Self { configuration, pairs, labels, .. } = self;
        match labels == pairs {
            true => format!("label all {} pairs of {configuration}", count(*pairs)),
            false => format!("label a sample of {} pairs of {configuration} alone", count(*labels)),
        }
    }
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
    /// The plan for the precision of configuration c to be known to ± `wanted`. `None` without labels, and of samples that
    /// cannot be made longer by pairs of equal probability.
    pub fn new(frame: &Frame, c: usize, unsure: Unsure, wanted: f64, confidence: f64) -> Option<Self> {
        if frame.units != Units::Pairs || frame.vague {
            return None;
        }
        let domain = frame.found_by(c);
        let mut growing = Growing::new(frame.cells(&domain, true, unsure));
        let estimate = headline(&growing.cells, confidence)?;
        let now = estimate.half_width();
        let mut plan = Self { now, wanted, then: now, left: 0, more: Vec::new(), command: None, alone: None };
        if now <= wanted {
            return Some(plan);
        }
        let open =
            frame.drawn.iter().zip(&domain.includes).filter(|(drawn, _)| drawn.consensus == Consensus::Undecided);
        let steps: Vec<(usize, f64)> =
            open.map(|(drawn, includes)| (drawn.stratum, f64::from(u8::from(*includes)))).collect();
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
        let labelled: u64 = growing.cells.iter().map(|cell| cell.labelled).sum();
        let yes = (estimate.value * labelled as f64).round() as u64;
        let share = cautious(&Cell { labelled, yes, ..Cell::default() });
        let alone = SeparateSample::new(frame, c, &domain, share, wanted, confidence);
        plan.alone = alone.filter(|alone| alone.labels < plan.total() || plan.then > wanted);
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

    /// Fewest labels to add: of this sample, or of one of the configuration alone.
    pub fn fewest(&self) -> u64 {
        self.alone.as_ref().map_or(self.total(), |alone| alone.labels)
    }

    /// Adds the commands that draw the pairs of the plan. `names` are those of the samples that the study already has.
    #[must_use]
    pub fn with_commands(mut self, study: &Path, sample: &str, names: &[String]) -> Self {
        let begun = format!("dejaview sample {}", quoted_path(study));
        if let Some(alone) = &mut self.alone {
            let SeparateSample { configuration, labels, .. } = &alone;
            let name = free(configuration, names);
            let (configuration, name) = (quoted(configuration), quoted(&name));
            alone.command = Some(format!("{begun} --configuration {configuration} --size {labels} --name {name}"));
        }
        if self.more.is_empty() {
            return self;
        }
        let mut command = format!("{begun} --name {sample}");
        match &self.more[..] {
            [(all, n)] if all == WHOLE => _ = write!(command, " --extend {n}"),
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
        let draws = |command: &Option<String>| match command {
            Some(command) => format!("; `{command}` draws them"),
            None => String::new(),
        };
        let wanted = points(self.wanted);
        let is_enough = self.then <= self.wanted;
        match (&self.alone, self.total()) {
            (None, 0) if self.now > self.wanted => format!("{}, and no pair is left to label", points(self.now)),
            (None, 0) => format!("{} now", points(self.now)),
            (Some(alone), total) => {
                let sample = match is_enough {
                    true => format!("it takes {} more labels of this sample", count(total)),
                    false => format!("all {} pairs left of this sample give {}", count(total), points(self.then)),
                };
                format!("{}, usually enough for {wanted} ({sample}){}", alone.sentence(), draws(&alone.command))
            }
            (None, _) => {
                let enough = match (is_enough, self.drawn() < MOST) {
                    (true, _) => format!("usually enough for {wanted}"),
                    (false, true) => format!("which are all that are left and give {}", points(self.then)),
                    (false, false) => format!("which give {}", points(self.then)),
                };
                format!("label {}, {enough}{}", self.what(), draws(&self.command))
            }
        }
    }

    /// What is to be labelled: `the 4 pairs left of the sample and 23 more pairs (…)`.
    fn what(&self) -> String {
        let pairs = |n: u64| if n == 1 { "pair" } else { "pairs" };
        let each: Vec<String> = self.more.iter().map(|(name, n)| format!("{name}: {}", count(*n))).collect();
        let strata = match &self.more[..] {
            [(all, _)] if all == WHOLE => String::new(),
            [(name, _)] => format!(" of stratum {name}"),
            _ => format!(" ({})", each.join(", ")),
        };
        let more = format!("{} more {}{strata}", count(self.drawn()), pairs(self.drawn()));
        match (self.left, self.drawn()) {
            (left, 0) => format!("the next {} {} of the sample", count(left), pairs(left)),
            (0, _) => more,
            (left, _) => format!("the {} {} left of the sample and {more}", count(left), pairs(left)),
        }
    }
}

/// The stratum of a sample that is not divided.
const WHOLE: &str = "all";

fn points(x: f64) -> String {
    format!("±{:.1} points", 100.0 * x)
}

/// A name for a sample of a configuration that no other sample has.
fn free(configuration: &str, names: &[String]) -> String {
    let numbered = (2..).map(|n: u32| format!("{configuration}-{n}"));
    let mut all = std::iter::once(configuration.to_owned()).chain(numbered);
    all.find(|name| !names.contains(name)).unwrap_or_else(|| configuration.to_owned())
}

/// What drawing a further pair of a stratum does for the estimate of the pairs in a domain.
fn need(frame: &Frame, growing: &Growing, h: usize, domain: &[u64]) -> Need {
    let (stratum, cell) = (&frame.strata[h], growing.cells[h]);
    Need {
        population: cell.population,
        labels: cell.labelled as f64 + growing.added[h],
        rate: domain[h] as f64 / stratum.population.max(1) as f64,
        share: Need::smoothed(cell.yes, cell.labelled),
        // A pair that counts nothing is not drawn, and an audit cannot be made longer.
        room: if domain[h] == 0 || !frame.drew_from(h) { 0 } else { stratum.population.saturating_sub(stratum.drawn) },
    }
}

/// The share of true ones among further labels of a cell: one standard error nearer to a half than those there are.
fn cautious(cell: &Cell) -> f64 {
    let share = Need::smoothed(cell.yes, cell.labelled);
    let error = (share * (1.0 - share) / (cell.labelled as f64 + 3.0)).sqrt();
    if share < 0.5 { (share + error).min(0.5) } else { (share - error).max(0.5) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(left: u64, more: &[(&str, u64)], then: f64) -> Plan {
        let more = more.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
        Plan { now: 0.06, wanted: 0.02, then, left, more, command: None, alone: None }
    }

    #[test]
    fn a_plan_in_words_with_its_command() {
        let two = plan(4, &[("jaccard 0.7-0.8", 20), ("it's", 3)], 0.02).with_commands(Path::new("my study"), "s", &[]);
        assert_eq!(
            two.sentence(),
            "label the 4 pairs left of the sample and 23 more pairs (jaccard 0.7-0.8: 20, it's: 3), usually enough for \
             ±2.0 points; `dejaview sample 'my study' --name s --stratum 'jaccard 0.7-0.8=20' --stratum 'it'\\''s=3'` draws \
             them"
        );
        let simple = plan(0, &[("all", 1)], 0.03).with_commands(Path::new("study"), "s", &[]);
        assert_eq!(
            simple.sentence(),
            "label 1 more pair, which are all that are left and give ±3.0 points; `dejaview sample study --name s --extend 1` \
             draws them"
        );
        let left = plan(7, &[], 0.02).with_commands(Path::new("study"), "s", &[]);
        assert_eq!(left.sentence(), "label the next 7 pairs of the sample, usually enough for ±2.0 points");
        assert_eq!(plan(0, &[], 0.06).sentence(), "±6.0 points, and no pair is left to label");
        assert_eq!(Plan { wanted: 0.07, ..plan(0, &[], 0.06) }.sentence(), "±6.0 points now");
    }

    #[test]
    fn a_configuration_with_few_pairs_gets_a_sample_of_its_own() {
        let alone = |labels| SeparateSample { configuration: "tf".to_owned(), pairs: 90, labels, command: None };
        let few = |labels, then| Plan { alone: Some(alone(labels)), ..plan(0, &[("all", 4_000)], then) };
        let names = ["tf", "tf-2"].map(str::to_owned);
        let commanded = few(60, 0.02).with_commands(Path::new("study"), "s", &names);
        assert_eq!(
            commanded.sentence(),
            "label a sample of 60 pairs of tf alone, usually enough for ±2.0 points (it takes 4,000 more labels of this \
             sample); `dejaview sample study --configuration tf --size 60 --name tf-3` draws them"
        );
        assert_eq!(commanded.fewest(), 60);
        assert_eq!(
            few(90, 0.04).sentence(),
            "label all 90 pairs of tf, usually enough for ±2.0 points (all 4,000 pairs left of this sample give ±4.0 points)"
        );
    }

    #[test]
    fn further_labels_are_taken_to_be_less_even() {
        let cell = |labelled, yes| Cell { population: 1_000, labelled, yes, doubtful: 0 };
        assert!(cautious(&cell(20, 20)) < 0.95 && cautious(&cell(20, 20)) > 0.88);
        assert!(cautious(&cell(20, 0)) > 0.05 && cautious(&cell(20, 10)) == 0.5);
        assert_eq!(cautious(&cell(0, 0)), 0.5);
    }
}
