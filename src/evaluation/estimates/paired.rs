//! Are two configurations different on the same labels?
//!
//! The pairs of a stratum are of four kinds: found by both, by one, by the other, by neither. How many there are of each is
//! known from the draw, so each kind is a cell, and the intervals of the differences of precision and recall follow from the
//! true pairs of the four ([`super::mover`]). The differences themselves are those of the tables: what the sample says of the
//! one less what it says of the other. The cells of four kinds are smaller, so the two may lie a little apart; an interval
//! that does not reach the difference is made wider until it does, and so covers no less.
//!
//! Which of the two is right more often (finds a true pair, or leaves a false one)? In a simple random sample McNemar's exact
//! test asks it of the labels as they are. Where labels weigh differently that would be another question: there the interval
//! of the difference in the population is made as sure as it can be without holding 0.

use serde::Serialize;

use super::frame::{Domain, Frame, Units, Unsure};
use super::mover::{Reach, Total, solution};
use super::proportion::{Cell, total};
use super::shares::Shares;
use crate::distributions::binomial;
use dejaview_base::interval::Interval;

/// Two configurations on the same labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paired {
    pub a: String,
    pub b: String,
    /// Labelled pairs on which only the first is right.
    pub only_a_right: u64,
    /// Labelled pairs on which only the second is right.
    pub only_b_right: u64,
    /// Probability of a difference like this, or larger, if both were right equally often; two-sided.
    pub p_value: f64,
    /// The test behind it.
    pub test: &'static str,
    /// Precision of the first less that of the second.
    pub precision: Option<Interval>,
    /// Recall within the pool (and the audit, if there is one) of the first less that of the second.
    pub recall: Option<Interval>,
}

/// The two-sided probability of a split as uneven as this, when both sides are equally probable.
pub fn mcnemar(one: u64, other: u64) -> f64 {
    let (n, least) = (one + other, one.min(other));
    let tail: f64 = (0..=least).map(|x| binomial(x as f64, n as f64, 0.5)).sum();
    (2.0 * tail).min(1.0)
}

/// Kinds of pairs: found by both, by the first alone, by the second alone, by neither.
const KINDS: usize = 4;
/// The last of them.
const NEITHER: usize = 3;
/// Which kinds each of the two found.
const FINDS: [[bool; KINDS]; 2] = [[true, true, false, false], [true, false, true, false]];

/// The cells of each kind, over all strata.
pub(super) struct Kinds {
    /// Each with whether its stratum is taken to hold no true pair.
    cells: [Vec<(Cell, bool)>; KINDS],
    strata: usize,
}

impl Kinds {
    /// `None` where the sample does not say how many pairs two configurations both found.
    fn new(frame: &Frame, [a, b]: [usize; 2], unsure: Unsure) -> Option<Self> {
        let mut cells: [Vec<(Cell, bool)>; KINDS] = Default::default();
        let population = |k: usize| -> Option<Vec<u64>> {
            frame.strata.iter().map(|stratum| Some(sizes(stratum, [a, b])?[k])).collect()
        };
        for (k, of_kind) in cells.iter_mut().enumerate() {
            let is = |found: u64| [a, b].map(|c| found >> c & 1 == 1) == [FINDS[0][k], FINDS[1][k]];
            let includes = frame.drawn.iter().map(|drawn| is(drawn.found)).collect();
            let domain = Domain { population: population(k)?, includes };
            let mine = frame.cells(&domain, true, unsure).into_iter().zip(frame.taken_for_empty(unsure));
            *of_kind = mine.filter(|(cell, _)| cell.population > 0).collect();
        }
        let strata = frame.strata.iter().filter(|stratum| stratum.population > 0).count();
        Some(Self { cells, strata })
    }

    /// The kinds of a simple random sample, which has one cell of each.
    pub(super) fn simple(cells: [Cell; KINDS]) -> Self {
        let some = |cell: Cell| if cell.population > 0 { vec![(cell, false)] } else { Vec::new() };
        Self { cells: cells.map(some), strata: 1 }
    }

    fn labelled(&self, k: usize) -> u64 {
        self.cells[k].iter().map(|(cell, _)| cell.labelled).sum()
    }

    fn yes(&self, k: usize) -> u64 {
        self.cells[k].iter().map(|(cell, _)| cell.yes).sum()
    }

    fn pairs(&self, k: usize) -> f64 {
        self.cells[k].iter().map(|(cell, _)| cell.population).sum::<u64>() as f64
    }

