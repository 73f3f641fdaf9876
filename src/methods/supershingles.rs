//! Super shingles (Fetterly, Manasse and Najork, 2003; Henzinger, SIGIR 2006): 84 minima in 6 groups of 14, two equal groups
//! are a match.
//!
//! Sketch: one word a group, 384 bits. A pair of similarity p is found with probability 1 − (1−pᵍ)⁶ − 6 pᵍ(1−pᵍ)⁵: 0.879 at
//! 0.95, 0.026 at 0.80. Cost: 84 multiplications a shingle, eight at a time ([`super::minima`]). Documents with fewer words
//! than a shingle have no sketch.

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
    groups: usize,
    group_size: usize,
    agree: usize,
    hash: Functions,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "supershingles";
    const ABOUT: &'static str =
        "minima of shingles in groups; two equal groups of six match (Fetterly et al. 2003, Henzinger 2006)";
    const DISTANCE: &'static str = "super shingles that differ";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: min_wise::shingle(declaration, 8),
            groups: declaration.whole("groups", 6, 1..=64, "super shingles of a document; more find more pairs"),
            group_size: declaration.whole(
                "group_size",
                14,
                1..=256,
                "minima in a super shingle; more make a steeper curve further right: fewer and truer pairs",
            ),
            agree: declaration.whole("agree", 2, 1..=64, "super shingles that must be equal"),
            hash: min_wise::functions(declaration),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let Self { shingle, groups, group_size, agree, hash } = self;
        if agree > groups {
            return Err(MethodError::Value {
                name: "agree",
                found: agree.to_string(),
                expected: format!("at most the groups ({groups})"),
            });
        }
        if groups * group_size > MOST {
            return Err(MethodError::Value {
                name: "group_size",
                found: group_size.to_string(),
                expected: format!("at most {} with {groups} groups", MOST / groups),
            });
        }
        let wise = MinWise::new(shingle, hash, groups * group_size);
        Ok(Box::new(GroupedMinima { wise, groups, size: group_size, agree, paired: false, name: "super shingles" }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Values;
    use crate::parameters::Value;
    use crate::statistics::Statistics;
    use crate::testing::{fitted, sketch, verdict};

    fn words(from: usize, to: usize) -> String {
        (from..to).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn six_words_of_sketch_and_equal_documents_differ_in_none() {
        let method = fitted(&ALGORITHM, &[], &[]);
        let text = words(0, 200);
        assert_eq!(sketch(&*method, &text).map(|sketch| sketch.len()), Some(6));
        assert_eq!(verdict(&*method, &text, &text).map(|evidence| evidence.distance), Some(0));
        assert_eq!(sketch(&*method, "fewer than eight words are in this"), None);
        assert_eq!(verdict(&*method, &text, &words(100, 300)), None);
    }

    #[test]
    fn found_as_often_as_the_curve_says() {
        let method = fitted(&ALGORITHM, &[("shingle", Value::Whole(1))], &[]);
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
            let mut values = Values::new(&ALGORITHM);
            for (name, value) in set {
                values.set(name, Value::Whole(*value)).unwrap();
            }
            values.fit(&Statistics::default()).unwrap_err().to_string()
        };
        assert!(refused(&[("groups", 2), ("agree", 3)]).contains("at most the groups (2)"));
        assert!(refused(&[("groups", 64), ("group_size", 200)]).contains("at most 64 with 64 groups"));
    }
}
