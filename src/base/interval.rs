//! An estimate with what it may be off by.

use serde::Serialize;

/// An estimate and the ends of its confidence interval. Never NaN or infinite when made by [`Interval::new`]: where
/// there is nothing to estimate, there is no interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// An estimate with its ends, which are moved where needed so that the value lies between them; `None` when one of
    /// the three is no finite number.
    pub fn new(value: f64, low: f64, high: f64) -> Option<Self> {
        let finite = value.is_finite() && low.is_finite() && high.is_finite();
        finite.then(|| Self { value, low: low.min(value), high: high.max(value) })
    }

    /// Half of its width: the d of "± d".
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether a number lies in it, its ends included.
    pub fn contains(&self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }

    /// The same with its ends no further out than these, unless the value is.
    #[must_use]
    pub fn within(self, least: f64, most: f64) -> Self {
        Self { low: self.low.max(least).min(self.value), high: self.high.min(most).max(self.value), ..self }
    }

    /// The interval of this many times the number.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let (one, other) = (self.low * factor, self.high * factor);
        Self { value: self.value * factor, low: one.min(other), high: one.max(other) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_holds_its_value_and_no_nan() {
        assert_eq!(Interval::new(f64::NAN, 0.0, 1.0), None);
        assert_eq!(Interval::new(0.5, 0.0, f64::INFINITY), None);
        let moved = Interval::new(1.0, 0.2, 0.9).unwrap();
        assert_eq!((moved.low, moved.high), (0.2, 1.0));
        assert!(moved.contains(0.2) && moved.contains(1.0) && !moved.contains(0.1));
        assert_eq!(moved.half_width(), 0.4);
        assert_eq!(moved.times(-2.0), Interval { value: -2.0, low: -2.0, high: -0.4 });
        assert_eq!(moved.within(0.5, 0.8), Interval { value: 1.0, low: 0.5, high: 1.0 });
    }

    #[test]
    fn as_json_it_is_three_numbers() {
        let interval = Interval::new(0.5, 0.25, 0.75);
        assert_eq!(serde_json::to_string(&interval).unwrap(), r#"{"value":0.5,"low":0.25,"high":0.75}"#);
        assert_eq!(serde_json::to_string(&Interval::new(f64::NAN, 0.0, 1.0)).unwrap(), "null");
    }
}
