//! Shingles whose fingerprint is divisible by m (Broder, SEQUENCES 1997, the first of his samplings): two documents are
//! compared by the Jaccard of these.
//!
//! The sample grows with the document, so containment can be told from it too; about one shingle in m is kept (25 in
//! Broder's paper). Sketch: the kept fingerprints, ascending. Documents with fewer than 3 of them have no sketch.

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
    modulus: usize,
    agree: f64,
    hash: Family,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "mod-shingles";
    const ABOUT: &'static str = "shingles whose fingerprint is divisible by m, compared as sets (Broder 1997)";
    const DISTANCE: &'static str = "thousandths that the resemblance of the samples is short of 1, rounded down";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: min_wise::shingle(declaration, 5),
            modulus: declaration.whole(
                "modulus",
                25,
                1..=100_000,
                "one shingle in so many is kept; more save memory and estimate worse",
            ),
            agree: sampled::agree(declaration),
            hash: min_wise::hash(declaration),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let Self { shingle, modulus, agree, hash: family } = self;
        Ok(Box::new(Sampled { shingle, family, sampling: Sampling::Divisible(modulus as u64), agree }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch};

    #[test]
    fn one_shingle_in_m_is_kept() {
        let method = fitted(&ALGORITHM, &[("modulus", Value::Whole(4))], &[]);
        let text = (0..400).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ");
        let kept = sketch(&*method, &text).unwrap();
        assert!(kept.iter().all(|hash| hash % 4 == 0) && kept.is_sorted());
        assert!((70..130).contains(&kept.len()), "{}", kept.len());
        assert_eq!(sketch(&*method, "hardly anything here at all"), None);
    }
}
