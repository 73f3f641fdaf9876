//! LSH bands (Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, 3.4): b bands of r minima, one equal band is a
//! match.
//!
//! A pair of similarity s is found with probability 1 − (1 − sʳ)ᵇ; half of them at about (1/b)^(1/r). 20 bands of 5 are the
//! book's example: 0.55. Sketch: one word a band. Documents with fewer words than a shingle have no sketch.

use super::algorithm::{self, Algorithm, Collection};
use super::groups::GroupedMinima;
use super::method::Method;
use super::min_wise::{self, Functions, MinWise};
use super::minima::MOST;
use super::parameters::{Declaration, MethodError};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    shingle: usize,
    bands: usize,
    rows: usize,
    hash: Functions,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "bands";
    const ABOUT: &'static str = "minima of shingles in bands; one equal band matches (LSH, Leskovec et al.)";
    const DISTANCE: &'static str = "bands that differ";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: min_wise::shingle(declaration, 5),
            bands: declaration.whole(
                "bands",
                20,
                1..=512,
                "bands of minima, of which one must agree; more find more pairs",
            ),
            rows: declaration.whole("rows", 5, 1..=256, "minima in a band; more find fewer and truer pairs"),
            hash: min_wise::functions(declaration),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let Self { shingle, bands, rows, hash } = self;
        if bands * rows > MOST {
            return Err(MethodError::Value {
                name: "rows",
                found: rows.to_string(),
                expected: format!("at most {} with {bands} bands", MOST / bands),
            });
        }
        let wise = MinWise::new(shingle, hash, bands * rows);
        Ok(Box::new(GroupedMinima { wise, groups: bands, size: rows, agree: 1, paired: false, name: "bands" }))
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
        let method = fitted(&ALGORITHM, &set, &[]);
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
