//! What may a number be that follows from several totals, each with an interval of its own?
//!
//! For a sum Σ c·T of independent totals the interval reaches as far down as the square root of Σ c²·d², d being the way
//! from each total to the end that pulls the sum down; and likewise up. Lopsided intervals stay lopsided. This is the
//! *method of variance estimates recovery* (Zou & Donner, Statistics in Medicine 2008). A ratio x = A / (A + B) solves
//! (1−x)·A − x·B = 0, so it may be every x for which the interval of that sum holds 0 (Fieller; Donner & Zou,
//! Statistical Methods in Medical Research 2012). The intervals behind the totals never take a part for certain because its
//! labels happen to be all alike.
//!
//! What nobody looked at is not left to chance: it may be anything at the same time as all the rest, so it is added to the
//! reach as it is, outside of the root.

use dejaview_base::interval::Interval;

/// Halvings of the range in which an end is looked for: beyond what a number can hold.
const HALVINGS: u32 = 60;

/// A number that is estimated from labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Total {
    /// What it is, and what chance leaves open.
    pub chance: Interval,
    /// How much less it may be because of pairs that nobody looked at.
    pub below: f64,
    /// How much more it may be because of them.
    pub above: f64,
}

impl From<Interval> for Total {
    fn from(chance: Interval) -> Self {
        Self { chance, below: 0.0, above: 0.0 }
    }
}

/// A sum of totals, the squares of how far chance lets it reach down and up, and how far it reaches beyond because of what
/// nobody looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Reach {
    value: f64,
    down: f64,
    up: f64,
    below: f64,
    above: f64,
}

impl Reach {
    /// Adds up totals, each multiplied by its factor.
    pub fn new<T: Into<Total>>(terms: impl IntoIterator<Item = (f64, T)>) -> Self {
        let mut sum = Self::default();
        for (factor, total) in terms {
            let Total { chance, below, above } = total.into();
            let part = chance.times(factor);
            let (less, more) = if factor < 0.0 { (above, below) } else { (below, above) };
            sum.below += factor.abs() * less;
            sum.above += factor.abs() * more;
            sum.value += part.value;
            sum.down += (part.value - part.low).powi(2);
            sum.up += (part.high - part.value).powi(2);
        }
        sum
    }

    /// The same with a number added that is known.
    #[must_use]
    pub fn plus(self, number: f64) -> Self {
        Self { value: self.value + number, ..self }
    }

    fn low(self) -> f64 {
        self.value - self.down.sqrt() - self.below
    }

    fn high(self) -> f64 {
        self.value + self.up.sqrt() + self.above
    }

    /// The interval of the sum itself.
    pub fn interval(self) -> Option<Interval> {
        Interval::new(self.value, self.low(), self.high())
    }
}

/// The interval of the number in `range` that makes a sum 0. The sum must fall as the number grows.
pub fn solution(value: f64, range: [f64; 2], sum: impl Fn(f64) -> Reach) -> Option<Interval> {
    let low = crossing(range, |x| sum(x).low());
    let high = crossing(range, |x| sum(x).high());
    Interval::new(value, low, high)
}

/// Where a falling function stops being above 0.
fn crossing([mut low, mut high]: [f64; 2], of: impl Fn(f64) -> f64) -> f64 {
    if of(high) >= 0.0 {
        return high;
    }
    for _ in 0..HALVINGS {
        let middle = low.midpoint(high);
        if of(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intervals::wilson;

    fn of(value: f64, low: f64, high: f64) -> Interval {
        Interval::new(value, low, high).unwrap()
    }

    #[test]
    fn a_difference_is_newcombes() {
        // Newcombe, Statistics in Medicine 1998 (interval estimation for the difference), table II, method 10: 56/70 − 48/80
        // is 0.2 with 0.0524 to 0.3339; 9/10 − 3/10 with 0.1705 to 0.8090; 10/10 − 0/10 with 0.6075 to 1.
        for (one, other, low, high) in
            [((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090), ((10, 10), (0, 10), 0.6075, 1.0)]
        {
            let [one, other] = [one, other].map(|(x, n)| wilson(x, n, 0.95).unwrap());
            let ours = Reach::new([(1.0, one), (-1.0, other)]).interval().unwrap();
            assert!((ours.low - low).abs() < 5e-5 && (ours.high - high).abs() < 5e-5, "{ours:?}");
        }
    }

    #[test]
    fn a_ratio_is_donner_and_zous_closed_form() {
        // Limits of T1/T2: (T1·T2 ∓ √((T1·T2)² − l1·u2·(2·T1−l1)·(2·T2−u2))) / (u2·(2·T2−u2)), and with u1, l2 above.
        let (one, two) = (of(30.0, 22.0, 41.0), of(80.0, 71.0, 93.0));
        let closed = |a: f64, b: f64, sign: f64| {
            let (product, part) = (one.value * two.value, a * b * (2.0 * one.value - a) * (2.0 * two.value - b));
            (product + sign * (product * product - part).sqrt()) / (b * (2.0 * two.value - b))
        };
        let expected = (closed(one.low, two.high, -1.0), closed(one.high, two.low, 1.0));
        let ours = solution(0.375, [0.0, 10.0], |x| Reach::new([(1.0, one), (-x, two)])).unwrap();
        assert!((ours.low - expected.0).abs() < 1e-9 && (ours.high - expected.1).abs() < 1e-9, "{ours:?} {expected:?}");
        let share = solution(30.0 / 110.0, [0.0, 1.0], |x| Reach::new([(1.0 - x, one), (-x, two)])).unwrap();
        assert!((share.low - ours.low / (1.0 + ours.low)).abs() < 1e-9, "the share follows from the ratio");
    }

    #[test]
    fn ends_that_nothing_refutes() {
        let (none, some) = (of(0.0, 0.0, 5.0), of(50.0, 0.0, 60.0));
        let all = solution(1.0, [0.0, 1.0], |x| Reach::new([(1.0 - x, some), (-x, none)])).unwrap();
        assert_eq!((all.low, all.high), (0.0, 1.0), "nothing found may be true, and nothing missed");
        let known = solution(0.5, [0.0, 1.0], |x| Reach::new([(1.0 - x, of(3.0, 3.0, 3.0)), (-x, of(3.0, 3.0, 3.0))]));
        let known = known.unwrap();
        assert!((known.low - 0.5).abs() < 1e-12 && (known.high - 0.5).abs() < 1e-12, "nothing is left to chance");
    }
}
