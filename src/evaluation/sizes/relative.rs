//! Relative sizes from overlaps.
//!
//! The pages that stand in both A and B are f_ab·|A| and f_ba·|B|, where f_ab is the share of A found in B; so |A|/|B| =
//! f_ba/f_ab. With several corpora every pair of them says so, and the sizes are those that contradict each other least:
//! the sum of (f_xy·x − f_yx·y)² over all pairs is smallest, the first size being 1. With two corpora that is the ratio
//! itself.
//!
//! Shares are of the joint coverage: of all pages that stand in some of the corpora, a page of several counted once, as
//! Bharat and Broder normalise them. A page of k corpora is one k-th of a page in each of them, so the joint coverage is
//! the sum of |X|·(mean of 1/k over the pages of X). With two corpora that is |A| + |B| − |A ∩ B|. It is known where every
//! two of the corpora were compared.
//!
//! Intervals are the middle 95 % of the sizes when every corpus's pages are drawn anew: how many of them stand in which
//! others, from a Dirichlet posterior whose prior is Jeffreys's for the share of each single overlap. They hold what
//! chance does to a random sample of pages, and nothing of what a detector misses.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use dejaview_base::interval::Interval;
use dejaview_base::random::{Bootstrap, Random};

/// Of `asked` pages of one corpus, `found` stand in another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Overlap {
    /// Number of the corpus they are of.
    pub of: usize,
    /// Number of the corpus they were looked for in.
    pub within: usize,
    pub asked: u64,
    pub found: u64,
    /// The share found, by the weights of the pages.
    pub share: f64,
}

/// The pages of one corpus that were looked for in others. Pages with weights count as the number of equal ones that says
/// as much (Kish: the square of the sum of weights over the sum of their squares), so numbers need not be whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AskedPages {
    pub pages: f64,
    /// The corpora that they were looked for in.
    pub within: BTreeSet<usize>,
    /// How many stand in exactly these others; the rest stand in none.
    pub held: BTreeMap<BTreeSet<usize>, f64>,
}

impl AskedPages {
    /// Share of pages that stand in exactly these others.
    fn shares(&self) -> Vec<(BTreeSet<usize>, f64)> {
        let all = if self.pages > 0.0 { self.pages } else { 1.0 };
        let held = self.held.iter().map(|(others, pages)| (others.clone(), pages / all));
        let none = self.in_none() / all;
        held.chain([(BTreeSet::new(), none)]).collect()
    }

    /// How many stand in no other.
    fn in_none(&self) -> f64 {
        (self.pages - self.held.values().sum::<f64>()).max(0.0)
    }

    /// The same, drawn anew.
    fn drawn(&self, random: &mut Random) -> Vec<(BTreeSet<usize>, f64)> {
        let others: Vec<usize> = self.within.iter().copied().take(MOST_OTHERS).collect();
        let subsets = 1u64 << others.len();
        // With 1/subsets each, half of the subsets hold a given corpus, and its share has the prior of Jeffreys.
        let prior = 1.0 / subsets as f64;
        let rest = self.in_none();
        let mut drawn: Vec<(BTreeSet<usize>, f64)> = (0..subsets)
            .rev()
            .map(|subset| {
                let held = others.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
                let held: BTreeSet<usize> = held.map(|(_, other)| *other).collect();
                let pages = if held.is_empty() { rest } else { self.held.get(&held).copied().unwrap_or_default() };
                (held, random.gamma(pages + prior))
            })
            .collect();
        let sum: f64 = drawn.iter().map(|(_, part)| part).sum();
        drawn.iter_mut().for_each(|(_, part)| *part = if sum > 0.0 { *part / sum } else { 0.0 });
        drawn
    }
}

/// Other corpora of which all subsets are drawn at most.
const MOST_OTHERS: usize = 10;

/// How large a corpus is beside the first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Size {
    /// Times the first.
    pub times_first: Interval,
    /// Its share of all pages that stand in some of the corpora; none unless every two of them were compared.
    pub share: Option<Interval>,
}

