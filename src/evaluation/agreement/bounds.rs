//! Coefficients of agreement with their intervals.
//!
//! Every coefficient is 1 − D/E: how often raters differ, by how often chance would have them differ. Its interval follows
//! from Clopper and Pearson's of D at the effective size, as that of precision does (Korn & Graubard, Survey Methodology 1998).
//! The variance behind the effective size is that of the whole coefficient, so that what E leaves to chance is in it: of its
//! linear part over the units of each stratum (Särndal, Swensson & Wretman 1992, 5.5; Gwet 2008 for kappa and AC1), with
//! Student's distribution where it rests on few. A stratum whose units were all decided alike (or none of them) would seem to
//! have none; there (x+1)/(n+2) stands for its share, and so does it where raters differ to the same degree on every unit.
//!
//! Where all units of all strata were decided alike (or none), E is not known either. There the end comes from the exact limit
//! of the share that may be otherwise (Clopper & Pearson 1934, at the effective number of units): the coefficient is computed
//! once more with so large a share of such units put in. Where a name is rare, E rests on the few units that got it, and the
//! linear part says too little: of 16 pairs in 340 with a rare label, 40 drawn, intervals covered 70 %. An interval therefore
//! holds what the coefficient is at the exact limits of the share of those units that is decided alike (see
//! [`of_rarer_names`]); tests ask for 94 % then, and where labels are balanced nothing changes.
//!
//! Drawing the units again within their strata (bootstrap) covered 81 to 94 % where strata have few units each.

use super::coefficients::{Row, Rows, observed};
use super::composition::{of_rarer_names, with};
use crate::distributions::{deviations, student_deviations};
use crate::intervals::clopper_pearson_effective;
use dejaview_base::interval::Interval;

/// A coefficient of agreement.
pub(super) type Coefficient<'a> = &'a dyn Fn(&Rows) -> Option<f64>;

/// By what part a weight is changed to see what a coefficient makes of it.
const STEP: f64 = 1e-4;

/// Units of a stratum; those of which the same was said are one row.
struct Stratum {
    rows: Vec<Row>,
    /// Whether all of its units are taken for what those seen are.
    certain: bool,
}

/// Units of which the same was said, by stratum.
pub(super) struct Strata {
    strata: Vec<Stratum>,
}

/// What the variance of a coefficient is made of.
struct Spread {
    variance: f64,
    /// Satterthwaite's degrees of freedom.
    freedom: f64,
    /// p(1−p) of the share of units that were decided otherwise.
    single: f64,
}

impl Strata {
    /// Groups units, each with the number of its stratum, in any order. Strata that are `far` and in which only one name was
    /// ever given are taken as certain. A stratum with one unit shows no spread, so it is merged with the next one, or else
    /// with the one before (collapsed strata, Cochran, *Sampling Techniques*, 1977, section 5A.12).
    pub(super) fn new(units: impl IntoIterator<Item = (usize, Row)>, far: &[bool]) -> Self {
        let mut units: Vec<(usize, Row)> = units.into_iter().collect();
        units.sort_by(|(h, a), (i, b)| {
            h.cmp(i).then_with(|| a.ratings.cmp(&b.ratings)).then_with(|| a.weight.total_cmp(&b.weight))
        });
        let (mut strata, mut certain) = (Vec::<Vec<Row>>::new(), Vec::new());
        for stratum in units.chunk_by(|a, b| a.0 == b.0) {
            let rows: Vec<Row> = stratum.iter().map(|(_, row)| row.clone()).collect();
            let said: Vec<usize> = rows.iter().flat_map(Row::given).collect();
            let far = stratum.first().is_some_and(|(h, _)| far.get(*h).copied().unwrap_or(false));
            match strata.last_mut() {
                _ if far && said.windows(2).all(|two| two[0] == two[1]) => certain.push(rows),
                Some(before) if before.len() < 2 => before.extend(rows),
                _ => strata.push(rows),
            }
        }
        if strata.len() > 1 && strata.last().is_some_and(|last| last.len() < 2) {
            let alone = strata.pop().unwrap_or_default();
            strata.last_mut().into_iter().for_each(|rows| rows.extend(alone.iter().cloned()));
        }
        let all = strata.into_iter().map(|rows| (rows, false)).chain(certain.into_iter().map(|rows| (rows, true)));
        Self { strata: all.map(|(rows, certain)| Stratum { rows: counted(rows), certain }).collect() }
    }

