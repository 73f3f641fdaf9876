//! The s smallest fingerprints of the shingles (Broder, SEQUENCES 1997, the second of his samplings): a sketch of bounded
//! size that estimates the Jaccard.
//!
//! Documents with fewer than s shingles are compared exactly. Sketch: at most s words (400 in Broder's paper), ascending.
//! Documents with fewer than 3 shingles have no sketch.

use super::algorithm::{self, Algorithm, Collection};
use super::family::Family;
use super::method::Method;
use super::min_wise;
use super::parameters::{Declaration, MethodError};
use super::sampled::{self, Sampled, Sampling};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    shingle: usize,
    keep: usize,
    agree: f64,
    hash: Family,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "smallest-shingles";
    const ABOUT: &'static str =
        "the smallest fingerprints of the shingles, compared as a sample of the union (Broder 1997)";
    const DISTANCE: &'static str = "thousandths that the resemblance of the samples is short of 1, rounded down";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: min_wise::shingle(declaration, 5),
            keep: declaration.whole(
                "keep",
                400,
                4..=65_536,
                "fingerprints kept; more estimate better and take more memory",
            ),
            agree: sampled::agree(declaration),
            hash: min_wise::hash(declaration),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let Self { shingle, keep, agree, hash: family } = self;
        Ok(Box::new(Sampled { shingle, family, sampling: Sampling::Smallest(keep), agree }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, with};

    #[test]
    fn the_smallest_are_kept() {
        let method = fitted(&ALGORITHM, &[("keep", Value::Whole(50)), ("shingle", Value::Whole(1))], &[]);
        let text = (0..400).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ");
        let mut all = with(&text, |document| document.grams(1).to_vec());
        all.sort_unstable();
        assert_eq!(sketch(&*method, &text).as_deref(), Some(&all[..50]));
        assert_eq!(sketch(&*method, "two words"), None);
    }
}
