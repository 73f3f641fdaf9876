//! Are two configurations different on the same labels?
//!
//! McNemar's exact test asks on which labelled pairs only one of the two was right (found a true pair, or left a false one).
//! The differences of precision and recall are weighted as the design says. Both follow from the true pairs of four kinds,
//! found by both, by one, by the other, by neither ([`super::mover`]). How many pairs of each kind a stratum has is itself
//! estimated where it has several: what the labels of different kinds are apart by adds to both sides ([`Mix`]), and a kind
//! without a label may have as many as that does not refute. Strata without a label are left out.

use serde::Serialize;

use super::frame::{Frame, Unsure};
use super::mover::{Reach, solution};
use super::proportion::{Cell, Proportion, design};
use crate::base::interval::Interval;
use crate::evaluation::distributions::{binomial, deviations};

/// Two configurations on the same labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paired {
    /// The one.
    pub a: String,
    /// The other.
    pub b: String,
    /// Labelled pairs on which only the first is right.
    pub only_a_right: u64,
    /// Labelled pairs on which only the second is right.
    pub only_b_right: u64,
    /// McNemar's exact test, two-sided.
    pub p_value: f64,
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
/// Which kinds each of the two found.
const FINDS: [[bool; KINDS]; 2] = [[true, true, false, false], [true, false, true, false]];

/// The total of a kind without labels.
const NONE: Interval = Interval { value: 0.0, low: 0.0, high: 0.0 };

/// Labels of one kind in one stratum.
#[derive(Debug, Clone, Copy, Default)]
struct Kind {
    labelled: u64,
    yes: u64,
    /// Pairs that the labels stand for, those that the true ones stand for, and the squares of the former.
    weight: f64,
    truths: f64,
    squares: f64,
}

impl Kind {
    fn add(&mut self, truth: bool, weight: f64) {
        self.labelled += 1;
        self.yes += u64::from(truth);
        self.weight += weight;
        self.truths += if truth { weight } else { 0.0 };
        self.squares += weight * weight;
    }

    fn share(&self) -> f64 {
        if self.weight > 0.0 { self.truths / self.weight } else { 0.0 }
    }

    fn cell(&self) -> Cell {
        Cell { population: (self.weight.round() as u64).max(self.labelled), labelled: self.labelled, yes: self.yes }
    }
}

/// A stratum: its labels by kind, and the share of its pairs that nobody labelled.
#[derive(Debug, Clone, Copy, Default)]
struct Mix {
    kinds: [Kind; KINDS],
    open: f64,
}

impl Mix {
    /// The variance that comes from not knowing how many pairs of each kind there are, when a pair of a kind with this
    /// share of true ones counts so much.
    fn variance(&self, counts: impl Fn(usize, f64) -> f64) -> f64 {
        let labelled: u64 = self.kinds.iter().map(|kind| kind.labelled).sum();
        let weight: f64 = self.kinds.iter().map(|kind| kind.weight).sum();
        if labelled < 2 {
            return 0.0;
        }
        let of = |k: usize| counts(k, self.kinds[k].share());
        let mean = (0..KINDS).map(|k| self.kinds[k].weight * of(k)).sum::<f64>() / weight;
        let squares: f64 = (0..KINDS).map(|k| self.kinds[k].squares * (of(k) - mean).powi(2)).sum();
        self.open * squares * labelled as f64 / (labelled - 1) as f64
    }
}

/// The labels of a sample in the light of two of its configurations.
struct Labels {
    strata: Vec<Mix>,
    /// True pairs of each kind.
    totals: [Interval; KINDS],
    z: f64,
}

