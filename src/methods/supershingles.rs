//! Super shingles (Fetterly, Manasse and Najork, 2003; Henzinger, SIGIR 2006): 84 minima in 6 groups of 14, two equal groups
//! are a match.
//!
//! Sketch: one word a group, 384 bits. A pair of similarity p is found with probability 1 − (1−pᵍ)⁶ − 6 pᵍ(1−pᵍ)⁵: 0.879 at
//! 0.95, 0.026 at 0.80. Cost: 84 multiplications a shingle, eight at a time ([`super::minima`]). Documents with fewer words
//! than a shingle have no sketch.

use super::groups::Groups;
use super::method::{self, Method};
use super::min_wise::{HASH, MinWise, shingle};
use super::minima::MOST;
use super::parameters::{Allowed, MethodError, Parameter, Preset, Values};
use super::statistics::Statistics;

/// Super shingles as offered to the user.
#[derive(Debug)]
pub struct Entry;

static PARAMETERS: &[Parameter] = &[
    shingle(8),
    Parameter {
        name: "groups",
        about: "super shingles of a document; more find more pairs",
        default: Preset::Whole(6),
        allowed: Allowed::Whole(1, 64),
    },
    Parameter {
        name: "group_size",
        about: "minima in a super shingle; more make a steeper curve further right: fewer and truer pairs",
        default: Preset::Whole(14),
        allowed: Allowed::Whole(1, 256),
    },
    Parameter {
        name: "agree",
        about: "super shingles that must be equal",
        default: Preset::Whole(2),
        allowed: Allowed::Whole(1, 64),
    },
    HASH,
];

impl method::Entry for Entry {
    fn name(&self) -> &'static str {
        "supershingles"
    }

    fn about(&self) -> &'static str {
        "minima of shingles in groups; two equal groups of six match (Fetterly et al. 2003, Henzinger 2006)"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn distance(&self) -> &'static str {
        "super shingles that differ"
    }

    fn fit(&self, values: &Values, _: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        let whole = |name| values.whole(name).unwrap_or(1) as usize;
        let (groups, size, agree) = (whole("groups"), whole("group_size"), whole("agree"));
        if agree > groups {
            return Err(MethodError::Value {
                name: "agree",
                found: agree.to_string(),
                expected: format!("at most the groups ({groups})"),
            });
        }
        if groups * size > MOST {
            return Err(MethodError::Value {
                name: "group_size",
                found: size.to_string(),
                expected: format!("at most {} with {groups} groups", MOST / groups),
            });
        }
        let wise = MinWise::new(values, groups * size);
        Ok(Box::new(Groups { wise, groups, size, agree, paired: false, word: "super shingles" }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, verdict};

    fn words(from: usize, to: usize) -> String {
        (from..to).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn six_words_of_sketch_and_equal_documents_differ_in_none() {
        let method = fitted(&Entry, &[], &[]);
        let text = words(0, 200);
        assert_eq!(sketch(&*method, &text).map(|sketch| sketch.len()), Some(6));
        assert_eq!(verdict(&*method, &text, &text).map(|evidence| evidence.distance), Some(0));
        assert_eq!(sketch(&*method, "fewer than eight words are in this"), None);
        assert_eq!(verdict(&*method, &text, &words(100, 300)), None);
    }

    #[test]
    fn found_as_often_as_the_curve_says() {
        let method = fitted(&Entry, &[("shingle", Value::Whole(1))], &[]);
        let rounds = 300;
        let mut found = 0;
        for round in 0..rounds {
            // 190 of 200 different words in common: Jaccard 0.95.
            let base = round * 1000;
            let a = words(base, base + 195);
            let b = format!("{} {}", words(base, base + 190), words(base + 500, base + 505));
            found += usize::from(verdict(&*method, &a, &b).is_some());
        }
        let share = found as f64 / rounds as f64;
        assert!((share - 0.879).abs() < 0.06, "{share}");
    }

    #[test]
    fn impossible_groups_are_refused() {
        let refused = |set: &[(&str, u64)]| {
            let mut values = Values::new(&Entry);
            for (name, value) in set {
                values.set(name, Value::Whole(*value)).unwrap();
            }
            method::Entry::fit(&Entry, &values, &Statistics::default()).unwrap_err().to_string()
        };
        assert!(refused(&[("groups", 2), ("agree", 3)]).contains("at most the groups (2)"));
        assert!(refused(&[("groups", 64), ("group_size", 200)]).contains("at most 64 with 64 groups"));
    }
}
