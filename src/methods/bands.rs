//! LSH bands (Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, 3.4): b bands of r minima, one equal band is a
//! match.
//!
//! A pair of similarity s is found with probability 1 − (1 − sʳ)ᵇ; half of them at about (1/b)^(1/r). 20 bands of 5 are the
//! book's example: 0.55. Sketch: one word a band. Documents with fewer words than a shingle have no sketch.

use super::groups::Groups;
use super::method::{self, Method};
use super::min_wise::{HASH, MinWise, shingle};
use super::minima::MOST;
use super::parameters::{Allowed, MethodError, Parameter, Preset, Values};
use super::statistics::Statistics;

/// LSH bands as offered to the user.
#[derive(Debug)]
pub struct Entry;

static PARAMETERS: &[Parameter] = &[
    shingle(5),
    Parameter {
        name: "bands",
        about: "bands of minima, of which one must agree; more find more pairs",
        default: Preset::Whole(20),
        allowed: Allowed::Whole(1, 512),
    },
    Parameter {
        name: "rows",
        about: "minima in a band; more find fewer and truer pairs",
        default: Preset::Whole(5),
        allowed: Allowed::Whole(1, 256),
    },
    HASH,
];

impl method::Entry for Entry {
    fn name(&self) -> &'static str {
        "bands"
    }

    fn about(&self) -> &'static str {
        "minima of shingles in bands; one equal band matches (LSH, Leskovec et al.)"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn distance(&self) -> &'static str {
        "bands that differ"
    }

    fn fit(&self, values: &Values, _: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        let whole = |name| values.whole(name).unwrap_or(1) as usize;
        let (groups, size) = (whole("bands"), whole("rows"));
        if groups * size > MOST {
            return Err(MethodError::Value {
                name: "rows",
                found: size.to_string(),
                expected: format!("at most {} with {groups} bands", MOST / groups),
            });
        }
        let wise = MinWise::new(values, groups * size);
        Ok(Box::new(Groups { wise, groups, size, agree: 1, paired: false, word: "bands" }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::band_agrees;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, verdict};

    #[test]
    fn found_as_often_as_the_curve_says() {
        let set = [("shingle", Value::Whole(1)), ("bands", Value::Whole(10)), ("rows", Value::Whole(4))];
        let method = fitted(&Entry, &set, &[]);
        let words = |from: usize, to: usize| (from..to).map(|i| format!("w{i}")).collect::<Vec<_>>().join(" ");
        let (rounds, mut found) = (400, 0);
        for base in (0..rounds).map(|round| round * 1000) {
            // 60 of 100 different words in common.
            let (a, b) = (words(base, base + 80), words(base + 20, base + 100));
            found += usize::from(verdict(&*method, &a, &b).is_some());
        }
        let (share, expected) = (found as f64 / rounds as f64, band_agrees(0.6, 4, 10));
        assert!((share - expected).abs() < 0.08, "{share} {expected}");
        assert_eq!(sketch(&*method, "one two").map(|sketch| sketch.len()), Some(10));
    }
}
