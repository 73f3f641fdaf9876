//! What may the share of true pairs be, when some of each stratum are labelled?
//!
//! The estimate is Σ W_h p_h. Its variance is Σ W_h² (1−f_h) p_h(1−p_h)/(n_h−1), with f_h = n_h/N_h; a stratum with one
//! label, or whose labels are all alike, would seem to have none, so there (x+1)/(n+2) stands for p. The *effective* size is
//! that of the simple random sample with the same variance. It is made smaller where the variance itself rests on few labels,
//! by Student's distribution with Satterthwaite's degrees of freedom.
//!
//! The interval that stands in front is Clopper and Pearson's at the effective size (Korn & Graubard, Survey Methodology
//! 1998); of a single stratum it is the exact one for finite populations ([`exact`]). In simulation it covers no less than it
//! says, pure strata included, and it shrinks to nothing when all pairs are labelled. Wilson's at the effective size is
//! narrower and covers what it says on average only.
//!
//! The conservative interval adds up exact ones, each so sure that all hold together (Šidák), and lets every pair that people
//! are unsure about, or that is disputed, be either. It never covers less than it says.

use serde::Serialize;

use super::finite::exact;
use super::mover::Total;
use crate::distributions::{deviations, student_deviations};
use crate::intervals::{clopper_pearson, clopper_pearson_effective, jeffreys, wilson_effective};
use dejaview_base::interval::Interval;

/// A part of a population: its pairs, those with a label that decides, those labelled true.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cell {
    pub population: u64,
    pub labelled: u64,
    pub yes: u64,
    /// Pairs that somebody looked at and that are left out, because people are unsure or because it is disputed.
    pub doubtful: u64,
}

/// What an estimate counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Every pair counts once.
    #[default]
    Pairs,
    /// Every source document counts once, whatever the number of its pairs.
    Documents,
}

/// An estimated share with its intervals.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Proportion {
    pub unit: Unit,
    /// Pairs, or documents, that it is about.
    pub population: u64,
    /// Whether that is itself an estimate, from the weights of the labels.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub population_estimated: bool,
    pub labelled: u64,
    /// Labelled true, not weighted.
    pub yes: u64,
    /// Size of the simple random sample that would be as sure.
    pub effective: f64,
    /// The interval that stands in front: Clopper and Pearson's at the effective size, corrected for the finite population.
    pub headline: Option<Interval>,
    /// Wilson's interval at the effective size, as if the pairs were drawn from endlessly many.
    pub wilson: Option<Interval>,
    /// The same with the correction for the finite population: what the design says about these very pairs.
    pub design: Option<Interval>,
    /// Never covers less than it says.
    pub conservative: Option<Interval>,
    /// Clopper and Pearson's, for a sample of one stratum.
    pub clopper_pearson: Option<Interval>,
    /// Jeffreys's, for a sample of one stratum: of several it covered 69 to 91 % where some were pure.
    pub jeffreys: Option<Interval>,
    /// Share of the pairs that lie in strata without a label; the intervals allow them to be anything.
    pub uncovered: f64,
}

/// What is known of the mean over cells: the estimate, effective sizes without and with finite populations, and by how much
/// the latter must be made smaller because the variance is itself an estimate.
struct Mean {
    value: f64,
    effective: f64,
    finite: f64,
    freedom: f64,
}

fn mean(cells: &[Cell]) -> Mean {
    let all: u64 = cells.iter().map(|cell| cell.population).sum();
    let n: u64 = cells.iter().map(|cell| cell.labelled).sum();
    let (mut value, mut centre, mut variance, mut smooth) = (0.0, 0.0, 0.0, false);
    let (mut finite, mut squares) = (0.0, 0.0);
    for cell in cells {
        let (size, weight) = (cell.labelled as f64, cell.population as f64 / all as f64);
        let p = cell.yes as f64 / size;
        let alike = cell.yes == 0 || cell.yes == cell.labelled;
        let q = if alike { (cell.yes as f64 + 1.0) / (size + 2.0) } else { p };
        let spread = q * (1.0 - q) / if alike { size } else { size - 1.0 };
        let open = weight * weight * spread * (1.0 - size / cell.population as f64);
        smooth |= alike;
        value += weight * p;
        centre += weight * q;
        variance += weight * weight * spread;
        finite += open;
        squares += open * open / (size - 1.0).max(1.0);
    }
    let single = centre * (1.0 - centre) * if smooth { 1.0 } else { n as f64 / (n as f64 - 1.0) };
    let freedom = if squares > 0.0 { finite * finite / squares } else { f64::INFINITY };
    Mean { value, effective: single / variance, finite: single / finite, freedom }
}

