//! What may be the number of true pairs in a stratum, when x of n drawn without replacement are?
//!
//! Exact for finite populations: the ends are the numbers of true pairs that the sample would not refute, each tail at
//! most half of what is left to chance. Never covers less than it says; a stratum that was drawn to its last pair is known.

use crate::base::interval::Interval;
use crate::evaluation::distributions::binomial;
use crate::evaluation::intervals::first_where;

/// The probability of x true ones among n drawn without replacement from N of which K are true, by Loader's form: no
/// factorial is ever written out.
pub fn hypergeometric(x: u64, n: u64, truths: u64, population: u64) -> f64 {
    if x > n || x > truths || n - x > population - truths {
        return 0.0;
    }
    if n == population {
        return 1.0;
    }
    let (x, n, k, rest) = (x as f64, n as f64, truths as f64, (population - truths) as f64);
    let p = n / population as f64;
    binomial(x, k, p) * binomial(n - x, rest, p) / binomial(n, population as f64, p)
}

/// The probability of at least x true ones.
fn at_least(x: u64, n: u64, truths: u64, population: u64) -> f64 {
    (x..=n.min(truths)).map(|i| hypergeometric(i, n, truths, population)).sum()
}

/// The probability of at most x true ones.
fn at_most(x: u64, n: u64, truths: u64, population: u64) -> f64 {
    (0..=x).map(|i| hypergeometric(i, n, truths, population)).sum()
}

/// The fewest and the most true pairs among `population` that x of n do not refute, each end with `tail` left to chance.
pub fn truths(x: u64, n: u64, population: u64, tail: f64) -> (u64, u64) {
    let (least, most) = (x, population - (n - x).min(population));
    if n == 0 {
        return (0, population);
    }
    let low = first_where(least..most, |k| at_least(x, n, k, population) > tail);
    let high = first_where(least..most + 1, |k| at_most(x, n, k, population) <= tail);
    (low, high.saturating_sub(1).max(x))
}

/// The exact interval for the share of true pairs in a stratum of `population`, of which x of n are true. `None` without
/// labels or with more than there are pairs.
pub fn exact(x: u64, n: u64, population: u64, confidence: f64) -> Option<Interval> {
    if n == 0 || x > n || n > population {
        return None;
    }
    let (low, high) = truths(x, n, population, (1.0 - confidence) / 2.0);
    Interval::new(x as f64 / n as f64, low as f64 / population as f64, high as f64 / population as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::intervals::clopper_pearson;

    #[test]
    fn probabilities_by_hand() {
        // Two red among three drawn from five of which three are red: C(3,2)·C(2,1)/C(5,3) = 6/10.
        assert!((hypergeometric(2, 3, 3, 5) - 0.6).abs() < 1e-12);
        // C(1900,95)·C(100,5)/C(2000,100) in fractions; scipy.stats.hypergeom.pmf(95, 2000, 1900, 100) is the same.
        let many = hypergeometric(95, 100, 1900, 2000);
        assert!((many - 0.18468627208402572).abs() < 1e-12, "{many}");
        assert!(((0..=20).map(|x| hypergeometric(x, 20, 37, 100)).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(
            (hypergeometric(3, 2, 5, 9), hypergeometric(0, 5, 5, 5), hypergeometric(5, 5, 5, 5)),
            (0.0, 0.0, 1.0)
        );
    }

    #[test]
    fn a_census_is_known_and_a_large_population_is_binomial() {
        assert_eq!(exact(7, 10, 10, 0.95), Interval::new(0.7, 0.7, 0.7));
        assert_eq!((exact(0, 0, 10, 0.95), exact(1, 11, 10, 0.95)), (None, None));
        let (finite, infinite) = (exact(95, 100, 50_000_000, 0.95).unwrap(), clopper_pearson(95, 100, 0.95).unwrap());
        assert!((finite.low - infinite.low).abs() < 1e-5 && (finite.high - infinite.high).abs() < 1e-5, "{finite:?}");
        let small = exact(95, 100, 200, 0.95).unwrap();
        assert!(small.low > infinite.low + 0.01 && small.high < infinite.high, "{small:?}");
    }

    #[test]
    fn it_keeps_its_promise_for_every_population() {
        for (n, population) in [(5, 12), (10, 40), (30, 90)] {
            let ends: Vec<Interval> = (0..=n).filter_map(|x| exact(x, n, population, 0.95)).collect();
            for truths in 0..=population {
                let share = truths as f64 / population as f64;
                let covers =
                    |x: &u64| ends[*x as usize].low <= share + 1e-12 && share <= ends[*x as usize].high + 1e-12;
                let coverage: f64 = (0..=n).filter(covers).map(|x| hypergeometric(x, n, truths, population)).sum();
                assert!(coverage >= 0.95, "{coverage} at {truths} of {population}");
            }
        }
    }
}
