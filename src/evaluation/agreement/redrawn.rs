//! Coefficients of agreement with their intervals: the units drawn again within their strata.
//!
//! Where all units were decided alike (or none was), every redraw says the same, and a bootstrap would claim to know it all.
//! There the end comes from the exact limit of the share that may be otherwise (Clopper & Pearson 1934, at the effective
//! number of units): the coefficient is computed once more with so large a share of such units put in.

use super::coefficients::{Row, Rows};
use crate::base::interval::Interval;
use crate::base::random::{Bootstrap, Random};
use crate::evaluation::intervals::clopper_pearson;

/// A coefficient of agreement.
pub(super) type Coefficient<'a> = &'a dyn Fn(&Rows) -> Option<f64>;

/// Units of which the same was said, by stratum.
pub(super) struct Strata {
    /// Rows of each stratum, each with its number of units.
    strata: Vec<Vec<Row>>,
}

impl Strata {
    /// Of units with the number of their stratum, in any order. A stratum with one unit cannot be drawn again; it is drawn
    /// with the next, or else the one before (collapsed strata, Cochran, *Sampling Techniques*, 1977, section 5A.12).
    pub(super) fn new(units: impl IntoIterator<Item = (usize, Row)>) -> Self {
        let mut units: Vec<(usize, Row)> = units.into_iter().collect();
        units.sort_by(|(h, a), (i, b)| {
            h.cmp(i).then_with(|| a.ratings.cmp(&b.ratings)).then_with(|| a.weight.total_cmp(&b.weight))
        });
        let mut strata: Vec<Vec<Row>> = Vec::new();
        for stratum in units.chunk_by(|a, b| a.0 == b.0) {
            let rows = stratum.iter().map(|(_, row)| row.clone());
            match strata.last_mut() {
                Some(before) if before.len() < 2 => before.extend(rows),
                _ => strata.push(rows.collect()),
            }
        }
        let alone = strata.last().is_some_and(|last| last.len() < 2);
        if alone && strata.len() > 1 {
            let last = strata.pop().unwrap_or_default();
            strata.last_mut().into_iter().for_each(|rows| rows.extend(last.iter().cloned()));
        }
        Self { strata: strata.into_iter().map(counted).collect() }
    }

    fn rows(&self) -> Vec<Row> {
        self.strata.concat()
    }

    /// All units drawn again, with replacement within each stratum.
    fn redraw(&self, random: &mut Random) -> Vec<Row> {
        let mut drawn = Vec::with_capacity(self.strata.iter().map(Vec::len).sum());
        for stratum in &self.strata {
            let ends: Vec<f64> = stratum
                .iter()
                .scan(0.0, |end, row| {
                    *end += row.units;
                    Some(*end)
                })
                .collect();
            let units = ends.last().copied().unwrap_or_default() as u64;
            let mut counts = vec![0.0; stratum.len()];
            for _ in 0..units {
                let place = random.below(units) as f64;
                counts[ends.partition_point(|end| *end <= place)] += 1.0;
            }
            let rows = stratum.iter().zip(counts).filter(|(_, units)| *units > 0.0);
            drawn.extend(rows.map(|(row, units)| Row { units, ..row.clone() }));
        }
        drawn
    }