/// Degrees of freedom under which the variance of a mean over cells is too doubtful to build on.
const FEWEST: f64 = 3.0;

/// The share of true pairs over cells with the interval that stands in front. `None` without labels.
///
/// Where one cell alone is open, or so few labels carry the variance that it is hardly known, exact intervals of the cells are
/// added up. Which of the two it is follows from the numbers of labels alone. Nothing lies outside of what the labels leave
/// possible.
///
/// This is the one estimator behind tables, cut-offs, plans, totals and differences.
pub fn headline(cells: &[Cell], confidence: f64) -> Option<Interval> {
    widen(of_covered(&covered(cells), confidence)?, uncovered(cells))
}

/// The same for cells that all have labels.
fn of_covered(covered: &[Cell], confidence: f64) -> Option<Interval> {
    if covered.is_empty() {
        return None;
    }
    let sum = |of: fn(&Cell) -> u64| covered.iter().map(of).sum::<u64>() as f64;
    let (all, yes, no) = (sum(|c| c.population), sum(|c| c.yes), sum(|c| c.labelled - c.yes));
    let interval = if foreseen_freedom(covered) < FEWEST || open(covered) <= 1 {
        let decided: Vec<Cell> = covered.iter().map(|cell| Cell { doubtful: 0, ..*cell }).collect();
        conservative(&decided, confidence)?
    } else {
        // Pairs are whole. Where most are labelled the design leaves less than one of them to chance, and a single pair
        // that is otherwise would lie outside.
        let Interval { value, low, high } = effective_share(covered, confidence)?;
        Interval { value, low: low - 1.0 / all, high: high + 1.0 / all }
    };
    Interval::new(interval.value, interval.low.max(yes / all), interval.high.min(1.0 - no / all))
}

/// Clopper and Pearson's interval at the effective size.
fn effective_share(cells: &[Cell], confidence: f64) -> Option<Interval> {
    let Mean { value, finite, freedom, .. } = mean(cells);
    let shrunk = deviations(confidence) / student_deviations(confidence, freedom.max(1.0));
    clopper_pearson_effective(value, finite * shrunk * shrunk, confidence)
}

/// How many pairs of some cells are true.
///
/// Pairs are whole: a limit that just is not refuted lies half a pair before the next that is. Without that half the truth,
/// being the limit itself, falls out of a ratio as soon as another total is a little off.
pub fn total(cells: &[Cell], confidence: f64) -> Total {
    let all = cells.iter().map(|cell| cell.population).sum::<u64>() as f64;
    let covered = covered(cells);
    let Some(share) = of_covered(&covered, confidence) else {
        return Total { chance: Interval { value: 0.0, low: 0.0, high: 0.0 }, below: 0.0, above: all };
    };
    let unknown = all * uncovered(cells);
    let known = all - unknown;
    let half = if open(&covered) > 0 { 0.5 } else { 0.0 };
    let value = share.value * all;
    let (down, up) = ((share.value - share.low) * known, (share.high - share.value) * known);
    let (down, up) = ((down + half).min(share.value * known), (up + half).min((1.0 - share.value) * known));
    Total {
        chance: Interval { value, low: value - down, high: value + up },
        below: share.value * unknown,
        above: (1.0 - share.value) * unknown,
    }
}

/// Cells with pairs that have no label.
fn open(cells: &[Cell]) -> usize {
    cells.iter().filter(|cell| cell.labelled < cell.population).count()
}

/// The degrees of freedom that the variance would have, were all cells alike: by the numbers of labels alone.
fn foreseen_freedom(cells: &[Cell]) -> f64 {
    let all: u64 = cells.iter().map(|cell| cell.population).sum();
    let (mut variance, mut squares) = (0.0, 0.0);
    for cell in cells {
        let (n, pairs) = (cell.labelled as f64, cell.population as f64);
        let open = (pairs / all as f64).powi(2) * (1.0 - n / pairs) / n;
        variance += open;
        squares += open * open / (n - 1.0).max(1.0);
    }
    if squares > 0.0 { variance * variance / squares } else { f64::INFINITY }
}

fn covered(cells: &[Cell]) -> Vec<Cell> {
    cells.iter().filter(|cell| cell.labelled > 0).copied().collect()
}

