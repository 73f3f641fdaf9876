//! Units made up otherwise than those that were seen, as far as chance allows it: what a coefficient of agreement would be then.
//!
//! Where nearly all units got one name, kappa, alpha and Fleiss's kappa rest on the few that got another: with a share a of
//! these decided alike kappa is about 2a/(1+a), however many units there are. So their number is what the exact limits of
//! that share (Clopper & Pearson 1934) are of.

use super::coefficients::{Row, Rows, observed};
use crate::intervals::clopper_pearson_effective;

/// The rows with as many units put in that raters decide alike, or not alike, as may be there although none was seen.
pub(super) fn with(rows: &Rows, alike: bool, confidence: f64) -> Option<Vec<Row>> {
    let size = Size::of(rows);
    let share = clopper_pearson_effective(0.0, size.effective().floor().max(1.0), confidence)?.high;
    let [x, y] = names(rows);
    let columns = rows.first()?.ratings.len();
    let put = |first: usize, others: usize| {
        let ratings = (0..columns).map(|c| Some(if c == 0 { first } else { others })).collect();
        Row { units: share / (1.0 - share) * size.units / 2.0, weight: size.mass / size.units, ratings }
    };
    let put = if alike { [put(x, x), put(y, y)] } else { [put(x, y), put(y, x)] };
    Some(rows.iter().cloned().chain(put).collect())
}

/// The rows as they may be when, of the units that got any name but the commonest, a smaller or a larger share is decided
/// alike than was seen. Of `certain` rows nothing changes. Empty where all or none of these units were decided alike by all
/// raters: [`with`] is for those.
pub(super) fn of_rarer_names(rows: &Rows, certain: &Rows, confidence: f64) -> Vec<Vec<Row>> {
    let [most, other] = names(&[rows, certain].concat());
    let (rarer, common): (Vec<Row>, Vec<Row>) =
        rows.iter().cloned().partition(|row| row.given().iter().any(|name| *name != most));
    let (alike, apart): (Vec<Row>, Vec<Row>) = rarer.iter().cloned().partition(is_alike);
    let (size, seen) = (Size::of(&rarer), Size::of(&apart));
    let Some(share) = observed(&rarer).map(|share| 1.0 - share).filter(|share| *share > 0.0) else {
        return Vec::new();
    };
    let Some(ends) = clopper_pearson_effective(share, size.effective(), confidence) else { return Vec::new() };
    // Several raters may differ about a unit without all of them differing: `share` is of pairs of raters.
    let apart_at = |share_then: f64| (seen.mass * share_then / share).min(size.mass);
    let mut found: Vec<Vec<Row>> = [ends.low, ends.high]
        .map(|share_then| {
            let (differing, agreeing) = (apart_at(share_then), size.mass - apart_at(share_then));
            let mut changed = [&common[..], certain, &scaled(&apart, differing / seen.mass)].concat();
            match alike.is_empty() {
                false => changed.extend(scaled(&alike, agreeing / (size.mass - seen.mass))),
                true => changed.extend(all_said(other, agreeing, &rarer, &size)),
            }
            changed
        })
        .into();
    if alike.is_empty() {
        found.extend(more_of_both_kinds(rows, &common, &apart, certain, confidence));
    }
    found
}

/// Where raters never agreed on a rarer name: as many units that got one as may be there, and whoever gave it may have been
/// another rater. Kappa falls below 0 then by as much as chance would have them agree.
fn more_of_both_kinds(rows: &Rows, common: &[Row], apart: &[Row], certain: &Rows, confidence: f64) -> Option<Vec<Row>> {
    let (all, rarer) = (Size::of(rows), Size::of(apart));
    let share = rarer.mass / all.mass;
    let most = clopper_pearson_effective(share, all.effective(), confidence)?.high;
    let turned = |row: &Row| Row { ratings: row.ratings.iter().rev().copied().collect(), ..row.clone() };
    let half = scaled(apart, most / share / 2.0);
    let others = if share < 1.0 { scaled(common, (1.0 - most) / (1.0 - share)) } else { Vec::new() };
    Some([&others[..], certain, &half, &half.iter().map(turned).collect::<Vec<Row>>()].concat())
}

/// Units of so much mass that all raters gave this name, as heavy as the others on average.
fn all_said(name: usize, mass: f64, others: &Rows, size: &Size) -> Option<Row> {
    let columns = others.first()?.ratings.len();
    let weight = size.mass / size.units;
    (mass > 0.0).then(|| Row { units: mass / weight, weight, ratings: vec![Some(name); columns] })
}

fn scaled(rows: &[Row], factor: f64) -> Vec<Row> {
    rows.iter().map(|row| Row { units: row.units * factor, ..row.clone() }).filter(|row| row.units > 0.0).collect()
}

fn is_alike(row: &Row) -> bool {
    row.given().windows(2).all(|two| two[0] == two[1])
}

/// How much some rows are.
struct Size {
    units: f64,
    mass: f64,
    /// Sum of the squares of the weights of all units.
    squares: f64,
}

impl Size {
    fn of(rows: &Rows) -> Self {
        let sum = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).sum::<f64>();
        Self { units: sum(&|row| row.units), mass: sum(&Row::mass), squares: sum(&|row| row.mass() * row.weight) }
    }

    /// Units of one weight that say as much.
    fn effective(&self) -> f64 {
        self.mass * self.mass / self.squares
    }
}

/// The two names that were given most; where all gave one, another beside it.
fn names(rows: &Rows) -> [usize; 2] {
    let mut given: Vec<f64> = vec![0.0; 2];
    for row in rows {
        for rating in row.given() {
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

    /// Units of two raters with two names: how often each two of 00, 01, 10 and 11 were said.
    fn units(counts: [u32; 4]) -> Vec<Row> {
        let of = |(k, n): (usize, &u32)| std::iter::repeat_n(Row::plain(vec![Some(k / 2), Some(k % 2)]), *n as usize);
        counts.iter().enumerate().flat_map(of).collect()
    }

    /// By hand: 3 of 8 units with the rarer name are apart, whose limits are 0.0852 and 0.7551 (Clopper and Pearson), of 100.
    #[test]
    fn the_ends_are_those_of_the_units_with_the_rarer_name() {
        let found = of_rarer_names(&units([92, 1, 2, 5]), &[], 0.95);
        let shares: Vec<f64> = found
            .iter()
            .map(|rows| {
                let mass = |alike: bool| rows.iter().filter(|row| is_alike(row) == alike).map(Row::mass).sum::<f64>();
                assert!((mass(true) + mass(false) - 100.0).abs() < 1e-9);
                mass(false) / 8.0
            })
            .collect();
        assert_eq!(shares.len(), 2);
        assert!((shares[0] - 0.0852).abs() < 1e-4 && (shares[1] - 0.7551).abs() < 1e-4, "{shares:?}");
        assert!(of_rarer_names(&units([92, 0, 0, 8]), &[], 0.95).is_empty(), "all alike");
    }
}
