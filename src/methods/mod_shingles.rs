//! Shingles whose fingerprint is divisible by m (Broder, SEQUENCES 1997, the first of his samplings): two documents are
//! compared by the Jaccard of these.
//!
//! The sample grows with the document, so containment can be told from it too; about one shingle in m is kept (25 in
//! Broder's paper). Sketch: the kept fingerprints, ascending. Documents with fewer than 3 of them have no sketch.

use super::method::{self, Method};
use super::min_wise::{HASH, shingle};
use super::parameters::{Allowed, MethodError, Parameter, Preset, Values};
use super::sampled::{AGREE, Rule, Sampled};
use super::statistics::Statistics;

/// The method as offered to the user.
#[derive(Debug)]
pub struct Entry;

static PARAMETERS: &[Parameter] = &[
    shingle(5),
    Parameter {
        name: "modulus",
        about: "one shingle in so many is kept; more save memory and estimate worse",
        default: Preset::Whole(25),
        allowed: Allowed::Whole(1, 100_000),
    },
    AGREE,
    HASH,
];

impl method::Entry for Entry {
    fn name(&self) -> &'static str {
        "mod-shingles"
    }

    fn about(&self) -> &'static str {
        "shingles whose fingerprint is divisible by m, compared as sets (Broder 1997)"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn distance(&self) -> &'static str {
        "thousandths that the resemblance of the samples is short of 1, rounded down"
    }

    fn fit(&self, values: &Values, _: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(Sampled::new(values, Rule::Divisible(values.whole("modulus").unwrap_or(25)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch};

    #[test]
    fn one_shingle_in_m_is_kept() {
        let method = fitted(&Entry, &[("modulus", Value::Whole(4))], &[]);
        let text = (0..400).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ");
        let kept = sketch(&*method, &text).unwrap();
        assert!(kept.iter().all(|hash| hash % 4 == 0) && kept.is_sorted());
        assert!((70..130).contains(&kept.len()), "{}", kept.len());
        assert_eq!(sketch(&*method, "hardly anything here at all"), None);
    }
}