    /// True pairs of each kind: of those that neither found with all strata, or without those that are taken to hold none.
    fn totals(&self, far: bool, confidence: f64) -> [Total; KINDS] {
        std::array::from_fn(|k| {
            let cells = self.cells[k].iter().filter(|(_, empty)| far || !empty || k != NEITHER).map(|(cell, _)| *cell);
            total(&cells.collect::<Vec<Cell>>(), confidence)
        })
    }

    /// Labelled pairs on which only one of the two is right.
    fn only_right(&self, which: usize) -> u64 {
        let (own, others) = if which == 0 { (1, 2) } else { (2, 1) };
        self.yes(own) + (self.labelled(others) - self.yes(others))
    }

    /// Precision of the first less that of the second.
    pub(super) fn precision(&self, confidence: f64) -> Option<Interval> {
        let found = |which: usize| (0..KINDS).filter(|k| FINDS[which][*k]).map(|k| self.pairs(k)).sum::<f64>();
        let each = |which: usize, k: usize| f64::from(u8::from(FINDS[which][k])) / found(which);
        if found(0) <= 0.0 || found(1) <= 0.0 {
            return None;
        }
        let terms =
            self.totals(true, confidence).into_iter().enumerate().map(|(k, total)| (each(0, k) - each(1, k), total));
        Some(Reach::new(terms).interval()?.within(-1.0, 1.0))
    }

    fn recall(&self, confidence: f64) -> Option<Interval> {
        let totals = self.totals(false, confidence);
        let truths: f64 = totals.iter().map(|total| total.chance.value).sum();
        if truths <= 0.0 {
            return None;
        }
        let value = (totals[1].chance.value - totals[2].chance.value) / truths;
        solution(value, [-1.0, 1.0], |x| Reach::new([-x, 1.0 - x, -1.0 - x, -x].into_iter().zip(totals)))
    }

    /// Pairs on which only the first is right less those on which only the second is, in the population.
    fn advantage(&self, confidence: f64) -> Reach {
        let [_, first, second, _] = self.totals(true, confidence);
        Reach::new([(2.0, first), (-2.0, second)]).plus(self.pairs(2) - self.pairs(1))
    }

    fn test(&self) -> (f64, &'static str) {
        match self.strata {
            1 => (mcnemar(self.only_right(0), self.only_right(1)), "McNemar's exact test"),
            _ => (surest(|confidence| self.advantage(confidence)), "inverted interval of the difference, by strata"),
        }
    }
}

/// What is left to chance when an interval is as sure as it can be without holding 0: a two-sided p-value.
fn surest(of: impl Fn(f64) -> Reach) -> f64 {
    let holds = |confidence: f64| of(confidence).interval().is_none_or(|interval| interval.contains(0.0));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    1.0 - low
}

/// An interval that holds a difference.
fn reaching(difference: Option<f64>, interval: Option<Interval>) -> Option<Interval> {
    let (value, Interval { low, high, .. }) = (difference?, interval?);
    Some(Interval { value, low: low.min(value), high: high.max(value) })
}

/// Pairs of each kind in a stratum.
fn sizes(stratum: &crate::sample::Stratum, [a, b]: [usize; 2]) -> Option<[u64; KINDS]> {
    let found = |c: usize| stratum.found.get(c).copied().unwrap_or(0);
    let both = match stratum.found.iter().all(|pairs| *pairs == 0) {
        true => 0,
        false => *stratum.together.get(a.max(b))?.get(a.min(b))?,
    };
    let (one, other) = (found(a).checked_sub(both)?, found(b).checked_sub(both)?);
    Some([both, one, other, stratum.population.checked_sub(both + one + other)?])
}