    fn rows(&self) -> Vec<Row> {
        self.strata.iter().flat_map(|stratum| stratum.rows.iter().cloned()).collect()
    }

    /// A coefficient with its interval.
    pub(super) fn interval(&self, of: Coefficient<'_>, confidence: f64) -> Option<Interval> {
        let rows = self.rows();
        let (value, apart) = (of(&rows)?, 1.0 - observed(&rows)?);
        let pure = if apart < 1e-12 { Some(false) } else { (apart > 1.0 - 1e-12).then_some(true) };
        if let Some(alike) = pure {
            let end = of(&with(&rows, alike, confidence)?)?;
            return Interval::new(value, value.min(end), value.max(end));
        }
        let by_chance = apart / (1.0 - value);
        let spread = self.spread(of, by_chance)?;
        let shrunk = deviations(confidence) / student_deviations(confidence, spread.freedom);
        let effective = spread.single / (by_chance * by_chance * spread.variance) * shrunk * shrunk;
        let ends = clopper_pearson_effective(apart, effective, confidence)?;
        let linear = [1.0 - ends.high / by_chance, 1.0 - ends.low / by_chance].map(|end| end.clamp(-1.0, 1.0));
        let possible = self.made_up_otherwise(by_chance < 1.0, confidence).into_iter().filter_map(|rows| of(&rows));
        let (low, high) = possible.chain(linear).fold((value, value), |(low, high), end| (low.min(end), high.max(end)));
        Interval::new(value, low, high)
    }

    /// What the units may be otherwise, although they do not look it. How rare a name is matters only `beyond_chance`.
    fn made_up_otherwise(&self, beyond_chance: bool, confidence: f64) -> Vec<Vec<Row>> {
        let of = |certain: bool| -> Vec<Row> {
            self.strata.iter().filter(|stratum| stratum.certain == certain).flat_map(|s| s.rows.clone()).collect()
        };
        let open = of(false);
        let mut otherwise = if beyond_chance { of_rarer_names(&open, &of(true), confidence) } else { Vec::new() };
        if differ_to_one_degree(&open) {
            let all = self.rows();
            otherwise.extend([true, false].into_iter().filter_map(|alike| with(&all, alike, confidence)));
        }
        otherwise
    }

    /// The spread of a coefficient, when raters would differ so often by chance.
    fn spread(&self, of: Coefficient<'_>, by_chance: f64) -> Option<Spread> {
        let rows = self.rows();
        let pulls = pulls(&rows, of)?;
        let mass: f64 = rows.iter().map(Row::mass).sum();
        let (mut variance, mut squares, mut centre, mut units, mut smooth) = (0.0, 0.0, 0.0, 0.0, false);
        let mut pulls = pulls.into_iter();
        for Stratum { rows, certain } in &self.strata {
            let sum = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).sum::<f64>();
            let (n, weight) = (sum(&|row| row.units), sum(&Row::mass) / mass);
            let apart = 1.0 - observed(rows)?;
            let mine: Vec<(f64, f64)> = rows.iter().zip(pulls.by_ref()).map(|(row, pull)| (row.units, pull)).collect();
            let mean = mine.iter().map(|(units, pull)| units * pull).sum::<f64>() / n;
            let deviation: f64 = mine.iter().map(|(units, pull)| units * (pull - mean).powi(2)).sum();
            let mut part = deviation * n / (n - 1.0).max(1.0);
            let pure = !(1e-12..1.0 - 1e-12).contains(&apart);
            let uniform = !certain && (n < 2.0 || differ_to_one_degree(rows));
            let share = if uniform && pure { (n * apart + 1.0) / (n + 2.0) } else { apart };
            if uniform {
                let (otherwise, reach) = (1.0 / (n + 2.0), apart.max(1.0 - apart));
                part += (weight * reach / by_chance).powi(2) * otherwise * (1.0 - otherwise) / n;
                smooth = true;
            }
            variance += part;
            squares += part * part / (n - 1.0).max(1.0);
            centre += weight * share;
            units += n;
        }
        let single = centre * (1.0 - centre) * if smooth { 1.0 } else { units / (units - 1.0).max(1.0) };
        let freedom = if squares > 0.0 { (variance * variance / squares).max(1.0) } else { f64::INFINITY };
        Some(Spread { variance, freedom, single })
    }
}

