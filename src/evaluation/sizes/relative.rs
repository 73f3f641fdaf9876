//! Relative sizes from overlaps.
//!
//! The pages that stand in both A and B are f_ab·|A| and f_ba·|B|, where f_ab is the share of A found in B; so |A|/|B| =
//! f_ba/f_ab. With several corpora every pair of them says so, and the sizes are those that contradict each other least:
//! the sum of (f_xy·x − f_yx·y)² over all pairs is smallest, the first size being 1. With two corpora that is the ratio
//! itself.
//!
//! Intervals are the middle 95 % of the sizes when every share is drawn anew from its posterior with Jeffreys's prior. They
//! hold what chance does to a random sample of pages, and nothing of what a detector misses.

use serde::Serialize;

use crate::base::interval::Interval;
use crate::base::random::{Bootstrap, Random};

/// Of `asked` pages of one corpus, `found` stand in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Overlap {
    /// Number of the corpus they are of.
    pub of: usize,
    /// Number of the corpus they were looked for in.
    pub within: usize,
    /// Pages looked for.
    pub asked: u64,
    /// Pages found.
    pub found: u64,
}

/// How large a corpus is beside the first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Size {
    /// Times the first.
    pub times_first: Interval,
    /// Its share of the sum of all sizes.
    pub share: Interval,
}

/// The sizes of so many corpora; none when the overlaps do not tie them together, or two of them have nothing in common.
pub fn relative(corpora: usize, overlaps: &[Overlap], bootstrap: &Bootstrap) -> Option<Vec<Size>> {
    let shares = |value: &mut dyn FnMut(&Overlap) -> f64| -> Vec<(usize, usize, f64)> {
        overlaps.iter().filter(|o| o.asked > 0).map(|o| (o.of, o.within, value(o))).collect()
    };
    let sizes = solve(corpora, &shares(&mut |o| o.found as f64 / o.asked as f64))?;
    let replicates: Vec<Option<Vec<f64>>> = bootstrap.replicates(|random: &mut Random| {
        solve(
            corpora,
            &shares(&mut |o| random.beta(o.found as f64 + 0.5, (o.asked - o.found.min(o.asked)) as f64 + 0.5)),
        )
    });
    let sum: f64 = sizes.iter().sum();
    let of = |i: usize| {
        let times = bootstrap.interval(sizes[i], replicates.iter().map(|r| Some(r.as_ref()?[i])))?;
        let part = |r: &Option<Vec<f64>>| r.as_ref().map(|sizes| sizes[i] / sizes.iter().sum::<f64>());
        let share = bootstrap.interval(sizes[i] / sum, replicates.iter().map(part))?;
        Some(Size { times_first: times, share })
    };
    (0..corpora).map(of).collect()
}

/// The sizes that contradict the shares least, the first being 1: normal equations, by elimination with pivots.
fn solve(corpora: usize, shares: &[(usize, usize, f64)]) -> Option<Vec<f64>> {
    let share = |of: usize, within: usize| shares.iter().find(|s| (s.0, s.1) == (of, within)).map(|s| s.2);
    let unknown = corpora.checked_sub(1)?;
    let mut rows = vec![vec![0.0; unknown + 1]; unknown];
    for x in 0..corpora {
        for y in x + 1..corpora {
            let (Some(there), Some(back)) = (share(x, y), share(y, x)) else { continue };
            let mut coefficients = vec![0.0; corpora];
            (coefficients[x], coefficients[y]) = (there, -back);
            for (i, row) in rows.iter_mut().enumerate() {
                for (j, cell) in row.iter_mut().take(unknown).enumerate() {
                    *cell += coefficients[i + 1] * coefficients[j + 1];
                }
                row[unknown] -= coefficients[i + 1] * coefficients[0];
            }
        }
    }
    let mut sizes = vec![1.0];
    sizes.extend(eliminate(rows)?);
    sizes.iter().all(|size| size.is_finite() && *size > 0.0).then_some(sizes)
}

fn eliminate(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        if rows[column][column].abs() < 1e-12 {
            return None;
        }
        let own = rows[column].clone();
        for (i, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = row[column] / own[column];
            let from = if i > column { column } else { 0 };
            row.iter_mut().zip(&own).skip(from).for_each(|(cell, other)| *cell -= factor * other);
        }
    }
    Some(rows.iter().enumerate().map(|(i, row)| row[n] / row[i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlap(of: usize, within: usize, found: u64, asked: u64) -> Overlap {
        Overlap { of, within, asked, found }
    }

    #[test]
    fn half_of_a_in_b_and_a_sixth_of_b_in_a() {
        let sizes = relative(2, &[overlap(0, 1, 60, 120), overlap(1, 0, 60, 360)], &Bootstrap::default()).unwrap();
        // B is three times A: |A|/|B| = 1/3.
        assert!((sizes[1].times_first.value - 3.0).abs() < 1e-12, "{sizes:?}");
        assert!((sizes[0].share.value - 0.25).abs() < 1e-12);
        assert!(sizes[1].times_first.low > 2.0 && sizes[1].times_first.high < 4.5, "{sizes:?}");
        assert_eq!(sizes[0].times_first.half_width(), 0.0, "the first is the measure");
    }

    #[test]
    fn several_corpora_that_agree_give_their_sizes() {
        // Sizes 100, 50, 400; common pages 20 (0,1), 40 (0,2), 10 (1,2).
        let pairs = [(0, 1, 20), (0, 2, 40), (1, 2, 10)];
        let sizes = [100, 50, 400];
        let overlaps: Vec<Overlap> = pairs
            .iter()
            .flat_map(|&(x, y, common)| [overlap(x, y, common, sizes[x]), overlap(y, x, common, sizes[y])])
            .collect();
        let found = relative(3, &overlaps, &Bootstrap::default()).unwrap();
        for (size, expected) in found.iter().zip([1.0, 0.5, 4.0]) {
            assert!((size.times_first.value - expected).abs() < 1e-9, "{found:?}");
        }
        assert!((found.iter().map(|s| s.share.value).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_in_common_is_no_size() {
        assert_eq!(relative(2, &[overlap(0, 1, 0, 100), overlap(1, 0, 0, 50)], &Bootstrap::default()), None);
        assert_eq!(relative(3, &[overlap(0, 1, 5, 100), overlap(1, 0, 5, 50)], &Bootstrap::default()), None);
        assert_eq!(relative(2, &[], &Bootstrap::default()), None);
    }

    /// Corpora of 3,000 and 1,000 pages with 500 in common, 200 pages asked of each: the interval holds 3 about as often as
    /// it promises.
    #[test]
    fn the_interval_covers_the_known_size() {
        let mut covered = 0;
        for round in 0..60 {
            let mut random = Random::new(5, round);
            let mut hits = |probability: f64| (0..200).filter(|_| random.unit() < probability).count() as u64;
            let overlaps = [overlap(0, 1, hits(0.5), 200), overlap(1, 0, hits(1.0 / 6.0), 200)];
            let bootstrap = Bootstrap { replicates: 400, ..Bootstrap::default() };
            let sizes = relative(2, &overlaps, &bootstrap).unwrap();
            covered += u32::from(sizes[1].times_first.contains(3.0));
        }
        assert!((52..=60).contains(&covered), "{covered} of 60");
    }
}