/// The sizes of the corpora whose pages were asked; none when the overlaps do not tie them together, or two of them have
/// nothing in common.
pub fn relative(asked: &[AskedPages], bootstrap: &Bootstrap) -> Option<Vec<Size>> {
    let corpora = asked.len();
    let complete = corpora <= MOST_OTHERS && asked.iter().all(|a| a.within.len() + 1 == corpora && a.pages > 0.0);
    let both = |shares: &[Vec<(BTreeSet<usize>, f64)>]| {
        let sizes = solve(asked, shares)?;
        let whole = complete.then(|| joint(&sizes, shares));
        Some((sizes, whole))
    };
    let (sizes, whole) = both(&asked.iter().map(AskedPages::shares).collect::<Vec<_>>())?;
    let replicates: Vec<Option<(Vec<f64>, Option<f64>)>> =
        bootstrap.replicates(|random: &mut Random| both(&asked.iter().map(|a| a.drawn(random)).collect::<Vec<_>>()));
    let of = |i: usize| {
        let times = bootstrap.interval(sizes[i], replicates.iter().map(|r| Some(r.as_ref()?.0[i])))?;
        // Overlaps that contradict each other can make a corpus larger than all of them.
        let part = |sizes: &[f64], whole: Option<f64>| whole.map(|whole| (sizes[i] / whole).min(1.0));
        let drawn = replicates.iter().map(|r| r.as_ref().and_then(|(sizes, whole)| part(sizes, *whole)));
        let share = part(&sizes, whole).and_then(|share| bootstrap.interval(share, drawn));
        Some(Size { times_first: times, share })
    };
    (0..corpora).map(of).collect()
}

/// The size of all corpora together, a page of several counted once.
fn joint(sizes: &[f64], shares: &[Vec<(BTreeSet<usize>, f64)>]) -> f64 {
    let once = |parts: &[(BTreeSet<usize>, f64)]| -> f64 {
        parts.iter().map(|(others, share)| share / (1 + others.len()) as f64).sum()
    };
    sizes.iter().zip(shares).map(|(size, parts)| size * once(parts)).sum()
}

