//! Documents with unequal chances: what the numbers of segments in which they were found say about further segments.
//!
//! Every document has a chance p of standing in a segment, and nothing is assumed about how chances are spread: some
//! documents may be everywhere and some nowhere. The numbers of documents found in 0, 1, …, T segments are then a mixture of
//! binomials, and its mixing distribution is fitted by maximum likelihood without a formula for it (Laird, *Nonparametric
//! maximum likelihood estimation of a mixing distribution*, JASA 1978), on a grid of chances that is made finer where the
//! likelihood would still rise: the gradient says where, and bounds what is missing (Lindsay, *The geometry of mixture
//! likelihoods*, Annals of Statistics 1983). Beta-binomial and equal chances are special cases.
//!
//! Several distributions may fit equally well and promise different things. The value is then that of one in the middle of
//! them, and the ends are the least and the most that any distribution promises whose likelihood is not refuted (a profile
//! likelihood, Murphy and van der Vaart, JASA 2000). All are tops of concave functions, found by Newton's method along a
//! barrier that keeps shares above 0 (Boyd and Vandenberghe, *Convex Optimization*, 2004, chapter 11), some 60 steps of
//! O(chances·T²).

use crate::distributions::{binomial, deviations};

/// Chances of the first grid apart from 0 and 1, the least and the greatest of them: what is rarer matters to nobody who
/// reads fewer than 10,000 segments.
const CHANCES: usize = 48;
const LEAST: f64 = 1e-6;
const GREATEST: f64 = 0.99;
/// Chances of the finest grid.
const FINEST: usize = 1001;
/// How often the grid is made finer at most, and how far the log-likelihood may stay below its top.
const ROUNDS: usize = 12;
const MISSING: f64 = 1e-4;
/// Barriers between the first and the last.
const BARRIERS: i32 = 6;
/// The last barrier: it leaves a log-likelihood within 10⁻⁵ of its top.
const LAST: f64 = 1e-7;
/// Steps at one barrier at most, and the gain of a step after which they end.
const STEPS: usize = 60;
const ENOUGH: f64 = 1e-7;
/// Pulls that are tried for an end at most; some five do.
const TRIES: usize = 16;

pub(super) struct Mixture {
    /// Chances of standing in a segment.
    chances: Vec<f64>,
    /// For each number of segments in which documents were found: how many, and its probability by chance.
    cells: Vec<(f64, Vec<f64>)>,
    read: i32,
    /// Share of the documents that they did not show.
    unshown: f64,
    /// Share of the documents that have each chance.
    shares: Vec<f64>,
    likelihood: f64,
}

