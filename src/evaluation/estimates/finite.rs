//! What may be the number of true pairs in a stratum, when x of n drawn without replacement are?
//!
//! Exact for finite populations: the ends are the numbers of true pairs that the sample would not refute, each tail at
//! most half of what is left to chance. Never covers less than it says; a stratum that was drawn to its last pair is known.

use crate::distributions::binomial;
use crate::intervals::first_where;
use dejaview_base::interval::Interval;

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

/// How many true ones n drawn without replacement from a population may have.
#[derive(Debug, Clone, Copy)]
pub struct Draw {
    pub n: u64,
    pub truths: u64,
    pub population: u64,
}

impl Draw {
    fn least(self) -> u64 {
        self.n.saturating_sub(self.population - self.truths)
    }

    fn most(self) -> u64 {
        self.n.min(self.truths)
    }

    /// The most probable number.
    fn mode(self) -> u64 {
        let mode = (self.n + 1) as f64 * (self.truths + 1) as f64 / (self.population + 2) as f64;
        (mode as u64).clamp(self.least(), self.most())
    }

    /// The number with its probability, and those above it in turn: each follows from the one before by the factors that
    /// change.
    fn upward(self, from: u64) -> impl Iterator<Item = (u64, f64)> {
        let first = hypergeometric(from, self.n, self.truths, self.population);
        let rest = self.population - self.truths;
        let next = move |(x, probability): &(u64, f64)| {
            let more = (self.truths - x) as f64 * (self.n - x) as f64;
            let fewer = (x + 1) as f64 * ((rest + x + 1) - self.n) as f64;
            (*x < self.most()).then(|| (x + 1, probability * more / fewer))
        };
        std::iter::successors((from <= self.most()).then_some((from, first)), next)
    }

    /// The same downwards: true ones upwards are false ones downwards.
    fn downward(self, from: u64) -> impl Iterator<Item = (u64, f64)> {
        let others = Self { truths: self.population - self.truths, ..self };
        others.upward(self.n - from).map(move |(x, probability)| (self.n - x, probability))
    }

    /// A number as a draw gives it, which a random number below 1 decides: numbers take turns from the most probable one
    /// outwards, until they have used it up.
    pub fn outcome(self, mut unit: f64) -> u64 {
        let mode = self.mode();
        let mut above = self.upward(mode);
        let mut below = (mode > self.least()).then(|| self.downward(mode - 1)).into_iter().flatten();
        loop {
            let (up, down) = (above.next(), below.next());
            if up.is_none() && down.is_none() {
                return mode;
            }
            for (x, probability) in up.into_iter().chain(down) {
                unit -= probability;
                if unit < 0.0 {
                    return x;
                }
            }
        }
    }

    /// The probability of at least x.
    fn at_least(self, x: u64) -> f64 {
        let (x, mode) = (x.max(self.least()), self.mode());
        let below = if mode > x { sum(self.downward(mode - 1).take_while(|(i, _)| *i >= x)) } else { 0.0 };
        below + sum(self.upward(mode.max(x)))
    }

    /// The probability of at most x.
    fn at_most(self, x: u64) -> f64 {
        Self { truths: self.population - self.truths, ..self }.at_least(self.n.saturating_sub(x))
    }
}

/// The sum of probabilities that fall, without those at the end that no longer change it.
fn sum(falling: impl Iterator<Item = (u64, f64)>) -> f64 {
    let mut sum = 0.0;
    for (_, probability) in falling {
        let before = sum;
        sum += probability;
        if sum == before {
            break;
        }
    }
    sum
}

/// The fewest and the most true pairs among `population` that x of n do not refute, each end with `tail` left to chance.
pub fn truths(x: u64, n: u64, population: u64, tail: f64) -> (u64, u64) {
    let (least, most) = (x, population - (n - x).min(population));
    if n == 0 {
        return (0, population);
    }
    let low = first_where(least..most, |truths| Draw { n, truths, population }.at_least(x) > tail);
    let high = first_where(least..most + 1, |truths| Draw { n, truths, population }.at_most(x) <= tail);
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
    use crate::intervals::clopper_pearson;

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
    fn tails_are_sums() {
        let plain = |draw: Draw, range: std::ops::RangeInclusive<u64>| -> f64 {
            range.map(|x| hypergeometric(x, draw.n, draw.truths, draw.population)).sum()
        };
        let large = [(500, 1_000, 1_000_000), (500, 999_000, 1_000_000), (900, 600_000, 1_000_000), (3, 1_000, 1_000)];
        let large = large.into_iter().map(|(n, truths, population)| Draw { n, truths, population });
        let small = (0..=9).flat_map(|n| (0..=9).map(move |truths| Draw { n, truths, population: 9 }));
        for draw in small.chain(large) {
            for x in 0..=draw.n {
                let (least, most) = (plain(draw, x..=draw.n), plain(draw, 0..=x));
                let (at_least, at_most) = (draw.at_least(x), draw.at_most(x));
                assert!(
                    (at_least - least).abs() <= 1e-11 * least + 1e-300,
                    "{draw:?}: at least {x}: {at_least} {least}"
                );
                assert!((at_most - most).abs() <= 1e-11 * most + 1e-300, "{draw:?}: at most {x}: {at_most} {most}");
            }
        }
    }

    #[test]
    fn outcomes_come_as_often_as_they_are_probable() {
        for draw in [Draw { n: 20, truths: 37, population: 100 }, Draw { n: 8, truths: 2, population: 9 }] {
            let mut often = vec![0.0; draw.n as usize + 1];
            for i in 0..100_000 {
                often[draw.outcome((f64::from(i) + 0.5) / 1e5) as usize] += 1e-5;
            }
            for (x, often) in often.into_iter().enumerate() {
                let probability = hypergeometric(x as u64, draw.n, draw.truths, draw.population);
                assert!((often - probability).abs() < 2e-5, "{draw:?}: {x} has {often}, not {probability}");
            }
        }
        assert_eq!(Draw { n: 0, truths: 3, population: 9 }.outcome(0.5), 0);
        assert_eq!(Draw { n: 9, truths: 3, population: 9 }.outcome(0.999), 3);
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