/// The sizes that contradict the shares least, the first being 1: normal equations, by elimination with pivots.
fn solve(asked: &[AskedPages], shares: &[Vec<(BTreeSet<usize>, f64)>]) -> Option<Vec<f64>> {
    let corpora = asked.len();
    let share = |of: usize, within: usize| -> Option<f64> {
        let compared = asked[of].pages > 0.0 && asked[of].within.contains(&within);
        let parts = shares[of].iter().filter(|(others, _)| others.contains(&within));
        compared.then(|| parts.map(|(_, part)| part).sum())
    };
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

    /// Pages that were looked for in one other corpus.
    fn asked(other: usize, found: u64, pages: u64) -> AskedPages {
        AskedPages { pages: pages as f64, within: [other].into(), held: [([other].into(), found as f64)].into() }
    }

    #[test]
    fn half_of_a_in_b_and_a_sixth_of_b_in_a() {
        let sizes = relative(&[asked(1, 60, 120), asked(0, 60, 360)], &Bootstrap::default()).unwrap();
        // B is three times A: |A|/|B| = 1/3.
        assert!((sizes[1].times_first.value - 3.0).abs() < 1e-12, "{sizes:?}");
        assert!(sizes[1].times_first.low > 2.0 && sizes[1].times_first.high < 4.5, "{sizes:?}");
        assert_eq!(sizes[0].times_first.half_width(), 0.0, "the first is the measure");
        // 120 and 360 pages, 60 of them in both: 420 in all.
        let shares: Vec<f64> = sizes.iter().map(|size| size.share.unwrap().value).collect();
        assert!((shares[0] - 120.0 / 420.0).abs() < 1e-12 && (shares[1] - 360.0 / 420.0).abs() < 1e-12, "{shares:?}");
    }

    /// Corpora as sets of pages, every page of each looked for in all others.
    fn all_asked(corpora: &[BTreeSet<u64>]) -> Vec<AskedPages> {
        let others = |of: usize| (0..corpora.len()).filter(move |other| *other != of);
        let one = |of: usize| {
            let mut asked =
                AskedPages { pages: corpora[of].len() as f64, within: others(of).collect(), ..AskedPages::default() };
            for page in &corpora[of] {
                let holds: BTreeSet<usize> = others(of).filter(|&other| corpora[other].contains(page)).collect();
                if !holds.is_empty() {
                    *asked.held.entry(holds).or_default() += 1.0;
                }
            }
            asked
        };
        (0..corpora.len()).map(one).collect()
    }

    #[test]
    fn several_corpora_have_their_sizes_and_their_shares_of_the_union() {
        let corpora: Vec<BTreeSet<u64>> = vec![
            (0..100).collect(),
            (80..130).collect(),
            (60..460).filter(|n| n % 7 != 0).collect(),
            (5..90).collect(),
        ];
        let union: BTreeSet<u64> = corpora.iter().flatten().copied().collect();
        let bootstrap = Bootstrap { replicates: 200, ..Bootstrap::default() };
        let found = relative(&all_asked(&corpora), &bootstrap).unwrap();
        for (size, corpus) in found.iter().zip(&corpora) {
            let share = size.share.unwrap();
            assert!((size.times_first.value - corpus.len() as f64 / 100.0).abs() < 1e-9, "{found:?}");
            assert!((share.value - corpus.len() as f64 / union.len() as f64).abs() < 1e-9, "{found:?}");
            assert!(share.low < share.value && share.value < share.high, "{share:?}");
        }
        assert!(found.iter().map(|s| s.share.unwrap().value).sum::<f64>() > 1.0, "pages of several count in each");
    }

    #[test]
    fn nothing_in_common_is_no_size() {
        let few = Bootstrap { replicates: 50, ..Bootstrap::default() };
        assert_eq!(relative(&[asked(1, 0, 100), asked(0, 0, 50)], &few), None);
        assert_eq!(relative(&[asked(1, 5, 100), asked(0, 5, 50), AskedPages::default()], &few), None);
        assert_eq!(relative(&[AskedPages::default(), AskedPages::default()], &few), None);
    }

    #[test]
    fn without_a_comparison_of_every_two_there_are_sizes_and_no_shares() {
        let mut middle = asked(0, 20, 50);
        middle.within.insert(2);
        middle.held.insert([2].into(), 10.0);
        let sizes = relative(&[asked(1, 20, 100), middle, asked(1, 10, 400)], &Bootstrap::default()).unwrap();
        assert!((sizes[2].times_first.value - 4.0).abs() < 1e-9, "{sizes:?}");
        assert!(sizes.iter().all(|size| size.share.is_none()), "{sizes:?}");
    }

    /// Corpora of 3,000 and 1,000 pages with 500 in common, 200 pages asked of each: the intervals hold the size of 3 and
    /// the share of 3,000 in 3,500 about as often as they promise.
    #[test]
    fn the_interval_covers_the_known_size() {
        let mut covered = [0; 2];
        for round in 0..60 {
            let mut random = Random::new(5, round);
            let mut hits = |probability: f64| (0..200).filter(|_| random.unit() < probability).count() as u64;
            let pages = [asked(1, hits(0.5), 200), asked(0, hits(1.0 / 6.0), 200)];
            let bootstrap = Bootstrap { replicates: 400, ..Bootstrap::default() };
            let sizes = relative(&pages, &bootstrap).unwrap();
            covered[0] += u32::from(sizes[1].times_first.contains(3.0));
            covered[1] += u32::from(sizes[1].share.unwrap().contains(6.0 / 7.0));
        }
        assert!(covered.iter().all(|covered| (52..=60).contains(covered)), "{covered:?} of 60");
    }
}