/// A share of documents, with the least and the most that is not refuted.
pub(super) struct Range {
    pub(super) value: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl Mixture {
    /// Fits the numbers of documents found in 0, 1, …, T segments.
    pub(super) fn fit(counts: &[u64]) -> Self {
        let mut chances: Vec<f64> = [0.0].into_iter().chain(grid(CHANCES)).chain([1.0]).collect();
        let mut fitted = Self::on(chances.clone(), counts);
        for _ in 0..ROUNDS {
            let missing = fitted.missing(counts);
            if missing.is_empty() {
                break;
            }
            chances.extend(missing);
            chances.sort_unstable_by(f64::total_cmp);
            chances.dedup();
            fitted = Self::on(chances.clone(), counts);
        }
        fitted
    }

    /// Fits with these chances.
    fn on(chances: Vec<f64>, counts: &[u64]) -> Self {
        let read = counts.len() - 1;
        let cell = |k: usize| chances.iter().map(|p| binomial(k as f64, read as f64, *p)).collect();
        let seen = counts.iter().enumerate().filter(|(_, n)| **n > 0);
        let cells = seen.map(|(k, n)| (*n as f64, cell(k))).collect();
        let unshown = counts[0] as f64 / counts.iter().sum::<u64>().max(1) as f64;
        let mut fitted = Self { chances, cells, read: read as i32, unshown, shares: Vec::new(), likelihood: 0.0 };
        fitted.shares = fitted.top(0.0, &[]);
        fitted.likelihood = fitted.likelihood(&fitted.shares);
        fitted
    }

    /// Chances at which the likelihood would rise most if some documents had them, each the highest among its neighbours.
    fn missing(&self, counts: &[u64]) -> Vec<f64> {
        let finest: Vec<f64> = grid(FINEST).collect();
        let rises: Vec<f64> = finest.iter().map(|p| self.rise(counts, *p)).collect();
        let highest = |i: &usize| rises[*i] > MISSING && rises[*i] >= rises[i - 1] && rises[*i] > rises[i + 1];
        (1..FINEST - 1).filter(highest).map(|i| finest[i]).collect()
    }

    /// How fast the log-likelihood rises when all documents move to one chance: at the top nowhere, and no log-likelihood
    /// is further above this one than the most that is found here.
    fn rise(&self, counts: &[u64], chance: f64) -> f64 {
        let seen = counts.iter().enumerate().filter(|(_, n)| **n > 0);
        let at = |(k, _)| binomial(k as f64, f64::from(self.read), chance);
        seen.zip(&self.cells).map(|(seen, (n, cell))| n * (at(seen) / dot(cell, &self.shares) - 1.0)).sum()
    }

    /// Share of the documents not yet found that this many more segments would show.
    pub(super) fn shown_later(&self, more: usize, confidence: f64) -> Range {
        let missed = |segments: i32| self.chances.iter().map(move |p| (1.0 - p).powi(segments)).collect::<Vec<f64>>();
        let (unseen, still) = (missed(self.read), missed(self.read + more as i32));
        let later: Vec<f64> = unseen.iter().zip(&still).map(|(unseen, still)| unseen - still).collect();
        let share = |shares: &[f64], of: f64| (dot(&later, shares) / of.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        // Spreads that differ in what is shown later differ in what was not shown; an end is the further of the share of
        // what a spread says was not shown, and the share of what was not.
        let both = |shares: &[f64]| [share(shares, dot(&unseen, shares)), share(shares, self.unshown)];
        let others: Vec<f64> = later.iter().map(|part| -part).collect();
        let value = share(&self.shares, dot(&unseen, &self.shares));
        let [least, most] = [&others, &later].map(|of| both(&self.furthest(of, confidence)));
        Range { value, least: least[0].min(least[1]).min(value), most: most[0].max(most[1]).max(value) }
    }

    /// Shares that promise as much of something (given by its part of each chance) as is not refuted. What a pull costs in
    /// likelihood grows about as its square, which tells the next one to try.
    fn furthest(&self, of: &[f64], confidence: f64) -> Vec<f64> {
        let room = deviations(confidence).powi(2) / 2.0;
        let documents: f64 = self.cells.iter().map(|(n, _)| n).sum();
        let (mut low, mut high) = (0.01f64.ln(), (1e4 * documents.max(1.0)).ln());
        let (mut furthest, mut pull) = (self.shares.clone(), documents.max(1.0).sqrt().ln());
        for _ in 0..TRIES {
            let shares = self.top(pull.exp(), of);
            let cost = (self.likelihood - self.likelihood(&shares)).max(1e-9);
            if cost > room {
                high = pull;
            } else {
                (low, furthest) = (pull, shares);
                if cost > 0.98 * room || high - low < 0.01 {
                    break;
                }
            }
            let next = pull + (0.99 * room / cost).ln() / 2.0;
            pull = if next > low && next < high { next } else { f64::midpoint(low, high) };
        }
        furthest
    }

    /// Log-likelihood of what was found.
    fn likelihood(&self, shares: &[f64]) -> f64 {
        self.cells.iter().map(|(n, cell)| n * dot(cell, shares).max(f64::MIN_POSITIVE).ln()).sum()
    }

    /// Shares for which the log-likelihood and `pull` times what is promised are highest together.
    fn top(&self, pull: f64, of: &[f64]) -> Vec<f64> {
        let mut shares = vec![1.0 / self.chances.len() as f64; self.chances.len()];
        let documents: f64 = self.cells.iter().map(|(n, _)| n).sum();
        let promised = |shares: &[f64]| if of.is_empty() { 0.0 } else { pull * dot(of, shares) };
        let most = of.iter().fold(0.0f64, |most, part| most.max(part.abs()));
        let first = (documents + pull * most) / self.chances.len() as f64;
        for barrier in 0..=BARRIERS {
            // The last is the same whatever the first, so that ends can be compared with the fit.
            let weight = first * (LAST / first).powf(f64::from(barrier) / f64::from(BARRIERS));
            let height = |shares: &[f64]| {
                let kept: f64 = shares.iter().map(|share| share.ln()).sum();
                self.likelihood(shares) + promised(shares) + weight * kept
            };
            for _ in 0..STEPS {
                let slope = self.slope(&shares, weight, |i| of.get(i).map_or(0.0, |part| pull * part));
                let step = self.newton(&shares, weight, &slope);
                let gain = dot(&slope, &step);
                let Some(next) = along(&shares, &step, gain, &height) else { break };
                shares = next;
                if gain < ENOUGH {
                    break;
                }
            }
        }
        shares
    }

    /// How fast the height rises with each share.
    fn slope(&self, shares: &[f64], weight: f64, pull: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut slope: Vec<f64> = shares.iter().enumerate().map(|(i, share)| pull(i) + weight / share).collect();
        for (n, cell) in &self.cells {
            let ratio = n / dot(cell, shares).max(f64::MIN_POSITIVE);
            slope.iter_mut().zip(cell).for_each(|(slope, b)| *slope += ratio * b);
        }
        slope
    }

    /// Newton's step within the shares that add up to 1. The curvature is a diagonal and a term for each cell, so that a
    /// system of as many equations as there are cells is solved (Woodbury's identity).
    fn newton(&self, shares: &[f64], weight: f64, slope: &[f64]) -> Vec<f64> {
        let inverse: Vec<f64> = shares.iter().map(|share| share * share / weight).collect();
        let mut system: Vec<Vec<f64>> = Vec::with_capacity(self.cells.len());
        for (k, (n, cell)) in self.cells.iter().enumerate() {
            let scaled: Vec<f64> = cell.iter().zip(&inverse).map(|(b, d)| b * d).collect();
            let mut row: Vec<f64> = self.cells.iter().map(|(_, other)| dot(&scaled, other)).collect();
            row[k] += dot(cell, shares).powi(2) / n;
            system.push(row);
        }
        let solve = |side: &[f64]| {
            let scaled: Vec<f64> = side.iter().zip(&inverse).map(|(x, d)| x * d).collect();
            let right = self.cells.iter().map(|(_, cell)| dot(cell, &scaled)).collect();
            let inner = solved(system.clone(), right);
            let taken = |i: usize| self.cells.iter().zip(&inner).map(|((_, cell), y)| cell[i] * y).sum::<f64>();
            (0..side.len()).map(|i| scaled[i] - inverse[i] * taken(i)).collect::<Vec<f64>>()
        };
        let (up, level) = (solve(slope), solve(&vec![1.0; shares.len()]));
        let price = up.iter().sum::<f64>() / level.iter().sum::<f64>();
        up.iter().zip(&level).map(|(up, level)| up - price * level).collect()
    }
}

/// Chances whose odds are as far from each other.
fn grid(chances: usize) -> impl Iterator<Item = f64> {
    let logit = |p: f64| (p / (1.0 - p)).ln();
    let (first, last) = (logit(LEAST), logit(GREATEST));
    let at = move |i: usize| first + (last - first) * i as f64 / (chances - 1) as f64;
    (0..chances).map(move |i| 1.0 / (1.0 + (-at(i)).exp()))
}

/// The place along a step that rises enough; none when there is none.
fn along(shares: &[f64], step: &[f64], gain: f64, height: &dyn Fn(&[f64]) -> f64) -> Option<Vec<f64>> {
    let ends = shares.iter().zip(step).filter(|(_, step)| **step < 0.0).map(|(share, step)| -0.95 * share / step);
    let mut length = ends.fold(1.0, f64::min);
    let from = height(shares);
    for _ in 0..40 {
        let next: Vec<f64> = shares.iter().zip(step).map(|(share, step)| share + length * step).collect();
        if height(&next) >= from + 0.1 * length * gain {
            return Some(next);
        }
        length /= 2.0;
    }
    None
}

/// The solution of a system whose matrix is symmetric and positive definite, by elimination.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for i in 0..n {
        for j in i + 1..n {
            let factor = matrix[j][i] / matrix[i][i];
            let (above, below) = matrix.split_at_mut(j);
            below[0].iter_mut().zip(&above[i]).skip(i).for_each(|(x, y)| *x -= factor * y);
            right[j] -= factor * right[i];
        }
    }
    for i in (0..n).rev() {
        let later: f64 = (i + 1..n).map(|j| matrix[i][j] * right[j]).sum();
        right[i] = (right[i] - later) / matrix[i][i];
    }
    right
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_by_hand() {
        // 4x + y = 9, x + 3y = 5: x = 2, y = 1.
        let found = solved(vec![vec![4.0, 1.0], vec![1.0, 3.0]], vec![9.0, 5.0]);
        assert!((found[0] - 2.0).abs() < 1e-12 && (found[1] - 1.0).abs() < 1e-12, "{found:?}");
    }