impl Paired {
    /// Compares configurations a and b of a sample of pairs. `None` without labels, and where the sample does not say how
    /// many pairs both found.
    pub fn new(frame: &Frame, places: [usize; 2], unsure: Unsure, confidence: f64) -> Option<Self> {
        let kinds = Kinds::new(frame, places, unsure).filter(|_| frame.units == Units::Pairs)?;
        if (0..KINDS).all(|k| kinds.labelled(k) == 0) {
            return None;
        }
        let shares = places.map(|c| Shares::new(frame, &frame.found_by(c), unsure, confidence));
        let [a, b] = places.map(|c| frame.configurations[c].clone());
        let (p_value, test) = kinds.test();
        let difference = |of: fn(&Shares) -> Option<Interval>| Some(of(&shares[0])?.value - of(&shares[1])?.value);
        Some(Self {
            a,
            b,
            only_a_right: kinds.only_right(0),
            only_b_right: kinds.only_right(1),
            p_value,
            test,
            precision: reaching(difference(|of| of.precision), kinds.precision(confidence)),
            recall: reaching(difference(|of| of.recall), kinds.recall(confidence)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimates::recall::Recall;
    use crate::estimates::{Consensus, Drawn, hypergeometric};
    use crate::sample::Stratum;
    use dejaview_labels::Label;
    use proptest::prelude::*;

    #[test]
    fn the_exact_test_by_hand() {
        assert!((mcnemar(0, 5) - 2.0 / 32.0).abs() < 1e-12);
        assert!((mcnemar(1, 8) - 2.0 * 10.0 / 512.0).abs() < 1e-12);
        assert_eq!((mcnemar(3, 3), mcnemar(0, 0)), (1.0, 1.0));
        assert_eq!(mcnemar(8, 1), mcnemar(1, 8));
    }

    /// Pairs, labelled ones and true ones of each kind of a stratum.
    type KindCounts = [(u64, u64, u64); KINDS];

    /// Strata of so many pairs of each kind, so many of them labelled, and so many of those true.
    fn frame(strata: &[KindCounts]) -> Frame {
        let bits = [3, 1, 2, 0];
        let (mut drawn, mut all) = (Vec::new(), Vec::new());
        for (stratum, kinds) in strata.iter().enumerate() {
            for (found, (_, labelled, yes)) in bits.into_iter().zip(*kinds) {
                for i in 0..labelled {
                    let said = Consensus::Label(if i < yes { Label::NearDuplicate } else { Label::Not });
                    drawn.push(Drawn {
                        place: drawn.len(),
                        stratum,
                        weight: 1.0,
                        found,
                        document_pairs: 1,
                        consensus: said,
                    });
                }
            }
            let pairs = |k: usize| kinds[k].0;
            all.push(Stratum {
                name: stratum.to_string(),
                population: (0..KINDS).map(pairs).sum(),
                drawn: kinds.iter().map(|kind| kind.1).sum(),
                found: vec![pairs(0) + pairs(1), pairs(0) + pairs(2)],
                together: vec![vec![], vec![pairs(0)]],
                ..Stratum::default()
            });
        }
        let configurations = vec!["a".to_owned(), "b".to_owned()];
        Frame::of_pairs(configurations, 0b11, all, drawn)
    }

    fn paired(strata: &[KindCounts]) -> Paired {
        Paired::new(&frame(strata), [0, 1], Unsure::Out, 0.95).unwrap()
    }

    /// Precision, recall and F of one row are of the same true pairs, in strata far away and without labels too.
    #[test]
    fn f_is_the_harmonic_mean_of_precision_and_recall() {
        let counts = || {
            (0u64..60, 0u64..20, 0u64..20).prop_map(|(pairs, labelled, yes)| {
                let labelled = labelled.min(pairs);
                (pairs, labelled, yes.min(labelled))
            })
        };
        let kinds = || [counts(), counts(), counts(), counts()];
        let strata = proptest::collection::vec((kinds(), proptest::bool::ANY), 1..4);
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let compared = std::cell::Cell::new(0);
        let law = |strata: Vec<(KindCounts, bool)>| {
            let mut frame = frame(&strata.iter().map(|(kinds, _)| *kinds).collect::<Vec<_>>());
            for (stratum, (_, far)) in frame.strata.iter_mut().zip(&strata) {
                (stratum.audit, stratum.far) = (*far, *far);
            }
            for c in [0, 1] {
                let domain = frame.found_by(c);
                let (shares, recall) =
                    (Shares::new(&frame, &domain, Unsure::Out, 0.95), Recall::new(&frame, &domain, Unsure::Out, 0.95));
                let (Some(p), Some(r), Some(f)) = (shares.precision, shares.recall, recall.f1) else { continue };
                let mean = if p.value + r.value > 0.0 { 2.0 * p.value * r.value / (p.value + r.value) } else { 0.0 };
                prop_assert!((f.value - mean).abs() < 1e-9, "{p:?} {r:?} {f:?}");
                prop_assert!(f.low <= f.value && f.value <= f.high, "{f:?}");
                compared.set(compared.get() + 1);
            }
            Ok(())
        };
        runner.run(&strata, law).unwrap();
        assert!(compared.get() > 200, "{compared:?}");
    }

    #[test]
    fn differences_by_hand() {
        let ours = paired(&[[(50, 50, 45), (30, 30, 10), (10, 10, 9), (10, 10, 1)]]);
        let (precision, recall) = (ours.precision.unwrap(), ours.recall.unwrap());
        assert!((precision.value - (55.0 / 80.0 - 54.0 / 60.0)).abs() < 1e-12, "{precision:?}");
        assert!((recall.value - 1.0 / 65.0).abs() < 1e-12, "{recall:?}");
        assert!(precision.half_width() < 1e-9 && recall.half_width() < 1e-9, "all pairs are labelled: {recall:?}");
        assert_eq!((ours.only_a_right, ours.only_b_right), (10 + 1, 9 + 20));
        let mirrored = paired(&[[(50, 50, 45), (10, 10, 9), (30, 30, 10), (10, 10, 1)]]);
        assert!((mirrored.precision.unwrap().value + precision.value).abs() < 1e-12);
    }

    /// 60 pairs that both found (50 true), 6 of the first alone (3), 3 of the second alone (1); 40 of the 69 are labelled. Over
    /// all samples there are.
    #[test]
    fn differences_of_few_pairs_are_covered() {
        let parts: [(u64, u64); 3] = [(50, 10), (3, 3), (1, 2)];
        let n = 40;
        let truths = [53.0 / 66.0 - 51.0 / 63.0, 2.0 / 54.0];
        let (mut covered, mut all) = ([0.0; 2], 0.0);
        for first in 0..=6u64 {
            for second in 0..=3u64 {
                let both = n - first - second;
                let counts = [both, first, second];
                // So many of each kind among the labels.
                let drawn = hypergeometric(first, n, 6, 69) * hypergeometric(second, n - first, 3, 63);
                for yes in 0..=both {
                    for (one, other) in (0..=first).flat_map(|one| (0..=second).map(move |other| (one, other))) {
                        let yes = [yes, one, other];
                        let chance: f64 = (0..3)
                            .map(|k| hypergeometric(yes[k], counts[k], parts[k].0, parts[k].0 + parts[k].1))
                            .product::<f64>()
                            * drawn;
                        if chance <= 0.0 {
                            continue;
                        }
                        let cell = |k: usize| Cell {
                            population: parts[k].0 + parts[k].1,
                            labelled: counts[k],
                            yes: yes[k],
                            doubtful: 0,
                        };
                        let kinds = Kinds::simple([cell(0), cell(1), cell(2), Cell::default()]);
                        all += chance;
                        for (which, ours) in [kinds.precision(0.95), kinds.recall(0.95)].into_iter().enumerate() {
                            let holds = ours.is_none_or(|ours| ours.contains(truths[which]));
                            covered[which] += if holds { chance } else { 0.0 };
                        }
                    }
                }
            }
        }
        assert!((all - 1.0).abs() < 1e-9, "{all}");
        assert!(covered.iter().all(|covered| *covered >= 0.95), "{covered:?}");
    }

    #[test]
    fn labels_all_alike_do_not_make_it_certain() {
        let ours = paired(&[[(4_000, 20, 20), (3_000, 20, 20), (3_000, 20, 20), (0, 0, 0)]]);
        let (precision, recall) = (ours.precision.unwrap(), ours.recall.unwrap());
        assert!(precision.value.abs() < 1e-12 && recall.value.abs() < 1e-12);
        assert!(precision.low < -0.04 && precision.high > 0.04, "{precision:?}");
        assert!(recall.low < -0.03 && recall.high > 0.03, "{recall:?}");
        let kept = paired(&[[(4_000, 20, 0), (0, 0, 0), (0, 0, 0), (6_000, 5, 0)]]);
        assert_eq!((kept.recall, kept.precision.map(|p| p.value)), (None, Some(0.0)));
        assert!(Paired::new(&frame(&[[(10, 0, 0); KINDS]]), [0, 1], Unsure::Out, 0.95).is_none());
    }

    #[test]
    fn labels_that_weigh_differently_are_not_counted_as_they_are() {
        // In the population both err equally often: on 500 pairs each. The small stratum, in which only the second errs,
        // has as many labels as the large one, in which only the first does.
        let strata = [
            [(100, 20, 20), (500, 60, 60), (0, 0, 0), (100, 20, 0)],
            [(10_000, 20, 20), (0, 0, 0), (500, 4, 4), (9_500, 20, 0)],
        ];
        let ours = paired(&strata);
        assert!(mcnemar(ours.only_a_right, ours.only_b_right) < 1e-6, "what counting labels would say");
        assert!(ours.p_value > 0.2, "{}", ours.p_value);
        let apart = paired(&[strata[0], [(10_000, 20, 20), (0, 0, 0), (20, 4, 0), (9_980, 20, 0)]]);
        assert!(apart.p_value < 1e-3, "{}", apart.p_value);
    }
}