impl Labels {
    /// `None` without labels.
    fn new(frame: &Frame, [a, b]: [usize; 2], unsure: Unsure, confidence: f64) -> Option<Self> {
        let mut strata = vec![Mix::default(); frame.strata.len()];
        let mut each: [Vec<(f64, bool)>; KINDS] = std::array::from_fn(|_| Vec::new());
        for (drawn, truth, weight) in frame.weights(unsure) {
            let [a, b] = [a, b].map(|c| drawn.found >> c & 1 == 1);
            let kind = usize::from(!a) * 2 + usize::from(!b);
            strata[drawn.stratum].kinds[kind].add(truth, weight);
            each[kind].push((weight, truth));
        }
        for (mix, stratum) in strata.iter_mut().zip(&frame.strata) {
            let labelled: u64 = mix.kinds.iter().map(|kind| kind.labelled).sum();
            // Of a document one pair is drawn: chance remains when all documents are.
            let drawn = if frame.documents { 0.0 } else { labelled as f64 / stratum.population.max(1) as f64 };
            mix.open = (1.0 - drawn).max(0.0);
        }
        let share = |k: usize| match frame.documents {
            true => Proportion::weighted(&each[k], 0, confidence)?.wilson,
            false => {
                let cells = strata.iter().map(|mix| mix.kinds[k].cell()).filter(|cell| cell.labelled > 0);
                design(&cells.collect::<Vec<_>>(), confidence)
            }
        };
        let z = deviations(confidence);
        let totals = std::array::from_fn(|k| {
            let total = share(k).map_or(NONE, |share| share.times(sum(&strata, k)));
            let unseen: f64 = (0..strata.len()).map(|h| unseen(frame, h, [a, b], &strata[h], z)[k].powi(2)).sum();
            Interval { high: total.value + ((total.high - total.value).powi(2) + unseen).sqrt(), ..total }
        });
        each.iter().any(|labels| !labels.is_empty()).then_some(Self { totals, strata, z })
    }

    /// Labelled pairs on which only one of the two is right.
    fn only_right(&self, which: usize) -> u64 {
        let of = |kinds: &[Kind; KINDS]| match which {
            0 => kinds[1].yes + (kinds[2].labelled - kinds[2].yes),
            _ => kinds[2].yes + (kinds[1].labelled - kinds[1].yes),
        };
        self.strata.iter().map(|mix| of(&mix.kinds)).sum()
    }

    fn found(&self, which: usize) -> f64 {
        (0..KINDS).filter(|k| FINDS[which][*k]).map(|k| sum(&self.strata, k)).sum()
    }

    /// A sum over kinds with what is left to chance, when a pair of a kind with this share of true ones counts so much.
    fn reach(&self, factors: [f64; KINDS], counts: impl Fn(usize, f64) -> f64) -> Reach {
        let mixed: f64 = self.strata.iter().map(|mix| mix.variance(&counts)).sum();
        Reach::new(factors.into_iter().zip(self.totals)).and(self.z * self.z * mixed)
    }

    fn precision(&self) -> Option<Interval> {
        let found = [0, 1].map(|which| self.found(which));
        if found.iter().any(|pairs| *pairs <= 0.0) {
            return None;
        }
        let each = |which: usize, k: usize| f64::from(u8::from(FINDS[which][k])) / found[which];
        let precision = [0, 1].map(|which| (0..KINDS).map(|k| each(which, k) * self.totals[k].value).sum::<f64>());
        let factors = std::array::from_fn(|k| each(0, k) - each(1, k));
        let counts = |k: usize, p: f64| each(0, k) * (p - precision[0]) - each(1, k) * (p - precision[1]);
        Some(self.reach(factors, counts).interval()?.within(-1.0, 1.0))
    }

    fn recall(&self) -> Option<Interval> {
        let truths: f64 = self.totals.iter().map(|total| total.value).sum();
        if truths <= 0.0 {
            return None;
        }
        let value = (self.totals[1].value - self.totals[2].value) / truths;
        solution(value, [-1.0, 1.0], |x| {
            let factors = [-x, 1.0 - x, -1.0 - x, -x];
            self.reach(factors, |k, p| factors[k] * p)
        })
    }
}

/// For each kind without a label in a stratum: how many pairs it may have all the same, by what each configuration found
/// and by Wilson's interval for none of n.
fn unseen(frame: &Frame, h: usize, [a, b]: [usize; 2], mix: &Mix, z: f64) -> [f64; KINDS] {
    let labelled: u64 = mix.kinds.iter().map(|kind| kind.labelled).sum();
    if frame.documents || labelled == 0 {
        return [0.0; KINDS];
    }
    let [one, other] = [a, b].map(|c| [true, false].map(|found| frame.population(h, c, found)));
    let most = [one[0].min(other[0]), one[0].min(other[1]), one[1].min(other[0]), one[1].min(other[1])];
    let likely = frame.strata[h].population as f64 * z * z * mix.open / (labelled as f64 + z * z);
    std::array::from_fn(|k| if mix.kinds[k].labelled == 0 { likely.min(most[k] as f64) } else { 0.0 })
}