impl Proportion {
    /// Estimates the share over strata. `None` without labels.
    pub fn stratified(cells: &[Cell], confidence: f64) -> Option<Self> {
        let covered = covered(cells);
        let sum = |of: fn(&Cell) -> u64| cells.iter().map(of).sum::<u64>();
        let (population, labelled, yes) = (sum(|c| c.population), sum(|c| c.labelled), sum(|c| c.yes));
        if labelled == 0 {
            return None;
        }
        let uncovered = uncovered(cells);
        let Mean { value, effective, finite, .. } = mean(&covered);
        let z = deviations(confidence);
        let widened = |interval: Option<Interval>| widen(interval?, uncovered);
        let alone = covered.len() == 1;
        Some(Self {
            unit: Unit::Pairs,
            population_estimated: false,
            population,
            labelled,
            yes,
            effective,
            headline: headline(cells, confidence),
            wilson: widened(wilson_effective(value, effective, z)),
            design: widened(wilson_effective(value, finite, z)),
            conservative: widened(conservative(&covered, confidence)),
            clopper_pearson: widened(clopper_pearson(yes, labelled, confidence).filter(|_| alone)),
            jeffreys: widened(jeffreys(yes, labelled, confidence).filter(|_| alone)),
            uncovered,
        })
    }

    /// Estimates the share from labels that each stand for a number of pairs: Hájek's ratio, with the variance of its linear part (Särndal, Swensson &
    /// Wretman 1992, 5.7) behind the effective size. Good for many labels of unlike weights; few leave it in doubt, which
    /// Student's distribution says. `None` without labels.
    pub fn weighted(labels: &[(f64, bool)], population: u64, confidence: f64) -> Option<Self> {
        let (n, all) = (labels.len() as f64, labels.iter().map(|label| label.0).sum::<f64>());
        if labels.is_empty() || all <= 0.0 {
            return None;
        }
        let yes = labels.iter().filter(|label| label.1);
        let value = (yes.clone().map(|label| label.0).sum::<f64>() / all).clamp(0.0, 1.0);
        let kish = all * all / labels.iter().map(|label| label.0 * label.0).sum::<f64>();
        let residual = |(weight, truth): &(f64, bool)| (weight * (f64::from(u8::from(*truth)) - value) / all).powi(2);
        let variance = labels.iter().map(residual).sum::<f64>() * n / (n - 1.0).max(1.0);
        let alike = variance <= 0.0;
        // Where labels are all alike, or weights and labels go together by chance, it is not surer than the weights allow.
        let effective = if alike { kish } else { (value * (1.0 - value) / variance).min(kish) };
        let shrunk = deviations(confidence) / student_deviations(confidence, (n - 1.0).max(1.0));
        let shrunk = if n < 2.0 { 1.0 } else { shrunk * shrunk };
        Some(Self {
            population,
            labelled: labels.len() as u64,
            yes: yes.count() as u64,
            effective,
            headline: clopper_pearson_effective(value, effective * shrunk, confidence),
            wilson: wilson_effective(value, effective, deviations(confidence)),
            ..Self::default()
        })
    }

    pub fn value(&self) -> Option<f64> {
        Some(self.headline?.value)
    }
}

/// Share of the pairs that lie in cells without a label.
fn uncovered(cells: &[Cell]) -> f64 {
    let all: u64 = cells.iter().map(|cell| cell.population).sum();
    let known: u64 = cells.iter().filter(|cell| cell.labelled > 0).map(|cell| cell.population).sum();
    1.0 - known as f64 / all as f64
}

/// The interval for all, when it is known for all but a share, and that may be anything.
fn widen(interval: Interval, uncovered: f64) -> Option<Interval> {
    let known = 1.0 - uncovered;
    Interval::new(interval.value, known * interval.low, (known * interval.high + uncovered).min(1.0))
}