    /// Half of the documents never, half of them in a segment with chance ½, over 4 segments: the cells are met exactly, and
    /// nothing is known better by another spread.
    #[test]
    fn a_mixture_is_found_again() {
        let counts = [1_600 + 100, 400, 600, 400, 100];
        let fitted = Mixture::fit(&counts);
        let entropy: f64 = counts.iter().map(|n| *n as f64 * (*n as f64 / 3_200.0).ln()).sum();
        assert!((fitted.likelihood - entropy).abs() < 1e-3, "{} for {entropy}", fitted.likelihood);
        let later = fitted.shown_later(4, 0.95);
        // Of the 100 that had the chance and missed it, 15 of 16 are shown later, and none of the 1,600 others.
        let truth = 100.0 * 15.0 / 16.0 / 1_700.0;
        assert!(
            later.least < truth && truth < later.most && later.most - later.least < 0.1,
            "{} {}",
            later.least,
            later.most
        );
    }
    /// Documents found in 0 to 4 segments, further segments, and the documents that are expected to be found by then.
    const EXPECTED: [([u64; 5], usize, f64); 5] = [
        ([169, 110, 32, 2, 1], 4, 220.69),
        ([181, 110, 23, 0, 0], 4, 207.51),
        ([122, 124, 42, 24, 2], 4, 258.45),
        ([130, 138, 39, 7, 0], 4, 257.68),
        ([605, 123, 5, 0, 0], 4, 230.54),
    ];

    /// The counts of the sample study and of a small web that was crawled twice, and what somebody else's program finds for
    /// them: maximum likelihood over 4,000 chances, found by another way (SciPy, 18 November 2026).
    #[test]
    fn as_likely_as_any_and_as_another_program_has_it() {
        for (counts, later, expected) in EXPECTED {
            let fitted = Mixture::fit(&counts);
            let chances = (0..=20_000).map(|i| f64::from(i) / 20_000.0);
            let most = chances.map(|p| fitted.rise(&counts, p)).fold(f64::MIN, f64::max);
            assert!(most < 0.01, "{counts:?}: the likelihood may rise by {most}");
            let found: u64 = counts[1..].iter().sum();
            let value = found as f64 + fitted.shown_later(later, 0.95).value * counts[0] as f64;
            assert!((value - expected).abs() < 0.1, "{counts:?}: {value}, expected {expected}");
        }
    }
}
