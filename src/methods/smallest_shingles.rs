//! The s smallest fingerprints of the shingles (Broder, SEQUENCES 1997, the second of his samplings): a sketch of bounded
//! size that estimates the Jaccard.
//!
//! Documents with fewer than s shingles are compared exactly. Sketch: at most s words (400 in Broder's paper), ascending.
//! Documents with fewer than 3 shingles have no sketch.

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
        name: "keep",
        about: "fingerprints kept; more estimate better and take more memory",
        default: Preset::Whole(400),
        allowed: Allowed::Whole(4, 65_536),
    },
    AGREE,
    HASH,
];

impl method::Entry for Entry {
    fn name(&self) -> &'static str {
        "smallest-shingles"
    }

    fn about(&self) -> &'static str {
        "the smallest fingerprints of the shingles, compared as a sample of the union (Broder 1997)"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn distance(&self) -> &'static str {
        "thousandths that the resemblance of the samples is short of 1, rounded down"
    }

    fn fit(&self, values: &Values, _: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(Sampled::new(values, Rule::Smallest(values.whole("keep").unwrap_or(400) as usize))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, with};

    #[test]
    fn the_smallest_are_kept() {
        let method = fitted(&Entry, &[("keep", Value::Whole(50)), ("shingle", Value::Whole(1))], &[]);
        let text = (0..400).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ");
        let mut all = with(&text, |document| document.grams(1).to_vec());
        all.sort_unstable();
        assert_eq!(sketch(&*method, &text).as_deref(), Some(&all[..50]));
        assert_eq!(sketch(&*method, "two words"), None);
    }
}