fn conservative(cells: &[Cell], confidence: f64) -> Option<Interval> {
    let all: u64 = cells.iter().map(|cell| cell.population).sum();
    // A stratum that was looked at to its last pair leaves nothing to chance.
    let open = cells.iter().filter(|cell| cell.labelled + cell.doubtful < cell.population).count().max(1);
    let each = confidence.powf(1.0 / open as f64);
    let (mut value, mut low, mut high) = (0.0, 0.0, 0.0);
    for cell in cells {
        let weight = cell.population as f64 / all as f64;
        let seen = cell.labelled + cell.doubtful;
        value += weight * cell.yes as f64 / cell.labelled as f64;
        low += weight * exact(cell.yes, seen, cell.population, each)?.low;
        high += weight * exact(cell.yes + cell.doubtful, seen, cell.population, each)?.high;
    }
    Interval::new(value, low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimates::hypergeometric;
    use crate::intervals::wilson;

    fn cell(population: u64, labelled: u64, yes: u64) -> Cell {
        Cell { population, labelled, yes, doubtful: 0 }
    }

    fn of(cells: &[Cell]) -> Proportion {
        Proportion::stratified(cells, 0.95).unwrap()
    }

    #[test]
    fn labels_never_leave_room_for_what_they_refute() {
        // Most strata labelled to the last pair, one with two labels of many: no limit beyond what is known already.
        let cells = [(100, 100, 90), (80, 80, 60), (126, 124, 86), (58, 2, 1)];
        let cells = cells.map(|(population, labelled, yes)| Cell { population, labelled, yes, doubtful: 0 });
        let interval = headline(&cells, 0.95).unwrap();
        assert!(interval.low >= 237.0 / 364.0 && interval.high <= 1.0 - 69.0 / 364.0, "{interval:?}");
        // With one open stratum it is the exact interval of that one.
        let one = [cells[0], cells[1], Cell { labelled: 126, ..cells[2] }, cells[3]];
        let alone = exact(1, 2, 58, 0.95).unwrap();
        let low = (90.0 + 60.0 + 86.0 + 58.0 * alone.low) / 364.0;
        assert!((headline(&one, 0.95).unwrap().low - low).abs() < 1e-9);
        let done = [cells[0], cells[1]];
        let Interval { value, low, high } = headline(&done, 0.95).unwrap();
        assert!([value, low, high].iter().all(|x| (x - 150.0 / 180.0).abs() < 1e-12), "{low} {value} {high}");
    }

    #[test]
    fn one_stratum_is_wilson_itself_and_exact_in_front() {
        for (yes, n) in [(95, 100), (0, 100), (100, 100), (1, 1), (3, 7)] {
            let ours = of(&[cell(1_000_000_000, n, yes)]);
            let (wilson, exact) = (wilson(yes, n, 0.95).unwrap(), clopper_pearson(yes, n, 0.95).unwrap());
            let near = |a: f64, b: f64, far: f64| assert!((a - b).abs() < far, "{yes} of {n}: {a} {b}");
            near(ours.wilson.unwrap().low, wilson.low, 1e-12);
            near(ours.wilson.unwrap().high, wilson.high, 1e-12);
            near(ours.headline.unwrap().low, exact.low, 1e-5);
            near(ours.headline.unwrap().high, exact.high, 1e-5);
        }
        let all = of(&[cell(100, 100, 95)]);
        assert_eq!(all.headline, Interval::new(0.95, 0.95, 0.95), "nothing is left to chance");
        assert_eq!(all.design, Interval::new(0.95, 0.95, 0.95));
        assert!(all.wilson.unwrap().half_width() > 0.04, "had there been endlessly many");
        assert_eq!(Proportion::stratified(&[cell(10, 0, 0)], 0.95), None);
    }

    #[test]
    fn the_variance_is_that_of_the_formula() {
        let cells = [cell(800, 40, 36), cell(200, 20, 5)];
        let ours = of(&cells);
        let p = 0.8 * 0.9 + 0.2 * 0.25;
        assert!((ours.value().unwrap() - p).abs() < 1e-12);
        let parts = [0.64 * 0.95 * 0.9 * 0.1 / 39.0, 0.04 * 0.9 * 0.25 * 0.75 / 19.0];
        let variance = parts[0] + parts[1];
        let effective = p * (1.0 - p) * 60.0 / 59.0 / variance;
        let expected = wilson_effective(p, effective, deviations(0.95)).unwrap();
        assert!((ours.design.unwrap().low - expected.low).abs() < 1e-12);
        let freedom = variance * variance / (parts[0] * parts[0] / 39.0 + parts[1] * parts[1] / 19.0);
        let t = student_deviations(0.95, freedom);
        let size = effective * (deviations(0.95) / t).powi(2);
        let expected = clopper_pearson_effective(p, size, 0.95).unwrap();
        assert!((ours.headline.unwrap().low - (expected.low - 1.0 / 1_000.0)).abs() < 1e-12, "and one pair of 1,000");
        let (wide, front, design) = (ours.conservative.unwrap(), ours.headline.unwrap(), ours.design.unwrap());
        assert!(wide.low < front.low && front.low < design.low, "{wide:?} {front:?} {design:?}");
        assert!(wide.high > front.high && front.high > design.high);
        assert_eq!((ours.jeffreys, ours.clopper_pearson), (None, None), "those are of one stratum");
    }

    #[test]
    fn intervals_of_strata_are_those_of_another_program() {
        // `Rscript tests/outside/survey.R`: variances by svymean of R's package survey, ends by qbeta.
        for (cells, share, low, high) in [
            (&[cell(800, 40, 36), cell(200, 20, 5)][..], 0.77, 0.674003685415, 0.849043151742),
            (
                &[cell(5_000, 50, 47), cell(1_200, 30, 12), cell(90, 20, 1)],
                0.824244833068,
                0.750837756948,
                0.883396557588,
            ),
            (
                &[cell(300, 5, 4), cell(300, 6, 3), cell(300, 7, 2), cell(300, 8, 1)],
                0.427678571429,
                0.236502167598,
                0.636110933701,
            ),
        ] {
            let ours = effective_share(cells, 0.95).unwrap();
            for (ours, theirs) in [(ours.value, share), (ours.low, low), (ours.high, high)] {
                assert!((ours - theirs).abs() < 1e-10, "{ours} {theirs}");
            }
        }
    }

    /// How often the interval in front covers, over all samples there are: strata with so many pairs, labels and true pairs.
    fn covers(strata: [(u64, u64, u64); 2]) -> f64 {
        let all: u64 = strata.iter().map(|stratum| stratum.0).sum();
        let truth = strata.iter().map(|stratum| stratum.2).sum::<u64>() as f64 / all as f64;
        let mut covered = 0.0;
        for first in 0..=strata[0].1 {
            for second in 0..=strata[1].1 {
                let yes = [first, second];
                let chance = |h: usize| hypergeometric(yes[h], strata[h].1, strata[h].2, strata[h].0);
                let cells = [0, 1].map(|h| cell(strata[h].0, strata[h].1, yes[h]));
                let ours = headline(&cells, 0.95).unwrap();
                let holds = ours.low - 1e-9 <= truth && truth <= ours.high + 1e-9;
                covered += if holds { chance(0) * chance(1) } else { 0.0 };
            }
        }
        covered
    }

    #[test]
    fn strata_that_are_mostly_labelled_are_covered_to_the_last_pair() {
        for strata in [
            [(200, 160, 200), (200, 160, 199)],
            [(100, 90, 1), (20, 18, 18)],
            [(100, 50, 99), (100, 50, 100)],
            [(60, 42, 59), (300, 210, 299)],
            [(40, 36, 2), (400, 360, 1)],
        ] {
            let covered = covers(strata);
            assert!(covered >= 0.95, "{strata:?}: {covered}");
        }
    }

    #[test]
    fn strata_without_a_label_may_be_anything() {
        let part = of(&[cell(900, 50, 50), cell(100, 0, 0)]);
        assert!((part.uncovered - 0.1).abs() < 1e-12);
        for interval in [part.headline.unwrap(), part.design.unwrap()] {
            assert!(interval.low < 0.9 && interval.high == 1.0, "{interval:?}");
        }
    }

    #[test]
    fn pairs_in_doubt_may_be_either_where_nothing_less_than_promised_may_be_covered() {
        // All 340 pairs of a configuration were looked at; 31 are disputed: it may be anything from 154 to 185 of 340.
        let census = of(&[Cell { population: 340, labelled: 309, yes: 154, doubtful: 31 }]);
        let wide = census.conservative.unwrap();
        assert!((wide.low - 154.0 / 340.0).abs() < 1e-12 && (wide.high - 185.0 / 340.0).abs() < 1e-12, "{wide:?}");
    }

    #[test]
    fn equal_weights_are_a_simple_sample() {
        let labels: Vec<(f64, bool)> = (0..100).map(|i| (7.0, i < 95)).collect();
        let ours = Proportion::weighted(&labels, 700, 0.95).unwrap();
        let plain = clopper_pearson(95, 100, 0.95).unwrap();
        assert!((ours.headline.unwrap().low - plain.low).abs() < 0.004, "{ours:?}");
        let mut skewed = labels.clone();
        skewed[0].0 = 700.0;
        let skewed = Proportion::weighted(&skewed, 1400, 0.95).unwrap();
        assert!(skewed.effective < 5.0, "one label stands for half: {}", skewed.effective);
        assert_eq!(Proportion::weighted(&[], 10, 0.95), None);
        let one = Proportion::weighted(&[(3.0, true)], 10, 0.95).unwrap().headline.unwrap();
        assert!(one.low < 0.03 && one.high == 1.0, "{one:?}");
    }
}