/// Pairs of a kind, as the labels say.
fn sum(strata: &[Mix], k: usize) -> f64 {
    strata.iter().map(|mix| mix.kinds[k].weight).sum()
}

impl Paired {
    /// Compares configurations a and b of a sample. `None` without labels.
    pub fn new(frame: &Frame, places: [usize; 2], unsure: Unsure, confidence: f64) -> Option<Self> {
        let labels = Labels::new(frame, places, unsure, confidence)?;
        let [a, b] = places.map(|c| frame.configurations[c].clone());
        let (only_a_right, only_b_right) = (labels.only_right(0), labels.only_right(1));
        let p_value = mcnemar(only_a_right, only_b_right);
        Some(Self { a, b, only_a_right, only_b_right, p_value, precision: labels.precision(), recall: labels.recall() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::estimates::Drawn;
    use crate::evaluation::sample::Stratum;
    use crate::labels::Label;

    #[test]
    fn the_exact_test_by_hand() {
        assert!((mcnemar(0, 5) - 2.0 / 32.0).abs() < 1e-12);
        assert!((mcnemar(1, 8) - 2.0 * 10.0 / 512.0).abs() < 1e-12);
        assert_eq!((mcnemar(3, 3), mcnemar(0, 0)), (1.0, 1.0));
        assert_eq!(mcnemar(8, 1), mcnemar(1, 8));
    }

    /// One stratum with so many labelled pairs of each kind, and so many of them true.
    fn frame(population: u64, kinds: [(u64, u64); KINDS]) -> Frame {
        let bits = [3, 1, 2, 0];
        let mut drawn = Vec::new();
        for (found, (labelled, yes)) in bits.into_iter().zip(kinds) {
            for i in 0..labelled {
                let label = Some(if i < yes { Label::NearDuplicate } else { Label::Not });
                drawn.push(Drawn { place: drawn.len(), stratum: 0, weight: 1.0, found, label });
            }
        }
        let name = "all".to_owned();
        let of = |k: usize| population * kinds[k].0 / drawn.len().max(1) as u64;
        let found = vec![of(0) + of(1), of(0) + of(2)];
        let strata = vec![Stratum { name, population, drawn: drawn.len() as u64, found, ..Stratum::default() }];
        let configurations = vec!["a".to_owned(), "b".to_owned()];
        Frame { configurations, strata, drawn, documents: false, even: true, disputed: 0 }
    }

    fn paired(population: u64, kinds: [(u64, u64); KINDS]) -> Paired {
        Paired::new(&frame(population, kinds), [0, 1], Unsure::Out, 0.95).unwrap()
    }

    #[test]
    fn differences_by_hand() {
        let ours = paired(100, [(50, 45), (30, 10), (10, 9), (10, 1)]);
        let (precision, recall) = (ours.precision.unwrap(), ours.recall.unwrap());
        assert!((precision.value - (55.0 / 80.0 - 54.0 / 60.0)).abs() < 1e-12, "{precision:?}");
        assert!((recall.value - 1.0 / 65.0).abs() < 1e-12, "{recall:?}");
        assert!(precision.half_width() < 1e-9 && recall.half_width() < 1e-9, "all pairs are labelled: {recall:?}");
        assert_eq!((ours.only_a_right, ours.only_b_right), (10 + 1, 9 + 20));
        let mirrored = paired(100, [(50, 45), (10, 9), (30, 10), (10, 1)]);
        assert!((mirrored.precision.unwrap().value + precision.value).abs() < 1e-12);
    }

    #[test]
    fn labels_all_alike_do_not_make_it_certain() {
        let ours = paired(10_000, [(20, 20), (20, 20), (20, 20), (0, 0)]);
        let (precision, recall) = (ours.precision.unwrap(), ours.recall.unwrap());
        assert_eq!((precision.value, recall.value), (0.0, 0.0));
        assert!(precision.low < -0.04 && precision.high > 0.04, "{precision:?}");
        assert!(recall.low < -0.1 && recall.high > 0.1, "{recall:?}");
        let kept = paired(10_000, [(20, 0), (0, 0), (0, 0), (5, 0)]);
        assert_eq!((kept.recall, kept.precision.map(|p| p.value)), (None, Some(0.0)));
        assert!(Paired::new(&frame(10, [(0, 0); KINDS]), [0, 1], Unsure::Out, 0.95).is_none());
    }
}