/// Whether raters differ on every unit to the same degree: all alike, all apart, or two of three.
fn differ_to_one_degree(rows: &Rows) -> bool {
    let mut degrees = rows.iter().filter_map(|row| observed(std::slice::from_ref(row)));
    let first = degrees.next();
    degrees.all(|degree| first.is_some_and(|first| (degree - first).abs() < 1e-12))
}

/// How far a coefficient moves with each unit of a row: its linear part.
fn pulls(rows: &Rows, of: Coefficient<'_>) -> Option<Vec<f64>> {
    let mut changed = rows.to_vec();
    let mut pulls = Vec::with_capacity(rows.len());
    for (i, row) in rows.iter().enumerate() {
        let mut at = |factor: f64| {
            changed[i].weight = row.weight * factor;
            of(&changed)
        };
        let (more, less) = (at(1.0 + STEP)?, at(1.0 - STEP)?);
        pulls.push((more - less) / (2.0 * STEP * row.units));
        changed[i].weight = row.weight;
    }
    Some(pulls)
}

/// Neighbouring rows that say the same with the same weight as one.
fn counted(rows: Vec<Row>) -> Vec<Row> {
    let mut counted: Vec<Row> = Vec::new();
    for row in rows {
        match counted.last_mut() {
            Some(last) if last.ratings == row.ratings && last.weight == row.weight => last.units += row.units,
            _ => counted.push(row),
        }
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::coefficients::{cohen, gwet, krippendorff};
    use crate::estimates::{Cell, headline};
    use dejaview_base::random::Random;

    fn units(rows: &[(usize, [usize; 2])]) -> Strata {
        Strata::new(rows.iter().map(|(h, said)| (*h, Row::plain(said.iter().copied().map(Some).collect()))), &[])
    }

    /// Units of two raters with two names in a stratum: how often each two of 00, 01, 10 and 11 were said, and the weight.
    fn table(h: usize, counts: [u32; 4], weight: f64) -> impl Iterator<Item = (usize, Row)> {
        let of = move |(k, n): (usize, u32)| {
            std::iter::repeat_n((h, Row { weight, ..Row::plain(vec![Some(k / 2), Some(k % 2)]) }), n as usize)
        };
        counts.into_iter().enumerate().flat_map(of)
    }

    fn kappa(rows: &Rows) -> Option<f64> {
        cohen(rows, 0, 1)?.2
    }

    #[test]
    fn units_that_are_all_alike_leave_something_open() {
        let alike = units(&[(0, [0, 0]), (0, [1, 1]), (0, [0, 0]), (1, [1, 1]), (1, [0, 0])]);
        let share = alike.interval(&observed, 0.95).unwrap();
        // Clopper and Pearson's limit for 5 of 5: 0.025^(1/5).
        assert!((share.low - 0.025f64.powf(0.2)).abs() < 1e-9 && share.high == 1.0, "{share:?}");
        let alpha = alike.interval(&krippendorff, 0.95).unwrap();
        assert!(alpha.value == 1.0 && alpha.low < 0.3, "{alpha:?}");
        let never = units(&[(0, [0, 1]), (0, [1, 0]), (0, [0, 1])]);
        let share = never.interval(&observed, 0.95).unwrap();
        assert!(share.value == 0.0 && (share.high - (1.0 - 0.025f64.powf(1.0 / 3.0))).abs() < 1e-9, "{share:?}");
        let ac1 = units(&[(0, [2, 2])]).interval(&|rows| gwet(rows, 2), 0.95).unwrap();
        assert!(ac1.value == 1.0 && ac1.low < 0.0, "one unit tells next to nothing: {ac1:?}");
    }

    #[test]
    fn strata_of_one_unit_are_taken_together() {
        for rows in [
            &[(0, [0, 0]), (1, [0, 1]), (2, [1, 1])][..],
            &[(0, [0, 0]), (0, [1, 1]), (1, [0, 1])],
            &[(3, [0, 1]), (5, [0, 0]), (5, [1, 1])],
        ] {
            let interval = units(rows).interval(&observed, 0.95).unwrap();
            assert!(interval.low < interval.value && interval.value < interval.high, "{interval:?}");
        }
        assert!(units(&[]).interval(&observed, 0.95).is_none());
    }

    #[test]
    fn the_share_observed_has_the_interval_of_precision() {
        let strata =
            Strata::new(table(0, [20, 3, 1, 16], 800.0 / 40.0).chain(table(1, [2, 9, 6, 3], 200.0 / 20.0)), &[]);
        let ours = strata.interval(&observed, 0.95).unwrap();
        // As many labels of a population without end.
        let cell = |population, labelled, yes| Cell { population, labelled, yes, doubtful: 0 };
        let cells = [cell(800_000_000_000, 40, 36), cell(200_000_000_000, 20, 5)];
        let shares = headline(&cells, 0.95).unwrap();
        assert!((ours.value - shares.value).abs() < 1e-12);
        assert!((ours.low - shares.low).abs() < 1e-6 && (ours.high - shares.high).abs() < 1e-6, "{ours:?} {shares:?}");
    }

    #[test]
    fn the_variance_of_kappa_is_that_of_another_program() {
        // statsmodels.stats.inter_rater.cohens_kappa([[20, 5], [10, 15]]).var_kappa, which is of Fleiss, Cohen & Everitt (1969).
        let strata = Strata::new(table(0, [20, 5, 10, 15], 1.0), &[]);
        let spread = strata.spread(&kappa, 0.5).unwrap();
        assert!((spread.variance * 49.0 / 50.0 - 0.016_128).abs() < 1e-9, "{}", spread.variance);
        assert!((spread.freedom - 49.0).abs() < 1e-9);
    }

    #[test]
    fn strata_that_are_far_and_all_alike_are_taken_for_certain() {
        let of = |far: bool| {
            let units = table(0, [10, 3, 2, 20], 2.0).chain(table(1, [4, 0, 0, 0], 5_000.0));
            Strata::new(units, &[false, far]).interval(&krippendorff, 0.95).unwrap()
        };
        let (open, far) = (of(false), of(true));
        assert_eq!(open.value, far.value);
        assert!(open.low < -0.9 && far.low > 0.3, "{open:?} {far:?}");
    }

    /// Five strata with few units each, as of a sample by Jaccard with equal numbers: the bootstrap covered 81 to 93 % of such.
    #[test]
    fn it_covers_where_strata_are_small_and_some_are_pure() {
        let population: [[u32; 4]; 5] = [[60, 14, 12, 303], [18, 1, 1, 2], [35, 8, 5, 5], [30, 6, 4, 2], [50, 1, 1, 0]];
        let sizes = population.map(|stratum| stratum.iter().sum::<u32>());
        let truth =
            |of: Coefficient<'_>| of(&Strata::new(population.into_iter().flat_map(|s| table(0, s, 1.0)), &[]).rows());
        let ac1 = |rows: &Rows| gwet(rows, 2);
        let coefficients: [Coefficient<'_>; 3] = [&krippendorff, &kappa, &ac1];
        let truths = coefficients.map(|of| truth(of).unwrap());
        let (rounds, mut covered) = (400, [0u32; 3]);
        for round in 0..rounds {
            let mut random = Random::new(3, round);
            let mut drawn: Vec<(usize, Row)> = Vec::new();
            for (h, stratum) in population.iter().enumerate() {
                let mut left = *stratum;
                for _ in 0..12 {
                    let mut place = random.below(u64::from(left.iter().sum::<u32>())) as u32;
                    let k = left.iter().position(|n| {
                        let here = place < *n;
                        place = place.saturating_sub(*n);
                        here
                    });
                    let mut one = [0; 4];
                    one[k.unwrap()] = 1;
                    left[k.unwrap()] -= 1;
                    drawn.extend(table(h, one, f64::from(sizes[h]) / 12.0));
                }
            }
            let strata = Strata::new(drawn, &[]);
            for ((of, truth), covered) in coefficients.iter().zip(truths).zip(&mut covered) {
                *covered += u32::from(strata.interval(*of, 0.95).unwrap().contains(truth));
            }
        }
        assert!(covered.iter().all(|n| *n >= 375), "{covered:?} of {rounds}");
    }

    fn rows_of(counts: [u32; 4]) -> Vec<Row> {
        table(0, counts, 1.0).map(|(_, row)| row).collect()
    }

    fn one_stratum(rows: Vec<Row>) -> Strata {
        Strata::new(rows.into_iter().map(|row| (0, row)), &[])
    }

    /// One of forty got the rarer name, from one rater: that says nearly nothing about how often both would give it.
    #[test]
    fn one_unit_with_another_name_leaves_nearly_everything_open() {
        let rows = rows_of([39, 0, 1, 0]);
        for of in [&kappa as Coefficient<'_>, &krippendorff] {
            let interval = one_stratum(rows.clone()).interval(of, 0.95).unwrap();
            assert!(interval.value.abs() < 0.01 && interval.low < -0.02 && interval.high > 0.9, "{interval:?}");
        }
    }

    /// Three raters of whom one always differs: others than these units may be there.
    #[test]
    fn two_of_three_everywhere_is_no_certainty() {
        let one = |k: usize| Row::plain((0..3).map(|c| Some(usize::from(c == k % 3))).collect());
        let interval = one_stratum((0..40).map(one).collect()).interval(&observed, 0.95).unwrap();
        assert!((interval.value - 1.0 / 3.0).abs() < 1e-12, "{interval:?}");
        // 8.8 % of forty may be otherwise.
        assert!(interval.low < 0.32 && interval.high > 0.38, "{interval:?}");
    }

    /// Where labels are balanced the linear part of the coefficient says as much, and the interval is its own.
    #[test]
    fn balanced_labels_are_as_certain_as_before() {
        let rows = rows_of([40, 10, 10, 40]);
        let interval = one_stratum(rows.clone()).interval(&kappa, 0.95).unwrap();
        let ends: Vec<f64> = of_rarer_names(&rows, &[], 0.95).iter().filter_map(|rows| kappa(rows)).collect();
        assert!(ends.iter().all(|end| interval.low < *end && *end < interval.high), "{interval:?} {ends:?}");
    }

    /// Populations of 340 pairs in which one label is rare, or never given by both: before, 29 to 72 % were covered.
    #[test]
    fn it_covers_where_a_name_is_rare() {
        for (population, drawn) in [
            ([324, 0, 8, 8], 40),
            ([333, 3, 1, 3], 60),
            ([330, 5, 5, 0], 40),
            ([320, 10, 8, 2], 60),
            ([296, 10, 4, 30], 40),
        ] {
            let all = rows_of(population);
            for of in [&kappa as Coefficient<'_>, &krippendorff] {
                let truth = of(&all).unwrap();
                let (mut covered, mut given) = (0, 0);
                for round in 0..300 {
                    let (mut random, mut left) = (Random::new(7, round), all.clone());
                    let sample = (0..drawn).map(|_| left.swap_remove(random.below(left.len() as u64) as usize));
                    let Some(interval) = one_stratum(sample.collect()).interval(of, 0.95) else { continue };
                    given += 1;
                    covered += u32::from(interval.contains(truth));
                }
                assert!(f64::from(covered) >= 0.94 * f64::from(given), "{population:?}: {covered} of {given}");
            }
        }
    }
}