    /// A coefficient with its interval.
    pub(super) fn interval(&self, of: Coefficient<'_>, bootstrap: &Bootstrap) -> Option<Interval> {
        let rows = self.rows();
        let value = of(&rows)?;
        let drawn = bootstrap.interval(value, bootstrap.replicates(|random| of(&self.redraw(random))))?;
        let split = |row: &&Row| row.said().windows(2).any(|two| two[0] != two[1]);
        let end = match rows.iter().filter(split).count() {
            0 => of(&with(&rows, false, bootstrap.confidence)?)?,
            all if all == rows.len() => of(&with(&rows, true, bootstrap.confidence)?)?,
            _ => return Some(drawn),
        };
        Interval::new(value, drawn.low.min(end), drawn.high.max(end))
    }
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

/// The rows with as many units put in that raters decide alike, or not alike, as may be there although none was seen.
fn with(rows: &Rows, alike: bool, confidence: f64) -> Option<Vec<Row>> {
    let sum = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).sum::<f64>();
    let (units, mass, squares) = (sum(&|row| row.units), sum(&Row::mass), sum(&|row| row.mass() * row.weight));
    let effective = (mass * mass / squares).floor().max(1.0) as u64;
    let share = clopper_pearson(0, effective, confidence)?.high;
    let [x, y] = names(rows);
    let columns = rows.first()?.ratings.len();
    let put = |first: usize, others: usize| {
        let ratings = (0..columns).map(|c| Some(if c == 0 { first } else { others })).collect();
        Row { units: share / (1.0 - share) * units / 2.0, weight: mass / units, ratings }
    };
    let put = if alike { [put(x, x), put(y, y)] } else { [put(x, y), put(y, x)] };
    Some(rows.iter().cloned().chain(put).collect())
}

/// The two names that were given most; where all gave one, another beside it.
fn names(rows: &Rows) -> [usize; 2] {
    let mut given: Vec<f64> = vec![0.0; 2];
    for row in rows {
        for rating in row.said() {
            given.resize(given.len().max(rating + 1), 0.0);
            given[rating] += row.mass();
        }
    }
    let mut order: Vec<usize> = (0..given.len()).collect();
    order.sort_by(|a, b| given[*b].total_cmp(&given[*a]));
    [order[0], order[1]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::agreement::coefficients::{gwet, krippendorff, observed};

    fn units(rows: &[(usize, [usize; 2])]) -> Strata {
        Strata::new(rows.iter().map(|(h, said)| (*h, Row::plain(said.iter().copied().map(Some).collect()))))
    }

    #[test]
    fn units_that_are_all_alike_leave_something_open() {
        let alike = units(&[(0, [0, 0]), (0, [1, 1]), (0, [0, 0]), (1, [1, 1]), (1, [0, 0])]);
        let bootstrap = Bootstrap::default();
        let share = alike.interval(&observed, &bootstrap).unwrap();
        // Clopper and Pearson's limit for 5 of 5: 0.025^(1/5).
        assert!((share.low - 0.025f64.powf(0.2)).abs() < 1e-9 && share.high == 1.0, "{share:?}");
        let alpha = alike.interval(&krippendorff, &bootstrap).unwrap();
        assert!(alpha.value == 1.0 && alpha.low < 0.3, "{alpha:?}");
        let never = units(&[(0, [0, 1]), (0, [1, 0]), (0, [0, 1])]);
        let share = never.interval(&observed, &bootstrap).unwrap();
        assert!(share.value == 0.0 && (share.high - (1.0 - 0.025f64.powf(1.0 / 3.0))).abs() < 1e-9, "{share:?}");
        let ac1 = units(&[(0, [2, 2])]).interval(&|rows| gwet(rows, 2), &bootstrap).unwrap();
        assert!(ac1.value == 1.0 && ac1.low < 0.0, "one unit tells next to nothing: {ac1:?}");
    }

    #[test]
    fn strata_of_one_unit_are_drawn_together() {
        let bootstrap = Bootstrap::default();
        for rows in [
            &[(0, [0, 0]), (1, [0, 1]), (2, [1, 1])][..],
            &[(0, [0, 0]), (0, [1, 1]), (1, [0, 1])],
            &[(3, [0, 1]), (5, [0, 0]), (5, [1, 1])],
        ] {
            let interval = units(rows).interval(&observed, &bootstrap).unwrap();
            assert!(interval.low < interval.value && interval.value < interval.high, "{interval:?}");
        }
        assert!(units(&[]).interval(&observed, &bootstrap).is_none());
    }
}
